"""Determines the values that a parameter can receive according to its annotation."""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import datetime
import decimal
import enum
import fractions
import numbers
import types
import typing
from collections.abc import Callable, Iterator

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards
from verdict_runner.symbolic.code.annotations import (
    ABSTRACT,
    DEPTH_MAX,
    Annotation,
    Namespace,
    fields_of,
    is_record,
    members_of,
    of,
    optional_fields,
    parts_of,
    resolved,
    shown,
    unsupported,
)

PLAIN = (
    *(int, bool, float, complex, str, bytes, bytearray, type(None), range),
    *(decimal.Decimal, fractions.Fraction, datetime.date, datetime.datetime, datetime.time, datetime.timedelta),
)
# Abstract containers, with the types that replace them.
CONTAINERS = {
    **dict.fromkeys((list, collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Iterable), list),
    **dict.fromkeys((collections.abc.Collection, collections.abc.Reversible, collections.abc.Container), list),
    collections.abc.Sized: list,
    tuple: tuple,
    **dict.fromkeys((set, collections.abc.MutableSet, collections.abc.Set), set),
    frozenset: frozenset,
    **dict.fromkeys((dict, collections.abc.Mapping, collections.abc.MutableMapping), dict),
    **{kind: kind for kind in (collections.deque, collections.OrderedDict)},
}
# Abstract types of single values, with types that have them.
SINGLE = {
    numbers.Integral: int,
    **dict.fromkeys((numbers.Number, numbers.Complex, numbers.Real), typing.Union[int, float]),
    numbers.Rational: typing.Union[int, fractions.Fraction],
    **dict.fromkeys((typing.SupportsInt, typing.SupportsIndex, typing.SupportsRound), int),
    **dict.fromkeys((typing.SupportsAbs, typing.SupportsFloat, typing.SupportsComplex), typing.Union[int, float]),
    collections.abc.Hashable: typing.Union[int, str],
}
# Types of which only a few values are tried, in words.
FEW = {
    **dict.fromkeys((collections.abc.Callable, typing.Callable), "a few functions of Python"),
    slice: "a few slices",
}
# The default item types of a container whose annotation does not name any.
ITEMS = {dict: (str, int), collections.OrderedDict: (str, int), tuple: (int, Ellipsis)}


class _Endless(Exception):
    """Raised for a record that can only be created from an instance of itself."""


class Concrete:
    """Converts parameters' annotations to types for which values can be created, and records what is excluded."""

    def __init__(self, namespace: Namespace, guess: Callable[[str], str] | None = None) -> None:
        self._namespace = namespace
        # Guesses a parameter's types, as source text, if its annotation says nothing about them.
        self._guess = guess
        self._name = ""
        # For each parameter, its annotations of which only a part is tried, with that part.
        self.narrowed: dict[str, dict[str, str]] = {}
        # The guessed types, by parameter name.
        self.guesses: dict[str, str] = {}
        # The parameters of which a part was narrowed or guessed that their type does not show: the field of a record.
        self.hidden: set[str] = set()
        # The records that are currently being examined.
        self._open: list[type] = []

    def made(self, annotation: Annotation, name: str) -> Annotation:
        """Makes a parameter's annotation concrete; raises `Refused`."""
        self._name = name
        try:
            made = self.of(annotation)
            if name in self.guesses:
                self.guesses[name] = " | ".join(map(shown, members_of(made)))
            return made
        except _Endless:
            raise unsupported(
                f"{shown(annotation)} has no finite value: it always contains itself.",
                "make the field that refers to it Optional, with None as its default",
            ) from None

    def of(self, annotation: Annotation, depth: int = 0) -> Annotation:
        """Makes an annotation concrete; raises `Refused` with the reason if the type has no values here."""
        if depth > DEPTH_MAX:
            raise unsupported("The type refers to itself endlessly.", "bound its depth")
        origin = typing.get_origin(annotation) or annotation
        if annotation in (typing.Any, object) and self._guess:
            self._guessed()
            # The guess contains only Python's own names.
            return self.of(eval(self._guess(self._name) if depth == 0 else "int", {**ABSTRACT}))
        if annotation in (typing.Any, object):
            raise unsupported(
                "Any value could be passed.", "annotate it with the relevant types, such as int or list[int]"
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
        if origin in SINGLE:
            return self._narrow(annotation, SINGLE[origin])
        if origin in CONTAINERS:
            return self._of_container(annotation, origin, depth)
        # A function of another type than the written one would show nothing.
        if annotation in FEW:
            return self._narrow(annotation, annotation, FEW[annotation])
        if origin is collections.abc.Iterator:
            whole = types.GenericAlias(origin, self.of((parts_of(annotation) or (int,))[0], depth + 1))
            return self._narrow(annotation, whole, "a few iterators")
        if origin in PLAIN or (isinstance(origin, type) and issubclass(origin, enum.Enum)):
            return annotation
        raise unsupported(f"There are no values of the type {shown(annotation)} here.", _way_out(origin))

    def _of_union(self, parts: tuple[Annotation, ...], depth: int) -> Annotation:
        members, endless, refused = [], 0, []
        for each in parts:
            try:
                members.append(self.of(each, depth + 1))
            except Refused as error:
                refused.append(error)
            except _Endless:
                members.append(each)
                endless += 1
        if endless == len(parts):
            raise _Endless
        if len(refused) == len(parts):
            raise refused[0]
        whole = typing.Union[tuple(members)]
        return self._narrow(typing.Union[parts], whole) if refused else whole

    def _look_into(self, kind: type, depth: int) -> None:
        """Raises if a record, or one of its fields, has no value that can be created."""
        if kind in self._open:
            raise _Endless
        self._open.append(kind)
        # All annotations that a library might read are resolved, not only those of fields, since libraries evaluate
        # strings.
        for each in _written_in(kind):
            resolved(each, self._namespace)
        try:
            optional = optional_fields(kind, self._namespace)
            for name, each in fields_of(kind, self._namespace).items():
                with contextlib.suppress(*([_Endless] if name in optional else [])):
                    self._field(kind, name, each, depth)
        finally:
            self._open.pop()

    def _field(self, kind: type, name: str, annotation: Annotation, depth: int) -> None:
        try:
            self.of(annotation, depth + 1)
        except Refused as refused:
            raise unsupported(f"Its field {name} in {kind.__name__}: {refused.message}", *refused.steps) from None

    def _narrow(self, annotation: Annotation, instead: Annotation, words: str | None = None) -> Annotation:
        self.narrowed.setdefault(self._name, {})[shown(annotation)] = words or shown(instead)
        self._hide()
        return instead

    def _guessed(self) -> None:
        self.guesses[self._name] = ""
        self._hide()

    def _hide(self) -> None:
        if self._open:
            self.hidden.add(self._name)

    def _of_variable(self, variable: typing.TypeVar, depth: int) -> Annotation:
        choices = variable.__constraints__ or ([variable.__bound__] if variable.__bound__ else [int])
        chosen = [self.of(resolved(each, self._namespace), depth + 1) for each in choices]
        return self._narrow(variable, typing.Union[tuple(chosen)])

    def _of_container(self, annotation: Annotation, origin: Annotation, depth: int) -> Annotation:
        parts = parts_of(annotation)
        # The type of an empty tuple also has no parts.
        if not parts and annotation not in (tuple[()], typing.Tuple[()]):  # noqa: UP006
            self._guessed()
            parts = ITEMS.get(CONTAINERS[origin], (int,))
        kind = CONTAINERS[origin]
        new = tuple(each if each is Ellipsis else self._part(each, depth, parts, kind) for each in parts)
        whole = types.GenericAlias(kind, new)
        return whole if kind is origin else self._narrow(annotation, whole)

    def _part(self, part: Annotation, depth: int, parts: tuple[Annotation, ...], kind: type) -> Annotation:
        """Makes an item type of a container concrete; it may refer to itself if the container can be empty."""
        try:
            return self.of(part, depth + 1)
        except _Endless:
            if kind is tuple and Ellipsis not in parts:
                raise
            return part


def _way_out(origin: Annotation) -> str:
    if origin is collections.abc.Callable:
        return "write a function that calls this one with the relevant functions"
    if origin is collections.abc.Generator:
        return "take a list instead of an iterator"
    if isinstance(origin, type):
        return f"make {origin.__name__} a dataclass with annotated fields, or take its parts as parameters"
    return "use int, bool, float, str, bytes, list, tuple, set, dict, Optional, Literal, an Enum or a dataclass"


def _written_in(kind: type) -> Iterator[Annotation]:
    """Yields the annotations of one of the code's classes and of the function that creates its instances."""
    for each in kind.__mro__:
        if guards.is_own(each):
            makers = [vars(each).get(name) for name in ("__init__", "__new__", "__post_init__")]
            for holder in (each, *makers):
                yield from of(holder).values()
