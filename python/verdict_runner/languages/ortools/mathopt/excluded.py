"""Reads how a row that a program added excludes the last solution of a linear model."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from fractions import Fraction

from verdict_runner.evidence.linear.model import Linear, Row, step
from verdict_runner.languages.searches import Excluded, is_furthest


def excluded_by(before: Linear, now: Linear, values: Sequence[Fraction] | None) -> list[Excluded | None] | None:
    """Returns how the added rows exclude the solution; None if anything else changed."""
    count = len(before.rows)
    if values is None or dataclasses.replace(now, rows=now.rows[:count]) != before:
        return None
    return [_excluded(row, now, values) for row in now.rows[count:]]


def _excluded(row: Row, linear: Linear, values: Sequence[Fraction]) -> Excluded | None:
    """How a row excludes the solution: its sum has to pass a bound."""
    value, is_larger = row.value(values), row.upper is None
    bound, terms = (
        row.lower if is_larger else row.upper,
        {index: weight for index, weight in row.terms.items() if weight},
    )
    if bound is None or not terms or (row.lower is not None) != is_larger or not row.misses(value)[0]:
        return None
    is_next = all(linear.variables[index][2] for index in terms) and abs(bound - value) <= step(terms.values())
    by_values = is_next and is_furthest([*terms.values()], value, is_larger)
    return Excluded(frozenset(terms.items()), is_larger, row, None if is_next else float(bound), by_values)
