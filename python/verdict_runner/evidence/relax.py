"""By how much comparisons must be relaxed for a problem to have a solution: the smallest sum of integer amounts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.protocol.messages import Json

# The largest sum searched for.
AMOUNT_MAX = 1_000_000_000


@dataclass(frozen=True)
class Relaxed:
    """The answer: `Relaxed` in `languages/python/explain/why.ts`. No amounts if none were found or they have no meaning."""

    least: Sequence[int] | None = None
    # Whether the sum is proved minimal.
    proved: bool = False

    def data(self) -> Mapping[str, Json]:
        return {} if self.least is None else {"least": list(self.least), "proved": self.proved}


def least(find: Callable[[int], Sequence[int] | None]) -> Relaxed:
    """The smallest amounts, by bisection; `find` returns amounts with at most this sum or None, or raises `OutOfTime`."""
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
