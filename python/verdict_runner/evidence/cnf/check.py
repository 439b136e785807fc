"""Rechecks answers about clauses: models by evaluation, `unsat` by CaDiCaL with a proof, optima by RC2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver

from verdict_runner.evidence.cnf import proof
from verdict_runner.evidence.cnf.count import answer_question
from verdict_runner.evidence.cnf.problem import Stated, cost_in_smtlib, in_smtlib
from verdict_runner.evidence.finding import (
    CONFIRMED,
    OPEN,
    Finding,
    Probed,
    ProbeRequest,
    Request,
    refuted,
    to_be_asked,
)
from verdict_runner.evidence.shown import Shown
from verdict_runner.protocol.messages import Fields, Json

# A solver from a different family than CaDiCaL, the default checker.
OTHER_SOLVER = "glucose4"
# The maximum number of violated soft clauses shown, and the maximum length of each.
TERMS_MAX, TERM_CHARS_MAX = 10, 100

__all__ = ["account", "answer_question", "check", "probe"]


def check(request: Request, _until: float) -> Finding:
    """Whether the clauses support the status and the optimum; only the job's time limit bounds the check."""
    stated = Stated.read(request.evidence)
    if request.other:
        return _other(stated, request.status)
    if request.status == "unsat":
        written = proof.refute(_assumed(stated))
        return refuted("its clauses are satisfiable") if written is None else Finding("confirmed", proof=written)
    # The solver's model, and the models shown in the answer.
    assignments = [[*stated.assumptions, *each] for each in (stated.model or [], *stated.exported)]
    if stated.cost is None and all(_is_model(stated.hard, {*each}) for each in assignments):
        return CONFIRMED
    models = models_under(stated.hard, assignments)
    solutions = [{*model, *each} for model, each in zip(models, assignments, strict=True) if model is not None]
    if len(solutions) < len(models):
        return refuted("its values do not satisfy its clauses")
    if stated.cost is None:
        return CONFIRMED
    if any(_cost(stated, each) != stated.cost for each in solutions):
        wrong = refuted("its values have a different cost")
        return Finding("confirmed", optimum=wrong) if stated.is_least else wrong
    if not stated.is_least:
        return CONFIRMED
    return Finding("confirmed", optimum=_optimum(stated))


def _assumed(stated: Stated) -> list[Sequence[int]]:
    """The clauses, with the assumptions added as clauses."""
    return [*stated.hard, *([each] for each in stated.assumptions)]


def _other(stated: Stated, status: str) -> Finding:
    """Checks an `unsat` with a solver from a different family; for an optimum, asks whether a better one exists."""
    if status == "sat":
        return to_be_asked(_better(stated))
    with Solver(name=OTHER_SOLVER, bootstrap_with=_assumed(stated)) as solver:
        if solver.solve():
            return refuted("its clauses are satisfiable", by=[OTHER_SOLVER])
    return Finding("confirmed", by=[OTHER_SOLVER])


def _better(stated: Stated) -> str:
    """Writes the question whether a solution costs less than the claimed optimum."""
    lines = in_smtlib(_assumed(stated), chain.from_iterable(stated.soft))
    return "\n".join([*lines, f"(assert (< {cost_in_smtlib(stated.soft, stated.weights)} {stated.cost}))"])


def models_under(clauses: Sequence[Sequence[int]], all_assumptions: Sequence[Sequence[int]]) -> list[list[int] | None]:
    """For each list of assumptions, returns a model of the clauses, or None if there is none."""
    with Solver(name="cadical195", bootstrap_with=clauses) as solver:
        return [solver.get_model() or [] if solver.solve(assumptions=each) else None for each in all_assumptions]


def _is_model(clauses: Sequence[Sequence[int]], true: set[int]) -> bool:
    """Whether these literals satisfy each clause and no literal occurs with its negation; needs no solver."""
    return true.isdisjoint([-each for each in true]) and not any(map(true.isdisjoint, clauses))


def _cost(stated: Stated, true: set[int]) -> float:
    return cost_of(list(zip(stated.soft, stated.weights, strict=True)), true)


def _optimum(evidence: Stated) -> Finding:
    formula = WCNF()
    formula.extend(evidence.hard)
    for clause, weight in zip(evidence.soft, evidence.weights, strict=True):
        formula.append(clause, weight=weight)
    with RC2(formula) as engine:
        engine.compute()
        best = engine.cost
    return CONFIRMED if best == evidence.cost else refuted(f"the least cost is {best}")


def cost_of(weighted: Sequence[tuple[Sequence[int], float]], true: set[int]) -> float:
    """The total weight of the violated soft clauses."""
    # Unassigned variables that occur only in soft clauses can have any value.
    true = true | {-abs(each) for clause, _ in weighted for each in clause if true.isdisjoint((each, -each))}
    return sum(weight for clause, weight in weighted if not true.intersection(clause))


def account(problem: Fields, shown: Shown, _until: float) -> Mapping[str, Json]:
    """Lists the violated soft clauses, most expensive first."""
    stated = Stated.read(problem)
    true = {*(stated.model or [])}
    broken = [
        (weight, clause) for weight, clause in zip(stated.weights, stated.soft) if cost_of([(clause, weight)], true)
    ]
    if stated.cost is None or sum(weight for weight, _ in broken) != stated.cost:
        return {}
    broken.sort(key=lambda each: -each[0])
    terms: list[Json] = [
        {"term": f"broken: {_words(clause, shown)}", "weight": weight, "value": 1, "cost": weight}
        for weight, clause in broken[:TERMS_MAX]
    ]
    rest = sum(weight for weight, _ in broken[TERMS_MAX:])
    more: list[Json] = [{"term": f"{len(broken) - TERMS_MAX} more", "cost": rest}] if rest else []
    return {"terms": [*terms, *more]}


def _words(clause: Iterable[int], shown: Shown) -> str:
    names = [f"{'' if each > 0 else 'not '}{shown.names.get(abs(each), abs(each))}" for each in clause]
    return " or ".join(names)[:TERM_CHARS_MAX]


# ---- Parts of the clauses, for `why`.


def probe(request: ProbeRequest, _until: float) -> Probed:
    """Whether the problem has a solution if these lines are kept."""
    stated = Stated.read(request.problem)
    always = [*(stated.hard[index] for index in request.always(len(stated.hard))), *([x] for x in stated.assumptions)]
    groups = {index: [stated.hard[each] for each in request.groups[index]] for index in request.subset}
    return _by_labels(always, groups) if stated.cost is None else _cheaper(stated, stated.cost, always, groups)


def _by_labels(always: Sequence[Sequence[int]], groups: Mapping[int, Sequence[Sequence[int]]]) -> Probed:
    """Labels each kept line so that an `unsat` core identifies the lines that conflict."""
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
    """Whether the model satisfies every clause; omitted variables are false."""
    true = {*model}
    return all(any(each in true or (each < 0 and -each not in true) for each in clause) for clause in clauses)
