"""The terms of Z3's expressions, each once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import z3

# The number of terms visited, over all expressions.
TERMS_MAX = 200_000


def terms(expressions: Iterable[z3.ExprRef], seen: set[int] | None = None, bodies: bool = True) -> Iterator[z3.ExprRef]:
    """The expressions and their subexpressions, without those in `seen`.

    Bodies of quantifiers contain variables without a value.
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
    """Whether an expression contains nothing decided by a solver, so that its value was already fixed."""
    return all(z3.is_app(each) and not is_open(each) for each in terms([expression]))


def is_open(term: z3.ExprRef) -> bool:
    """Whether a term applies something decided by a solver; models also contain constants as values."""
    declaration = term.decl()
    return declaration.kind() == z3.Z3_OP_UNINTERPRETED and "!val!" not in declaration.name()


def or_elsewhere(expressions: Iterable[z3.ExprRef]) -> str:
    """A phrase that names languages with faster solvers, for constraints over numbers and truth values only."""
    of_numbers = (z3.Z3_INT_SORT, z3.Z3_REAL_SORT, z3.Z3_BOOL_SORT)
    for term in terms(expressions):
        if term.sort().kind() not in of_numbers or not z3.is_app(term) or (is_open(term) and term.num_args()):
            return ""
    return ", or state it in the language minizinc with solver highs (sums), or in the language cpmpy (whole numbers)"


# How a program names finite sets, in Python or in SMT-LIB.
FINITE_SETS = re.compile(r"FiniteSet|Singleton|set\.")


def has_finite_sets(expressions: Iterable[z3.ExprRef]) -> bool:
    """Whether a term is one of Z3's finite sets: Z3 5.4 answers `unsat` where two empty sets are a solution."""
    return any(term.sort().sexpr().startswith("(FiniteSet ") for term in terms(expressions))
