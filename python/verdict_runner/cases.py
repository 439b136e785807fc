"""Determines the case in which a program's line runs, from its loops: the values of the enclosing loop variables."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from types import FrameType

# The maximum length of a shown value: people read the cases, and each constraint of a model has one.
VALUE_CHARS_MAX = 40
LOOPS_MAX = 6

_PLAIN = (str, int, float, bool, type(None))
_CONTAINERS = (tuple, list, dict, frozenset, set)

# For each code file name and line: the loop variables in scope, outermost first.
_loops: dict[str, dict[int, tuple[str, ...]]] = {}
# For each code file name: the lines of `while` loops that end only if they find something, and perhaps never.
_whiles: dict[str, set[int]] = {}
# For each code file name and line of a loop: whether the innermost loop is one that ends if there is no solution.
_innermost: dict[str, dict[int, bool]] = {}


def note(tree: ast.Module, name: str) -> None:
    """Records an item's loops before its tree is rewritten."""
    of_lines: dict[int, tuple[str, ...]] = {}
    for targets, first, last in _spans(tree):
        names = tuple(each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))
        for line in range(first, last + 1):
            of_lines[line] = (*of_lines.get(line, ()), *names)
    _loops[name] = of_lines
    # An inner loop comes after the loop around it.
    loops = [each for each in ast.walk(tree) if isinstance(each, (ast.While, ast.For))]
    open_ended = {each for each in loops if isinstance(each, ast.While) and not _counts(each.test)}
    _whiles[name] = {line for each in open_ended for line in lines_of(each)}
    # A loop whose condition solves ends without a solution, whatever else ends it: `while n < 10 and s.check() == sat`.
    searching = open_ended | {each for each in loops if isinstance(each, ast.While) and _solves(each.test)}
    _innermost[name] = {line: each in searching for each in loops for line in lines_of(each)}


def lines_of(node: ast.stmt) -> range:
    """The lines of a statement."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _solves(test: ast.expr) -> bool:
    return any(isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) for each in ast.walk(test))


def _counts(test: ast.expr) -> bool:
    """Whether a loop's condition is a bound, such as `i < n` or `len(found) != 5`."""
    nodes = [*ast.walk(test)]
    signs = [sign for each in nodes if isinstance(each, ast.Compare) for sign in each.ops]
    is_length = any(isinstance(each, ast.Name) and each.id == "len" for each in nodes)
    return is_length or any(isinstance(sign, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for sign in signs)


def _spans(tree: ast.Module) -> Iterator[tuple[list[ast.expr], int, int]]:
    """Yields each loop's variables and the lines on which they have a value."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.AsyncFor)):
            yield [node.target], node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            yield [each.target for each in node.generators], node.lineno, node.end_lineno or node.lineno


def is_in_while(frame: FrameType | None) -> bool:
    """Whether a running line, or one that called it, is in a `while` loop that ends only if it finds something."""
    while frame:
        if frame.f_lineno in _whiles.get(frame.f_code.co_filename, ()):
            return True
        frame = frame.f_back
    return False


def is_driven(frame: FrameType | None) -> bool:
    """Whether the innermost loop around a running line, or around its callers, runs a number of times or over data."""
    while frame:
        is_open_ended = _innermost.get(frame.f_code.co_filename, {}).get(frame.f_lineno)
        if is_open_ended is not None:
            return not is_open_ended
        frame = frame.f_back
    return False


def case_of(frame: FrameType | None) -> str:
    """Describes a running line's case, such as `day = 4, person = Ann`, from all loops on the call stack."""
    calls = []
    while frame:
        if frame.f_code.co_filename in _loops:
            calls.append(frame)
        frame = frame.f_back
    values: dict[str, str] = {}
    for call in reversed(calls):
        local = call.f_locals
        # A local variable hides the caller's variable of the same name.
        values = {name: shown for name, shown in values.items() if name not in local or _shown(local[name]) == shown}
        for name in _loops[call.f_code.co_filename].get(call.f_lineno, ()):
            shown = _shown(local[name]) if name in local else None
            if shown is not None:
                values[name] = shown
    return ", ".join(f"{name} = {shown}" for name, shown in [*values.items()][:LOOPS_MAX])


def _shown(value: object) -> str | None:
    """A plain value as shortened text; None for objects of the program's own classes and for large containers."""
    if type(type(value)) is enum.EnumMeta:
        # The member's class could return anything as its name.
        value = object.__getattribute__(value, "__dict__").get("_name_")
    if not _is_plain(value):
        return None
    text = value if type(value) is str else repr(value)
    return text if len(text) <= VALUE_CHARS_MAX else f"{text[:VALUE_CHARS_MAX]}…"


def _is_plain(value: object, depth: int = 2) -> bool:
    if type(value) in _PLAIN:
        return True
    if type(value) not in _CONTAINERS or depth == 0 or len(value) > LOOPS_MAX:  # type: ignore[arg-type]
        return False
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    return all(_is_plain(each, depth - 1) for each in parts)  # type: ignore[union-attr]
