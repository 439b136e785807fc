"""Reads how a constraint added by a program excludes the last solution of an integer model."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence

from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.evidence.finite.meaning import Meaning, Node, Unknown
from verdict_runner.languages import searches
from verdict_runner.languages.searches import Excluded
from verdict_runner.protocol import values as json_values
from verdict_runner.protocol.messages import Json

# CP-SAT's bounds for an unbounded sum.
LEAST, MOST = -(2**63), 2**63 - 1


def excluded_by(
    before: Sequence[Node], now: Sequence[Node], values: Sequence[int] | None, until: float
) -> list[Excluded | None] | None:
    """Returns how the added constraints exclude the solution; None if others changed or this can't be determined."""
    if now == before:
        return []
    if values is None or now[: len(before)] != before:
        return None
    try:
        reader = _Reader(Meaning(values, until))
        return [reader.excluded(each) for each in now[len(before) :]]
    except (IndexError, OutOfTime, Unknown):
        return None


def value_at(term: Node, values: Sequence[int], until: float) -> Json:
    """The value of a term at a solution."""
    number = Meaning(values, until).number(term)
    return json_values.number(number) if isinstance(number, int) else None


class _Reader:
    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning

    def excluded(self, constraint: Node) -> Excluded | None:
        return None if self._meaning.truth(constraint) is True else searches.excluded(self, constraint)

    def shape(self, term: Node) -> tuple[str, Sequence[Node]]:
        if isinstance(term, int):
            return "", ()
        name, *parts = term
        if name == "in":
            return self._within(*parts)
        if name == "table" and len(parts[1]) == 1:
            return "and", [["==", part, value] for part, value in zip(parts[0], parts[1][0])]
        return ("literal", ()) if name == "v" else (name, parts[0] if name in ("and", "or") else parts)

    def _within(self, term: Node, domain: Sequence[int]) -> tuple[str, Sequence[Node]]:
        """Recognises a domain that excludes one number, or that contains all numbers on one side of a bound."""
        low, *gap, high = domain
        if low <= LEAST and high >= MOST and len(gap) == 2 and gap[1] - gap[0] == 2:
            return "!=", [term, gap[0] + 1]
        if gap or (low > LEAST) == (high < MOST):
            return "", ()
        return "<=", [term, high] if low <= LEAST else [low, term]

    def key(self, term: Node) -> Hashable:
        is_alone = term[0] == "linear" and term[1:] == [[1], term[2][:1]]
        return json.dumps(term[2][0] if is_alone else term)

    def is_constant(self, term: Node) -> bool:
        return isinstance(term, int)

    def is_truth(self, term: Node) -> bool:
        return term[0] in ("not", "and", "or")

    def is_next(self, term: Node, bound: Node, is_larger: bool, is_strict: bool) -> bool:
        return self._meaning.number(term) == bound + (0 if is_strict else -1 if is_larger else 1)

    def is_furthest(self, term: Node, is_larger: bool) -> bool:
        return term[0] == "linear" and searches.is_furthest(
            term[1], self._meaning.number(term) - sum(term[3:]), is_larger
        )

    def number(self, bound: Node) -> float | None:
        return float(bound)
