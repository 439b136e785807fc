"""Renames a module's variables."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

from verdict_runner.symbolic.code.mentions import COMPREHENSIONS, DEFINITIONS, named, top


class Ambiguous(Exception):
    """Raised for a name that refers to a module variable and may mean a different variable in the same statement."""

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name)
        self.name = name
        self.line = line


def rename(statement: ast.stmt, names: Mapping[str, str]) -> None:
    """Renames module variables in one of the module's statements, in place.

    Raises `Ambiguous` if a function, a class or a comprehension in the statement binds one of the old or new names, or
    if an unusual construct does.
    """
    used = {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)}
    taken = {*names, *(new for name, new in names.items() if name in used)}
    _rename(statement, names, taken, False)


def _rename(node: ast.AST, names: Mapping[str, str], taken: Set[str], is_inner: bool) -> None:
    if isinstance(node, ast.Name) and (not is_inner or isinstance(node.ctx, ast.Load)):
        node.id = names.get(node.id, node.id)
    elif isinstance(node, DEFINITIONS) and not is_inner:
        node.name = names.get(node.name, node.name)
    elif isinstance(node, ast.alias) and not is_inner and (node.asname or "." not in node.name):
        node.asname = names.get(node.asname or node.name, node.asname)
    elif not isinstance(node, ast.keyword):
        for name in [node.asname or top(node.name)] if isinstance(node, ast.alias) else named(node):
            if name in taken:
                raise Ambiguous(name, getattr(node, "lineno", 1))
    for each in ast.iter_child_nodes(node):
        _rename(each, names, taken, is_inner or isinstance(node, (*DEFINITIONS, ast.Lambda, *COMPREHENSIONS)))
