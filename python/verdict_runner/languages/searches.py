"""Tracks a program's own searches, in which it excludes each solution found until its solver answers `unsat`."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from verdict_runner import cases, taken
from verdict_runner.sandbox import program

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
    # The bound that the term has to pass; None if it is directly next to the term's value.
    bound: float | None = field(default=None, compare=False)
    # Whether Boolean variables only have to differ from their values, as in x + (1 - y) >= 1.
    by_values: bool = field(default=False, compare=False)


class Search(Generic[_Solve]):
    """Consecutive satisfiable solves between which the program only added constraints excluding the last solution."""

    def __init__(self, first: _Solve) -> None:
        self.first = self.last = first
        self.found = 1
        # The lines whose solves had a solution.
        self.places = {program.caller()}
        self.ways: set[Excluded] = set()
        # The ways in which the last constraints exclude a solution.
        self.last_ways: Sequence[Excluded] = ()
        # The solve that answered `unsat`.
        self.end: _Solve | None = None
        # The line of a solve by another solver during this search, which may have tested its solutions.
        self.beside: program.Place | None = None

    def continue_with(self, solve: _Solve, ways: Sequence[Excluded]) -> None:
        """Records a satisfiable solve; without ways, it solved the same problem again."""
        self.found += len(ways) > 0
        self.last = solve
        self.places.add(program.caller())
        self._exclude(ways)

    def _exclude(self, ways: Sequence[Excluded]) -> None:
        self.ways.update(ways)
        self.last_ways = ways

    def is_continued_by(self, ways: Sequence[Excluded]) -> bool:
        """Whether constraints with a direction are all about one term; others are requirements, as in a schedule."""
        return not _directed(ways) or len({*self.ways, *ways}) == 1

    def end_with(self, solve: _Solve, ways: Sequence[Excluded]) -> bool:
        """Records an `unsat` of these constraints; returns whether it ended the search.

        The steps of a loop over data, or of one that counts, are requirements, such as a different worker for each shift.
        The first step in a direction can be one too, unless it is in a loop that ends only in this way. In code without
        loops, the next value is not one, since it asks whether the last one is the best.
        """
        is_repeated = program.caller() in self.places
        if is_repeated and cases.is_driven(sys._getframe(1)):
            return False
        directed = () if self.ways else _directed(ways)
        is_far = any(each.bound is not None for each in directed) or is_repeated
        if directed and is_far and not cases.is_in_while(sys._getframe(1)):
            return False
        self._exclude(ways)
        self.end = solve
        return True

    @property
    def aim(self) -> Excluded | None:
        """The term that had to improve in each step; its last solution is the best one, or the best up to a bound."""
        way = next(iter(self.last_ways), None)
        if way is None or way.larger is None or len(self.ways) > 1 or (way.by_values and self.found == 1):
            return None
        return way


def _directed(ways: Sequence[Excluded]) -> Sequence[Excluded]:
    return [each for each in ways if each.larger is not None and not each.by_values]


class Searches(Generic[_Solve]):
    """A program's searches, at most one per solver at a time."""

    def __init__(self) -> None:
        self._by_owner: dict[int, tuple[object, Search[_Solve]]] = {}
        # The number of constraints stated without using a solution's values.
        self._rules = 0
        # The search that the program's last solve ended.
        self.ended: Search[_Solve] | None = None
        # The program's last solve, if an engine then listed all of its solutions one by one.
        self.listed: Search[_Solve] | None = None

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
        is_whole = bool(ways) and len(ways) == len(added or ())
        is_next = search is not None and is_whole and search.is_continued_by(ways)
        self.ended = self.listed = None
        for other, each in self._by_owner.values():
            if other is not owner:
                each.beside = program.caller()
        if search is not None and verdict == "sat" and (is_next or added == []):
            search.continue_with(solve, ways)
        elif verdict == "sat":
            self._by_owner[id(owner)] = (owner, Search(solve))
        else:
            self._by_owner.pop(id(owner), None)
            is_end = search is not None and verdict == "unsat" and is_next
            if search is not None and is_end and search.end_with(solve, ways):
                self.ended = search

    def note_list(self, solve: _Solve, found: int = 0) -> None:
        """Records that the program was handed the last solve's solutions one by one, and may have tested them.

        `found` is their number, if it is known.
        """
        self.listed = Search(solve)
        self.listed.found = found


# ---- How constraints exclude solutions.

# A list of terms, one of which must have a different value; each term comes with a direction and a distant bound, if it
# has them.
_Ways: TypeAlias = "list[tuple[_Term, bool | None, float | None]]"


class Reader(Protocol[_Term]):
    """Reads a language's formulas at a solution that violates them."""

    def shape(self, term: _Term) -> tuple[str, Sequence[_Term]]:
        """A name (`not`, `and`, `or`, `implies`, `==`, `!=`, `<`, `<=`, `literal` or any other) and the operands."""
        ...

    def key(self, term: _Term) -> Hashable: ...
    def is_constant(self, term: _Term) -> bool: ...
    def is_truth(self, term: _Term) -> bool: ...
    def is_next(self, term: _Term, bound: _Term, is_larger: bool, is_strict: bool) -> bool:
        """Whether the bound is directly next to the term's value."""
        ...

    def is_furthest(self, term: _Term, is_larger: bool) -> bool:
        """Whether the term is a sum with the least possible value, or the largest one, if its variables are Boolean."""
        ...

    def number(self, bound: _Term) -> float | None:
        """A bound that is not adjacent to the term's value; None if the order is not that of numbers."""
        ...


def excluded(reader: Reader[_Term], constraint: _Term) -> Excluded | None:
    """Returns how a constraint excludes the solution by its values; None if it may be another kind of requirement."""
    ways = _ways(reader, constraint, True)
    if not ways:
        return None
    keys = frozenset(reader.key(term) for term, *_ in ways)
    if len(ways) == 1:
        term, is_larger, bound = ways[0]
        by_values = is_larger is not None and bound is None and reader.is_furthest(term, is_larger)
        return Excluded(keys, is_larger, term, bound, by_values)
    return Excluded(keys) if all(bound is None for *_, bound in ways) else None


def is_furthest(weights: Sequence[Any], value: Any, is_larger: bool) -> bool:  # noqa: ANN401
    """Whether a sum of Boolean variables with these weights has a value that only one combination of values has."""
    return len({abs(each) for each in weights}) == 1 and value == sum(
        each for each in weights if (each < 0) == is_larger
    )


def _ways(reader: Reader[_Term], formula: _Term, is_wanted: bool) -> _Ways[_Term] | None:
    """The ways in which a formula can become true, or, unless `is_wanted`, false."""
    name, parts = reader.shape(formula)
    if name == "literal":
        return [(formula, None, None)]
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
        return [(term, None, None)] if (name == "!=") == is_wanted or reader.is_truth(term) else None
    is_larger = constants[1] != is_wanted
    if reader.is_next(term, bound, is_larger, is_strict=(name == "<") == is_wanted):
        return [(term, is_larger, None)]
    number = reader.number(bound)
    return None if number is None else [(term, is_larger, number)]
