"""The language `ortools`: items are OR-Tools' Python for CP-SAT, as everybody writes it."""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.metadata import version

from ortools.sat.python import cp_model

from verdict_runner.languages.answer import Answer, ItemLine, RecheckRequest
from verdict_runner.languages.cp import confirm, cpsat
from verdict_runner.languages.cp.bare import warn_of_bare
from verdict_runner.languages.cp.conflict import conflict
from verdict_runner.languages.cp.form import Form
from verdict_runner.languages.cp.meaning import Unknown
from verdict_runner.languages.ortools import proto, watch
from verdict_runner.languages.ortools.profile import PROFILE
from verdict_runner.languages.ortools.watch import NoSolution, Place, Solved
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
    printers = ("ObjectiveSolutionPrinter", "VarArraySolutionPrinter", "VarArrayAndObjectiveSolutionPrinter")
    bases.allow(cp_model.CpSolverSolutionCallback, *(getattr(cp_model, name) for name in printers))
    classes.never_copied([cp_model.CpSolver])


def rehearse() -> None:
    """Nothing to do ahead: CP-SAT starts in no time."""


def modules() -> dict[str, Mapping[str, object]]:
    return {}


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    """Runs the items of a model and gives what was decided; without items, checks what was."""
    run = watch.begin(task)
    if not task.items:
        return confirm.recheck(RecheckRequest.read(task.request or {}), task.until).data()
    present = {"cp_model": known["ortools.sat.python.cp_model"], "export_solution": export_solution}
    try:
        program.run(task.items, present, known, PROFILE, run.warn)
    except program.ItemError as stopped:
        if not isinstance(stopped.error, NoSolution):
            raise
        item, line = stopped.where
        run.warn(f"item {item}, line {line}: {stopped.error}, so the program ended there; look at the status first.")
    warn_of_bare(task.items, "model.add(…)", run.warn)
    answer = run.answer if run.answer and run.exports else _conclude(Fields(dict(task.request or {})))
    return {**answer.data(), "warnings": run.warnings, "evidence": run.handed_over()}


# ---- The answer.


def export_solution(
    variables: object = None, solver: object = None, objective: object = None, data: object = None, **others: object
) -> dict[str, Json]:
    """Makes the last solve, or that of this solver, the answer, with these values by name, and gives it back.

    A value is a variable or an expression of the model, or lists and dictionaries of these; anything else is shown as it is.
    """
    run = watch.the_run()
    if isinstance(variables, cp_model.CpSolver):
        variables, solver = solver, variables
    given = values.taken(variables if data is None else data)
    if given is not None and not isinstance(given, dict):
        raise Refused(
            f"export_solution requires a dictionary of values by name, but got a value of type {type(given).__name__}.",
            ["write export_solution({'x': x, 'total': sum(xs)})"],
        )
    solved = run.last_of(solver) if isinstance(solver, cp_model.CpSolver) else run.solved[-1] if run.solved else None
    if solved is None:
        raise Refused(
            "export_solution was called, but nothing was solved.",
            ["call solver.solve(model) before", "or leave export_solution out: the one model is then solved"],
        )
    run.exports += 1
    run.answer = _answer(solved, {**(given or {}), **values.taken(others)} or None)
    return copy.deepcopy(run.answer.as_told())


def _conclude(options: Fields) -> Answer:
    """The last solve of the program; without one, its only model is solved here."""
    run = watch.the_run()
    if run.solved:
        return _answer(run.solved[-1], None)
    if len(run.models) != 1:
        raise Refused(
            f"The program made {len(run.models)} models (CpModel) and solved none.",
            [
                "write model = cp_model.CpModel() and add variables and constraints to it",
                "solver.solve(model) says which model is meant",
            ],
        )
    solver = cp_model.CpSolver()
    limit = options.whole("solutions") if "solutions" in options else 1
    if limit == 1:
        solver.solve(run.models[0])
        return _answer(run.solved[-1], None)
    return _all_solutions(solver, run.models[0], limit)


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
    distrusted = proto.distrusted(solved.proto)
    if solved.status == cp_model.UNKNOWN:
        answer.status, answer.reason = ("timeout", "time") if solved.is_cut else ("unknown", _why_unknown(solved))
        run.evidence = None
        return answer
    if solved.status == cp_model.INFEASIBLE:
        answer.status, answer.distrusted = "unsat", distrusted
        if len(solved.proto.assumptions):
            answer.under = "the assumptions of the model (add_assumptions)"
        kept = _conflict(solved)
        answer.unsat_items = _lines(solved, kept)
        run.evidence = lambda: _evidence(solved, [], False, kept)
        return answer
    answer.status = "sat"
    solutions = list(found) or [solved.values]
    answer.model = _shown(solved, variables, solutions[-1])
    answer.unchecked = [] if variables is None else [name for name, each in variables.items() if not _is_of_model(each)]
    if found:
        answer.solutions = [_shown(solved, None, each) or {} for each in found]
    _add_objective(answer, solved, distrusted)
    run.evidence = lambda: _evidence(solved, solutions, are_all, [])
    return answer


def _add_objective(answer: Answer, solved: Solved, distrusted: str | None) -> None:
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
    answer.distrusted = distrusted
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
    if isinstance(value, cp_model.LinearExpr):
        return values.number(int(solved.solver.value(value)))
    return str(value)


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
    for index, each in enumerate(solved.proto.constraints):
        place = solved.places[index] if index < len(solved.places) else None
        # Intervals are what other constraints refer to.
        if place is None or each.has_interval():
            always.append(index)
        else:
            lines.setdefault(place, []).append(index)
    now = time.monotonic()
    until = min(run.solving_until, now + max(CONFLICT_SECONDS_MIN, solved.seconds))

    def is_unsat(places: Sequence[Place]) -> bool:
        kept = {*always, *(index for place in places for index in lines[place])}
        part = cp_model.CpModel.__new__(cp_model.CpModel)
        watch.make(part)
        part.proto.copy_from(solved.proto)
        part.proto.clear_objective()
        part.proto.clear_floating_point_objective()
        for index, each in enumerate(part.proto.constraints):
            if index not in kept:
                each.copy_from(type(each)())
        return cpsat.solve(cp_model.CpSolver(), part, until) == cp_model.INFEASIBLE

    places = conflict(list(lines), is_unsat, until)
    return sorted({*always, *(index for place in places for index in lines[place])})


def _lines(solved: Solved, kept: Sequence[int]) -> list[ItemLine]:
    found = {
        solved.places[index]: None
        for index in kept
        if index < len(solved.places) and not solved.proto.constraints[index].has_interval()
    }
    items = watch.the_run().items
    lines = [(each, items[each[0]].splitlines()) for each in sorted(each for each in found if each)]
    return [ItemLine(item, line, text[line - 1].strip() if line <= len(text) else "") for (item, line), text in lines]


# ---- What the answer rests on.


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
