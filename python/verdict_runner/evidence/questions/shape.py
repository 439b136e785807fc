"""The named values of an answer, with a placeholder for each value chosen by an engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.refusal import Refused

# The maximum number of names listed in a message.
NAMES_MAX = 20

# The key of a placeholder. A program's JSON is unlikely to contain this key, and a program that uses it spoils only its
# own answer.
PLACE = "\x00leaf"

# A path into a value: a name followed by keys in brackets.
PATH = re.compile(r"([^\[\]]+)((?:\[[^\[\]]+\])+)")
BRACKET = re.compile(r"\[([^\[\]]+)\]")
INDEX = re.compile(r"\d{1,9}")


@dataclass(frozen=True)
class Shape:
    """Named values, with `{PLACE: i}` as the placeholder for leaf i."""

    named: Mapping[str, object]
    # The names whose values were not chosen by an engine or can't be compared.
    left_out: Sequence[str]

    @staticmethod
    def of(named: Mapping[str, object], place: Callable[[object], int | None]) -> Shape:
        """Builds the shape of named values; `place` numbers the values that an engine chose (None for others)."""
        shapes: dict[str, object] = {}
        left_out = []
        for name, value in named.items():
            shape = values.plain(value, lambda each: {PLACE: place(each)})
            if _is_whole(shape):
                shapes[name] = shape
            else:
                left_out.append(name)
        return Shape(shapes, left_out)

    @staticmethod
    def read(fields: Fields) -> Shape:
        return Shape(fields.object("named"), fields.texts("left_out"))

    def data(self) -> dict[str, object]:
        return {"named": self.named, "left_out": list(self.left_out)}

    @property
    def names(self) -> list[Json]:
        return list(self.named)

    @property
    def paths(self) -> Mapping[int, str]:
        """Each leaf's path, such as `x`, `board[0][2]` or `roles.ann`."""
        paths: dict[int, str] = {}
        for name, value in self.named.items():
            for path, place in _places(name, value):
                if place is not None:
                    paths.setdefault(place, path)
        return paths

    def matched(
        self, plan: Mapping[str, object], skipped: list[str] | None = None
    ) -> tuple[list[tuple[int, object]], list[Json]]:
        """Matches values with leaves; also returns the names that can't be compared. Null values are left open.

        Raises `Refused` for unknown names and for values of another shape. If `skipped` is given, unknown names and
        keys are added to it instead.
        """
        given: list[tuple[int, object]] = []
        left_out: list[Json] = []
        for name, value in (self._named(*each) for each in plan.items()):
            if name in self.named:
                given += _pairs(name, self.named[name], value, skipped)
            elif name in self.left_out:
                left_out.append(name)
            elif skipped is not None:
                skipped.append(name)
            else:
                known = ", ".join([*self.named, *self.left_out][:NAMES_MAX]) or "none"
                raise Refused(
                    f"The answers of this model have no value named {name!r}.",
                    [f"use the names of its answers: {known}", "leave out a value that the solver should choose"],
                    "invalid_argument",
                )
        return given, left_out

    def _named(self, name: str, value: object) -> tuple[str, object]:
        """Splits a path such as `shift[Anna,Fri]` or `x[0][2]` into its first name and nested objects."""
        path = PATH.fullmatch(name)
        if name in self.named or name in self.left_out or path is None or path[1] not in self.named:
            return name, value
        for step in reversed(self._steps(self.named[path[1]], path[2])):
            value = {step: value}
        return path[1], value

    def _steps(self, shape: object, brackets: str) -> list[str]:
        """The keys of a path; a dictionary key can itself contain commas."""
        steps: list[str] = []
        for inside in BRACKET.findall(brackets):
            keys = [each.strip().strip("\"'") for each in inside.split(",")]
            if isinstance(shape, dict) and ",".join(keys) in shape:
                keys = [",".join(keys)]
            for key in keys:
                shape = _at(shape, key)
            steps += keys
        return steps

    def filled(self, leaves: Sequence[Json]) -> Json:
        """Replaces the placeholders with these leaves."""
        return {name: _filled(value, leaves) for name, value in self.named.items()}


def _is_whole(shape: object) -> bool:
    """Whether a value consists only of leaves; a number that the program computed would belong to a single solution."""
    places = [place for _, place in _places("", shape)]
    return bool(places) and None not in places


def _places(path: str, value: object) -> Iterator[tuple[str, int | None]]:
    if isinstance(value, dict):
        if PLACE in value:
            yield path, value[PLACE]
            return
        for key, each in value.items():
            yield from _places(f"{path}.{key}", each)
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from _places(f"{path}[{i}]", each)
    else:
        yield path, None


def _at(shape: object, key: str) -> object:
    """Returns the part of a shape with this key, or with this index (from 0) if the shape is a list."""
    if isinstance(shape, list):
        return shape[int(key)] if INDEX.fullmatch(key) and int(key) < len(shape) else None
    return shape.get(key) if isinstance(shape, dict) else None


def _pairs(path: str, shape: object, value: object, skipped: list[str] | None) -> Iterator[tuple[int, object]]:
    if value is None:
        return
    keys = list(value) if isinstance(value, dict) else []
    if isinstance(shape, dict) and PLACE in shape:
        yield shape[PLACE], value
    elif keys and isinstance(value, dict) and isinstance(shape, (dict, list)):
        for key in keys:
            part = _at(shape, str(key))
            if part is not None:
                yield from _pairs(
                    f"{path}[{key}]" if isinstance(shape, list) else f"{path}.{key}", part, value[key], skipped
                )
            elif skipped is not None:
                skipped.append(f"{path}.{key}")
            else:
                raise _unfit(path, shape)
    elif isinstance(shape, list) and isinstance(value, list) and len(value) == len(shape):
        for i, each in enumerate(value):
            yield from _pairs(f"{path}[{i}]", shape[i], each, skipped)
    elif value != {}:
        raise _unfit(path, shape)


def _unfit(path: str, shape: object) -> Refused:
    form = "a single value"
    if isinstance(shape, list):
        form = f"a list of {len(shape)}"
    elif isinstance(shape, dict) and PLACE not in shape:
        form = f"an object with {', '.join(map(str, list(shape)[:NAMES_MAX]))}"
    return Refused(
        f"The value of {path} does not have the form that it has in this model's answers: {form}.",
        ["give it in the form of an answer", "write null for a value that the solver should choose"],
        "invalid_argument",
    )


def _filled(value: object, leaves: Sequence[Json]) -> Json:
    if isinstance(value, dict):
        if PLACE in value:
            return leaves[value[PLACE]]
        return {key: _filled(each, leaves) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, leaves) for each in value]
    return None
