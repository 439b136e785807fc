"""Notes that code goes on after it met a limit of this machine: of recursion or of memory.

The limit depends on the machine and on Verdict's own frames, so what the code does afterwards shows nothing about it.
Each place where code can catch, drop or replace an exception first looks at the exception.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterator
from typing import Any

from verdict_runner.sandbox import guards

# The functions that rewritten code calls; no code can have a name with a space.
LOOK, WATCH = "look at exception", "watch manager"
# The methods of context managers; for `async with`, the second pair.
METHODS = (("__enter__", "__exit__"), ("__aenter__", "__aexit__"))
# The maximum length of a chain of exception causes, which the code can make cyclic.
CHAIN_MAX = 100
# An exception group can contain any exception.
LIMITS = (RecursionError, MemoryError, *filter(None, [getattr(builtins, "BaseExceptionGroup", None)]))
# Has items if the code went on after a limit.
_met: list[bool] = []


def watched(tree: ast.Module) -> ast.Module:
    """Makes handlers, `finally` blocks and context managers look at the exception that they can end, in place.

    No block is added, since Python limits how deeply blocks can be nested.
    """
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.ExceptHandler):
            node.body.insert(0, _look(node))
            if node.type and not isinstance(node.type, ast.Name):
                # The expression can raise another exception.
                node.type = ast.copy_location(ast.BoolOp(ast.Or(), [_call(node, LOOK), node.type]), node.type)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                is_async = ast.Constant(isinstance(node, ast.AsyncWith))
                item.context_expr = _call(item.context_expr, WATCH, item.context_expr, is_async)
        elif last := vars(node).get("finalbody"):
            last.insert(0, _look(last[0]))
    return ast.fix_missing_locations(tree)


def _look(node: ast.stmt | ast.ExceptHandler) -> ast.stmt:
    return ast.copy_location(ast.Expr(_call(node, LOOK)), node)


def _call(node: ast.AST, function: str, *arguments: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(ast.Name(function, ast.Load()), [*arguments], []), node)


class _Watcher:
    """A context manager that does what another one does, and first looks at the exception that this one can end."""

    def __init__(self, enter: Callable[[], object], leave: Callable[..., object]) -> None:
        self._enter, self._leave = enter, leave

    def enter(self) -> object:
        return self._enter()

    def leave(self, kind: object, error: BaseException | None, trace: object) -> object:
        _note(error)
        return self._leave(kind, error, trace)

    __enter__ = __aenter__ = enter
    __exit__ = __aexit__ = leave


def watch(manager: object, is_async: bool) -> object:
    """What a `with` statement uses in place of a manager: the object itself if Python can't use it."""
    enter, leave = (_special(manager, name) for name in METHODS[is_async])
    return _Watcher(enter(), leave()) if enter and leave else manager


def _special(value: object, name: str) -> Callable[[], Any] | None:
    """How to get a special method of an object, which Python looks up in the classes alone; None if there is none."""
    home = _home(type(value), name)
    if home is None:
        return None
    method = vars(home)[name]
    binder = _home(type(method), "__get__")
    return lambda: vars(binder)["__get__"](method, value, type(value)) if binder else method


def _home(kind: type, name: str) -> type | None:
    return next((each for each in guards.mro_of(kind) if name in vars(each)), None)


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
