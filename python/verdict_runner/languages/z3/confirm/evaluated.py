"""Whether values make assertions true, by evaluation alone: most solutions need no search to be confirmed."""

from __future__ import annotations

from collections.abc import Sequence

import z3

# Longer problems are left to the solver, which has a time limit.
CHARS_MAX = 100_000


def hold(assertions: Sequence[z3.ExprRef], pins: int) -> bool:
    """Whether the last assertions, so many, give values to different constants, and all others are true with these values.

    False if this can't be seen without a search.
    """
    end = len(assertions) - pins
    if not 0 <= end <= len(assertions):
        return False
    values = []
    for pin in assertions[end:]:
        if not _gives_value(pin):
            return False
        values.append((pin.arg(0), pin.arg(1)))
    if len({constant.get_id() for constant, _ in values}) < pins:
        return False
    return all(z3.is_true(z3.simplify(z3.substitute(each, *values))) for each in assertions[:end])


def _gives_value(pin: z3.ExprRef) -> bool:
    """Whether it equates a constant that the solver chooses with a literal, in which nothing is left to choose."""
    if not z3.is_app(pin) or pin.decl().kind() != z3.Z3_OP_EQ:
        return False
    constant, value = pin.children()
    return z3.is_const(constant) and constant.decl().kind() == z3.Z3_OP_UNINTERPRETED and _is_literal(value)


def _is_literal(value: z3.ExprRef) -> bool:
    return (
        z3.is_int_value(value)
        or z3.is_rational_value(value)
        or z3.is_bv_value(value)
        or z3.is_string_value(value)
        or z3.is_true(value)
        or z3.is_false(value)
    )
