"""Finds the integer amounts with the smallest sum by which comparisons must be relaxed to obtain a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.protocol.messages import Json

# The maximum sum of amounts that is searched for.
AMOUNT_MAX = 1_000_000_000


@dataclass(frozen=True)
class Relaxed:
    """The answer: `Relaxed` in `languages/python/explain/why.ts`.

    The amounts are missing if none were found or none make sense.
    """

    least: Sequence[int] | None = None
    # Whether the sum is proved minimal.
    proved: bool = False

    def data(self) -> Mapping[str, Json]:
        return {} if self.least is None else {"least": list(self.least), "proved": self.proved}


def least(find: Callable[[int], Sequence[int] | None]) -> Relaxed:
    """Minimises the sum by bisection; `find` returns amounts within this sum or None, or raises `OutOfTime`."""
    found: Sequence[int] | None = None
    low, high = 0, AMOUNT_MAX
    try:
        while low <= high:
            amounts = find(high if found is None else (low + high) // 2)
            if amounts is None:
                if found is None:
                    return Relaxed()
                low = (low + high) // 2 + 1
            else:
                found, high = amounts, sum(amounts) - 1
    except OutOfTime:
        return Relaxed(found)
    return Relaxed(found, proved=True)
