"""Bounds the processor time of what the code under test does, inside of its process."""

import signal


class TooLong(BaseException):
    """It took more time than it was given."""


# A program may catch everything and go on; it is told again after this many seconds.
AGAIN_SECONDS = 0.05
_armed = False


def warm():
    """Makes the alarm audible; where there is none, as on Windows, only the deadline of the job holds."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, _ring)


def _ring(*_):
    if _armed:
        raise TooLong


class bounded:
    """Raises `TooLong` in what takes longer than this."""

    def __init__(self, seconds):
        self._seconds = seconds

    def __enter__(self):
        global _armed
        _armed = True
        self._set(self._seconds, AGAIN_SECONDS)

    def __exit__(self, *_):
        global _armed
        _armed = False
        self._set(0, 0)

    def _set(self, first, again):
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, first, again)
