"""Corrects integer comparisons that PySAT 1.9.dev17 loses, and rejects constraints used as Python conditions.

PySAT shifts a strict comparison's bound by one float step, which is lost when a constant is added; `3 * x > 0` then
allows 0. Therefore, `x < 3` becomes `x <= 2` here. For two variables, `x == y` compares the Python objects; the result
is False, which `add_linear` ignores. Python considers comparisons and formulas true, so `x <= 1 and y >= 3` would leave
only `y >= 3`.
"""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING

from pysat import formula

from verdict_runner.languages import truth
from verdict_runner.refusal import Refused

if TYPE_CHECKING:
    from pysat.integer import IntegerEngine, LinearExpr

# The formula classes that are not lists of clauses.
FORMULAS = (
    formula.Atom,
    formula.And,
    formula.Or,
    formula.Neg,
    formula.Implies,
    formula.Equals,
    formula.XOr,
    formula.ITE,
)
COMPARISONS = ("__le__", "__ge__", "__lt__", "__gt__", "__eq__", "__ne__")
# What to write for `and`, `or`, `not` and `if`.
LOGIC = "a & b, a | b, ~a, a >> b of formulas, and one add_linear for each comparison of integers"


class Comparison(tuple[object, ...]):
    """A PySAT comparison of integers, which can't be used as a Python condition."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return truth.of_constraint(True, False, False, lambda: f"{self[0]} of integers", LOGIC)


def _truth(self: formula.Formula) -> bool:
    return truth.of_constraint(True, False, False, lambda: str(self), LOGIC)


def listen() -> None:
    """Replaces PySAT's comparisons and their Python truth values. Called once, before any program runs."""
    for kind in FORMULAS:
        kind.__bool__ = _truth
    try:
        from pysat import integer
    except (ImportError, AssertionError):
        return  # PySAT asserts that the packages that it needs are installed.
    integer.LinearExpr.__lt__ = _strict(lambda difference: difference <= -1)
    integer.LinearExpr.__gt__ = _strict(lambda difference: difference >= 1)
    for kind in (integer.LinearExpr, integer.AbsExpr, integer.Integer):
        for name in COMPARISONS:
            if name in vars(kind):
                setattr(kind, name, _compared(getattr(kind, name)))
    integer.IntegerEngine.add_linear = _stated(integer.IntegerEngine.add_linear)


def _compared(compare: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(compare)
    def comparing(self: object, other: object) -> object:
        result = compare(self, other)
        return Comparison(result) if isinstance(result, tuple) else result

    return comparing


def _strict(compared: Callable[[LinearExpr], object]) -> Callable[[LinearExpr, object], object]:
    """Converts a strict comparison of integers to a non-strict one."""

    def comparing(self: LinearExpr, other: object) -> object:
        difference = self - other
        if not all(map(_is_whole, (difference.const, *difference.terms.values()))):
            raise Refused(
                "PySAT compares integers correctly by < and > only if the coefficients are integers: rounding loses this bound.",
                [
                    "multiply the comparison so that all its numbers are integers",
                    "or write <= or >= with the next value",
                ],
            )
        return compared(difference)

    return comparing


def _stated(add: Callable[..., object]) -> Callable[..., object]:
    """Adds a constraint; raises `Refused` for a Python truth value, since it is not a constraint."""

    @functools.wraps(add)
    def adding(self: IntegerEngine, constr: object, *arguments: object, **options: object) -> object:
        parts = constr if isinstance(constr, (list, tuple)) else [constr]
        if any(isinstance(each, bool) for each in parts):
            raise Refused(
                "A comparison of PySAT integers is a plain Python bool here, not a constraint: "
                "x == y asks whether both are the same variable.",
                ["write x.as_expr() == y.as_expr(), or engine.add_equal(x, y)", "or state the difference: x - y == 0"],
            )
        return add(self, constr, *arguments, **options)

    return adding


def _is_whole(number: object) -> bool:
    return isinstance(number, (numbers.Real, Decimal)) and number % 1 == 0
