"""Decides again what a program's process reported. It runs in a process of its own, which never runs a program."""

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver


def recheck(status, evidence):
    """Whether the evidence bears the status out: `confirmed`, `refuted` or `open` with the reason, and the same of an optimum."""
    if "open" in evidence:
        return {"verdict": "open", "reason": evidence["open"]}
    assumed = evidence["assumptions"]
    if status == "unsat":
        return (
            {"verdict": "confirmed"}
            if _models(evidence["hard"], [assumed]) == [None]
            else {"verdict": "refuted", "reason": "its clauses can hold together"}
        )
    # The model that the solver found, and those that the answer shows.
    given = [assumed + each for each in (evidence["model"] or [], *evidence.get("exported", ()))]
    models = _models(evidence["hard"], given)
    if None in models:
        return {"verdict": "refuted", "reason": "its values do not satisfy its clauses"}
    if evidence["cost"] is None:
        return {"verdict": "confirmed"}
    solutions = [{*model, *each} for model, each in zip(models, given, strict=True)]
    return {"verdict": "confirmed", "optimum": _optimum(evidence, solutions)}


def _models(clauses, all_assumptions):
    """A model under each of these assumptions, None where there is none."""
    with Solver(name="cadical195", bootstrap_with=clauses) as solver:
        return [solver.get_model() or [] if solver.solve(assumptions=each) else None for each in all_assumptions]


def _optimum(evidence, solutions):
    weighted = list(zip(evidence["soft"], evidence["weights"], strict=True))
    if any(_cost(weighted, each) != evidence["cost"] for each in solutions):
        return {"verdict": "refuted", "reason": "its values have another cost"}
    formula = WCNF()
    formula.extend(evidence["hard"])
    for clause, weight in weighted:
        formula.append(clause, weight=weight)
    with RC2(formula) as engine:
        engine.compute()
        best = engine.cost
    return (
        {"verdict": "confirmed"}
        if best == evidence["cost"]
        else {"verdict": "refuted", "reason": f"the least cost is {best}"}
    )


def _cost(weighted, true):
    # Variables of soft clauses alone that have no value may have any.
    true = true | {-abs(each) for clause, _ in weighted for each in clause if true.isdisjoint((each, -each))}
    return sum(weight for clause, weight in weighted if not true.intersection(clause))
