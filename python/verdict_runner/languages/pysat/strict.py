"""Strict comparisons of PySAT's integers: `x < 3` as `x <= 2`.

PySAT 1.9.dev17 moves the bound by the least step of a float, which is lost where it adds a constant to it: `3 * x > 0` then allows 0.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING

from verdict_runner.refusal import Refused

if TYPE_CHECKING:
    from pysat.integer import LinearExpr


def listen() -> None:
    """Replaces the two comparisons. Called once, before any program."""
    try:
        from pysat import integer
    except (ImportError, AssertionError):
        return  # PySAT asserts that the packages that it needs are installed.
    integer.LinearExpr.__lt__ = _strict(lambda difference: difference <= -1)
    integer.LinearExpr.__gt__ = _strict(lambda difference: difference >= 1)


def _strict(compared: Callable[[LinearExpr], object]) -> Callable[[LinearExpr, object], object]:
    """A comparison of whole numbers: there is none between two of them."""

    def comparing(self: LinearExpr, other: object) -> object:
        difference = self - other
        if not all(map(_is_whole, (difference.const, *difference.terms.values()))):
            raise Refused(
                "PySAT's integers are compared by < and > with whole coefficients only: it loses such a bound in rounding.",
                ["multiply the comparison so that all its numbers are whole", "or write <= or >= with the next value"],
            )
        return compared(difference)

    return comparing


def _is_whole(number: object) -> bool:
    return isinstance(number, (numbers.Real, Decimal)) and number % 1 == 0
