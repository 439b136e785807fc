"""Reads LP solvers' final bases, which `duality.py` turns into proofs."""

from __future__ import annotations

import datetime
import time
from collections.abc import Sequence
from typing import Any, TypeAlias

from ortools.math_opt.core.python import solver as core
from ortools.math_opt.python import mathopt

from verdict_runner.evidence.linear.duality import BASIC, FREE, LOWER, UPPER, Basis, relaxed
from verdict_runner.evidence.linear.model import Bound, Linear

# MathOpt's message for a model.
Proto: TypeAlias = Any

NAMES = {
    mathopt.BasisStatus.BASIC: BASIC,
    mathopt.BasisStatus.AT_LOWER_BOUND: LOWER,
    mathopt.BasisStatus.FIXED_VALUE: LOWER,
    mathopt.BasisStatus.AT_UPPER_BOUND: UPPER,
    mathopt.BasisStatus.FREE: FREE,
}
INFINITY = float("inf")
# The maximum time for solving the relaxed model.
SECONDS_MAX = 2.0


def basis_of(solution: mathopt.Solution | None, variables: Sequence[int], rows: Sequence[int]) -> Basis | None:
    """Returns a solution's basis, in the order of these variable and row ids; None if the solver returns none."""
    if solution is None or solution.basis is None:
        return None
    of_variables = {each.id: status for each, status in solution.basis.variable_status.items()}
    of_rows = {each.id: status for each, status in solution.basis.constraint_status.items()}
    if of_variables.keys() != {*variables} or of_rows.keys() != {*rows}:
        return None
    return Basis([NAMES[of_variables[each]] for each in variables], [NAMES[of_rows[each]] for each in rows])


def basis_of_conflict(linear: Linear, other: Proto, until: float) -> Basis | None:
    """Finds a basis that minimises the total violation of these rows; None if it is not found in time."""
    left = min(SECONDS_MAX, until - time.monotonic())
    if left <= 0.01:
        return None
    result = solved_message(_message(relaxed(linear), other), mathopt.SolverType.GLOP, left)
    if result.termination.reason != mathopt.TerminationReason.OPTIMAL.value or not result.solutions:
        return None
    basis = result.solutions[0].basis
    return Basis(_names(basis.variable_status.values), _names(basis.constraint_status.values))


def solved_message(model: Proto, kind: mathopt.SolverType, seconds: float) -> Proto:
    """Solves a model for Verdict itself and returns the result as MathOpt's message."""
    return core.solve(
        model,
        kind.value,
        mathopt.StreamableSolverInitArguments().to_proto(),
        mathopt.SolveParameters(time_limit=datetime.timedelta(seconds=seconds)).to_proto(),
        mathopt.ModelSolveParameters().to_proto(),
        None,
        mathopt.CallbackRegistration().to_proto(),
        None,
        None,
    )


def _names(statuses: Sequence[int]) -> list[str]:
    return [NAMES[mathopt.BasisStatus(each)] for each in statuses]


def _message(linear: Linear, other: Proto) -> Proto:
    """Writes an LP as a message of the same type as `other`, with ids 0, 1, 2… for variables and rows."""
    proto = type(other)()
    proto.variables.ids.extend(range(len(linear.variables)))
    proto.variables.lower_bounds.extend(_number(lower, -INFINITY) for lower, _, _ in linear.variables)
    proto.variables.upper_bounds.extend(_number(upper, INFINITY) for _, upper, _ in linear.variables)
    proto.variables.integers.extend(False for _ in linear.variables)
    proto.linear_constraints.ids.extend(range(len(linear.rows)))
    proto.linear_constraints.lower_bounds.extend(_number(row.lower, -INFINITY) for row in linear.rows)
    proto.linear_constraints.upper_bounds.extend(_number(row.upper, INFINITY) for row in linear.rows)
    matrix = proto.linear_constraint_matrix
    for index, row in enumerate(linear.rows):
        terms = sorted((each, weight) for each, weight in row.terms.items() if weight)
        matrix.row_ids.extend(index for _ in terms)
        matrix.column_ids.extend(each for each, _ in terms)
        matrix.coefficients.extend(float(weight) for _, weight in terms)
    objective = sorted((linear.objective or {}).items())
    proto.objective.linear_coefficients.ids.extend(each for each, _ in objective)
    proto.objective.linear_coefficients.values.extend(float(weight) for _, weight in objective)
    return proto


def _number(bound: Bound, otherwise: float) -> float:
    return otherwise if bound is None else float(bound)
