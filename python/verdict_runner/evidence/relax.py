"""By how much comparisons must give so that a problem has a solution: the least sum of whole amounts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.protocol.messages import Json

# More than this is not looked for.
AMOUNT_MAX = 1_000_000_000


@dataclass(frozen=True)
class Relaxed:
    """The answer: `Relaxed` in `languages/python/explain/why.ts`. No amounts where none were found, or have no meaning."""

    least: Sequence[int] | None = None
    # Whether the sum is proved to be the least.
    proved: bool = False

    def data(self) -> Mapping[str, Json]:
        return {} if self.least is None else {"least": list(self.least), "proved": self.proved}


def least(find: Callable[[int], Sequence[int] | None]) -> Relaxed:
    """The least amounts, by halves; `find` gives amounts with at most this sum, None if there are none, or `OutOfTime`."""
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
