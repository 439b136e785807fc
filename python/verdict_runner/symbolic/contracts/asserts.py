"""Treats asserts as contracts: asserts at the beginning of a function are preconditions, all others are obligations."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from verdict_runner.sandbox import program
from verdict_runner.symbolic.code.mentions import FunctionNode, own_nodes
from verdict_runner.symbolic.contracts.contracts import Condition, Contract

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function
    from verdict_runner.symbolic.code.subject import Subject


_Node = TypeVar("_Node", bound=ast.AST)


def read(function: Function, contract: Contract) -> None:
    written = [each for each in own_nodes(function.node) if isinstance(each, ast.Assert) and each.col_offset]
    if not written:
        return
    leading_asserts = [each for each in leading(function.node) if each in written]
    contract.add("asserts")
    contract.preconditions += [_condition(function, each) for each in leading_asserts]
    later = (each for each in written if each not in leading_asserts)
    contract.asserted += [(text_of(each), each.lineno) for each in later]


def leading(node: FunctionNode) -> list[ast.Assert]:
    """Returns the asserts at the beginning of the body, after the docstring.

    An assert that binds a name (`:=`) is the last of them: the next ones can be about another value.
    """
    asserts = []
    for statement in node.body:
        if isinstance(statement, ast.Assert):
            asserts.append(statement)
            if any(isinstance(each, ast.NamedExpr) for each in ast.walk(statement.test)):
                break
        elif asserts or not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            break
    return asserts


def text_of(statement: ast.Assert) -> str:
    return ast.unparse(statement.test)[:200]


def evaluator(expression: ast.expr, names: Sequence[str], subject: Subject, line: int) -> Callable[..., object]:
    """Creates a function of these names that evaluates an expression according to the rules for the code."""
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg(each) for each in names], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    tree = ast.Expression(ast.Lambda(arguments, expression))
    return eval(program.compiled(placed(tree, line), program.CODE), subject.namespace)


def placed(tree: _Node, line: int) -> _Node:
    """Moves every node of a tree to this line of the code."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.arg, ast.keyword)):
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = 0
    return tree


def _condition(function: Function, statement: ast.Assert) -> Condition:
    # The expression is copied, since the code's tree is also used elsewhere.
    expression = ast.parse(ast.unparse(statement.test), mode="eval").body
    names = list(function.signature.parameters)
    test = evaluator(expression, names, function.subject, statement.lineno)
    holds = lambda call: test(**call.arguments)  # noqa: E731
    return Condition("asserts", text_of(statement), statement.lineno, holds, expression=statement.test)
