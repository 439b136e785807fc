"""Explains how a call ended, apart from its decisions: an operation raised, or a postcondition does not hold."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from verdict_runner.sandbox import program
from verdict_runner.symbolic.code import mentions


class End(NamedTuple):
    """How a function call ended: with an exception, or with a value that breaks a condition."""

    function: mentions.FunctionNode
    error: BaseException | None = None
    broken: ast.expr | None = None


# Rewrites an expression in terms of the arguments; `known_after` does so for a postcondition, which also uses the
# result.
Known: TypeAlias = "Callable[[ast.expr], ast.expr]"


class Unknown(Exception):
    """Raised if no expression over the arguments gives a value."""


def why(end: End | None, known: Known, known_after: Known) -> list[ast.expr]:
    """Returns the condition on the arguments under which a call fails.

    The result is empty if the call's decisions already say everything, or if a called function raised. Raises `Unknown`
    for an operation whose condition no rule gives.
    """
    if end is None:
        return []
    if end.broken is not None:
        return [ast.UnaryOp(ast.Not(), known_after(end.broken))]
    if end.error is None:
        return []
    operations = _operations(end.function, end.error)
    if operations is None:
        return []
    texts = dict.fromkeys(text for node in operations for text in _reasons(node, end.error))
    # If there are several reasons, it is unclear which one applies.
    if len(texts) != 1:
        raise Unknown
    return [known(ast.parse(text, mode="eval").body) for text in texts]


def _operations(function: mentions.FunctionNode, error: BaseException) -> list[ast.AST] | None:
    """Returns the operations on the function's line that may have raised, at the exact position if Python knows it.

    Returns None if the statement is a `raise` or an assert, or if a called function raised.
    """
    trace, last = error.__traceback__, None
    while trace:
        last = trace if trace.tb_frame.f_code.co_filename == program.CODE else last
        trace = trace.tb_next
    if last is None or last.tb_frame.f_code.co_name != function.name:
        return None
    nodes = [*mentions.own_nodes(function)]
    raising = (ast.Raise, ast.Assert) if isinstance(error, AssertionError) else (ast.Raise,)
    statements = (each for each in nodes if isinstance(each, raising))
    if any(each.lineno <= last.tb_lineno <= (each.end_lineno or 0) for each in statements):
        return None
    positions = getattr(last.tb_frame.f_code, "co_positions", None)
    place = [*positions()][last.tb_lasti // 2] if positions else (None, None, None, None)
    line, end_line, column, end_column = place
    return [
        node
        for node in nodes
        if getattr(node, "lineno", None) == last.tb_lineno
        and (column is None or _place(node) == (line, column, end_line, end_column))
    ]


def _place(node: ast.AST) -> tuple[object, ...]:
    return tuple(getattr(node, name, None) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))


def _reasons(node: ast.AST, error: BaseException) -> list[str]:
    """Returns the conditions under which this operation raises this exception."""
    text = ast.unparse
    if isinstance(node, ast.BinOp) and isinstance(error, ZeroDivisionError):
        if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod)):
            return [f"({text(node.right)}) == 0"]
        return [f"({text(node.left)}) == 0 and ({text(node.right)}) < 0"]
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return _lacking(text(node.value), text(node.slice), error)
    if isinstance(node, ast.Attribute) and isinstance(error, AttributeError):
        return [f"({text(node.value)}) is None"] if getattr(error, "obj", error) is None else []
    return _of_call(node, error) if isinstance(node, ast.Call) and not node.keywords else []


def _lacking(value: str, index: str, error: BaseException) -> list[str]:
    """Returns the condition under which a collection lacks an index or a key."""
    if isinstance(error, IndexError):
        return [f"len({value}) == 0" if index == "0" else f"not -len({value}) <= {index} < len({value})"]
    return [f"{index} not in {value}"] if isinstance(error, KeyError) else []


def _of_call(node: ast.Call, error: BaseException) -> list[str]:
    first = ast.unparse(node.args[0]) if node.args else None
    if isinstance(node.func, ast.Attribute):
        value, name = ast.unparse(node.func.value), node.func.attr
        if name in ("index", "remove") and len(node.args) == 1 and isinstance(error, (ValueError, KeyError)):
            return [f"{first} not in {value}"]
        if value == "math" and isinstance(error, ValueError):
            return {"sqrt": [f"({first}) < 0"], "log": [f"({first}) <= 0"]}.get(name, [])
        if name == "pop" and first is not None and len(node.args) == 1:
            return _lacking(value, first, error)
        empty = {"pop": (IndexError, KeyError), "popleft": IndexError, "popitem": KeyError}.get(name, ())
        return [f"len({value}) == 0"] if first is None and isinstance(error, empty) else []
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in ("min", "max") and len(node.args) == 1 and isinstance(error, ValueError):
        return [f"len({first}) == 0"]
    if name == "divmod" and isinstance(error, ZeroDivisionError):
        return [f"({ast.unparse(node.args[1])}) == 0"]
    return [f"len({first}) != 1"] if name == "ord" and isinstance(error, TypeError) else []
