"""Creates objects of the code's classes as inputs: the constructor's arguments represent an object.

A new object is created for each call, so it is in its initial state, and nothing else refers to it. An exception raised
by a constructor excludes the input.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from verdict_runner.sandbox import guards, program
from verdict_runner.symbolic.code import annotations
from verdict_runner.symbolic.code.annotations import Annotation, guessed, unsupported
from verdict_runner.symbolic.code.mentions import FUNCTIONS

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.subject import Subject

# Argument values by name.
Arguments: TypeAlias = "Mapping[str, Any]"
# Makes the annotation of the parameter with this name concrete, using a guess if the annotation says nothing.
Concretely: TypeAlias = "Callable[[str, Annotation, Callable[[str], str]], Annotation]"

# The maximum nesting depth of objects.
DEPTH_MAX = 3
# The argument types of Python's own constructors, for classes that inherit one of them.
INHERITED = {
    list: "list[int]",
    dict: "dict[str, int]",
    set: "set[int]",
    tuple: "tuple[int, ...]",
    str: "str",
    int: "int",
    float: "float",
}


def split(signature: inspect.Signature, arguments: Arguments) -> tuple[list[object], dict[str, object]]:
    """Splits arguments by name into positional and keyword arguments."""
    places, names, gap = [], {}, False
    for each in signature.parameters.values():
        if each.name not in arguments:
            gap = True
            continue
        value = arguments[each.name]
        if each.kind is each.VAR_POSITIONAL:
            places.extend(value)
        elif each.kind is each.VAR_KEYWORD:
            names.update(value)
        elif each.kind is each.KEYWORD_ONLY or (gap and each.kind is each.POSITIONAL_OR_KEYWORD):
            names[each.name] = value
        else:
            places.append(value)
    return places, names


def is_made(kind: Annotation, with_records: bool = False) -> bool:
    """Whether the code's own constructor creates an annotation's objects; records are created from their fields."""
    return (
        isinstance(kind, type)
        and guards.is_own(kind)
        and not issubclass(kind, enum.Enum)
        and not annotations.is_typed_dict(kind)
        and not getattr(kind, "_is_protocol", False)
        and (with_records or not annotations.is_record(kind))
    )


class Maker:
    """Creates one class's objects for one parameter. Raises `Refused` if the class has no callable constructor."""

    def __init__(self, kind: type, prefix: str, taken: set[str], concretely: Concretely, subject: Subject) -> None:
        self.kind = kind
        self.signature = _constructor(kind)
        # For each constructor parameter, the name of its input or the maker of its object.
        self.parts: dict[str, str | Maker] = {}
        self.inputs: list[inspect.Parameter] = []
        if prefix.count("_") > DEPTH_MAX * 2 or len(taken) > 200:
            raise unsupported(f"{kind.__name__} consists of too many objects.", "take its parts as parameters")
        guess = _guesses(kind, subject)
        for each in self.signature.parameters.values():
            written = each.annotation if each.annotation is not each.empty else typing.Any
            if isinstance(written, dataclasses.InitVar):
                written = written.type
            meant = annotations.resolved(written, subject.namespace)
            name = f"{prefix}{each.name}"
            if is_made(meant) and meant is not kind and each.default is each.empty:
                part = self.parts[each.name] = Maker(meant, f"{name}_", taken, concretely, subject)
                self.inputs += part.inputs
                continue
            while name in taken:
                name = f"self_{name}"
            taken.add(name)
            self.parts[each.name] = name
            self.inputs.append(_input(each, name, concretely(name, meant, lambda _, own=each.name: guess(own))))

    def given(self, inputs: Arguments) -> dict[str, object]:
        """Returns the constructor's arguments by its own parameter names; objects among them are created first."""
        return {
            name: part.make(inputs) if isinstance(part, Maker) else inputs[part]
            for name, part in self.parts.items()
            if isinstance(part, Maker) or part in inputs
        }

    def make(self, inputs: Arguments) -> object:
        """Creates a new object; raises whatever the constructor raises."""
        places, names = split(self.signature, self.given(inputs))
        return self.kind(*places, **names)

    @property
    def kinds(self) -> Iterator[type]:
        """Yields the classes of the objects that it creates."""
        yield self.kind
        for each in self.parts.values():
            if isinstance(each, Maker):
                yield from each.kinds


def _input(parameter: inspect.Parameter, name: str, kind: Annotation) -> inspect.Parameter:
    """Returns the input for a constructor parameter; it is passed by name, so its position does not matter."""
    if parameter.kind is parameter.VAR_POSITIONAL:
        kind = tuple[kind, ...]
    elif parameter.kind is parameter.VAR_KEYWORD:
        kind = dict[str, kind]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=parameter.default, annotation=kind)


def _constructor(kind: type) -> inspect.Signature:
    """Returns the parameters with which a class's objects are created, without the object itself."""
    if inspect.isabstract(kind):
        missing = ", ".join(sorted(kind.__abstractmethods__))
        raise unsupported(
            f"{kind.__name__} is abstract: {missing} is not implemented.", "take a class that implements it"
        )
    own = _of_class(kind)
    if own is None:
        base = next((each for each in kind.__mro__ if each in INHERITED), None)
        items = inspect.Parameter("items", inspect.Parameter.POSITIONAL_ONLY, annotation=INHERITED.get(base or object))
        return inspect.Signature([items] if base else [])
    written = inspect.signature(own)
    named = {**annotations.of(inspect.unwrap(own))}
    if annotations.is_record(kind) and not dataclasses.is_dataclass(kind):
        named = {**annotations.of(kind)}
    first, *others = written.parameters.values()
    if first.kind is first.VAR_POSITIONAL:
        others = [first, *others]
    return inspect.Signature([each.replace(annotation=named.get(each.name, each.empty)) for each in others])


def _of_class(kind: type) -> Callable[..., object] | None:
    """Returns the function, from the code or a decorator, that initialises or creates a class's objects."""
    for each in kind.__mro__:
        if not guards.is_own(each) and "_fields" not in vars(each):
            return None
        for name in ("__init__", "__new__"):
            found = vars(each).get(name)
            found = found.__func__ if isinstance(found, staticmethod) else found
            if found is not None:
                return found
    return None


def _guesses(kind: type, subject: Subject) -> Callable[[str], str]:
    """Returns a function that guesses the types of unannotated constructor parameters from the text."""
    code = getattr(inspect.unwrap(_of_class(kind) or object), "__code__", None)
    line = code.co_firstlineno if code is not None and code.co_filename == program.CODE else 0
    nodes = [
        each
        for each in ast.walk(subject.tree)
        if isinstance(each, FUNCTIONS) and line in (each.lineno, *(one.lineno for one in each.decorator_list))
    ]
    return lambda name: guessed.types_of((each, name) for each in nodes)
