"""Keeps Z3's original methods before any program runs, and provides the solvers that Verdict itself uses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import z3

from verdict_runner.evidence.budget import limit_ms

AnySolver: TypeAlias = "z3.Solver | z3.Optimize"

# A program could replace the classes' attributes; these names keep the original methods.
solver_init, optimize_init = z3.Solver.__init__, z3.Optimize.__init__
solver_assert = z3.Solver.assert_exprs
solver_set, optimize_set = z3.Solver.set, z3.Optimize.set
solver_check, optimize_check = z3.Solver.check, z3.Optimize.check
solver_model, optimize_model = z3.Solver.model, z3.Optimize.model
objective_lower, objective_upper = z3.OptimizeObjective.lower, z3.OptimizeObjective.upper
objective_lower_values = z3.OptimizeObjective.lower_values
objective_upper_values = z3.OptimizeObjective.upper_values
set_param, with_parameters = z3.set_param, z3.With


def plain_solver(context: z3.Context | None = None, logic: str | None = None) -> z3.Solver:
    """Creates a solver for Verdict itself, outside the program's record, for all theories or for one logic."""
    solver, context = z3.Solver.__new__(z3.Solver), context or z3.main_ctx()
    made = None if logic is None else z3.Z3_mk_solver_for_logic(context.ref(), z3.to_symbol(logic, context))
    solver_init(solver, made, context)
    return solver


def check(constraints: Iterable[z3.ExprRef], seconds: float) -> z3.CheckSatResult:
    """Solves only these constraints, within this time."""
    solver = plain_solver()
    solver_set(solver, "timeout", limit_ms(seconds))
    solver_assert(solver, *constraints)
    return solver_check(solver)


def bound(solver: AnySolver, timeout_ms: int) -> None:
    """Limits the time of a solver's checks, without recording this change."""
    if isinstance(solver, z3.Optimize):
        optimize_set(solver, "timeout", timeout_ms)
    else:
        solver_set(solver, "timeout", timeout_ms)


def asked(solver: AnySolver, *assumptions: z3.ExprRef) -> z3.CheckSatResult:
    """Asks a solver without recording its answer."""
    if isinstance(solver, z3.Optimize):
        return optimize_check(solver, *assumptions)
    return solver_check(solver, *assumptions)


def model_of(solver: AnySolver) -> z3.ModelRef:
    """Gets a solver's model without recording it, since the program does not receive it."""
    return optimize_model(solver) if isinstance(solver, z3.Optimize) else solver_model(solver)
