"""Whether two values are the same to anybody who looks: of one type, with the same parts."""

import collections
import datetime
import decimal
import enum
import math
import types

from .. import guards

# As deep as values get that are no circle.
DEPTH_MAX = 100
ATOMS = (bool, int, str, bytes, bytearray, range, type(None), type(Ellipsis), type(NotImplemented))


class Uncomparable(Exception):
    """What can't be looked into, such as an iterator: neither the same nor not."""


def same(a, b, depth=0):
    """Strictly: True is not 1, 1 is not 1.0, 0.0 is not -0.0; NaN is NaN; the order of dictionaries and sets is not looked at."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return _same_floats(a, b)
    # Enumerations may be numbers, too.
    if isinstance(a, (enum.Enum, type, types.FunctionType, types.BuiltinFunctionType)):
        return _identical(a, b)
    if isinstance(a, complex):
        return _same_floats(a.real, b.real) and _same_floats(a.imag, b.imag)
    if type(a) in ATOMS:
        return a == b
    if depth > DEPTH_MAX:
        raise Uncomparable("a value that is deeper than can be compared")
    return _same_parts(a, b, depth + 1)


def _same_floats(a, b):
    return (a != a and b != b) or (a == b and math.copysign(1.0, a) == math.copysign(1.0, b))


def _identical(a, b):
    if a is b or isinstance(a, (enum.Enum, type, types.BuiltinFunctionType)):
        return a is b
    raise Uncomparable("a function")


def _same_parts(a, b, depth):
    if isinstance(a, (list, tuple, collections.deque)):
        if getattr(a, "maxlen", None) != getattr(b, "maxlen", None):
            return False
        return len(a) == len(b) and all(same(x, y, depth) for x, y in zip(a, b)) and _same_fields(a, b, depth)
    if isinstance(a, dict):
        return _same_keys(a, b, depth) and all(same(a[key], b[key], depth) for key in a) and _same_fields(a, b, depth)
    if isinstance(a, (set, frozenset)):
        return _same_keys(a, b, depth) and _same_fields(a, b, depth)
    if isinstance(a, decimal.Decimal):
        return a.as_tuple() == b.as_tuple()
    if isinstance(a, BaseException):
        return same(a.args, b.args, depth) and _same_fields(a, b, depth)
    if isinstance(a, (datetime.time, datetime.datetime)):
        return a == b and a.tzinfo == b.tzinfo and a.fold == b.fold
    if isinstance(a, (int, str, bytes)) and guards.is_own(type(a)):
        return _plain(a) == _plain(b) and _same_fields(a, b, depth)
    if guards.is_own(type(a)):
        return _same_fields(a, b, depth)
    if type(a).__eq__ is object.__eq__:
        raise Uncomparable(f"a value of type {type(a).__name__}")
    return bool(a == b)


def _plain(value):
    """The value without the methods that a class of the code gave it."""
    for kind in (int, str, bytes):
        if isinstance(value, kind):
            return kind.__str__(value) if kind is str else kind(value) if kind is bytes else kind.__int__(value)


def _same_keys(a, b, depth):
    """Whether two containers hold the same keys, of the same types."""
    if len(a) != len(b):
        return False
    others = {key: key for key in b}
    left = []
    for key in a:
        if key not in others:
            left.append(key)
        elif not same(key, others.pop(key), depth):
            return False
    # What is not even equal to itself.
    return len(left) == len(others) and all(any(same(key, other, depth) for other in others) for key in left)


def _same_fields(a, b, depth):
    """The attributes of instances of the code's own classes."""
    return not guards.is_own(type(a)) or same(fields_of(a), fields_of(b), depth)


def fields_of(value):
    """The attributes that an instance holds itself."""
    fields = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        for name in _slots(kind):
            if hasattr(value, name):
                fields[name] = getattr(value, name)
    return fields


def _slots(kind):
    slots = vars(kind).get("__slots__", ())
    return [slots] if isinstance(slots, str) else [each for each in slots if not each.startswith("__")]
