"""Renames definitions of a repository module if another module defines the same name."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence

from verdict_runner.changes.functions import STATED
from verdict_runner.symbolic.code.mentions import FUNCTIONS, arguments_of
from verdict_runner.symbolic.code.renaming import Ambiguous, rename


def renamed(statements: Sequence[ast.stmt], names: Mapping[str, str]) -> list[ast.stmt]:
    """Copies a module's statements and renames these variables of the module in them; raises `Ambiguous`."""
    copies = [copy.deepcopy(each) for each in statements]
    for own, copied in zip(statements, copies):
        for node in ast.walk(copied):
            _rename_types(node, names)
        rename(copied, names)
        _keep_class_names(own, copied)
    return copies


def _rename_types(node: ast.AST, names: Mapping[str, str]) -> None:
    """Replaces names in annotations written as strings.

    Raises `Ambiguous` if a docstring's conditions mention a name.
    """
    if isinstance(node, FUNCTIONS):
        text = ast.get_docstring(node, clean=False) or ""
        if STATED.search(text):
            for name in names:
                if name in text:
                    raise Ambiguous(name, node.lineno)
        annotations = [node.returns, *(each.annotation for each in arguments_of(node))]
    else:
        annotations = [getattr(node, "annotation", None)] if isinstance(node, ast.AnnAssign) else []
    for annotation in filter(None, annotations):
        parts = [*ast.walk(annotation)]
        is_literal = any(getattr(each, "id", getattr(each, "attr", None)) == "Literal" for each in parts)
        for each in parts if not is_literal else ():
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                each.value = _with_names(each.value, names)


def _with_names(text: str, names: Mapping[str, str]) -> str:
    try:
        kind = ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return text
    used = [each for each in ast.walk(kind) if isinstance(each, ast.Name) and each.id in names]
    for each in used:
        each.id = names[each.id]
    return ast.unparse(kind) if used else text


def _keep_class_names(own: ast.stmt, copied: ast.stmt) -> None:
    """Keeps the qualified names of classes inside a renamed function; the `repr` of their instances shows them."""
    if not isinstance(own, FUNCTIONS) or not isinstance(copied, FUNCTIONS) or own.name == copied.name:
        return
    for node, full in [*_classes(copied, f"{own.name}.<locals>")]:
        place = 0 if ast.get_docstring(node, clean=False) is None else 1
        node.body.insert(place, ast.Assign([ast.Name("__qualname__", ast.Store())], ast.Constant(full)))
        ast.fix_missing_locations(ast.copy_location(node.body[place], node))


def _classes(node: ast.AST, prefix: str) -> Iterator[tuple[ast.ClassDef, str]]:
    """Yields the classes inside a function with their qualified names."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.ClassDef):
            yield each, f"{prefix}.{each.name}"
            yield from _classes(each, f"{prefix}.{each.name}")
        elif isinstance(each, FUNCTIONS):
            yield from _classes(each, f"{prefix}.{each.name}.<locals>")
        else:
            yield from _classes(each, prefix)
