"""What the engines of PySAT answer is noted down, so that a claim of the program can be held against it."""

from __future__ import annotations

import copy
import functools
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias, TypeGuard, TypeVar

import pysat
import pysat.solvers
from pysat.card import CardEnc
from pysat.examples import fm, hitman, lbx, lsu, mcsls, musx, optux, rc2
from pysat.formula import CNF, WCNF, CNFPlus, WCNFPlus

from verdict_runner.languages.pysat import evidence, helpers, pools
from verdict_runner.languages.pysat.given import Given
from verdict_runner.languages.pysat.log import Log, log_of
from verdict_runner.languages.record import Current, Record
from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Task
from verdict_runner.refusal import Refused

if TYPE_CHECKING:
    from typing_extensions import TypeIs

# Literals looked at, in all, to check models against the clauses that they should satisfy.
REPLAYED_LITERALS_MAX = 5_000_000
REFUTED_MAX = 20

SOLVERS = tuple(
    value
    for value in vars(pysat.solvers).values()
    if isinstance(value, type) and value.__module__ == "pysat.solvers" and "solve" in vars(value)
)
MAXSAT = (rc2.RC2, rc2.RC2Stratified, fm.FM, lsu.LSU, lsu.LSUPlus)
SUBSETS = (musx.MUSX, optux.OptUx)
OTHERS = (lbx.LBX, mcsls.MCSls, hitman.Hitman)
ENGINES = frozenset((*SOLVERS, *MAXSAT, *SUBSETS, *OTHERS))
ENCODINGS = "atmost atleast equals leq geq".split()
try:
    from pysat.pb import PBEnc

    PB_ENCODERS = (PBEnc,)
except (ImportError, AssertionError):
    PB_ENCODERS = ()  # Its own needs are not installed; PySAT asserts that.


# A method of an engine, whatever it takes and gives.
Method: TypeAlias = Callable[..., Any]
_Found = TypeVar("_Found")
MaxSat: TypeAlias = "rc2.RC2 | fm.FM | lsu.LSU"


class SatSolver(Protocol):
    """What all solvers of PySAT have, which have no class in common."""

    def solve(self, assumptions: Iterable[int] = ...) -> bool | None: ...
    def get_model(self) -> list[int] | None: ...
    def accum_stats(self) -> dict[str, int] | None: ...


def is_solver(engine: object) -> TypeGuard[SatSolver]:
    return isinstance(engine, SOLVERS)


def is_maxsat(engine: object) -> TypeIs[MaxSat]:
    return isinstance(engine, MAXSAT)


class Run(Record):
    """What is known of the one program that this process runs."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.depth = 0
        # What the outermost calls of engines answered: True, False, or None for undecided.
        self.verdicts: list[bool | None] = []
        # The last questions without assumptions that were answered False.
        self.refuted: deque[evidence.Problem] = deque(maxlen=REFUTED_MAX)
        # Each least cost that was found, with what it is the cost of.
        self.optima: list[tuple[float, evidence.Problem]] = []
        # What the last question was about that was answered so.
        self.problems: dict[bool | None, evidence.Problem] = {}
        self.given = Given()
        self.pools = pools.Pools()
        # The last question that a set of clauses or assumptions was given for that can't hold together.
        self.explained: evidence.Problem | None = None
        self.replayed = 0
        self.wrong: str | None = None
        # Whether the program has made encodings with variables of their own.
        self.encoded = False
        # Whether clauses were added after the answer.
        self.late = False
        self.statistics: dict[str, Json] = {}

    def note(self, verdict: bool | None, problem: evidence.Problem) -> None:
        self.verdicts.append(verdict)
        self.problems[verdict] = problem
        if verdict is False and not problem.assumptions:
            self.refuted.append(problem)

    def conflict(self) -> evidence.Problem | None:
        """The last question that was answered False; of one under assumptions, its clauses alone where these were refuted."""
        last = self.problems.get(False)
        alone = [each for each in self.refuted if evidence.is_part(each, last)]
        return alone[-1] if alone and last and last.assumptions else last


_current = Current(Run)
begin, the_run = _current.begin, _current.get


def listen() -> None:
    """Puts our look around what the engines do. Called once, before any program."""
    for kind in SOLVERS:
        kind.add_clause = _logging_clause(kind.add_clause)
        if kind is pysat.solvers.Maplesat:
            for name in ("solve", "solve_limited", "enum_models"):
                setattr(kind, name, _with_a_variable(vars(kind)[name]))
        kind.solve = _solving(kind.solve)
        kind.solve_limited = _solving(kind.solve_limited)
        kind.get_model = _modelling(kind.get_model)
        kind.get_core = _explaining(kind.get_core)
        kind.enum_models = _enumerating(kind.enum_models)
        for name in ("add_atmost", "add_xor_clause", "connect_propagator"):
            if name in vars(kind):
                setattr(kind, name, _beyond_clauses(vars(kind)[name]))
    for encoder in (CardEnc, *PB_ENCODERS):
        for name in ENCODINGS:
            if name in vars(encoder):
                setattr(encoder, name, classmethod(_encoding(vars(encoder)[name].__func__)))
    for kind in (*MAXSAT, *SUBSETS, *OTHERS):
        kind.__init__ = _taking_formula(_quietly(kind.__init__))
        name = "enumerate"
        if name in vars(kind):
            setattr(kind, name, _streaming(getattr(kind, name)))
    rc2.RC2.add_clause = _growing(rc2.RC2.add_clause)
    lsu.LSU.__init__ = _unweighted(lsu.LSU.__init__)
    for kind in (CNF, CNFPlus, WCNF, WCNFPlus):
        kind.append = _appending(kind.append)
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


def _genuine(engine: object) -> None:
    """Methods can be called on anything: an object of the program's own must not answer for an engine."""
    if type(engine) not in ENGINES:
        raise TypeError(f"this method is of an engine of PySAT, and not for a {type(engine).__name__}")


def _quietly(method: Method) -> Method:
    """A call inside of which the engines' own calls of solvers are nobody's verdict."""

    @functools.wraps(method)
    def quiet(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        _genuine(self)
        run.depth += 1
        try:
            return method(self, *arguments, **keywords)
        finally:
            run.depth -= 1

    return quiet


def _beyond_clauses(method: Method) -> Method:
    """What a solver takes besides clauses is in no log."""

    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> object:
        _genuine(self)
        if not isinstance(self, pysat.solvers.Solver):
            log_of(self).others = True
        return method(self, *arguments, **keywords)

    return noted


def _growing(add_clause: Method) -> Method:
    @functools.wraps(add_clause)
    def added(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        _genuine(self)
        if run.depth == 0:
            vars(self)["_verdict_grown"] = True
        return add_clause(self, *arguments, **keywords)

    return added


def _log_within(solver: object) -> Log:
    # One that was deleted has none within.
    return log_of(getattr(solver, "solver", None) or solver)


def _problem_of(engine: object, assumptions: Iterable[int] = ()) -> evidence.Problem:
    """What an engine is asked about, to be asked again elsewhere."""
    if is_solver(engine):
        return evidence.of_log(_log_within(engine), assumptions)
    if vars(engine).get("_verdict_grown"):
        return evidence.Problem(reason="clauses were added to the engine itself")
    return copy.copy(vars(engine)["_verdict_problem"])


def _encoding(encode: Method) -> Method:
    """An encoding whose own variables are marked: programs forget to keep them apart, and then answers are wrong."""

    @functools.wraps(encode)
    def encoded(cls: type, lits: Iterable[int], *arguments: object, **keywords: object) -> CNF:
        run = the_run()
        lits = list(lits)
        run.depth += 1
        try:
            formula = encode(cls, lits, *arguments, **keywords)
        finally:
            run.depth -= 1
        if run.depth == 0:
            run.encoded = True
            if formula.nv >= helpers.HELPER_VARIABLES_FROM:
                helpers.numbers.top = max(helpers.numbers.top, formula.nv)
            conditionals = keywords.get("conditionals")
            stated = [*lits, *(conditionals if isinstance(conditionals, Iterable) else ())]
            formula.clauses = helpers.marked(
                formula.clauses, stated, type("Encoding", (helpers.Aux,), {"__slots__": ()})
            )
        return formula

    return encoded


def _taking_formula(init: Method) -> Method:
    @functools.wraps(init)
    def checked(self: object, formula: object = None, *arguments: object, **keywords: object) -> object:
        if isinstance(formula, WCNF):
            helpers.expect_room(formula.nv)
            helpers.check_clash([*formula.hard, *formula.soft])
            _check_weights(formula)
        elif isinstance(formula, CNF):
            helpers.expect_room(formula.nv)
            helpers.check_clash(formula.clauses)
        vars(self)["_verdict_formula"] = formula
        # As it is now: engines put literals of their own into soft clauses.
        vars(self)["_verdict_problem"] = evidence.of_formula(
            formula, only_hard=isinstance(self, OTHERS), all_hard=isinstance(self, SUBSETS)
        )
        return init(self, *([] if formula is None else [formula]), *arguments, **keywords)

    return checked


def _check_weights(formula: WCNF) -> None:
    wrong = next((weight for weight in formula.wght if not weight > 0), None)
    if wrong is not None:
        raise Refused(
            f"The weight {wrong} of a soft clause is not positive; the engines require positive weights.",
            [
                "instead of a negative weight for a literal, give its negation the positive weight",
                "leave soft clauses of weight 0 out",
            ],
        )


def _unweighted(init: Method) -> Method:
    @functools.wraps(init)
    def checked(self: object, formula: WCNF, *arguments: object, **keywords: object) -> object:
        if any(weight != 1 for weight in formula.wght):
            raise Refused(
                "LSU counts soft clauses and reads no weights, so its cost would be wrong.",
                ["use RC2 or RC2Stratified for weighted formulas"],
            )
        return init(self, formula, *arguments, **keywords)

    return checked


def _appending(append: Method) -> Method:
    @functools.wraps(append)
    def appended(self: CNF | WCNF, clause: Iterable[int], *arguments: object, **keywords: object) -> object:
        run = the_run()
        if run.depth == 0:
            run.late = run.late or run.answer is not None
            clause = _one_clause(clause, "append", "extend")
            helpers.notice(clause)
            weight = arguments[0] if arguments else keywords.get("weight")
            if isinstance(self, WCNF) and weight is not None and not weight:
                # PySAT would take it for a hard clause.
                run.warn("A soft clause of weight 0 was left out: it has no effect on the cost.")
                self.nv = max([abs(each) for each in clause] + [self.nv])
                return None
        return append(self, clause, *arguments, **keywords)

    return appended


def _one_clause(clause: Iterable[int], method: str, method_for_several: str) -> list[int]:
    """The literals of what is given as one clause."""
    if isinstance(clause, int):
        raise Refused(
            f"{method}() requires a clause, but got the number {clause!r}.",
            [f"write {method}([{clause!r}]): a clause is a list of literals"],
        )
    literals = list(clause)
    if literals and all(isinstance(each, (list, tuple)) for each in literals):
        raise Refused(
            f"{method}() requires one clause, but got a list of {len(literals)} clause{'s' if len(literals) > 1 else ''}.",
            [
                f"write {method_for_several}(…) for a list of clauses, such as exactly_k(…) gives",
                f"or for clause in clauses: ….{method}(clause)",
            ],
        )
    return literals


def _streaming(method: Method) -> Method:
    """Solutions one after the other: that there are no more is no verdict; that there is none is one."""

    @functools.wraps(method)
    def streamed(self: object, *arguments: object, **keywords: object) -> Iterator[object]:
        run = the_run()
        _genuine(self)
        stream, found, problem = method(self, *arguments, **keywords), 0, None
        while True:
            run.depth += 1
            try:
                each = next(stream, _END)
            finally:
                run.depth -= 1
            if each is _END:
                break
            found += 1
            if is_maxsat(self):
                vars(self)["_verdict_found"] = _kept(each)
            if run.depth == 0 and found == 1:
                # A set of clauses that can't hold together is found in what is unsat.
                problem = _problem_of(self, _given_assumptions(arguments, keywords) if is_solver(self) else ())
                problem.model = (
                    _kept(each) if isinstance(self, (*SOLVERS, *MAXSAT)) and isinstance(each, list) else None
                )
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
            given = _given_assumptions(arguments, keywords) if is_solver(self) else ()
            run.note(False, _problem_of(self, given))

    return streamed


_END = object()


def _given_assumptions(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[int]:
    given: list[int] = list((arguments[0] if arguments else keywords.get("assumptions")) or ())
    helpers.expect_room(max((abs(each) for each in given if isinstance(each, int)), default=0))
    return given


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
    """The cost of the first solution that an engine finds is the best one; those after it are others."""
    run = the_run()
    first = not vars(engine).get("_verdict_solved", False)
    vars(engine)["_verdict_solved"] = True
    if first and not getattr(engine, "interrupted", False):
        run.optima.append((engine.cost, problem))
        run.statistics = {"cost": engine.cost}


def _logging_clause(add_clause: Method) -> Method:
    @functools.wraps(add_clause)
    def logged(self: object, clause: Iterable[int], *arguments: object, **keywords: object) -> object:
        run = the_run()
        if run.depth == 0 and not isinstance(self, pysat.solvers.Solver):
            clause = _one_clause(clause, "add_clause", "append_formula")
            log_of(self).add(tuple(clause))
            run.late = run.late or run.answer is not None
        return add_clause(self, clause, *arguments, **keywords)

    return logged


def _solving(method: Method) -> Method:
    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> bool | None:
        run = the_run()
        _genuine(self)
        if run.encoded and not isinstance(self, pysat.solvers.Solver):
            log_of(self).check_owners()
        _given_assumptions(arguments, keywords)
        run.depth += 1
        try:
            verdict = method(self, *arguments, **keywords)
        finally:
            run.depth -= 1
        if not isinstance(self, pysat.solvers.Solver):
            log = log_of(self)
            log.solved = len(log.clauses)
            log.assumptions = _given_assumptions(arguments, keywords)
        if run.depth == 0:
            given = _given_assumptions(arguments, keywords)
            problem = _problem_of(self, given)
            _log_within(self).problem = problem
            run.note(verdict, problem)
            if is_solver(self):
                _note_statistics(self)
        return verdict

    return noted


def _with_a_variable(method: Method) -> Method:
    """MapleSAT crashes where there is no variable at all; one that is only assumed changes nothing."""

    @functools.wraps(method)
    def asked(self: pysat.solvers.Maplesat, *arguments: object, **keywords: object) -> object:
        if self.maplesat and self.nof_vars() < 1 and not _given_assumptions(arguments, keywords):
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
        _genuine(self)
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
        _genuine(self)
        core = get_core(self)
        if run.depth == 0 and core is not None and not isinstance(self, pysat.solvers.Solver):
            run.explained = log_of(self).problem
        return core

    return noted


def _kept(model: _Found) -> _Found:
    """A model of our own: the program gets the list of the engine, and may change it."""
    return copy.copy(model) if isinstance(model, list) else model


def _replay(log: Log, model: Sequence[int]) -> None:
    """Checks a model against the clauses that were there when the solver answered."""
    run = the_run()
    if not log.whole or run.replayed + log.literals > REPLAYED_LITERALS_MAX:
        return
    run.replayed += log.literals
    size = len(model)
    if size == 0 or abs(model[-1]) != size:
        return  # Not the list of all variables in order, which solvers give.
    for clause in log.clauses[: log.solved]:
        # A variable that the solver left out may have either value.
        if not any(abs(each) > size or model[abs(each) - 1] == each for each in clause):
            run.wrong = f"the solver's model does not satisfy the clause {list(clause)}"
            return


def _trimmed(model: list[int], top: int = sys.maxsize) -> list[int]:
    """A model without the variables of the encodings, and without those between them and the program's."""
    numbers, first = helpers.numbers, helpers.HELPER_VARIABLES_FROM
    if not numbers.used:
        return model
    if top < len(model) and abs(model[top - 1]) == top and top < first:
        return model[:top]
    return [each for each in model if abs(each) <= top and (abs(each) < first or not numbers.has(each))]


def _enumerating(enum_models: Method) -> Method:
    streamed = _streaming(enum_models)

    @functools.wraps(enum_models)
    def told(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        if helpers.numbers.used:
            run.warn(
                "enum_models distinguishes models by helper variables of encodings too, so one solution can appear several times: use enumerate_models(formula, variables=[…])."
            )
        return streamed(self, *arguments, **keywords)

    return told


def _optimising(method: Method) -> Method:
    @functools.wraps(method)
    def noted(self: MaxSat, *arguments: object, **keywords: object) -> object:
        run = the_run()
        _genuine(self)
        run.depth += 1
        try:
            found = method(self, *arguments, **keywords)
        finally:
            run.depth -= 1
        if run.depth == 0:
            exists = found is not None and found is not False
            vars(self)["_verdict_found"] = _kept(found if isinstance(found, list) else self.model) if exists else None
            problem = _problem_of(self)
            problem.model = vars(self)["_verdict_found"]
            vars(self)["_verdict_answered"] = problem
            run.note(None if getattr(self, "interrupted", False) else exists, problem)
            if exists:
                run.given.note(problem, problem.model)
                _replay_hard(self, problem.model)
                _note_optimum(self, problem)
        return _trimmed(found) if isinstance(found, list) else found

    return noted


def _reducing(method: Method) -> Method:
    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        _genuine(self)
        run.depth += 1
        try:
            subset = method(self, *arguments, **keywords)
        finally:
            run.depth -= 1
        if run.depth == 0:
            # A set of clauses that can't hold together was found, or there is none.
            problem = _problem_of(self)
            run.note(subset is None, problem)
            run.explained = run.explained if subset is None else problem
        return subset

    return noted


def _finding(method: Method) -> Method:
    """A correction or hitting set that exists shows that the hard constraints can hold; none shows nothing."""
    quiet = _quietly(method)

    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        found = quiet(self, *arguments, **keywords)
        if run.depth == 0 and found is not None:
            run.note(True, _problem_of(self))
            _check_repair(self, found)
        return found

    return noted


def _check_repair(engine: object, found: object) -> None:
    """Checks that without the soft clauses of a correction set the others hold together: MCSls mixes up equal ones."""
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


def assumed_last(solver: object) -> Sequence[int]:
    """What the last question to a solver assumed."""
    return _log_within(solver).assumptions


def best_of(engine: MaxSat) -> list[int] | None:
    """The model that a MaxSAT engine found last, which is asked now if it was not; None when there is none."""
    if "_verdict_found" not in vars(engine):
        _ask(engine)
    found = vars(engine)["_verdict_found"]
    return None if found is None else _trimmed(found)


def answered(engine: object) -> evidence.Problem | None:
    """What a MaxSAT engine or a solver answered last, with the model that it found."""
    if not is_maxsat(engine):
        return _log_within(engine).problem
    problem = copy.copy(vars(engine)["_verdict_answered"])
    problem.model = vars(engine)["_verdict_found"]
    return problem


def _ask(engine: MaxSat) -> object:
    return engine.solve() if isinstance(engine, lsu.LSU) else engine.compute()


class _MemoryFiles:
    """Stands for `tempfile` in PySAT: a proof is written to memory, since nothing else can be written."""

    @staticmethod
    def TemporaryFile() -> BinaryIO:
        if not hasattr(os, "memfd_create"):
            raise Refused("Proofs can be written on Linux only.", ["leave with_proof out"])
        return os.fdopen(os.memfd_create("proof"), "w+b")
