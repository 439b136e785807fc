"""Reads numbers in files exactly as written: a decimal becomes a fraction, not the nearest float."""

from __future__ import annotations

import re
from fractions import Fraction

# Limits on digits and exponents: no model needs numbers beyond the range of floats, and expanding a large exponent
# would exhaust the memory.
DIGITS_MAX, EXPONENT_MAX = 150, 150
# LP solvers treat a bound of this size as infinite.
INFINITE = 10**20
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eEdD]([+-]?\d{1,9}))?")
_ENDLESS = {"inf": 1, "infinity": 1, "infinite": 1}


def number(text: str) -> Fraction | None:
    """Reads a finite number; None if the text is not one."""
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > DIGITS_MAX:
        return None
    mantissa, exponent = match.groups()
    power = int(exponent or 0)
    if abs(power) > EXPONENT_MAX:
        return None
    value = Fraction(mantissa)
    return value * 10**power if power >= 0 else value / 10**-power


def limit(text: str) -> tuple[Fraction | None, int] | None:
    """Reads a bound: a number, or None with the sign of the infinity. Returns None for text that is not a number."""
    sign = _ENDLESS.get(text.lstrip("+-").lower())
    if sign is not None:
        return None, -1 if text.startswith("-") else 1
    value = number(text)
    if value is None:
        return None
    return (None, 1 if value > 0 else -1) if abs(value) >= INFINITE else (value, 0)
