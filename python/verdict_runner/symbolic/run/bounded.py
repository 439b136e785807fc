"""Limits the time of the code under test, inside its process, in processor time or by the clock."""

from __future__ import annotations

import signal


class TooLong(BaseException):
    """Raised if the code takes more time than allowed."""


# A program can catch every exception and continue, so the alarm is repeated after this many seconds.
AGAIN_SECONDS = 0.05
_armed = False
_has_rung = False


def warm() -> None:
    """Installs the alarm; on systems without alarms, such as Windows, only the job's deadline applies."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, _ring)
        signal.signal(signal.SIGALRM, _ring)


def _ring(*_: object) -> None:
    global _has_rung
    if _armed:
        _has_rung = True
        raise TooLong


class bounded:
    """Raises `TooLong` in code that takes longer than the given time, and again at its end.

    The code can catch the first one, or drop it by a `return` in a `finally` clause. What it does afterwards
    differs from what it would do without a limit.
    """

    def __init__(self, seconds: float, by_clock: bool = False) -> None:
        self._seconds = seconds
        self._by_clock = by_clock

    def __enter__(self) -> None:
        global _armed, _has_rung
        _armed, _has_rung = True, False
        self._set(self._seconds, AGAIN_SECONDS)

    def __exit__(self, _: object, error: BaseException | None, *__: object) -> None:
        global _armed
        _armed = False
        self._set(0, 0)
        if _has_rung:
            raise TooLong from error

    def _set(self, first: float, again: float) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL if self._by_clock else signal.ITIMER_PROF, first, again)
