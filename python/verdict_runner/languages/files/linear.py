"""A mixed-integer linear model as stated in a file, with the line of each row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from verdict_runner.languages.files.fault import broken
from verdict_runner.languages.files.numbers import INFINITE

Terms: TypeAlias = "dict[int, Fraction]"
Bound: TypeAlias = "Fraction | None"
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass
class Column:
    """A variable; unnamed variables are auxiliary and not shown."""

    name: str
    lower: Bound = ZERO
    upper: Bound = None
    is_whole: bool = False


@dataclass
class Row:
    name: str
    line: int
    lower: Bound
    upper: Bound
    terms: Terms


@dataclass
class Linear:
    columns: list[Column] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    # The objective; None for a file without one.
    objective: Terms | None = None
    constant: Fraction = ZERO
    is_least: bool = True
    notes: list[str] = field(default_factory=list)

    def column(self, name: str, *, lower: Bound = ZERO, upper: Bound = None, is_whole: bool = False) -> int:
        """Adds a variable and returns its index."""
        self.columns.append(Column(name, lower, upper, is_whole))
        return len(self.columns) - 1

    def truth(self, name: str = "") -> int:
        """Adds a variable that is 0 or 1, and returns its index."""
        return self.column(name, upper=ONE, is_whole=True)

    def row(
        self, name: str, line: int, terms: Mapping[int, Fraction], lower: Bound = None, upper: Bound = None
    ) -> None:
        no_lower, no_upper = lower is None or lower <= -INFINITE, upper is None or upper >= INFINITE
        self.rows.append(Row(name, line, None if no_lower else lower, None if no_upper else upper, dict(terms)))

    def zero_or_within(self, index: int, line: int) -> None:
        """Allows a variable to be 0 or within its bounds; raises `Refused` unless it has both bounds."""
        column, on = self.columns[index], self.truth()
        lower, upper = column.lower, column.upper
        if lower is None or upper is None:
            raise broken(
                line, f"The semi-continuous variable {column.name} needs two bounds.", ["write both as numbers"]
            )
        self.row(column.name, line, {index: ONE, on: -upper}, upper=ZERO)
        self.row(column.name, line, {index: ONE, on: -lower}, lower=ZERO)
        column.lower, column.upper = min(lower, ZERO), max(upper, ZERO)


def plus(terms: Terms, more: Iterable[tuple[int, Fraction]]) -> None:
    """Adds terms to a sum."""
    for index, weight in more:
        terms[index] = terms.get(index, ZERO) + weight
