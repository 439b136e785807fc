"""Annotations: their meaning, the values that a parameter can be given, and whether a result satisfies one."""

from __future__ import annotations

import ast
import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import fractions
import numbers
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, TypeGuard

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards, program
from verdict_runner.sandbox.classes import is_ordinary

# A type as it is written, for which Python has no common class: a class, a union, a string, and more.
Annotation: TypeAlias = Any
# The variables of a module.
Namespace: TypeAlias = "dict[str, Any]"

# A type that is deeper than this refers to itself.
DEPTH_MAX = 20
# The nodes that an annotation in a string can contain: it is evaluated without the guards of the code.
WRITTEN = (
    *(ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.BinOp),
    *(ast.BitOr, ast.Load, ast.UnaryOp, ast.USub),
)


def unsupported(message: str, *steps: str, line: int | None = None) -> Refused:
    """The refusal of a type for which neither boundary values nor symbolic ones can be created."""
    return Refused(message, steps, error_type="UnsupportedConstruct", line=line)


# ---- What an annotation names.


def of(holder: object, line: int | None = None) -> Mapping[str, Annotation]:
    """The annotations of a function or class, by name; some versions of Python evaluate them only now."""
    try:
        return getattr(holder, "__annotations__", {})
    except Exception as error:
        message = f"The annotations of {getattr(holder, '__name__', holder)} can't be read: {type(error).__name__}: {str(error)[:200]}."
        raise Refused(
            message, ["define or import what they name"], error_type=type(error).__name__, line=line
        ) from None


def resolved(annotation: Annotation, namespace: Namespace, depth: int = 0) -> Annotation:
    """The annotation with every string in it replaced by its meaning; raises `Refused`."""
    if depth > DEPTH_MAX:
        raise unsupported(
            "The annotation refers to itself without end.",
            "write the type out to the depth that matters, such as list[int] | int",
        )
    if isinstance(annotation, str):
        return resolved(_evaluated(annotation, namespace), namespace, depth + 1)
    if isinstance(annotation, typing.ForwardRef):
        return resolved(annotation.__forward_arg__, namespace, depth + 1)
    if type(annotation).__name__ == "TypeAliasType":
        return resolved(annotation.__value__, namespace, depth + 1)
    parts = parts_of(annotation)
    if annotation is None:
        return type(None)
    # The parameters and results of a Callable are ignored.
    if not parts or typing.get_origin(annotation) in (typing.Literal, collections.abc.Callable):
        return annotation
    if typing.get_origin(annotation) is typing.Annotated:
        return resolved(annotation.__origin__, namespace, depth + 1)
    new = tuple(each if each is Ellipsis else resolved(each, namespace, depth + 1) for each in parts)
    return annotation if all(a is b for a, b in zip(new, parts)) else _rebuilt(annotation, new)


def parts_of(annotation: Annotation) -> tuple[Annotation, ...]:
    """The arguments in the brackets; Python 3.10 represents an empty tuple's as one empty tuple."""
    parts = typing.get_args(annotation)
    return () if parts == ((),) else parts


def _rebuilt(annotation: Annotation, parts: tuple[Annotation, ...]) -> Annotation:
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        return typing.Union[parts]
    if isinstance(annotation, types.GenericAlias):
        return types.GenericAlias(typing.get_origin(annotation), parts)
    return annotation.copy_with(parts)


def _evaluated(text: str, namespace: Namespace) -> Annotation:
    try:
        tree = ast.parse(text.strip(), program.CODE, "eval")
    except SyntaxError:
        raise unsupported(
            f"The annotation {text[:80]!r} is not a type.", "write a type, such as int or list[int]"
        ) from None
    for node in ast.walk(tree):
        if not isinstance(node, WRITTEN) or (isinstance(node, ast.Attribute) and node.attr.startswith("_")):
            raise unsupported(
                f"The annotation {text[:80]!r} computes something.", "write a type, such as int or list[int]"
            )
    try:
        return eval(program.compiled(tree, program.CODE), namespace)
    except Exception as error:
        raise Refused(
            f"The annotation {text[:80]!r} can't be read: {type(error).__name__}: {str(error)[:200]}.",
            ["define or import what it names", "or write a type, such as int or list[int]"],
            error_type=type(error).__name__,
        ) from None


# ---- What a parameter can be given.

PLAIN = (
    *(int, bool, float, complex, str, bytes, bytearray, type(None), range),
    *(decimal.Decimal, fractions.Fraction, datetime.date, datetime.datetime, datetime.time, datetime.timedelta),
)
# Abstract containers, with the types that replace them.
CONTAINERS = {
    **dict.fromkeys((list, collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Iterable), list),
    **dict.fromkeys((collections.abc.Collection, collections.abc.Reversible, collections.abc.Container), list),
    tuple: tuple,
    **dict.fromkeys((set, collections.abc.MutableSet, collections.abc.Set), set),
    frozenset: frozenset,
    **dict.fromkeys((dict, collections.abc.Mapping, collections.abc.MutableMapping), dict),
    **{kind: kind for kind in (collections.deque, collections.OrderedDict)},
}
NUMBERS = {
    numbers.Integral: int,
    **dict.fromkeys((numbers.Number, numbers.Complex, numbers.Real), typing.Union[int, float]),
    numbers.Rational: typing.Union[int, fractions.Fraction],
}
EXAMPLES = {
    list: "list[int]",
    tuple: "tuple[int, str]",
    dict: "dict[str, int]",
    set: "set[int]",
    frozenset: "frozenset[int]",
}


class _Endless(Exception):
    """A record that can only be made of itself."""


class Concrete:
    """Converts annotations of parameters to types for which values can be created, and records what that excludes."""

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace
        self.narrowed: dict[str, str] = {}
        # Records that are being looked into.
        self._open: list[type] = []

    def made(self, annotation: Annotation) -> Annotation:
        """The annotation of a parameter made concrete; raises `Refused`."""
        try:
            return self.of(annotation)
        except _Endless:
            raise unsupported(
                f"{shown(annotation)} has no value that ends: it is made of itself.",
                "make the field that refers to it Optional, with None as its default",
            ) from None

    def of(self, annotation: Annotation, depth: int = 0) -> Annotation:
        """The annotation made concrete; raises `Refused` with the reason why there are no values of it."""
        if depth > DEPTH_MAX:
            raise unsupported("The type refers to itself without end.", "bound its depth")
        origin = typing.get_origin(annotation) or annotation
        if annotation in (typing.Any, object):
            raise unsupported(
                "Any value could be given.", "annotate it with the types that matter, such as int or list[int]"
            )
        if isinstance(annotation, typing.TypeVar):
            return self._of_variable(annotation, depth)
        if isinstance(annotation, typing.NewType):
            return self.of(resolved(annotation.__supertype__, self._namespace), depth + 1)
        if origin is typing.Literal:
            return annotation
        if origin in (typing.Union, types.UnionType):
            return self._of_union(parts_of(annotation), depth)
        if is_record(origin):
            self._look_into(origin, depth)
            return annotation
        if origin in NUMBERS:
            return self._narrow(annotation, NUMBERS[origin])
        if origin in CONTAINERS:
            return self._of_container(annotation, origin, depth)
        if origin in PLAIN or (isinstance(origin, type) and issubclass(origin, enum.Enum)):
            return annotation
        raise unsupported(f"There are no values of the type {shown(annotation)} here.", _way_out(origin))

    def _of_union(self, parts: tuple[Annotation, ...], depth: int) -> Annotation:
        made, endless = [], 0
        for each in parts:
            try:
                made.append(self.of(each, depth + 1))
            except _Endless:
                made.append(each)
                endless += 1
        if endless == len(parts):
            raise _Endless
        return typing.Union[tuple(made)]

    def _look_into(self, kind: type, depth: int) -> None:
        """Raises if a record has no value, or a field for which none can be created."""
        if kind in self._open:
            raise _Endless
        self._open.append(kind)
        # All text of it that a library might read, not only its fields: strings are evaluated then.
        for each in _written_in(kind):
            resolved(each, self._namespace)
        try:
            for name, each in fields_of(kind, self._namespace).items():
                self._field(kind, name, each, depth)
        finally:
            self._open.pop()

    def _field(self, kind: type, name: str, annotation: Annotation, depth: int) -> None:
        try:
            self.of(annotation, depth + 1)
        except Refused as refused:
            raise unsupported(f"Its field {name} in {kind.__name__}: {refused.message}", *refused.steps) from None

    def _narrow(self, annotation: Annotation, instead: Annotation) -> Annotation:
        self.narrowed[shown(annotation)] = shown(instead)
        return instead

    def _of_variable(self, variable: typing.TypeVar, depth: int) -> Annotation:
        choices = variable.__constraints__ or ([variable.__bound__] if variable.__bound__ else [int])
        chosen = [self.of(resolved(each, self._namespace), depth + 1) for each in choices]
        return self._narrow(variable, typing.Union[tuple(chosen)])

    def _of_container(self, annotation: Annotation, origin: Annotation, depth: int) -> Annotation:
        parts = parts_of(annotation)
        # The type of an empty tuple has no parts either.
        if not parts and annotation not in (tuple[()], typing.Tuple[()]):  # noqa: UP006
            example = EXAMPLES.get(CONTAINERS[origin], "list[int]")
            raise unsupported(f"{shown(annotation)} does not say of what.", f"annotate it in full, such as {example}")
        kind = CONTAINERS[origin]
        new = tuple(each if each is Ellipsis else self._part(each, depth, parts, kind) for each in parts)
        whole = types.GenericAlias(kind, new)
        return whole if kind is origin else self._narrow(annotation, whole)

    def _part(self, part: Annotation, depth: int, parts: tuple[Annotation, ...], kind: type) -> Annotation:
        """The item types of a container; those of a container that can be empty need not be finite."""
        try:
            return self.of(part, depth + 1)
        except _Endless:
            if kind is tuple and Ellipsis not in parts:
                raise
            return part


def _way_out(origin: Annotation) -> str:
    if origin is collections.abc.Callable:
        return "write a function that calls this one with the functions that matter"
    if origin in (collections.abc.Iterator, collections.abc.Generator):
        return "take a list instead of an iterator"
    if isinstance(origin, type):
        return f"make {origin.__name__} a dataclass with annotated fields, or take its parts as parameters"
    return "use int, bool, float, str, bytes, list, tuple, set, dict, Optional, Literal, an Enum or a dataclass"


def is_record(kind: Annotation) -> TypeGuard[type]:
    """Whether its instances are made of named fields."""
    return isinstance(kind, type) and (
        dataclasses.is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
    )


def _written_in(kind: type) -> Iterator[Annotation]:
    """The annotations of a class of the code and of the function that creates its instances."""
    for each in kind.__mro__:
        if guards.is_own(each):
            makers = [vars(each).get(name) for name in ("__init__", "__new__", "__post_init__")]
            for holder in (each, *makers):
                yield from of(holder).values()


def fields_of(kind: type, namespace: Namespace) -> dict[str, Annotation]:
    """The fields that create an instance of a record, by name, with their types; raises `Refused`."""
    if dataclasses.is_dataclass(kind):
        named = {each.name: each.type for each in dataclasses.fields(kind) if each.init}
    else:
        annotations = of(kind)
        named = {name: annotations.get(name, typing.Any) for name in kind._fields}
    return {name: resolved(each, namespace) for name, each in named.items()}


def shown(annotation: Annotation) -> str:
    """The annotation as source text."""
    if isinstance(annotation, type) and not parts_of(annotation):
        return "None" if annotation is type(None) else annotation.__name__
    text = str(annotation)
    for prefix in ("typing.", "collections.abc.", f"{guards.MODULE}."):
        text = text.replace(prefix, "")
    return text.lstrip("~")


# ---- Whether a value keeps an annotation.


# A value in the expression of an annotation, and the types of constants that are shown as they are written.
HELD = re.compile(r"\bheld_(\d+)\b")
LITERALS = (int, bool, str, bytes, type(None))


class Keeping:
    """An annotation as an expression of Python over one value, with the names that it needs."""

    def __init__(self, annotation: Annotation) -> None:
        self.names: dict[str, type] = {}
        # Whether a part of it can't be checked on a value.
        self.partial = False
        # The evaluated expression uses Verdict's own names: those of classes and constants are texts of the code under
        # test.
        self._held: list[object] = []
        self._shown: list[str] = []
        expression = self._of(annotation, "value", 0)
        self.keeps: Callable[[object], object] = eval(
            f"lambda value: {expression}", {f"held_{index}": each for index, each in enumerate(self._held)}
        )
        self.text = HELD.sub(lambda found: self._shown[int(found[1])], expression)

    def _of(self, annotation: Annotation, value: str, depth: int) -> str:
        """The check of each kind of annotation; parts that can't be checked are assumed to hold."""
        origin, parts = typing.get_origin(annotation) or annotation, parts_of(annotation)
        if annotation in (typing.NoReturn, getattr(typing, "Never", typing.NoReturn)):
            return "False"
        if annotation is None or annotation is type(None):
            return f"{value} is None"
        if origin in (typing.Union, types.UnionType):
            return " or ".join(self._grouped(each, value, depth) for each in parts)
        if origin is typing.Literal:
            return " or ".join(
                f"({value} == {self._literal(each)} and isinstance({value}, {self._name(type(each))}))"
                for each in parts
            )
        if isinstance(annotation, typing.NewType):
            return self._of(annotation.__supertype__, value, depth)
        if origin is float:
            return f"isinstance({value}, (float, int))"
        if origin is complex:
            return f"isinstance({value}, (complex, float, int))"
        if origin is collections.abc.Callable:
            return f"callable({value})"
        if origin in (object, typing.Any):
            return "True"
        if not isinstance(origin, type) or getattr(origin, "_is_protocol", False) or depth > DEPTH_MAX:
            self.partial = True
            return "True"
        return " and ".join([f"isinstance({value}, {self._name(origin)})", *self._inside(origin, parts, value, depth)])

    def _grouped(self, annotation: Annotation, value: str, depth: int) -> str:
        return f"({self._of(annotation, value, depth)})"

    def _inside(self, origin: Annotation, parts: tuple[Annotation, ...], value: str, depth: int) -> Iterator[str]:
        """The condition on the items of a container, if reading them changes nothing."""
        if not parts:
            return
        item = f"item_{depth}"
        if issubclass(origin, tuple):
            if len(parts) == 2 and parts[1] is Ellipsis:
                yield f"all({self._of(parts[0], item, depth + 1)} for {item} in {value})"
            else:
                yield f"len({value}) == {len(parts)}"
                yield from (self._grouped(each, f"{value}[{index}]", depth + 1) for index, each in enumerate(parts))
        elif issubclass(origin, collections.abc.Mapping) and len(parts) == 2:
            key = f"key_{depth}"
            both = f"{self._grouped(parts[0], key, depth + 1)} and {self._grouped(parts[1], item, depth + 1)}"
            yield f"all({both} for {key}, {item} in {value}.items())"
        elif issubclass(origin, collections.abc.Collection) and len(parts) == 1:
            yield f"all({self._of(parts[0], item, depth + 1)} for {item} in {value})"
        else:
            self.partial = True

    def _name(self, kind: type) -> str:
        return self._hold(kind, self._class_name(kind))

    def _literal(self, value: object) -> str:
        if isinstance(value, enum.Enum):
            name = value.name if is_ordinary(value.name) else "name"
            return self._hold(value, f"{self._class_name(type(value))}.{name}")
        return self._hold(value, repr(value) if type(value) in LITERALS else "...")

    def _class_name(self, kind: type) -> str:
        name = type.__dict__["__name__"].__get__(kind)
        if not is_ordinary(name):
            return "object"
        self.names[name] = kind
        return name

    def _hold(self, value: object, shown: str) -> str:
        """The name of a value in the expression that is evaluated, and how it is shown."""
        self._held.append(value)
        self._shown.append(shown)
        return f"held_{len(self._held) - 1}"
