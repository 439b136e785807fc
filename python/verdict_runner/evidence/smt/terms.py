"""Traverses the terms in Z3 expressions, each once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import z3

# The maximum number of terms visited in all expressions together.
TERMS_MAX = 200_000


def terms(expressions: Iterable[z3.ExprRef], seen: set[int] | None = None, bodies: bool = True) -> Iterator[z3.ExprRef]:
    """Yields the expressions and their subexpressions, except those in `seen`.

    Quantifier bodies contain variables without a value.
    """
    waiting, seen = list(expressions), set() if seen is None else seen
    while waiting and len(seen) < TERMS_MAX:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        yield term
        if not z3.is_quantifier(term):
            waiting += term.children()
        elif bodies:
            waiting.append(term.body())


def is_ground(expression: z3.ExprRef) -> bool:
    """Whether an expression contains nothing that a solver decides, so that its value is already fixed."""
    return all(z3.is_app(each) and not is_open(each) for each in terms([expression]))


def is_open(term: z3.ExprRef) -> bool:
    """Whether a term applies a symbol that a solver interprets; constants that models use as values don't count."""
    declaration = term.decl()
    return declaration.kind() == z3.Z3_OP_UNINTERPRETED and "!val!" not in declaration.name()


def or_elsewhere(expressions: Iterable[z3.ExprRef]) -> str:
    """Suggests languages with faster solvers if the constraints use only numbers and truth values; else empty."""
    of_numbers = (z3.Z3_INT_SORT, z3.Z3_REAL_SORT, z3.Z3_BOOL_SORT)
    for term in terms(expressions):
        if term.sort().kind() not in of_numbers or not z3.is_app(term) or (is_open(term) and term.num_args()):
            return ""
    return ", or state it in the language minizinc with solver highs (sums), or in the language cpmpy (whole numbers)"


# Matches the names of finite sets in Python and in SMT-LIB.
FINITE_SETS = re.compile(r"FiniteSet|Singleton|set\.")


def has_finite_sets(expressions: Iterable[z3.ExprRef]) -> bool:
    """Whether a term is one of Z3's finite sets: Z3 5.4 answers `unsat` even if two empty sets are a solution."""
    return any(term.sort().sexpr().startswith("(FiniteSet ") for term in terms(expressions))


def same(one: z3.ExprRef, other: z3.ExprRef) -> z3.BoolRef:
    """Equality as in SMT-LIB: `==` on floats in Z3's Python is a different relation."""
    return z3.BoolRef(z3.Z3_mk_eq(one.ctx_ref(), one.as_ast(), other.as_ast()), one.ctx)
