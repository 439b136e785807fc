"""The terms of Z3's expressions, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import z3

# Terms that are looked at, of all expressions together.
TERMS_MAX = 200_000


def terms(expressions: Iterable[z3.ExprRef], seen: set[int] | None = None, bodies: bool = True) -> Iterator[z3.ExprRef]:
    """The expressions and what is in them; what is `seen` is left out. Bodies of quantifiers hold variables without a value."""
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
    """Whether an expression speaks of nothing that a solver decides, so that its value was there before."""
    return all(z3.is_app(each) and not is_open(each) for each in terms([expression]))


def is_open(term: z3.ExprRef) -> bool:
    """Whether a term is an application of something that a solver decides; models have constants of their own as values."""
    declaration = term.decl()
    return declaration.kind() == z3.Z3_OP_UNINTERPRETED and "!val!" not in declaration.name()
