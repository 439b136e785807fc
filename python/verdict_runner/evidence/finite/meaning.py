"""Defines the meaning of constraints: reads a tree of JSON lists as a truth value, a number or a Z3 formula.

A node is an integer, `["v", i]` for variable i, or `[name, …]`. An undefined expression (a division by 0, an index beyond
an array) makes the innermost enclosing truth value false.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import z3

from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.evidence.finite import terms
from verdict_runner.evidence.finite.constraints.relations import RELATIONS
from verdict_runner.evidence.finite.terms import Number, Truth

# Parsed JSON; each reader below expects one form and raises on any other.
Node: TypeAlias = Any

# The number of nodes after which the clock is checked again.
NODES_A_LOOK = 500
# The maximum exponent; powers are expanded into products.
EXPONENT_MAX = 20


class Unknown(Exception):
    """Raised for a constraint without a defined meaning."""


class Meaning:
    """Reads nodes with these values or terms for the variables."""

    def __init__(self, variables: Sequence[Number | Truth], until: float) -> None:
        self._variables = variables
        self._until = until
        self._looked = 0
        # For each truth value that encloses the current node, the conditions under which its expressions are defined.
        self._defined: list[list[Truth]] = [[]]
        self._names = 0

    def truth(self, node: Node) -> Truth:
        if isinstance(node, int):
            return node != 0
        name = node[0]
        self._look()
        if name == "v":
            value = self._variables[node[1]]
            return value if isinstance(value, (bool, z3.BoolRef)) else terms.negation(terms.equal(value, 0))
        if name in LOGIC:
            return LOGIC[name](self, *node[1:])
        self._defined.append([])
        if name in RELATIONS:
            stated = RELATIONS[name](self, *node[1:])
        else:
            stated = terms.negation(terms.equal(self.number(node), 0))
        return terms.both([*self._defined.pop(), stated])

    def number(self, node: Node) -> Number:
        if isinstance(node, int):
            return int(node)
        name = node[0]
        self._look()
        if name == "v":
            value = self._variables[node[1]]
            return terms.chosen(value, 1, 0) if isinstance(value, (bool, z3.BoolRef)) else value
        if name in FUNCTIONS:
            return FUNCTIONS[name](self, *node[1:])
        if name in LOGIC or name in RELATIONS:
            return terms.chosen(self.truth(node), 1, 0)
        raise Unknown(name)

    def numbers(self, nodes: Sequence[Node]) -> list[Number]:
        return [self.number(each) for each in nodes]

    def truths(self, nodes: Sequence[Node]) -> list[Truth]:
        return [self.truth(each) for each in nodes]

    def needs(self, condition: Truth) -> None:
        """Records that the current expression is undefined without this condition."""
        self._defined[-1].append(condition)

    def undefined_outside(self) -> Truth:
        """Whether all expressions outside any truth value are defined."""
        return terms.both(self._defined[0])

    def fresh(self) -> z3.ArithRef:
        """Creates a new existentially quantified number; never used below a negation."""
        self._names += 1
        return z3.Int(f"fresh!{self._names}")

    def _look(self) -> None:
        self._looked += 1
        if self._looked % NODES_A_LOOK == 0 and time.monotonic() > self._until:
            raise OutOfTime


# ---- Numbers.


def _linear(meaning: Meaning, weights: Sequence[int], parts: Sequence[Node], offset: int = 0) -> Number:
    return terms.total([offset, *(terms.times(w, meaning.number(each)) for w, each in zip(weights, parts))])


def _product(meaning: Meaning, parts: Sequence[Node]) -> Number:
    result: Number = 1
    for each in meaning.numbers(parts):
        result = terms.times(result, each)
    return result


def _quotient(meaning: Meaning, a: Node, b: Node) -> Number:
    x, y = meaning.number(a), meaning.number(b)
    meaning.needs(terms.negation(terms.equal(y, 0)))
    return terms.quotient(x, y)


def _remainder(meaning: Meaning, a: Node, b: Node) -> Number:
    x, y = meaning.number(a), meaning.number(b)
    meaning.needs(terms.negation(terms.equal(y, 0)))
    return terms.remainder(x, y)


def _power(meaning: Meaning, base: Node, exponent: Node) -> Number:
    x, n = meaning.number(base), meaning.number(exponent)
    if not isinstance(n, int) or not 0 <= n <= EXPONENT_MAX:
        raise Unknown("a power with this exponent")
    result: Number = 1
    for _ in range(n):
        result = terms.times(result, x)
    return result


def _extreme(meaning: Meaning, parts: Sequence[Node], of: Callable[[Sequence[Number]], Number]) -> Number:
    """The largest or smallest of the numbers; undefined for an empty list."""
    if not parts:
        meaning.needs(False)
        return 0
    return of(meaning.numbers(parts))


def _element(meaning: Meaning, parts: Sequence[Node], index: Node) -> Number:
    values, at = meaning.numbers(parts), meaning.number(index)
    meaning.needs(terms.both([terms.at_most(0, at), terms.less(at, len(values))]))
    return terms.picked(values, at)


def _count(meaning: Meaning, parts: Sequence[Node], value: Node) -> Number:
    number = meaning.number(value)
    return terms.counted(terms.equal(each, number) for each in meaning.numbers(parts))


def _among(meaning: Meaning, parts: Sequence[Node], values: Sequence[int]) -> Number:
    return terms.counted(terms.one_of(each, values) for each in meaning.numbers(parts))


def _distinct(meaning: Meaning, parts: Sequence[Node], without: Sequence[Node] = ()) -> Number:
    values, left_out = meaning.numbers(parts), meaning.numbers(without)
    return terms.counted(
        terms.negation(terms.either(terms.equal(each, other) for other in [*values[:i], *left_out]))
        for i, each in enumerate(values)
    )


def _choice(meaning: Meaning, condition: Node, a: Node, b: Node) -> Number:
    return terms.chosen(meaning.truth(condition), meaning.number(a), meaning.number(b))


FUNCTIONS: Mapping[str, Callable[..., Number]] = {
    "sum": lambda meaning, parts: terms.total(meaning.numbers(parts)),
    "linear": _linear,
    "neg": lambda meaning, part: terms.times(-1, meaning.number(part)),
    "mul": _product,
    "div": _quotient,
    "mod": _remainder,
    "pow": _power,
    "abs": lambda meaning, part: terms.size_of(meaning.number(part)),
    "max": lambda meaning, parts: _extreme(meaning, parts, terms.largest),
    "min": lambda meaning, parts: _extreme(meaning, parts, terms.smallest),
    "element": _element,
    "count": _count,
    "among": _among,
    "nvalue": _distinct,
    "if": _choice,
}


# ---- Logic: an operand that is undefined is false.


def _parity(meaning: Meaning, parts: Sequence[Node]) -> Truth:
    odd: Truth = False
    for each in meaning.truths(parts):
        odd = terms.negation(terms.same(odd, each))
    return odd


def _exactly_one(meaning: Meaning, parts: Sequence[Node]) -> Truth:
    return terms.equal(terms.counted(meaning.truths(parts)), 1)


LOGIC: Mapping[str, Callable[..., Truth]] = {
    "and": lambda meaning, parts: terms.both(meaning.truths(parts)),
    "or": lambda meaning, parts: terms.either(meaning.truths(parts)),
    "not": lambda meaning, part: terms.negation(meaning.truth(part)),
    "implies": lambda meaning, a, b: terms.implied(meaning.truth(a), meaning.truth(b)),
    "xor": _parity,
    "at_most_one": lambda meaning, parts: terms.at_most(terms.counted(meaning.truths(parts)), 1),
    "exactly_one": _exactly_one,
    "choose": lambda meaning, c, a, b: terms.both(
        [terms.implied(meaning.truth(c), meaning.truth(a)), terms.either([meaning.truth(c), meaning.truth(b)])]
    ),
}
