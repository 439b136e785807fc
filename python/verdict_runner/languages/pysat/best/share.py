"""Stops a MaxSAT engine after its share of the time, and lets another search find the best solution in the rest.

A core-guided engine has a lower bound and no solution until its end. Each question to its SAT solver is put in slices of
so many conflicts, so that every solver that takes such a limit can be stopped between two of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from verdict_runner.languages.pysat.best.search import Best, Search
from verdict_runner.languages.pysat.problem import Problem

# What an engine gets of the time that is left, before the search begins; as much as Z3's optimiser.
ENGINE_SHARE = 0.45
# The conflicts of a first slice. Slices double until one takes this share of the time that is left for the engine.
SLICE_CONFLICTS, SLICE_SHARE = 500, 0.05


class ShareOver(Exception):
    """The engine's share of the time is over; what it proved until now is kept."""


class Incumbent(NamedTuple):
    """A solution that is the best one so far, and not proved to be the best."""

    cost: float
    problem: Problem
    # What no cost can be below; None where the engine has no such bound.
    bound: int | None


class Limited(Protocol):
    """A SAT solver that takes a limit."""

    def conf_budget(self, budget: int) -> object: ...


def expect_time(until: float) -> None:
    """Raises `ShareOver` from this moment on."""
    if time.monotonic() >= until:
        raise ShareOver


def in_slices(
    solver: Limited, limited: Callable[..., bool | None], assumptions: Sequence[int], until: float
) -> bool | None:
    """The answer of a SAT solver; raises `ShareOver` from this moment on."""
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
    """The best solution of a problem that is found in this time, from a known one on, if that is one."""
    hard = [[int(each) for each in clause] for clause in problem.hard[: problem.count]]
    soft = [[int(each) for each in clause] for clause in problem.soft]
    with Search(hard, soft, problem.weights, time.monotonic() + seconds, tell) as search:
        return search.run([int(each) for each in known])
