"""Runs CP-SAT within the job's processors and time, with parameters that avoid known defects."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ortools.sat.python import cp_model

from verdict_runner.languages import hints
from verdict_runner.languages.cp import parameters
from verdict_runner.languages.news import News
from verdict_runner.protocol.runner import Task
from verdict_runner.refusal import Refused

# The time reserved in a job for its answer and for the exact check of the solution.
RESERVE_SECONDS_MIN, RESERVE_SECONDS_MAX, RESERVE_SHARE = 0.4, 5.0, 0.1
# The time per constraint for handing over and reading a large model.
SECONDS_A_CONSTRAINT = 0.000_03
# Subsolvers that query the process's memory after 10,000 conflicts. CP-SAT 9.15 crashes if it may not read the memory
# usage from /proc, which the sandbox never allows. A single worker uses none of these subsolvers.
CRASHING = ("core", "core_default_lp", "core_max_lp", "core_or_no_lp", "max_hs")
HAS_SOLUTION = (cp_model.OPTIMAL, cp_model.FEASIBLE)

Response = Any
Status = Any  # CP-SAT's enumeration, whose members are equal only to themselves.

# The maximum number of workers in each solve of this job.
_workers_max = 1
# Values by the name of a solver variable, with which each solve of this job starts.
_start: Mapping[str, hints.Number] = {}

_solve = cp_model.CpSolver.solve
_model_init = cp_model.CpModel.__init__


def time_for_solving(now: float, until: float) -> float:
    """Returns the time at which an engine has to stop in a job that ends at `until`."""
    reserve = min(RESERVE_SECONDS_MAX, max(RESERVE_SECONDS_MIN, RESERVE_SHARE * (until - now)))
    return until - reserve


def allow(task: Task) -> None:
    """Sets the number of workers and the values to start with for all later solves."""
    global _workers_max, _start
    _workers_max = task.workers
    _start = hints.by_name(hints.of(task))


def is_cut(begun: float, until: float) -> bool:
    """Whether an engine that ran from `begun` until now hit its time limit; engines stop slightly before the limit."""
    return time.monotonic() >= until - max(0.1, 0.1 * (until - begun))


def solve(
    solver: cp_model.CpSolver,
    model: cp_model.CpModel,
    until: float,
    callback: cp_model.CpSolverSolutionCallback | None = None,
) -> Status:
    """Solves until `until` at the latest; the author's own time limit applies if it is shorter.

    The model must be a copy that the program can't reach: see `copy_of`.
    """
    chosen = solver.parameters
    parameters.refuse(chosen)
    # From here on, changes made by a callback have no effect.
    has_objective = model.proto.has_objective() or model.proto.has_floating_point_objective()
    allows_gap = has_objective and parameters.allow_gap(chosen)
    limit = chosen.max_time_in_seconds
    chosen.max_time_in_seconds = max(0.001, min(limit, until - time.monotonic()))
    chosen.num_workers = _workers_for(chosen)
    chosen.num_search_workers = 0
    if _start and not chosen.enumerate_all_solutions:
        named = enumerate(each.name for each in model.proto.variables)
        start_from(model, ((index, _start[name]) for index, name in named if name in _start))
    # The presolve of CP-SAT 9.15 computes an inclusion in 32 bits and then drops enforcement literals, which has
    # produced a false optimum.
    chosen.presolve_inclusion_work_limit = 0
    ignored = list(chosen.ignore_subsolvers)
    if chosen.num_workers > 1:
        chosen.ignore_subsolvers.extend(CRASHING)
    try:
        status = _solve(solver, model, callback)
    finally:
        chosen.max_time_in_seconds = limit
        # The next solve with these parameters may list solutions, for which CP-SAT accepts no subsolver names.
        chosen.ignore_subsolvers.clear()
        chosen.ignore_subsolvers.extend(ignored)
        if isinstance(callback, Teller):
            callback.finish()
    # If the author allows a gap, CP-SAT reports OPTIMAL although better values are possible.
    ended_early = allows_gap and solver.response_proto.objective_value != solver.best_objective_bound
    return cp_model.FEASIBLE if status == cp_model.OPTIMAL and ended_early else status


def start_from(model: cp_model.CpModel, values: Iterable[tuple[int, hints.Number]]) -> None:
    """Adds values by variable index, unless the author gave the variable a hint or its domain ends before the value."""
    hint = model.proto.solution_hint
    known = set(hint.vars)
    for index, value in values:
        domain = list(model.proto.variables[index].domain)
        if index in known or not isinstance(value, int) or not domain or not domain[0] <= value <= domain[-1]:
            continue
        known.add(index)
        hint.vars.append(index)
        hint.values.append(value)


def _workers_for(chosen: parameters.Parameters) -> int:
    """The number of workers that the program requests, up to the job's limit; one worker for listing all solutions."""
    asked = chosen.num_workers or chosen.num_search_workers or _workers_max
    return 1 if chosen.enumerate_all_solutions else max(1, min(asked, _workers_max))


def copy_of(model: cp_model.CpModel) -> cp_model.CpModel:
    """Copies the model out of the program's reach: callbacks run during a solve and could change the original."""
    copy = cp_model.CpModel.__new__(cp_model.CpModel)
    _model_init(copy)
    copy.proto.copy_from(model.proto)
    return copy


def forbid_files() -> None:
    """Prevents CP-SAT from writing models to files; called once, before any program runs."""
    for name in ("export_to_file", "ExportToFile"):
        setattr(cp_model.CpModel, name, _no_file)


def _no_file(*_: object) -> None:
    raise Refused("A model can't be written to a file here.", ["print(model.model_stats()) shows what it contains"])


class Teller(cp_model.CpSolverSolutionCallback):
    """Reports better solutions and the bound during the search."""

    def __init__(self, news: News, bound_of: Callable[[Response], int | None]) -> None:
        super().__init__()
        self._news, self._bound_of = news, bound_of
        news.begin()

    def on_solution_callback(self) -> None:
        self._news.tell(round(self.objective_value, 6), self._bound_of(self.response_proto))

    def finish(self) -> None:
        """Reports the last solution if it has not been reported."""
        self._news.finish()
