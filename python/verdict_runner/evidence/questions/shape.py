"""The named values of an answer, with a place for each value that an engine chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Fields, Json

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


def _filled(value: object, leaves: Sequence[Json]) -> Json:
    if isinstance(value, dict):
        if PLACE in value:
            return leaves[value[PLACE]]
        return {key: _filled(each, leaves) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, leaves) for each in value]
    return None
