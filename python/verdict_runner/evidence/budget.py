"""How long a check may take: the one rule for all forms.

An engine that answered is asked once more in all of the time that is left. One of another kind gets a share of the time that solving
took, since its word is an addition; all of the time where the call asks for it.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import signal
import time
from collections.abc import Iterator

# A second engine gets this share of the time that solving took, and this much at least.
SHARE, SECONDS_MIN = 0.1, 0.2
# On a busy machine this is processor time: by the clock it may take this many times longer.
TIMES_LONGER_MAX = 10
# Having had so much of its share, it is not asked again.
ENOUGH = 0.8
# For the first engine, once more, so much of the time is kept: the time that it took and as much again, and this share at most.
AGAIN_TIMES, AGAIN_SHARE = 2.0, 0.5
# What is kept of the job's time for saying what was found.
ANSWER_SECONDS = 0.1
# Engines that keep their own time get so much more before the alarm.
ALARM_SECONDS = 0.1
# Z3 loses a limit that ends while its check begins, and then runs without one. On a busy machine this happened to
# one check in 1,000 of Z3 5.4 with a limit of 1 or 2 ms, and to none of 5,800 of Z3 5.1 with 4 to 35 ms.
LIMIT_MS_MIN = 50


class OutOfTime(Exception):
    """The time of a check is over."""


def second(solving_seconds: float, is_asked: bool, least: float = SECONDS_MIN) -> float:
    """Seconds for an engine of another kind."""
    return math.inf if is_asked else max(least, SHARE * solving_seconds)


def kept_for_first(solving_seconds: float, until: float) -> float:
    """Seconds that are kept for the engine which answered, once more."""
    return min(AGAIN_SHARE * (until - time.monotonic()), AGAIN_TIMES * solving_seconds + SECONDS_MIN)


def limit_ms(seconds: float) -> int:
    """The limit of a check by Z3 in milliseconds, which is never so short that Z3 could lose it."""
    return max(LIMIT_MS_MIN, int(seconds * 1000))


def left_ms(until: float) -> int:
    """The same for a check that ends at this moment; raises `OutOfTime` from then on."""
    left = until - time.monotonic()
    if left <= 0:
        raise OutOfTime
    return limit_ms(left)


@contextlib.contextmanager
def bounded(until: float) -> Iterator[None]:
    """Raises `OutOfTime` in here soon after this moment, if the system has alarms: building formulas takes time, too."""
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
        # What the alarm raises while ctypes takes an argument becomes this.
        if time.monotonic() < until:
            raise
        raise OutOfTime from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
