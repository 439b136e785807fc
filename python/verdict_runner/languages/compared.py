"""Detects comparisons that Python decides although a constraint is meant: `s.add({x, y} == {1, 2})` adds False."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verdict_runner.protocol.messages import Fault

# Functions and methods that take constraints. Sets also have a method `add`, but nobody collects comparisons in sets.
_TAKERS = frozenset("add Add assert_exprs assert_and_track add_soft Model And Or Not Implies Xor".split())
_BY_HASH = (ast.Set, ast.SetComp, ast.Dict, ast.DictComp)


def fault_in(tree: ast.Module) -> Fault | None:
    """Finds the first constraint that no solver sees: a comparison by identity, or of sets, dictionaries or None."""
    for node in ast.walk(tree):
        for each in _constraints(node):
            if isinstance(each, ast.Compare) and _is_decided(each):
                text = ast.unparse(each)
                return Fault(
                    "input_rejected",
                    f"Python decides `{text if len(text) <= 80 else text[:79] + '…'}` at once, and the constraint is only True or False.",
                    [
                        "use == between variables and numbers",
                        "for sets, state what is meant: for {x, y} == {1, 2}, that x == 1 and y == 2, or the reverse",
                    ],
                    each.lineno,
                    each.col_offset + 1,
                )
    return None


def _constraints(node: ast.AST) -> Iterator[ast.expr]:
    """Yields the constraints in a node: expression statements, arguments, and the elements of lists among these."""
    if isinstance(node, ast.Expr):
        yield node.value
    if isinstance(node, ast.Call) and _name_of(node.func) in _TAKERS:
        for argument in node.args:
            yield from argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else [argument]


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_decided(comparison: ast.Compare) -> bool:
    if any(isinstance(operator, (ast.Is, ast.IsNot)) for operator in comparison.ops):
        return True
    sides = [comparison.left, *comparison.comparators]
    is_equation = all(isinstance(operator, (ast.Eq, ast.NotEq)) for operator in comparison.ops)
    return is_equation and any(isinstance(side, _BY_HASH) or _is_none(side) for side in sides)


def _is_none(side: ast.expr) -> bool:
    return isinstance(side, ast.Constant) and side.value is None
