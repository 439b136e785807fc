"""Creates Verdict's own solvers, which are not part of the program."""

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
    """Marks calls made by CPMpy itself."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __enter__(self) -> None:
        self._run.depth += 1

    def __exit__(self, *_: object) -> None:
        self._run.depth -= 1


# The exceptions that CPMpy and CP-SAT raise for models that they can't read.
UNREADABLE = (CPMpyException, TypeError, ValueError, ArithmeticError, LookupError, AssertionError, NotImplementedError)


def is_unsat(constraints: Sequence[object], until: float) -> bool:
    """Whether CP-SAT proves in time that these constraints conflict."""
    try:
        solver = built(constraints)
    except UNREADABLE:
        # Another solver may support models that CP-SAT does not.
        return False
    left = until - time.monotonic()
    # CP-SAT's answer alone does not prove a conflict between constraints that a known defect affects.
    is_accepted = proto.distrusted(solver.ort_model.proto) is None
    return is_accepted and left > 0 and status_of(solver, left) == ExitStatus.UNSATISFIABLE


def defining(objective: object) -> Sequence[object]:
    """Constraints that make an objective defined; an undefined objective means that there is no solution."""
    try:
        with inside(the_run()):
            return [] if objective is None else safen_objective(objective)[1]
    except UNREADABLE:
        return []


def built(constraints: Sequence[object], least: object = None) -> CPM_ortools:
    """Creates a solver for Verdict itself that is not part of the program; minimises `least` if it is given.

    Raises the exceptions in `UNREADABLE`.
    """
    with inside(the_run()):
        return CPM_ortools(cp.Model(list(constraints), **({} if least is None else {"minimize": least})))


def status_of(solver: CPM_ortools, seconds: float) -> ExitStatus:
    """Solves a model of Verdict's own and returns CP-SAT's status."""
    with inside(the_run()):
        solver.solve(time_limit=seconds)
        return solver.status().exitstatus
