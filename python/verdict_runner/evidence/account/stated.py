"""A problem of any form as nodes: what its lines state, what is optimised, and the values that were found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verdict_runner.evidence.finite.meaning import Node
from verdict_runner.evidence.shown import Shown

# What nothing bounds: ranges that reach so far decide nothing.
INFINITE = 10**30
# CP-SAT writes no bound as a number of 64 bits.
UNBOUNDED = 2**61


@dataclass(frozen=True)
class Stated:
    """The constraints, each with its line, in the names of the program."""

    # Closed ranges of each variable, as in a `Form`; a number can be a fraction.
    domains: Sequence[Sequence[Any]]
    # None for what is not read.
    constraints: Sequence[Node]
    shown: Shown
    objective: Node
    # Empty if no values were found.
    values: Sequence[Any]
    # The author's objective is this one divided by the scale.
    scale: int = 1


def key(node: Node) -> str:
    """The same text for constraints that differ only in the order of operands, or in the signs of a whole equation."""
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
    """A sum in ranges, with a positive first weight."""
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


def words(node: Node, names: Mapping[int, str]) -> str | None:
    """A node in the names of the program; None where a variable has none, or the node is no plain expression."""
    if not isinstance(node, list):
        return str(node)
    name, *parts = node
    if name == "v":
        return names.get(parts[0])
    if name == "not" and isinstance(parts[0], list) and parts[0][0] in ("==", "<", "<="):
        return _joined(
            [words(each, names) for each in parts[0][1:]], {"==": " != ", "<": " >= ", "<=": " > "}[parts[0][0]]
        )
    if name in ("not", "neg", "abs"):
        inner = words(parts[0], names)
        return inner and {"not": f"not {inner}", "neg": f"-{inner}", "abs": f"abs({inner})"}[name]
    if name in ("==", "!=", "<", "<="):
        return _joined([words(each, names) for each in parts], f" {name} ")
    if name == "in" and len(parts[1]) == 2:
        return _joined([words(parts[0], names)], "", _bounds(*parts[1]))
    if name in ("sum", "and", "or", "mul"):
        return _joined([words(each, names) for each in parts[0]], {"sum": " + ", "mul": " * "}.get(name, f" {name} "))
    if name == "linear":
        factors = [_joined([words(each, names)], "") for each in parts[1]]
        signed = [
            each and (each if weight == 1 else f"{weight}*{each}".replace("-1*", "-"))
            for weight, each in zip(parts[0], factors)
        ]
        return _joined([*signed, *(str(each) for each in parts[2:] if each)], " + ")
    if name in ("max", "min"):
        inner = _joined([words(each, names) for each in parts[0]], ", ")
        return inner and f"{name}({inner})"
    return None


def _bounds(low: Any, high: Any) -> str:  # noqa: ANN401
    """What a range says of a number; engines have their own largest and smallest numbers."""
    if low == high:
        return f" == {low}"
    return " and".join([*([f" >= {low}"] if low > -UNBOUNDED else []), *([f" <= {high}"] if high < UNBOUNDED else [])])


def _joined(parts: Sequence[str | None], sign: str, end: str = "") -> str | None:
    known = [each for each in parts if each is not None]
    return sign.join(known).replace("+ -", "- ") + end if len(known) == len(parts) else None
