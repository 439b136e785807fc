"""The model's last solution as the starting point of the next search.

A hint only guides a search: no answer depends on it, and no second process receives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from verdict_runner.protocol.runner import Task

Number: TypeAlias = "int | Fraction"


def of(task: Task) -> Mapping[str, object]:
    """The values with which a program's searches start; empty if there are none."""
    hint = (task.request or {}).get("hint")
    return hint if isinstance(hint, dict) else {}


def numbers(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Number]]:
    """The numbers and truth values in a value of an answer, each with its path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            # The key of a pair is shown as `(0, 1)`.
            yield from numbers(each, (*path, *re.sub(r"[()' ]", "", str(key)).split(",")))
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(value):
            yield from numbers(each, (*path, str(index)))
    elif (number := _number(value)) is not None:
        yield path, number


def _number(value: object) -> Number | None:
    if isinstance(value, int):
        return int(value)
    # Answers show fractions and large integers as text.
    if not (isinstance(value, str) and re.fullmatch(r"-?\d{1,400}(/[1-9]\d{0,399})?", value)) and not (
        isinstance(value, float) and abs(value) < float("inf")
    ):
        return None
    number = Fraction(value)
    return number.numerator if number.denominator == 1 else number


def by_name(values: Mapping[str, object]) -> dict[str, Number]:
    """The same by the usual names of solver variables: `x[0,1]`, `x[0][1]`, `x_0_1`, `x__0`, and `x0`."""
    named: dict[str, Number] = {}
    for name, value in values.items():
        for path, number in numbers(value):
            joined = ",".join(path)
            names = [f"{name}[{joined}]", f"{name}[{joined.replace(',', '][')}]", "_".join((name, *path))]
            named.update(dict.fromkeys(names if path else [name], number))
            if len(path) == 1:
                named[name + path[0]] = named[f"{name}__{path[0]}"] = number
    return named
