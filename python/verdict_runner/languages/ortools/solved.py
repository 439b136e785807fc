"""Turns the result of a CP-SAT solve into an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ortools.sat.python import cp_model

from verdict_runner.evidence.finite import proto
from verdict_runner.evidence.finite.form import NO_NAMES
from verdict_runner.evidence.finite.meaning import Unknown
from verdict_runner.evidence.linear.model import exact
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.cp.answers import NO_NAME, tell_objective
from verdict_runner.languages.ortools import watch
from verdict_runner.languages.ortools.evidence import (
    conflict_of,
    evidence_of,
    lines_of,
    named_in,
    names_of,
    places_of,
    space_of,
)
from verdict_runner.languages.ortools.watch import Solved
from verdict_runner.languages.stated import computed
from verdict_runner.languages.why import shown_as, why_question
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

LEFT = (
    "the program exited inside a callback, while CP-SAT was solving; "
    "self.stop_search() stops the search there and keeps the best solution"
)
# The steps for words in CP-SAT's reason for rejecting a model.
FAULTS = {
    "overflow": "give variables narrower domains, or constraints smaller coefficients",
    "domain": "give variables narrower domains",
    "hint": "hint each variable once: model.clear_hints() removes the hints so far",
}


def answer_of(
    solved: Solved,
    variables: Mapping[str, object] | None,
    enumerated: Sequence[list[int]] = (),
    are_all: bool = False,
) -> Answer:
    """Returns the result of a solve, with these values or with all named variables."""
    run = watch.the_run()
    if not solved.is_over:
        return Answer("unknown", reason=LEFT, engine="CP-SAT")
    answer = Answer("unknown", statistics=_statistics(solved), engine="CP-SAT")
    if solved.status == cp_model.MODEL_INVALID:
        raise Refused(
            f"CP-SAT refuses the model: {solved.fault[:500] or 'no reason given'}.",
            [step for word, step in FAULTS.items() if word in solved.fault]
            or ["change the part of the model that is named"],
        )
    if solved.status == cp_model.UNKNOWN:
        answer.status, answer.reason = ("timeout", "time") if solved.is_cut else ("unknown", _why_unknown(solved))
        run.evidence = None
        return answer
    if solved.status == cp_model.INFEASIBLE:
        answer.status, answer.distrusted = "unsat", solved.distrusted
        if len(solved.proto.assumptions):
            answer.under = "the assumptions of the model (add_assumptions)"
        core = conflict_of(solved)
        answer.unsat_items = lines_of(solved, core)
        run.evidence = lambda: evidence_of(solved, [], False, core, named_in(solved, variables))
        run.why_question = lambda: why_question(evidence_of(solved, [], False, []), places_of(solved), run.items)
        return answer
    answer.status = "sat"
    if len(solved.proto.assumptions):
        run.warn(
            "This answer holds under the assumptions of the model (add_assumptions), and so does any claim that "
            "values are optimal."
        )
    solutions = list(enumerated) or [solved.values]
    answer.model = _shown(solved, variables, solutions[-1])
    answer.unchecked = computed(
        variables or {}, lambda each: isinstance(each, cp_model.LinearExpr) and bool(_flat(each).vars)
    )
    found = {name: solutions[-1][index] for name, index in names_of(solved).items()}
    run.warn_of_stale({name: (answer.model or {}).get(name) for name in answer.unchecked}, found)
    if enumerated:
        answer.solutions = [_shown(solved, variables, each) or {} for each in enumerated]
    answer.distrusted = solved.distrusted
    _add_objective(answer, solved)
    run.evidence = lambda: evidence_of(
        solved, solutions, are_all, [], named_in(solved, variables) if answer.optimal else NO_NAMES
    )
    run.shown_as = lambda: shown_as(places_of(solved), {index: name for name, index in names_of(solved).items()})
    run.space = lambda: space_of(solved, variables)
    run.why_question = lambda: why_question(
        evidence_of(solved, [solved.values], False, []), places_of(solved), run.items
    )
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
    value = values.decimal(Fraction(total, objective.scale))
    tell_objective(watch.the_run(), answer, value, solved.status == cp_model.OPTIMAL, solved.bound)


def _shown(solved: Solved, variables: Mapping[str, object] | None, numbers: Sequence[int]) -> dict[str, Json] | None:
    """The values of the named expressions, or of all named variables if no expressions are given."""
    if variables is not None:
        return values.object_of(values.named(variables, str), lambda each: _read(solved, each, numbers))
    names = names_of(solved)
    if not names:
        watch.the_run().warn(NO_NAME)
    return {name: values.number(numbers[index]) for name, index in names.items()} or None


def _read(solved: Solved, value: object, numbers: Sequence[int]) -> Json:
    """An expression's value at a recorded solution; the program may since have changed what the solver returns."""
    if not isinstance(value, cp_model.LinearExpr):
        return str(value)
    flat = _flat(value)
    for each in flat.vars:
        _require_own(solved, each)
    parts = (exact(weight) * numbers[each.index] for weight, each in zip(flat.coeffs, flat.vars))
    return values.rational(sum(parts, exact(flat.offset)))


def _flat(value: cp_model.LinearExpr) -> cp_model.FlatIntExpr | cp_model.FlatFloatExpr:
    return cp_model.FlatIntExpr(value) if value.is_integer() else cp_model.FlatFloatExpr(value)


def _require_own(solved: Solved, variable: cp_model.IntVar) -> None:
    """Rejects another model's variable: CP-SAT would give it the value of the variable with the same index."""
    if variable.model_proto is solved.original:
        return
    index, known = variable.index, solved.proto.variables
    # A clone shares the variables of its original.
    if (
        index >= len(known)
        or known[index].name != variable.name
        or list(known[index].domain) != list(variable.proto.domain)
    ):
        raise Refused(
            f"The variable {variable.name or index} belongs to a model other than the one that was solved.",
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
