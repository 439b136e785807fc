"""Decides whether the order of the sets in a program depends only on their items."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from verdict_runner.symbolic.code.same.known import BY_ADDRESS, CONSUMERS, PLAIN_TYPES
from verdict_runner.symbolic.code.same.module import Module
from verdict_runner.symbolic.code.same.normal import parameters

# Annotations under which every value is a whole number, or a container of them. Builtins that make other values.
WHOLE = frozenset(
    "bool dict frozenset int list set tuple Dict FrozenSet Iterable List Sequence Set Tuple Union".split()
)
NOT_WHOLE = frozenset("ascii bin bytearray bytes chr complex float format hex oct pow repr str".split())
# Modules whose functions return floats, or objects that are hashed by their addresses.
ODD_IN_SETS = frozenset("fractions math operator re string unicodedata".split())


def hold_only_integers(module: Module, roots: Sequence[str], nodes: Sequence[ast.AST]) -> bool:
    """Whether integers are all that a set can contain, if the code has any."""
    annotations = [one.annotation for name in roots for one in parameters(module.functions[name])]
    if any(module.binds(name) for name in WHOLE & PLAIN_TYPES):
        return False
    for each in annotations:
        if each is None or not all(
            isinstance(part, (ast.Subscript, ast.Tuple, ast.BinOp, ast.BitOr, ast.expr_context))
            or (isinstance(part, ast.Name) and part.id in WHOLE)
            or (isinstance(part, ast.Constant) and part.value is ...)
            for part in ast.walk(each)
        ):
            return False
        bare = {part.value for part in ast.walk(each) if isinstance(part, ast.Subscript)}
        if any(
            isinstance(part, ast.Name) and part.id not in ("bool", "int") and part not in bare
            for part in ast.walk(each)
        ):
            return False
    others = set(nodes).difference(*(_texts_in(each) for each in nodes))
    calls = {each.func for each in nodes if isinstance(each, ast.Call)}
    kinds = {part for each in nodes for one in _types_in(each) for part in ast.walk(one)}
    read = {each.iter for each in nodes if isinstance(each, (ast.For, ast.comprehension))}
    read |= {
        one for each in nodes if isinstance(each, ast.Call) and _name_of(each.func) in CONSUMERS for one in each.args
    }
    return not any(
        isinstance(each, (ast.Div, ast.Pow, ast.JoinedStr))
        or (isinstance(each, ast.Attribute) and each.attr in BY_ADDRESS)
        or (isinstance(each, ast.Constant) and isinstance(each.value, (float, complex, str, bytes)))
        or (isinstance(each, ast.Name) and each.id in NOT_WHOLE)
        # A class, a function and a range are hashed by addresses.
        or (isinstance(each, ast.Name) and module.is_global(each.id) and each not in calls | kinds)
        or (isinstance(each, ast.Call) and _name_of(each.func) == "range" and each not in read)
        for each in others
    ) and not any(each.partition(".")[0] in ODD_IN_SETS for each in module.imports.values())


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _texts_in(node: ast.AST) -> set[ast.AST]:
    """Returns the texts that no other code receives: comments, and messages of raised exceptions."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return {node.value}
    if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
        return set()
    shown = (ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.Name, ast.expr_context)
    parts = [[*ast.walk(each)] for each in node.exc.args]
    return {each for one in parts if all(isinstance(part, shown) for part in one) for each in one}


def _types_in(node: ast.AST) -> list[ast.expr]:
    """Returns the annotations and classes that a node only names, and the functions that it only calls."""
    if isinstance(node, ast.arg):
        return [node.annotation] if node.annotation else []
    if isinstance(node, ast.AnnAssign):
        return [node.annotation]
    if isinstance(node, ast.FunctionDef):
        return [node.returns] if node.returns else []
    if isinstance(node, ast.ExceptHandler):
        return [node.type] if node.type else []
    if isinstance(node, ast.keyword):
        return [node.value] if node.arg == "key" else []
    if isinstance(node, ast.Call) and _name_of(node.func) in ("isinstance", "issubclass"):
        return node.args[1:]
    return node.args[:1] if isinstance(node, ast.Call) and _name_of(node.func) in ("map", "defaultdict") else []
