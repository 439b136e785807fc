"""Integer arithmetic and logic: computed in Python if all operands are numbers, else built as Z3 terms.

With a number for every variable, a constraint is computed exactly; with a term for every variable, it becomes a
formula. Both use the same definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import z3

# A truth value or a number: a Python value or a Z3 term.
Truth: TypeAlias = "bool | z3.BoolRef"
Number: TypeAlias = "int | z3.ArithRef"


def both(parts: Iterable[Truth]) -> Truth:
    """Whether all parts hold."""
    open_parts: list[z3.BoolRef] = []
    for each in parts:
        if isinstance(each, z3.BoolRef):
            open_parts.append(each)
        elif not each:
            return False
    return open_parts[0] if len(open_parts) == 1 else z3.And(open_parts) if open_parts else True


def either(parts: Iterable[Truth]) -> Truth:
    """Whether at least one part holds."""
    open_parts: list[z3.BoolRef] = []
    for each in parts:
        if isinstance(each, z3.BoolRef):
            open_parts.append(each)
        elif each:
            return True
    return open_parts[0] if len(open_parts) == 1 else z3.Or(open_parts) if open_parts else False


def negation(truth: Truth) -> Truth:
    return z3.Not(truth) if isinstance(truth, z3.BoolRef) else not truth


def implied(condition: Truth, consequence: Truth) -> Truth:
    return either([negation(condition), consequence])


def same(a: Truth, b: Truth) -> Truth:
    """Whether two truth values are equal."""
    if isinstance(a, z3.BoolRef) or isinstance(b, z3.BoolRef):
        if isinstance(a, bool):
            return b if a else negation(b)
        if isinstance(b, bool):
            return a if b else negation(a)
        return a == b
    return a == b


def chosen(condition: Truth, a: Number, b: Number) -> Number:
    if isinstance(condition, z3.BoolRef):
        return a if isinstance(a, int) and isinstance(b, int) and a == b else _if(condition, a, b)
    return a if condition else b


def _if(condition: object, a: Number, b: Number) -> z3.ArithRef:
    term = z3.If(condition, a, b)
    # Z3's type hints only say "expression"; combining two numbers yields a number.
    assert isinstance(term, z3.ArithRef)
    return term


def _term(number: Number) -> z3.ArithRef:
    return z3.IntVal(number) if isinstance(number, int) else number


def total(parts: Iterable[Number]) -> Number:
    known, terms = 0, []
    for each in parts:
        if isinstance(each, int):
            known += each
        else:
            terms.append(each)
    if not terms:
        return known
    return z3.Sum([*terms, known] if known else terms)


def counted(parts: Iterable[Truth]) -> Number:
    """The number of parts that hold."""
    return total(chosen(each, 1, 0) for each in parts)


def times(a: Number, b: Number) -> Number:
    if (isinstance(a, int) and a == 0) or (isinstance(b, int) and b == 0):
        return 0
    return a * b if isinstance(a, int) and isinstance(b, int) else _term(a) * b


def equal(a: Number, b: Number) -> Truth:
    return a == b


def less(a: Number, b: Number) -> Truth:
    return a < b


def at_most(a: Number, b: Number) -> Truth:
    return a <= b


def size_of(a: Number) -> Number:
    return abs(a) if isinstance(a, int) else _if(a >= 0, a, -a)


def quotient(a: Number, b: Number) -> Number:
    """Division that rounds towards zero; the result for a divisor of 0 is meaningless."""
    if isinstance(a, int) and isinstance(b, int):
        return 0 if b == 0 else abs(a) // abs(b) * (1 if (a >= 0) == (b >= 0) else -1)
    magnitude = _term(size_of(a)) / _term(size_of(b))
    return chosen(same(at_most(0, a), at_most(0, b)), magnitude, -magnitude)


def remainder(a: Number, b: Number) -> Number:
    """The remainder of a division that rounds towards zero, with the sign of the dividend."""
    if isinstance(a, int) and isinstance(b, int):
        return 0 if b == 0 else abs(a) % abs(b) * (1 if a >= 0 else -1)
    left = _term(size_of(a)) % _term(size_of(b))
    return chosen(at_most(0, a), left, -left)


def largest(parts: Sequence[Number]) -> Number:
    best = parts[0]
    for each in parts[1:]:
        best = chosen(less(best, each), each, best)
    return best


def smallest(parts: Sequence[Number]) -> Number:
    best = parts[0]
    for each in parts[1:]:
        best = chosen(less(each, best), each, best)
    return best


def picked(parts: Sequence[Number], index: Number) -> Number:
    """The part with this index; the result for an index out of range is meaningless."""
    if isinstance(index, int):
        return parts[index] if 0 <= index < len(parts) else 0
    term = parts[-1] if parts else 0
    for i in range(len(parts) - 2, -1, -1):
        term = chosen(equal(index, i), parts[i], term)
    return term


def within(value: Number, ranges: Sequence[int]) -> Truth:
    """Whether a number lies in one of the closed ranges `[low, high, low, high, …]`."""
    pairs = zip(ranges[::2], ranges[1::2])
    return either(both([at_most(low, value), at_most(value, high)]) for low, high in pairs)


def one_of(value: Number, values: Sequence[int]) -> Truth:
    """Whether a number has one of these values."""
    return either(equal(value, each) for each in values)


def pairs(values: Sequence[Number]) -> Iterator[tuple[Number, Number]]:
    """Yields all pairs of these values."""
    return ((a, b) for i, a in enumerate(values) for b in values[:i])


def different(values: Sequence[Number], without: Sequence[Number] = ()) -> Truth:
    """Whether all numbers differ, ignoring those equal to one of `without`."""
    if all(isinstance(each, int) for each in values) and not without:
        return len(set(values)) == len(values)
    return both(either([negation(equal(a, b)), *(equal(a, each) for each in without)]) for a, b in pairs(values))
