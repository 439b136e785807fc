"""Provides cardinality constraints, enumeration and counting, which are available without an import."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pysat.card import CardEnc, EncType
from pysat.formula import CNF
from pysat.solvers import Solver

from verdict_runner.refusal import Refused

if TYPE_CHECKING:
    from typing import TypeGuard

Clauses: TypeAlias = "Sequence[Sequence[int]]"
Formula: TypeAlias = "CNF | Iterable[Iterable[int]]"

# The first number for encodings' variables, above the program's variables, which start at 1. The number is not larger,
# because solvers keep an array of this length.
HELPER_VARIABLES_FROM = 16_384
# The maximum number of clauses for the encoding without auxiliary variables, which propagates best and with which every
# model is counted once.
PLAIN_CLAUSES_MAX = 3_000
# The largest variable number allowed. Solvers need memory for every number up to the largest one, and exit without an
# answer if there is too little.
VARIABLES_MAX = 5_000_000
ENUMERATION_LIMIT = 1_000
COUNT_LIMIT = 100_000


# PySAT's own function, kept because `CardEnc.atmost` is wrapped for programs.
_at_most = CardEnc.atmost


class Aux(int):
    """A literal of an encoding's auxiliary variable; each encoding has its own subclass."""

    __slots__ = ()

    def __neg__(self) -> Aux:
        return type(self)(-int(self))

    def __abs__(self) -> Aux:
        return type(self)(abs(int(self)))


class Helper(Aux):
    """A literal of Verdict's own encodings, whose variables have numbers far above the program's."""

    __slots__ = ()


def marked(clauses: Clauses, literals: Iterable[int], kind: type[Aux]) -> list[list[int]]:
    """Returns an encoding's clauses over the literals, with its auxiliary variables marked."""
    known = {int(abs(each)): abs(each) for each in literals}

    def mark(literal: int) -> int:
        own = known.get(abs(literal))
        if own is None:
            return kind(literal)
        return own if literal > 0 else -own

    return [[mark(each) for each in clause] for clause in clauses]


class Owners:
    """Records which of a formula's variables belong to the program and which to an encoding."""

    def __init__(self) -> None:
        self._encodings: dict[int, type] = {}
        self._program: set[int] = set()

    def take(self, clauses: Clauses, of_program: bool = True) -> None:
        """Raises `Refused` if a variable has two owners; plain numbers count only if they come from the program."""
        for clause in clauses:
            for each in clause:
                if isinstance(each, Aux):
                    if self._encodings.setdefault(abs(int(each)), type(each)) is not type(each):
                        raise _used_twice(each, "two encodings")
                elif of_program:
                    self._program.add(abs(each))
        for each in self._encodings.keys() & self._program:
            raise _used_twice(each, "an encoding and the program itself")


def _used_twice(literal: int, users: str) -> Refused:
    return Refused(
        f"Variable {abs(int(literal))} is used by {users}: an encoding numbers its helper variables after top_id, or, without top_id, after its own literals.",
        [
            "pass the largest variable so far as top_id= to every CardEnc and PBEnc call, and continue after its .nv; or use one vpool=IDPool() for all",
            "or use exactly_k, at_most_k, at_least_k, whose helper variables never collide",
        ],
    )


def are_plain(clauses: object) -> TypeGuard[list[list[int]]]:
    """Whether clauses are plain lists of numbers, not objects that could run the program's code when they are read."""
    return (
        type(clauses) is list
        and {*map(type, clauses)} <= {list, tuple}
        and {*map(type, itertools.chain.from_iterable(clauses))} <= {int, Helper}
    )


def notice(clause: Iterable[object]) -> None:
    """Makes later encodings avoid the variables in a program's clause, however large they are."""
    for each in clause:
        if not isinstance(each, Aux) and isinstance(each, int) and abs(int(each)) >= HELPER_VARIABLES_FROM:
            numbers.claim(each)


def check_clash(clauses: Clauses) -> None:
    """Rejects clauses in which a variable has two owners."""
    for clause in clauses if numbers.used else ():
        for each in clause:
            if (
                (each >= HELPER_VARIABLES_FROM or -each >= HELPER_VARIABLES_FROM)
                and not isinstance(each, Aux)
                and not numbers.claim(each)
            ):
                raise clash(each)
    Owners().take(clauses)


def no_literal(value: object) -> Refused:
    return Refused(
        f"A literal must be a nonzero integer, not {value!r}.",
        [
            "give lists of variable numbers, negative for 'not': [1, -2]",
            "map names to numbers with a dictionary or with IDPool().id(name)",
        ],
    )


def expect_room(largest: int) -> None:
    """Rejects variables whose numbers are too large for solvers."""
    if largest > VARIABLES_MAX:
        raise Refused(
            f"The variable {largest} is larger than {VARIABLES_MAX}: a solver allocates memory for every number up to the largest one.",
            ["number the variables from 1 without gaps", "get the numbers from IDPool().id(name)"],
        )


def clash(literal: int) -> Refused:
    return Refused(
        f"Variable {abs(int(literal))} is in the range of helper variables: exactly_k, at_most_k and at_least_k number theirs from {HELPER_VARIABLES_FROM} on.",
        [
            f"number variables from 1 to {HELPER_VARIABLES_FROM - 1}, or use formula.nv + 1 after the helper's clauses are in the formula",
            "or encode with pysat.card's CardEnc and your own vpool",
        ],
    )


class Numbers:
    """Allocates the variables of the encodings."""

    def __init__(self) -> None:
        self.top = HELPER_VARIABLES_FROM - 1
        # The first variable of each allocated range, and the number after its last variable.
        self._firsts, self._ends = [], []

    @property
    def used(self) -> bool:
        """Whether any variable was allocated."""
        return bool(self._firsts)

    def has(self, literal: int) -> bool:
        """Whether this variable was allocated."""
        part = bisect.bisect_right(self._firsts, abs(int(literal))) - 1
        return part >= 0 and abs(int(literal)) < self._ends[part]

    def claim(self, literal: int) -> bool:
        """Whether the program can use this variable itself; if so, no encoding gets it."""
        self.top = max(self.top, abs(int(literal)))
        return not self.has(literal)

    def hand_out(self, encode: Callable[[int], CNF]) -> CNF:
        """Returns the formula from `encode(top)` and allocates the variables that it uses."""
        encoded = encode(self.top)
        if encoded.nv > self.top:
            self._firsts.append(self.top + 1)
            self._ends.append(encoded.nv + 1)
            self.top = encoded.nv
        return encoded


numbers = Numbers()


def at_most_k(literals: Iterable[int], k: int) -> list[list[int]]:
    """Clauses stating that at most k of the literals are true."""
    literals, k = _checked(literals, k)
    if k < 0:
        return [[]]
    if k >= len(literals):
        return []
    if math.comb(len(literals), k + 1) <= PLAIN_CLAUSES_MAX:
        return _plainly(literals, k)
    encoded = numbers.hand_out(lambda top: _at_most(literals, bound=k, top_id=top, encoding=EncType.seqcounter))
    return marked(encoded.clauses, literals, Helper)


def at_least_k(literals: Iterable[int], k: int) -> list[list[int]]:
    """Clauses stating that at least k of the literals are true."""
    literals, k = _checked(literals, k)
    if k <= 0:
        return []
    return at_most_k([-each for each in literals], len(literals) - k)


def exactly_k(literals: Iterable[int], k: int) -> list[list[int]]:
    """Clauses stating that exactly k of the literals are true."""
    literals, k = _checked(literals, k)
    return [*at_most_k(literals, k), *at_least_k(literals, k)]


def _plainly(literals: Sequence[int], k: int) -> list[list[int]]:
    return [[-each for each in chosen] for chosen in itertools.combinations(literals, k + 1)]


def _checked(literals: Iterable[int], k: int) -> tuple[list[int], int]:
    literals = list(literals)
    for each in literals:
        if isinstance(each, bool) or not isinstance(each, int) or each == 0:
            raise no_literal(each)
        if abs(each) >= HELPER_VARIABLES_FROM and not isinstance(each, Helper) and not numbers.claim(each):
            raise clash(each)
    if isinstance(k, bool) or not isinstance(k, int):
        raise Refused(f"The bound k must be an integer, not {k!r}.", ["give an int"])
    return literals, k


def variables_of(clauses: Clauses) -> list[int]:
    """The program's variables in these clauses, without those of the encodings."""
    return sorted({abs(each) for clause in clauses for each in clause if not isinstance(each, Helper)})


def clauses_of(formula: Formula) -> list[list[int]]:
    """Returns the clauses in a CNF or in a list of clauses."""
    if isinstance(formula, CNF):
        if getattr(formula, "atmosts", None):
            raise Refused(
                "Cardinality constraints of CNFPlus can't be counted here.",
                ["use the clauses of at_most_k(…), at_least_k(…) or CardEnc"],
            )
        return formula.clauses
    return [list(clause) for clause in formula]


def models(formula: Formula, variables: Iterable[int] | None, limit: int) -> tuple[list[list[int]], bool]:
    """Lists models over the variables, each once, and returns whether the list is complete."""
    clauses = clauses_of(formula)
    check_clash(clauses)
    chosen = sorted({abs(each) for each in variables}) if variables is not None else variables_of(clauses)
    # Variables are renumbered without gaps, since a solver's work for one model grows with the largest number.
    numbered = {
        each: i + 1
        for i, each in enumerate(dict.fromkeys([*chosen, *(abs(each) for clause in clauses for each in clause)]))
    }
    dense = [[numbered[abs(each)] if each > 0 else -numbered[abs(each)] for each in clause] for clause in clauses]
    models = []
    with Solver(name="cadical195", bootstrap_with=dense) as solver:
        while solver.solve():
            if len(models) >= limit:
                return models, False
            true = {each for each in solver.get_model() or () if each > 0}
            models.append([each if numbered[each] in true else -each for each in chosen])
            solver.add_clause([-(i + 1) if i + 1 in true else i + 1 for i in range(len(chosen))])
    return models, True
