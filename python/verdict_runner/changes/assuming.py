"""Guesses types for parameters that neither version annotates; both versions get the same types."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import zip_longest

from verdict_runner.symbolic.code.annotations import guessed
from verdict_runner.symbolic.code.mentions import FunctionNode, arguments_of

# The built-in names that guessed types use; no type is guessed if the module redefines one of them.
NAMES = frozenset("int str bool float bytes list dict tuple set".split())

OF_METHODS = frozenset(("property", "staticmethod", "classmethod"))
# Method parameters whose type is the class itself.
OF_OBJECTS = frozenset(("self", "cls", "other"))


def assume(nodes: Sequence[FunctionNode], bound: set[str]) -> dict[str, str]:
    """Annotates the parameters that no version annotates; returns the guessed types by parameter name."""
    if bound & NAMES or any(ast.unparse(each) not in OF_METHODS for node in nodes for each in node.decorator_list):
        return {}
    types: dict[str, str] = {}
    for places in zip_longest(*([*arguments_of(node)] for node in nodes)):
        if places and all(each is not None and each.arg in OF_OBJECTS for each in places):
            continue
        pairs = [(node, each) for node, each in zip(nodes, places) if each is not None]
        if len({each.arg for _, each in pairs}) == 1 and not any(each.annotation for _, each in pairs):
            name = pairs[0][1].arg
            types[name] = guessed.types_of((node, each.arg) for node, each in pairs)
            for _, each in pairs:
                each.annotation = _annotation(types[name])
    return types


def _annotation(text: str) -> ast.expr:
    """A type as an annotation: as text if it has a name that the module need not know."""
    node = ast.parse(text, mode="eval").body
    is_known = all(each.id in NAMES | {"slice"} for each in ast.walk(node) if isinstance(each, ast.Name))
    return node if is_known else ast.Constant(text)
