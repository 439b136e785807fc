"""Clauses as SMT-LIB, for an engine that is no SAT solver."""

from __future__ import annotations

from collections.abc import Sequence

from verdict_runner.languages.pysat.confirm.evidence import Stated


def better(stated: Stated) -> str:
    """The question whether the soft clauses can be violated for less than the stated cost; a solution is a better one."""
    clauses = [*stated.hard, *([each] for each in stated.assumptions)]
    variables = sorted({abs(each) for clause in (*clauses, *stated.soft) for each in clause})
    weighted = zip(stated.soft, stated.weights, strict=True)
    costs = " ".join(f"(ite {_clause(clause)} 0 {weight})" for clause, weight in weighted)
    return "\n".join(
        [
            *(f"(declare-const v{each} Bool)" for each in variables),
            *(f"(assert {_clause(clause)})" for clause in clauses),
            f"(assert (< (+ 0 0 {costs}) {stated.cost}))",
        ]
    )


def _clause(literals: Sequence[int]) -> str:
    """A disjunction; `false` in it, so that it has at least two parts."""
    return f"(or false false {' '.join(f'v{each}' if each > 0 else f'(not v{-each})' for each in literals)})"
