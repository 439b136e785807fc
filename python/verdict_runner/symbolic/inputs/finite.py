"""Lists all inputs of a function that has few: running all of them is a proof."""

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

from verdict_runner.symbolic.code import annotations
from verdict_runner.symbolic.code.annotations import Annotation, Namespace
from verdict_runner.symbolic.code.annotations.concrete import Concrete
from verdict_runner.symbolic.contracts.same import Value
from verdict_runner.symbolic.inputs.domains import OPEN, Domain

if TYPE_CHECKING:
    from verdict_runner.symbolic.run.questions import Question

INPUTS_MAX = 4096
# The maximum nesting depth of types.
DEPTH_MAX = 8
# Dictionary methods that change the dictionary.
CHANGING = frozenset("clear pop popitem setdefault update".split())


def inputs(question: Question, domains: Mapping[str, Domain]) -> list[dict[str, object]] | None:
    """Returns all inputs, as arguments by name; None if there are too many to try."""
    if _can_share(question):
        return None
    columns: list[list[dict[str, object]]] = []
    for each in question.signature.parameters.values():
        if each.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            return None
        values = _values(each.annotation, question.subject.namespace, domains.get(each.name, OPEN))
        if values is None:
            return None
        columns.append([*({each.name: value} for value in values), *([{}] if each.name in question.omittable else [])])
    rows = _product(columns)
    if rows is None:
        return None
    return [{name: value for part in row for name, value in part.items()} for row in rows]


def _can_share(question: Question) -> bool:
    """Whether a caller can pass the same object twice and the code can detect this; such inputs are not tried."""
    namespace = question.subject.namespace
    kinds = [
        *(kind for each in question.signature.parameters.values() for kind in _objects(each.annotation, namespace)),
        *(kind for maker in question.function.makers.values() for kind in maker.kinds),
    ]
    twice = {each for each in kinds if kinds.count(each) > 1}
    by_identity = any(each.__eq__ is object.__eq__ for each in twice)
    return bool(twice) and (
        by_identity or any(_changes(node) for each in question.subjects for node in ast.walk(each.tree))
    )


def _objects(annotation: Annotation, namespace: Namespace, depth: int = 0) -> Iterator[type]:
    """Yields the classes of the changeable objects in a value, once per place.

    All dictionaries count as one class.
    """
    origin, parts = typing.get_origin(annotation) or annotation, annotations.parts_of(annotation)
    if origin is typing.Literal or depth == DEPTH_MAX:
        return
    if annotations.is_record(origin):
        if not issubclass(origin, tuple):
            yield dict if annotations.is_typed_dict(origin) else origin
        parts = [*annotations.fields_of(origin, namespace).values()]
    for each in parts:
        yield from _objects(each, namespace, depth + 1)


def _changes(node: ast.AST) -> bool:
    """Whether a node can change a dictionary or an object of one of the code's classes."""
    is_written = isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)
    merges = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitOr)
    return is_written or merges or getattr(node, "attr", "") in CHANGING


def _product(columns: Sequence[Sequence[Value]]) -> list[tuple[Value, ...]] | None:
    return [*itertools.product(*columns)] if math.prod(map(len, columns)) <= INPUTS_MAX else None


def _values(
    annotation: Annotation, namespace: Namespace, domain: Domain = OPEN, depth: int = 0
) -> Sequence[Value] | None:
    """Returns all values of a type; None if there are many or they are unknown."""
    origin, parts = typing.get_origin(annotation) or annotation, annotations.parts_of(annotation)
    if origin is bool:
        return (False, True)
    if origin is type(None):
        return (None,)
    if origin is typing.Literal:
        return parts
    if isinstance(origin, type) and issubclass(origin, enum.Enum) and not issubclass(origin, enum.Flag):
        return [*origin]
    low, high = domain.low, domain.high
    # An integer can be too large to be subtracted from an infinite float.
    if origin is int and isinstance(low, int) and isinstance(high, int) and high - low < INPUTS_MAX:
        return range(low, high + 1)
    if origin in (int, str, bytes) and domain.equal is not None:
        return sorted((each for each in domain.equal if isinstance(each, origin)), key=repr)
    if annotations.is_record(origin) and not parts and depth < DEPTH_MAX:
        return _records(origin, namespace, depth)
    if origin not in (typing.Union, types.UnionType, tuple) or Ellipsis in parts:
        return None
    # Preconditions apply only to a parameter itself, not to items of a tuple.
    known = _known(parts, namespace, depth, OPEN if origin is tuple else domain)
    if known is None:
        return None
    return _product(known) if origin is tuple else [value for each in known for value in each]


def _known(
    kinds: Iterable[Annotation], namespace: Namespace, depth: int, domain: Domain = OPEN
) -> list[Sequence[Value]] | None:
    """Returns all values of each type; None if the values of one type are unknown."""
    columns = [_values(each, namespace, domain, depth + 1) for each in kinds]
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
