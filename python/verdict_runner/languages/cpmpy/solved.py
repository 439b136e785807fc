"""Turns the result of a CPMpy solve into an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from cpmpy.expressions.core import Expression
from cpmpy.expressions.variables import NegBoolView, _BoolVarImpl, _NumVarImpl
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.transformations.get_variables import get_variables

from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.evidence.finite.form import NO_NAMES
from verdict_runner.evidence.finite.meaning import Meaning, Node, Unknown
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.cp.answers import tell_objective
from verdict_runner.languages.cpmpy.evidence import (
    conflict_of,
    evidence_of,
    lines_of,
    named_in,
    names_of,
    places_of,
    shown_variables,
    space_of,
)
from verdict_runner.languages.cpmpy.named import as_lists, value_of
from verdict_runner.languages.cpmpy.run import Solved, the_run
from verdict_runner.languages.cpmpy.tree import Variables
from verdict_runner.languages.stated import computed
from verdict_runner.languages.why import shown_as, why_question
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json


def answer_of(
    solved: Solved,
    variables: Mapping[str, object] | None,
    own: Mapping[str, Any],
    enumerated: Sequence[dict[str, int]] = (),
    are_all: bool = False,
) -> Answer:
    """Returns the result of a solve, with these values or with all variables that the author named."""
    run = the_run()
    run.evidence = None
    statistics: dict[str, Json] = {
        "seconds": round(solved.seconds, 3),
        "cpmpy_status": solved.status.name,
    }
    answer = Answer("unknown", statistics=statistics, engine=solved.backend.title)
    if solved.status == ExitStatus.UNSATISFIABLE:
        answer.status, answer.distrusted = "unsat", solved.distrusted
        if solved.assumptions:
            answer.under = "the assumptions that solve() was given"
        core = conflict_of(solved)
        answer.unsat_items = lines_of(solved, core)
        run.evidence = lambda: evidence_of(solved, [], False, core, named=named_in(solved, variables, own))
        run.why_question = lambda: why_question(evidence_of(solved, [], False, []), places_of(solved), run.items)
        return answer
    if not solved.has_solution:
        cut = "timeout" if solved.is_cut else "unknown"
        answer.status, answer.reason = cut, "the solver stopped at a limit before it found a solution or a proof"
        return answer
    answer.status, answer.distrusted = "sat", solved.distrusted
    if solved.assumptions:
        run.warn(
            "This answer holds under the assumptions that solve() was given, "
            "and so does any claim that values are optimal."
        )
    solutions = list(enumerated) or [solved.values]
    answer.model = _shown(solved, variables, own, solutions[-1])
    answer.unchecked = computed(
        as_lists(variables or {}), lambda each: isinstance(each, Expression) and bool(get_variables(each))
    )
    run.warn_of_stale({name: (answer.model or {}).get(name) for name in answer.unchecked}, solutions[-1])
    if enumerated:
        answer.solutions = [_shown(solved, None, own, each) or {} for each in enumerated]
    if solved.objective is not None:
        is_best = solved.status == ExitStatus.OPTIMAL
        tell_objective(run, answer, _value_of_objective(solved), is_best, solved.bound)
    run.evidence = lambda: evidence_of(
        solved, solutions, are_all, [], named=named_in(solved, variables, own) if answer.optimal else NO_NAMES
    )
    run.shown_as = lambda: shown_as(places_of(solved), names_of(solved, own))
    run.space = lambda: space_of(solved, variables, own)
    run.why_question = lambda: why_question(
        evidence_of(solved, [solved.values], False, []), places_of(solved), run.items
    )
    return answer


def _value_of_objective(solved: Solved) -> Json:
    """The objective's value, for the expression as passed to the solver; CPMpy can change the expression afterwards."""
    known = [value_of(each, solved.values) for each in solved.noted.variables.all]
    if solved.noted.objective is None or None in known:
        return _value(solved, solved.objective, solved.values)
    return _at(solved.noted.objective, known)


def _at(node: Node, numbers: Sequence[int | None], is_truth: bool = False) -> Json:
    """The value of a node; None if it is undefined."""
    meaning = Meaning([each for each in numbers if each is not None], the_run().until)
    if is_truth:
        return meaning.truth(node) is True
    number = meaning.number(node)
    return values.number(number) if isinstance(number, int) and meaning.undefined_outside() is True else None


def _value(solved: Solved, expression: object, numbers: Mapping[str, int]) -> Json:
    """The value of an expression at a solution, computed exactly."""
    variables = Variables()
    try:
        node = variables.node(expression)
        for each in variables.all:
            solved.noted.variables.expect_same(each)
        known = [value_of(each, numbers) for each in variables.all]
        if None in known:
            return None
        return _at(node, known, isinstance(expression, Expression) and expression.is_bool())
    except (Unknown, OutOfTime):
        read = getattr(expression, "value", lambda: None)()
        return values.real(float(read)) if isinstance(read, float) else None


def _shown(
    solved: Solved, variables: Mapping[str, object] | None, own: Mapping[str, Any], numbers: Mapping[str, int]
) -> dict[str, Json] | None:
    """The values of the named expressions, or of the program's named variables if no expressions are given."""
    named = shown_variables(solved, numbers, own) or None if variables is None else variables
    if named is None:
        return None
    return values.object_of(values.named(as_lists(named), str), lambda each: _plain(solved, each, numbers))


def _plain(solved: Solved, value: object, numbers: Mapping[str, int]) -> Json:
    if isinstance(value, _NumVarImpl) and not isinstance(value, NegBoolView):
        solved.noted.variables.expect_same(value)
        number = value_of(value, numbers)
        return None if number is None else bool(number) if isinstance(value, _BoolVarImpl) else values.number(number)
    if isinstance(value, Expression):
        return _value(solved, value, numbers)
    return values.plain(value.item(), str) if isinstance(value, np.generic) else str(value)
