"""Converts inputs to JSON without loss, and back; a value that JSON lacks becomes an object with its kind as key."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
from collections.abc import Mapping
from typing import TYPE_CHECKING

from verdict_runner.protocol.messages import Json
from verdict_runner.sandbox import guards
from verdict_runner.symbolic.contracts.same import UNREAD, Value, remaining, same
from verdict_runner.symbolic.inputs import functions

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.subject import Subject

DEPTH_MAX = 60
PARTS_MAX = 20_000
SEQUENCES = {kind.__name__: kind for kind in (list, tuple, set, frozenset, collections.deque)}
MAPPINGS = {kind.__name__: kind for kind in (dict, collections.OrderedDict)}
# Kinds of values that can be changed, for which it matters whether two parts are the same object.
SHARED = {*SEQUENCES, *MAPPINGS, "bytearray", "record"} - {"tuple", "frozenset"}


class Unencodable(Exception):
    """Raised for a value that can't be written as JSON."""


def encode(arguments: Mapping[str, object], with_aliases: bool = False) -> dict[str, Json]:
    """Converts arguments to JSON; raises `Unencodable`.

    With aliases, an object in two places is read back as one object.
    """
    writer = _Writer({} if with_aliases else None)
    return {name: writer.of(value, 0) for name, value in arguments.items()}


def decode(written: Mapping[str, object], subject: Subject) -> dict[str, object]:
    """Reads arguments as new objects; raises `Unencodable` for JSON that this code can't have written."""
    read = _Reader(subject).of
    try:
        return {name: read(each) for name, each in written.items()}
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise Unencodable(f"{type(error).__name__}: {error}") from None


class _Writer:
    def __init__(self, known: dict[int, int] | None) -> None:
        self._parts = 0
        # The objects that have already been written, in order.
        self._known = known

    def of(self, value: Value, depth: int) -> Json:
        known = {} if self._known is None else self._known
        if id(value) in known:
            return {"same": known[id(value)]}
        written = self._written(value, depth)
        if isinstance(written, dict) and not SHARED.isdisjoint(written):
            known[id(value)] = len(known)
        return written

    def _written(self, value: Value, depth: int) -> Json:
        self._parts += 1
        if depth > DEPTH_MAX or self._parts > PARTS_MAX:
            raise Unencodable("a value that is too large")
        kind = type(value)
        if value is None or kind in (bool, str):
            return value
        if kind is int:
            return {"int": hex(value)}
        if kind is float:
            return {"float": value.hex()}
        if kind is complex:
            return {"complex": [value.real.hex(), value.imag.hex()]}
        if kind in (bytes, bytearray):
            return {kind.__name__: value.hex()}
        if kind in (range, slice):
            return {kind.__name__: [self.of(each, depth + 1) for each in (value.start, value.stop, value.step)]}
        if functions.name_of(value):
            return {"function": functions.name_of(value)}
        if kind in UNREAD and (left := remaining(value)) is not None:
            return {kind.__name__: [self.of(each, depth + 1) for each in left]}
        if kind is collections.deque and value.maxlen is not None:
            raise Unencodable("a deque with a bound")
        if kind.__name__ in SEQUENCES and kind is SEQUENCES[kind.__name__]:
            return {kind.__name__: [self.of(each, depth + 1) for each in value]}
        if kind.__name__ in MAPPINGS and kind is MAPPINGS[kind.__name__]:
            return {kind.__name__: [[self.of(each, depth + 1) for each in pair] for pair in value.items()]}
        return self._of_library(kind, value, depth) or self._of_code(kind, value, depth)

    def _of_library(self, kind: type, value: Value, depth: int) -> Json:
        if kind is decimal.Decimal:
            return {"Decimal": str(value)}
        if kind is fractions.Fraction:
            return {"Fraction": [self.of(value.numerator, depth), self.of(value.denominator, depth)]}
        if kind is datetime.timedelta:
            return {"timedelta": [value.days, value.seconds, value.microseconds]}
        if kind is datetime.date:
            return {"date": value.isoformat()}
        if kind in (datetime.datetime, datetime.time):
            if value.tzinfo is not None and type(value.tzinfo) is not datetime.timezone:
                raise Unencodable("a time in a time zone that the code defines")
            return {kind.__name__: [value.isoformat(), value.fold]}
        return None

    def _of_code(self, kind: type, value: Value, depth: int) -> Json:
        if not guards.is_own(kind):
            raise Unencodable(f"a value of type {kind.__name__}")
        if isinstance(value, enum.Enum):
            return {"enum": [kind.__qualname__, value.name]}
        if dataclasses.is_dataclass(kind):
            fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(kind) if each.init}
        elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
            fields = value._asdict()
        else:
            raise Unencodable(f"an instance of {kind.__name__}, which is not a dataclass")
        # Fields can't describe an object that its constructor would not create from them.
        if not same(kind(**fields), value):
            raise Unencodable(f"an instance of {kind.__name__} that contains more than its fields")
        return {"record": [kind.__qualname__, {name: self.of(each, depth + 1) for name, each in fields.items()}]}


class _Reader:
    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._made: list[Value] = []

    def of(self, written: Value) -> Value:
        if not isinstance(written, dict):
            return written
        ((tag, value),) = written.items()
        if tag == "same":
            return self._made[value]
        made = self._new(tag, value)
        if tag in SHARED:
            self._made.append(made)
        return made

    def _new(self, tag: str, value: Value) -> Value:
        if tag == "int":
            return int(value, 16)
        if tag == "float":
            return float.fromhex(value)
        if tag == "complex":
            return complex(*(float.fromhex(each) for each in value))
        if tag in ("bytes", "bytearray"):
            return (bytes if tag == "bytes" else bytearray).fromhex(value)
        if tag in ("range", "slice"):
            return (range if tag == "range" else slice)(*(self.of(each) for each in value))
        if tag == "function":
            return functions.NAMES[value]
        if tag in ("list_iterator", "map"):
            left = iter([self.of(each) for each in value])
            return map(int, left) if tag == "map" else left
        if tag in SEQUENCES:
            return SEQUENCES[tag](self.of(each) for each in value)
        if tag in MAPPINGS:
            return MAPPINGS[tag]((self.of(key), self.of(each)) for key, each in value)
        if tag == "Decimal":
            return decimal.Decimal(value)
        if tag == "Fraction":
            return fractions.Fraction(*(self.of(each) for each in value))
        if tag == "timedelta":
            return datetime.timedelta(*value)
        if tag == "date":
            return datetime.date.fromisoformat(value)
        if tag in ("datetime", "time"):
            return getattr(datetime, tag).fromisoformat(value[0]).replace(fold=value[1])
        kind = self._subject.named(value[0])
        if not isinstance(kind, type) or not guards.is_own(kind):
            raise ValueError(f"{value[0]} is not a class of the code")
        if tag == "enum":
            if not issubclass(kind, enum.Enum):
                raise ValueError(f"{value[0]} is not an enumeration")
            return kind[value[1]]
        return kind(**{name: self.of(each) for name, each in value[1].items()})
