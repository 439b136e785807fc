"""Records the clauses and answers of solvers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable
from itertools import chain

import pysat
import pysat.solvers
from pysat.formula import CNF

from verdict_runner.languages.pysat import formulas, helpers, start
from verdict_runner.languages.pysat.best import share, stop
from verdict_runner.languages.pysat.log import log_of
from verdict_runner.languages.pysat.run import (
    Method,
    SatSolver,
    genuine,
    is_solver,
    the_run,
)
from verdict_runner.languages.pysat.watch.models import copied, replay, trimmed
from verdict_runner.languages.pysat.watch.questions import assuming, log_within, problem_of
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program


def beyond_clauses(method: Method) -> Method:
    """Records that a solver received constraints other than clauses, which the log does not contain."""

    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> object:
        genuine(self)
        if not isinstance(self, pysat.solvers.Solver):
            log_of(self).others = True
        return method(self, *arguments, **keywords)

    return noted


def with_room(method: Method) -> Method:
    """Rejects literals, the first argument, whose numbers are too large for a solver."""

    @functools.wraps(method)
    def expecting(self: object, *arguments: object, **keywords: object) -> object:
        literals = next(iter((*arguments, *keywords.values())), ())
        if isinstance(literals, Collection):
            helpers.expect_room(max((abs(each) for each in literals if isinstance(each, int)), default=0))
        return method(self, *arguments, **keywords)

    return expecting


def logging_clause(add_clause: Method) -> Method:
    """Records a clause added to a solver."""

    @functools.wraps(add_clause)
    def logged(self: object, clause: Iterable[int], *arguments: object, **keywords: object) -> object:
        run = the_run()
        if run.starting is not None:
            run.starting.append(tuple(clause))
        elif run.depth == 0 and not isinstance(self, pysat.solvers.Solver):
            # After a solve, a clause's position shows whether the clause is a rule or excludes the solution.
            place = run.place_of(clause) if run.asks_why else program.stating() if run.verdicts else None
            if run.verdicts:
                run.note_added(place)
            clause = formulas.one_clause(clause, "add_clause", "append_formula")
            log = log_of(self)
            log.add(tuple(clause))
            log.is_changed = True
            if run.asks_why:
                log.places.append(place)
            run.late = run.late or run.answer is not None
        return add_clause(self, clause, *arguments, **keywords)

    return logged


def starting(new: Method) -> Method:
    """Wraps a solver's start; logs a formula's clauses all at once if none has to be examined individually."""

    @functools.wraps(new)
    def started(self: object, bootstrap_with: object = None, *arguments: object, **keywords: object) -> object:
        run = the_run()
        if isinstance(bootstrap_with, bool):
            raise Refused(
                f"bootstrap_with is {bootstrap_with}, not clauses: the solver would start without any.",
                [
                    "write Equals(a, b) instead of a == b for formulas: Python compares the objects",
                    "pass a CNF, a formula or a list of clauses",
                ],
            )
        clauses = bootstrap_with.clauses if type(bootstrap_with) is CNF else bootstrap_with
        if run.depth > 0 or run.asks_why or run.starting is not None or not helpers.are_plain(clauses):
            return new(self, bootstrap_with, *arguments, **keywords)
        helpers.expect_room(max(map(int.__abs__, chain.from_iterable(clauses)), default=0))
        run.starting = []
        try:
            return new(self, bootstrap_with, *arguments, **keywords)
        finally:
            # The clauses that the solver actually accepted; a solver that is already running accepts none.
            taken, run.starting = run.starting, None
            if taken:
                log_of(self).add_all(taken)
                run.late = run.late or run.answer is not None

    return started


def bounding(conf_budget: Method) -> Method:
    """Records that the program has set a limit for the next queries."""

    @functools.wraps(conf_budget)
    def bounded(self: object, budget: int = -1) -> object:
        vars(self)["_verdict_bounded"] = budget > 0
        return conf_budget(self, budget)

    return bounded


def solving(method: Method, limited: Method) -> Method:
    """Records a solver's queries and answers."""

    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> bool | None:
        run = the_run()
        genuine(self)
        if run.encoded and not isinstance(self, pysat.solvers.Solver):
            log_of(self).check_owners()
        assumptions, arguments, keywords = assuming(arguments, keywords)
        if run.depth == 0 and is_solver(self):
            start.give(run, self)
        run.depth += 1
        try:
            until = stop.stopped_at(self, keywords)
            verdict = (
                method(self, *arguments, **keywords)
                if until is None or not is_solver(self)
                else share.in_slices(self, limited, assumptions, until)
            )
        finally:
            run.depth -= 1
        if not isinstance(self, pysat.solvers.Solver):
            log = log_of(self)
            log.solved = len(log.clauses)
            log.assumptions, log.is_changed = assumptions, False
        if run.depth == 0:
            problem = problem_of(self, assumptions)
            log_within(self).problem = problem
            run.asked = self
            if is_solver(self):
                problem.kept = _model_of(self) if verdict else None
                _note_statistics(self)
            run.note(verdict, problem)
        return verdict

    return noted


def with_a_variable(method: Method) -> Method:
    """Adds an assumption for MapleSAT, which crashes without any; this assumption does not change the answer."""

    @functools.wraps(method)
    def asked(self: pysat.solvers.Maplesat, *arguments: object, **keywords: object) -> object:
        assumptions, arguments, keywords = assuming(arguments, keywords)
        if self.maplesat and self.nof_vars() < 1 and not assumptions:
            arguments, keywords = (
                ([1], *arguments[1:]),
                {name: value for name, value in keywords.items() if name != "assumptions"},
            )
        return method(self, *arguments, **keywords)

    return asked


def _model_of(solver: SatSolver) -> list[int] | None:
    """The model of an answer, read by Verdict itself, and not by the program."""
    run = the_run()
    run.depth += 1
    try:
        return solver.get_model()
    finally:
        run.depth -= 1


def _note_statistics(solver: SatSolver) -> None:
    run = the_run()
    try:
        statistics = solver.accum_stats()
    except (NotImplementedError, AttributeError):
        return
    if isinstance(statistics, dict):
        run.statistics = {str(key): value for key, value in statistics.items()}


def modelling(get_model: Callable[..., list[int] | None]) -> Callable[..., list[int] | None]:
    """Checks each model that a program reads."""

    @functools.wraps(get_model)
    def checked(self: object) -> list[int] | None:
        run = the_run()
        genuine(self)
        if run.depth > 0 or isinstance(self, pysat.solvers.Solver):
            return get_model(self)
        log = log_of(self)
        # CaDiCaL aborts if it is asked for a model after a clause was added.
        model = copied(log.problem.kept) if log.is_changed and log.problem is not None else get_model(self)
        if model is not None:
            replay(log, model)
            if log.problem is not None:
                log.problem.model = copied(model)
                run.note_read(log.problem, model)
        return model and trimmed(model, log.top())

    return checked
