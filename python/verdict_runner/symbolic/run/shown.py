"""Writes values for readers: as JSON, as Python expressions that evaluate to them, and as calls."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import inspect
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.sandbox import guards
from verdict_runner.symbolic.code.makers import Maker
from verdict_runner.symbolic.code.subject import ADDRESS
from verdict_runner.symbolic.code.targets import last, owner_of
from verdict_runner.symbolic.contracts.same import UNREAD, Value, fields_of, parts_of, remaining
from verdict_runner.symbolic.inputs import functions

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Arguments, Function

# The maximum length of one value, in an answer and in a sentence.
CHARS_MAX = 4000
SENTENCE_CHARS_MAX = 300
DEPTH_MAX = 60
# The limits from which integers and strings are written in a shorter form.
WRITTEN_OUT = 10**50
LITERAL_CHARS_MAX = 200
# The maximum number that is added to a power in the shorter form.
NEAR = 10**20
# Types for which it matters whether two values are the same object.
CHANGEABLE = (list, dict, set, bytearray, collections.deque, collections.OrderedDict)
# The key of an argument that JSON can't represent.
EXPRESSION = "python"


def as_json(value: object) -> Json:
    """Converts a value for an answer; a value that is not plain or is very long is shown as printed."""
    try:
        plain = values.plain(value, _other)
        if len(json.dumps(plain)) <= CHARS_MAX:
            return plain
    except Exception:
        # The value is too long, or its class's own methods fail.
        pass
    return cut(_printed(value), CHARS_MAX)


def exact(value: Value) -> Json:
    """Converts an argument for an answer.

    The result is plain JSON if every reader gets the same value of the same type from it. Otherwise, it is an object
    with a Python expression.
    """
    kind = type(value)
    if value is None or kind is bool:
        return value
    if _repeated([value]):
        return {EXPRESSION: Source().of(value)}
    if kind is str and not any("\ud800" <= each <= "\udfff" for each in value) and len(value) <= LITERAL_CHARS_MAX:
        return value
    if kind is int and abs(value) < values.SAFE_INTEGER:
        return value
    # JavaScript writes 1.0 as 1.
    if kind is float and math.isfinite(value) and not value.is_integer():
        return value
    if kind is list:
        return [exact(each) for each in value]
    if (
        kind is dict
        and value.keys() != {EXPRESSION}
        and all(type(each) is str and exact(each) == each for each in value)
    ):
        return {key: exact(each) for key, each in value.items()}
    return {EXPRESSION: Source().of(value)}


def cut(text: str, most: int = SENTENCE_CHARS_MAX) -> str:
    """Truncates a text to the available length."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def _printed(value: object) -> str:
    try:
        return ADDRESS.sub("", str.__str__(repr(value)))
    except Exception as error:
        return f"(a {type(value).__name__} whose repr fails with {type(error).__name__})"


def _other(value: object) -> Json:
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: values.plain(getattr(value, each.name, None), _other) for each in dataclasses.fields(value)}
    return cut(_printed(value), CHARS_MAX)


class Source:
    """Writes values as Python, and collects the names that have to be imported for this, by module."""

    def __init__(self, by_fields: bool = False) -> None:
        # Whether objects are written with their fields, however they would print themselves.
        self._by_fields = by_fields
        self.imports: dict[str | None, set[str]] = {}
        # The names of objects that occur in several places, and the names that have already been written.
        self._names: dict[int, str] = {}
        self._named: set[str] = set()

    def of(self, value: Value, depth: int = 0) -> str:
        if depth == 0:
            self._names, self._named = _repeated([value]), set()
        name = self._names.get(id(value))
        if name is None:
            return self._text(value, depth)
        if name in self._named:
            return name
        self._named.add(name)
        return f"({name} := {self._text(value, depth)})"

    def _text(self, value: Value, depth: int) -> str:
        kind = type(value)
        if depth > DEPTH_MAX:
            return "..."
        if kind is int:
            return _int(value)
        if kind is float:
            return _float(value)
        if kind is str:
            return _str(value)
        if kind is complex:
            return f"complex({_float(value.real)}, {_float(value.imag)})"
        if kind in (list, tuple, set, frozenset, collections.deque):
            return self._sequence(kind, [self.of(each, depth + 1) for each in value])
        if kind in (dict, collections.OrderedDict):
            text = (
                "{"
                + ", ".join(f"{self.of(key, depth + 1)}: {self.of(each, depth + 1)}" for key, each in value.items())
                + "}"
            )
            return text if kind is dict else f"{self.name_of(kind)}({text})"
        if kind in UNREAD and (left := remaining(value)) is not None:
            return f"{'map(int, ' if kind is map else 'iter('}{self.of(left, depth + 1)})"
        if name := functions.name_of(value):
            module, _, own = name.rpartition(".")
            if module != "builtins":
                self.imports.setdefault(module, set())
            return own if module == "builtins" else name
        if kind is decimal.Decimal:
            return f"{self.name_of(kind)}({str(value)!r})"
        if kind is fractions.Fraction:
            return f"{self.name_of(kind)}({value.numerator}, {value.denominator})"
        if kind.__module__ == "datetime" and hasattr(datetime, kind.__name__):
            self.imports.setdefault("datetime", set())
            return repr(value)
        return self._of_code(kind, value, depth) if guards.is_own(kind) else repr(value)

    def _of_code(self, kind: type, value: Value, depth: int) -> str:
        if isinstance(value, enum.Enum):
            return f"{self.name_of(kind)}.{value.name}"
        if dataclasses.is_dataclass(kind):
            fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(kind) if each.init}
        elif hasattr(kind, "_fields"):
            fields = value._asdict()
        else:
            return self._of_plain(kind, value, depth)
        return (
            f"{self.name_of(kind)}({', '.join(f'{name}={self.of(each, depth + 1)}' for name, each in fields.items())})"
        )

    def _of_plain(self, kind: type, value: Value, depth: int) -> str:
        """Writes an object of any other class, as it prints itself or with its fields."""
        if kind.__repr__ is not object.__repr__ and not self._by_fields:
            return _printed(value)
        fields = [f" {name}={self.of(each, depth + 1)}" for name, each in fields_of(value).items()]
        return f"<{kind.__qualname__}{','.join(fields)}>"

    def _sequence(self, kind: type, parts: Sequence[str]) -> str:
        inside = ", ".join(parts)
        if kind is list:
            return f"[{inside}]"
        if kind is tuple:
            return f"({inside},)" if len(parts) == 1 else f"({inside})"
        if kind is set and parts:
            return f"{{{inside}}}"
        return f"{self.name_of(kind)}({f'[{inside}]' if parts else ''})"

    def name_of(self, kind: type) -> str:
        """Returns a class's name and records it for import; the code's own classes belong to the module under test."""
        if kind.__module__ != "builtins":
            name = kind.__qualname__.partition(".")[0]
            self.imports.setdefault(None if guards.is_own(kind) else kind.__module__, set()).add(name)
        return kind.__qualname__

    def call(self, function: Function, inputs: Arguments) -> str:
        """Writes a call of the function with these inputs; constructors create the objects in it."""
        self._names, self._named = _repeated(inputs.values()), set()
        texts = self.arguments(function, inputs)
        parameters = [*function.signature.parameters.values()]
        if not function.target.first:
            return f"{function.shown}({self._listed(parameters, texts)})"
        rest = self._listed(parameters[1:], texts)
        if function.target.first == "new object":
            return f"{owner_of(function.shown)}({rest})"
        on = owner_of(function.shown) if function.target.first == "class" else texts[parameters[0].name]
        return f"{on}.{last(function.shown)}" if function.target.is_property else f"{on}.{last(function.shown)}({rest})"

    def passed(self, function: Function, inputs: Arguments) -> str:
        """Writes the function and its arguments, for a caller that passes them on."""
        self._names, self._named = _repeated(inputs.values()), set()
        texts = self.arguments(function, inputs)
        parameters = [*function.signature.parameters.values()]
        first, path = function.target.first, function.shown
        if first == "new object":
            path = owner_of(function.shown)
        elif function.target.is_property:
            path = f"{path}.fget"
        if first in ("class", "new object"):
            parameters = parameters[1:]
        elif first == "object":
            texts[parameters[0].name] = [f"{texts[parameters[0].name]}"]
        return ", ".join(filter(None, [path, self._listed(parameters, texts)]))

    def by_variables(self, function: Function, texts: Mapping[str, object]) -> str:
        """Writes a call that passes variables named after the parameters."""
        parameters = [each for each in function.signature.parameters.values() if each.name in texts]
        names = {
            each.name: [f"*{each.name}"] if each.kind is each.VAR_POSITIONAL else each.name
            for each in parameters
            if each.kind is not each.VAR_KEYWORD
        }
        rest = [f"**{each.name}" for each in parameters if each.kind is each.VAR_KEYWORD]
        if function.target.first in ("object", "class"):
            call = (
                f"{parameters[0].name}.{last(function.shown)}" if function.target.first == "object" else function.shown
            )
            parameters = parameters[1:]
        else:
            call = owner_of(function.shown) if function.target.first else function.shown
        return f"{call}({', '.join(filter(None, [self._listed(parameters, names), *rest]))})"

    def arguments(self, function: Function, inputs: Arguments) -> dict[str, object]:
        """Writes a call's arguments as texts, with one text per argument in `*args` and `**kwargs`."""
        first = next(iter(function.signature.parameters), None)
        texts: dict[str, object] = {}
        for each in function.signature.parameters.values():
            maker = function.makers.get(each.name)
            if maker is not None:
                own = function.target.first and each.name == first
                texts[each.name] = self._made(maker, inputs, owner_of(function.shown) if own else "")
            elif each.name in inputs and each.kind is each.VAR_POSITIONAL:
                texts[each.name] = [self.of(one, 1) for one in inputs[each.name]]
            elif each.name in inputs and each.kind is each.VAR_KEYWORD:
                texts[each.name] = {name: self.of(one, 1) for name, one in inputs[each.name].items()}
            elif each.name in inputs:
                texts[each.name] = self.of(inputs[each.name], 1)
        return texts

    def _made(self, maker: Maker, inputs: Arguments, name: str = "") -> str:
        texts: dict[str, object] = {}
        for each in maker.signature.parameters.values():
            part = maker.parts[each.name]
            if isinstance(part, Maker):
                texts[each.name] = self._made(part, inputs)
            elif part in inputs and each.kind is each.VAR_POSITIONAL:
                texts[each.name] = [self.of(one, 1) for one in inputs[part]]
            elif part in inputs and each.kind is each.VAR_KEYWORD:
                texts[each.name] = {key: self.of(one, 1) for key, one in inputs[part].items()}
            elif part in inputs:
                texts[each.name] = self.of(inputs[part], 1)
        return f"{name or self.name_of(maker.kind)}({self._listed([*maker.signature.parameters.values()], texts)})"

    @staticmethod
    def _listed(parameters: Sequence[inspect.Parameter], texts: Mapping[str, object]) -> str:
        """Writes a call's arguments, by name if possible."""
        # If `*args` arguments follow, the arguments before them are also passed by position.
        by_place = any(each.kind is each.VAR_POSITIONAL and texts.get(each.name) for each in parameters)
        parts: list[str] = []
        for each in parameters:
            text = texts.get(each.name)
            if isinstance(text, list):
                parts += map(str, text)
            elif isinstance(text, dict):
                parts += [f"{name}={one}" for name, one in text.items()]
            elif text is not None:
                is_placed = each.kind is each.POSITIONAL_ONLY or (each.kind is each.POSITIONAL_OR_KEYWORD and by_place)
                parts.append(f"{text}" if is_placed else f"{each.name}={text}")
        return ", ".join(parts)


def _repeated(values: Iterable[Value]) -> dict[int, str]:
    """Returns names for changeable objects that occur in several places."""
    seen: set[int] = set()
    names: dict[int, str] = {}
    waiting = [*values]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            names.setdefault(id(value), f"shared_{len(names) + 1}" if names else "shared")
            continue
        if type(value) in CHANGEABLE or (guards.is_own(type(value)) and not isinstance(value, (enum.Enum, tuple))):
            seen.add(id(value))
        waiting += parts_of(value)
    return names


def _int(value: int) -> str:
    if -WRITTEN_OUT < value < WRITTEN_OUT:
        return repr(value)
    size = abs(value)
    for base, most in ((10, len(str(size))), (2, size.bit_length())):
        for power in (most - 1, most):
            rest = size - base**power
            if abs(rest) < NEAR:
                text = f"{base}**{power}{f' {rest:+}'.replace('+', '+ ').replace('-', '- ') if rest else ''}"
                return text if value > 0 else f"-({text})" if rest else f"-{text}"
    return hex(value)


def _str(value: str) -> str:
    """Writes a string; a long string of one repeated character is written as a product."""
    if len(value) > LITERAL_CHARS_MAX and value == value[0] * len(value):
        return f"{value[0]!r} * {len(value)}"
    return repr(value)


def _float(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return f"float({str(value)!r})"
    return repr(value)
