"""Hands a model over to a process that answers a question about all of its solutions, and reads it there for Z3."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

import z3

from verdict_runner.languages.answer import RecheckRequest
from verdict_runner.languages.cp import confirm
from verdict_runner.languages.cp.form import Form, Named
from verdict_runner.languages.cp.meaning import Meaning, OutOfTime, Unknown
from verdict_runner.languages.cp.terms import Number, Truth
from verdict_runner.languages.questions.ask import Question, asked
from verdict_runner.languages.questions.space import Open
from verdict_runner.languages.questions.with_z3 import Z3Space
from verdict_runner.protocol.messages import Fields
from verdict_runner.protocol.runner import Task

# Reading a model for Z3 gets this share of the time.
READING_SHARE = 0.3


def answer(
    task: Task, question: Question | None, first: confirm.Engine, instead: confirm.Instead = confirm.NO_OTHER
) -> Mapping[str, object]:
    """What a process that runs no program is for: a question about all solutions, or the check of an answer."""
    if question is not None:
        return asked(question, task, lambda space: _space(space, question, task.until))
    return confirm.recheck(RecheckRequest.read(task.request or {}), task.until, first, instead).data()


def handed_over(form: Mapping[str, object], named: Named) -> dict[str, object]:
    """A model with the values that the answer names."""
    return {**form, "leaves": json.dumps([list(each) for each in named.leaves]), "shape": named.shape.data()}


def _space(space: Fields, question: Question, until: float) -> Z3Space:
    if "open" in space:
        raise Open(space.text("open"))
    form = Form.read(space)
    now = time.monotonic()
    until = now + READING_SHARE * (until - now)
    try:
        variables, formulas, objective = confirm.formulas_of(form, until)
        leaves = [_leaf(Meaning(variables, until), each) for each in json.loads(space.text("leaves"))]
        best = confirm.value_of(form, form.solutions[0], until) if form.solutions else None
    except Unknown as unknown:
        raise Open(f"it has a constraint that Verdict does not know ({unknown})") from unknown
    except OutOfTime:
        raise Open("the time ran out") from None
    stated = [_formula(each) for each in formulas]
    if objective is None:
        return Z3Space(stated, leaves, [])
    goal = z3.IntVal(objective) if isinstance(objective, int) else objective
    if question.kind == "k_best":
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
    return _term(meant)


def _formula(truth: Truth) -> z3.BoolRef:
    return z3.BoolVal(truth) if isinstance(truth, bool) else truth


def _term(value: Number | Truth) -> z3.ExprRef:
    if isinstance(value, bool):
        return z3.BoolVal(value)
    return z3.IntVal(value) if isinstance(value, int) else value
