"""Tracks a program's own searches, in which it excludes each solution found until its solver answers `unsat`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from verdict_runner import taken

_Solve = TypeVar("_Solve")
_Term = TypeVar("_Term")


@dataclass(frozen=True)
class Excluded:
    """How a constraint excludes a solution: one of these terms must have a different value."""

    # The terms' keys, which are stable across solves.
    terms: frozenset[Hashable]
    # Whether a single term must become larger (False: smaller); None if any other value will do.
    larger: bool | None = None
    # The single term, in its language's representation.
    term: Any = field(default=None, compare=False)


class Search(Generic[_Solve]):
    """Consecutive satisfiable solves between which the program only added constraints excluding the last solution."""

    def __init__(self, first: _Solve) -> None:
        self.first = self.last = first
        self.found = 1
        self.ways: set[Excluded] = set()
        # The solve that answered `unsat`.
        self.end: _Solve | None = None

    @property
    def aim(self) -> Excluded | None:
        """The term that had to improve in each step, so that the last solution is the best one."""
        way = next(iter(self.ways), None)
        return way if way is not None and way.larger is not None and len(self.ways) == 1 else None


class Searches(Generic[_Solve]):
    """A program's searches, at most one per solver at a time."""

    def __init__(self) -> None:
        self._by_owner: dict[int, tuple[object, Search[_Solve]]] = {}
        # The number of constraints stated without using a solution's values.
        self._rules = 0
        # The search that the program's last solve ended.
        self.ended: Search[_Solve] | None = None

    def of(self, owner: object) -> Search[_Solve] | None:
        """A solver's ongoing search."""
        return self._by_owner.get(id(owner), (None, None))[1]

    def note(
        self,
        owner: object,
        solve: _Solve,
        verdict: str,
        added: Sequence[Excluded | None] | None,
    ) -> None:
        """Records a solve.

        `added` says for each new constraint how it excludes the last solution; `added` is None after any other change.

        A rule that happens to exclude the last solution, such as `day != 3`, ends a search, since a later `unsat` is
        about the rules.
        """
        search, rules = self.of(owner), taken.rules()
        added, self._rules = added if rules == self._rules else None, rules
        ways = [each for each in added or () if each is not None]
        is_next = search is not None and bool(ways) and len(ways) == len(added or ())
        self.ended = None
        if search is not None and verdict == "sat" and (is_next or added == []):
            search.found += is_next
            search.last = solve
        elif verdict == "sat":
            search = Search(solve)
            self._by_owner[id(owner)] = (owner, search)
        else:
            self._by_owner.pop(id(owner), None)
            if search is not None and verdict == "unsat" and is_next:
                self.ended, search.end = search, solve
        if search is not None:
            search.ways.update(ways)


# ---- How constraints exclude solutions.

# A list of terms, one of which must have a different value; each term comes with a direction, if it has one.
_Ways: TypeAlias = "list[tuple[_Term, bool | None]]"


class Reader(Protocol[_Term]):
    """Reads a language's formulas at a solution that violates them."""

    def shape(self, term: _Term) -> tuple[str, Sequence[_Term]]:
        """A name (`not`, `and`, `or`, `implies`, `==`, `!=`, `<`, `<=`, `literal` or any other) and the operands."""
        ...

    def key(self, term: _Term) -> Hashable: ...
    def is_constant(self, term: _Term) -> bool: ...
    def is_truth(self, term: _Term) -> bool: ...
    def is_next(self, term: _Term, bound: _Term, is_larger: bool, is_strict: bool) -> bool:
        """Whether the bound is directly next to the term's value; a more distant bound is a requirement of its own."""
        ...


def excluded(reader: Reader[_Term], constraint: _Term) -> Excluded | None:
    """Returns how a constraint excludes the solution by its values; None if it may be another kind of requirement."""
    ways = _ways(reader, constraint, True)
    if not ways:
        return None
    keys = frozenset(reader.key(term) for term, _ in ways)
    return Excluded(keys, ways[0][1], ways[0][0]) if len(ways) == 1 else Excluded(keys)


def _ways(reader: Reader[_Term], formula: _Term, is_wanted: bool) -> _Ways[_Term] | None:
    """The ways in which a formula can become true, or, unless `is_wanted`, false."""
    name, parts = reader.shape(formula)
    if name == "literal":
        return [(formula, None)]
    if name == "not":
        return _ways(reader, parts[0], not is_wanted)
    if name == "implies" and is_wanted:
        return _joined([_ways(reader, parts[0], False), _ways(reader, parts[1], True)])
    if name == ("or" if is_wanted else "and"):
        return _joined([_ways(reader, each, is_wanted) for each in parts])
    return _compared(reader, name, parts, is_wanted) if name in ("==", "!=", "<", "<=") else None


def _joined(parts: Sequence[_Ways[_Term] | None]) -> _Ways[_Term] | None:
    return None if None in parts else [each for part in parts for each in part or ()]


def _compared(reader: Reader[_Term], name: str, sides: Sequence[_Term], is_wanted: bool) -> _Ways[_Term] | None:
    constants = [reader.is_constant(each) for each in sides]
    if constants[0] == constants[1]:
        return None
    term, bound = sides if constants[1] else reversed(sides)
    if name in ("==", "!="):
        return [(term, None)] if (name == "!=") == is_wanted or reader.is_truth(term) else None
    is_larger = constants[1] != is_wanted
    is_next = reader.is_next(term, bound, is_larger, is_strict=(name == "<") == is_wanted)
    return [(term, is_larger)] if is_next else None
