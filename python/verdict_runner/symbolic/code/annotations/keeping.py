"""Checks whether a value satisfies an annotation."""

from __future__ import annotations

import collections
import collections.abc
import enum
import re
import types
import typing
from collections.abc import Callable, Iterator

from verdict_runner.sandbox.classes import is_ordinary
from verdict_runner.symbolic.code.annotations import (
    DEPTH_MAX,
    Annotation,
    Namespace,
    fields_of,
    is_typed_dict,
    optional_fields,
    parts_of,
)

# Matches a value in an annotation's expression; then, the types of constants that are shown as written.
HELD = re.compile(r"\bheld_(\d+)\b")
LITERALS = (int, bool, str, bytes, type(None))


class Keeping:
    """An annotation as a Python expression over one value, with the names that it needs."""

    def __init__(self, annotation: Annotation, namespace: Namespace) -> None:
        self._namespace = namespace
        self.names: dict[str, type] = {}
        # Whether a part of the annotation can't be checked on a value.
        self.partial = False
        # The evaluated expression uses Verdict's own names, since the names of classes and constants come from the code
        # under test.
        self._held: list[object] = []
        self._shown: list[str] = []
        expression = self._of(annotation, "value", 0)
        self.keeps: Callable[[object], object] = eval(
            f"lambda value: {expression}", {f"held_{index}": each for index, each in enumerate(self._held)}
        )
        self.text = HELD.sub(lambda match: self._shown[int(match[1])], expression)

    def _of(self, annotation: Annotation, value: str, depth: int) -> str:
        """Writes the check for an annotation; parts that can't be checked are assumed to hold."""
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
        kind = dict if is_typed_dict(origin) else origin
        return " and ".join([f"isinstance({value}, {self._name(kind)})", *self._inside(origin, parts, value, depth)])

    def _grouped(self, annotation: Annotation, value: str, depth: int) -> str:
        return f"({self._of(annotation, value, depth)})"

    def _inside(self, origin: Annotation, parts: tuple[Annotation, ...], value: str, depth: int) -> Iterator[str]:
        """Yields the condition on a container's items, if reading them changes nothing."""
        if is_typed_dict(origin):
            yield from self._fields(origin, value, depth)
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

    def _fields(self, kind: type, value: str, depth: int) -> Iterator[str]:
        fields, optional = fields_of(kind, self._namespace), optional_fields(kind, self._namespace)
        yield f"{value}.keys() <= {{{', '.join(map(repr, fields))}}}"
        for name, each in fields.items():
            kept = self._of(each, f"{value}[{name!r}]", depth + DEPTH_MAX // 4)
            yield f"({name!r} not in {value} or ({kept}))" if name in optional else f"{name!r} in {value} and ({kept})"

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
        """Keeps a value and how it is shown; returns its name in the evaluated expression."""
        self._held.append(value)
        self._shown.append(shown)
        return f"held_{len(self._held) - 1}"
