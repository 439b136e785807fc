"""Notes that code goes on after it met a limit of this machine: of recursion or of memory.

The limit depends on the machine and on Verdict's own frames, so what the code does afterwards shows nothing about it.
Each place where code can catch, drop or replace an exception first looks at the exception.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from typing import Union

With = Union[ast.With, ast.AsyncWith]
# The function that rewritten code calls; no code can have a name with a space.
LOOK = "look at exception"
# The maximum length of a chain of exception causes, which the code can make cyclic.
CHAIN_MAX = 100
# An exception group can contain any exception.
LIMITS = (RecursionError, MemoryError, *filter(None, [getattr(builtins, "BaseExceptionGroup", None)]))
# Has items if the code went on after a limit.
_met: list[bool] = []


def watched(tree: ast.Module) -> ast.Module:
    """Makes handlers, `finally` blocks and `with` blocks look at the exception that they can end, in place."""
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.ExceptHandler):
            node.body.insert(0, _look(node))
            if node.type and not isinstance(node.type, ast.Name):
                # The expression can raise another exception.
                node.type = ast.copy_location(ast.BoolOp(ast.Or(), [_call(node), node.type]), node.type)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items[:0:-1]:
                # Each context manager is entered in the body of the one before.
                node.body = [_ended(ast.copy_location(type(node)([item], node.body), node.body[0]))]
            node.items = node.items[:1]
            _ended(node)
        elif last := vars(node).get("finalbody"):
            last.insert(0, _look(last[0]))
    return ast.fix_missing_locations(tree)


def _ended(node: With) -> With:
    """Makes the body of a `with` statement look at the exception that ends it."""
    first = node.body[0]
    handler = ast.ExceptHandler(None, None, [_look(first), ast.copy_location(ast.Raise(), first)])
    node.body = [ast.copy_location(ast.Try(node.body, [ast.copy_location(handler, first)], [], []), first)]
    return node


def _look(node: ast.stmt | ast.ExceptHandler) -> ast.stmt:
    return ast.copy_location(ast.Expr(_call(node)), node)


def _call(node: ast.AST) -> ast.Call:
    return ast.copy_location(ast.Call(ast.Name(LOOK, ast.Load()), [], []), node)


def look() -> None:
    """Notes a limit in the exception that the code handles. Where the stack is full, the call fails as the code did."""
    _note(sys.exc_info()[1])


def begin() -> None:
    """Forgets the limits so far. From now on, exceptions that Python drops count, as those of a generator it closes."""
    _met.clear()
    sys.unraisablehook = lambda dropped: _note(dropped.exc_value)


def is_met() -> bool:
    """Whether the code went on after a limit."""
    return bool(_met)


def _note(error: BaseException | None) -> None:
    if any(isinstance(each, LIMITS) for each in _chain(error)):
        _met.append(True)


def out_of_memory(error: object) -> bool:
    """Whether exhausted memory caused an error, whatever the code raised instead.

    The code's own exception classes never count.
    """
    return any(type(each) is MemoryError for each in _chain(error))


def _chain(error: object) -> Iterator[BaseException]:
    seen = 0
    while isinstance(error, BaseException) and seen < CHAIN_MAX:
        yield error
        error, seen = error.__cause__ or error.__context__, seen + 1
