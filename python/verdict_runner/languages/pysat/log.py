"""The clauses that a solver was given, kept so that its models can be checked against them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from verdict_runner.languages.pysat import helpers
from verdict_runner.languages.why import Place

if TYPE_CHECKING:
    from verdict_runner.languages.pysat.problem import Problem

# The number of literals kept per solver; a solver with more is not checked.
KEPT_LITERALS_MAX = 3_000_000


class Log:
    """The clauses of one solver, as they were given."""

    def __init__(self) -> None:
        self.clauses: list[Sequence[int]] = []
        # The lines that state them; empty unless the call asks why.
        self.places: list[Place] = []
        self.literals = 0
        self.whole = True
        # Whether the solver received constraints other than clauses.
        self.others = False
        self.solved = 0
        # The assumptions of the last query.
        self.assumptions: Sequence[int] = ()
        # The program's own last query.
        self.problem: Problem | None = None
        self.owners = helpers.Owners()
        # The program's own largest variable, and whether there are variables of encodings.
        self.largest = 0
        self.helped = False

    def add(self, clause: Sequence[int]) -> None:
        """Keeps a clause; constraints of other kinds are neither kept nor replayed."""
        self.literals += len(clause)
        self._number(clause)
        if self.literals > KEPT_LITERALS_MAX:
            self.whole, self.clauses = False, []
        if self.whole:
            self.clauses.append(clause)

    def add_all(self, clauses: Sequence[Sequence[int]]) -> None:
        """Keeps many clauses, each as `add` does; they must be plain (`helpers.are_plain`)."""
        literals = [*chain.from_iterable(clauses)]
        own = [each for each in literals if type(each) is not helpers.Helper]
        largest = max(map(int.__abs__, own), default=0)
        if largest >= helpers.HELPER_VARIABLES_FROM or self.literals + len(literals) > KEPT_LITERALS_MAX:
            for clause in clauses:
                self.add(clause)
            return
        helpers.expect_room(max(map(int.__abs__, literals), default=0))
        self.literals += len(literals)
        self.helped = self.helped or len(own) < len(literals)
        self.largest = max(self.largest, largest)
        if self.whole:
            self.clauses.extend(clauses)

    def _number(self, clause: Sequence[int]) -> None:
        try:
            # Not `abs`, which would call a method on each literal of an encoding.
            largest = max(map(int.__abs__, clause), default=0)
        except TypeError:
            raise helpers.no_literal(next(each for each in clause if not isinstance(each, int))) from None
        if largest >= helpers.HELPER_VARIABLES_FROM:
            helpers.expect_room(largest)
            own = [abs(each) for each in clause if not isinstance(each, helpers.Helper)]
            self.helped = self.helped or len(own) < len(clause)
            largest = max(map(int, own), default=0)
            for each in own:
                if (
                    each >= helpers.HELPER_VARIABLES_FROM
                    and not isinstance(each, helpers.Aux)
                    and not helpers.numbers.claim(each)
                ):
                    raise helpers.clash(each)
        self.largest = max(self.largest, largest)

    def check_owners(self) -> None:
        """Checks the owners of variables again: clauses and assumptions after a first answer can use those of encodings."""
        self.owners.take(self.clauses[self.solved :], of_program=self.solved == 0)

    def top(self) -> int:
        """The largest variable shown in a model."""
        return self.largest if self.helped else sys.maxsize


def log_of(solver: object) -> Log:
    """The log of this solver, created at its first clause."""
    log = vars(solver).get("_verdict_log")
    if log is None:
        log = vars(solver)["_verdict_log"] = Log()
    return log
