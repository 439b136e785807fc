"""Finds data of a call that the program does not read, and numbers written out instead of the data."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from verdict_runner.sandbox.handed import name_of

# The minimum number of digits in a reported number; a shorter number may occur by coincidence.
DIGITS_MIN = 2
# The maximum length of a program; longer ones take too long to parse again.
CHARS_MAX = 100_000
# The functions that read a file by its name.
READERS = frozenset(["open", "read_csv", "read_excel", "loadtxt"])


def unread(items: Sequence[str], data: Mapping[str, object]) -> dict[str, str]:
    """Reports each name in the data that the program never mentions; reports nothing if it may read all of the data."""
    if sum(map(len, items)) > CHARS_MAX:
        return {}
    try:
        trees = [ast.parse(text) for text in items]
    except SyntaxError:
        # The model is a file, not a program.
        return {}
    if any(_takes_all(tree) for tree in trees):
        return {}
    constants = [(i, node) for i, tree in enumerate(trees) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    named = {each for _, node in constants if isinstance(node.value, str) for each in (node.value, name_of(node.value))}
    found = {}
    for name, value in data.items():
        if name in named:
            continue
        is_long = type(value) in (int, float) and len(str(abs(value)).replace(".", "")) >= DIGITS_MIN  # type: ignore[arg-type]
        same = [
            (i, node) for i, node in constants if is_long and type(node.value) is type(value) and node.value == value
        ]
        instead = f" Item {same[0][0]}, line {same[0][1].lineno} has its value {value} as a number." if same else ""
        found[name] = f"the program does not read data[{name!r}].{instead}"
    return found


def _takes_all(tree: ast.AST) -> bool:
    """Whether the program may read any name in the data.

    A program may read any name if it uses `data` in a form other than `data["name"]` or `data.get("name")`. The same
    holds if it calls a file reader with anything other than a literal name or `open`.
    """
    of_names = 0
    readers = READERS.difference(
        each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id="data"), slice=ast.Constant()):
                of_names += 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id="data"), attr="get"), args=[ast.Constant(), *_]):
                of_names += 1
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name),
                args=[ast.Constant() | ast.Call(func=ast.Name(id="open")), *_],
            ) if name in readers:
                of_names += 1
            case ast.Name(id="data"):
                of_names -= 1
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name, asname=str()) if name in readers:
                of_names -= 1
            case _:
                pass
    return of_names < 0
