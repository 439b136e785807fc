"""Rechecks a floating-point solver's answer about a linear model: values with fractions, proofs by duality or by Z3."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

import z3

from verdict_runner.evidence import account as accounts
from verdict_runner.evidence import budget
from verdict_runner.evidence.account.stated import INFINITE, Stated, words
from verdict_runner.evidence.budget import OutOfTime, bounded
from verdict_runner.evidence.engines import Z3
from verdict_runner.evidence.finding import CONFIRMED, Finding, Request, refuted, undecided
from verdict_runner.evidence.finite.meaning import Node
from verdict_runner.evidence.finite.search import model_of
from verdict_runner.evidence.linear.duality import DUALITY, Basis, has_none, limit, multipliers, prices, relaxed, vertex
from verdict_runner.evidence.linear.model import Bound, Linear, Row, slack
from verdict_runner.evidence.shown import Shown
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.values import decimal

# The maximum number of prices shown, and the maximum length of an expression.
PRICES_MAX, CHARS_MAX = 20, 80
# The minimum time for Z3: without Z3 there is no proof at all, since a floating-point result is not a proof.
SECONDS_MIN = 2.0

Result = TypeVar("Result")


def check(request: Request, until: float) -> Finding:
    """Whether the evidence supports the status and, if claimed, the optimum."""
    evidence = request.evidence
    linear = Linear.read(Fields(evidence.any("linear")))
    seconds = budget.second(evidence.number("seconds"), request.check, SECONDS_MIN)
    if request.status == "unsat":
        return _unsat(linear, evidence, min(until, time.monotonic() + seconds))
    values = [Fraction(each) for each in evidence.texts("values")]
    by, is_large = linear.violation(values) if len(values) == len(linear.variables) else (Fraction(0), True)
    if is_large:
        return refuted("its values do not satisfy its constraints within the tolerance")
    is_best = evidence.truth("is_best")
    basis = Basis.read(evidence.any("basis"), linear)
    # Values that violate nothing are already exact.
    exact = _in_half(vertex, linear, basis, min(until, time.monotonic() + seconds)) if basis and by else None
    if by:
        finding = _close_to(linear, values, exact, min(until, time.monotonic() + seconds))
        if finding.verdict != "confirmed":
            return finding
    if not is_best:
        return CONFIRMED
    until = min(until, time.monotonic() + seconds)
    # With large weights, a violation within the tolerance can yield an objective value that no solution attains.
    finding = _close_to(linear, values, exact, until, as_good=True) if by else CONFIRMED
    return Finding(
        "confirmed", optimum=_no_better(linear, values, basis, until) if finding.verdict == "confirmed" else finding
    )


def _unsat(linear: Linear, evidence: Fields, until: float) -> Finding:
    """Whether the rows in the core have no solution."""
    part = linear.of_rows(evidence.wholes("core"))
    basis = Basis.read(evidence.any("basis"), relaxed(part))
    if basis and _in_half(has_none, part, basis, until):
        return Finding("confirmed", by=[DUALITY])
    return _no_other(linear, part.rows, until)


def _in_half(
    work: Callable[[Linear, Basis, float], Result], linear: Linear, basis: Basis, until: float
) -> Result | None:
    """Returns the result if half of the time is enough, else None. The other half is reserved for Z3."""
    now = time.monotonic()
    try:
        return work(linear, basis, now + (until - now) / 2)
    except OutOfTime:
        return None


def _close_to(
    linear: Linear, values: Sequence[Fraction], exact: Sequence[Fraction] | None, until: float, as_good: bool = False
) -> Finding:
    """Whether an exact solution with the same integers is within the tolerance and, if required, equally good."""
    near = [
        Row(value, value, {i: Fraction(1)})
        if is_whole
        else Row(value - slack(value), value + slack(value), {i: Fraction(1)})
        for i, (value, (_, _, is_whole)) in enumerate(zip(values, linear.variables))
    ]
    if as_good:
        near.append(_reaching(linear, values, -1))
    rows = [*linear.rows, *near]
    if exact and not linear.violation(exact)[0] and not any(row.misses(row.value(exact))[0] for row in near):
        return CONFIRMED
    try:
        answer = _ask(linear, rows, until)
    except OutOfTime:
        return undecided(
            "its values satisfy all constraints only within the tolerance, and no exact ones were found in time"
        )
    if answer is not None:
        return CONFIRMED
    which = " with an objective that is as good" if as_good else ""
    return refuted(f"no exact solution{which} is within the tolerance of its values")


def _no_better(linear: Linear, values: Sequence[Fraction], basis: Basis | None, until: float) -> Finding:
    """Whether no solution is better by more than the tolerance."""
    better = _reaching(linear, values, 1)
    by_row = basis and _in_half(multipliers, linear, basis, until)
    best = limit(linear, by_row) if by_row is not None else None
    # If even the proved bound does not reach an objective value, no solution reaches it.
    if best is not None and better.misses(best - linear.offset)[0]:
        return Finding("confirmed", by=[DUALITY])
    return _no_other(linear, [*linear.rows, better], until)


def _reaching(linear: Linear, values: Sequence[Fraction], steps: int) -> Row:
    """Requires that the objective beats these values by `steps` tolerances; negative steps allow a worse one."""
    target = linear.value(values) - linear.offset
    margin = steps * linear.margin(target)
    objective = linear.objective or {}
    return Row(None, target - margin, objective) if linear.is_least else Row(target + margin, None, objective)


def _no_other(linear: Linear, rows: Sequence[Row], until: float) -> Finding:
    try:
        answer = _ask(linear, rows, until)
    except OutOfTime:
        return undecided("a second engine (z3) did not decide it in its share of the time")
    if answer is None:
        return Finding("confirmed", by=[Z3])
    if len(rows) < len(linear.rows):
        # The core has a solution, which says nothing about the whole model.
        return _no_other(linear, linear.rows, until)
    where = "a second engine (z3) found values that satisfy all constraints"
    return refuted(where if rows is linear.rows else f"{where} with the objective {float(linear.value(answer))}")


def _ask(linear: Linear, rows: Sequence[Row], until: float) -> list[Fraction] | None:
    """Finds values that satisfy these rows and the bounds exactly, or None if there are none; raises `OutOfTime`."""
    solver = z3.Solver()
    with bounded(until):
        known = [
            z3.Const(f"x{i}", z3.IntSort() if is_whole else z3.RealSort())
            for i, (_, _, is_whole) in enumerate(linear.variables)
        ]
        bounds = (Row(lower, upper, {i: Fraction(1)}) for i, (lower, upper, _) in enumerate(linear.variables))
        for row in [*rows, *bounds]:
            total = z3.Sum([z3.RealVal(0), *(z3.RealVal(str(weight)) * known[i] for i, weight in row.terms.items())])
            if row.lower is not None:
                solver.add(total >= z3.RealVal(str(row.lower)))
            if row.upper is not None:
                solver.add(total <= z3.RealVal(str(row.upper)))
        model = model_of(solver, until)
    if model is None:
        return None
    return [Fraction(str(model.eval(each, model_completion=True))) for each in known]


def account(problem: Fields, shown: Shown, until: float) -> Mapping[str, Json]:
    """Builds the account of the model that accompanies the verdict."""

    def read() -> Stated:
        linear = Linear.read(Fields(problem.any("linear")))
        domains = [_ends(lower, upper) for lower, upper, _ in linear.variables]
        rows = [["in", _sum(row.terms), _ends(row.lower, row.upper)] for row in linear.rows]
        objective = None if linear.objective is None else _sum(linear.objective, linear.offset)
        reals = frozenset(i for i, (*_, is_whole) in enumerate(linear.variables) if not is_whole)
        values = [Fraction(each) for each in problem.texts("values")]
        return Stated(domains, rows, shown, objective, values, reals=reals)

    until = min(until, time.monotonic() + accounts.SECONDS_MAX)
    return {**accounts.of(read, until), **_prices(problem, shown, until)}


def _prices(problem: Fields, shown: Shown, until: float) -> Mapping[str, Json]:
    """Lists the shadow price of each bound, largest first, if all variables are real."""
    linear = Linear.read(Fields(problem.any("linear")))
    basis = Basis.read(problem.any("basis"), linear)
    if basis is None or not problem.truth("is_best") or any(is_whole for *_, is_whole in linear.variables):
        return {}
    try:
        with bounded(until):
            found = prices(linear, basis, until) or []
    except OutOfTime:
        return {}
    told: list[Json] = []
    for row, index, price in sorted(found, key=lambda each: -abs(each[2]))[:PRICES_MAX]:
        sum_of = words(_sum(row.terms), shown.names) or "an expression without a name"
        place = shown.places[index] if index is not None and index < len(shown.places) else None
        # Raising a binding lower bound increases a minimum, and raising a binding upper bound decreases it; for a
        # maximum, the reverse holds.
        end = row.lower if (price > 0) == linear.is_least else row.upper
        sign = "==" if row.lower == row.upper else ">=" if end is row.lower else "<="
        where: dict[str, Json] = {} if place is None else {"item": place[0], "line": place[1]}
        told.append({**where, "bound": f"{sum_of[:CHARS_MAX]} {sign} {end}", "price": decimal(price)})
    return {"prices": told}


def _ends(lower: Bound, upper: Bound) -> list[Fraction | int]:
    return [-INFINITE if lower is None else lower, INFINITE if upper is None else upper]


def _sum(terms: Mapping[int, Fraction], offset: Fraction = Fraction(0)) -> Node:
    return ["linear", list(terms.values()), [["v", each] for each in terms], offset]
