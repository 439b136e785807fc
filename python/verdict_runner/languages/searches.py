"""Searches of a program itself: it excludes each solution that it found, until its solver answers unsat."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from verdict_runner import taken

_Solve = TypeVar("_Solve")
_Term = TypeVar("_Term")


@dataclass(frozen=True)
class Excluded:
    """How a constraint excludes a solution: one of these terms must have another value than there."""

    # Keys that are the same in each solve.
    terms: frozenset[Hashable]
    # Whether it is a single term that must become larger, or smaller; None where any other value will do.
    larger: bool | None = None
    # That term, in the form of its language.
    term: Any = field(default=None, compare=False)


class Search(Generic[_Solve]):
    """Solves with a solution; between them the program only added constraints that exclude the last solution."""

    def __init__(self, first: _Solve) -> None:
        self.first = self.last = first
        self.found = 1
        self.ways: set[Excluded] = set()
        # The solve that answered unsat.
        self.end: _Solve | None = None

    @property
    def aim(self) -> Excluded | None:
        """The term that had to be better each time: the last solution is the best one."""
        way = next(iter(self.ways), None)
        return way if way is not None and way.larger is not None and len(self.ways) == 1 else None


class Searches(Generic[_Solve]):
    """The searches of a program, one for each solver at a time."""

    def __init__(self) -> None:
        self._by_owner: dict[int, tuple[object, Search[_Solve]]] = {}
        # How many constraints the program stated without values of a solution.
        self._rules = 0
        # The search that the program's last solve ended.
        self.ended: Search[_Solve] | None = None

    def of(self, owner: object) -> Search[_Solve] | None:
        """The search of a solver that goes on."""
        return self._by_owner.get(id(owner), (None, None))[1]

    def note(
        self,
        owner: object,
        solve: _Solve,
        verdict: str,
        added: Sequence[Excluded | None] | None,
    ) -> None:
        """Notes a solve: `added` says of each new constraint how it excludes the last solution, and is None after any other change.

        A rule that by chance excludes the last solution, such as `day != 3`, ends a search: its unsat is about the rules.
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


# ---- How a constraint excludes a solution.

# Terms of which one must have another value, each with its direction if it has one.
_Ways: TypeAlias = "list[tuple[_Term, bool | None]]"


class Reader(Protocol[_Term]):
    """The formulas of a language, at a solution in which they do not hold."""

    def shape(self, term: _Term) -> tuple[str, Sequence[_Term]]:
        """`not`, `and`, `or`, `implies`, `==`, `!=`, `<` or `<=`, with the operands; `literal`, or any other name."""
        ...

    def key(self, term: _Term) -> Hashable: ...
    def is_constant(self, term: _Term) -> bool: ...
    def is_truth(self, term: _Term) -> bool: ...
    def is_next(self, term: _Term, bound: _Term, is_larger: bool, is_strict: bool) -> bool:
        """Whether the bound begins with the next value after that of the term: one further away is a requirement."""
        ...


def excluded(reader: Reader[_Term], constraint: _Term) -> Excluded | None:
    """How a constraint excludes the solution by the values there; None if it can be a requirement of another kind."""
    ways = _ways(reader, constraint, True)
    if not ways:
        return None
    keys = frozenset(reader.key(term) for term, _ in ways)
    return Excluded(keys, ways[0][1], ways[0][0]) if len(ways) == 1 else Excluded(keys)


def _ways(reader: Reader[_Term], formula: _Term, is_wanted: bool) -> _Ways[_Term] | None:
    """How a formula can hold, or can be false where it is not wanted."""
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
