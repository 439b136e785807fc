"""Keeps the clauses added to a solver, so that its models can be checked against them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from verdict_runner.languages.pysat import helpers
from verdict_runner.languages.why import Place

if TYPE_CHECKING:
    from verdict_runner.languages.pysat.problem import Problem

# The maximum number of literals kept per solver; a solver with more literals is not checked.
KEPT_LITERALS_MAX = 3_000_000


class Log:
    """One solver's clauses, as they were added."""

    def __init__(self) -> None:
        self.clauses: list[Sequence[int]] = []
        # The lines that state the clauses; empty unless the call asks why.
        self.places: list[Place] = []
        self.literals = 0
        self.whole = True
        # Whether the solver received constraints other than clauses.
        self.others = False
        self.solved = 0
        # The last query's assumptions.
        self.assumptions: Sequence[int] = ()
        # The last query that the program itself made, and whether the engine was changed after it.
        self.problem: Problem | None = None
        self.is_changed = False
        self.owners = helpers.Owners()
        # The largest of the program's own variables, and whether there are variables of encodings.
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
        """Keeps many clauses as `add` keeps one; the clauses must be plain (`helpers.are_plain`)."""
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
            # `abs` would call a method on each literal of an encoding.
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
        """Checks variables' owners again: clauses and assumptions after a first answer can use encodings' variables."""
        self.owners.take(self.clauses[self.solved :], of_program=self.solved == 0)

    def top(self) -> int:
        """Returns the largest variable shown in a model."""
        return self.largest if self.helped else sys.maxsize


def log_of(solver: object) -> Log:
    """Returns a solver's log, which is created with its first clause."""
    log = vars(solver).get("_verdict_log")
    if log is None:
        log = vars(solver)["_verdict_log"] = Log()
    return log
