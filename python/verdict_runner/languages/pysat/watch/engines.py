"""Records the answers of engines for MaxSAT, conflicting sets, correction sets and hitting sets."""

from __future__ import annotations

import functools

from verdict_runner.languages.pysat import problem as evidence
from verdict_runner.languages.pysat import start
from verdict_runner.languages.pysat.best import stop
from verdict_runner.languages.pysat.run import (
    MaxSat,
    Method,
    genuine,
    the_run,
)
from verdict_runner.languages.pysat.watch.models import check_repair, copied, replay_hard, trimmed
from verdict_runner.languages.pysat.watch.questions import is_undecided, problem_of, quietly


def growing(add_clause: Method) -> Method:
    """Records that a clause was added to the engine itself, after which the engine's problem is no longer known."""

    @functools.wraps(add_clause)
    def added(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        genuine(self)
        if run.depth == 0:
            vars(self)["_verdict_grown"] = True
        return add_clause(self, *arguments, **keywords)

    return added


def note_optimum(engine: MaxSat, problem: evidence.Problem) -> None:
    """Records the cost of an engine's first solution, which is the optimum; later calls return other solutions."""
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


def optimising(method: Method) -> Method:
    """Records whether a MaxSAT engine finds a solution, and stops the engine after its share of the time."""

    @functools.wraps(method)
    def noted(self: MaxSat, *arguments: object, **keywords: object) -> object:
        run = the_run()
        genuine(self)
        if run.depth == 0:
            start.give(run, self)
        is_outermost = run.depth == 0 or vars(self).get("_verdict_outermost", False)
        run.depth += 1
        try:
            model = stop.within_share(
                self, is_outermost, problem_of(self), lambda: method(self, *arguments, **keywords)
            )
        finally:
            run.depth -= 1
        if run.depth == 0:
            exists = model is not None and model is not False
            vars(self)["_verdict_found"] = copied(model if isinstance(model, list) else self.model) if exists else None
            problem = problem_of(self)
            problem.model = vars(self)["_verdict_found"]
            vars(self)["_verdict_answered"] = problem
            run.asked = self
            run.note(None if is_undecided(self) else exists, problem)
            if exists:
                run.note_read(problem, problem.model)
                replay_hard(self, problem.model)
                note_optimum(self, problem)
        return trimmed(model) if isinstance(model, list) else model

    return noted


def reducing(method: Method) -> Method:
    """Records `unsat` if an engine finds a conflicting set of clauses."""

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
            # The engine found a conflicting set of clauses, or there is none.
            problem = problem_of(self)
            run.asked = self
            run.note(subset is None, problem)
        return subset

    return noted


def finding(method: Method) -> Method:
    """Records `sat` if a correction or hitting set exists; if none exists, nothing is known."""
    quiet = quietly(method)

    @functools.wraps(method)
    def noted(self: object, *arguments: object, **keywords: object) -> object:
        run = the_run()
        result = quiet(self, *arguments, **keywords)
        if run.depth == 0 and result is not None:
            run.asked = None
            run.note(True, problem_of(self))
            check_repair(self, result)
        return result

    return noted
