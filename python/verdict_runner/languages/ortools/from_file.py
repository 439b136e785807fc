"""Builds a CP-SAT or MathOpt model from a file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from ortools.math_opt.python import mathopt
from ortools.sat.python import cp_model

from verdict_runner.evidence.finite.proto import EXACT_IN_DOUBLES
from verdict_runner.evidence.linear.model import exact
from verdict_runner.languages import files
from verdict_runner.languages.files.dimacs import Clauses
from verdict_runner.languages.files.linear import ZERO, Column, Linear
from verdict_runner.languages.ortools import watch
from verdict_runner.refusal import Refused
from verdict_runner.sandbox.program import Place

# The maximum magnitude of a sum; CP-SAT computes sums in 64 bits.
SUM_MOST = 2**60


def build(name: str, text: str) -> None:
    """Builds the run's model from a file in this format; raises `Refused`."""
    stated = files.read(name, text)
    model = stated.linear() if isinstance(stated, Clauses) else stated
    for note in model.notes:
        watch.the_run().warn(note)
    domains = _domains(model.columns)
    if domains is not None and _fits(model, domains):
        _to_cp_sat(model, domains)
    else:
        _to_mathopt(model)


def _domains(columns: Iterable[Column]) -> list[tuple[int, int]] | None:
    """Each variable's integer domain; None if a variable is not an integer or is unbounded."""
    domains = []
    for each in columns:
        if not each.is_whole or each.lower is None or each.upper is None:
            return None
        domains.append((math.ceil(each.lower), math.floor(each.upper)))
    return domains


def _scale(numbers: Iterable[Fraction]) -> int:
    return math.lcm(*(each.denominator for each in numbers))


def _fits(model: Linear, domains: Sequence[tuple[int, int]]) -> bool:
    """Whether all sums are small enough for CP-SAT to compute exactly."""

    def size(terms: Mapping[int, Fraction], others: Iterable[Fraction | None]) -> Fraction:
        known = [each for each in others if each is not None]
        scale = _scale([*terms.values(), *known])
        sums = (abs(weight) * max(map(abs, domains[index])) for index, weight in terms.items())
        return scale * (sum(sums, ZERO) + sum(map(abs, known), ZERO))

    rows = all(size(each.terms, (each.lower, each.upper)) < SUM_MOST for each in model.rows)
    return rows and size(model.objective or {}, [model.constant]) < EXACT_IN_DOUBLES


def _to_cp_sat(model: Linear, domains: Sequence[tuple[int, int]]) -> None:
    target = cp_model.CpModel()
    places: list[Place | None] = []
    variables = [target.new_int_var(min(pair), max(pair), each.name) for pair, each in zip(domains, model.columns)]
    if any(low > high for low, high in domains):
        target.add_bool_or([])
        places.append(None)
    for row in model.rows:
        scale = _scale([*row.terms.values(), *(each for each in (row.lower, row.upper) if each is not None)])
        low = -(2**63) if row.lower is None else int(row.lower * scale)
        high = 2**63 - 1 if row.upper is None else int(row.upper * scale)
        if row.terms:
            target.add_linear_constraint(_sum(row.terms, scale, variables), low, high)
        elif not low <= 0 <= high:
            target.add_bool_or([])
        else:
            continue
        places.append(Place(0, row.line, row.name))
    watch.the_run().places_of(target)[:] = places
    if not model.objective:
        return
    scale = _scale([*model.objective.values(), model.constant])
    aim = _sum(model.objective, scale, variables) + int(model.constant * scale)
    (target.minimize if model.is_least else target.maximize)(aim)
    if scale > 1:
        sign = 1.0 if model.is_least else -1.0
        target.proto.objective.scaling_factor = sign / scale


def _sum(terms: Mapping[int, Fraction], scale: int, variables: Sequence[cp_model.IntVar]) -> cp_model.LinearExpr:
    return cp_model.LinearExpr.weighted_sum(
        [variables[index] for index in terms], [int(weight * scale) for weight in terms.values()]
    )


def _to_mathopt(model: Linear) -> None:
    target = mathopt.Model()
    rounded: list[Fraction] = []

    def near(value: Fraction | None, none: float = 0.0) -> float:
        """Returns the float nearest to a number."""
        if value is None:
            return none
        number = float(value)
        if exact(number) != value:
            rounded.append(value)
        return number

    variables = [
        target.add_variable(
            lb=near(each.lower, -math.inf), ub=near(each.upper, math.inf), is_integer=each.is_whole, name=each.name
        )
        for each in model.columns
    ]
    places = watch.the_run().math_models[-1][1]
    for each in model.rows:
        # The row gets no name; its name is part of its position. A semi-continuous variable's two rows would share one
        # name.
        row = target.add_linear_constraint(lb=near(each.lower, -math.inf), ub=near(each.upper, math.inf))
        for index, weight in each.terms.items():
            row.set_coefficient(variables[index], near(weight))
        places[row.id] = Place(0, each.line, each.name)
    if model.objective:
        for index, weight in model.objective.items():
            target.objective.set_linear_coefficient(variables[index], near(weight))
        target.objective.offset = near(model.constant)
        target.objective.is_maximize = not model.is_least
    whole = [each for each in rounded if each.denominator == 1]
    if whole:
        raise Refused(
            f"The number {whole[0]} is beyond 2^53. Only CP-SAT computes with such numbers, and it can't solve this "
            "model: it has "
            "variables without bounds or with fractions.",
            ["scale the numbers down", "or give all variables integer values and bounds"],
        )
    if rounded:
        watch.the_run().warn(
            f"{len(rounded)} numbers have more digits than a float and were rounded to the nearest one, such as "
            f"{float(rounded[0])!r}."
        )
