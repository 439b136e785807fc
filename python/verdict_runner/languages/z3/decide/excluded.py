"""Determines how a constraint that a program added excludes the solution that its solver found last."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import z3

from verdict_runner.evidence.smt.terms import is_ground, is_open
from verdict_runner.languages import searches
from verdict_runner.languages.searches import Excluded

LESS = (z3.Z3_OP_LT, z3.Z3_OP_ULT, z3.Z3_OP_SLT)
AT_MOST = (z3.Z3_OP_LE, z3.Z3_OP_ULEQ, z3.Z3_OP_SLEQ)
GREATER = (z3.Z3_OP_GT, z3.Z3_OP_UGT, z3.Z3_OP_SGT)
AT_LEAST = (z3.Z3_OP_GE, z3.Z3_OP_UGEQ, z3.Z3_OP_SGEQ)
NAMES = {
    z3.Z3_OP_NOT: "not",
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_IMPLIES: "implies",
    z3.Z3_OP_EQ: "==",
    **dict.fromkeys((*LESS, *GREATER), "<"),
    **dict.fromkeys((*AT_MOST, *AT_LEAST), "<="),
}


def excluded(constraint: object, model: z3.ModelRef) -> Excluded | None:
    """Returns how a constraint excludes this solution by the values of terms; None for any other constraint."""
    if not isinstance(constraint, z3.BoolRef) or not z3.is_false(model.eval(constraint, model_completion=True)):
        return None
    return searches.excluded(_Reader(model), constraint)


class _Reader:
    def __init__(self, model: z3.ModelRef) -> None:
        self._model = model

    def shape(self, term: z3.ExprRef) -> tuple[str, Sequence[z3.ExprRef]]:
        if not z3.is_app(term):
            return "", ()
        kind, parts = term.decl().kind(), term.children()
        if z3.is_distinct(term) and len(parts) == 2:
            return "!=", parts
        if z3.is_const(term) and is_open(term):
            return "literal", ()
        return NAMES.get(kind, ""), parts[::-1] if kind in (*GREATER, *AT_LEAST) else parts

    def key(self, term: z3.ExprRef) -> Hashable:
        return term.get_id()

    def is_constant(self, term: z3.ExprRef) -> bool:
        return is_ground(term)

    def is_truth(self, term: z3.ExprRef) -> bool:
        return z3.is_bool(term)

    def is_next(self, term: z3.ExprRef, bound: z3.ExprRef, is_larger: bool, is_strict: bool) -> bool:
        if not isinstance(bound, (z3.ArithRef, z3.BitVecRef)) or (z3.is_real(bound) and not is_strict):
            return False
        last = bound if is_strict else bound - 1 if is_larger else bound + 1
        return z3.is_true(z3.simplify(self._model.eval(term, model_completion=True) == last))

    def is_furthest(self, term: z3.ExprRef, is_larger: bool) -> bool:
        # Programs exclude truth values of Z3 by Or(…) instead.
        return False

    def number(self, bound: z3.ExprRef) -> float | None:
        value = z3.simplify(bound)
        if z3.is_int_value(value):
            return float(value.as_long())
        return float(value.as_fraction()) if z3.is_rational_value(value) else None
