"""The question `why` about constraints of `cpmpy` and `ortools`: is there a solution without those of some lines?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from verdict_runner.languages import why
from verdict_runner.languages.cp import confirm
from verdict_runner.languages.cp.form import Form
from verdict_runner.languages.cp.meaning import Node, OutOfTime, Unknown
from verdict_runner.languages.why import OPEN, Place, Probed, ProbeRequest


def why_question(evidence: Mapping[str, object], places: Sequence[Place], items: Sequence[str]) -> Mapping[str, object]:
    """The constraints of a form by line; for an optimum, the question is whether another solution is better."""
    return why.why_question(evidence, places, items)


def probe(request: ProbeRequest, until: float) -> Probed:
    """Whether the form has a solution with these lines kept. It runs in a process that never ran the program."""
    if "open" in request.problem:
        return OPEN
    form = Form.read(request.problem)
    try:
        indices = {
            *request.always(len(form.constraints)),
            *(each for index in request.subset for each in request.groups[index]),
        }
        constraints = [form.constraints[index] for index in sorted(indices)]
        problem = replace(form, constraints=[*constraints, *_better(form, until)], core=[])
        solution = confirm.solution(problem, until)
        if solution is None:
            return Probed("unsat")
        return OPEN if confirm.value_of(problem, solution, until) is None else Probed("sat")
    except (OutOfTime, Unknown):
        return OPEN


def _better(form: Form, until: float) -> list[Node]:
    """That the objective is better than at the solution that is called the best one."""
    if not form.is_best:
        return []
    value = confirm.value_of(form, form.solutions[0], until)
    if value is None:
        raise OutOfTime
    return [["<", form.objective, value] if form.is_least else ["<", value, form.objective]]
