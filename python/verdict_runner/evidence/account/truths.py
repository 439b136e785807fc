"""Determines whether the variables' domains alone decide a condition."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import z3

from verdict_runner.evidence.account.stated import INFINITE
from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.evidence.defects import bounds
from verdict_runner.evidence.finite import terms
from verdict_runner.evidence.finite.meaning import Meaning, Node, Unknown
from verdict_runner.evidence.finite.search import model_of
from verdict_runner.evidence.finite.terms import Number, Truth

# The time limit for deciding one condition; afterwards it stays undecided.
SECONDS_EACH = 0.1


class Truths:
    """Asks Z3 about one condition at a time; for a bounded sum, the sum's range is enough."""

    def __init__(self, domains: Sequence[Sequence[Any]], until: float) -> None:
        self._domains = domains
        self._until = until
        self._variables: list[Number | Truth] = []

    def only(self, node: Node) -> bool | None:
        """The condition's truth value over the domains; None if it can be either or is undecided.

        Raises `OutOfTime`.
        """
        if time.monotonic() > self._until:
            raise OutOfTime
        if node[0] == "in" and self.is_sum(node[1]):
            return self._within(node[1], node[2])
        try:
            return next((truth for truth in (False, True) if self._is_never(node, not truth)), None)
        except (OutOfTime, Unknown, z3.Z3Exception):
            # For example, a fraction occurs among integers.
            return None

    def is_sum(self, node: Node) -> bool:
        return (
            isinstance(node, list)
            and node[0] in ("v", "neg", "linear")
            and all(self._domains[each] for each in variables(node))
        )

    def _within(self, node: Node, ranges: Sequence[Any]) -> bool | None:
        low, high = bounds(node, self._domains)
        ends = list(zip(ranges[::2], ranges[1::2]))
        if any(a <= low and high <= b for a, b in ends) and -INFINITE < low <= high < INFINITE:
            return True
        return False if all(high < a or b < low for a, b in ends) else None

    def _is_never(self, node: Node, truth: bool) -> bool:
        """Whether the condition never has this truth value. Raises `OutOfTime` and `Unknown`."""
        until = min(self._until, time.monotonic() + SECONDS_EACH)
        stated = Meaning(self._all(), until).truth(node if truth else ["not", node])
        if isinstance(stated, bool):
            return not stated
        solver = z3.Solver()
        solver.add(stated, *(each for index in {*variables(node)} for each in self._domain(index)))
        return model_of(solver, until) is None

    def _all(self) -> list[Number | Truth]:
        if not self._variables:
            self._variables = [
                z3.Bool(f"b{i}") if [*each] == [0, 1] else z3.Int(f"n{i}") for i, each in enumerate(self._domains)
            ]
        return self._variables

    def _domain(self, index: int) -> Iterator[Truth]:
        number, domain = self._all()[index], self._domains[index]
        if isinstance(number, z3.ArithRef):
            yield terms.within(number, domain) if len(domain) > 2 else True
            if domain[0] > -INFINITE:
                yield number >= domain[0]
            if domain[-1] < INFINITE:
                yield number <= domain[-1]


def variables(node: Node) -> Iterator[int]:
    """Yields the variables in a node, with repetitions."""
    waiting: list[Any] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            if len(each) == 2 and each[0] == "v":
                yield each[1]
            else:
                waiting += each
