"""The language `cpmpy`: items are CPMpy's Python, solved by OR-Tools CP-SAT unless another backend is named."""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

import cpmpy as cp
import numpy as np
from cpmpy.exceptions import IncompleteFunctionError
from cpmpy.expressions.core import Expression
from cpmpy.expressions.variables import NDVarArray, NegBoolView, _BoolVarImpl, _NumVarImpl
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface
from cpmpy.transformations.get_variables import get_variables

from verdict_runner.languages.answer import Answer, ItemLine
from verdict_runner.languages.cp import asked
from verdict_runner.languages.cp.bare import warn_of_bare
from verdict_runner.languages.cp.conflict import conflict
from verdict_runner.languages.cp.form import Form
from verdict_runner.languages.cp.meaning import Meaning, OutOfTime, Unknown
from verdict_runner.languages.cp.why import probe, why_question
from verdict_runner.languages.cpmpy import backends, second, watch
from verdict_runner.languages.cpmpy.profile import PROFILE
from verdict_runner.languages.cpmpy.tree import Variables
from verdict_runner.languages.cpmpy.watch import Place, Solved
from verdict_runner.languages.questions.ask import expect_objective
from verdict_runner.languages.questions.shape import Shape
from verdict_runner.languages.why import ProbeRequest
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program

EVENTS = ()
# One child for a program, one for the check of what it says.
SPARES = 2
# A conflict is looked for as long as solving took, and so long at least.
CONFLICT_SECONDS_MIN = 2.0
STATISTICS = {
    ExitStatus.OPTIMAL: "OPTIMAL",
    ExitStatus.FEASIBLE: "FEASIBLE",
    ExitStatus.UNSATISFIABLE: "UNSATISFIABLE",
    ExitStatus.UNKNOWN: "UNKNOWN",
}


def versions() -> dict[str, str]:
    return {"cpmpy": version("cpmpy")}


def warm() -> None:
    """Begins to note down what is built and solved; jobs are forked afterwards."""
    watch.listen()
    # The first call of these methods imports a module of numpy, which a program may not; so does the first text of an array.
    numbers = np.arange(4).reshape(2, 2)
    for text in (str, repr):
        text(numbers)
    for name in "sum prod max min any all mean var std ptp clip argmax argmin".split():
        if hasattr(numbers, name):
            getattr(numbers, name)(*((0, 1) if name == "clip" else ()))


def rehearse() -> None:
    """Nothing to do ahead: CP-SAT starts in no time."""


def modules() -> dict[str, Mapping[str, object]]:
    return {}


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    """Runs the items of a model and gives what was decided; without items, checks what was."""
    run = watch.begin(task)
    if not task.items:
        wanted = ProbeRequest.read(task.request or {})
        if wanted is not None:
            return probe(wanted, task.until).data()
        return asked.answer(task, run.question, {backends.Z3_TITLE: second.CP_SAT})
    present = {"cp": known["cpmpy"], "np": known["numpy"], "export_solution": export_solution}
    own: dict[str, Any] = {}
    try:
        own = program.run(task.items, present, known, PROFILE, run.warn)
    except program.ItemError as stopped:
        if not _read_nothing(stopped.error):
            raise
        item, line = stopped.where
        run.warn(
            f"item {item}, line {line}: the program ended there, with {type(stopped.error).__name__}: "
            "variables have no value (None) without a solution; look at the result of solve() first."
        )
    warn_of_bare(task.items, "m += …", run.warn)
    options = Fields(dict(task.request or {}))
    if run.solved and ("solver" in options or "solutions" in options):
        run.warn("The program solves its model itself, so the options of this call were not used: leave m.solve() out.")
    answer = run.answer if run.answer and run.exports else _conclude(options, own)
    return {
        **answer.data(),
        "warnings": run.warnings,
        "evidence": run.handed_over(),
        "space": run.asked_about(),
        "why_question": run.why_question_handed_over(),
    }


def _read_nothing(error: BaseException) -> bool:
    """Whether a program failed since it took the values of a solve that had none."""
    run = watch.the_run()
    return (
        bool(run.solved) and not run.solved[-1].has_solution and isinstance(error, (TypeError, IncompleteFunctionError))
    )


# ---- The answer.


def export_solution(
    *given: object, variables: object = None, objective: object = None, data: object = None, **others: object
) -> dict[str, Json]:
    """Makes the last solve the answer, with these values by name, and gives it back.

    A value is a variable or an expression of CPMpy, or arrays, lists and dictionaries of these; anything else is shown as it is.
    The model or the solver that was solved last can stand before them.
    """
    run = watch.the_run()
    of, shown = _apart(given, data if variables is None else variables)
    named = values.taken(shown)
    if named is not None and not isinstance(named, dict):
        raise Refused(
            f"export_solution requires a dictionary of values by name, but got a value of type {type(named).__name__}.",
            ["write export_solution({'x': x, 'total': cp.sum(x)})"],
        )
    if not run.solved:
        raise Refused(
            "export_solution was called, but nothing was solved.",
            ["call m.solve() before", "or leave export_solution out: the one model is then solved"],
        )
    if any(each is not run.solved[-1].solver and each is not run.solved[-1].model for each in of):
        raise Refused(
            "export_solution was called for a model that is not the one that was solved last.",
            ["call its m.solve() right before", "or leave it out: export_solution({'x': x}) is about the last solve"],
        )
    run.exports += 1
    run.answer = _answer(run.solved[-1], {**(named or {}), **values.taken(others)}, {})
    return copy.deepcopy(run.answer.as_json())


def _apart(given: Sequence[object], shown: object) -> tuple[Sequence[object], object]:
    """The models and solvers among the arguments, and the values to show."""
    of = [each for each in given if isinstance(each, (cp.Model, SolverInterface))]
    rest = [each for each in given if not isinstance(each, (cp.Model, SolverInterface))]
    if len(rest) + (shown is not None) > 1:
        raise Refused(
            "export_solution takes one dictionary of values by name, and got more.",
            ["write export_solution({'x': x, 'y': y})"],
        )
    return of, rest[0] if rest else shown


def _conclude(options: Fields, own: Mapping[str, Any]) -> Answer:
    """The last solve of the program; without one, its only model is solved here."""
    run = watch.the_run()
    if run.solved:
        return _answer(run.solved[-1], None, own)
    if len(run.models) != 1:
        raise Refused(
            f"The program made {len(run.models)} models (cp.Model) and solved none.",
            ["write m = cp.Model(), then m += constraint", "m.solve() says which model is meant"],
        )
    expect_objective(run.question, run.models[0].has_objective())
    named = options.text("solver") if "solver" in options else None
    limit = options.whole("solutions") if "solutions" in options else 1
    try:
        if limit > 1 and run.models[0].has_objective():
            raise _not_with_an_objective()
        solver = cp.SolverLookup.get(named, run.models[0])
        if limit > 1:
            return _all_solutions(solver, limit, own)
        solver.solve()
    except (Refused, MemoryError, RecursionError):
        raise
    except Exception as error:
        raise Refused(
            f"CPMpy can't give this model to {named or 'ortools'} ({type(error).__name__}: {str(error)[:300]}).",
            backends.cure(backends.of_kind(cp.SolverLookup.lookup(named)), error),
        ) from error
    return _answer(run.solved[-1], None, own)


def _not_with_an_objective() -> Refused:
    return Refused(
        "All solutions are not listed for a model with an objective.",
        ["leave all_solutions and max_solutions out", "or replace the objective by a constraint on its value"],
    )


def _all_solutions(solver: Any, limit: int, own: Mapping[str, Any]) -> Answer:  # noqa: ANN401
    run = watch.the_run()
    # Exact can list a solution again where only its own variables differ.
    found: dict[tuple[tuple[str, int], ...], dict[str, int]] = {}

    def note() -> None:
        values_found = watch.values_of(run.solved[-1])
        found[tuple(sorted(values_found.items()))] = values_found

    solver.solveAll(display=note, solution_limit=limit)
    solved = run.solved[-1]
    listed = list(found.values())
    are_all = solved.status == ExitStatus.OPTIMAL and len(listed) < limit
    if listed:
        solved.status, solved.values = ExitStatus.FEASIBLE, listed[-1]
        if not are_all:
            run.warn(f"The search stopped at {len(listed)} solutions: there may be more.")
    return _answer(solved, None, own, listed, are_all)


def _answer(
    solved: Solved,
    variables: Mapping[str, object] | None,
    own: Mapping[str, Any],
    found: Sequence[dict[str, int]] = (),
    are_all: bool = False,
) -> Answer:
    """What a solve decided, with these values, or with all variables that the author named."""
    run = watch.the_run()
    run.evidence = None
    statistics: dict[str, Json] = {
        "seconds": round(solved.seconds, 3),
        "cpmpy_status": STATISTICS.get(solved.status, ""),
    }
    answer = Answer("unknown", statistics=statistics, engine=solved.backend.title)
    if solved.status == ExitStatus.UNSATISFIABLE:
        answer.status, answer.distrusted = "unsat", solved.distrusted
        if solved.assumptions:
            answer.under = "the assumptions that solve() was given"
        kept = _conflict(solved)
        answer.unsat_items = _lines(solved, kept)
        run.evidence = lambda: _evidence(solved, [], False, kept)
        run.why_question = lambda: why_question(_evidence(solved, [], False, []), _places(solved), run.items)
        return answer
    if not solved.has_solution:
        cut = "timeout" if solved.is_cut else "unknown"
        answer.status, answer.reason = cut, "the solver stopped at a limit before it found a solution or a proof"
        return answer
    answer.status = "sat"
    if solved.assumptions:
        run.warn("This answer holds under the assumptions that solve() was given, also that values are optimal.")
    solutions = list(found) or [solved.values]
    answer.model = _shown(solved, variables, own, solutions[-1])
    answer.unchecked = [] if variables is None else [name for name, each in variables.items() if not _is_of_model(each)]
    if found:
        answer.solutions = [_shown(solved, None, own, each) or {} for each in found]
    if solved.objective is not None:
        answer.objective_value = _value(solved, solved.objective, solved.values)
        answer.optimal = solved.status == ExitStatus.OPTIMAL
        answer.distrusted = solved.distrusted
        if not answer.optimal:
            run.warn("The search ended at a limit before this was proved to be optimal: other values can be better.")
        if not answer.optimal and solved.bound is not None:
            answer.objective_bound = round(solved.bound, 6)
    run.evidence = lambda: _evidence(solved, solutions, are_all, [])
    run.space = lambda: _space(solved, variables, own)
    run.why_question = lambda: why_question(_evidence(solved, [solved.values], False, []), _places(solved), run.items)
    return answer


def _is_of_model(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_is_of_model, value.values()))
    if isinstance(value, (list, tuple, NDVarArray)):
        return all(map(_is_of_model, value))
    return isinstance(value, (Expression, str))


def _value(solved: Solved, expression: object, numbers: Mapping[str, int]) -> Json:
    """The value of an expression at a solution, computed exactly."""
    variables = Variables()
    try:
        node = variables.node(expression)
        known = [_of_variable(each, numbers) for each in variables.all]
        if None in known:
            return None
        meaning = Meaning([each for each in known if each is not None], watch.the_run().until)
        if isinstance(expression, Expression) and expression.is_bool():
            return meaning.truth(node) is True
        number = meaning.number(node)
        return values.number(number) if isinstance(number, int) and meaning.undefined_outside() is True else None
    except (Unknown, OutOfTime):
        read = getattr(expression, "value", lambda: None)()
        return values.real(float(read)) if isinstance(read, float) else None


def _of_variable(variable: _NumVarImpl, numbers: Mapping[str, int]) -> int | None:
    """A variable that is fixed has a value without being part of the model."""
    return numbers.get(variable.name, int(variable.lb) if variable.lb == variable.ub else None)


def _shown(
    solved: Solved, variables: Mapping[str, object] | None, own: Mapping[str, Any], numbers: Mapping[str, int]
) -> dict[str, Json] | None:
    """The values of expressions by name; without any, those of the variables that the program has names for."""
    if variables is not None:
        return values.object_of(values.named(_listed(variables), str), lambda each: _plain(solved, each, numbers))
    shown: dict[str, Json] = {}
    covered: set[str] = set()
    for name, value in own.items():
        if isinstance(value, NDVarArray) and all(isinstance(each, _NumVarImpl) for each in value.flat):
            listed = value.tolist()
            covered.update(each.name for each in value.flat)
            if any(each.name in numbers for each in value.flat):
                shown[name] = values.plain(listed, lambda each: _plain(solved, each, numbers))
        elif isinstance(value, _NumVarImpl) and not isinstance(value, NegBoolView) and value.name in numbers:
            covered.add(value.name)
            shown[name if value.name.startswith(watch.AUTOMATIC) else value.name] = _plain(solved, value, numbers)
    for name, number in numbers.items():
        if name not in covered and not name.startswith(watch.AUTOMATIC):
            is_truth = isinstance(watch.the_run().names.get(name), _BoolVarImpl)
            shown[name] = bool(number) if is_truth else values.number(number)
    return shown or None


def _listed(value: Any) -> Any:  # noqa: ANN401
    """Arrays as lists, whatever they are in."""
    if isinstance(value, dict):
        return {key: _listed(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_listed(each) for each in value]
    return _listed(value.tolist()) if isinstance(value, np.ndarray) else value


def _plain(solved: Solved, value: object, numbers: Mapping[str, int]) -> Json:
    if isinstance(value, _NumVarImpl) and not isinstance(value, NegBoolView):
        number = _of_variable(value, numbers)
        return None if number is None else bool(number) if isinstance(value, _BoolVarImpl) else values.number(number)
    if isinstance(value, Expression):
        return _value(solved, value, numbers)
    return values.plain(value.item(), str) if isinstance(value, np.generic) else str(value)


# ---- What conflicts.


def _conflict(solved: Solved) -> list[int]:
    """Indices of constraints that conflict; all of them where the time was too short for fewer."""
    run = watch.the_run()
    lines: dict[Place, list[int]] = {}
    for index, (_, place) in enumerate(solved.constraints):
        lines.setdefault(place, []).append(index)
    until = min(run.solving_until, time.monotonic() + max(CONFLICT_SECONDS_MIN, solved.seconds))
    always = [*lines.pop(None, [])]

    def is_unsat(places: Sequence[Place]) -> bool:
        kept = sorted({*always, *(index for place in places for index in lines[place])})
        return watch.is_unsat([*solved.assumptions, *(solved.constraints[i][0] for i in kept)], until)

    places = conflict(list(lines), is_unsat, until)
    return sorted({*always, *(index for place in places for index in lines[place])})


def _lines(solved: Solved, kept: Sequence[int]) -> list[ItemLine]:
    items = watch.the_run().items
    places = sorted({place for place in (solved.constraints[i][1] for i in kept) if place})
    lines = [(place, items[place[0]].splitlines()) for place in places]
    return [ItemLine(item, line, text[line - 1].strip() if line <= len(text) else "") for (item, line), text in lines]


def _places(solved: Solved) -> list[Place]:
    """The line of each constraint, where it is clear."""
    return [place for _, place in solved.constraints]


# ---- What the answer rests on.


def _space(solved: Solved, variables: Mapping[str, object] | None, own: Mapping[str, Any]) -> Mapping[str, object]:
    """The model and the values that the answer names, for a question about all solutions."""
    numbered, leaves = solved.noted.variables.copy(), []
    if solved.assumptions:
        watch.the_run().warn("The question is about the model under the assumptions that solve() was given.")

    def place(value: object) -> int | None:
        if not isinstance(value, Expression) or not _has_variables(value):
            return None
        leaves.append((numbered.node(value), value.is_bool()))
        return len(leaves) - 1

    try:
        named = _listed(variables if variables is not None else _variables(solved, own))
        shape = Shape.of(values.named(named, str), place)
        if not shape.named:
            # The program exports numbers: the variables themselves are meant.
            others = Shape.of(_listed(_variables(solved, own)), place)
            shape = Shape(others.named, [*shape.left_out, *others.left_out])
    except Unknown as unknown:
        return {"open": f"it has {unknown}, which the second check does not know"}
    return asked.handed_over(lambda: dict(_evidence(solved, [solved.values], False, [], numbered)), leaves, shape)


def _has_variables(value: Expression) -> bool:
    return len(get_variables(value)) > 0


def _variables(solved: Solved, own: Mapping[str, Any]) -> dict[str, object]:
    """The variables under the names that the answer shows them by."""
    named: dict[str, object] = {}
    covered: set[str] = set()
    for name, value in own.items():
        if isinstance(value, NDVarArray) and all(isinstance(each, _NumVarImpl) for each in value.flat):
            covered.update(each.name for each in value.flat)
            if any(each.name in solved.values for each in value.flat):
                named[name] = value
        elif isinstance(value, _NumVarImpl) and not isinstance(value, NegBoolView) and value.name in solved.values:
            covered.add(value.name)
            named[name if value.name.startswith(watch.AUTOMATIC) else value.name] = value
    known = watch.the_run().names
    return {**named, **{name: each for name, each in known.items() if name in solved.values and name not in covered}}


def _evidence(
    solved: Solved,
    solutions: Sequence[Mapping[str, int]],
    are_all: bool,
    core: Sequence[int],
    numbered: Variables | None = None,
) -> Mapping[str, object]:
    noted, variables = solved.noted, numbered or solved.noted.variables.copy()
    if noted.unknown is not None:
        return {"open": f"it has {noted.unknown}, which the second check does not know"}
    try:
        assumed = [variables.node(each) for each in solved.assumptions]
    except Unknown as unknown:
        return {"open": f"it has {unknown}, which the second check does not know"}
    rows = [[_of_variable(each, numbers) for each in variables.all] for numbers in solutions]
    if any(None in row for row in rows):
        return {"open": "the solver gave no value for some of its variables"}
    count = len(noted.nodes)
    form = Form(
        variables.domains(),
        [*noted.nodes, *assumed],
        noted.objective,
        solved.is_least,
        [[each for each in row if each is not None] for row in rows],
        are_all,
        solved.objective is not None and solved.status == ExitStatus.OPTIMAL,
        [*core, *range(count, count + len(assumed))] if core else [],
        solved.seconds,
        engine=solved.backend.title,
    )
    return form.evidence()
