"""Translates products, quotients, powers, array elements, maxima and minima."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from verdict_runner.languages.flatzinc.flat import Flat, Term, Unsupported, complement, values_in

# The maximum number of (base, exponent) pairs whose powers are tabulated.
POWERS_MOST = 20_000


def _times(flat: Flat, given: Sequence[object]) -> None:
    x, y, z = (flat.term(each) for each in given)
    if isinstance(x, int):
        flat.keep([x, -1], [y, z], [(0, 0)], ())
    elif isinstance(y, int):
        flat.keep([y, -1], [x, z], [(0, 0)], ())
    else:
        flat.model.add_multiplication_equality(z, [x, y])


def _without_zero(flat: Flat, term: Term) -> Term:
    """Requires that a number is not 0, and returns it; CP-SAT accepts no divisor that can be 0."""
    return flat.narrowed(term, complement([(0, 0)]), (), 1)


def _size(flat: Flat, term: Term) -> Term:
    """Returns the absolute value of a non-zero number."""
    low, high = flat.bounds(term)
    if low > 0:
        return term
    if isinstance(term, int):
        return -term
    size = flat.fresh([(1, max(-low, high))])
    flat.model.add_abs_equality(size, term)
    return size


def _div(flat: Flat, given: Sequence[object]) -> None:
    """States that a number is a quotient, truncated towards zero."""
    x, y, z = (flat.term(each) for each in given)
    y = _without_zero(flat, y)
    low, high = flat.bounds(y)
    if high < 0:
        # CP-SAT only divides by positive numbers, so x / y becomes -x / -y.
        flat.model.add_division_equality(z, -x, -y)
    elif low > 0:
        flat.model.add_division_equality(z, x, y)
    else:
        is_positive = flat.fresh([(0, 1)])
        flat.keep([1], [y], [(1, high)], [is_positive])
        flat.keep([1], [y], [(low, -1)], [~is_positive])
        least, most = flat.bounds(x)
        quotient = flat.fresh([(-max(abs(least), abs(most)), max(abs(least), abs(most)))])
        flat.model.add_division_equality(quotient, x, _size(flat, y))
        flat.keep([1, -1], [z, quotient], [(0, 0)], [is_positive])
        flat.keep([1, 1], [z, quotient], [(0, 0)], [~is_positive])


def _mod(flat: Flat, given: Sequence[object]) -> None:
    """States that a number is the remainder of a division, with the sign of the dividend."""
    x, y, z = (flat.term(each) for each in given)
    flat.model.add_modulo_equality(z, x, _size(flat, _without_zero(flat, y)))


def power(base: int, exponent: int) -> int | None:
    """Computes a power as MiniZinc defines it; None if it is undefined."""
    if exponent >= 0:
        return base**exponent
    if base == 0:
        return None
    return base if base in (1, -1) and exponent % 2 else int(base in (1, -1))


def _pow(flat: Flat, given: Sequence[object]) -> None:
    x, y, z = (flat.term(each) for each in given)
    (least, most), domain = flat.bounds(z), flat.domain(z)
    bases, exponents = values_in(flat.domain(x), POWERS_MOST), values_in(flat.domain(y), POWERS_MOST)
    if len(bases) * len(exponents) > POWERS_MOST:
        raise Unsupported("powers of many bases and exponents")
    rows: list[list[int]] = []
    for exponent in exponents:
        for base in bases:
            # Larger powers do not fit into any domain.
            if exponent > 63 and base not in (-1, 0, 1):
                continue
            value = power(base, exponent)
            if value is not None and least <= value <= most and any(low <= value <= high for low, high in domain):
                rows.append([base, exponent, value])
    allow(flat, [x, y, z], rows, ())


def allow(flat: Flat, terms: Sequence[Term], rows: Sequence[Sequence[int]], under: Sequence[Term]) -> None:
    """States that the terms equal one of the rows."""
    if not rows:
        flat.never(under)
    elif terms:
        flat.enforce(flat.model.add_allowed_assignments(list(terms), rows), under)


def _element(flat: Flat, given: Sequence[object]) -> None:
    """States `xs[i] = y`, with indices from 1."""
    index, members, y = flat.term(given[0]), flat.terms(given[1]), flat.term(given[2])
    flat.keep([1], [index], [(1, len(members))] if members else [], ())
    if not isinstance(index, int):
        if members:
            flat.model.add_element(index - 1, members, y)
    elif 1 <= index <= len(members):
        flat.keep([1, -1], [members[index - 1], y], [(0, 0)], ())


def _abs(flat: Flat, given: Sequence[object]) -> None:
    flat.model.add_abs_equality(flat.term(given[1]), flat.term(given[0]))


def _least(flat: Flat, y: object, members: Sequence[Term]) -> None:
    flat.model.add_min_equality(flat.term(y), list(members)) if members else flat.never(())


def _most(flat: Flat, y: object, members: Sequence[Term]) -> None:
    flat.model.add_max_equality(flat.term(y), list(members)) if members else flat.never(())


ARITHMETIC: Mapping[str, Callable[[Flat, Sequence[object]], None]] = {
    "int_times": _times,
    "int_div": _div,
    "int_mod": _mod,
    "int_pow": _pow,
    "int_abs": _abs,
    "int_min": lambda flat, given: _least(flat, given[2], [flat.term(each) for each in given[:2]]),
    "int_max": lambda flat, given: _most(flat, given[2], [flat.term(each) for each in given[:2]]),
    "array_int_minimum": lambda flat, given: _least(flat, given[0], flat.terms(given[1])),
    "array_int_maximum": lambda flat, given: _most(flat, given[0], flat.terms(given[1])),
    **{f"array_{kind}_element": _element for kind in ("int", "bool", "var_int", "var_bool")},
}
