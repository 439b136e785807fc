"""Notes down what a program builds and solves with CPMpy; every solve stays within its bounds."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import cpmpy as cp
import numpy as np
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl
from cpmpy.solvers.ortools import CPM_ortools
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface
from cpmpy.solvers.utils import SolverLookup
from cpmpy.solvers.z3 import CPM_z3
from ortools.sat.python import cp_model

from verdict_runner.languages.cp import cpsat, parameters
from verdict_runner.languages.ortools import proto
from verdict_runner.languages.record import Current, Record
from verdict_runner.protocol.runner import Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards, program

Place: TypeAlias = "tuple[int, int] | None"

# The backends that are installed, by the names of CPMpy, with what they are called in an answer.
BACKENDS = {"ortools": (CPM_ortools, "CP-SAT"), "z3": (CPM_z3, "Z3")}
# Where they keep what they were given in the form of their engine: a constraint that is added there is seen by nobody else.
ENGINES_OWN = ("ort_model", "ort_solver", "z3_solver")
# Names that CPMpy gives by itself to variables without one, and to its own.
AUTOMATIC = ("IV", "BV")


class Solved:
    """One solve: what was asked, and what came of it."""

    def __init__(self, solver: Any, asked: Asked) -> None:  # noqa: ANN401
        self.solver = solver
        self.constraints = list(asked.constraints)
        self.objective, self.is_least = asked.objective, asked.is_least
        self.assumptions: list[Any] = []
        self.status = ExitStatus.UNKNOWN
        self.seconds = 0.0
        # Values by the names of variables.
        self.values: dict[str, int] = {}
        self.bound: float | None = None
        # Why the engine's word alone is not enough for an optimum or an unsat.
        self.distrusted: str | None = None
        self.is_cut = False

    @property
    def has_solution(self) -> bool:
        return self.status in (ExitStatus.OPTIMAL, ExitStatus.FEASIBLE) and bool(
            self.values or not self.solver.user_vars
        )


class Asked:
    """What was added to a solver, each constraint with its place."""

    def __init__(self) -> None:
        self.constraints: list[tuple[Any, Place]] = []
        self.objective: Any = None
        self.is_least = True


class Run(Record):
    """A program that builds and solves models of CPMpy."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.say, self.items = task.say, task.items
        self.solving_until = cpsat.time_for_solving(time.monotonic(), task.until)
        self.models: list[cp.Model] = []
        # The place of each constraint of a model, by its identity; the constraint is kept, so that no other one gets it.
        self.places: dict[int, tuple[object, Place]] = {}
        # Constraints that several lines add to models, and for each list of a model's constraints their lines in order.
        self.in_several_lines: set[int] = set()
        self.lines: dict[int, tuple[object, list[Place]]] = {}
        self.asked: dict[int, tuple[object, Asked]] = {}
        self.solved: list[Solved] = []
        self.names: dict[str, _NumVarImpl] = {}
        # How deep we are in calls of CPMpy's own: only the outermost one is the program's.
        self.depth = 0
        # Why the parameters of the last run of CP-SAT make its word not enough.
        self.doubt: str | None = None

    def asked_of(self, solver: object) -> Asked:
        return self.asked.setdefault(id(solver), (solver, Asked()))[1]


_current = Current(Run)
begin, the_run = _current.begin, _current.get


def listen() -> None:
    """Begins to note down; called once, before any program runs."""
    cp.Model.__init__ = _made_model(cp.Model.__init__)
    cp.Model.add = cp.Model.__add__ = _model_add
    for name in ("to_file", "from_file"):
        setattr(cp.Model, name, _no_file)
    cpsat.forbid_files()
    SolverLookup.lookup = classmethod(_lookup)
    _NumVarImpl.__init__ = _made_variable(_NumVarImpl.__init__)
    for kind, _ in BACKENDS.values():
        kind.add = kind.__add__ = _solver_add(kind.add)
        kind.objective = _solver_objective(kind.objective)
        kind.solve = _solve(kind.solve)
        kind.solveAll = _solve(kind.solveAll)
        for name in ENGINES_OWN:
            setattr(kind, name, _hidden(name))
    cp_model.CpSolver.solve = _cp_sat


def _hidden(name: str) -> property:
    """An attribute that CPMpy's own code reads and writes, and no program reads."""

    def read(self: SolverInterface) -> object:
        if name not in vars(self):
            raise AttributeError(name)
        frame = sys._getframe(1)
        while frame.f_code.co_filename == guards.__file__:
            frame = frame.f_back or frame
        if program.place_of(frame.f_code.co_filename, 0):
            raise Refused(
                f"The attribute {name} of CPMpy's solvers is not for a program: what is added there is not checked.",
                ["add constraints to the solver itself: s += constraint", "or write the model in the language ortools"],
            )
        return vars(self)[name]

    return property(read, lambda self, value: vars(self).__setitem__(name, value))


def _no_file(*_: object) -> None:
    raise Refused("A model can't be written to a file or read from one here.", ["write the model itself into items"])


def _cp_sat(self: cp_model.CpSolver, model: cp_model.CpModel, solution_callback: Any = None) -> cpsat.Status:  # noqa: ANN401
    run = the_run()
    if solution_callback is None and model.has_objective():
        solution_callback = cpsat.News(run.say)
    run.doubt = parameters.distrusted(self.parameters)
    return cpsat.solve(self, cpsat.copy_of(model), run.solving_until, solution_callback)


def _lookup(cls: type, name: object = None) -> type[SolverInterface]:
    wanted = "ortools" if name is None else str(name).partition(":")[0]
    if wanted in BACKENDS:
        return BACKENDS[wanted][0]
    raise Refused(
        f"CPMpy's solver {wanted!r} is not installed here.",
        [f"use one of: {', '.join(BACKENDS)}", "leave the solver out: OR-Tools CP-SAT is then used"],
    )


def _made_variable(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def made(self: _NumVarImpl, *arguments: object, **options: object) -> None:
        init(self, *arguments, **options)
        run = the_run()
        if run.depth or isinstance(self, NegBoolView):
            return
        if not self.name.startswith(AUTOMATIC) and run.names.setdefault(self.name, self) is not self:
            raise Refused(
                f"Two variables have the name {self.name!r}: CPMpy would take them for one.",
                ["give each variable a name of its own", "or leave the name out"],
            )

    return made


def _made_model(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def made(self: cp.Model, *arguments: object, **options: object) -> None:
        init(self, *arguments, **options)
        if not the_run().depth:
            the_run().models.append(self)

    return made


_add = cp.Model.add


@functools.wraps(_add)
def _model_add(self: cp.Model, con: object) -> cp.Model:
    before = len(self.constraints)
    _add(self, con)
    run, place = the_run(), program.caller()
    for each in self.constraints[before:]:
        if run.places.setdefault(id(each), (each, place))[1] != place:
            run.in_several_lines.add(id(each))
    lines = run.lines.setdefault(id(self.constraints), (self.constraints, []))[1]
    lines += [None] * (before - len(lines))
    lines += [place] * (len(self.constraints) - before)
    return self


def _flat(given: object, place: Place, is_known: bool = False) -> Iterator[tuple[object, Place]]:
    """The single constraints of what was added, each with its place."""
    run = the_run()
    known = run.places.get(id(given))
    if not is_known and known and known[0] is given:
        place = None if id(given) in run.in_several_lines else known[1]
    of_model, lines = run.lines.get(id(given), (None, []))
    if isinstance(given, np.ndarray):
        given = list(given.flat)
    if isinstance(given, (list, tuple)) and of_model is given and len(lines) == len(given):
        for each, line in zip(given, lines):
            yield from _flat(each, line, is_known=line is not None)
    elif isinstance(given, (list, tuple)):
        for each in given:
            yield from _flat(each, place, is_known)
    else:
        yield given, place


def _solver_add(add: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(add)
    def adding(self: SolverInterface, cpm_expr: object) -> object:
        run = the_run()
        if not run.depth:
            run.asked_of(self).constraints += _flat(cpm_expr, program.caller())
        with _inside(run):
            return add(self, cpm_expr)

    return adding


def _solver_objective(objective: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(objective)
    def setting(self: SolverInterface, expr: object, minimize: bool) -> object:
        run = the_run()
        if not run.depth:
            asked = run.asked_of(self)
            asked.objective, asked.is_least = expr, bool(minimize)
        with _inside(run):
            return objective(self, expr, minimize)

    return setting


class _inside:
    """Within a call of CPMpy's own."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __enter__(self) -> None:
        self._run.depth += 1

    def __exit__(self, *_: object) -> None:
        self._run.depth -= 1


def _solve(method: Callable[..., Any]) -> Callable[..., Any]:
    """`solve` or `solveAll` of a backend, noted down and within the time."""

    @functools.wraps(method)
    def solving(self: Any, *arguments: object, **options: Any) -> object:  # noqa: ANN401
        run = the_run()
        if run.depth:
            return method(self, *arguments, **options)
        solved = Solved(self, run.asked_of(self))
        solved.assumptions = list(options.get("assumptions") or [])
        run.solved = [*(each for each in run.solved if each.solver is not self), solved]
        until = run.solving_until - cpsat.SECONDS_A_CONSTRAINT * len(solved.constraints)
        left = until - time.monotonic()
        wanted = options.get("time_limit")
        options["time_limit"] = max(0.01, left if wanted is None else min(left, float(wanted)))
        begun = time.monotonic()
        with _inside(run):
            result = method(self, *arguments, **options)
        solved.seconds = time.monotonic() - begun
        solved.is_cut = cpsat.is_cut(begun, until)
        _note(solved)
        return result

    return solving


def _note(solved: Solved) -> None:
    """Keeps the status, and the values where there are some."""
    solver = solved.solver
    solved.status = solver.status().exitstatus
    if isinstance(solver, CPM_ortools):
        solved.distrusted = proto.distrusted(solver.ort_model.proto) or the_run().doubt
    if solved.status not in (ExitStatus.OPTIMAL, ExitStatus.FEASIBLE):
        return
    solved.values = values_of(solver)
    if isinstance(solver, CPM_ortools) and solved.objective is not None:
        solved.bound = solver.ort_solver.best_objective_bound


def values_of(solver: SolverInterface) -> dict[str, int]:
    """The values of the author's variables, by name."""
    return {each.name: int(each.value()) for each in solver.user_vars if each.value() is not None}


def backend_of(solver: object) -> str:
    return next((title for kind, title in BACKENDS.values() if isinstance(solver, kind)), "CPMpy")


def is_unsat(constraints: Sequence[object], until: float) -> bool:
    """Whether CP-SAT proves within the time that these can't hold together."""
    run = the_run()
    with _inside(run):
        solver = CPM_ortools(cp.Model(list(constraints)))
        left = until - time.monotonic()
        if left <= 0:
            return False
        solver.solve(time_limit=left)
        return solver.status().exitstatus == ExitStatus.UNSATISFIABLE
