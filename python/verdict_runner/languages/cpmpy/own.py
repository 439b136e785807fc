"""Solvers of Verdict's own, which are not part of what the program asked."""

from __future__ import annotations

import time
from collections.abc import Sequence

import cpmpy as cp
from cpmpy.exceptions import CPMpyException
from cpmpy.solvers.ortools import CPM_ortools
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.transformations.safening import safen_objective

from verdict_runner.evidence.finite import proto
from verdict_runner.languages.cpmpy.run import Run, the_run


class inside:
    """Within a call of CPMpy's own."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __enter__(self) -> None:
        self._run.depth += 1

    def __exit__(self, *_: object) -> None:
        self._run.depth -= 1


# What CPMpy and CP-SAT raise for a model that they can't read.
UNREADABLE = (CPMpyException, TypeError, ValueError, ArithmeticError, LookupError, AssertionError, NotImplementedError)


def is_unsat(constraints: Sequence[object], until: float) -> bool:
    """Whether CP-SAT proves within the time that these can't hold together."""
    try:
        solver = built(constraints)
    except UNREADABLE:
        # Another solver can take models that CP-SAT can't.
        return False
    left = until - time.monotonic()
    # What CP-SAT says of doubtful constraints alone shows no conflict.
    is_believed = proto.distrusted(solver.ort_model.proto) is None
    return is_believed and left > 0 and status_of(solver, left) == ExitStatus.UNSATISFIABLE


def defining(objective: object) -> Sequence[object]:
    """Constraints that hold where an objective has a value: without one there is no solution."""
    try:
        with inside(the_run()):
            return [] if objective is None else safen_objective(objective)[1]
    except UNREADABLE:
        return []


def built(constraints: Sequence[object], least: object = None) -> CPM_ortools:
    """A solver of Verdict's own, which is not a part of what the program asked; for the least value if one is named.

    Raises those of `UNREADABLE`.
    """
    with inside(the_run()):
        return CPM_ortools(cp.Model(list(constraints), **({} if least is None else {"minimize": least})))


def status_of(solver: CPM_ortools, seconds: float) -> ExitStatus:
    """What CP-SAT says of such a model."""
    with inside(the_run()):
        solver.solve(time_limit=seconds)
        return solver.status().exitstatus
