"""Determines where execution continues after a block of statements."""

from __future__ import annotations

import ast
from collections.abc import Sequence

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def ways_on(statement: ast.stmt) -> list[tuple[ast.stmt, bool]]:
    """Returns conditional statements with the side taken whenever the statement after this one runs."""
    ways, pending = [], [statement]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.Assert):
            ways.append((each, True))
        elif isinstance(each, ast.While) and not _breaks(each.body):
            ways.append((each, False))
        elif isinstance(each, ast.If) and (ends(each.body) or ends(each.orelse)):
            side = not ends(each.body)
            ways.append((each, side))
            # The other block runs to its end, and so do the statements in it.
            pending += each.body if side else each.orelse
    return ways


def ends(block: Sequence[ast.stmt]) -> bool:
    """Whether a block never continues with the statement after it."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.If):
        return ends(last.body) and ends(last.orelse)
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return not _breaks(last.body)
    return isinstance(last, LEAVES)


def _breaks(block: Sequence[ast.stmt]) -> bool:
    """Whether `break` can leave a loop with this body; an inner loop has its own breaks."""
    waiting: list[ast.AST] = [*block]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, (ast.For, ast.While)):
            waiting += node.orelse
        elif not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return False
