"""Handles queries to an engine: the engine's problem, the assumptions, and the engine's own inner calls."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from verdict_runner.languages.pysat import helpers
from verdict_runner.languages.pysat import problem as evidence
from verdict_runner.languages.pysat.log import Log, log_of
from verdict_runner.languages.pysat.run import (
    Method,
    genuine,
    is_solver,
    the_run,
)


def quietly(method: Method) -> Method:
    """Wraps an engine call so that its inner solver calls are not recorded as answers."""

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


def log_within(solver: object) -> Log:
    # A deleted `Solver` has no inner solver.
    return log_of(getattr(solver, "solver", None) or solver)


def problem_of(engine: object, assumptions: Iterable[int] = ()) -> evidence.Problem:
    """Returns an engine's problem, to be rechecked in another process."""
    if is_solver(engine):
        return evidence.of_log(log_within(engine), assumptions)
    if vars(engine).get("_verdict_grown"):
        return evidence.Problem(reason="clauses were added to the engine itself")
    return copy.copy(vars(engine)["_verdict_problem"])


class _Assuming(NamedTuple):
    """The arguments of a query to a solver."""

    assumptions: Sequence[int]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]


def assuming(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> _Assuming:
    """Returns a query's assumptions, and its arguments with them as a list, since iterators can be read only once."""
    assumptions: list[int] = list((arguments[0] if arguments else keywords.get("assumptions")) or ())
    helpers.expect_room(max((abs(each) for each in assumptions if isinstance(each, int)), default=0))
    if arguments:
        return _Assuming(assumptions, (assumptions, *arguments[1:]), keywords)
    return _Assuming(
        assumptions, (), {**keywords, "assumptions": assumptions} if "assumptions" in keywords else keywords
    )


def is_undecided(engine: object) -> bool:
    return bool(getattr(engine, "interrupted", False) or vars(engine).get("_verdict_undecided", False))
