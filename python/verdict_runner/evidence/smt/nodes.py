"""Converts assertions over integers and truth values to nodes; terms of other sorts are not supported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3

from verdict_runner.evidence.account.stated import INFINITE, Stated
from verdict_runner.evidence.finite.meaning import Node, Unknown
from verdict_runner.evidence.shown import Shown


def stated(assertions: Sequence[z3.ExprRef], aims: int, pins: int, shown: Shown) -> Stated:
    """Reads assertions that end with equations for the objectives, followed by equations for the values."""
    last = len(assertions) - pins
    reader = _Reader()
    nodes = [reader.if_known(each) for each in assertions[: last - aims]]
    # The right side of an objective's equation is its expression.
    objective = reader.if_known(assertions[last - 1].arg(1)) if aims == 1 else None
    values = dict(each for each in map(reader.value, assertions[last:]) if each is not None)
    domains = [[0, 1] if is_truth else [-INFINITE, INFINITE] for is_truth in reader.is_truth]
    bounding = [_narrowed(domains, each) for each in nodes]
    places = [*shown.places[: len(nodes)], *[None] * (len(nodes) - len(shown.places))]
    known = [None if bounds else place for bounds, place in zip(bounding, places)]
    chosen = [values.get(index, 0) for index in range(len(domains))]
    return Stated(domains, nodes, Shown(known, dict(enumerate(reader.names))), objective, chosen)


def _narrowed(domains: list[list[Any]], node: Node) -> bool:
    """Whether an assertion only bounds one variable; if so, narrows its domain."""
    if isinstance(node, list) and node[0] == "and" and node[1]:
        copies = [list(each) for each in domains]
        if all(_narrowed(copies, each) for each in node[1]):
            domains[:] = copies
            return True
        return False
    if not isinstance(node, list) or node[0] not in ("<", "<="):
        return False
    one, other = node[1:]
    step = 1 if node[0] == "<" else 0
    if isinstance(one, int) and isinstance(other, list) and other[0] == "v":
        domains[other[1]][0] = max(domains[other[1]][0], one + step)
        return True
    if isinstance(other, int) and isinstance(one, list) and one[0] == "v":
        domains[one[1]][1] = min(domains[one[1]][1], other - step)
        return True
    return False


class _Reader:
    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.names: list[str] = []
        self.is_truth: list[bool] = []
        self._known: dict[int, Node] = {}

    def if_known(self, term: z3.ExprRef) -> Node:
        """Converts a term to a node; None if it contains other sorts or functions."""
        try:
            return self.node(term)
        except Unknown:
            return None

    def node(self, term: z3.ExprRef) -> Node:
        """Converts a term to a node; raises `Unknown`."""
        number = term.get_id()
        if number not in self._known:
            self._known[number] = self._read(term)
        return self._known[number]

    def _read(self, term: z3.ExprRef) -> Node:
        if z3.is_int_value(term):
            assert isinstance(term, z3.IntNumRef)
            return term.as_long()
        if z3.is_rational_value(term):
            value = Fraction(str(term))
            return value.numerator if value.denominator == 1 else value
        if not z3.is_app(term):
            raise Unknown("a quantifier")
        kind, children = term.decl().kind(), term.children()
        if kind == z3.Z3_OP_UNINTERPRETED and not children and (z3.is_int(term) or z3.is_bool(term)):
            return ["v", self._number(term)]
        if kind not in KINDS:
            raise Unknown(term.decl().name())
        return KINDS[kind]([self.node(each) for each in children])

    def _number(self, constant: z3.ExprRef) -> int:
        name = constant.decl().name()
        if name not in self._numbers:
            self._numbers[name] = len(self.names)
            self.names.append(name)
            self.is_truth.append(z3.is_bool(constant))
        return self._numbers[name]

    def value(self, pin: z3.ExprRef) -> tuple[int, int] | None:
        """The variable in an equation and its value."""
        node = self.if_known(pin)
        if not isinstance(node, list) or node[0] != "==" or node[1][0] != "v" or not isinstance(node[2], int):
            return None
        return node[1][1], node[2]


def _chained(name: str, is_swapped: bool = False) -> Callable[[Sequence[Node]], Node]:
    def read(parts: Sequence[Node]) -> Node:
        if len(parts) != 2:
            raise Unknown("a chain")
        return [name, *(reversed(parts) if is_swapped else parts)]

    return read


def _sum_of_difference(parts: Sequence[Node]) -> Node:
    return ["linear", [1, *[-1] * (len(parts) - 1)], list(parts)]


KINDS: Mapping[int, Callable[[Sequence[Node]], Node]] = {
    z3.Z3_OP_TRUE: lambda _: 1,
    z3.Z3_OP_FALSE: lambda _: 0,
    z3.Z3_OP_AND: lambda parts: ["and", list(parts)],
    z3.Z3_OP_OR: lambda parts: ["or", list(parts)],
    z3.Z3_OP_NOT: lambda parts: ["not", parts[0]],
    z3.Z3_OP_IMPLIES: lambda parts: ["implies", *parts],
    z3.Z3_OP_XOR: lambda parts: ["xor", list(parts)],
    z3.Z3_OP_ITE: lambda parts: ["if", *parts],
    z3.Z3_OP_EQ: _chained("=="),
    z3.Z3_OP_LE: _chained("<="),
    z3.Z3_OP_LT: _chained("<"),
    z3.Z3_OP_GE: _chained("<=", is_swapped=True),
    z3.Z3_OP_GT: _chained("<", is_swapped=True),
    z3.Z3_OP_DISTINCT: lambda parts: ["!=", *parts] if len(parts) == 2 else ["all_different", list(parts)],
    z3.Z3_OP_ADD: lambda parts: ["sum", list(parts)],
    z3.Z3_OP_SUB: _sum_of_difference,
    z3.Z3_OP_UMINUS: lambda parts: ["neg", parts[0]],
    z3.Z3_OP_MUL: lambda parts: ["mul", list(parts)],
    z3.Z3_OP_TO_REAL: lambda parts: parts[0],
}
