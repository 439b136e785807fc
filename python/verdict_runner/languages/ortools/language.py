"""The language `ortools`: items are OR-Tools' Python for CP-SAT or MathOpt, as everybody writes it."""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.metadata import version

from ortools.math_opt.python import mathopt
from ortools.sat.python import cp_model

from verdict_runner.languages.answer import Answer, ItemLine, RecheckRequest
from verdict_runner.languages.cp import asked, confirm, cpsat
from verdict_runner.languages.cp.bare import warn_of_bare
from verdict_runner.languages.cp.conflict import conflict
from verdict_runner.languages.cp.form import Form
from verdict_runner.languages.cp.meaning import Node, Unknown
from verdict_runner.languages.cp.why import probe, why_question
from verdict_runner.languages.ortools import proto, watch
from verdict_runner.languages.ortools.mathopt import confirm as math_confirm
from verdict_runner.languages.ortools.mathopt import tell as math_tell
from verdict_runner.languages.ortools.mathopt import watch as math_watch
from verdict_runner.languages.ortools.profile import PROFILE
from verdict_runner.languages.ortools.watch import NoSolution, Place, Solved
from verdict_runner.languages.questions.ask import expect_objective
from verdict_runner.languages.questions.shape import Shape
from verdict_runner.languages.why import ProbeRequest
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import bases, classes, program

EVENTS = ()
# One child for a program, one for the check of what it says.
SPARES = 2
# A conflict is looked for as long as solving took, and so long at least.
CONFLICT_SECONDS_MIN = 2.0
# Shown without a name of their own, variables would say nothing.
VALUES_MAX = 20_000


def versions() -> dict[str, str]:
    return {"ortools": version("ortools")}


def warm() -> None:
    """Begins to note down what is built and solved; jobs are forked afterwards."""
    watch.listen()
    math_watch.listen()
    printers = ("ObjectiveSolutionPrinter", "VarArraySolutionPrinter", "VarArrayAndObjectiveSolutionPrinter")
    bases.allow(cp_model.CpSolverSolutionCallback, *(getattr(cp_model, name) for name in printers))
    classes.never_copied([cp_model.CpSolver])


def rehearse() -> None:
    """Nothing to do ahead: CP-SAT starts in no time."""


def modules() -> dict[str, Mapping[str, object]]:
    return {"ortools.math_opt.python.mathopt": math_watch.names()}


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    """Runs the items of a model and gives what was decided; without items, checks what was."""
    run = watch.begin(task)
    if not task.items:
        wanted = ProbeRequest.read(task.request or {})
        if wanted is not None:
            return probe(wanted, task.until).data()
        if run.question is not None:
            return asked.answer(task, run.question)
        request = RecheckRequest.read(task.request or {})
        recheck = math_confirm.recheck if "linear" in request.evidence else confirm.recheck
        return recheck(request, task.until).data()
    present = {"cp_model": known["ortools.sat.python.cp_model"], "export_solution": export_solution}
    try:
        program.run(task.items, present, known, PROFILE, run.warn)
    except program.ItemError as stopped:
        if not isinstance(stopped.error, NoSolution):
            raise
        item, line = stopped.where
        run.warn(f"item {item}, line {line}: {stopped.error}, so the program ended there; look at the status first.")
    warn_of_bare(task.items, "model.add(…)", run.warn)
    options = Fields(dict(task.request or {}))
    if run.latest is not None and "solutions" in options:
        run.warn(
            "The program solves its model itself, so all_solutions and max_solutions were not used: "
            "leave solver.solve(model) out."
        )
    answer = run.answer if run.answer and run.exports else _conclude(options)
    return {
        **answer.data(),
        "warnings": run.warnings,
        "evidence": run.handed_over(),
        "space": run.asked_about(),
        "why_question": run.why_question_handed_over(),
    }


# ---- The answer.


# What a program can name as that which was solved.
SOLVED = (cp_model.CpSolver, cp_model.CpModel, mathopt.Model)


def export_solution(
    *given: object,
    variables: object = None,
    solver: object = None,
    objective: object = None,
    data: object = None,
    **others: object,
) -> dict[str, Json]:
    """Makes the last solve, or that of this solver, the answer, with these values by name, and gives it back.

    A value is a variable or an expression of the model, or lists and dictionaries of these; anything else is shown as it is.
    The solver or the model can also stand before them.
    """
    run = watch.the_run()
    of = [each for each in (*given, solver) if isinstance(each, SOLVED)]
    shown = [each for each in (*given, variables, data) if each is not None and not isinstance(each, SOLVED)]
    if len(shown) > 1:
        raise Refused(
            "export_solution takes one dictionary of values by name, and got more.",
            ["write export_solution({'x': x, 'y': y})"],
        )
    named = values.taken(shown[0]) if shown else None
    if named is not None and not isinstance(named, dict):
        raise Refused(
            f"export_solution requires a dictionary of values by name, but got a value of type {type(named).__name__}.",
            ["write export_solution({'x': x, 'total': sum(xs)})"],
        )
    solved = run.last_of(*of)
    if solved is None:
        raise Refused(
            "export_solution was called, but nothing was solved.",
            ["call solver.solve(model) before", "or leave export_solution out: the one model is then solved"],
        )
    run.exports += 1
    wanted = {**(named or {}), **values.taken(others)} or None
    run.answer = math_tell.answer(solved, wanted) if isinstance(solved, math_watch.Solved) else _answer(solved, wanted)
    return copy.deepcopy(run.answer.as_json())


def _conclude(options: Fields) -> Answer:
    """The last solve of the program; without one, its only model is solved here."""
    run = watch.the_run()
    if isinstance(run.latest, math_watch.Solved):
        return math_tell.answer(run.latest, None)
    if run.solved:
        return _answer(run.solved[-1], None)
    if len(run.math_models) == 1 and not run.models:
        return _of_mathopt(options)
    if len(run.models) != 1:
        raise Refused(
            f"The program made {len(run.models) + len(run.math_models)} models (CpModel, mathopt.Model) and solved none.",
            [
                "write model = cp_model.CpModel() and add variables and constraints to it",
                "solver.solve(model) says which model is meant",
            ],
        )
    has_objective = run.models[0].has_objective() or run.models[0].proto.has_floating_point_objective()
    expect_objective(run.question, has_objective)
    solver = cp_model.CpSolver()
    limit = options.whole("solutions") if "solutions" in options else 1
    if limit == 1:
        solver.solve(run.models[0])
        return _answer(run.solved[-1], None)
    return _all_solutions(solver, run.models[0], limit)


def _of_mathopt(options: Fields) -> Answer:
    if "solutions" in options:
        raise Refused(
            "All solutions are not listed for a model of MathOpt: reals have infinitely many.",
            ["leave all_solutions and max_solutions out", "or write the model with cp_model, in whole numbers"],
        )
    model, _ = watch.the_run().math_models[0]
    solved, _ = math_watch.noted(model, math_watch.DEFAULT, math_watch.NO_PARAMETERS)
    return math_tell.answer(solved, None)


def _all_solutions(solver: cp_model.CpSolver, model: cp_model.CpModel, limit: int) -> Answer:
    if model.proto.has_objective() or model.proto.has_floating_point_objective():
        raise Refused(
            "All solutions are not listed for a model with an objective.",
            ["leave all_solutions and max_solutions out", "or replace the objective by a constraint on its value"],
        )
    run = watch.the_run()
    found: list[list[int]] = []
    count = len(model.proto.variables)

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.append([self.value(model.get_int_var_from_proto_index(i)) for i in range(count)])
            if len(found) >= limit:
                self.stop_search()

    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, Collect())
    solved = run.solved[-1]
    is_whole = solved.status == cp_model.OPTIMAL and len(found) < limit
    if not found:
        return _answer(solved, None)
    answer = _answer(solved, None, found, is_whole)
    if not is_whole:
        run.warn(f"The search stopped at {len(found)} solutions: there may be more.")
    return answer


def _answer(
    solved: Solved,
    variables: Mapping[str, object] | None,
    found: Sequence[list[int]] = (),
    are_all: bool = False,
) -> Answer:
    """What a solve decided, with these values, or with all variables that have names."""
    run = watch.the_run()
    answer = Answer("unknown", statistics=_statistics(solved), engine="CP-SAT")
    if solved.status == cp_model.MODEL_INVALID:
        raise Refused(
            f"CP-SAT refuses the model: {solved.fault[:500] or 'no reason given'}.",
            ["give variables narrower domains", "look at the constraint that is named"],
        )
    if solved.status == cp_model.UNKNOWN:
        answer.status, answer.reason = ("timeout", "time") if solved.is_cut else ("unknown", _why_unknown(solved))
        run.evidence = None
        return answer
    if solved.status == cp_model.INFEASIBLE:
        answer.status, answer.distrusted = "unsat", solved.distrusted
        if len(solved.proto.assumptions):
            answer.under = "the assumptions of the model (add_assumptions)"
        kept = _conflict(solved)
        answer.unsat_items = _lines(solved, kept)
        run.evidence = lambda: _evidence(solved, [], False, kept)
        run.why_question = lambda: why_question(_evidence(solved, [], False, []), _places(solved), run.items)
        return answer
    answer.status = "sat"
    if len(solved.proto.assumptions):
        run.warn(
            "This answer holds under the assumptions of the model (add_assumptions), also that values are optimal."
        )
    solutions = list(found) or [solved.values]
    answer.model = _shown(solved, variables, solutions[-1])
    answer.unchecked = [] if variables is None else [name for name, each in variables.items() if not _is_of_model(each)]
    if found:
        answer.solutions = [_shown(solved, None, each) or {} for each in found]
    answer.distrusted = solved.distrusted
    _add_objective(answer, solved)
    run.evidence = lambda: _evidence(solved, solutions, are_all, [])
    run.space = lambda: _space(solved, variables)
    run.why_question = lambda: why_question(_evidence(solved, [solved.values], False, []), _places(solved), run.items)
    return answer


def _add_objective(answer: Answer, solved: Solved) -> None:
    try:
        objective = proto.objective(solved.proto)
    except Unknown:
        answer.objective_value, answer.optimal = values.real(solved.solver.objective_value), False
        return
    if objective is None:
        return
    _, weights, nodes, offset = objective.node
    total = offset
    for weight, node in zip(weights, nodes):
        at = node[1][1] if node[0] == "neg" else node[1]
        total += weight * solved.values[at] * (-1 if node[0] == "neg" else 1)
    answer.objective_value = values.rational(Fraction(total, objective.scale))
    answer.optimal = solved.status == cp_model.OPTIMAL
    if not answer.optimal:
        watch.the_run().warn(
            "The search ended at a limit before this was proved to be optimal: other values can be better."
        )
    if not answer.optimal and solved.bound is not None:
        answer.objective_bound = round(solved.bound, 6)


def _is_of_model(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_is_of_model, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(_is_of_model, value))
    return isinstance(value, (cp_model.LinearExpr, str)) and not isinstance(value, cp_model.FlatFloatExpr)


def _shown(solved: Solved, variables: Mapping[str, object] | None, numbers: Sequence[int]) -> dict[str, Json] | None:
    """The values of expressions by name; without any, those of all variables that have names."""
    if variables is not None:
        return values.object_of(values.named(variables, str), lambda each: _read(solved, each))
    shown: dict[str, Json] = {}
    for index, each in enumerate(solved.proto.variables):
        if each.name and len(shown) < VALUES_MAX:
            name = each.name if each.name not in shown else f"{each.name}#{index}"
            shown[name] = values.number(numbers[index])
    if not shown:
        watch.the_run().warn("No variable has a name, so no values are shown; name them, or call export_solution({…}).")
    return shown or None


def _read(solved: Solved, value: object) -> Json:
    """The value of an expression at the solution that was found; what the solver says later can be the program's."""
    if not isinstance(value, cp_model.LinearExpr):
        return str(value)
    flat = cp_model.FlatIntExpr(value) if value.is_integer() else cp_model.FlatFloatExpr(value)
    for each in flat.vars:
        _require_own(solved, each)
    parts = (_exact(weight) * solved.values[each.index] for weight, each in zip(flat.coeffs, flat.vars))
    return values.rational(sum(parts, _exact(flat.offset)))


def _exact(number: float) -> Fraction:
    """A number as its author wrote it."""
    return Fraction(repr(number))


def _require_own(solved: Solved, variable: cp_model.IntVar) -> None:
    """Refuses a variable of another model: CP-SAT would give it the value of the variable with the same index."""
    if variable.model_proto is solved.original:
        return
    index, known = variable.index, solved.proto.variables
    # The variables of a clone are those of its original.
    if (
        index >= len(known)
        or known[index].name != variable.name
        or list(known[index].domain) != list(variable.proto.domain)
    ):
        raise Refused(
            f"The variable {variable.name or index} belongs to another model than the one that was solved.",
            ["export variables of the solved model only", "or name its solver: export_solution({…}, solver=solver)"],
        )


def _statistics(solved: Solved) -> dict[str, Json]:
    solver = solved.solver
    return {
        "seconds": round(solved.seconds, 3),
        "conflicts": solver.num_conflicts,
        "branches": solver.num_branches,
        "cp_sat_status": watch.STATUSES.get(solved.status, str(solved.status)),
    }


def _why_unknown(solved: Solved) -> str:
    return "CP-SAT stopped at a limit that the program set, before it found a solution or a proof"


# ---- What conflicts.


def _conflict(solved: Solved) -> list[int]:
    """Indices of constraints that conflict; all of them where the time was too short for fewer."""
    run = watch.the_run()
    lines: dict[Place, list[int]] = {}
    always = []
    for index, place in enumerate(_places(solved)):
        if place is None:
            always.append(index)
        else:
            lines.setdefault(place, []).append(index)

    def constraints_of(places: Sequence[Place]) -> set[int]:
        kept = {*always, *(index for place in places for index in lines[place])}
        return kept | proto.intervals_of(solved.proto, kept)

    now = time.monotonic()
    until = min(run.solving_until, now + max(CONFLICT_SECONDS_MIN, solved.seconds))

    def is_unsat(places: Sequence[Place]) -> bool:
        kept = constraints_of(places)
        part = cpsat.copy_of(solved.model)
        part.proto.clear_objective()
        part.proto.clear_floating_point_objective()
        for index, each in enumerate(part.proto.constraints):
            if index not in kept:
                each.copy_from(type(each)())
        # What CP-SAT says of doubtful constraints alone shows no conflict.
        is_believed = proto.distrusted(part.proto) is None
        return is_believed and cpsat.solve(cp_model.CpSolver(), part, until) == cp_model.INFEASIBLE

    return sorted(constraints_of(conflict(list(lines), is_unsat, until)))


def _lines(solved: Solved, kept: Sequence[int]) -> list[ItemLine]:
    places = _places(solved)
    found = {places[index]: None for index in kept}
    items = watch.the_run().items
    lines = [(each, items[each[0]].splitlines()) for each in sorted(each for each in found if each)]
    return [ItemLine(item, line, text[line - 1].strip() if line <= len(text) else "") for (item, line), text in lines]


def _places(solved: Solved) -> list[Place]:
    """The line of each constraint; an interval that only names a start and a size has none."""
    places = [*solved.places, *[None] * len(solved.proto.constraints)]
    return [
        None if each.has_interval() and not proto.constrains(each.interval) else place
        for each, place in zip(solved.proto.constraints, places)
    ]


# ---- What the answer rests on.


def _space(solved: Solved, variables: Mapping[str, object] | None) -> Mapping[str, object]:
    """The model and the values that the answer names, for a question about all solutions."""
    leaves: list[tuple[Node, bool]] = []
    if len(solved.proto.assumptions):
        watch.the_run().warn("The question is about the model under its assumptions (add_assumptions).")

    def place(value: object) -> int | None:
        if not isinstance(value, cp_model.LinearExpr) or isinstance(value, cp_model.FlatFloatExpr):
            return None
        if not value.is_integer():
            return None
        flat = cp_model.FlatIntExpr(value)
        if not flat.vars:
            return None
        leaves.append(
            (["linear", list(flat.coeffs), [["v", each.index] for each in flat.vars], int(flat.offset)], False)
        )
        return len(leaves) - 1

    shape = Shape({}, []) if variables is None else Shape.of(values.named(variables, str), place)
    if not shape.named:
        others = Shape.of(_named_variables(solved), lambda index: _leaf(leaves, index))
        shape = Shape(others.named, [*shape.left_out, *others.left_out])
    return asked.handed_over(lambda: dict(_evidence(solved, [solved.values], False, [])), leaves, shape)


class _Index:
    """The number of a variable, which is no value."""

    def __init__(self, number: int) -> None:
        self.number = number


def _leaf(leaves: list[tuple[Node, bool]], index: object) -> int | None:
    if not isinstance(index, _Index):
        return None
    leaves.append((["v", index.number], False))
    return len(leaves) - 1


def _named_variables(solved: Solved) -> dict[str, _Index]:
    """The variables that have names, under the names that the answer shows them by."""
    named: dict[str, _Index] = {}
    for index, each in enumerate(solved.proto.variables):
        if each.name and len(named) < VALUES_MAX:
            named[each.name if each.name not in named else f"{each.name}#{index}"] = _Index(index)
    return named


def _evidence(
    solved: Solved, solutions: Sequence[Sequence[int]], are_all: bool, core: Sequence[int]
) -> Mapping[str, object]:
    try:
        objective = proto.objective(solved.proto)
        nodes = proto.constraints(solved.proto)
    except Unknown as unknown:
        return {"open": f"it has {unknown}, which the second check does not know"}
    assumed = [["v", each] if each >= 0 else ["not", ["v", ~each]] for each in solved.proto.assumptions]
    count = len(nodes)
    form = Form(
        proto.domains(solved.proto),
        [*nodes, *assumed],
        objective and objective.node,
        objective is None or objective.is_least,
        solutions,
        are_all,
        objective is not None and solved.status == cp_model.OPTIMAL,
        [*core, *range(count, count + len(assumed))] if core else [],
        solved.seconds,
    )
    return form.evidence()
