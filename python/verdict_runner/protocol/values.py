"""Converts values to JSON without loss: numbers that JSON can't represent become strings."""

from __future__ import annotations

import sys
from collections.abc import Callable, ItemsView, KeysView, Mapping, ValuesView
from fractions import Fraction
from types import GeneratorType
from typing import Any, TypeAlias, TypeVar

from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

# Any value that a program exports.
Value: TypeAlias = Any
_Value = TypeVar("_Value")

SAFE_INTEGER = 2**53
# The maximum number of parts in a value: far more than an answer shows, but still handled in a fraction of a second.
PARTS_MAX = 200_000
DEPTH_MAX = 50

# Python's own limit on an integer's digits is lifted for exact answers, which time and memory limit instead.
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


def number(value: int) -> int | str:
    """Converts an integer to a number, or to a string beyond 2^53, since JavaScript would round it."""
    return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)


def rational(value: Fraction | int) -> int | str:
    """Converts a fraction to a number if it is an integer, else exactly to "p/q"."""
    value = Fraction(value)
    return number(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def decimal(value: Fraction) -> float | str:
    """Converts a fraction to a number if its decimal form is exact, else to "p/q"."""
    near = float(value) if abs(value) < 10**15 else 0.0
    return near if value.denominator > 1 and Fraction(repr(near)) == value else rational(value)


def real(value: float) -> float | str:
    """Converts a float; values that JSON lacks, and negative zero, become strings."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "+oo" if value > 0 else "-oo"
    return "-0.0" if value == 0 and str(value).startswith("-") else value


STREAMS = (GeneratorType, filter, map, zip, ItemsView, KeysView, ValuesView)


def taken(value: _Value) -> _Value:
    """Copies a value and all its parts to Python's built-in types.

    An object of a program's own class could show one value to a check and a different one to the answer.
    """
    return _Taken().of(value, 0)


class _Taken:
    """Copies one value, up to a maximum number of parts."""

    def __init__(self) -> None:
        self._left = PARTS_MAX

    def of(self, value: Value, depth: int) -> Value:
        self._left -= 1
        if self._left < 0:
            raise _too_large()
        if depth > DEPTH_MAX:
            return "…"
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int):
            return int.__int__(value)
        if isinstance(value, float):
            return float.__float__(value)
        if isinstance(value, dict):
            return {self._key(key, depth): self.of(each, depth + 1) for key, each in dict.items(value)}
        # Set members have to stay hashable.
        if isinstance(value, set):
            return {self._key(each, depth) for each in set.__iter__(value)}
        if isinstance(value, frozenset):
            return frozenset(self._key(each, depth) for each in frozenset.__iter__(value))
        if isinstance(value, list):
            return [self.of(each, depth + 1) for each in list.__iter__(value)]
        if isinstance(value, tuple):
            return tuple(self.of(each, depth + 1) for each in tuple.__iter__(value))
        return [self.of(each, depth + 1) for each in value] if isinstance(value, STREAMS) else value

    def _key(self, key: Value, depth: int) -> Value:
        if isinstance(key, tuple):
            return tuple(self._key(each, depth + 1) for each in tuple.__iter__(key))
        return self.of(key, depth + 1)


def _too_large() -> Refused:
    return Refused(
        f"The exported values have more than {PARTS_MAX} parts.",
        ["export only the values that answer the question"],
    )


def plain(value: object, other: Callable[[object], Json]) -> Json:
    """Converts a Python value and all its parts; `other` converts non-built-in values to JSON."""
    return _Plain(other).of(value, 0)


def object_of(value: Mapping[Any, object], other: Callable[[object], Json]) -> dict[str, Json]:
    """Converts a Python dictionary and all its parts to a JSON object."""
    return _Plain(other).object(value, 0)


class _Plain:
    """Converts one value to JSON, up to a maximum number of parts: a list can contain itself or be endless."""

    def __init__(self, other: Callable[[object], Json]) -> None:
        self._other = other
        self._parts = 0

    def of(self, value: object, depth: int) -> Json:
        self._parts += 1
        if self._parts > PARTS_MAX:
            raise _too_large()
        if depth > DEPTH_MAX:
            return "…"
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            # For an instance of a program's string class, only the text is used.
            return str.__str__(value)
        if isinstance(value, int):
            return number(int(value))
        if isinstance(value, float):
            return real(float(value))
        if isinstance(value, Fraction):
            return rational(value)
        if isinstance(value, dict):
            return self.object(value, depth)
        if isinstance(value, (list, tuple, range)):
            return [self.of(each, depth + 1) for each in value]
        if isinstance(value, (set, frozenset)):
            return sorted((self.of(each, depth + 1) for each in value), key=lambda each: (str(type(each)), str(each)))
        return self._other(value)

    def object(self, value: Mapping[Any, object], depth: int) -> dict[str, Json]:
        return {name: self.of(each, depth + 1) for name, each in named(value, self._other).items()}


def named(value: Mapping[Any, _Value], other: Callable[[object], Json]) -> dict[str, _Value]:
    """Converts a dictionary's keys to strings; if two keys have the same text, like 1 and "1", the second is quoted."""
    shown: dict[str, _Value] = {}
    for key, each in value.items():
        text = key_text(key, other)
        shown[repr(key) if text in shown else text] = each
    return shown


def key_text(key: object, other: Callable[[object], Json]) -> str:
    """Converts a key to text: a string stays unchanged, a tuple becomes "1,2", and anything else is used as printed."""
    if isinstance(key, str):
        return key
    if isinstance(key, tuple):
        return ",".join(key_text(each, other) for each in key)
    value = plain(key, other)
    return value if isinstance(value, str) else str(key)
