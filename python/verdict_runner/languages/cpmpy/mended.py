"""Fixes cases that CPMpy silently misinterprets: truth values, sums, and nested lists."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable
from typing import Any

import cpmpy as cp
import numpy as np
from cpmpy.expressions import python_builtins
from cpmpy.expressions.core import Comparison
from cpmpy.expressions.variables import NDVarArray

from verdict_runner.languages import truth

_LOGIC = "p & q, p | q, ~p, p.implies(q), cp.any([…]), cp.all([…]); an array of variables is cp.cpm_array([…])"


def mend() -> None:
    """Patches CPMpy; called once, before any program runs."""
    Comparison.__bool__ = _truth(Comparison.__bool__)
    cp.sum = python_builtins.sum = _sum(cp.sum)


def _truth(original: Callable[[Comparison], bool]) -> Callable[[Comparison], bool]:
    @functools.wraps(original)
    def truth_of(self: Comparison) -> bool:
        # CPMpy itself raises for other comparisons. CPMpy considers expressions with the same text equal.
        told = original(self)
        finds = not any(isinstance(each, numbers.Number) for each in self.args)
        return truth.of_constraint(told, told, finds, lambda: str(self), _LOGIC)

    return truth_of


def _sum(original: Callable[..., Any]) -> Callable[..., Any]:
    """Fixes the sum of a single-row array: CPMpy returns the row itself, but adds up all numbers of several rows."""

    @functools.wraps(original)
    def sum_of(iterable: Any, **options: object) -> Any:  # noqa: ANN401
        parts = tuple(iterable.flat if isinstance(iterable, np.ndarray) else iterable)
        if len(parts) == 1 and isinstance(parts[0], NDVarArray):
            parts = tuple(parts[0].flat)
        return original(parts, **options)

    return sum_of
