"""Decides again what a program's process reported. It runs in a separate process, which never runs a program."""

from __future__ import annotations

from collections.abc import Sequence

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver

from verdict_runner.languages.answer import CONFIRMED, Finding, RecheckRequest, refuted, undecided
from verdict_runner.languages.pysat.confirm.evidence import Stated


def recheck(request: RecheckRequest) -> Finding:
    """Whether the evidence supports the status, and the optimum."""
    if "open" in request.evidence:
        return undecided(request.evidence.text("open"))
    stated = Stated.read(request.evidence)
    if request.status == "unsat":
        held = _models(stated.hard, [stated.assumptions])
        return CONFIRMED if held == [None] else refuted("its clauses are satisfiable")
    # The model that the solver found, and those that the answer shows.
    given = [[*stated.assumptions, *each] for each in (stated.model or [], *stated.exported)]
    models = _models(stated.hard, given)
    solutions = [{*model, *each} for model, each in zip(models, given, strict=True) if model is not None]
    if len(solutions) < len(models):
        return refuted("its values do not satisfy its clauses")
    if stated.cost is None:
        return CONFIRMED
    return Finding("confirmed", optimum=_optimum(stated, solutions))


def _models(clauses: Sequence[Sequence[int]], all_assumptions: Sequence[Sequence[int]]) -> list[list[int] | None]:
    """A model under each of these assumptions, or None if there is none."""
    with Solver(name="cadical195", bootstrap_with=clauses) as solver:
        return [solver.get_model() or [] if solver.solve(assumptions=each) else None for each in all_assumptions]


def _optimum(evidence: Stated, solutions: Sequence[set[int]]) -> Finding:
    weighted = list(zip(evidence.soft, evidence.weights, strict=True))
    if any(_cost(weighted, each) != evidence.cost for each in solutions):
        return refuted("its values have another cost")
    formula = WCNF()
    formula.extend(evidence.hard)
    for clause, weight in weighted:
        formula.append(clause, weight=weight)
    with RC2(formula) as engine:
        engine.compute()
        best = engine.cost
    return CONFIRMED if best == evidence.cost else refuted(f"the least cost is {best}")


def _cost(weighted: Sequence[tuple[Sequence[int], int]], true: set[int]) -> int:
    # Variables that occur only in soft clauses and have no value can have any.
    true = true | {-abs(each) for clause, _ in weighted for each in clause if true.isdisjoint((each, -each))}
    return sum(weight for clause, weight in weighted if not true.intersection(clause))
