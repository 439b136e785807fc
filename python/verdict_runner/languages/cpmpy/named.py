"""Looks up the values of a program's variables by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from cpmpy.expressions.variables import _NumVarImpl

from verdict_runner.languages.cpmpy.run import Solved

# Prefixes of names that CPMpy generates for unnamed variables and for auxiliary ones.
AUTOMATIC = ("IV", "BV")


def variables_of(solved: Solved) -> dict[str, _NumVarImpl]:
    """The author's variables in a solve, by name."""
    # CPMpy's PySAT solver replaces integers with its own truth values.
    own = () if solved.backend.name == "pysat" else solved.solver.user_vars
    return {each.name: each for each in (*own, *solved.noted.variables.all)}


def values_of(solved: Solved) -> dict[str, int]:
    """The values of the author's variables, by name."""
    return {name: int(each.value()) for name, each in variables_of(solved).items() if each.value() is not None}


def value_of(variable: _NumVarImpl, numbers: Mapping[str, int]) -> int | None:
    """The value of a variable; a fixed variable has a value even if it is not part of the model."""
    return numbers.get(variable.name, int(variable.lb) if variable.lb == variable.ub else None)


def row_of(solved: Solved) -> list[int] | None:
    """The values of all variables, in the order of their numbers; None if a variable has no value."""
    known = [value_of(each, solved.values) for each in solved.noted.variables.all]
    values = [each for each in known if each is not None]
    return values if len(values) == len(known) else None


def as_lists(value: Any) -> Any:  # noqa: ANN401
    """Converts arrays to lists at any depth."""
    if isinstance(value, dict):
        return {key: as_lists(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_lists(each) for each in value]
    return as_lists(value.tolist()) if isinstance(value, np.ndarray) else value
