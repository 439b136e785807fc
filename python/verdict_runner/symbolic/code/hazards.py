"""Finds code that makes one run of a function unrepresentative of the next.

The syntax trees of the function and of the functions that it calls are searched.
"""

from __future__ import annotations

import ast
import collections
import enum
import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from verdict_runner.sandbox import guards

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function
    from verdict_runner.symbolic.code.mentions import Definition
    from verdict_runner.symbolic.code.subject import Subject

# Functions that can return something different in each run.
RESTLESS = {"id", "hash"}
MODULES = {"random"}
METHODS = {"now", "today", "utcnow"}
CHANGING = frozenset(
    "append extend insert remove pop popitem clear sort reverse add discard update setdefault appendleft extendleft popleft rotate "
    "difference_update intersection_update symmetric_difference_update".split()
)
# Types of class attributes that can be changed in place.
CHANGEABLE = (list, dict, set, bytearray, collections.deque)
SETS = ("set", "frozenset")
# Functions whose result is the same for any order of items that have a total order.
SORTING = {"sorted", "min", "max"}
# The annotations of collections with such items, and the names in them.
BUILTIN = frozenset("list set frozenset tuple int str bool bytes".split())
ORDERED = re.compile(r"(?:list|set|frozenset|tuple)\[(?:int|str|bool|bytes)(?:, \.\.\.)?\]$")
SET_OPERATIONS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
# Decorators that keep results between calls, or that look up the function again in each call.
KEEPING = frozenset("lru_cache cache cached_property singledispatch singledispatchmethod".split())
CONTRACTS = frozenset("require ensure invariant snapshot pre post raises reason has safe pure inv chain".split())


def of(function: Function) -> list[str]:
    """Returns messages, each of which names one hazard and its line."""
    hazards = {}
    reached = _reached(function)
    # Only the question reads the target's result and passes its arguments, which have the annotated types.
    is_called = any(_mentions(each, function.node.name) for each in reached.values())
    is_plain = not is_called and not function.contract.postconditions and not CONTRACTS & _decorators(function.node)
    named = [function.subject.namespace.get(name) for name in reached]
    for kind in dict.fromkeys([*function.kinds, *(each for each in named if isinstance(each, type))]):
        hazards.update(dict.fromkeys(_of_class(kind)))
    for name, node in reached.items():
        _look(node, hazards, function.subject, is_plain and node is function.node)
        if node is not function.node and CONTRACTS & _decorators(node):
            hazards.setdefault(f"{name} has its own contract (line {node.lineno})")
        if KEEPING & _decorators(node):
            hazards.setdefault(f"{name} caches results between calls (line {node.lineno})")
    return [*hazards]


def _of_class(kind: type) -> Iterator[str]:
    """Reports state shared by a class's objects: a method can change it, and the next object sees the change."""
    for each in kind.__mro__:
        if guards.is_own(each) and not issubclass(each, enum.Enum):
            for name, value in vars(each).items():
                if isinstance(value, guards.Maker):
                    yield f"{each.__name__} creates its objects with `__new__`, which may return one that exists"
                if name.startswith("__") or name == "_field_defaults":
                    continue
                if isinstance(value, CHANGEABLE) or guards.is_own(type(value)):
                    yield f"{each.__name__}.{name} outlives the call"


def _reached(function: Function) -> dict[str, Definition]:
    """Returns the top-level definitions that the function can reach, by name."""
    defined = {
        node.name: node
        for node in function.subject.tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef))
    }
    classes = {each.name: each for each in ast.walk(function.subject.tree) if isinstance(each, ast.ClassDef)}
    reached, waiting = {}, [(function.name, function.node)]
    waiting += [(each.__name__, classes[each.__name__]) for each in function.kinds if each.__name__ in classes]
    while waiting:
        name, node = waiting.pop()
        if name in reached:
            continue
        reached[name] = node
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        waiting += [(each, defined[each]) for each in sorted(used & defined.keys())]
    return reached


def _decorators(node: ast.AST) -> set[str | None]:
    """Returns the names of the decorators on a function, or on a class and its methods."""
    names = set()
    for each in ast.walk(node):
        for decorator in getattr(each, "decorator_list", []):
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            names.add(called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None))
    return names


def _mentions(node: ast.AST, name: str) -> bool:
    return any(name == getattr(each, "id", getattr(each, "attr", None)) for each in ast.walk(node))


def _look(node: ast.AST, hazards: dict[str, None], subject: Subject, is_target: bool) -> None:
    local = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    local |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    outer = {name for name in subject.namespace if not name.startswith("__")} - local
    orderless = _orderless(node, outer | local, _ordered(node, outer) if is_target else None)
    apart = {*_not_values(node)}
    for each in ast.walk(node):
        text = None if each in orderless else _hazard(each, outer, subject)
        if isinstance(each, ast.Name) and each not in orderless and each not in apart:
            is_outer = each.id in outer and _has_order_of_hashes(subject.namespace.get(each.id))
            text = "the order of a set is undefined" if each.id in SETS or is_outer else text
        if _joins_views(each) and each not in orderless and _mentions_views(subject.tree):
            text = "the order of a set is undefined"
        if text:
            hazards.setdefault(f"{text} (line {getattr(each, 'lineno', 0)})")


def _not_values(root: ast.AST) -> Iterator[ast.AST]:
    """Yields names that are called immediately or used as types, so that no variable refers to their objects."""
    for each in ast.walk(root):
        if isinstance(each, ast.Call):
            yield each.func
            if getattr(each.func, "id", None) in ("isinstance", "issubclass"):
                yield from (part for given in each.args[1:] for part in ast.walk(given))
        for name in ("annotation", "returns"):
            if isinstance(of_type := getattr(each, name, None), ast.AST):
                yield from ast.walk(of_type)


def _has_order_of_hashes(value: object, depth: int = 3) -> bool:
    """Whether a value is or contains a set whose order depends on more than its items, or a set class."""
    if value is set or value is frozenset:
        return True
    if isinstance(value, (set, frozenset)):
        return not all(type(each) in (int, bool, float) for each in value)
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return depth > 0 and any(_has_order_of_hashes(each, depth - 1) for each in parts)


def _joins_views(node: ast.AST) -> bool:
    """Whether an operation would create a set if its operands were `keys()` or `items()` of dictionaries."""
    if not isinstance(node, (ast.BinOp, ast.AugAssign)) or not isinstance(node.op, SET_OPERATIONS):
        return False
    operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
    return not any(isinstance(each, ast.Constant) for each in operands)


def _mentions_views(tree: ast.Module) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr in ("keys", "items") for each in ast.walk(tree))


def _ordered(root: ast.AST, outer: Collection[str]) -> set[str]:
    """Returns the parameters whose items have a total order, by their annotations; none of them is assigned."""
    if not isinstance(root, ast.FunctionDef) or root.args.defaults or not BUILTIN.isdisjoint(outer):
        return set()
    nodes = [*ast.walk(root)]
    names = Counter(each.arg for each in nodes if isinstance(each, ast.arg))
    names.update(each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load))
    typed = {each.arg for each in root.args.args if each.annotation and ORDERED.match(ast.unparse(each.annotation))}
    return {name for name in typed if names[name] == 1}


def _has_order(node: ast.expr, ordered: Collection[str]) -> bool:
    """Whether a set consists of items of these parameters."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, SET_OPERATIONS):
        return _has_order(node.left, ordered) and _has_order(node.right, ordered)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SETS and len(node.args) == 1:
        return _has_order(node.args[0], ordered)
    return isinstance(node, ast.Name) and node.id in ordered


def _orderless(root: ast.AST, own: Collection[str], ordered: Collection[str] | None) -> set[ast.expr]:
    """Returns expressions that reveal no order if they are sets, because they are compared, counted or tested.

    `own` contains the names that the code defines, since the code's own `len` could do anything. `ordered` are the
    parameters with items of a total order, so that sorting reveals nothing, and only the question reads the result of
    `root`; None if other code reads it.
    """
    found: list[ast.expr] = []
    if ordered is not None and isinstance(root, ast.FunctionDef):
        found += [each.value for each in root.body if isinstance(each, ast.Return) and each.value]
    for each in ast.walk(root):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in SORTING - {*own}:
            given = each.args if len(each.args) == 1 and not each.keywords else ()
            found += [one for one in given if _has_order(one, ordered or ())]
        if isinstance(each, ast.Compare):
            found += [each.left, *each.comparators]
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in ("len", "bool"):
            found += each.args if each.func.id not in own else ()
        elif isinstance(each, (ast.If, ast.IfExp, ast.While, ast.Assert)):
            found.append(each.test)
        elif isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not):
            found.append(each.operand)
    # The loop also visits what it adds itself: operands of `|`, and sets from which a set is created.
    for each in found:
        if isinstance(each, ast.BinOp):
            found += [each.left, each.right]
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in SETS:
            found += each.args
    return {*found}


def _hazard(node: ast.AST, outer: Collection[str], subject: Subject) -> str | None:
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return f"{', '.join(node.names)} outlives the call" if isinstance(node, ast.Global) else None
    if isinstance(node, (ast.Set, ast.SetComp)):
        return "the order of a set is undefined"
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
        isinstance(each, (ast.List, ast.Dict, ast.Set)) for each in node.args.defaults
    ):
        return f"a default of {node.name} is shared by all calls"
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return _of_module(node.value, outer) or _of_own_class(node.value)
    return _of_call(node, outer, subject) if isinstance(node, ast.Call) else None


def _of_call(node: ast.Call, outer: Collection[str], subject: Subject) -> str | None:
    called = node.func
    if isinstance(called, ast.Name):
        if called.id in SETS:
            return "the order of a set is undefined"
        if called.id == "print":
            return "it prints, and the output is not compared"
        home = (
            getattr(subject.namespace.get(called.id), "__module__", None)
            or type(subject.namespace.get(called.id)).__module__
        )
        if called.id in RESTLESS or (called.id in outer and home in MODULES):
            return f"{called.id}() gives a different result each time"
        return None
    if isinstance(called, ast.Attribute):
        base = called.value
        if called.attr in METHODS or (
            isinstance(base, ast.Name) and getattr(subject.namespace.get(base.id), "__name__", None) in MODULES
        ):
            return f"{ast.unparse(called)[:60]}() gives a different result each time"
        if called.attr in CHANGING:
            return _of_module(base, outer)
    return None


def _of_own_class(base: ast.expr) -> str | None:
    """Reports a class that is changed through one of its objects."""
    is_class = isinstance(base, ast.Name) and base.id == "cls"
    is_asked = isinstance(base, ast.Call) and getattr(base.func, "id", None) == "type"
    is_read = isinstance(base, ast.Attribute) and base.attr == "__class__"
    return "a class outlives the call" if is_class or is_asked or is_read else None


def _of_module(base: ast.expr, outer: Collection[str]) -> str | None:
    """Reports changed module state, because the next call sees this call's changes."""
    while isinstance(base, (ast.Attribute, ast.Subscript)):
        base = base.value
    return f"{base.id} outlives the call" if isinstance(base, ast.Name) and base.id in outer else None
