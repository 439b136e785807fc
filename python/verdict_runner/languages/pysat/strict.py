"""Comparisons of PySAT's integers that PySAT 1.9.dev17 loses.

It moves the bound of a strict one by the least step of a float, which is lost where it adds a constant to it: `3 * x > 0` then allows
0. So `x < 3` is `x <= 2` here. `x == y` of two variables compares the objects in Python: it is False, and `add_linear` takes that for no
constraint.
"""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING

from verdict_runner.refusal import Refused

if TYPE_CHECKING:
    from pysat.integer import IntegerEngine, LinearExpr


def listen() -> None:
    """Replaces the comparisons. Called once, before any program."""
    try:
        from pysat import integer
    except (ImportError, AssertionError):
        return  # PySAT asserts that the packages that it needs are installed.
    integer.LinearExpr.__lt__ = _strict(lambda difference: difference <= -1)
    integer.LinearExpr.__gt__ = _strict(lambda difference: difference >= 1)
    integer.IntegerEngine.add_linear = _stated(integer.IntegerEngine.add_linear)


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


def _stated(add: Callable[..., object]) -> Callable[..., object]:
    """Adds a constraint; raises `Refused` for a truth value of Python's, which is none."""

    @functools.wraps(add)
    def adding(self: IntegerEngine, constr: object, *arguments: object, **options: object) -> object:
        parts = constr if isinstance(constr, (list, tuple)) else [constr]
        if any(isinstance(each, bool) for each in parts):
            raise Refused(
                "A comparison of PySAT's integers is a plain truth value of Python here, and no constraint: x == y asks whether both are the same variable.",
                ["write x.as_expr() == y.as_expr(), or engine.add_equal(x, y)", "or state the difference: x - y == 0"],
            )
        return add(self, constr, *arguments, **options)

    return adding


def _is_whole(number: object) -> bool:
    return isinstance(number, (numbers.Real, Decimal)) and number % 1 == 0
