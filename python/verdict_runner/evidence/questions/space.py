"""The solutions of a problem as an engine finds them, seen through the values that an answer names."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from verdict_runner.protocol.messages import Json


class Open(Exception):
    """The engine did not decide; the text is the reason."""


class Row(NamedTuple):
    """One solution: the value of each leaf as its engine has it, and the value of the objective as JSON."""

    leaves: Sequence[Any]
    cost: Json = None


class Space(Protocol):
    """What the questions need of an engine. A leaf is one named value: a number, a truth value, a text."""

    size: int
    method: str

    def find(self, until: float) -> Row | None:
        """A solution of all that is required, or None if there is none; raises `Open`."""
        ...

    def scope(self) -> AbstractContextManager[None]:
        """What is required inside is forgotten afterwards."""
        ...

    def require_other(self, row: Row, at: Sequence[int], count: int = 1) -> None:
        """At least so many of these leaves have other values than in the row."""
        ...

    def require_same(self, at: int, value: object, path: str) -> None:
        """This leaf has this value, as an answer shows it; raises `Refused` where it can't have such a value."""
        ...

    def require_far(self, rows: Sequence[Row], distance: int) -> None:
        """At least this many leaves differ from each row."""
        ...

    def require_better(self, row: Row) -> None:
        """The objective is better than in the row, which was found last."""
        ...

    def differing(self, one: Row, other: Row) -> list[int]:
        """The leaves whose values differ; raises `Open` where that can't be computed."""
        ...

    def json(self, leaf: Any) -> Json:  # noqa: ANN401
        """A value as JSON."""
        ...
