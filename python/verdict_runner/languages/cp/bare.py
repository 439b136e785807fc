"""Detects constraints that a program states without adding them to a model: comparisons as expression statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence


def warn_of_bare(items: Sequence[str], how: str, warn: Callable[[str], None]) -> None:
    """Warns that each bare comparison has no effect; `how` says what to write instead."""
    for index, text in enumerate(items):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Compare, ast.BinOp, ast.BoolOp)):
                warn(
                    f"item {index}, line {node.lineno}: this statement has no effect; write {how} if it is a constraint."
                )
