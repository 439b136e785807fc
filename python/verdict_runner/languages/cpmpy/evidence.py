"""What an answer rests on: the constraints that conflict, and the model as a form for the second check."""

from __future__ import annotations

import time
from collections.abc import Container, Mapping, Sequence
from typing import Any

from cpmpy.expressions.core import Expression
from cpmpy.expressions.variables import NDVarArray, NegBoolView, _NumVarImpl
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.transformations.get_variables import get_variables

from verdict_runner.languages.answer import ItemLine
from verdict_runner.languages.cp import asked
from verdict_runner.languages.cp.conflict import conflict
from verdict_runner.languages.cp.form import NO_NAMES, Form, Leaf, Named
from verdict_runner.languages.cp.meaning import Unknown
from verdict_runner.languages.cpmpy import own
from verdict_runner.languages.cpmpy.named import AUTOMATIC, as_lists, value_of
from verdict_runner.languages.cpmpy.run import Place, Solved, the_run
from verdict_runner.languages.cpmpy.tree import Variables
from verdict_runner.languages.questions.shape import Shape
from verdict_runner.protocol import values

# A conflict is looked for as long as solving took, and so long at least.
CONFLICT_SECONDS_MIN = 2.0


def conflict_of(solved: Solved) -> list[int]:
    """
    Indices of constraints that conflict; all of them where the time was too short for fewer. Behind the last one are those
    under which the objective has a value.
    """
    run = the_run()
    defining = own.defining(solved.objective)
    parts = [*solved.constraints, *((each, solved.objective_place) for each in defining)]
    # What comes first is left out first: constraints that conflict by themselves say more than the objective.
    lines: dict[Place, list[int]] = {solved.objective_place: []} if defining else {}
    for index, (_, place) in enumerate(parts):
        lines.setdefault(place, []).append(index)
    until = min(run.solving_until, time.monotonic() + max(CONFLICT_SECONDS_MIN, solved.seconds))
    always = [*lines.pop(None, [])]

    def is_unsat(places: Sequence[Place]) -> bool:
        indices = sorted({*always, *(index for place in places for index in lines[place])})
        return own.is_unsat([*solved.assumptions, *(parts[i][0] for i in indices)], until)

    places = conflict(list(lines), is_unsat, until)
    return sorted({*always, *(index for place in places for index in lines[place])})


def lines_of(solved: Solved, core: Sequence[int]) -> list[ItemLine]:
    items = the_run().items
    of_constraints = places_of(solved)
    known = (of_constraints[i] if i < len(of_constraints) else solved.objective_place for i in core)
    places = sorted({place for place in known if place})
    lines = [(place, items[place[0]].splitlines()) for place in places]
    return [ItemLine(item, line, text[line - 1].strip() if line <= len(text) else "") for (item, line), text in lines]


def places_of(solved: Solved) -> list[Place]:
    """The line of each constraint, where it is clear."""
    return [place for _, place in solved.constraints]


def space_of(solved: Solved, variables: Mapping[str, object] | None, own: Mapping[str, Any]) -> Mapping[str, object]:
    """The model and the values that the answer names, for a question about all solutions."""
    numbered = solved.noted.variables.copy()
    if solved.assumptions:
        the_run().warn("The question is about the model under the assumptions that solve() was given.")
    try:
        named = _named(numbered, variables, _variables(solved.values, own))
    except Unknown as unknown:
        return {"open": f"it has {unknown}, which the second check does not know"}
    return asked.handed_over(evidence_of(solved, [solved.values], False, [], numbered), named)


def named_in(solved: Solved, variables: Mapping[str, object] | None, own: Mapping[str, Any]) -> Named:
    """How another solution of the same form is shown."""
    numbered = solved.noted.variables.copy()
    known = {each.name for each in numbered.all}
    try:
        return _named(numbered, variables, _variables(known, own), known)
    except Unknown:
        return NO_NAMES


def _named(
    numbered: Variables,
    variables: Mapping[str, object] | None,
    own: Mapping[str, object],
    known: Container[str] | None = None,
) -> Named:
    """What the program exports, or its own variables; where some are known, those of them alone. Raises `Unknown`."""
    leaves: list[Leaf] = []

    def place(value: object) -> int | None:
        of = get_variables(value) if isinstance(value, Expression) else []
        is_shown = known is None or all(each.name in known for each in of)
        if not isinstance(value, Expression) or not of or not is_shown:
            return None
        leaves.append((numbered.node(value), value.is_bool()))
        return len(leaves) - 1

    shape = Shape.of(values.named(as_lists(own if variables is None else variables), str), place)
    if not shape.named:
        # The program exports numbers: the variables themselves are meant.
        others = Shape.of(as_lists(own), place)
        shape = Shape(others.named, [*shape.left_out, *others.left_out])
    return Named(leaves, shape)


def _variables(known: Container[str], own: Mapping[str, Any]) -> dict[str, object]:
    """The variables under the names that the answer shows them by."""
    named: dict[str, object] = {}
    covered: set[str] = set()
    for name, value in own.items():
        if isinstance(value, NDVarArray) and all(isinstance(each, _NumVarImpl) for each in value.flat):
            covered.update(each.name for each in value.flat)
            if any(each.name in known for each in value.flat):
                named[name] = value
        elif isinstance(value, _NumVarImpl) and not isinstance(value, NegBoolView) and value.name in known:
            covered.add(value.name)
            named[name if value.name.startswith(AUTOMATIC) else value.name] = value
    names = the_run().names
    return {**named, **{name: each for name, each in names.items() if name in known and name not in covered}}


def evidence_of(
    solved: Solved,
    solutions: Sequence[Mapping[str, int]],
    are_all: bool,
    core: Sequence[int],
    numbered: Variables | None = None,
    named: Named = NO_NAMES,
) -> Mapping[str, object]:
    noted, variables = solved.noted, numbered or solved.noted.variables.copy()
    if noted.unknown is not None:
        return {"open": f"it has {noted.unknown}, which the second check does not know"}
    try:
        assumed = [variables.node(each) for each in solved.assumptions]
    except Unknown as unknown:
        return {"open": f"it has {unknown}, which the second check does not know"}
    rows = [[value_of(each, numbers) for each in variables.all] for numbers in solutions]
    if any(None in row for row in rows):
        return {"open": "the solver gave no value for some of its variables"}
    count = len(noted.nodes)
    # The objective belongs to each part of a form.
    stated = [each for each in core if each < count]
    form = Form(
        variables.domains(),
        [*noted.nodes, *assumed],
        noted.objective,
        solved.is_least,
        [[each for each in row if each is not None] for row in rows],
        are_all,
        solved.objective is not None and solved.status == ExitStatus.OPTIMAL,
        [*stated, *range(count, count + len(assumed))] if stated else [],
        solved.seconds,
        engine=solved.backend.title,
        named=named,
    )
    return form.evidence()
