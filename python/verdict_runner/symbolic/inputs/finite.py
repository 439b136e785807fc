"""Functions with few inputs: running all of them is a proof."""

from __future__ import annotations

import ast
import enum
import itertools
import math
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import Parameter
from typing import TYPE_CHECKING

from verdict_runner.sandbox import allowed
from verdict_runner.symbolic.code import annotations
from verdict_runner.symbolic.code.annotations import Annotation, Namespace
from verdict_runner.symbolic.code.annotations.concrete import Concrete
from verdict_runner.symbolic.code.loading import CONTRACTS
from verdict_runner.symbolic.code.mentions import imported, top
from verdict_runner.symbolic.code.reach import DEPTH_NOTICED
from verdict_runner.symbolic.contracts.contracts import Condition
from verdict_runner.symbolic.contracts.same import Value

if TYPE_CHECKING:
    from verdict_runner.symbolic.run.questions import Question

INPUTS_MAX = 4096
# Types in types.
DEPTH_MAX = 8
# Modules and builtins that reach nothing but the values they are given.
MODULES = frozenset("__future__ dataclasses enum fractions itertools math typing".split())
REACHING = frozenset("delattr dir format format_map getattr globals locals setattr super type vars".split())
# The smallest value of a parameter, and the largest one.
Bounds = tuple[float, float]
OPEN: Bounds = (-math.inf, math.inf)


def can_mislead(tree: ast.Module) -> bool:
    """Whether running functions of this text proves nothing: they could reach the code that runs them and report what
    is not true, or notice how deep the stack is.
    """
    for node in ast.walk(tree):
        name, attribute = getattr(node, "id", ""), getattr(node, "attr", "")
        if {name, attribute} & REACHING or name.startswith("__") or attribute.startswith("_"):
            return True
        modules = (
            [each.name for each in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None)]
        )
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not {*filter(None, modules)} <= MODULES | CONTRACTS:
            return True
        if isinstance(node, ast.ExceptHandler):
            caught = {getattr(each, "id", "") for each in ast.walk(node.type)} if node.type else DEPTH_NOTICED
            if caught & DEPTH_NOTICED:
                return True
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and allowed.is_dunder(node.name):
            return True
    return _uses_contracts(tree)


def _uses_contracts(tree: ast.Module) -> bool:
    """Whether a text uses a library of contracts, except by its decorators, which `confined` knows."""
    imports = (each for each in ast.walk(tree) if isinstance(each, (ast.Import, ast.ImportFrom)))
    names = {name for each in imports for name, module in imported(each) if top(module) in CONTRACTS}
    decorators = (one for each in ast.walk(tree) for one in getattr(each, "decorator_list", ()))
    called = (each.func if isinstance(each, ast.Call) else each for each in decorators)
    known = {part for each in called for part in ast.walk(each)}
    return "*" in names or any(getattr(each, "id", "") in names and each not in known for each in ast.walk(tree))


def inputs(question: Question, preconditions: Sequence[Condition]) -> list[dict[str, object]] | None:
    """All inputs, as arguments by name; None if they are more than can be tried."""
    columns: list[list[dict[str, object]]] = []
    bounds = _bounds(preconditions)
    own = question.function.signature.parameters
    for each in question.signature.parameters.values():
        if each.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            return None
        values = _values(
            each.annotation, question.subject.namespace, bounds.get(each.name, OPEN) if each.name in own else OPEN
        )
        if values is None:
            return None
        columns.append([*({each.name: value} for value in values), *([{}] if each.name in question.omittable else [])])
    rows = _product(columns)
    if rows is None:
        return None
    return [{name: value for part in row for name, value in part.items()} for row in rows]


def _product(columns: Sequence[Sequence[Value]]) -> list[tuple[Value, ...]] | None:
    return [*itertools.product(*columns)] if math.prod(map(len, columns)) <= INPUTS_MAX else None


def _values(
    annotation: Annotation, namespace: Namespace, bounds: Bounds = OPEN, depth: int = 0
) -> Sequence[Value] | None:
    """All values of a type; None if they are many, or not known."""
    origin, parts = typing.get_origin(annotation) or annotation, annotations.parts_of(annotation)
    if origin is bool:
        return (False, True)
    if origin is type(None):
        return (None,)
    if origin is typing.Literal:
        return parts
    if isinstance(origin, type) and issubclass(origin, enum.Enum) and not issubclass(origin, enum.Flag):
        return [*origin]
    if origin is int and bounds[1] - bounds[0] < INPUTS_MAX:
        return range(int(bounds[0]), int(bounds[1]) + 1)
    if annotations.is_record(origin) and not parts and depth < DEPTH_MAX:
        return _records(origin, namespace, depth)
    if origin not in (typing.Union, types.UnionType, tuple) or Ellipsis in parts:
        return None
    # Only a parameter itself is bounded, not an item of a tuple.
    known = _known(parts, namespace, depth, OPEN if origin is tuple else bounds)
    if known is None:
        return None
    return _product(known) if origin is tuple else [value for each in known for value in each]


def _known(
    kinds: Iterable[Annotation], namespace: Namespace, depth: int, bounds: Bounds = OPEN
) -> list[Sequence[Value]] | None:
    """All values of each of some types; None if those of one are not known."""
    columns = [_values(each, namespace, bounds, depth + 1) for each in kinds]
    known = [each for each in columns if each is not None]
    return known if len(known) == len(columns) else None


def _records(kind: type, namespace: Namespace, depth: int) -> Sequence[Value] | None:
    fields = annotations.fields_of(kind, namespace)
    concrete = Concrete(namespace)
    columns = _known(map(concrete.of, fields.values()), namespace, depth)
    if columns is None or concrete.narrowed or annotations.optional_fields(kind, namespace):
        return None
    rows = _product(columns)
    return None if rows is None else [kind(**dict(zip(fields, row))) for row in rows]


def _bounds(preconditions: Sequence[Condition]) -> dict[str, Bounds]:
    """The bounds of parameters that comparisons with constants state."""
    bounds: dict[str, Bounds] = {}
    stated = (each for condition in preconditions if condition.expression for each in _stated(condition.expression))
    for name, low, high in stated:
        known = bounds.get(name, OPEN)
        bounds[name] = (max(known[0], low), min(known[1], high))
    return bounds


def _stated(node: ast.expr) -> Iterator[tuple[str, float, float]]:
    """(parameter, smallest value, largest value) for each comparison that must hold."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for each in node.values:
            yield from _stated(each)
    elif isinstance(node, ast.Compare):
        for one, op, other in zip([node.left, *node.comparators], node.ops, node.comparators):
            for name, constant, signs in ((one, other, AFTER), (other, one, BEFORE)):
                value = _constant(constant)
                if isinstance(name, ast.Name) and value is not None and type(op) in signs:
                    low, high = signs[type(op)]
                    yield name.id, -math.inf if low is None else value + low, math.inf if high is None else value + high


# What a comparison with a constant after or before a name adds to the constant, for the bounds of the name.
AFTER: Mapping[type[ast.cmpop], tuple[int | None, int | None]] = {
    ast.Lt: (None, -1),
    ast.LtE: (None, 0),
    ast.Gt: (1, None),
    ast.GtE: (0, None),
    ast.Eq: (0, 0),
}
BEFORE = {
    ast.Lt: AFTER[ast.Gt],
    ast.LtE: AFTER[ast.GtE],
    ast.Gt: AFTER[ast.Lt],
    ast.GtE: AFTER[ast.LtE],
    ast.Eq: (0, 0),
}


def _constant(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
