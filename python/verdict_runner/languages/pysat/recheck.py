"""Decides again what a program's process reported. It runs in a process of its own, which never runs a program."""

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver


def recheck(status, evidence):
    """Whether the evidence bears the status out: `confirmed`, `refuted` or `open` with the reason, and the same of an optimum."""
    if "open" in evidence:
        return {"verdict": "open", "reason": evidence["open"]}
    given = evidence["assumptions"] + (evidence["model"] or [])
    model = _model(evidence["hard"], given if status == "sat" else evidence["assumptions"])
    if status == "unsat":
        return (
            {"verdict": "confirmed"}
            if model is None
            else {"verdict": "refuted", "reason": "its clauses can hold together"}
        )
    if model is None:
        return {"verdict": "refuted", "reason": "its values do not satisfy its clauses"}
    if evidence["cost"] is None:
        return {"verdict": "confirmed"}
    return {"verdict": "confirmed", "optimum": _optimum(evidence, {*model, *given})}


def _model(clauses, assumptions):
    with Solver(name="cadical195", bootstrap_with=clauses) as solver:
        return solver.get_model() or [] if solver.solve(assumptions=assumptions) else None


def _optimum(evidence, true):
    weighted = list(zip(evidence["soft"], evidence["weights"], strict=True))
    # Variables of soft clauses alone that have no value may have any.
    true |= {-abs(each) for clause in evidence["soft"] for each in clause if true.isdisjoint((each, -each))}
    if sum(weight for clause, weight in weighted if not true.intersection(clause)) != evidence["cost"]:
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
