"""Decides again what a program's process reported. It runs in a separate process, which never runs a program."""

from __future__ import annotations

from collections.abc import Sequence

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver

from verdict_runner.languages.answer import CONFIRMED, Finding, RecheckRequest, refuted, to_be_asked, undecided
from verdict_runner.languages.pysat.confirm import proof, smtlib
from verdict_runner.languages.pysat.confirm.evidence import Stated

# Of another family than CaDiCaL, which checks otherwise.
OTHER_SOLVER = "glucose4"


def recheck(request: RecheckRequest) -> Finding:
    """Whether the evidence supports the status, and the optimum."""
    if "open" in request.evidence:
        return undecided(request.evidence.text("open"))
    stated = Stated.read(request.evidence)
    if request.other:
        return _other(stated, request.status)
    if request.status == "unsat":
        written = proof.refute(_assumed(stated))
        return refuted("its clauses are satisfiable") if written is None else Finding("confirmed", proof=written)
    # The model that the solver found, and those that the answer shows.
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
        wrong = refuted("its values have another cost")
        return Finding("confirmed", optimum=wrong) if stated.is_least else wrong
    if not stated.is_least:
        return CONFIRMED
    return Finding("confirmed", optimum=_optimum(stated))


def _assumed(stated: Stated) -> list[Sequence[int]]:
    """The clauses with the assumptions among them."""
    return [*stated.hard, *([each] for each in stated.assumptions)]


def _other(stated: Stated, status: str) -> Finding:
    """The word of a solver of another family for an unsat; for an optimum the question whether there is a better one."""
    if status == "sat":
        return to_be_asked(smtlib.better(stated))
    with Solver(name=OTHER_SOLVER, bootstrap_with=_assumed(stated)) as solver:
        if solver.solve():
            return refuted("its clauses are satisfiable", by=[OTHER_SOLVER])
    return Finding("confirmed", by=[OTHER_SOLVER])


def models_under(clauses: Sequence[Sequence[int]], all_assumptions: Sequence[Sequence[int]]) -> list[list[int] | None]:
    """A model under each of these assumptions, or None if there is none."""
    with Solver(name="cadical195", bootstrap_with=clauses) as solver:
        return [solver.get_model() or [] if solver.solve(assumptions=each) else None for each in all_assumptions]


def _is_model(clauses: Sequence[Sequence[int]], true: set[int]) -> bool:
    """Whether each clause has one of these literals, and no literal has its opposite among them: this needs no solver."""
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
    """The weights of the soft clauses that are not satisfied."""
    # Variables that occur only in soft clauses and have no value can have any.
    true = true | {-abs(each) for clause, _ in weighted for each in clause if true.isdisjoint((each, -each))}
    return sum(weight for clause, weight in weighted if not true.intersection(clause))
