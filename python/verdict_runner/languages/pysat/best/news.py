"""Tells better solutions on their way, a few of them a second."""

from __future__ import annotations

import time
from collections.abc import Callable

# Between two of them.
NEWS_SECONDS = 0.3


class News:
    """The costs that were told, and when."""

    def __init__(self, say: Callable[[object], bool]) -> None:
        self._say = say
        self._begin = self._last = time.monotonic()

    def tell(self, cost: float) -> None:
        """Tells the cost of a better solution, if the last one was not told just now."""
        now = time.monotonic()
        if now - self._last >= NEWS_SECONDS:
            self._last = now
            self._say({"incumbent": cost, "seconds": round(now - self._begin, 1)})
