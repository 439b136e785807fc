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
READERS = frozenset(["open", "read_csv", "read_excel", "loadtxt", "genfromtxt"])
# The names by which a program can read any data or call any reader.
READERS_OF_ANY = frozenset(["data", "globals", "locals", "getattr"])


def unread(items: Sequence[str], data: Mapping[str, object]) -> dict[str, str]:
    """Reports each name in the data that the program does not read; reports nothing if it may read all of the data."""
    if sum(map(len, items)) > CHARS_MAX:
        return {}
    try:
        trees = [ast.parse(text) for text in items]
    except SyntaxError:
        # The model is a file, not a program.
        return {}
    names = [_names_read(tree) for tree in trees]
    if None in names:
        return {}
    named = {each for some in names for each in some or ()}
    constants = [(i, node) for i, tree in enumerate(trees) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
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


def _names_read(tree: ast.AST) -> set[object] | None:
    """Returns the names of the data that the program reads; None if it may read any.

    A name is read by `data["name"]`, by `data.get("name")`, or by a file reader called with a literal file name. A
    string in any other place, such as a column's name in `row["name"]`, reads no data.
    """
    names = set[object]()
    known = set[ast.AST]()
    stored = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    kept = READERS_OF_ANY | (READERS - stored)
    for node in ast.walk(tree):
        match node:
            case (
                ast.Subscript(value=ast.Name(id="data") as base, slice=ast.Constant(value=name))
                | ast.Call(
                    func=ast.Attribute(value=ast.Name(id="data") as base, attr="get"),
                    args=[ast.Constant(value=name), *_],
                )
            ):
                known.add(base)
                names.add(name)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in READERS:
                match node.args:
                    case [ast.Constant(value=str(path)), *_]:
                        names.add(name_of(path))
                    case [ast.Call(func=ast.Name(id="open")), *_]:
                        pass
                    case _:
                        return None
                known.add(node.func)
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name, asname=str()) if name in kept:
                if node not in known:
                    return None
            case _:
                pass
    return names
