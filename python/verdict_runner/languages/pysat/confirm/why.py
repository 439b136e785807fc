"""The question `why` about clauses: what each line states, and whether there is a solution without some of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver

from verdict_runner.languages import why
from verdict_runner.languages.pysat.confirm.evidence import Problem, Stated
from verdict_runner.languages.pysat.confirm.recheck import cost_of
from verdict_runner.languages.why import OPEN, Probed, ProbeRequest


def why_question(problem: Problem, items: Sequence[str], cost: object = None) -> Mapping[str, object]:
    """The clauses of a problem by line; with a cost, the question is whether a solution costs less."""
    places = [*problem.places[: problem.count]]
    if len(places) < problem.count:
        return {"problem": {"open": "the lines of its clauses are not known"}, "parts": []}
    return why.why_question(problem.evidence(cost), places, items)


def probe(request: ProbeRequest) -> Probed:
    """Whether the problem has a solution with these lines kept. It runs in a process that never ran the program."""
    if "open" in request.problem:
        return OPEN
    stated = Stated.read(request.problem)
    always = [*(stated.hard[index] for index in request.always(len(stated.hard))), *([x] for x in stated.assumptions)]
    groups = {index: [stated.hard[each] for each in request.groups[index]] for index in request.subset}
    return _by_labels(always, groups) if stated.cost is None else _cheaper(stated, stated.cost, always, groups)


def _by_labels(always: Sequence[Sequence[int]], groups: Mapping[int, Sequence[Sequence[int]]]) -> Probed:
    """Each kept line has a label, so that an unsat names the lines that it needs."""
    clauses = [*always, *(clause for group in groups.values() for clause in group)]
    top = max((abs(each) for clause in clauses for each in clause), default=0)
    labels = {index: top + 1 + number for number, index in enumerate(groups)}
    guarded = [[-labels[index], *clause] for index, group in groups.items() for clause in group]
    with Solver(name="cadical195", bootstrap_with=[*always, *guarded]) as solver:
        if solver.solve(assumptions=list(labels.values())):
            return Probed("sat") if _holds(clauses, solver.get_model() or []) else OPEN
        core = set(solver.get_core() or [])
    return Probed("unsat", [index for index, label in labels.items() if label in core])


def _cheaper(
    stated: Stated, cost: int, always: Iterable[Sequence[int]], groups: Mapping[int, Sequence[Sequence[int]]]
) -> Probed:
    hard = [*always, *(clause for group in groups.values() for clause in group)]
    formula = WCNF()
    formula.extend(hard)
    weighted = list(zip(stated.soft, stated.weights, strict=True))
    for clause, weight in weighted:
        formula.append(clause, weight=weight)
    with RC2(formula) as engine:
        model = engine.compute()
        if model is None or engine.cost >= cost:
            return Probed("unsat")
    return Probed("sat") if _holds(hard, model) and cost_of(weighted, {*model}) < cost else OPEN


def _holds(clauses: Iterable[Sequence[int]], model: Iterable[int]) -> bool:
    """Whether the model makes every clause true; a variable that it omits is false."""
    true = {*model}
    return all(any(each in true or (each < 0 and -each not in true) for each in clause) for clause in clauses)
