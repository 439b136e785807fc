"""Represents a linear model with fractions, and evaluates solutions in it.

A number in the model is the decimal that its author wrote: 0.1 is a tenth, not the nearest float.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from verdict_runner.protocol.messages import Fields, Json

# A floating-point solver's values may violate a bound by this much, times the bound if the bound is larger than 1.
TOLERANCE = Fraction(1, 10**6)

Bound: TypeAlias = "Fraction | None"


def exact(number: float) -> Fraction:
    """Converts a number to exactly the decimal that was written."""
    return Fraction(repr(number))


def bound(number: float) -> Bound:
    """Converts a bound; None for an infinite one."""
    return None if number in (float("inf"), float("-inf")) else exact(number)


def slack(number: Fraction) -> Fraction:
    """Returns the tolerance for values close to this number."""
    return TOLERANCE * max(Fraction(1), abs(number))


def step(weights: Collection[Fraction]) -> Fraction:
    """The smallest difference between two sums of integers with these weights."""
    scale = math.lcm(*(each.denominator for each in weights))
    return Fraction(math.gcd(*(int(each * scale) for each in weights)), scale)


@dataclass(frozen=True)
class Row:
    """A linear expression between two bounds; None means unbounded."""

    lower: Bound
    upper: Bound
    terms: Mapping[int, Fraction]

    def value(self, values: Sequence[Fraction]) -> Fraction:
        return sum((weight * values[index] for index, weight in self.terms.items()), Fraction(0))

    def misses(self, value: Fraction) -> tuple[Fraction, bool]:
        """By how much a value violates the bounds, and whether that exceeds the tolerance."""
        if self.lower is not None and value < self.lower:
            return self.lower - value, self.lower - value > slack(self.lower)
        if self.upper is not None and value > self.upper:
            return value - self.upper, value - self.upper > slack(self.upper)
        return Fraction(0), False


@dataclass(frozen=True)
class Linear:
    """A linear or mixed-integer model."""

    # The bounds of each variable, and whether it is an integer.
    variables: Sequence[tuple[Bound, Bound, bool]]
    rows: Sequence[Row]
    # The objective's weights; None if nothing is optimised.
    objective: Mapping[int, Fraction] | None
    offset: Fraction
    is_least: bool

    def of_rows(self, core: Sequence[int]) -> Linear:
        """Returns the model with only these rows, or with all rows if none are listed."""
        return dataclasses.replace(self, rows=[self.rows[i] for i in core]) if core else self

    def all_rows(self) -> Iterator[Row]:
        """Yields all rows, including the variables' bounds as rows."""
        yield from self.rows
        for index, (lower, upper, _) in enumerate(self.variables):
            yield Row(lower, upper, {index: Fraction(1)})

    def value(self, values: Sequence[Fraction]) -> Fraction:
        """The objective at these values; 0 without an objective."""
        return Row(None, None, self.objective or {}).value(values) + self.offset

    def margin(self, value: Fraction) -> Fraction:
        """The margin by which an objective (without its constant) must beat this value to count as better.

        The margin scales with the weights: with weights of 10^-8, a fixed margin would exceed any possible improvement.
        """
        weights = {index: abs(weight) for index, weight in (self.objective or {}).items() if weight}
        if not weights:
            return TOLERANCE
        if all(self.variables[index][2] for index in weights):
            return step(weights.values()) / 2
        return TOLERANCE * max(min(Fraction(1), max(weights.values())), abs(value))

    def violation(self, values: Sequence[Fraction]) -> tuple[Fraction, bool]:
        """The largest violation of a bound, and whether any violation exceeds the tolerance."""
        missed = [row.misses(row.value(values)) for row in self.all_rows()]
        for value, (_, _, is_whole) in zip(values, self.variables):
            if is_whole and value.denominator != 1:
                missed.append((abs(value - round(value)), True))
        return max((by for by, _ in missed), default=Fraction(0)), any(is_large for _, is_large in missed)

    def data(self) -> dict[str, Json]:
        """The model as JSON; fractions are strings."""
        return {
            "variables": [[_text(lower), _text(upper), is_whole] for lower, upper, is_whole in self.variables],
            "rows": [[_text(row.lower), _text(row.upper), _terms(row.terms)] for row in self.rows],
            "objective": None if self.objective is None else _terms(self.objective),
            "offset": str(self.offset),
            "is_least": self.is_least,
        }

    @staticmethod
    def read(fields: Fields) -> Linear:
        objective = fields.any("objective")
        return Linear(
            [
                (_bound(lower), _bound(upper), whole is True)
                for lower, upper, whole in map(_list, fields.list("variables"))
            ],
            [
                Row(_bound(lower), _bound(upper), _read_terms(terms))
                for lower, upper, terms in map(_list, fields.list("rows"))
            ],
            None if objective is None else _read_terms(objective),
            Fraction(fields.text("offset")),
            fields.truth("is_least"),
        )


def _text(number: Bound) -> str | None:
    return None if number is None else str(number)


def _terms(terms: Mapping[int, Fraction]) -> list[Json]:
    return [[index, str(weight)] for index, weight in terms.items()]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _bound(value: object) -> Bound:
    return None if value is None else Fraction(str(value))


def _read_terms(value: object) -> dict[int, Fraction]:
    return {int(str(index)): Fraction(str(weight)) for index, weight in map(_list, _list(value))}
