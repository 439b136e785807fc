"""The syntax tree of the code under test: one function parses it for all analyses."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable
from typing import TypeGuard

from verdict_runner.symbolic.code import bounds, reach
from verdict_runner.symbolic.code.mentions import named

NEWLINE = "\n"
IS_MAIN = ("__name__ == '__main__'", "'__main__' == __name__")


def dedented(text: str) -> str:
    """The text, moved to the left if all of it is indented. A text that is not stays as it is: `textwrap.dedent` would
    take the blanks out of empty lines, also of those inside of a string.
    """
    at_left = any(line[:1].strip() for line in text.split("\n"))
    return text if at_left else textwrap.dedent(text)


def below(newer: str, text: str) -> str:
    """A text whose lines follow those of a newer version of it: then no line is one of both."""
    return NEWLINE * (newer.count(NEWLINE) + 1) + dedented(text) if newer else dedented(text)


def both(newer: str, text: str) -> str:
    """Both of these, as one text with these lines."""
    return f"{newer}{text.removeprefix(NEWLINE * newer.count(NEWLINE))}"


def parsed(text: str, name: str, reads_bounds: bool = True) -> ast.Module:
    """The tree of a text, without the code that runs only in a main program, and with the bounds that libraries state as
    preconditions; raises what `ast.parse` raises.
    """
    tree = ast.parse(dedented(text), name)
    tree = bounds.read(tree) if reads_bounds else tree
    # The code in such a block can't be the reason why it runs.
    others = [
        node for each in tree.body for part in (each.orelse if _is_main(each) else [each]) for node in ast.walk(part)
    ]
    if not any(_may_rename(node) for node in others):
        tree.body = [statement for each in tree.body for statement in (each.orelse if _is_main(each) else [each])]
    return tree


def reached(tree: ast.Module, roots: Iterable[str]) -> ast.Module:
    """The module with only those of its statements that functions and classes of these names reach."""
    return ast.Module(reach.split(tree, [each.partition(".")[0] for each in roots])[0], [])


def _is_main(statement: ast.stmt) -> TypeGuard[ast.If]:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in IS_MAIN


def _may_rename(node: ast.AST) -> bool:
    """Whether the code can change the module's name, after which such a block could run."""
    if isinstance(node, ast.Name):
        return node.id == "globals" or (node.id == "__name__" and not isinstance(node.ctx, ast.Load))
    return "__name__" in named(node)


def undefined(tree: ast.AST, known: Iterable[str]) -> list[str]:
    """Names that the code reads, and that neither it nor Python defines."""
    read, bound = set(), set(known)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read.add(node.id)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
        else:
            bound.update(named(node))
    return sorted(read - bound)
