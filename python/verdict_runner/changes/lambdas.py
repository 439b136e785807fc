"""Replaces functions in a function that are only called by lambda expressions: no code sees their names."""

from __future__ import annotations

import ast
from collections.abc import Set

from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode, arguments_of

# What shows the name of the function around it.
NAMED_AFTER = (*FUNCTIONS, ast.Lambda, ast.GeneratorExp, ast.Yield, ast.YieldFrom)


def with_lambdas(function: FunctionNode) -> None:
    """Replaces the functions in place."""
    nodes = [*ast.walk(function)]
    called = {each.func for each in nodes if isinstance(each, ast.Call)}
    names = [each for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    seen = {each.id for each in names if each not in called}
    seen |= {name for each in nodes if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names}
    _Lambdas(seen).generic_visit(function)


class _Lambdas(ast.NodeTransformer):
    def __init__(self, seen: Set[str]) -> None:
        self._seen = seen

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        # The functions in it are attributes.
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        match node.body:
            case [ast.Return(ast.expr() as value)] if node.name not in self._seen and _is_plain(node, value):
                return ast.Assign([ast.Name(node.name, ast.Store())], ast.Lambda(node.args, value))
        return node


def _is_plain(node: ast.FunctionDef, value: ast.expr) -> bool:
    """Whether a lambda expression with this value does the same."""
    is_typed = node.returns or getattr(node, "type_params", []) or any(each.annotation for each in arguments_of(node))
    return not (node.decorator_list or is_typed) and not any(isinstance(each, NAMED_AFTER) for each in ast.walk(value))
