"""Time limits for Z3."""

from __future__ import annotations

# Z3 loses a limit that ends while its check begins, and then runs without one. On a busy machine this happened to
# one check in 1,000 of Z3 5.4 with a limit of 1 or 2 ms, and to none of 5,800 of Z3 5.1 with 4 to 35 ms.
LIMIT_MS_MIN = 50


def limit_ms(seconds: float) -> int:
    """The limit of a check in milliseconds, which is never so short that Z3 could lose it."""
    return max(LIMIT_MS_MIN, int(seconds * 1000))
