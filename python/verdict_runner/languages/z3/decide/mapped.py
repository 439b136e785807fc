"""Decides equations between mapped arrays and sets: Z3 5.4 does not evaluate them, and has returned wrong `sat`
answers for them."""

from __future__ import annotations

import z3

from verdict_runner.evidence.smt.solvers import check
from verdict_runner.evidence.smt.terms import terms

SECONDS_MAX = 1.0
MAPS = frozenset(
    (z3.Z3_OP_ARRAY_MAP, z3.Z3_OP_SET_UNION, z3.Z3_OP_SET_INTERSECT, z3.Z3_OP_SET_DIFFERENCE)
    + (z3.Z3_OP_SET_COMPLEMENT, z3.Z3_OP_SET_SUBSET)
)


def has_maps(term: z3.ExprRef) -> bool:
    """Whether a term applies a function to whole arrays."""
    return any(z3.is_app(each) and each.decl().kind() in MAPS for each in terms([term]))


def settled(term: z3.ExprRef, seconds: float) -> z3.BoolRef | None:
    """Decides a term without unknowns by comparing arrays index by index; None if this takes too long."""
    by_index = z3.substitute(term, *((each, _at_each_index(each)) for each in terms([term]) if _compares(each)))
    if check([by_index], seconds) == z3.unsat:
        return z3.BoolVal(False)
    return z3.BoolVal(True) if check([z3.Not(by_index)], seconds) == z3.unsat else None


def _compares(term: z3.ExprRef) -> bool:
    if not z3.is_app(term) or term.num_args() != 2 or not isinstance(term.arg(0).sort(), z3.ArraySortRef):
        return False
    return term.decl().kind() in (z3.Z3_OP_EQ, z3.Z3_OP_SET_SUBSET, z3.Z3_OP_DISTINCT)


def _at_each_index(term: z3.ExprRef) -> z3.BoolRef:
    # Either side may be a lambda, which is not an ArrayRef.
    one, other = term.children()
    sort = one.sort()
    if not isinstance(sort, z3.ArraySortRef):
        raise TypeError("only arrays are compared at each index")
    index = z3.FreshConst(sort.domain(), "index")
    at_one, at_other = z3.Select(one, index), z3.Select(other, index)
    kind = term.decl().kind()
    if kind == z3.Z3_OP_SET_SUBSET:
        return z3.ForAll([index], z3.Implies(at_one, at_other))
    same = z3.ForAll([index], at_one == at_other)
    return z3.Not(same) if kind == z3.Z3_OP_DISTINCT else same
