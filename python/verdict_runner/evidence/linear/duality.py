"""Derives what a solver's final basis proves about a linear model, using fractions.

A basis specifies which variables and rows are at a bound. The exact solution of the resulting equations is a vertex,
and the solution of the transposed equations gives each row a multiplier. By weak duality, any multipliers give a valid
bound on all solutions, so nothing computed by a solver has to be trusted. T. Koch, "The final NETLIB-LP results",
Operations Research Letters 32 (2004); A. Neumaier and O. Shcherbina, "Safe bounds in linear and mixed-integer
programming", Mathematical Programming 99 (2004).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verdict_runner.evidence.linear.equations import solution
from verdict_runner.evidence.linear.model import Bound, Linear, Row
from verdict_runner.protocol.messages import Fields, Json

# The name of this method in `confirmed_by`.
DUALITY = "duality"

BASIC, LOWER, UPPER, FREE = "basic", "lower", "upper", "free"


@dataclass(frozen=True)
class Basis:
    """The status of each variable and row: at its lower or upper bound, at 0 if it has no bound, or basic."""

    variables: Sequence[str]
    rows: Sequence[str]

    def data(self) -> dict[str, Json]:
        return {"variables": list(self.variables), "rows": list(self.rows)}

    @staticmethod
    def read(value: object, linear: Linear) -> Basis | None:
        if value is None:
            return None
        fields = Fields(value)
        basis = Basis(fields.texts("variables"), fields.texts("rows"))
        fits = len(basis.variables) == len(linear.variables) and len(basis.rows) == len(linear.rows)
        return basis if fits else None


def vertex(linear: Linear, basis: Basis, until: float) -> list[Fraction] | None:
    """The values of all variables at the basis; None if it does not determine them. Raises `OutOfTime`."""
    values: dict[int, Fraction] = {}
    for index, (at, (lower, upper, _)) in enumerate(zip(basis.variables, linear.variables)):
        if at != BASIC:
            value = _at(at, lower, upper)
            if value is None:
                return None
            values[index] = value
    left: list[dict[int, Fraction]] = []
    right: list[Fraction] = []
    for at, row in zip(basis.rows, linear.rows):
        if at == BASIC:
            continue
        value = _at(at, row.lower, row.upper)
        if value is None:
            return None
        left.append({each: weight for each, weight in row.terms.items() if weight and each not in values})
        right.append(value - sum((weight * values.get(each, 0) for each, weight in row.terms.items()), Fraction(0)))
    values.update(solution(left, right, until))
    return [values[index] for index in range(len(linear.variables))] if len(values) == len(linear.variables) else None


def _at(at: str, lower: Bound, upper: Bound) -> Bound:
    return {LOWER: lower, UPPER: upper, FREE: Fraction(0)}.get(at)


def multipliers(linear: Linear, basis: Basis, until: float) -> dict[int, Fraction]:
    """Each row's multiplier at the basis, for the objective as a minimum. Raises `OutOfTime`."""
    at_bound = [index for index, at in enumerate(basis.rows) if at != BASIC]
    columns: dict[int, dict[int, Fraction]] = {index: {} for index, at in enumerate(basis.variables) if at == BASIC}
    for row in at_bound:
        for index, weight in linear.rows[row].terms.items():
            if weight and index in columns:
                columns[index][row] = weight
    weights = _least(linear)
    return solution([*columns.values()], [weights.get(index, Fraction(0)) for index in columns], until)


def limit(linear: Linear, by_row: Mapping[int, Fraction]) -> Bound:
    """The bound on the objective that these row multipliers prove (any multipliers are valid); None if they prove none.

    The objective is the sum of all rows times their multipliers, plus the remaining terms in the variables. Each
    summand is replaced by its worst bound.
    """
    left = _least(linear)
    total = Fraction(0)
    for index, factor in by_row.items():
        row = linear.rows[index]
        for each, weight in row.terms.items():
            left[each] = left.get(each, Fraction(0)) - factor * weight
        if factor:
            end = row.lower if factor > 0 else row.upper
            if end is None:
                return None
            total += factor * end
    for index, factor in left.items():
        if factor:
            lower, upper, _ = linear.variables[index]
            end = lower if factor > 0 else upper
            if end is None:
                return None
            total += factor * end
    return (total if linear.is_least else -total) + linear.offset


def prices(linear: Linear, basis: Basis, until: float) -> list[tuple[Row, int | None, Fraction]] | None:
    """How much raising each bound with a non-zero price by one unit changes the optimum.

    Returns the bound as a row, the row's number (None for a variable's bound), and the change. Returns None unless the
    multipliers prove that the basis is optimal. For an optimal basis, changing a bound never improves the optimum by
    more than the bound's price implies. Raises `OutOfTime`.
    """
    values, by_row = vertex(linear, basis, until), multipliers(linear, basis, until)
    if values is None or linear.violation(values)[0] or limit(linear, by_row) != linear.value(values):
        return None
    sign = 1 if linear.is_least else -1
    left = _least(linear)
    for index, factor in by_row.items():
        for each, weight in linear.rows[index].terms.items():
            left[each] = left.get(each, Fraction(0)) - factor * weight
    own: list[tuple[Row, int | None, Fraction]] = []
    own += [(linear.rows[index], index, sign * factor) for index, factor in by_row.items() if factor]
    for index, factor in left.items():
        if factor:
            own.append((Row(*linear.variables[index][:2], {index: Fraction(1)}), None, sign * factor))
    return own


def has_none(linear: Linear, basis: Basis, until: float) -> bool:
    """Whether the basis of the relaxed model proves that there is no solution. Raises `OutOfTime`."""
    nothing = Linear(linear.variables, linear.rows, None, Fraction(0), True)
    least = limit(nothing, multipliers(relaxed(linear), basis, until))
    # Without an objective, all solutions have the value 0.
    return least is not None and least > 0


def relaxed(linear: Linear) -> Linear:
    """Returns the model with rows that can be violated in both directions; it minimises the total violation."""
    count = len(linear.variables)
    rows = [
        Row(row.lower, row.upper, {**row.terms, count + 2 * i: Fraction(1), count + 2 * i + 1: Fraction(-1)})
        for i, row in enumerate(linear.rows)
    ]
    variables = [*linear.variables, *([(Fraction(0), None, False)] * (2 * len(rows)))]
    return Linear(variables, rows, {i: Fraction(1) for i in range(count, len(variables))}, Fraction(0), is_least=True)


def _least(linear: Linear) -> dict[int, Fraction]:
    """The objective's weights, for minimisation."""
    sign = 1 if linear.is_least else -1
    return {index: sign * weight for index, weight in (linear.objective or {}).items()}
