"""The record of the one program that this process runs, and positions in its items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import z3

from verdict_runner.languages.record import Current, Record
from verdict_runner.languages.z3.confirm import models_read as z3_models
from verdict_runner.languages.z3.solvers import AnySolver
from verdict_runner.protocol.runner import Task

if TYPE_CHECKING:
    from verdict_runner.languages.z3.decide.bounds import SearchResult

# An expression that can be minimised or maximised.
Objective: TypeAlias = "z3.ArithRef | z3.BitVecRef"
# Time of a job that is reserved for reading the answer.
RESERVE_SECONDS = 0.1
# The most time for a search that improves an answer which is known already.
EXPLAIN_SECONDS_MAX = 5.0
# An item, and a line in it.
Place: TypeAlias = tuple[int, int]
# A method or function of Z3 with any parameters and result.
Method: TypeAlias = Callable[..., Any]


class Assumed(NamedTuple):
    """A check under assumptions: these, its answer, and its position."""

    assumptions: Sequence[z3.ExprRef]
    verdict: z3.CheckSatResult
    place: Place | None


class Run(Record):
    """The record of the one program that this process runs."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.items = task.items
        self.solvers: list[AnySolver] = []
        # Solvers that `prove` and `solve` make for themselves.
        self.asides: list[AnySolver] = []
        self.aside = False
        # Pointers of all of them, and ids of their Python objects.
        self.handles: set[object] = set()
        self.made: set[int] = set()
        self.bare: list[tuple[z3.BoolRef, Place]] = []
        self.origins: dict[int, tuple[Place, z3.ExprRef]] = {}
        # By the solver and the id of a constraint: each line that asserts it.
        self.stated: dict[tuple[int, int], list[Place]] = {}
        # By the solver and the name that the program gave: the constraint and its position.
        self.tracked: dict[tuple[int, str], tuple[object, Place]] = {}
        # All constraints that were ever tracked by this name.
        self.named: dict[tuple[int, str], list[object]] = {}
        self.limits_ms: dict[int, int] = {}
        self.priorities: dict[int, str] = {}
        # By solver: the answer of its last check, if nothing changed since.
        self.checked: dict[int, z3.CheckSatResult] = {}
        # By Optimize: what Verdict's own search found where Z3's optimiser did not end.
        self.searched: dict[int, SearchResult] = {}
        self.once_sat: set[int] = set()
        # The answers of all checks.
        self.answers: set[str] = set()
        self.checks = 0
        self.models_read = z3_models.ModelsRead()
        # By solver: how often it was checked, and its last check if that had assumptions.
        self.times: Counter[int] = Counter()
        self.assumed: dict[int, Assumed] = {}
        # Solvers that changed after that check.
        self.moved_on: set[int] = set()
        # By solver: the check under assumptions that the answer is about.
        self.under: dict[int, Assumed] = {}
        # By Optimize: the expression of each objective, and whether it is maximised.
        self.objectives: dict[int, dict[int, tuple[Objective, bool]]] = {}
        # By Optimize: all handles of each objective, and those that have a value from the last check.
        self.aimed: dict[int, dict[int, list[z3.OptimizeObjective]]] = {}
        self.reached: dict[int, dict[int, list[z3.OptimizeObjective]]] = {}
        self.answered_for: AnySolver | None = None
        # Positions where the program added to that solver afterwards.
        self.late: list[Place] = []

    def names_of(self, solver: AnySolver) -> list[z3.BoolRef]:
        """The names by which a solver tracks constraints."""
        return [z3.Bool(name, solver.ctx) for owner, name in self.tracked if owner == id(solver)]

    def constraints_of(self, solver: AnySolver) -> list[z3.ExprRef]:
        """All that has to hold: a tracked constraint is asserted as `name => constraint`, and the name makes it hold."""
        under = self.under.get(id(solver))
        return [*solver.assertions(), *self.names_of(solver), *(under.assumptions if under else ())]

    def changed(self, solver_id: int) -> None:
        """Forgets the answer of a solver that changes."""
        self.checked.pop(solver_id, None)
        self.moved_on.add(solver_id)

    def take_assumptions(self, solver: AnySolver, claimed: bool | None) -> None:
        """Lets an answer be about a check under assumptions, if the program can mean no other.

        It was the only check of this solver, or the program says that there is no solution, as this check did. Of a
        search with several checks the answer is that of the solver without assumptions.
        """
        key = id(solver)
        last = self.assumed.get(key)
        self.under.pop(key, None)
        is_meant = last and (self.times[key] == 1 or (claimed is False and last.verdict == z3.unsat))
        if last and is_meant and key not in self.moved_on:
            self.under[key] = last


_current = Current(Run)
begin, the_run = _current.begin, _current.get


def genuine(solver: object) -> AnySolver:
    """The object, if it is a solver of Z3; a program can call these methods on an object of its own."""
    if type(solver) is z3.Solver or type(solver) is z3.Optimize:
        return solver
    raise TypeError(f"this method is of a solver of Z3, and not for a {type(solver).__name__}")


def where(place: Place) -> str:
    """A position, as messages show it."""
    return f"item {place[0]}, line {place[1]}"


def flat(constraints: Iterable[object]) -> Iterator[object]:
    """The constraints in nested lists, one by one."""
    for each in constraints:
        if isinstance(each, (list, tuple, set, z3.AstVector)):
            yield from flat(each)
        else:
            yield each
