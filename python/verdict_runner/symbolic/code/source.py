"""Parses the code under test into a syntax tree, with one function for all analyses."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable
from typing import TypeGuard, TypeVar

from verdict_runner.symbolic.code import bounds, reach
from verdict_runner.symbolic.code.mentions import named

_Node = TypeVar("_Node", bound=ast.AST)
NEWLINE = "\n"
IS_MAIN = ("__name__ == '__main__'", "'__main__' == __name__")


def dedented(text: str) -> str:
    """Moves a text to the left if all of it is indented.

    Other texts are left unchanged: `textwrap.dedent` would remove the blanks in empty lines, even inside strings.
    """
    at_left = any(line[:1].strip() for line in text.split("\n"))
    return text if at_left else textwrap.dedent(text)


def below(newer: str, text: str) -> str:
    """Shifts a text so that its lines follow those of its newer version, and line numbers are unique."""
    return NEWLINE * (newer.count(NEWLINE) + 1) + dedented(text) if newer else dedented(text)


def both(newer: str, text: str) -> str:
    """Combines the newer version and the shifted text into one text with the same line numbers."""
    return f"{newer}{text.removeprefix(NEWLINE * newer.count(NEWLINE))}"


def parsed(text: str, name: str, reads_bounds: bool = True) -> ast.Module:
    """Parses a text; raises whatever `ast.parse` raises.

    The tree omits code that runs only in a main program, and contains bounds stated with libraries as preconditions.
    """
    tree = ast.parse(dedented(text), name)
    tree = bounds.read(tree) if reads_bounds else tree
    # The code inside a `__main__` block can't be the reason why the block runs.
    others = [
        node for each in tree.body for part in (each.orelse if _is_main(each) else [each]) for node in ast.walk(part)
    ]
    if not any(_may_rename(node) for node in others):
        tree.body = [statement for each in tree.body for statement in (each.orelse if _is_main(each) else [each])]
    return tree


def reached(tree: ast.Module, roots: Iterable[str]) -> ast.Module:
    """Returns the module with only the statements that functions and classes with these names reach."""
    return ast.Module(reach.split(tree, [each.partition(".")[0] for each in roots])[0], [])


def copied(node: _Node) -> _Node:
    """A copy of code; `copy.deepcopy` takes several times as long."""
    return type(node)(**{name: _copied(value) for name, value in vars(node).items()})


def _copied(value: object) -> object:
    if isinstance(value, list):
        return [*map(_copied, value)]
    return copied(value) if isinstance(value, ast.AST) else value


def _is_main(statement: ast.stmt) -> TypeGuard[ast.If]:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in IS_MAIN


def _may_rename(node: ast.AST) -> bool:
    """Whether the code can change the module's name, after which a `__main__` block could run."""
    if isinstance(node, ast.Name):
        return node.id == "globals" or (node.id == "__name__" and not isinstance(node.ctx, ast.Load))
    return "__name__" in named(node)


def undefined(tree: ast.AST, known: Iterable[str]) -> list[str]:
    """Returns the names that the code reads although neither the code nor Python defines them."""
    read, bound = set(), set(known)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read.add(node.id)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
        else:
            bound.update(named(node))
    return sorted(read - bound)
