"""Compares two values in every observable way: they must have the same type and equal parts."""

from __future__ import annotations

import builtins
import collections
import copy
import datetime
import decimal
import enum
import fractions
import math
import re
import types
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from verdict_runner.sandbox import guards

# A value that is inspected according to its exact class.
Value: TypeAlias = Any

# Maps the id of an object in one version of the code to the corresponding object in the other version.
Twins: TypeAlias = "Mapping[int, object]"
NO_TWINS: Twins = {}

# The maximum nesting depth of values without cycles.
DEPTH_MAX = 100
ATOMS = (bool, int, str, bytes, bytearray, range, type(None), type(Ellipsis), type(NotImplemented))
# Library types for which `==` compares everything.
COMPARED = (datetime.date, datetime.timedelta, datetime.timezone, fractions.Fraction)
SEQUENCES = (list, tuple, collections.deque)
# Iterators whose remaining items can be seen without reading them.
UNREAD = (type(iter([])), map)
MAPPINGS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
# Modules whose classes have instances that keep only fields.
OPEN_HOMES = frozenset(
    "builtins typing typing_extensions abc enum numbers collections collections.abc _collections_abc icontract._metaclass deal._runtime._invariant".split()
)


class Uncomparable(Exception):
    """Raised for values that can't be inspected, such as iterators, which are neither equal nor different."""


def same(a: Value, b: Value, depth: int = 0, twins: Twins = NO_TWINS) -> bool:
    """Whether two values are strictly equal.

    True differs from 1, 1 from 1.0, and 0.0 from -0.0, but NaN equals NaN. The order of dictionaries and sets is
    ignored. Two versions of a class are `twins`: their objects are equal if their fields are. Raises `Uncomparable`.
    """
    if not same_class(type(a), type(b), twins):
        return False
    if type(a) is float:
        return _same_floats(a, b)
    # Enumeration members can also be numbers.
    if isinstance(a, (enum.Enum, type, types.FunctionType, types.BuiltinFunctionType)):
        return _identical(a, b, twins)
    if type(a) is complex:
        return _same_floats(a.real, b.real) and _same_floats(a.imag, b.imag)
    if type(a) is range and a == b and (a.start, a.stop, a.step) != (b.start, b.stop, b.step):
        raise Uncomparable("two ranges of the same items, whose ends or steps differ")
    if type(a) in ATOMS:
        return a == b
    if depth > DEPTH_MAX:
        raise Uncomparable("a value nested too deeply to be compared")
    return _same_parts(a, b, depth + 1, twins)


def same_class(one: type, other: type, twins: Twins) -> bool:
    """Whether two classes are identical or two versions of the same class.

    Raises `Uncomparable` for two classes with the same qualified name that are defined in functions, since it is
    unknown whether their methods do the same.
    """
    if one is other or (twins.get(id(one)) is other and guards.is_own(one)):
        return True
    if guards.is_own(one) and guards.is_own(other) and "<locals>" in one.__qualname__ == other.__qualname__:
        raise Uncomparable(f"an object of {one.__qualname__}, a class in a function")
    return False


def _same_floats(a: float, b: float) -> bool:
    return (a != a and b != b) or (a == b and math.copysign(1.0, a) == math.copysign(1.0, b))


def _identical(a: object, b: object, twins: Twins) -> bool:
    if isinstance(a, type) and isinstance(b, type):
        return same_class(a, b, twins)
    if isinstance(a, enum.Enum) and isinstance(b, enum.Enum) and type(a) is not type(b):
        return a._name_ == b._name_ and same(a._value_, b._value_)
    if a is b or isinstance(a, (enum.Enum, type, types.BuiltinFunctionType)):
        return a is b
    if twins.get(id(a)) is b:
        return True
    raise Uncomparable("a function")


def _same_parts(a: Value, b: Value, depth: int, twins: Twins) -> bool:
    kind = type(a)
    if guards.is_own(kind):
        return _same_instances(a, b, depth, twins)
    if kind in SEQUENCES:
        if getattr(a, "maxlen", None) != getattr(b, "maxlen", None):
            return False
        return len(a) == len(b) and all(same(x, y, depth, twins) for x, y in zip(a, b))
    if kind in MAPPINGS:
        return _matching(
            a, b, lambda key, other: same(key, other, depth, twins) and same(a[key], b[other], depth, twins)
        )
    if kind in (set, frozenset):
        return _matching(a, b, lambda one, other: same(one, other, depth, twins))
    if kind is decimal.Decimal:
        return a.as_tuple() == b.as_tuple()
    if getattr(builtins, kind.__name__, None) is kind and isinstance(a, BaseException):
        return same(a.args, b.args, depth, twins)
    if kind in (datetime.time, datetime.datetime):
        return a == b and a.tzinfo == b.tzinfo and a.fold == b.fold
    if kind in COMPARED:
        return a == b
    if kind is slice:
        return all(same(getattr(a, each), getattr(b, each), depth, twins) for each in ("start", "stop", "step"))
    if kind is re.Pattern:
        return same(a.pattern, b.pattern) and a.flags == b.flags
    if kind in UNREAD:
        left = remaining(a), remaining(b)
        if None not in left:
            return same(*left, depth, twins)
    if kind is object and (a is b or twins.get(id(a)) is b):
        return True
    raise Uncomparable(f"a value of type {kind.__name__}")


def _same_instances(a: object, b: object, depth: int, twins: Twins) -> bool:
    """Compares instances of the code's classes by their attributes, since their own methods could return anything."""
    for each in type(a).__mro__:
        if not guards.is_own(each) and each not in PARTS and each.__module__ not in OPEN_HOMES:
            raise Uncomparable(f"a value of type {type(a).__name__}, which keeps things in a library's class")
    if not same(fields_of(a), fields_of(b), depth, twins):
        return False
    return all(same(part(a), part(b), depth, twins) for kind, part in PARTS.items() if isinstance(a, kind))


# The contents that an instance can have in addition to its fields, and how to read them.
PARTS: Mapping[type, Callable[[Any], object]] = {
    int: int.__int__,
    float: float.__float__,
    complex: lambda value: complex.__add__(value, 0),
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    bytearray: lambda value: bytes(memoryview(value)),
    list: lambda value: list.__getitem__(value, slice(None)),
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: set(frozenset.__iter__(value)),
    collections.deque: lambda value: list(collections.deque.__iter__(value)),
    decimal.Decimal: decimal.Decimal.as_tuple,
    fractions.Fraction: lambda value: (
        fractions.Fraction.numerator.__get__(value),
        fractions.Fraction.denominator.__get__(value),
    ),
    datetime.date: lambda value: datetime.date.timetuple(value)[:3],
    datetime.time: datetime.time.isoformat,
    datetime.datetime: datetime.datetime.isoformat,
    datetime.timedelta: lambda value: datetime.timedelta.__add__(value, datetime.timedelta(0)),
    BaseException: lambda value: vars(BaseException)["args"].__get__(value),
}


def _matching(a: Value, b: Value, match: Callable[[Any, Any], bool]) -> bool:
    """Whether each key of one container matches a key of the other; most keys are found by equality."""
    if len(a) != len(b):
        return False
    others, left = {key: key for key in b}, []
    for key in a:
        if key not in others:
            # A key may not even equal itself.
            left.append(key)
        elif not match(key, others.pop(key)):
            return False
    for key in left:
        equal = next((other for other in others.values() if match(key, other)), _NOTHING)
        if equal is _NOTHING:
            return False
        others = {at: other for at, other in others.items() if other is not equal}
    return True


_NOTHING = object()


def remaining(value: Value) -> list[Value] | None:
    """Returns what a list's iterator, or a `map(int, …)` of one, has not yielded yet; None for other iterators."""
    if type(value) is map:
        function, *iterators = value.__reduce__()[1]
        return remaining(iterators[0]) if function is int and len(iterators) == 1 else None
    return [*copy.copy(value)] if type(value) is UNREAD[0] else None


def parts_of(value: Value) -> list[Value]:
    """Returns what a collection, or an instance of one of the code's classes, contains."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        return [*value]
    return [*fields_of(value).values()] if guards.is_own(type(value)) else []


def fields_of(value: object) -> dict[str, object]:
    """Returns the attributes stored in the instance itself."""
    fields = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        for name, slot in vars(kind).items():
            if isinstance(slot, types.MemberDescriptorType) and guards.is_own(kind):
                try:
                    fields[name] = slot.__get__(value)
                except AttributeError:
                    continue
    return fields
