"""The values of a program's variables, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from cpmpy.expressions.variables import _NumVarImpl

from verdict_runner.languages.cpmpy.run import Solved

# Names that CPMpy gives by itself to variables without one, and to its own.
AUTOMATIC = ("IV", "BV")


def values_of(solved: Solved) -> dict[str, int]:
    """The values of the author's variables, by name."""
    # PySAT's solver puts its own truth values in the place of numbers.
    own = () if solved.backend.name == "pysat" else solved.solver.user_vars
    named = {each.name: each for each in (*own, *solved.noted.variables.all)}
    return {name: int(each.value()) for name, each in named.items() if each.value() is not None}


def value_of(variable: _NumVarImpl, numbers: Mapping[str, int]) -> int | None:
    """A variable that is fixed has a value without being part of the model."""
    return numbers.get(variable.name, int(variable.lb) if variable.lb == variable.ub else None)


def as_lists(value: Any) -> Any:  # noqa: ANN401
    """Arrays as lists, whatever they are in."""
    if isinstance(value, dict):
        return {key: as_lists(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_lists(each) for each in value]
    return as_lists(value.tolist()) if isinstance(value, np.ndarray) else value
