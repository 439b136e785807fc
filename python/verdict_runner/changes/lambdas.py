"""Replaces functions in a function that are only called by lambda expressions: no code sees their names.

The message of a TypeError contains the name of the called function. So each call passes as many arguments as there are
parameters, by position.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode, arguments_of

# What shows the name of the function around it.
NAMED_AFTER = (*FUNCTIONS, ast.Lambda, ast.GeneratorExp, ast.Yield, ast.YieldFrom)


def with_lambdas(function: FunctionNode) -> None:
    """Replaces the functions in place."""
    nodes = [*ast.walk(function)]
    calls = {each.func: each for each in nodes if isinstance(each, ast.Call)}
    names = [each for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    seen = {each.id for each in names if each not in calls}
    seen |= {name for each in nodes if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names}
    counts: dict[str, set[int]] = {}
    for each in names:
        if each in calls:
            counts.setdefault(each.id, set()).add(_count(calls[each]))
    _Lambdas(seen, counts).generic_visit(function)


def _count(call: ast.Call) -> int:
    """The number of arguments; negative if it is not known, or if some are passed by name."""
    is_plain = not call.keywords and not any(isinstance(each, ast.Starred) for each in call.args)
    return len(call.args) if is_plain else -1


class _Lambdas(ast.NodeTransformer):
    def __init__(self, seen: Set[str], counts: Mapping[str, Set[int]]) -> None:
        self._seen, self._counts = seen, counts

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        # The functions in it are attributes.
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        match node.body:
            case [ast.Return(ast.expr() as value)] if self._is_only_called(node) and _is_plain(node, value):
                return ast.Assign([ast.Name(node.name, ast.Store())], ast.Lambda(node.args, value))
        return node

    def _is_only_called(self, node: ast.FunctionDef) -> bool:
        own = len(node.args.posonlyargs) + len(node.args.args)
        is_open = node.args.vararg or node.args.kwonlyargs or node.args.kwarg
        return node.name not in self._seen and not is_open and self._counts.get(node.name, set()) <= {own}


def _is_plain(node: ast.FunctionDef, value: ast.expr) -> bool:
    """Whether a lambda expression with this value does the same."""
    is_typed = node.returns or getattr(node, "type_params", []) or any(each.annotation for each in arguments_of(node))
    return not (node.decorator_list or is_typed) and not any(isinstance(each, NAMED_AFTER) for each in ast.walk(value))
