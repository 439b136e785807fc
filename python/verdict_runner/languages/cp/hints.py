"""The model's last solution as a start for the next search.

A hint only guides a search: no answer depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


def numbers(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], int]]:
    """The integers and truth values in a value of an answer, each with its path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            # The key of a pair is shown as `(0, 1)`.
            yield from numbers(each, (*path, *re.sub(r"[()' ]", "", str(key)).split(",")))
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(value):
            yield from numbers(each, (*path, str(index)))
    elif isinstance(value, int):
        yield path, int(value)


def by_name(values: Mapping[str, object]) -> dict[str, int]:
    """The same by the usual names of solver variables: `x[0,1]`, `x[0][1]`, `x_0_1`, and `x0` for a single index."""
    named: dict[str, int] = {}
    for name, value in values.items():
        for path, number in numbers(value):
            joined = ",".join(path)
            names = [f"{name}[{joined}]", f"{name}[{joined.replace(',', '][')}]", "_".join((name, *path))]
            named.update(dict.fromkeys(names if path else [name], number))
            if len(path) == 1:
                named[name + path[0]] = number
    return named


def give(model: cp_model.CpModel, values: Iterable[tuple[int, int]]) -> None:
    """Adds values by the index of a variable, unless the author gave a hint for it or its domain ends before the value."""
    hint = model.proto.solution_hint
    known = set(hint.vars)
    for index, value in values:
        domain = list(model.proto.variables[index].domain)
        if index in known or not domain or not domain[0] <= value <= domain[-1]:
            continue
        known.add(index)
        hint.vars.append(index)
        hint.values.append(value)
