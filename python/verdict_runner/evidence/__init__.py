"""Checks whether an answer's claim about a problem is right, in a process that never ran a program.

A language records the problem that was solved, in one of four forms, and its engine's answer. The check here depends
only on the form, not on the language. docs/decisions/evidence.md explains the choice and its cost.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from verdict_runner.evidence.budget import ANSWER_SECONDS
from verdict_runner.evidence.finding import OPEN, Finding, ProbeRequest, Request, undecided
from verdict_runner.evidence.questions.ask import Question
from verdict_runner.evidence.relax import Relaxed
from verdict_runner.evidence.shown import Shown
from verdict_runner.protocol.messages import Fields, Malformed
from verdict_runner.protocol.runner import Task

# Maps each form's message field to the package that handles the form (`check`, `probe`, `answer_question`).
FORMS = {"form": "finite", "linear": "linear", "hard": "cnf", "clauses": "cnf", "smtlib": "smt"}

# The forms whose comparisons `relax` can loosen by an amount.
WITH_AMOUNTS = frozenset(["finite", "smt"])


def prepare(*modules: str) -> None:
    """Imports these forms' modules before any job runs, since jobs may read fewer files."""
    for each in modules:
        importlib.import_module(f"{__name__}.{each}")


def answer(task: Task) -> Mapping[str, object]:
    """Runs a job without a program: checks an answer, decides a part of its problem, or examines all solutions."""
    question, request, until = Question.of(task), dict(task.request or {}), task.until - ANSWER_SECONDS
    fields = Fields(request)
    if question is not None:
        space = Fields(fields.any("space"))
        if "open" in space:
            return {"over": [], "left_out": [], "reason": space.text("open")}
        return _decider(_form(space)).answer_question(question, space, task)
    probe = ProbeRequest.read(request)
    if probe is not None:
        return (_decider(_form(probe.problem)).probe(probe, until) if _is_stated(probe) else OPEN).data()
    relaxing = ProbeRequest.read(request, "relax")
    if relaxing is not None:
        has_amounts = _is_stated(relaxing) and _form(relaxing.problem) in WITH_AMOUNTS
        return (_decider(_form(relaxing.problem)).relax(relaxing, until) if has_amounts else Relaxed()).data()
    finding = check(Request.read(request), until)
    if finding.verdict != "confirmed" or not isinstance(request.get("account"), dict):
        return finding.data()
    problem, shown = Fields(fields.any("evidence")), Shown.read(Fields(fields.any("account")))
    return {**finding.data(), "account": _decider(_form(problem)).account(problem, shown, until)}


def check(request: Request, until: float) -> Finding:
    """Whether the problem supports the claim, including a claim of optimality or of a complete list of solutions."""
    problem = request.evidence
    return undecided(problem.text("open")) if "open" in problem else _decider(_form(problem)).check(request, until)


def _is_stated(request: ProbeRequest) -> bool:
    """Whether the problem was handed over; if there is a plan, also whether the problem's form supports plans."""
    return "open" not in request.problem and (request.plan is None or _form(request.problem) == "finite")


def _form(problem: Fields) -> str:
    for field, form in FORMS.items():
        if field in problem:
            return form
    raise Malformed("a problem has none of the forms")


def _decider(form: str) -> Any:  # noqa: ANN401
    return importlib.import_module(f"{__name__}.{form}.check")
