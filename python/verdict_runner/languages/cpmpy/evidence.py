"""Builds the evidence for an answer: the conflicting constraints, and the model as a form for the second check."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from cpmpy.expressions.core import Expression
from cpmpy.expressions.variables import NDVarArray, NegBoolView, _NumVarImpl
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.transformations.get_variables import get_variables

from verdict_runner.evidence.finite.form import NO_NAMES, Form, Leaf, Named, handed_over
from verdict_runner.evidence.finite.meaning import Unknown
from verdict_runner.languages import why
from verdict_runner.languages.answer import ItemLine
from verdict_runner.languages.cp.answers import conflict_until, named_leaves
from verdict_runner.languages.cp.conflict import conflicting
from verdict_runner.languages.cpmpy import own
from verdict_runner.languages.cpmpy.named import AUTOMATIC, as_lists, value_of, variables_of
from verdict_runner.languages.cpmpy.run import Solved, the_run
from verdict_runner.languages.cpmpy.tree import Variables
from verdict_runner.languages.why import Place


def conflict_of(solved: Solved) -> list[int]:
    """
    The indices of conflicting constraints; all constraints if the time was too short to find fewer. Indices past the
    last constraint refer to the constraints that make the objective defined.
    """
    run = the_run()
    defining = own.defining(solved.objective)
    # The objective's own constraints are dropped first: constraints that conflict by themselves are more informative.
    parts = [*solved.constraints, *((each, solved.objective_place) for each in defining)]
    first = range(len(solved.constraints), len(parts))
    until = conflict_until(solved.seconds, run.solving_until)

    def is_unsat(some: Sequence[int]) -> bool:
        return own.is_unsat([*solved.assumptions, *(parts[i][0] for i in some)], until)

    return conflicting([_with_name(each, place) for each, place in parts], is_unsat, until, first)


def _with_name(constraint: object, place: Place) -> Place:
    """Uses the author's description of a constraint, if there is one, as its case."""
    description = getattr(constraint, "_description", None) if isinstance(constraint, Expression) else None
    return place._replace(case=str(description.text)) if place and description else place


def lines_of(solved: Solved, core: Sequence[int]) -> list[ItemLine]:
    places = places_of(solved)
    known = (places[i] if i < len(places) else solved.objective_place for i in core)
    return why.lines_of(the_run().items, known)


def places_of(solved: Solved) -> list[Place]:
    """Each constraint's line and case, if they are unambiguous."""
    return [_with_name(each, place) for each, place in solved.constraints]


def space_of(solved: Solved, variables: Mapping[str, object] | None, own: Mapping[str, Any]) -> Mapping[str, object]:
    """Returns the model and the values named in the answer, for a question about all solutions."""
    numbered = solved.noted.variables.copy()
    if solved.assumptions:
        the_run().warn("The question is about the model under the assumptions that solve() was given.")
    try:
        named = _named(numbered, variables, shown_variables(solved, solved.values, own))
    except Unknown as unknown:
        return {"open": f"it contains {unknown}, which the second check does not support"}
    return handed_over(evidence_of(solved, [solved.values], False, [], numbered), named)


def named_in(solved: Solved, variables: Mapping[str, object] | None, own: Mapping[str, Any]) -> Named:
    """Describes how to show another solution of the same form."""
    numbered = solved.noted.variables.copy()
    known = {each.name for each in numbered.all}
    try:
        return _named(numbered, variables, shown_variables(solved, known, own), known)
    except Unknown:
        return NO_NAMES


def names_of(solved: Solved, own: Mapping[str, Any]) -> Mapping[int, str]:
    """The variables' names, by number."""
    named = named_in(solved, None, own)
    paths = named.shape.paths
    return {leaf[1]: paths[i] for i, (leaf, _) in enumerate(named.leaves) if leaf[0] == "v" and i in paths}


def _named(
    numbered: Variables,
    variables: Mapping[str, object] | None,
    own: Mapping[str, object],
    known: Container[str] | None = None,
) -> Named:
    """The program's exports or its own variables, limited to those in `known` if it is given. Raises `Unknown`."""

    def leaf(value: object) -> Leaf | None:
        of = get_variables(value) if isinstance(value, Expression) else []
        is_shown = known is None or all(each.name in known for each in of)
        return (numbered.node(value), value.is_bool()) if isinstance(value, Expression) and of and is_shown else None

    return named_leaves(as_lists(variables), lambda: as_lists(own), leaf)


def shown_variables(solved: Solved, known: Container[str], own: Mapping[str, Any]) -> dict[str, object]:
    """The variables, under the names shown in the answer."""
    named: dict[str, object] = {}
    of_solver = {name: each for name, each in variables_of(solved).items() if name in known}
    covered: set[str] = set()
    for name, value in own.items():
        if isinstance(value, NDVarArray) and all(isinstance(each, _NumVarImpl) for each in value.flat):
            if any(of_solver.get(each.name) is each for each in value.flat):
                covered.update(each.name for each in value.flat)
                _put(named, name, value)
        elif (
            isinstance(value, _NumVarImpl) and not isinstance(value, NegBoolView) and of_solver.get(value.name) is value
        ):
            covered.add(value.name)
            _put(named, name if value.name.startswith(AUTOMATIC) else value.name, value)
    for name, each in of_solver.items():
        if name not in covered and not name.startswith(AUTOMATIC):
            _put(named, name, each)
    return named


def _put(named: dict[str, object], name: str, value: object) -> None:
    """Adds a value under a name, with a number appended if another value already has that name."""
    number, free = 1, name
    while named.get(free, value) is not value:
        number += 1
        free = f"{name}#{number}"
    named[free] = value


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
        return {"open": f"it contains {noted.unknown}, which the second check does not support"}
    try:
        assumed = [variables.node(each) for each in solved.assumptions]
    except Unknown as unknown:
        return {"open": f"it contains {unknown}, which the second check does not support"}
    rows = [[value_of(each, numbers) for each in variables.all] for numbers in solutions]
    if any(None in row for row in rows):
        return {"open": "the solver returned no value for some of its variables"}
    count = len(noted.nodes)
    # The objective belongs to every part of a form.
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
