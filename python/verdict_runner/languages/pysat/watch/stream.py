"""Records enumerations of solutions."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from verdict_runner.languages.pysat import helpers
from verdict_runner.languages.pysat.run import (
    MAXSAT,
    OTHERS,
    SOLVERS,
    SUBSETS,
    Method,
    genuine,
    is_maxsat,
    is_solver,
    the_run,
)
from verdict_runner.languages.pysat.watch.engines import note_optimum
from verdict_runner.languages.pysat.watch.models import check_repair, copied, trimmed_for
from verdict_runner.languages.pysat.watch.questions import assuming, is_undecided, log_within, problem_of


def streaming(method: Method) -> Method:
    """Records an enumeration; its end counts as `unsat` only if no solution was found."""

    @functools.wraps(method)
    def streamed(self: object, *arguments: object, **keywords: object) -> Iterator[object]:
        run = the_run()
        genuine(self)
        assumptions: Sequence[int] = ()
        if is_solver(self):
            assumptions, arguments, keywords = assuming(arguments, keywords)
        stream, count, problem = method(self, *arguments, **keywords), 0, None
        while True:
            if vars(self).get("_verdict_stopped"):
                return  # Once the engine has been stopped, no later solution is known to be the next best.
            # Except in plain mode, excluding a solution needs data that a stopped engine lacks.
            vars(self)["_verdict_outermost"] = run.depth == 0 and not any((*arguments, *keywords.values()))
            run.depth += 1
            try:
                each = next(stream, _END)
            finally:
                run.depth -= 1
                vars(self)["_verdict_outermost"] = False
            if each is _END:
                break
            count += 1
            if is_maxsat(self):
                vars(self)["_verdict_found"] = copied(each)
            if run.depth == 0 and count == 1:
                # A conflicting set of clauses proves that the problem is unsatisfiable.
                problem = problem_of(self, assumptions)
                problem.model = (
                    copied(each) if isinstance(self, (*SOLVERS, *MAXSAT)) and isinstance(each, list) else None
                )
                run.asked = None if isinstance(self, OTHERS) else self
                run.note(not isinstance(self, SUBSETS), problem)
                if is_maxsat(self):
                    note_optimum(self, problem)
            if run.depth == 0:
                check_repair(self, each)
                if problem is not None and isinstance(self, (*SOLVERS, *MAXSAT)):
                    vars(self)["_verdict_answered"] = problem
                    run.note_read(problem, each if isinstance(each, list) else None)
                if problem is not None and is_solver(self) and isinstance(each, list):
                    # The solver has already excluded this model.
                    log, problem.kept = log_within(self), copied(each)
                    log.problem, log.is_changed = problem, True
                if problem is not None and is_maxsat(self) and count > 1:
                    # The answer is the first solution, even if the program leaves its loop at a later one.
                    run.searches.note_list(problem, count)
            yield trimmed_for(self, each)
        if problem is not None and problem is run.problems.get(True) and isinstance(self, (*SOLVERS, *MAXSAT)):
            run.searches.note_list(problem, count)
        if not count and run.depth == 0 and isinstance(self, (*SOLVERS, *MAXSAT)):
            run.asked = self
            run.note(None if is_undecided(self) else False, problem_of(self, assumptions))

    return streamed


_END = object()


def enumerating(enum_models: Method) -> Method:
    """Records a solver's enumeration of models."""
    streamed = streaming(enum_models)

    @functools.wraps(enum_models)
    def recorded(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        if helpers.numbers.used:
            run.warn(
                "enum_models distinguishes models by helper variables of encodings too, so one solution can appear several times: use enumerate_models(formula, variables=[…])."
            )
        return streamed(self, *arguments, **keywords)

    return recorded
