"""CP-SAT within its bounds: one worker, the time of the job, and parameters that keep it from known faults."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from ortools.sat.python import cp_model

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program

# What is kept of a job's time: for its answer, and for the exact check of what was found.
RESERVE_SECONDS_MIN, RESERVE_SECONDS_MAX, RESERVE_SHARE = 0.4, 5.0, 0.1
# A large model takes time to be handed over and read: so much for each of its constraints.
SECONDS_A_CONSTRAINT = 0.000_03
# Seconds between two pieces of news about better solutions.
NEWS_SECONDS = 0.5
HAS_SOLUTION = (cp_model.OPTIMAL, cp_model.FEASIBLE)

Status = Any  # CP-SAT's enumeration: its members compare equal to themselves only.

_solve = cp_model.CpSolver.solve


def time_for_solving(now: float, until: float) -> float:
    """The moment at which an engine has to stop, for a job that ends at `until`."""
    reserve = min(RESERVE_SECONDS_MAX, max(RESERVE_SECONDS_MIN, RESERVE_SHARE * (until - now)))
    return until - reserve


def is_cut(begun: float, until: float) -> bool:
    """Whether an engine that began then and stopped now was stopped by the time limit: engines stop a little before it."""
    return time.monotonic() >= until - max(0.1, 0.1 * (until - begun))


def solve(
    solver: cp_model.CpSolver,
    model: cp_model.CpModel,
    until: float,
    callback: cp_model.CpSolverSolutionCallback | None = None,
) -> Status:
    """Solves until this moment at the latest; the author's own limit of time counts where it is shorter."""
    parameters = solver.parameters
    if parameters.fix_variables_to_their_hinted_value:
        raise Refused(
            "With fix_variables_to_their_hinted_value CP-SAT searches only the values of the hints, and calls the model infeasible where they do not fit.",
            ["leave the parameter out: hints then only guide the search", "or state the values: model.add(x == 3)"],
        )
    wanted = parameters.max_time_in_seconds
    parameters.max_time_in_seconds = max(0.001, min(wanted, until - time.monotonic()))
    # More workers would share the same processor with other jobs, and make runs differ.
    parameters.num_workers = 1
    parameters.num_search_workers = 0
    # Presolve of CP-SAT 9.15 computes an inclusion in 32 bits and then drops enforcement literals: a false optimum.
    parameters.presolve_inclusion_work_limit = 0
    try:
        status = _solve(solver, model, callback)
    finally:
        parameters.max_time_in_seconds = wanted
    return cp_model.FEASIBLE if status == cp_model.OPTIMAL and _ended_at_gap(solver, model) else status


def _ended_at_gap(solver: cp_model.CpSolver, model: cp_model.CpModel) -> bool:
    """Whether the search ended at a gap that the author allows: CP-SAT says OPTIMAL, but better values are possible."""
    has_objective = model.proto.has_objective() or model.proto.has_floating_point_objective()
    is_allowed = solver.parameters.relative_gap_limit > 0 or solver.parameters.absolute_gap_limit >= 1
    return has_objective and is_allowed and solver.response_proto.objective_value != solver.best_objective_bound


def forbid_files() -> None:
    """Makes CP-SAT refuse to write a model to a file; called once, before any program runs."""
    for name in ("export_to_file", "ExportToFile"):
        setattr(cp_model.CpModel, name, _no_file)


def _no_file(*_: object) -> None:
    raise Refused("A model can't be written to a file here.", ["print(model.model_stats()) shows what is in it"])


class News(cp_model.CpSolverSolutionCallback):
    """Tells better solutions on their way, a few of them a second."""

    def __init__(self, say: Callable[[object], bool]) -> None:
        super().__init__()
        self._say = say
        self._begin = self._last = time.monotonic()

    def on_solution_callback(self) -> None:
        now = time.monotonic()
        if now - self._last >= NEWS_SECONDS:
            self._last = now
            self._say({"incumbent": round(self.objective_value, 6), "seconds": round(now - self._begin, 1)})


def place_of_program() -> tuple[int, int] | None:
    """The item and line of the program that is running now; None where only a library is."""
    frame = sys._getframe(1)
    while frame:
        place = program.place_of(frame.f_code.co_filename, frame.f_lineno)
        if place:
            return place
        frame = frame.f_back
    return None
