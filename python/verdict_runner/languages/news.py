"""Reports better solutions during the search: the first one immediately, later ones occasionally, and the last one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

# The number of seconds between two reports is a share of the search time so far, within these bounds.
GAP_SHARE, GAP_SECONDS_MIN, GAP_SECONDS_MAX = 0.05, 0.05, 1.0


class _Better(NamedTuple):
    value: float
    # A bound on the objective, if the engine knows one.
    bound: float | None
    at_seconds: float


class News:
    """Records solutions and when they were found. A program can search several times, so searches are numbered."""

    def __init__(self, say: Callable[[object], bool]) -> None:
        self._say = say
        self._begun = self._due = time.monotonic()
        self._search = 0
        self._untold: _Better | None = None

    def begin(self) -> None:
        """Starts another search."""
        self.finish()
        self._search += 1
        self._begun = time.monotonic()

    def tell(self, value: float, bound: float | None = None) -> None:
        """Reports a better solution immediately, or later if another one was just reported."""
        now = time.monotonic()
        self._untold = _Better(value, bound, now)
        if now >= self._due:
            self.finish()

    def finish(self) -> None:
        """Reports the last solution if it has not been reported."""
        better, self._untold = self._untold, None
        if better is None:
            return
        now = time.monotonic()
        self._due = now + min(max(GAP_SECONDS_MIN, GAP_SHARE * (now - self._begun)), GAP_SECONDS_MAX)
        message = {
            "incumbent": better.value,
            "search": self._search,
            "seconds": round(better.at_seconds - self._begun, 1),
        }
        if better.bound is not None:
            message["bound"] = better.bound
        if now > better.at_seconds:
            message["ago_seconds"] = round(now - better.at_seconds, 3)
        self._say(message)
