"""Records what a program builds and solves with CP-SAT, and keeps every solve within its limits."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ortools.sat.python import cp_model

from verdict_runner.evidence.finite import proto
from verdict_runner.evidence.finite.meaning import Node, Unknown
from verdict_runner.languages import truth
from verdict_runner.languages.cp import cpsat, parameters
from verdict_runner.languages.cp.excluded import excluded_by
from verdict_runner.languages.record import Current, Record
from verdict_runner.languages.why import Place
from verdict_runner.protocol.runner import Task
from verdict_runner.sandbox import program

if TYPE_CHECKING:
    from ortools.math_opt.python import mathopt

    from verdict_runner.languages.ortools.mathopt.watch import Solved as MathSolved


# The maximum value of a square; CP-SAT supports variables of this size, and sums of a few of them.
SQUARE_MOST = 2**60

STATUSES = {
    cp_model.OPTIMAL: "OPTIMAL",
    cp_model.FEASIBLE: "FEASIBLE",
    cp_model.INFEASIBLE: "INFEASIBLE",
    cp_model.MODEL_INVALID: "MODEL_INVALID",
    cp_model.UNKNOWN: "UNKNOWN",
}


# The methods that read several values, with their counterparts that read a single value.
SEVERAL = {
    "values": "value",
    "boolean_values": "boolean_value",
    "float_values": "float_value",
    "Values": "value",
    "BooleanValues": "boolean_value",
}


class NoSolution(Exception):
    """Raised if values are read from a solver without a solution; CP-SAT itself returns 0 for each."""


class Solved:
    """One solve: a snapshot of the model, and the result."""

    def __init__(self, model: cp_model.CpModel, solver: cp_model.CpSolver, places: list[Place]) -> None:
        self.original = model.proto
        self.model = cpsat.copy_of(model)
        self.proto = self.model.proto
        self.places = list(places)
        self.solver = solver
        # Hints are included, since they can lead to a different solution.
        self.settings = f"{solver.parameters} {self.proto.solution_hint}"
        self.status: cpsat.Status = cp_model.UNKNOWN
        # False during the solve, and also afterwards if a callback raised, since the solver then has no response.
        self.is_over = False
        self.seconds = 0.0
        self.values: list[int] = []
        self.bound: int | None = None
        self.bound_of = proto.bound_reader(self.proto)
        self.is_cut = False
        # Why CP-SAT rejected the model.
        self.fault = ""
        # Why CP-SAT's answer alone is not enough for an optimum or an `unsat`.
        self.distrusted = proto.distrusted(self.proto) or parameters.distrusted(solver.parameters)

    def is_of(self, named: cp_model.CpSolver | cp_model.CpModel) -> bool:
        return self.solver is named if isinstance(named, cp_model.CpSolver) else self.original is named.proto

    @property
    def has_solution(self) -> bool:
        return self.status in cpsat.HAS_SOLUTION

    @property
    def is_plain(self) -> bool:
        return not (
            self.proto.has_objective() or self.proto.has_floating_point_objective() or len(self.proto.assumptions)
        )

    @functools.cached_property
    def nodes(self) -> list[Node] | None:
        """Domains, objective, assumptions and constraints, if their meaning is known."""
        try:
            objective = proto.objective(self.proto)
            aim = objective and [objective.node, objective.is_least]
            return [proto.domains(self.proto), aim, list(self.proto.assumptions), *proto.constraints(self.proto)]
        except Unknown:
            return None

    @property
    def verdict(self) -> str:
        if self.status == cp_model.INFEASIBLE:
            return "unsat"
        return "sat" if self.has_solution else "timeout" if self.is_cut else "unknown"


class Run(Record):
    """A program that builds and solves CP-SAT models."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        cpsat.allow(task)
        self.solving_until = cpsat.time_for_solving(time.monotonic(), task.until)
        self.models: list[cp_model.CpModel] = []
        # For each model, the positions of its constraints, in order.
        self._places: dict[int, list[Place]] = {}
        self.solved: list[Solved] = []
        # The MathOpt models, each with the positions of its constraints by id.
        self.math_models: list[tuple[mathopt.Model, dict[int, Place]]] = []
        # The last solve, by CP-SAT or MathOpt.
        self.latest: Solved | MathSolved | None = None

    def made(self, model: cp_model.CpModel) -> None:
        self.models.append(model)
        self._places[id(model)] = []

    def note(self, solved: Solved) -> None:
        """Records how a solve ended, and whether it continues the program's own search."""
        search = self.searches.of(solved.original)
        self.note_end(solved.verdict)
        last, ways = search and search.last, None
        # Computing the nodes of large models takes time. If there is an objective, no solution is excluded, and the
        # model may grow step by step.
        is_read = last is not None and (last.is_plain or len(last.places) == len(solved.places))
        if last is not None and is_read and last.nodes is not None and solved.nodes is not None:
            ways = excluded_by(last.nodes, solved.nodes, last.values if last.is_plain else None, self.until)
            self.expect_change(ways == [] and last.settings == solved.settings and solved.has_solution)
        self.searches.note(solved.original, solved, solved.verdict, ways)

    def places_of(self, model: cp_model.CpModel) -> list[Place]:
        return self._places.setdefault(id(model), [])

    def began(self, solved: Solved) -> None:
        """Records this as the last solve; only each solver's last solve is kept."""
        self.solved = [*(each for each in self.solved if each.solver is not solved.solver), solved]
        self.latest = solved

    def last_of(self, *named: object) -> Solved | MathSolved | None:
        """Returns the last solve of these solvers and models, or the last of all if none is named."""
        of = [each for each in named if isinstance(each, (cp_model.CpSolver, cp_model.CpModel))]
        if not of:
            return self.latest
        alike = (each for each in reversed(self.solved) if all(each.is_of(one) for one in of))
        return next(alike, None)


_current = Current(Run)
begin, the_run = _current.begin, _current.get


def listen() -> None:
    """Starts recording; called once, before any program runs."""
    cp_model.CpModel.__init__ = _init
    cp_model.CpModel.clone = _clone
    cpsat.forbid_files()
    cp_model.CpSolver.solve = solve
    for name, method in list(vars(cp_model.CpModel).items()):
        if name.lower().startswith(("add", "new")) and callable(method):
            setattr(cp_model.CpModel, name, _noting(method))
    cp_model.CpModel._add_bounded_linear_expression = _stated
    cp_model.CpModel.add_multiplication_equality = _noting(_product)
    cp_model.BoundedLinearExpression.__bool__ = _truth
    cp_model.BoundedLinearExpression.__eq__ = _is_same
    for name in "value boolean_value float_value Value BooleanValue".split():
        setattr(cp_model.CpSolver, name, _guarded(getattr(cp_model.CpSolver, name)))
    for name, single in SEVERAL.items():
        setattr(cp_model.CpSolver, name, _several(getattr(cp_model.CpSolver, single)))
    for name in ("objective_value", "ObjectiveValue"):
        read = vars(cp_model.CpSolver)[name]
        guarded = property(_guarded(read.__get__)) if isinstance(read, property) else _guarded(read)
        setattr(cp_model.CpSolver, name, guarded)
    for name in ("status_name", "StatusName"):
        setattr(cp_model.CpSolver, name, _status_name)
    for kind in (cp_model.IntVar, cp_model.Constraint, cp_model.IntervalVar):
        # In OR-Tools 9.15, this method lets the caller free a part of the model, which then points to other data.
        kind.Proto = lambda self: self.proto


def _status_name(self: cp_model.CpSolver, status: cpsat.Status | None = None) -> str:
    """Returns a status's name, by default the last solve's; that default fails in OR-Tools 9.15 itself."""
    return (self._checked_response.status if status is None else status).name


_model_init = cp_model.CpModel.__init__
_model_clone = cp_model.CpModel.clone


@functools.wraps(_model_init)
def _init(self: cp_model.CpModel, *arguments: object, **options: object) -> None:
    _model_init(self, *arguments, **options)
    the_run().made(self)


@functools.wraps(_model_clone)
def _clone(self: cp_model.CpModel) -> cp_model.CpModel:
    run = the_run()
    run.models.remove(self)
    clone = _model_clone(self)
    run.places_of(clone)[:] = run.places_of(self)
    return clone


_model_state = cp_model.CpModel._add_bounded_linear_expression


def _stated(self: cp_model.CpModel, stated: cp_model.BoundedLinearExpression) -> cp_model.Constraint:
    """Adds a false constraint for an empty sum with an empty domain; OR-Tools 9.15 adds one that always holds."""
    if not stated.vars and stated.bounds.is_empty():
        return self.add_bool_or([])
    return _model_state(self, stated)


# What to write for `and`, `or`, `not` and `if`.
LOGIC = "model.add(…).only_enforce_if(b), add_bool_or([b, c]) and add_bool_and([b, c]) of Boolean variables b and c"
_stated_truth = cp_model.BoundedLinearExpression.__bool__


def _truth(self: cp_model.BoundedLinearExpression) -> bool:
    # OR-Tools itself raises, except for equality or inequality of two variables.
    return truth.of_constraint(_stated_truth(self), not self.vars, True, lambda: str(self), LOGIC)


def _is_same(self: cp_model.BoundedLinearExpression, other: object) -> bool:
    """Whether two constraints are the same object, since OR-Tools can't state that two constraints are equivalent."""
    return truth.of_constraint(self is other, self is other, True, lambda: f"({self}) == ({other})", LOGIC)


_model_product = cp_model.CpModel.add_multiplication_equality


def _product(self: cp_model.CpModel, target: Any, *expressions: Any) -> cp_model.Constraint:  # noqa: ANN401
    """Adds a non-negative variable for a square: CP-SAT 9.15 hangs if an enforced square's target can be negative."""
    only = expressions[0] if len(expressions) == 1 else None
    factors = list(only) if isinstance(only, Iterable) else list(expressions)
    most = _most_of_square(factors)
    if most is None:
        return _model_product(self, target, factors)
    square = self.new_int_var(0, most, "")
    _model_product(self, square, factors)
    return self.add(target == square)


def _most_of_square(factors: Sequence[Any]) -> int | None:
    """An upper bound on the product if both factors are the same; None if they differ or the bound is too large."""
    if len(factors) != 2 or not all(isinstance(each, cp_model.LinearExpr) and each.is_integer() for each in factors):
        return None
    a, b = map(cp_model.FlatIntExpr, factors)
    if (list(a.coeffs), [each.index for each in a.vars], a.offset) != (
        list(b.coeffs),
        [each.index for each in b.vars],
        b.offset,
    ):
        return None
    # Copied to a list, since the message's own sequence returns a wrong element for a negative index.
    ranges = [list(each.proto.domain) for each in a.vars]
    ends = [[weight * values[0], weight * values[-1]] for weight, values in zip(a.coeffs, ranges)]
    offset = int(a.offset)
    most = max(abs(offset + sum(map(min, ends))), abs(offset + sum(map(max, ends))))
    return most * most if most * most < SQUARE_MOST else None


def _noting(method: Callable[..., Any]) -> Callable[..., Any]:
    """Records the positions of the constraints added by this method."""

    @functools.wraps(method)
    def noting(self: cp_model.CpModel, *arguments: object, **options: object) -> object:
        result = method(self, *arguments, **options)
        places, count = the_run().places_of(self), len(self.proto.constraints)
        if len(places) < count:
            place = program.stating()
            the_run().note_added(place)
            places += [place] * (count - len(places))
        return result

    return noting


def _guarded(read: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(read)
    def guarded(self: cp_model.CpSolver, *arguments: object) -> object:
        last = the_run().last_of(self)
        if isinstance(last, Solved) and not last.has_solution:
            raise NoSolution(f"there are no values to read: solve() gave {STATUSES.get(last.status)}")
        return read(self, *arguments)

    return guarded


class Values(dict[Any, Any]):
    """Values by variable.

    Iterating yields the values, as with the pandas Series that OR-Tools returns, which can evaluate strings.
    """

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values())


def _several(read: Callable[..., Any]) -> Callable[..., Values]:
    def several(self: cp_model.CpSolver, variables: Iterable[object]) -> Values:
        return Values((each, read(self, each)) for each in variables)

    return several


def solve(
    self: cp_model.CpSolver, model: cp_model.CpModel, solution_callback: cp_model.CpSolverSolutionCallback | None = None
) -> cpsat.Status:
    """Replaces `CpSolver.solve` and records the solve."""
    run = the_run()
    proto.refuse(model.proto)
    solved = Solved(model, self, run.places_of(model))
    begun = time.monotonic()
    callback = solution_callback
    lists_all = self.parameters.enumerate_all_solutions
    if callback is None and (model.proto.has_objective() or model.proto.has_floating_point_objective()):
        callback = cpsat.Teller(run.news, solved.bound_of)
    run.began(solved)
    until = run.solving_until - cpsat.SECONDS_A_CONSTRAINT * len(solved.places)
    solved.status = cpsat.solve(self, solved.model, until, callback)
    # A callback may have solved other models in the meantime.
    run.began(solved)
    solved.is_over = True
    solved.seconds = time.monotonic() - begun
    solved.is_cut = cpsat.is_cut(begun, until)
    if solved.has_solution:
        solved.values = list(self.response_proto.solution)
        solved.bound = solved.bound_of(self.response_proto)
    run.note(solved)
    # A callback that stops the search does so at a solution that it accepts.
    if solution_callback is not None and lists_all and solved.status == cp_model.OPTIMAL:
        run.searches.note_list(solved)
    if solved.status == cp_model.MODEL_INVALID:
        solved.fault = solved.model.validate() or self.solution_info()
    return solved.status
