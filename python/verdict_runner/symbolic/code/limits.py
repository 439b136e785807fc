"""Notes that code goes on after it met a limit of this machine: of recursion or of memory.

The limit depends on the machine and on Verdict's own frames, so what the code does afterwards shows nothing about it.
Each place where code can catch, drop or replace an exception first looks at the exception.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator

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
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            first = node.body[0]
            handler = ast.ExceptHandler(None, None, [_look(first), ast.copy_location(ast.Raise(), first)])
            ends = ast.Try(node.body, [ast.copy_location(handler, first)], [], [])
            node.body = [ast.copy_location(ends, first)]
        elif last := vars(node).get("finalbody"):
            last.insert(0, _look(last[0]))
    return ast.fix_missing_locations(tree)


def _look(node: ast.stmt | ast.ExceptHandler) -> ast.stmt:
    return ast.copy_location(ast.Expr(ast.Call(ast.Name(LOOK, ast.Load()), [], [])), node)


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
