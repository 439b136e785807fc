"""Stops a MaxSAT engine after its share of the time; another search then uses the rest to find good solutions.

Until it ends, a core-guided engine has a lower bound but no solution. Each query to its SAT solver is split into slices
with a limited number of conflicts, so that every solver that supports such a limit can be stopped between two slices.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from verdict_runner.languages.pysat.best.search import Best, Search
from verdict_runner.languages.pysat.problem import Problem

# The engine's share of the remaining time before the search starts; Z3's optimiser gets the same share.
ENGINE_SHARE = 0.45
# The number of conflicts in the first slice. Slices double until one takes this share of the engine's remaining time.
SLICE_CONFLICTS, SLICE_SHARE = 500, 0.05


class ShareOver(Exception):
    """Raised when the engine's share of the time is over; what it has proved so far is kept."""


class Incumbent(NamedTuple):
    """The best solution so far, not proved optimal."""

    cost: float
    problem: Problem
    # A lower bound on the cost; None if the engine has none.
    bound: int | None


class Limited(Protocol):
    """A SAT solver that supports a conflict limit."""

    def conf_budget(self, budget: int) -> object: ...


def expect_time(until: float) -> None:
    """Raises `ShareOver` once `until` has passed."""
    if time.monotonic() >= until:
        raise ShareOver


def in_slices(
    solver: Limited, limited: Callable[..., bool | None], assumptions: Sequence[int], until: float
) -> bool | None:
    """Queries a SAT solver in slices; raises `ShareOver` once `until` has passed."""
    conflicts = SLICE_CONFLICTS
    try:
        while True:
            expect_time(until)
            begin = time.monotonic()
            solver.conf_budget(conflicts)
            verdict = limited(solver, assumptions=assumptions)
            if verdict is not None:
                return verdict
            now = time.monotonic()
            if now - begin < SLICE_SHARE * (until - now):
                conflicts *= 2
    finally:
        solver.conf_budget(-1)


def searched(problem: Problem, known: Sequence[int], seconds: float, tell: Callable[[float], None]) -> Best:
    """Searches for a problem's best solution for this time, starting from `known` if that is a solution."""
    hard = [[int(each) for each in clause] for clause in problem.hard[: problem.count]]
    soft = [[int(each) for each in clause] for clause in problem.soft]
    with Search(hard, soft, problem.weights, time.monotonic() + seconds, tell) as search:
        return search.run([int(each) for each in known])
