"""The terms of Z3's expressions, each once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import z3

# Terms that are looked at, of all expressions together.
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
    """Whether an expression contains nothing that a solver decides, so that its value was fixed before."""
    return all(z3.is_app(each) and not is_open(each) for each in terms([expression]))


def is_open(term: z3.ExprRef) -> bool:
    """Whether a term is an application of something that a solver decides; models also contain constants as values."""
    declaration = term.decl()
    return declaration.kind() == z3.Z3_OP_UNINTERPRETED and "!val!" not in declaration.name()


# Why no unsat counts where floats are made of other numbers.
FLOATS_MADE = (
    "Z3 answered unsat, but it is known to lose solutions where a Real or Int that is no constant becomes a float"
    " (fpRealToFP, fpToFP); use floats or bit-vectors from the start, such as fpSignedToFP(RNE(), BitVec('x', 64), Float64()), which is exact"
)


def makes_floats(expressions: Iterable[z3.ExprRef]) -> bool:
    """Whether a real or whole number that is no constant becomes a float: Z3 says unsat of such problems that have solutions."""
    return any(
        z3.is_app(term) and term.decl().kind() == z3.Z3_OP_FPA_TO_FP and any(map(_is_variable, term.children()[1:]))
        for term in terms(expressions)
    )


def _is_variable(number: z3.ExprRef) -> bool:
    return isinstance(number, z3.ArithRef) and not z3.is_rational_value(number) and not z3.is_int_value(number)


# How a program names the operators below, in Python or in SMT-LIB.
MISCOMPUTED_NAMES = re.compile(r"fma|roundToIntegral|LastIndexOf|last_indexof|FiniteSet|Singleton|set\.", re.IGNORECASE)


def miscomputed(expressions: Iterable[z3.ExprRef]) -> str | None:
    """What Z3 5.1 computes wrongly in these expressions: neither its sat nor its unsat can be believed. None if it is nothing known."""
    for term in terms(expressions):
        kind = term.decl().kind() if z3.is_app(term) else None
        if kind == z3.Z3_OP_FPA_FMA and isinstance(term, z3.FPRef) and term.sbits() == 3:
            return "fpFMA of floats whose significand has 3 bits; multiply and add in a sort that has both results exactly, and round once with fpFPToFP"
        if kind == z3.Z3_OP_FPA_ROUND_TO_INTEGRAL and isinstance(term, z3.FPRef) and term.ebits() == 2:
            return "fpRoundToIntegral of floats whose exponent has 2 bits; compute in a wider sort, to which fpFPToFP converts exactly"
        if term.sort().sexpr().startswith("(FiniteSet "):
            return "finite sets; use SetSort, or a Bool for each possible element, counted with Sum(If(b, 1, 0) …)"
        # Z3 has no kind of its own for it.
        is_last_index = kind != z3.Z3_OP_UNINTERPRETED and z3.is_app(term) and term.decl().name() == "seq.last_indexof"
        if is_last_index and not z3.is_string(term.arg(0)):
            return "LastIndexOf of sequences that are no strings; state an occurrence with Concat, and with Contains that there is none behind it"
    return None
