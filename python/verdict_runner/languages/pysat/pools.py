"""Records the numbers that a program's pools assign to names: equal numbers from two pools mean the same variable."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable

from pysat.formula import IDPool

# The maximum number of names kept; beyond it, no warning is given.
NAMES_MAX = 100_000


class Pools:
    """The names by number."""

    def __init__(self) -> None:
        # Keeping a reference to the pool prevents reuse of its id.
        self._named: dict[int, tuple[IDPool, str]] = {}
        # The first number that two pools assigned to different names, with both names.
        self.shared: tuple[int, str, str] | None = None

    def note(self, pool: IDPool, name: object, number: int) -> None:
        if self.shared is not None or not _is_plain(name) or len(self._named) >= NAMES_MAX:
            return
        first, known = self._named.setdefault(number, (pool, repr(name)))
        if first is not pool and known != repr(name):
            self.shared = (number, known, repr(name))

    def names(self) -> dict[int, str]:
        """Returns the names by number; none at all if two names have the same number."""
        return {} if self.shared else {number: name.strip("'") for number, (_, name) in self._named.items()}

    def warning(self) -> str | None:
        if self.shared is None:
            return None
        number, one, other = self.shared
        return (
            f"Two IDPools gave the number {number} to different names, {one[:60]} and {other[:60]}: in one formula they are"
            " the same variable. Number all names of a formula with one IDPool, or pass start_from=… to the second one"
        )


def _is_plain(name: object) -> bool:
    """Whether a name has built-in types only, as in `('queen', 1, 2)`; a program could define other types' methods."""
    if type(name) is tuple:
        return all(type(part) in (str, int) for part in name)
    return type(name) in (str, int)


def listen(pools: Callable[[], Pools]) -> None:
    """Makes programs' pools record their numbers in the record that `pools` returns at each call."""
    id_of = IDPool.id

    @functools.wraps(id_of)
    def noted(self: IDPool, obj: object = None) -> int:
        number = id_of(self, obj)
        # PySAT engines such as Hitman and OptUx have pools of their own, whose numbers are separate from all others.
        is_of_engine = str(sys._getframe(1).f_globals.get("__name__")).startswith("pysat.examples")
        if type(self) is IDPool and type(number) is int and not is_of_engine:
            pools().note(self, obj, number)
        return number

    IDPool.id = noted
