"""How large the numbers in a constraint can become, for solvers that compute in few bits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from verdict_runner.languages.cp.meaning import LOGIC, Node
from verdict_runner.languages.cp.meaning import RELATIONS as COMPARISONS

Domains = Sequence[Sequence[int]]

# What compares or chooses the numbers that it has, and adds none of them up.
APART = frozenset(
    "all_different all_equal among automaton circuit count element forbidden in inverse lexicographic max min nvalue "
    "ordered precedence table".split()
)


def fits(nodes: Iterable[Node], domains: Domains, most: int) -> bool:
    """Whether no number in the constraints, and no sum of their numbers, can be larger than this; it can err to the safe side."""
    return all(_size(each, domains, most) <= most for each in nodes)


def _size(node: Node, domains: Domains, most: int, together: bool = True) -> float:
    """What no value of a node is larger than; infinite if a number below it is too large."""
    if isinstance(node, int):
        return abs(node)
    if not isinstance(node, (list, tuple)) or not node:
        return 0
    if not isinstance(node[0], str):
        sizes = [_size(each, domains, most, together) for each in node]
        return sum(sizes) if together else max(sizes)
    name, *parts = node
    if name == "v":
        return max(map(abs, domains[parts[0]]))
    size = _of_function(name, parts, domains, most)
    if size > most:
        return math.inf
    return 1 if name in LOGIC or name in COMPARISONS else size


def _of_function(name: str, parts: Sequence[Node], domains: Domains, most: int) -> float:
    sizes = [_size(each, domains, most, name not in APART) for each in parts]
    if name == "linear":
        weighted = (abs(weight) * _size(each, domains, most) for weight, each in zip(*parts[:2]))
        return sum(weighted) + sum(sizes[2:])
    if name == "mul":
        return math.prod(_size(each, domains, most) for each in parts[0])
    if name == "pow":
        return sizes[0] ** min(sizes[1], most.bit_length())
    if name in LOGIC:
        return math.inf if math.inf in sizes else 1
    return max(sizes, default=0) if name in APART else sum(sizes)
