"""Represents a problem of any form as nodes: the constraints with their lines, the objective, and the values found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verdict_runner.evidence.finite.meaning import Node
from verdict_runner.evidence.shown import Shown

# A range this wide counts as unbounded.
INFINITE = 10**30
# CP-SAT writes a missing bound as a 64-bit number.
UNBOUNDED = 2**61


@dataclass(frozen=True)
class Stated:
    """A problem's constraints with their lines and with the program's names."""

    # Each variable's closed ranges, as in a `Form`; their ends can be fractions.
    domains: Sequence[Sequence[Any]]
    # None for a constraint that can't be represented as a node.
    constraints: Sequence[Node]
    shown: Shown
    objective: Node
    # The values found; empty if there are none.
    values: Sequence[Any]
    # The objective is the author's objective multiplied by this scale.
    scale: int = 1
    # Variables that can have fractional values.
    reals: frozenset[int] = frozenset()

    def is_truth(self, variable: int) -> bool:
        return [*self.domains[variable]] == [0, 1] and variable not in self.reals


def key(node: Node) -> str:
    """A key shared by constraints that differ only in operand order, or by negating a whole equation."""
    return json.dumps(_ordered(node), default=str)


SYMMETRIC = frozenset(
    ["and", "or", "sum", "==", "!=", "all_different", "all_equal", "exactly_one", "at_most_one", "xor"]
)


def _ordered(node: Node) -> Node:
    if not isinstance(node, list) or not node:
        return node
    name, *parts = node
    if name == "in" and isinstance(parts[0], list) and parts[0][0] == "linear":
        return _equation(*parts)
    if name == "linear":
        weights, operands, *offset = parts
        return [name, sorted(zip(weights, map(_ordered, operands)), key=repr), *offset]
    inner = [_ordered(each) for each in parts] if isinstance(name, str) else [_ordered(each) for each in node]
    if not isinstance(name, str):
        return inner
    if name in SYMMETRIC:
        flat = inner[0] if len(inner) == 1 and isinstance(inner[0], list) else inner
        return [name, sorted(flat, key=repr)]
    return [name, *inner]


def _equation(linear: Node, ranges: Sequence[Any]) -> Node:
    """Normalises a sum within ranges so that its first weight is positive."""
    _, weights, operands, *offset = linear
    terms = sorted(zip(weights, map(_ordered, operands)), key=lambda each: repr(each[1]))
    ranges = [each if abs(each) < UNBOUNDED else INFINITE if each > 0 else -INFINITE for each in ranges]
    if terms and terms[0][0] < 0:
        return [
            "in",
            [[-weight, each] for weight, each in terms],
            offset and [-offset[0]],
            [-each for each in ranges[::-1]],
        ]
    return ["in", [[weight, each] for weight, each in terms], offset, list(ranges)]


# The precedence levels of Python's operators, loosest first.
OR, AND, NOT, COMPARED, SUM, PRODUCT, ATOM = range(7)
OPPOSITE = {"==": "!=", "<": ">=", "<=": ">"}
# How operands are joined, and the precedence of the result.
JOINED = {"and": (" and ", AND), "or": (" or ", OR), "mul": (" * ", PRODUCT)}


def words(node: Node, names: Mapping[int, str]) -> str | None:
    """Writes a node as Python source with the program's names; None if that is not possible."""
    try:
        return _bound(node, names)[0]
    except (_NoWords, RecursionError):
        return None


class _NoWords(Exception):
    """Raised for a node that is not a plain expression."""


def _within(node: Node, names: Mapping[int, str], level: int) -> str:
    """Writes a node as the operand of an operator with this precedence."""
    text, own = _bound(node, names)
    return text if own >= level else f"({text})"


def _bound(node: Node, names: Mapping[int, str]) -> tuple[str, int]:
    """Returns a node's text and precedence. Raises `_NoWords`."""
    if not isinstance(node, list):
        return str(node), ATOM
    name, *parts = node
    if name == "v" and parts[0] in names:
        return names[parts[0]], ATOM
    if name == "not" and isinstance(parts[0], list) and parts[0][0] in OPPOSITE:
        return _bound([OPPOSITE[parts[0][0]], *parts[0][1:]], names)
    if name == "not":
        return f"not {_within(parts[0], names, NOT)}", NOT
    if name == "abs":
        return f"abs({_bound(parts[0], names)[0]})", ATOM
    if name in (*JOINED, "max", "min") and len(parts[0]) == 1:
        return _bound(parts[0][0], names)
    if name in ("max", "min") and parts[0]:
        return f"{name}({', '.join(_bound(each, names)[0] for each in parts[0])})", ATOM
    if name in ("==", "!=", "<", "<=", ">", ">="):
        return f" {name} ".join(_within(each, names, SUM) for each in parts), COMPARED
    if name == "in" and len(parts[1]) == 2:
        return _ranged(_within(parts[0], names, SUM), *parts[1]), COMPARED
    if name in JOINED and parts[0]:
        sign, level = JOINED[name]
        return sign.join(_within(each, names, level) for each in parts[0]), level
    if name in ("neg", "sum", "linear"):
        return _sum(node, names)
    raise _NoWords


def _sum(node: Node, names: Mapping[int, str]) -> tuple[str, int]:
    """Writes a sum of weighted operands."""
    name, *parts = node
    if name != "linear":
        parts = [[-1], parts] if name == "neg" else [[1] * len(parts[0]), *parts]
    known = [*zip(*parts[:2]), *((1, each) for each in parts[2:] if each)]
    if not known:
        raise _NoWords
    if len(known) == 1 and known[0][0] == 1:
        return _bound(known[0][1], names)
    terms = [
        _within(each, names, SUM) if weight == 1 else f"{_factor(weight)}{_within(each, names, PRODUCT)}"
        for weight, each in known
    ]
    joined = "".join(f" - {each[1:]}" if each.startswith("-") else f" + {each}" for each in terms[1:])
    return terms[0] + joined, SUM if joined else PRODUCT


def _factor(weight: Any) -> str:  # noqa: ANN401
    return "-" if weight == -1 else f"{weight}*"


def _ranged(text: str, low: Any, high: Any) -> str:  # noqa: ANN401
    """Writes that a number lies within a range; each engine represents infinity differently."""
    if low == high:
        return f"{text} == {low}"
    if low <= -UNBOUNDED and high >= UNBOUNDED:
        raise _NoWords
    if low > -UNBOUNDED and high < UNBOUNDED:
        return f"{low} <= {text} <= {high}"
    return f"{text} >= {low}" if low > -UNBOUNDED else f"{text} <= {high}"
