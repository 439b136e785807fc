"""Rechecks an engine's answer about a form: solutions by exact computation, proofs by another engine."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import z3

from verdict_runner.evidence import account as accounts
from verdict_runner.evidence import budget, engines
from verdict_runner.evidence.account.stated import Stated
from verdict_runner.evidence.budget import OutOfTime, bounded
from verdict_runner.evidence.engines import Engine, engine_for
from verdict_runner.evidence.finding import CONFIRMED, OPEN, Finding, Probed, ProbeRequest, Request, refuted, undecided
from verdict_runner.evidence.finite import amounts, plans, search
from verdict_runner.evidence.finite.form import Form
from verdict_runner.evidence.finite.meaning import Meaning, Node, Unknown
from verdict_runner.evidence.finite.search import value_of
from verdict_runner.evidence.finite.terms import Number, Truth
from verdict_runner.evidence.questions.ask import Question, asked, asked_of_plan
from verdict_runner.evidence.questions.shape import Shape
from verdict_runner.evidence.questions.space import Open
from verdict_runner.evidence.questions.with_z3 import Z3Space
from verdict_runner.evidence.relax import AMOUNT_MAX, Relaxed, least
from verdict_runner.evidence.shown import Shown
from verdict_runner.protocol import values as json_values
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Task

# The share of the time allotted to reading a model for a question about all solutions.
READING_SHARE = 0.3


def check(request: Request, until: float) -> Finding:
    """Whether the form supports the status and, if claimed, an optimum or a complete list of solutions."""
    form = Form.read(request.evidence)
    try:
        return _check(form, request, until)
    except Unknown as unknown:
        return undecided(f"it has a constraint that the second check does not know ({unknown})")
    except OutOfTime:
        return undecided("the time ran out")


def _check(form: Form, request: Request, until: float) -> Finding:
    seconds = budget.second(form.seconds, request.check)
    if request.status == "unsat":
        return _decided(form, [], seconds, until)
    values = [value_of(form, each, until) for each in form.solutions]
    if not values or None in values:
        return refuted("its values do not satisfy its constraints")
    if len({tuple(each) for each in form.solutions}) < len(form.solutions):
        return refuted("a solution is listed twice")
    if not form.is_best and not form.are_all:
        return CONFIRMED
    if form.is_best:
        more = [form.better(values[0])]
    else:
        more = [["or", [["!=", ["v", i], v] for i, v in enumerate(each)]] for each in form.solutions]
    return Finding("confirmed", optimum=_decided(replace(form, core=[]), more, seconds, until))


def _decided(form: Form, more: Sequence[Node], share: float, until: float) -> Finding:
    """Whether no other solution exists: asks a second engine within its share of the time, or else the first one
    again."""
    first = engine_for(form, engines.FIRST)
    second = _timed(form, more, share, until - budget.kept_for_first(form.seconds, until))
    if second.verdict != "open" or first is None:
        return second
    try:
        again = _no_other(form, more, until, until, first)
    except (OutOfTime, Unknown):
        return second
    if again.verdict == "open" or form.engine not in ("", first.name):
        return second if again.verdict == "open" else again
    return replace(again, by=[], reason=again.reason or second.reason, seconds=second.seconds)


def _timed(form: Form, more: Sequence[Node], share: float, until: float) -> Finding:
    """Asks a second engine, and asks it again if a busy machine gave it less processor time than its share."""
    engine = engine_for(form, engines.SECOND)
    assert engine is not None
    begun, processor_begun = time.monotonic(), time.process_time()
    end = min(until, begun + budget.TIMES_LONGER_MAX * share)
    seconds = share
    while True:
        soon = min(end, time.monotonic() + seconds)
        try:
            finding = _no_other(form, more, soon, until, engine)
        except OutOfTime:
            finding = undecided(f"{engine.words} did not decide it in its share of the time")
        except Unknown as unknown:
            return undecided(f"it has a constraint that {engine.words} does not know ({unknown})")
        used, took = time.process_time() - processor_begun, time.monotonic() - begun
        if finding.verdict != "open" or soon >= end or used >= budget.ENOUGH * share:
            return replace(finding, seconds=round(took, 3))
        seconds = (share - used) * min(budget.TIMES_LONGER_MAX, took / max(used, 0.001))


def _no_other(form: Form, more: Sequence[Node], soon: float, until: float, engine: Engine) -> Finding:
    """Whether no solution also satisfies the additional constraints; uses only the core if the answer contains one.

    The engine must finish by `soon`, and the exact check of its values by `until`. Raises `OutOfTime` and `Unknown`.
    """
    with bounded(soon):
        solution = engine.solution(form, more, soon)
    if solution is None:
        return Finding("confirmed", by=[engine.name])
    if form.core:
        # The core has a solution, which says nothing about the whole problem.
        return _no_other(replace(form, core=[]), more, soon, until, engine)
    number = value_of(form.stated(more), solution, until)
    if number is None:
        return undecided(f"{engine.words} returned values that do not satisfy the constraints")
    where = f"{engine.words} found values that satisfy all constraints"
    value = None if form.objective is None else Fraction(number, form.scale)
    shown = shown_values(form, solution, value, until)
    if form.is_best:
        return refuted(f"{where} with the objective {value}", by=[engine.name], solution=shown)
    return refuted(f"{where} and that are not listed" if more else where, by=[engine.name], solution=shown)


def shown_values(
    form: Form, solution: Sequence[int], objective: Fraction | None, until: float
) -> Mapping[str, Json] | None:
    """A solution under the answer's names; None if these are unknown or time is up. The solution still counts."""
    if not form.named.shape.named:
        return None
    meaning = Meaning(solution, until)
    leaves: list[Json] = []
    try:
        for node, is_truth in form.named.leaves:
            meant = meaning.truth(node) if is_truth else meaning.number(node)
            if not isinstance(meant, int):
                return None
            leaves.append(meant if is_truth else json_values.number(meant))
        if meaning.undefined_outside() is not True:
            return None
    except (OutOfTime, Unknown):
        return None
    value = None if objective is None else json_values.decimal(objective)
    return {"values": form.named.shape.filled(leaves), "objective": value}


def account(problem: Fields, shown: Shown, until: float) -> Mapping[str, Json]:
    """Builds the account of the form that accompanies the verdict."""

    def read() -> Stated:
        form = Form.read(problem)
        values = form.solutions[0] if form.solutions else []
        return Stated(form.domains, form.constraints, shown, form.objective, values, form.scale)

    return accounts.of(read, until)


# ---- Parts of a form, for `why`.


def probe(request: ProbeRequest, until: float) -> Probed:
    """Whether the form has a solution if these lines are kept; for an optimum, whether it has a better one."""
    form = Form.read(request.problem)
    try:
        kept = [form.constraints[index] for index in sorted(request.kept(len(form.constraints)))]
        goal, more = _goal(form, request, until)
        problem = replace(goal, constraints=[*kept, *more], core=[])
        solution = search.solution(problem, until)
        if solution is None:
            return Probed("unsat")
        return OPEN if value_of(problem, solution, until) is None else Probed("sat")
    except (OutOfTime, Unknown):
        return OPEN


def _goal(form: Form, request: ProbeRequest, until: float) -> tuple[Form, Sequence[Node]]:
    """Returns the form and additional requirements on a solution: a plan's values, or a better objective.

    Raises `OutOfTime` if the values to be improved do not satisfy the form.
    """
    if request.plan is not None and request.space is not None:
        return Form.read(request.space), _values_of_plan(request.plan, request.space)
    if not form.is_best:
        return form, []
    value = value_of(form, form.solutions[0], until)
    if value is None:
        raise OutOfTime
    return form, [form.better(value)]


def _values_of_plan(plan: Mapping[str, object], space: Fields) -> list[Node]:
    """Constraints that fix the named values to those of a plan, which has already been checked."""
    leaves = Form.read(space).named.leaves or json.loads(space.text("leaves"))
    given, _ = Shape.read(Fields(space.any("shape"))).matched(plan)
    nodes: list[Node] = []
    for at, value in given:
        node, is_truth = leaves[at]
        number = int(str(int(value) if isinstance(value, bool) else value))
        nodes.append(["==", node, number] if not is_truth else node if number else ["not", node])
    return nodes


def relax(request: ProbeRequest, until: float) -> Relaxed:
    """How much these lines' comparisons must be relaxed to allow a solution, or for an optimum, a better one."""
    form = Form.read(request.problem)
    try:
        goal, more = _goal(form, request, until)
        given = [
            amounts.given(goal, form.constraints, request.groups[group], i) for i, group in enumerate(request.subset)
        ]
        if None in given:
            return Relaxed()
        constraints = list(form.constraints)
        for each in given:
            for index, node in (each or {}).items():
                constraints[index] = node
        first, count = len(goal.domains), len(given)
        domains = [*goal.domains, *([0, AMOUNT_MAX] for _ in given)]
        all_amounts: Node = ["sum", [["v", first + i] for i in range(count)]]

        def find(limit: int) -> Sequence[int] | None:
            stated = [*constraints, *more, ["<=", all_amounts, limit]]
            problem = replace(goal, domains=domains, constraints=stated, core=[])
            solution = search.solution(problem, until)
            if solution is None:
                return None
            if value_of(problem, solution, until) is None:
                raise OutOfTime
            return solution[first:]

        return least(find)
    except (OutOfTime, Unknown):
        return Relaxed()


# ---- Questions about all solutions.


def answer_question(question: Question, space: Fields, task: Task) -> Mapping[str, Json]:
    """Answers with Z3 by finding one solution after another, or with CP-SAT if the question is about keeping a plan."""
    if question.keep is not None and plans.is_here():
        kept = plans.FormPlans(Form.read(space), json.loads(space.text("leaves")), _confirms)
        # Forms that CP-SAT can't read are left to Z3.
        with contextlib.suppress(Unknown):
            return asked_of_plan(question, space, task, lambda: kept)
    return asked(question, space, task, lambda: _space(space, question, task.until))


def _confirms(form: Form, more: Sequence[Node], until: float) -> bool:
    """Whether no solution also satisfies these constraints, by the rule that `check` applies to an optimum."""
    seconds = budget.second(form.seconds, is_asked=False)
    return _decided(replace(form, is_best=True), more, seconds, until).verdict == "confirmed"


def _space(space: Fields, question: Question, until: float) -> Z3Space:
    form = Form.read(space)
    now = time.monotonic()
    until = now + READING_SHARE * (until - now)
    try:
        variables, formulas, objective = search.formulas_of(form, until)
        leaves = [_leaf(Meaning(variables, until), each) for each in json.loads(space.text("leaves"))]
        best = value_of(form, form.solutions[0], until) if form.solutions else None
    except Unknown as unknown:
        raise Open(f"it has a constraint that Verdict does not know ({unknown})") from unknown
    except OutOfTime:
        raise Open("the time ran out") from None
    stated = [z3.BoolVal(each) if isinstance(each, bool) else each for each in formulas]
    if objective is None:
        return Z3Space(stated, leaves, [])
    goal = z3.IntVal(objective) if isinstance(objective, int) else objective
    if question.is_of_all:
        own = goal if form.scale == 1 else z3.ToReal(goal) / form.scale
        return Z3Space(stated, leaves, [(own, not form.is_least)])
    if best is None:
        raise Open("the values of the optimum do not satisfy the constraints")
    return Z3Space([*stated, goal == best], leaves, [])


def _leaf(meaning: Meaning, leaf: object) -> z3.ExprRef:
    assert isinstance(leaf, list)
    node, is_truth = leaf
    meant: Number | Truth = meaning.truth(node) if is_truth else meaning.number(node)
    if meaning.undefined_outside() is not True:
        raise Open("one of the named values can be undefined")
    if isinstance(meant, bool):
        return z3.BoolVal(meant)
    return z3.IntVal(meant) if isinstance(meant, int) else meant
