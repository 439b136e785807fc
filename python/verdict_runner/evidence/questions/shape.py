"""The named values of an answer, with a place for each value that an engine chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.refusal import Refused

# So many names are listed in a fault.
NAMES_MAX = 20

# The key of a place; no JSON of a program is likely to have it, and one that has it spoils its own answer only.
PLACE = "\x00leaf"


@dataclass(frozen=True)
class Shape:
    """Values by name, with `{PLACE: i}` for leaf i."""

    named: Mapping[str, object]
    # Names whose values no engine chose, or that can't be compared.
    left_out: Sequence[str]

    @staticmethod
    def of(named: Mapping[str, object], place: Callable[[object], int | None]) -> Shape:
        """The shape of values by name; `place` gives the number of a value that an engine chooses, or None."""
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
        """What to call each leaf: `x`, `board[0][2]`, `roles.ann`."""
        paths: dict[int, str] = {}
        for name, value in self.named.items():
            for path, place in _places(name, value):
                if place is not None:
                    paths.setdefault(place, path)
        return paths

    def matched(self, plan: Mapping[str, object]) -> tuple[list[tuple[int, object]], list[Json]]:
        """The leaves to which these values belong, and the names that can't be compared. What is null is left open.

        Raises `Refused` for other names, and for values of another form.
        """
        unknown = [name for name in plan if name not in self.named and name not in self.left_out]
        if unknown:
            known = ", ".join([*self.named, *self.left_out][:NAMES_MAX]) or "none"
            raise Refused(
                f"The answers of this model have no value with the name {unknown[0]!r}.",
                [f"use the names of its answers: {known}", "leave a value out that is to be chosen"],
                "invalid_argument",
            )
        given = [
            pair for name, value in plan.items() if name in self.named for pair in _pairs(name, self.named[name], value)
        ]
        return given, [name for name in plan if name not in self.named]

    def filled(self, leaves: Sequence[Json]) -> Json:
        """The values with these leaves."""
        return {name: _filled(value, leaves) for name, value in self.named.items()}


def _is_whole(shape: object) -> bool:
    """Whether a value has leaves and nothing else: a number that the program computed belongs to one solution only."""
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


def _pairs(path: str, shape: object, value: object) -> Iterator[tuple[int, object]]:
    if value is None:
        return
    if isinstance(shape, dict) and PLACE in shape:
        yield shape[PLACE], value
    elif isinstance(shape, dict) and isinstance(value, dict) and set(value) <= set(shape):
        for key, each in value.items():
            yield from _pairs(f"{path}.{key}", shape[key], each)
    elif isinstance(shape, list) and isinstance(value, list) and len(value) == len(shape):
        for i, each in enumerate(value):
            yield from _pairs(f"{path}[{i}]", shape[i], each)
    else:
        form = "a single value"
        if isinstance(shape, list):
            form = f"a list of {len(shape)}"
        elif isinstance(shape, dict):
            form = f"an object with {', '.join(map(str, list(shape)[:NAMES_MAX]))}"
        raise Refused(
            f"The value of {path} has another form than in the answers of this model, which have {form}.",
            ["give it in the form of an answer", "write null in the place of a value that is to be chosen"],
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
