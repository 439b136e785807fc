"""Finds loops in which a program tests each solution and rejects some, so that an `unsat` in the end is its answer.

A loop that only lists solutions, or asks for better ones, ends because of its solver or of a counter.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from types import FrameType

from verdict_runner import taken
from verdict_runner.taken import called_name

_Loop = (ast.While, ast.For)
# Methods that solve, and methods that return a solution.
SOLVING = frozenset("check solve Solve solve_limited".split())
READING = frozenset(("model", "get_model"))
LEAVING = frozenset(("exit", "quit"))

# The names of functions that solve, in all items so far, and the lines of the loops that test their solutions.
_solving: set[str] = set()
_lines: dict[str, list[range]] = {}


def begin() -> None:
    """Clears the record, since a waiting process has already run a program."""
    _solving.clear()
    _solving.update(SOLVING)
    _lines.clear()


def note(tree: ast.Module, name: str) -> None:
    """Records an item's loops, after `taken.note` has recorded the item."""
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    known = -1
    while known < len(_solving):
        known = len(_solving)
        _solving.update(each.name for each in functions if any(map(_solves, ast.walk(each))))
    _lines[name] = [
        range(each.lineno, (last.end_lineno or last.lineno) + 1)
        for each in ast.walk(tree)
        if isinstance(each, (ast.stmt, ast.expr)) and (last := _last_of_choice(each)) is not None
    ]


def are_made() -> bool:
    """Whether the current call comes from a loop that tests the solutions it finds."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if any(frame.f_lineno in each for each in _lines.get(frame.f_code.co_filename, ())):
            return True
        frame = frame.f_back
    return False


def _last_of_choice(node: ast.AST) -> ast.stmt | ast.expr | None:
    """The last part of a loop, a filter or a recursive function that tests the solutions it finds; None for others."""
    if isinstance(node, ast.While):
        return node.body[-1] if _chooses([node.test], node.body, set()) else None
    if isinstance(node, ast.For):
        targets = _stored([node.target]) if any(map(_solves, _inside([node.iter]))) else set[str]()
        return node.body[-1] if _chooses([], [node.iter, *node.body], targets) else None
    if isinstance(node, ast.FunctionDef):
        is_recursive = any(called_name(each) == node.name for each in _inside(node.body))
        return node.body[-1] if is_recursive and _chooses([], node.body, set()) else None
    if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        return node if any(each.ifs and any(map(_solves, _inside([each.iter]))) for each in node.generators) else None
    return None


def _chooses(conditions: Sequence[ast.expr], body: Sequence[ast.AST], values: set[str]) -> bool:
    """Whether code that is repeated can end, or skip the rest of a round, because of a solution's values.

    `values` are names with values of a solution, besides those that the body itself assigns.
    """
    parts = _inside([*conditions, *body], _Loop)
    solves = {ast.unparse(each.func) for each in parts if isinstance(each, ast.Call) and _solves(each)}
    if len(solves) != 1:
        return len(solves) > 1  # The solutions of one solver are tested by another.
    flags = {each.id for test in conditions for each in ast.walk(test) if isinstance(each, ast.Name)}
    bound, models = _bound([*conditions, *body])
    tests = [each.test for each in _inside(body) if isinstance(each, ast.If) and _leaves(each, flags)]
    return any(_is_about(test, values | bound, models) for test in [*conditions, *tests])


def _inside(nodes: Iterable[ast.AST], apart: tuple[type, ...] = ()) -> Iterator[ast.AST]:
    """Yields nodes that belong to these, except inside of functions and of the kinds that are to be kept apart."""
    waiting = [*nodes]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef, *apart)):
            yield node
            waiting += ast.iter_child_nodes(node)


def _solves(node: ast.AST) -> bool:
    return called_name(node) in _solving


def _leaves(test: ast.If, flags: set[str]) -> bool:
    """Whether a branch of this statement ends the loop or a round, or sets a name that the loop's condition reads."""
    branches = [*test.body, *test.orelse]
    return (
        any(isinstance(each, (ast.Break, ast.Continue)) for each in _inside(branches, _Loop))
        or any(isinstance(each, (ast.Return, ast.Raise)) or called_name(each) in LEAVING for each in _inside(branches))
        or any(
            isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id in flags
            for each in _inside(branches)
        )
    )


def _bound(nodes: Iterable[ast.AST]) -> tuple[set[str], set[str]]:
    """The names that get other values in each round, and those among them that are a whole solution or None."""
    values, models = set[str](), set[str]()
    for node in _inside(nodes):
        if isinstance(node, (ast.For, ast.With)):
            parts = [node.target] if isinstance(node, ast.For) else [each.optional_vars for each in node.items]
            values.update(_stored(each for each in parts if each is not None))
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            names = _stored(node.targets if isinstance(node, ast.Assign) else [node.target])
            if called_name(node.value) in _solving - SOLVING | READING:
                models |= names
            elif called_name(node.value) not in SOLVING and not _counts(node.value, names):
                values |= names
    return values, models


def _stored(targets: Iterable[ast.AST]) -> set[str]:
    return {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}


def _counts(value: ast.expr, names: set[str]) -> bool:
    """Whether a value is a constant, or a name's own value changed by a constant."""
    parts = [value.left, value.right] if isinstance(value, ast.BinOp) else [value]
    return all(isinstance(each, ast.Constant) or (isinstance(each, ast.Name) and each.id in names) for each in parts)


def _is_about(test: ast.expr, values: set[str], models: set[str]) -> bool:
    """Whether a condition depends on a solution's values, not only on whether there is a solution or on a count."""
    if isinstance(test, ast.BoolOp):
        return any(_is_about(each, values, models) for each in test.values)
    if isinstance(test, ast.UnaryOp):
        return _is_about(test.operand, values, models)
    if isinstance(test, ast.Name):
        return test.id in values
    if isinstance(test, ast.Compare) and ast.unparse(test.comparators[0]) == "None":
        return _reads(test.left, values)
    return _reads(test, values | models | taken.names(), values | models)


def _reads(expression: ast.expr, names: set[str], counted: Collection[str] = ()) -> bool:
    """Whether an expression reads a solution, by one of these names; `len()` reads only the names in `counted`."""
    waiting: list[tuple[ast.AST, Collection[str]]] = [(expression, names)]
    while waiting:
        node, known = waiting.pop()
        if isinstance(node, ast.Name) and node.id in known:
            return True
        if isinstance(node, ast.Attribute) and node.attr in taken.SOURCES:
            return True
        if not _solves(node):
            known = counted if called_name(node) == "len" else known
            waiting += ((each, known) for each in ast.iter_child_nodes(node))
    return False
