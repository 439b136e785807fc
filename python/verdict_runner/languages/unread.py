"""Finds data of a call that the program does not read, and numbers written out instead of the data."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

# The minimum number of digits in a reported number; a shorter number may occur by coincidence.
DIGITS_MIN = 2
# The maximum length of a program; longer ones take too long to parse again.
CHARS_MAX = 100_000


def unread(items: Sequence[str], data: Mapping[str, object], read: Collection[str]) -> dict[str, str]:
    """Reports each name in the data that the program did not read."""
    names = [name for name in data if name not in read]
    if not names or sum(map(len, items)) > CHARS_MAX:
        return {}
    try:
        trees = [ast.parse(text) for text in items]
    except SyntaxError:
        # The model is a file, not a program.
        return {}
    constants = [(i, node) for i, tree in enumerate(trees) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    found = {}
    for name in names:
        value = data[name]
        is_long = type(value) in (int, float) and len(str(abs(value)).replace(".", "")) >= DIGITS_MIN  # type: ignore[arg-type]
        same = [
            (i, node) for i, node in constants if is_long and type(node.value) is type(value) and node.value == value
        ]
        instead = f" Item {same[0][0]}, line {same[0][1].lineno} has its value {value} as a number." if same else ""
        found[name] = f"the program does not read data[{name!r}].{instead}"
    return found
