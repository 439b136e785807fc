"""Defines how long a check may take, for all forms.

The engine that answered is asked once more and gets all the remaining time. A different engine gets a share of the
solving time, since its answer is only an additional confirmation. If the call requests this confirmation, the different
engine gets all of the time.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import signal
import time
from collections.abc import Iterator

# A second engine gets this share of the solving time, but at least this many seconds.
SHARE, SECONDS_MIN = 0.1, 0.2
# A second engine's share is measured in processor time; on a busy machine, wall-clock time may be this many times
# longer.
TIMES_LONGER_MAX = 10
# A second engine that has used this much of its share is not asked again.
ENOUGH = 0.8
# The time reserved for asking the first engine again: twice the time it took, but at most this share of the remaining
# time.
AGAIN_TIMES, AGAIN_SHARE = 2.0, 0.5
# The time reserved for reporting the result.
ANSWER_SECONDS = 0.1
# Engines that enforce their own time limit get this much extra time before the alarm.
ALARM_SECONDS = 0.1
# Z3 loses a limit that expires while its check starts, and then runs without one. On a busy machine this happened to
# one check in 1,000 of Z3 5.4 with a limit of 1 or 2 ms, and to none of 5,800 of Z3 5.1 with 4 to 35 ms.
LIMIT_MS_MIN = 50


class OutOfTime(Exception):
    """Raised when the time for a check is over."""


def second(solving_seconds: float, is_asked: bool, least: float = SECONDS_MIN) -> float:
    """The number of seconds that a different engine gets."""
    return math.inf if is_asked else max(least, SHARE * solving_seconds)


def kept_for_first(solving_seconds: float, until: float) -> float:
    """The number of seconds reserved for asking the answering engine once more."""
    return min(AGAIN_SHARE * (until - time.monotonic()), AGAIN_TIMES * solving_seconds + SECONDS_MIN)


def limit_ms(seconds: float) -> int:
    """The time limit of a Z3 check in milliseconds, never so short that Z3 could lose it."""
    return max(LIMIT_MS_MIN, int(seconds * 1000))


def left_ms(until: float) -> int:
    """The time limit in milliseconds of a Z3 check that must end at `until`; raises `OutOfTime` after that."""
    left = until - time.monotonic()
    if left <= 0:
        raise OutOfTime
    return limit_ms(left)


@contextlib.contextmanager
def bounded(until: float) -> Iterator[None]:
    """Raises `OutOfTime` in the block soon after `until` if the system has alarms: building formulas can be slow."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def over(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, until - time.monotonic() + ALARM_SECONDS))
    try:
        yield
    except ctypes.ArgumentError:
        # ctypes replaces the alarm's exception with `ArgumentError` if it is raised during an argument conversion.
        if time.monotonic() < until:
            raise
        raise OutOfTime from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
