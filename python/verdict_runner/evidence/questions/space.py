"""Interfaces to the solutions of a problem, in terms of the values named in an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from verdict_runner.protocol.messages import Json


class Open(Exception):
    """Raised if the engine reaches no verdict; the message is the reason."""


class Row(NamedTuple):
    """One solution: each leaf's value in the engine's representation, and the objective's value as JSON."""

    leaves: Sequence[Any]
    cost: Json = None


class Kept(NamedTuple):
    """A value that a solution should keep if possible."""

    at: int
    # The value as shown in an answer.
    value: object
    path: str
    # The cost of changing the value.
    weight: int


class Changes(NamedTuple):
    """The lowest cost of changes found, a solution with that cost, and a lower bound on the cost."""

    cost: int
    row: Row
    bound: int


class Plans(Protocol):
    """What a question about a plan needs from an engine.

    A leaf is one named value: a number, a truth value or a string.
    """

    size: int
    method: str

    def find(self, until: float) -> Row | None:
        """Finds a solution that meets all requirements, or None if there is none; raises `Open`."""
        ...

    def optimum(self, until: float) -> tuple[Row | None, str | None]:
        """Finds the best solution (None if there is none), and why it is not proved best; raises `Open`."""
        ...

    def fewest(self, kept: Sequence[Kept], until: float) -> Changes | None:
        """Minimises the changes and then requires that few; None if there is no solution.

        May raise like `require_same`.
        """
        ...

    def is_goal(self, at: int) -> bool:
        """Whether this leaf is the objective itself."""
        ...

    def scope(self) -> AbstractContextManager[None]:
        """A scope at whose end the requirements added inside it are dropped."""
        ...

    def require_same(self, at: int, value: object, path: str) -> None:
        """Requires that a leaf has the value shown in an answer; raises `Refused` if it can't have such a value."""
        ...

    def json(self, leaf: Any) -> Json:  # noqa: ANN401
        """Converts a leaf's value to JSON."""
        ...


class Space(Plans, Protocol):
    """What questions about all solutions need from an engine."""

    def require_other(self, row: Row, at: Sequence[int], count: int = 1) -> None:
        """Requires that at least this many leaves differ from the row."""
        ...

    def require_far(self, rows: Sequence[Row], distance: int) -> None:
        """Requires that at least this many leaves differ from each row."""
        ...

    def require_better(self, row: Row) -> None:
        """Requires an objective better than that of this row, the last one found."""
        ...

    def differing(self, one: Row, other: Row) -> list[int]:
        """The leaves whose values differ; raises `Open` if that can't be computed."""
        ...


# The maximum number of steps towards a better objective; over the reals, there can be infinitely many.
STEPS_MAX = 10_000


def by_steps(space: Space, bound: Json, until: float) -> tuple[Row | None, str | None]:
    """Implements `optimum` by finding one better solution after another; no objective is better than the bound."""
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
    return row, "the objective keeps improving in ever smaller steps"


def by_limits(find: Callable[[int | None], tuple[int, Row] | None]) -> Changes | None:
    """Finds the lowest cost: first raises a lower limit, since low limits are refuted quickly, and then bisects.

    `find` returns a solution whose cost is within a limit, together with that cost; it may raise `Open`.
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
