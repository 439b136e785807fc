"""Records what a program builds and solves with MathOpt, and keeps every solve within its limits."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ortools.math_opt.python import mathopt

from verdict_runner.evidence.linear.duality import Basis
from verdict_runner.evidence.linear.model import TOLERANCE, Bound, Linear, Row, bound, exact
from verdict_runner.languages import hints, truth
from verdict_runner.languages.cp import cpsat
from verdict_runner.languages.ortools import watch
from verdict_runner.languages.ortools.mathopt.bases import Proto, basis_of, solved_message
from verdict_runner.languages.ortools.mathopt.excluded import excluded_by
from verdict_runner.languages.why import Place
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program

# The names of the available solvers.
SOLVERS = {
    mathopt.SolverType.HIGHS: "HiGHS",
    mathopt.SolverType.GSCIP: "SCIP",
    mathopt.SolverType.GLOP: "GLOP",
    mathopt.SolverType.PDLP: "PDLP",
    mathopt.SolverType.CP_SAT: "CP-SAT (MathOpt)",
}
# The solver used for models that the program does not solve itself.
DEFAULT = mathopt.SolverType.HIGHS
# What to write for `and`, `or`, `not` and `if`.
LOGIC = "linear constraints with binary variables, such as x - y <= 100 * b"
NO_PARAMETERS = mathopt.SolveParameters()
# The solvers that start from a given solution.
STARTING = (mathopt.SolverType.HIGHS, mathopt.SolverType.GSCIP, mathopt.SolverType.CP_SAT)
LINEAR_ONLY = (mathopt.SolverType.GLOP, mathopt.SolverType.PDLP)
# Solver-specific parameters, which are rejected: some name files, others loosen the criterion for optimality.
OF_ONE_SOLVER = ("gscip", "gurobi", "glop", "cp_sat", "pdlp", "osqp", "glpk", "highs")
# The MathOpt names visible to programs; their `solve` is the function in this module.
SHOWN = """
    Model Variable LinearConstraint LinearExpression LinearSum LinearTerm Objective SolverType SolveParameters
    ModelSolveParameters SolutionHint LPAlgorithm Emphasis VariableFilter LinearConstraintFilter TerminationReason
    Termination SolveResult SolveStats FeasibilityStatus ProblemStatus ObjectiveBounds Limit Solution PrimalSolution
    DualSolution SolutionStatus Basis BasisStatus PrimalRay DualRay fast_sum evaluate_expression
    as_flat_linear_expression BoundedLinearExpression VarEqVar
""".split()


class Solved:
    """One solve: a snapshot of the model, and the result."""

    def __init__(self, model: mathopt.Model, kind: mathopt.SolverType, places: Mapping[int, Place]) -> None:
        self.kind = kind
        self.engine = SOLVERS[kind]
        self.proto = model.export_model()
        self.linear, self.ids, self.names = _linear(self.proto)
        self.places = [places.get(each) for each in self.proto.linear_constraints.ids]
        self.reason = mathopt.TerminationReason.NO_SOLUTION_FOUND
        self.detail = ""
        self.seconds = 0.0
        # One value for each of the model's variables, in order.
        self.values: list[Fraction] | None = None
        # The solver's final basis, for an LP.
        self.basis: Basis | None = None
        self.bound: float | None = None
        self.is_cut = False
        self.verdict = "unknown"

    def value_of(self, variable: mathopt.Variable) -> Fraction:
        index = self.ids.get(variable.id)
        if index is None or self.values is None or self.names[index] != variable.name:
            raise Refused(
                f"The variable {variable.name or variable.id} does not belong to the model that was solved.",
                ["export variables of the model that was solved last"],
            )
        return self.values[index]


def names() -> dict[str, object]:
    """Returns the part of MathOpt that is visible to programs."""
    shown = {name: getattr(mathopt, name) for name in SHOWN if hasattr(mathopt, name)}
    return {**shown, "solve": solve, "IncrementalSolver": _closed("IncrementalSolver"), **_MORE}


def _closed(name: str) -> Callable[..., object]:
    def refuse(*_: object, **__: object) -> object:
        raise Refused(
            f"mathopt.{name} is not available to programs.", ["call mathopt.solve(model, mathopt.SolverType.HIGHS)"]
        )

    return refuse


_MORE = {"compute_infeasible_subsystem": _closed("compute_infeasible_subsystem")}


def listen() -> None:
    """Starts recording; called once, before any program runs."""
    mathopt.Model.__init__ = _made(mathopt.Model.__init__)
    mathopt.Model.add_linear_constraint = _placed(mathopt.Model.add_linear_constraint)
    mathopt.VarEqVar.__bool__ = _truth(mathopt.VarEqVar.__bool__)


def _made(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def made(self: mathopt.Model, *arguments: object, **options: object) -> None:
        init(self, *arguments, **options)
        watch.the_run().math_models.append((self, {}))

    return made


def _truth(original: Callable[[mathopt.VarEqVar], bool]) -> Callable[[mathopt.VarEqVar], bool]:
    @functools.wraps(original)
    def truth_of(self: mathopt.VarEqVar) -> bool:
        told = original(self)
        return truth.of_constraint(told, told, True, lambda: str(self), LOGIC)

    return truth_of


def _placed(add: Callable[..., Any]) -> Callable[..., Any]:
    """Records the position of each constraint."""

    @functools.wraps(add)
    def adding(self: mathopt.Model, *arguments: object, **options: object) -> object:
        element = add(self, *arguments, **options)
        place = program.stating()
        watch.the_run().note_added(place)
        _places_of(self)[element.id] = place and place._replace(case=element.name or place.case)
        return element

    return adding


def _places_of(model: mathopt.Model) -> dict[int, Place]:
    return next((places for each, places in watch.the_run().math_models if each is model), {})


_solve = mathopt.solve


def solve(
    opt_model: mathopt.Model,
    solver_type: mathopt.SolverType,
    *,
    params: mathopt.SolveParameters | None = None,
    model_params: mathopt.ModelSolveParameters | None = None,
    msg_cb: Callable[[Sequence[str]], None] | None = None,
    **others: object,
) -> mathopt.SolveResult:
    """Replaces `mathopt.solve`: records the solve and limits its time."""
    if solver_type not in SOLVERS:
        raise Refused(
            f"The solver {getattr(solver_type, 'name', solver_type)} of MathOpt is not installed here.",
            [f"use one of: {', '.join(f'mathopt.SolverType.{each.name}' for each in SOLVERS)}"],
        )
    if names := [name for name, value in others.items() if value is not None and name != "remove_names"]:
        raise Refused(f"mathopt.solve does not take {', '.join(names)} here.", ["leave it out"])
    return noted(opt_model, solver_type, params or NO_PARAMETERS, model_params=model_params, msg_cb=msg_cb)[1]


def noted(
    model: mathopt.Model, kind: mathopt.SolverType, params: mathopt.SolveParameters, **options: object
) -> tuple[Solved, mathopt.SolveResult]:
    """Solves and records; returns the record and MathOpt's result."""
    run = watch.the_run()
    solved = Solved(model, kind, _places_of(model))
    _refuse_unfit(solved)
    _refuse_filter(options.get("model_params"))
    options["model_params"] = _starting(model, kind, options.get("model_params"))
    begun = time.monotonic()
    until = run.solving_until - cpsat.SECONDS_A_CONSTRAINT * len(solved.linear.rows)
    run.latest = solved
    try:
        result = _solve(model, kind, params=_within(params, solved, until - begun), **options)
    except AttributeError as error:
        # MathOpt's own error handling fails in this version.
        raise Refused(
            f"{solved.engine} refuses the model: {str(error.__context__ or error)[:300]}.",
            ["use mathopt.SolverType.HIGHS", "check the bounds and coefficients named in the message"],
        ) from None
    solved.seconds = time.monotonic() - begun
    solved.is_cut = cpsat.is_cut(begun, until)
    _note(solved, result)
    _note_search(model, solved)
    return solved, result


def _within(parameters: mathopt.SolveParameters, solved: Solved, seconds: float) -> mathopt.SolveParameters:
    """Returns the author's parameters with one thread, the job's time limit, and no gap unless the author allows it."""
    if odd := [name for name in OF_ONE_SOLVER if getattr(parameters, name) != getattr(NO_PARAMETERS, name)]:
        raise Refused(
            f"Parameters of a single solver are not supported: {', '.join(odd)}.",
            ["use the fields that all solvers share: time_limit, relative_gap_tolerance, presolve, cuts, random_seed"],
        )
    limit = parameters.time_limit.total_seconds() if parameters.time_limit is not None else seconds
    has_whole = any(is_whole for _, _, is_whole in solved.linear.variables)
    # By default, solvers report a value as optimal if it is within a ten-thousandth of the bound.
    gap = 0.0 if parameters.relative_gap_tolerance is None and has_whole else parameters.relative_gap_tolerance
    return dataclasses.replace(
        parameters,
        time_limit=datetime.timedelta(seconds=max(0.01, min(limit, seconds))),
        relative_gap_tolerance=gap,
        # HiGHS does not accept a thread count.
        threads=None if solved.kind is mathopt.SolverType.HIGHS else 1,
        enable_output=False,
    )


def _starting(model: mathopt.Model, kind: mathopt.SolverType, parameters: object) -> object:
    """Returns the author's parameters; if there are none, the model's last solution as a starting point."""
    start = hints.by_name(watch.the_run().hint)
    if parameters is not None or kind not in STARTING or not start:
        return parameters
    known = {each: float(start[each.name]) for each in model.variables() if each.name in start}
    fitting = {each: value for each, value in known.items() if each.lower_bound <= value <= each.upper_bound}
    return mathopt.ModelSolveParameters(solution_hints=[mathopt.SolutionHint(variable_values=fitting)])


def _refuse_unfit(solved: Solved) -> None:
    wholes = [is_whole for _, _, is_whole in solved.linear.variables]
    if solved.kind is mathopt.SolverType.CP_SAT and not all(wholes):
        raise Refused(
            "MathOpt's CP_SAT rounds continuous variables, and then reports wrong values as optimal.",
            ["use mathopt.SolverType.HIGHS or GSCIP", "or make all variables integers"],
        )
    if solved.kind in LINEAR_ONLY and any(wholes):
        raise Refused(
            f"{solved.engine} solves only linear models without integer variables.",
            ["use mathopt.SolverType.HIGHS or GSCIP"],
        )


def _refuse_filter(parameters: object) -> None:
    """Rejects filters that omit variables from the result; omitted variables would be read as 0."""
    if (
        isinstance(parameters, mathopt.ModelSolveParameters)
        and parameters.to_proto().variable_values_filter.filter_by_ids
    ):
        raise Refused(
            "With variable_values_filter, a solver omits variables from its result, so the values can't be checked.",
            ["remove the filter, and name the values to show: export_solution({'x': x})"],
        )


def _note(solved: Solved, result: mathopt.SolveResult) -> None:
    solved.reason, solved.detail = result.termination.reason, str(result.termination.detail)
    bound_of = result.termination.objective_bounds.dual_bound
    solved.bound = bound_of if bound_of not in (float("inf"), float("-inf")) else None
    first = result.solutions[0].primal_solution if result.solutions else None
    is_sat = solved.reason in (mathopt.TerminationReason.OPTIMAL, mathopt.TerminationReason.FEASIBLE)
    is_unsat = solved.reason is mathopt.TerminationReason.INFEASIBLE
    solved.verdict = "sat" if is_sat and first else "unsat" if is_unsat else "timeout" if solved.is_cut else "unknown"
    watch.the_run().note_end(solved.verdict)
    if not is_sat or first is None:
        return
    solved.basis = basis_of(result.solutions[0], [*solved.ids], solved.proto.linear_constraints.ids)
    numbers = {each.id: number for each, number in first.variable_values.items()}
    values = [numbers.get(each, 0.0) for each in solved.ids]
    if all(abs(each) < float("inf") for each in values):
        whole = [is_whole for _, _, is_whole in solved.linear.variables]
        solved.values = [_rounded(value) if is_whole else exact(value) for value, is_whole in zip(values, whole)]


def _note_search(model: mathopt.Model, solved: Solved) -> None:
    """Records whether a solve continues the program's own search."""
    run = watch.the_run()
    search = run.searches.of(model)
    ways = search and excluded_by(search.last.linear, solved.linear, search.last.values)
    run.expect_change(ways == [] and solved.verdict == "sat")
    run.searches.note(model, solved, solved.verdict, ways)


def _rounded(value: float) -> Fraction:
    """Rounds an integer returned by a solver: 0.9999999 becomes 1."""
    return Fraction(round(value)) if abs(value - round(value)) <= TOLERANCE else exact(value)


def has_conflict(solved: Solved, rows: frozenset[int], until: float) -> bool:
    """Whether a solver reports in time that these rows have no common solution."""
    part = type(solved.proto)()
    part.CopyFrom(solved.proto)
    part.ClearField("objective")
    for index in range(len(solved.linear.rows)):
        if index not in rows:
            part.linear_constraints.lower_bounds[index] = float("-inf")
            part.linear_constraints.upper_bounds[index] = float("inf")
    left = until - time.monotonic()
    if left <= 0.01:
        return False
    result = solved_message(part, mathopt.SolverType.HIGHS, left)
    return result.termination.reason == mathopt.TerminationReason.INFEASIBLE.value


# ---- The model in fractions.


def _linear(proto: Proto) -> tuple[Linear, dict[int, int], list[str]]:
    """Returns the model, each variable's index by its id, and the names."""
    _refuse_nonlinear(proto)
    variables, rows = proto.variables, proto.linear_constraints
    ids = {each: index for index, each in enumerate(variables.ids)}
    terms: dict[int, dict[int, Fraction]] = {each: {} for each in rows.ids}
    matrix = proto.linear_constraint_matrix
    for row, column, weight in zip(matrix.row_ids, matrix.column_ids, matrix.coefficients):
        terms[row][ids[column]] = exact(weight)
    weights = proto.objective.linear_coefficients
    objective = {ids[each]: exact(weight) for each, weight in zip(weights.ids, weights.values)}
    linear = Linear(
        [*zip(_bounds(variables.lower_bounds), _bounds(variables.upper_bounds), map(bool, variables.integers))],
        [
            Row(lower, upper, terms[each])
            for each, lower, upper in zip(rows.ids, _bounds(rows.lower_bounds), _bounds(rows.upper_bounds))
        ],
        objective or None,
        exact(proto.objective.offset),
        not proto.objective.maximize,
    )
    return linear, ids, list(variables.names) or [""] * len(ids)


def _bounds(numbers: Sequence[float]) -> list[Bound]:
    return [bound(each) for each in numbers]


def _refuse_nonlinear(proto: Proto) -> None:
    others = {
        "a quadratic objective": proto.objective.quadratic_coefficients.row_ids,
        "quadratic constraints": proto.quadratic_constraints,
        "second-order cones": proto.second_order_cone_constraints,
        "SOS constraints": [*proto.sos1_constraints, *proto.sos2_constraints],
        "indicator constraints": proto.indicator_constraints,
        "several objectives": proto.auxiliary_objectives,
    }
    instead = {
        "a quadratic objective": "write products in cp_model (integers), or the objective piecewise: one linear bound for each tangent",
        "several objectives": "solve for the first one, add a constraint that keeps its value, and solve for the next one",
    }
    if kinds := [what for what, parts in others.items() if len(parts)]:
        raise Refused(
            f"MathOpt solves only linear models here; this one has {', '.join(kinds)}.",
            [instead[what] for what in dict.fromkeys(kinds) if what in instead]
            or [
                "write an indicator as x <= bound * b",
                "use cp_model (whole numbers) for products, or the language z3",
            ],
        )
