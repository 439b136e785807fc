"""The record of the only program that this process runs: its models, each solver's problem, and its solves."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import cpmpy as cp
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.transformations.get_variables import get_variables

from verdict_runner.evidence.finite.meaning import Node, Unknown
from verdict_runner.languages.cp import cpsat
from verdict_runner.languages.cpmpy import backends
from verdict_runner.languages.cpmpy.tree import Variables
from verdict_runner.languages.record import Current, Record
from verdict_runner.languages.why import Place
from verdict_runner.protocol.runner import Task


class Solved:
    """One solve: the problem and its result."""

    def __init__(self, solver: Any, asked: Asked) -> None:  # noqa: ANN401
        self.solver = solver
        self.backend = backends.of(solver)
        self.constraints = list(asked.constraints)
        # The model from which the solver was created.
        self.model = asked.model
        # The form for the second check, recorded when constraints were added, since expressions are mutable.
        self.noted = asked.noted.copy()
        self.objective, self.is_least, self.objective_place = asked.objective, asked.is_least, asked.objective_place
        self.assumptions: list[Any] = []
        # The other arguments passed to solve().
        self.settings: dict[str, object] = {}
        self.status = ExitStatus.UNKNOWN
        self.seconds = 0.0
        # The values, by variable name.
        self.values: dict[str, int] = {}
        self.bound: int | None = None
        # Why the engine's answer alone is not enough for an optimum or an `unsat`.
        self.distrusted: str | None = None
        self.is_cut = False
        self.verdict = "unknown"

    def stated(self) -> list[Node] | None:
        """Variables, objective, assumptions and constraints, if their meaning is known.

        Variables are compared by identity.
        """
        if self.noted.unknown is not None:
            return None
        assumed = [id(each) for each in self.assumptions]
        return [[*map(id, self.noted.variables.all)], [self.noted.objective, self.is_least], assumed, *self.noted.nodes]

    @property
    def has_solution(self) -> bool:
        return self.status in (ExitStatus.OPTIMAL, ExitStatus.FEASIBLE) and bool(
            self.values or not self.solver.user_vars
        )


class Noted:
    """Constraints and an objective as nodes, with their variables."""

    def __init__(self) -> None:
        self.variables = Variables()
        self.nodes: list[Node] = []
        self.objective: Node = None
        # Why there is no form: a kind of constraint that the second check does not support.
        self.unknown: str | None = None

    def add(self, constraints: Iterable[object]) -> None:
        self.nodes += [node for node in map(self._node, constraints) if node is not None]

    def set_objective(self, objective: object) -> None:
        self.objective = self._node(objective)

    def _node(self, expression: object) -> Node:
        try:
            return self.variables.node(expression)
        except Unknown as unknown:
            self.unknown = str(unknown)
            for each in get_variables(expression):
                self.variables.number(each)
            return None

    def copy(self) -> Noted:
        """Returns a copy that does not grow with the original; nodes are immutable."""
        copy = Noted()
        copy.variables, copy.nodes = self.variables.copy(), list(self.nodes)
        copy.objective, copy.unknown = self.objective, self.unknown
        return copy


class Asked:
    """The constraints added to a solver, each with its position."""

    def __init__(self) -> None:
        self.constraints: list[tuple[Any, Place]] = []
        self.objective: Any = None
        self.objective_place: Place = None
        self.is_least = True
        self.noted = Noted()
        self.model: object = None
        # A sentence saying why the solver can't be used again.
        self.is_used: str | None = None


class Run(Record):
    """A program that builds and solves CPMpy models."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        cpsat.allow(task)
        self.solving_until = cpsat.time_for_solving(time.monotonic(), task.until)
        self.models: list[cp.Model] = []
        # The position of each constraint and objective, by object id. Keeping the object prevents reuse of its id.
        self.places: dict[int, tuple[object, Place]] = {}
        # Constraints that several lines add, and the lines of each model's constraints, in order.
        self.in_several_lines: set[int] = set()
        self.lines: dict[int, tuple[object, list[Place]]] = {}
        self.asked: dict[int, tuple[object, Asked]] = {}
        self.solved: list[Solved] = []
        # Whether a solver is taking over a model's constraints.
        self.is_starting = False
        # The nesting depth of CPMpy's own calls; only the outermost call comes from the program.
        self.depth = 0
        # Why CP-SAT's answer alone is not enough under the parameters of its last run.
        self.doubt: str | None = None

    def asked_of(self, solver: object) -> Asked:
        return self.asked.setdefault(id(solver), (solver, Asked()))[1]


_current = Current(Run)
begin, the_run = _current.begin, _current.get
