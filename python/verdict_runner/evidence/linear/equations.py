"""Solves linear equations with fractions."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from verdict_runner.evidence.budget import OutOfTime


def solution(rows: Sequence[Mapping[int, Fraction]], right: Sequence[Fraction], until: float) -> dict[int, Fraction]:
    """The values of the unknowns, by number; empty unless there are as many unknowns as rows and exactly one solution.

    Uses Gaussian elimination. The next pivot is in the shortest row, at the unknown that occurs in the fewest other
    rows, since the equations of linear models are nearly triangular. Raises `OutOfTime`.
    """
    left, right = [dict(row) for row in rows], list(right)
    having: dict[int, set[int]] = defaultdict(set)
    for index, row in enumerate(left):
        for unknown in row:
            having[unknown].add(index)
    if len(having) != len(left):
        return {}
    order: list[tuple[int, int]] = []
    is_open = set(range(len(left)))
    while is_open:
        index = min(is_open, key=lambda each: len(left[each]))
        row = left[index]
        if not row:
            return {}
        pivot = min(row, key=lambda each: len(having[each]))
        is_open.remove(index)
        for unknown in row:
            having[unknown].discard(index)
        for other in having.pop(pivot):
            if time.monotonic() > until:
                raise OutOfTime
            factor = left[other].pop(pivot) / row[pivot]
            _subtract(left[other], row, factor, pivot, having, other)
            right[other] -= factor * right[index]
        order.append((index, pivot))
    values: dict[int, Fraction] = {}
    for index, pivot in reversed(order):
        known = sum((weight * values[each] for each, weight in left[index].items() if each != pivot), Fraction(0))
        values[pivot] = (right[index] - known) / left[index][pivot]
    return values


def _subtract(
    row: dict[int, Fraction],
    other: Mapping[int, Fraction],
    factor: Fraction,
    pivot: int,
    having: Mapping[int, set[int]],
    index: int,
) -> None:
    """Subtracts a multiple of the other row from this one, except at the pivot."""
    for unknown, weight in other.items():
        if unknown == pivot:
            continue
        left = row.get(unknown, Fraction(0)) - factor * weight
        if left:
            row[unknown] = left
            having[unknown].add(index)
        elif row.pop(unknown, None) is not None:
            having[unknown].discard(index)
