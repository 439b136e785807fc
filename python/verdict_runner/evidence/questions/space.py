"""The solutions of a problem as an engine finds them, seen through the values that an answer names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from verdict_runner.protocol.messages import Json


class Open(Exception):
    """The engine did not decide; the text is the reason."""


class Row(NamedTuple):
    """One solution: the value of each leaf as its engine has it, and the value of the objective as JSON."""

    leaves: Sequence[Any]
    cost: Json = None


class Kept(NamedTuple):
    """A value that a solution is to keep if it can."""

    at: int
    # As an answer shows it.
    value: object
    path: str
    # What it costs to change it.
    weight: int


class Changes(NamedTuple):
    """The least cost of changes that was found, a solution with it, and the cost that no solution is below."""

    cost: int
    row: Row
    bound: int


class Plans(Protocol):
    """What a question about a plan needs of an engine. A leaf is one named value: a number, a truth value, a text."""

    size: int
    method: str

    def find(self, until: float) -> Row | None:
        """A solution of all that is required, or None if there is none; raises `Open`."""
        ...

    def optimum(self, until: float) -> tuple[Row | None, str | None]:
        """The best solution, None if there is none, and why it is not proved best; raises `Open`."""
        ...

    def fewest(self, kept: Sequence[Kept], until: float) -> Changes | None:
        """The fewest changes, None if there is no solution; then requires as few. Raises `Open`, and as `require_same`."""
        ...

    def is_goal(self, at: int) -> bool:
        """Whether this leaf is the objective itself."""
        ...

    def scope(self) -> AbstractContextManager[None]:
        """What is required inside is forgotten afterwards."""
        ...

    def require_same(self, at: int, value: object, path: str) -> None:
        """This leaf has this value, as an answer shows it; raises `Refused` where it can't have such a value."""
        ...

    def json(self, leaf: Any) -> Json:  # noqa: ANN401
        """A value as JSON."""
        ...


class Space(Plans, Protocol):
    """What the questions about all solutions need."""

    def require_other(self, row: Row, at: Sequence[int], count: int = 1) -> None:
        """At least this number of leaves have other values than in the row."""
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


# Steps towards a better objective: over the reals there can be infinitely many.
STEPS_MAX = 10_000


def by_steps(space: Space, bound: Json, until: float) -> tuple[Row | None, str | None]:
    """`optimum` by one better solution after another; none has a better objective than the bound."""
    with space.scope():
        row = space.find(until)
        for _ in range(STEPS_MAX):
            if row is None or row.cost is None or (bound is not None and row.cost == bound):
                return row, None
            space.require_better(row)
            try:
                better = space.find(until)
            except Open as undecided:
                return row, str(undecided)
            if better is None:
                return row, None
            row = better
    return row, "the objective gets better and better in ever smaller steps"


def by_limits(find: Callable[[int | None], tuple[int, Row] | None]) -> Changes | None:
    """The least cost, by limits from below, since few changes are soon refuted, and then by halves.

    `find` gives a solution below or at a limit, and its cost; it raises `Open`.
    """
    first = find(None)
    if first is None:
        return None
    (high, row), low, step = first, 0, 1
    try:
        while low < high:
            limit = min(low + step - 1, (low + high) // 2, high - 1)
            found = find(limit)
            if found is None:
                low, step = limit + 1, 2 * step
            else:
                high, row = found
    except Open:
        pass
    return Changes(high, row, low)
