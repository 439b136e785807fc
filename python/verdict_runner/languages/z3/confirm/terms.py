"""The terms of Z3's expressions, each once."""

from __future__ import annotations

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
