"""Wraps the methods of PySAT's engines and records their answers, with which a claim of the program is compared."""

from __future__ import annotations

import copy
import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, TypeVar

import pysat
import pysat.solvers
from pysat.examples import hitman, lbx, lsu, mcsls, rc2
from pysat.formula import CNF, WCNF

from verdict_runner.languages.pysat import formulas, helpers, pools
from verdict_runner.languages.pysat.best import share, stop
from verdict_runner.languages.pysat.confirm import evidence
from verdict_runner.languages.pysat.log import Log, log_of
from verdict_runner.languages.pysat.run import (
    MAXSAT,
    OTHERS,
    SOLVERS,
    SUBSETS,
    MaxSat,
    Method,
    SatSolver,
    genuine,
    is_maxsat,
    is_solver,
    the_run,
)
from verdict_runner.refusal import Refused

# Literals that checks of models read, in all.
REPLAYED_LITERALS_MAX = 5_000_000

_Found = TypeVar("_Found")


def listen() -> None:
    """Wraps the methods of the engines. Called once, before any program."""
    for kind in SOLVERS:
        kind.add_clause = _logging_clause(kind.add_clause)
        if kind is not pysat.solvers.Solver:
            kind.new = _starting(kind.new)
        if kind is pysat.solvers.Maplesat:
            for name in ("solve", "solve_limited", "enum_models"):
                setattr(kind, name, _with_a_variable(vars(kind)[name]))
        limited = kind.solve_limited
        kind.solve = _solving(kind.solve, limited)
        kind.solve_limited = _solving(limited, limited)
        kind.conf_budget = _bounding(kind.conf_budget)
        kind.get_model = _modelling(kind.get_model)
        kind.get_core = _explaining(kind.get_core)
        kind.enum_models = _enumerating(kind.enum_models)
        for name in ("add_atmost", "add_xor_clause", "connect_propagator"):
            if name in vars(kind):
                setattr(kind, name, _beyond_clauses(vars(kind)[name]))
    for kind in (*MAXSAT, *SUBSETS, *OTHERS):
        kind.__init__ = formulas.taking_formula(_quietly(kind.__init__))
        name = "enumerate"
        if name in vars(kind):
            setattr(kind, name, _streaming(getattr(kind, name)))
    rc2.RC2.add_clause = _growing(rc2.RC2.add_clause)
    lsu.LSU.__init__ = formulas.unweighted(lsu.LSU.__init__)
    formulas.listen()
    for kind in MAXSAT:
        name = "solve" if issubclass(kind, lsu.LSU) else "compute"
        if name in vars(kind):
            setattr(kind, name, _optimising(getattr(kind, name)))
    for kind in SUBSETS:
        kind.compute = _reducing(kind.compute)
    for kind in (lbx.LBX, mcsls.MCSls):
        kind.compute = _finding(kind.compute)
    hitman.Hitman.get = _finding(hitman.Hitman.get)
    pools.listen(lambda: the_run().pools)
    pysat.solvers.tempfile = _MemoryFiles


def _quietly(method: Method) -> Method:
    """A call of an engine whose inner calls of solvers are not recorded as answers."""

    @functools.wraps(method)
    def quiet(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        genuine(self)
        run.depth += 1
        try:
            return method(self, *arguments, **keywords)
        finally:
            run.depth -= 1

    return quiet


def _beyond_clauses(method: Method) -> Method:
    """Records that a solver got constraints besides clauses, which the log does not contain."""

    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> object:
        genuine(self)
        if not isinstance(self, pysat.solvers.Solver):
            log_of(self).others = True
        return method(self, *arguments, **keywords)

    return noted


def _growing(add_clause: Method) -> Method:
    @functools.wraps(add_clause)
    def added(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        genuine(self)
        if run.depth == 0:
            vars(self)["_verdict_grown"] = True
        return add_clause(self, *arguments, **keywords)

    return added


def _log_within(solver: object) -> Log:
    # A deleted `Solver` has no inner solver.
    return log_of(getattr(solver, "solver", None) or solver)


def _problem_of(engine: object, assumptions: Iterable[int] = ()) -> evidence.Problem:
    """The problem of an engine, to be decided again in another process."""
    if is_solver(engine):
        return evidence.of_log(_log_within(engine), assumptions)
    if vars(engine).get("_verdict_grown"):
        return evidence.Problem(reason="clauses were added to the engine itself")
    return copy.copy(vars(engine)["_verdict_problem"])


def _streaming(method: Method) -> Method:
    """An enumeration. Its end after a solution is not an answer; an end without any solution is `unsat`."""

    @functools.wraps(method)
    def streamed(self: object, *arguments: object, **keywords: object) -> Iterator[object]:
        run = the_run()
        genuine(self)
        given: Sequence[int] = ()
        if is_solver(self):
            given, arguments, keywords = _assuming(arguments, keywords)
        stream, found, problem = method(self, *arguments, **keywords), 0, None
        while True:
            if vars(self).get("_verdict_stopped"):
                return  # No later solution is known to be the next best one.
            # Solutions are blocked by what a stopped engine does not have, but for the plain way.
            vars(self)["_verdict_outermost"] = run.depth == 0 and not any((*arguments, *keywords.values()))
            run.depth += 1
            try:
                each = next(stream, _END)
            finally:
                run.depth -= 1
                vars(self)["_verdict_outermost"] = False
            if each is _END:
                break
            found += 1
            if is_maxsat(self):
                vars(self)["_verdict_found"] = _kept(each)
            if run.depth == 0 and found == 1:
                # A conflicting set of clauses shows that the problem is unsat.
                problem = _problem_of(self, given)
                problem.model = (
                    _kept(each) if isinstance(self, (*SOLVERS, *MAXSAT)) and isinstance(each, list) else None
                )
                run.asked = None if isinstance(self, OTHERS) else self
                run.note(not isinstance(self, SUBSETS), problem)
                run.explained = problem if isinstance(self, SUBSETS) else run.explained
                if is_maxsat(self):
                    _note_optimum(self, problem)
            if run.depth == 0:
                _check_repair(self, each)
                if problem is not None and isinstance(self, (*SOLVERS, *MAXSAT)):
                    vars(self)["_verdict_answered"] = problem
                    run.given.note(problem, each if isinstance(each, list) else None)
            yield _trimmed_for(self, each)
        if not found and run.depth == 0 and isinstance(self, (*SOLVERS, *MAXSAT)):
            run.asked = self
            run.note(None if _is_undecided(self) else False, _problem_of(self, given))

    return streamed


_END = object()


class _Assuming(NamedTuple):
    """The arguments of a question to a solver."""

    given: Sequence[int]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]


def _assuming(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> _Assuming:
    """The assumptions of a question, and the arguments with them as a list: an iterator can be read only once."""
    given: list[int] = list((arguments[0] if arguments else keywords.get("assumptions")) or ())
    helpers.expect_room(max((abs(each) for each in given if isinstance(each, int)), default=0))
    if arguments:
        return _Assuming(given, (given, *arguments[1:]), keywords)
    return _Assuming(given, (), {**keywords, "assumptions": given} if "assumptions" in keywords else keywords)


def _trimmed_for(engine: object, found: object) -> object:
    if not isinstance(found, list):
        return found
    if is_solver(engine) and not isinstance(engine, pysat.solvers.Solver):
        return _trimmed(found, log_of(engine).top())
    return _trimmed(found) if is_maxsat(engine) else found


def _replay_hard(engine: object, model: Sequence[int] | None) -> None:
    """Checks the model of a MaxSAT engine against the hard clauses that it was given."""
    formula = vars(engine).get("_verdict_formula")
    if isinstance(formula, WCNF) and model is not None:
        log = Log()
        log.clauses.extend(formula.hard)
        log.solved = len(formula.hard)
        log.literals = sum(map(len, formula.hard))
        _replay(log, model)


def _note_optimum(engine: MaxSat, problem: evidence.Problem) -> None:
    """Records the cost of the first solution of an engine, which is the optimum; later ones are other solutions."""
    run = the_run()
    first = not vars(engine).get("_verdict_solved", False)
    vars(engine)["_verdict_solved"] = True
    incumbent = vars(engine).get("_verdict_incumbent")
    if incumbent is not None:
        run.incumbents.append(incumbent._replace(problem=problem))
        run.statistics = {"cost": engine.cost}
    elif first and not getattr(engine, "interrupted", False):
        run.optima.append((engine.cost, problem))
        run.statistics = {"cost": engine.cost}


def _logging_clause(add_clause: Method) -> Method:
    @functools.wraps(add_clause)
    def logged(self: object, clause: Iterable[int], *arguments: object, **keywords: object) -> object:
        run = the_run()
        if run.starting is not None:
            run.starting.append(tuple(clause))
        elif run.depth == 0 and not isinstance(self, pysat.solvers.Solver):
            place = run.place_of(clause) if run.asks_why else None
            clause = formulas.one_clause(clause, "add_clause", "append_formula")
            log_of(self).add(tuple(clause))
            if run.asks_why:
                log_of(self).places.append(place)
            run.late = run.late or run.answer is not None
        return add_clause(self, clause, *arguments, **keywords)

    return logged


def _starting(new: Method) -> Method:
    """The start of a solver with the clauses of a formula, which are kept all at once where none needs a look of its own."""

    @functools.wraps(new)
    def started(self: object, bootstrap_with: object = None, *arguments: object, **keywords: object) -> object:
        run = the_run()
        clauses = bootstrap_with.clauses if type(bootstrap_with) is CNF else bootstrap_with
        if run.depth > 0 or run.asks_why or run.starting is not None or not helpers.are_plain(clauses):
            return new(self, bootstrap_with, *arguments, **keywords)
        helpers.expect_room(max(map(int.__abs__, chain.from_iterable(clauses)), default=0))
        run.starting = []
        try:
            return new(self, bootstrap_with, *arguments, **keywords)
        finally:
            # What the solver really took: one that runs already takes nothing.
            taken, run.starting = run.starting, None
            if taken:
                log_of(self).add_all(taken)
                run.late = run.late or run.answer is not None

    return started


def _bounding(conf_budget: Method) -> Method:
    """Notes that the next questions have a bound of their own."""

    @functools.wraps(conf_budget)
    def bounded(self: object, budget: int = -1) -> object:
        vars(self)["_verdict_bounded"] = budget > 0
        return conf_budget(self, budget)

    return bounded


def _solving(method: Method, limited: Method) -> Method:
    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> bool | None:
        run = the_run()
        genuine(self)
        if run.encoded and not isinstance(self, pysat.solvers.Solver):
            log_of(self).check_owners()
        given, arguments, keywords = _assuming(arguments, keywords)
        run.depth += 1
        try:
            until = stop.stopped_at(self, keywords)
            verdict = (
                method(self, *arguments, **keywords)
                if until is None or not is_solver(self)
                else share.in_slices(self, limited, given, until)
            )
        finally:
            run.depth -= 1
        if not isinstance(self, pysat.solvers.Solver):
            log = log_of(self)
            log.solved = len(log.clauses)
            log.assumptions = given
        if run.depth == 0:
            problem = _problem_of(self, given)
            _log_within(self).problem = problem
            run.asked = self
            run.note(verdict, problem)
            if is_solver(self):
                _note_statistics(self)
        return verdict

    return noted


def _with_a_variable(method: Method) -> Method:
    """Assumes a variable for MapleSAT, which crashes without any; this does not change the answer."""

    @functools.wraps(method)
    def asked(self: pysat.solvers.Maplesat, *arguments: object, **keywords: object) -> object:
        given, arguments, keywords = _assuming(arguments, keywords)
        if self.maplesat and self.nof_vars() < 1 and not given:
            arguments, keywords = (
                ([1], *arguments[1:]),
                {name: value for name, value in keywords.items() if name != "assumptions"},
            )
        return method(self, *arguments, **keywords)

    return asked


def _note_statistics(solver: SatSolver) -> None:
    run = the_run()
    try:
        found = solver.accum_stats()
    except (NotImplementedError, AttributeError):
        return
    if isinstance(found, dict):
        run.statistics = {str(key): value for key, value in found.items()}


def _modelling(get_model: Callable[..., list[int] | None]) -> Callable[..., list[int] | None]:
    @functools.wraps(get_model)
    def checked(self: object) -> list[int] | None:
        run = the_run()
        genuine(self)
        model = get_model(self)
        if model is None or run.depth > 0 or isinstance(self, pysat.solvers.Solver):
            return model
        log = log_of(self)
        _replay(log, model)
        if log.problem is not None:
            log.problem.model = _kept(model)
            run.given.note(log.problem, model)
        return _trimmed(model, log.top())

    return checked


def _explaining(get_core: Callable[..., list[int] | None]) -> Callable[..., list[int] | None]:
    @functools.wraps(get_core)
    def noted(self: object) -> list[int] | None:
        run = the_run()
        genuine(self)
        core = get_core(self)
        if run.depth == 0 and core is not None and not isinstance(self, pysat.solvers.Solver):
            run.explained = log_of(self).problem
        return core

    return noted


def _kept(model: _Found) -> _Found:
    """A copy of a model: the program gets the list of the engine, and could change it."""
    return copy.copy(model) if isinstance(model, list) else model


def _replay(log: Log, model: Sequence[int]) -> None:
    """Checks a model against the clauses that the solver had when it answered."""
    run = the_run()
    if not log.whole or run.replayed + log.literals > REPLAYED_LITERALS_MAX:
        return
    run.replayed += log.literals
    size = len(model)
    if size == 0 or abs(model[-1]) != size:
        return  # Not the list of all variables in order, which solvers give.
    true = {*model}
    for clause in log.clauses[: log.solved]:
        # A variable that the model omits can have either value.
        if true.isdisjoint(clause) and not any(abs(each) > size for each in clause):
            run.wrong = f"the solver's model does not satisfy the clause {list(clause)}"
            return


def _trimmed(model: list[int], top: int = sys.maxsize) -> list[int]:
    """A model without the variables of encodings, and without the unused numbers below them."""
    numbers, first = helpers.numbers, helpers.HELPER_VARIABLES_FROM
    if not numbers.used:
        return model
    if top < len(model) and abs(model[top - 1]) == top and top < first:
        return model[:top]
    return [each for each in model if abs(each) <= top and (abs(each) < first or not numbers.has(each))]


def _enumerating(enum_models: Method) -> Method:
    streamed = _streaming(enum_models)

    @functools.wraps(enum_models)
    def recorded(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        if helpers.numbers.used:
            run.warn(
                "enum_models distinguishes models by helper variables of encodings too, so one solution can appear several times: use enumerate_models(formula, variables=[…])."
            )
        return streamed(self, *arguments, **keywords)

    return recorded


def _optimising(method: Method) -> Method:
    @functools.wraps(method)
    def noted(self: MaxSat, *arguments: object, **keywords: object) -> object:
        run = the_run()
        genuine(self)
        is_outermost = run.depth == 0 or vars(self).get("_verdict_outermost", False)
        run.depth += 1
        try:
            found = stop.within_share(
                self, is_outermost, _problem_of(self), lambda: method(self, *arguments, **keywords)
            )
        finally:
            run.depth -= 1
        if run.depth == 0:
            exists = found is not None and found is not False
            vars(self)["_verdict_found"] = _kept(found if isinstance(found, list) else self.model) if exists else None
            problem = _problem_of(self)
            problem.model = vars(self)["_verdict_found"]
            vars(self)["_verdict_answered"] = problem
            run.asked = self
            run.note(None if _is_undecided(self) else exists, problem)
            if exists:
                run.given.note(problem, problem.model)
                _replay_hard(self, problem.model)
                _note_optimum(self, problem)
        return _trimmed(found) if isinstance(found, list) else found

    return noted


def _is_undecided(engine: object) -> bool:
    return bool(getattr(engine, "interrupted", False) or vars(engine).get("_verdict_undecided", False))


def _reducing(method: Method) -> Method:
    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        genuine(self)
        run.depth += 1
        try:
            subset = method(self, *arguments, **keywords)
        finally:
            run.depth -= 1
        if run.depth == 0:
            # A conflicting set of clauses was found, or there is none.
            problem = _problem_of(self)
            run.asked = self
            run.note(subset is None, problem)
            run.explained = run.explained if subset is None else problem
        return subset

    return noted


def _finding(method: Method) -> Method:
    """Records sat if a correction or hitting set exists; if none exists, nothing is known."""
    quiet = _quietly(method)

    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        found = quiet(self, *arguments, **keywords)
        if run.depth == 0 and found is not None:
            run.asked = None
            run.note(True, _problem_of(self))
            _check_repair(self, found)
        return found

    return noted


def _check_repair(engine: object, found: object) -> None:
    """Checks that the clauses outside a correction set are satisfiable: MCSls confuses equal clauses."""
    run = the_run()
    formula = vars(engine).get("_verdict_formula")
    if not isinstance(engine, (lbx.LBX, mcsls.MCSls)) or not isinstance(formula, WCNF) or not isinstance(found, list):
        return
    left_out = set(found)
    kept = [clause for number, clause in enumerate(formula.soft, 1) if number not in left_out]
    run.replayed += sum(map(len, formula.hard)) + sum(map(len, kept))
    if run.replayed > REPLAYED_LITERALS_MAX:
        return
    run.depth += 1
    try:
        with pysat.solvers.Cadical195(bootstrap_with=[*formula.hard, *kept]) as solver:
            holds = solver.solve()
    finally:
        run.depth -= 1
    if not holds:
        run.wrong = f"without the soft clauses {sorted(left_out)} of the engine's correction set the others still conflict; take LBX instead of MCSls, or give no clause twice"


def last_read() -> list[int] | None:
    """The model that the program read last, as it got it."""
    model = the_run().given.last()
    return None if model is None else _trimmed(model)


def assumed_last(solver: object) -> Sequence[int]:
    """The assumptions of the last call of a solver."""
    return _log_within(solver).assumptions


def best_of(engine: MaxSat) -> list[int] | None:
    """The model that a MaxSAT engine found last; it is called now if it never was. None if there is no model."""
    if "_verdict_found" not in vars(engine):
        _ask(engine)
    found = vars(engine)["_verdict_found"]
    return None if found is None else _trimmed(found)


def answered(engine: object) -> evidence.Problem | None:
    """The problem that a MaxSAT engine or a solver answered last, with its model."""
    if not is_maxsat(engine):
        return _log_within(engine).problem
    problem = copy.copy(vars(engine)["_verdict_answered"])
    problem.model = vars(engine)["_verdict_found"]
    return problem


def _ask(engine: MaxSat) -> object:
    return engine.solve() if isinstance(engine, lsu.LSU) else engine.compute()


class _MemoryFiles:
    """Replaces `tempfile` in PySAT: proofs are written to memory, since the sandbox forbids files."""

    @staticmethod
    def TemporaryFile() -> BinaryIO:
        if not hasattr(os, "memfd_create"):
            raise Refused("Proofs can be written on Linux only.", ["leave with_proof out"])
        return os.fdopen(os.memfd_create("proof"), "w+b")
