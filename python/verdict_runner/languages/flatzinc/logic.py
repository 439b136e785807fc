"""Translates FlatZinc's constraints on sums and truth values, with and without a literal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from verdict_runner.languages.flatzinc.flat import LEAST, MOST, Flat, Literal, Ranges, Term, complement


class Sum(NamedTuple):
    """A sum, and the ranges in which it has to lie."""

    weights: Sequence[int]
    terms: Sequence[Term]
    ranges: Ranges


def compared(sign: str, with_: int) -> Ranges:
    """Returns the numbers that satisfy this comparison with `with_`."""
    if sign == "eq":
        return [(with_, with_)]
    if sign == "ne":
        return complement([(with_, with_)])
    if sign in ("le", "lt"):
        return [(LEAST, with_ - (sign == "lt"))]
    return [(with_ + (sign == "gt"), MOST)]


def _weighted(sign: str) -> Callable[[Flat, Sequence[object]], Sum]:
    """Reads the comparison `as · xs SIGN c`; c may be a variable."""

    def read(flat: Flat, arguments: Sequence[object]) -> Sum:
        weights, terms, right = flat.numbers(arguments[0]), flat.terms(arguments[1]), flat.term(arguments[2])
        return Sum([*weights, -1], [*terms, right], compared(sign, 0))

    return read


def _two(sign: str) -> Callable[[Flat, Sequence[object]], Sum]:
    """Reads the comparison `x SIGN y`."""

    def read(flat: Flat, arguments: Sequence[object]) -> Sum:
        return Sum([1, -1], [flat.term(arguments[0]), flat.term(arguments[1])], compared(sign, 0))

    return read


def _plus(flat: Flat, arguments: Sequence[object]) -> Sum:
    return Sum([1, 1, -1], [flat.term(each) for each in arguments], [(0, 0)])


def _in_set(flat: Flat, arguments: Sequence[object]) -> Sum:
    return Sum([1], [flat.term(arguments[0])], flat.ranges(arguments[1]))


SUMS: Mapping[str, Callable[[Flat, Sequence[object]], Sum]] = {
    **{f"int_lin_{sign}": _weighted(sign) for sign in ("eq", "ne", "le", "lt", "ge", "gt")},
    **{f"bool_lin_{sign}": _weighted(sign) for sign in ("eq", "ne", "le", "lt", "ge", "gt")},
    **{f"int_{sign}": _two(sign) for sign in ("eq", "ne", "le", "lt", "ge", "gt")},
    **{f"bool_{sign}": _two(sign) for sign in ("eq", "ne", "le", "lt", "ge", "gt")},
    "bool_not": _two("ne"),
    "bool2int": _two("eq"),
    "int_plus": _plus,
    "set_in": _in_set,
}


def state(flat: Flat, stated: Sum, under: Sequence[Literal] = ()) -> None:
    flat.keep(*stated, under)


def reify(flat: Flat, stated: Sum, literal: Literal) -> None:
    """States that the literal is true if and only if the sum lies in its ranges."""
    state(flat, stated, [literal])
    state(flat, stated._replace(ranges=complement(stated.ranges)), [~literal])


def _any(flat: Flat, literals: Sequence[Literal], holds: Literal) -> None:
    """States that `holds` is true if and only if at least one of the literals is true."""
    flat.clause(literals, [holds])
    for each in literals:
        flat.clause([holds], [each])


def _all(flat: Flat, literals: Sequence[Literal], holds: Literal) -> None:
    _any(flat, [~each for each in literals], ~holds)


def _clause_literals(flat: Flat, arguments: Sequence[object]) -> list[Literal]:
    return [*flat.literals(arguments[0]), *(~each for each in flat.literals(arguments[1]))]


def _xor(flat: Flat, arguments: Sequence[object]) -> None:
    """States `x xor y`, or `(x xor y) = z`; add_bool_xor requires an odd number of true literals."""
    literals = [flat.literal(each) for each in arguments]
    flat.model.add_bool_xor(literals if len(literals) == 2 else [*literals[:2], ~literals[2]])


# Constraints purely over truth values.
LOGIC: Mapping[str, Callable[[Flat, Sequence[object]], None]] = {
    "bool_clause": lambda flat, given: flat.clause(_clause_literals(flat, given), ()),
    "bool_clause_imp": lambda flat, given: flat.clause(_clause_literals(flat, given), [flat.literal(given[2])]),
    "bool_clause_reif": lambda flat, given: _any(flat, _clause_literals(flat, given), flat.literal(given[2])),
    "array_bool_or": lambda flat, given: _any(flat, flat.literals(given[0]), flat.literal(given[1])),
    "array_bool_and": lambda flat, given: _all(flat, flat.literals(given[0]), flat.literal(given[1])),
    "array_bool_xor": lambda flat, given: flat.model.add_bool_xor(flat.literals(given[0])),
    "bool_or": lambda flat, given: _any(flat, [flat.literal(each) for each in given[:2]], flat.literal(given[2])),
    "bool_and": lambda flat, given: _all(flat, [flat.literal(each) for each in given[:2]], flat.literal(given[2])),
    "bool_xor": _xor,
    "bool_xor_reif": _xor,
}
