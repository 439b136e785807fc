"""What the domains of variables alone say of a node: the range of a number, and whether a truth value can only be one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from verdict_runner.evidence.account.stated import INFINITE
from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.evidence.finite.constraints.relations import RELATIONS
from verdict_runner.evidence.finite.meaning import LOGIC, NODES_A_LOOK, Node

Range: TypeAlias = "tuple[Any, Any]"
ANY: Range = (-INFINITE, INFINITE)
# More operands are not compared with each other.
PAIRS_OF_MAX = 40


class Ranges:
    """Reads nodes over domains. Division, elements and the like can be undefined, so nothing is said of them."""

    def __init__(self, domains: Sequence[Sequence[Any]], until: float) -> None:
        self._domains = domains
        self._until = until
        self._looked = 0

    def number(self, node: Node) -> Range:
        if not isinstance(node, list):
            return node, node
        name, *parts = node
        self._look()
        if name == "v":
            domain = self._domains[parts[0]]
            return (domain[0], domain[-1]) if len(domain) else ANY
        if name in NUMBERS:
            low, high = NUMBERS[name](self, *parts)
            return max(low, -INFINITE), min(high, INFINITE)
        if name in LOGIC or name in RELATIONS:
            known = self.truth(node)
            return (0, 1) if known is None else (int(known), int(known))
        return ANY

    def truth(self, node: Node) -> bool | None:
        """Whether it can only be true, or only be false; None otherwise."""
        if not isinstance(node, list):
            return bool(node)
        name, *parts = node
        self._look()
        if name == "v":
            low, high = self.number(node)
            return True if low > 0 else False if (low, high) == (0, 0) else None
        return TRUTHS[name](self, *parts) if name in TRUTHS else None

    def truths(self, nodes: Sequence[Node]) -> list[bool | None]:
        return [self.truth(each) for each in nodes]

    def within(self, node: Node, ranges: Sequence[Any]) -> bool | None:
        low, high = self.number(node)
        if any(
            (a <= -INFINITE or a <= low > -INFINITE) and (b >= INFINITE or b >= high < INFINITE)
            for a, b in _pairs(ranges)
        ):
            return True
        # The holes of a domain count, too.
        own = self._domains[node[1]] if isinstance(node, list) and node[0] == "v" else [low, high]
        if all(max(a, c) > min(b, d) for a, b in _pairs(ranges) for c, d in _pairs(own)):
            return False
        return None

    def _look(self) -> None:
        self._looked += 1
        if self._looked % NODES_A_LOOK == 0 and time.monotonic() > self._until:
            raise OutOfTime


def _pairs(ranges: Sequence[Any]) -> list[tuple[Any, Any]]:
    return list(zip(ranges[::2], ranges[1::2]))


# ---- Numbers.


def _sum(ranges: Ranges, parts: Sequence[Node]) -> Range:
    return _linear(ranges, [1] * len(parts), parts)


def _linear(ranges: Ranges, weights: Sequence[Any], parts: Sequence[Node], offset: Any = 0) -> Range:  # noqa: ANN401
    ends = [_scaled(weight, ranges.number(each)) for weight, each in zip(weights, parts)]
    return _total([low for low, _ in ends], offset), _total([high for _, high in ends], offset)


def _scaled(weight: Any, ends: Range) -> Range:  # noqa: ANN401
    low, high = sorted(weight * each if abs(each) < INFINITE else (each if weight > 0 else -each) for each in ends)
    return (low, high) if weight or ends == ANY else (0, 0)


def _total(ends: Sequence[Any], offset: Any) -> Any:  # noqa: ANN401
    return next((each for each in ends if abs(each) >= INFINITE), offset + sum(ends))


def _product(ranges: Ranges, parts: Sequence[Node]) -> Range:
    low, high = 1, 1
    for each in parts:
        ends = ranges.number(each)
        if any(abs(end) >= INFINITE for end in (low, high, *ends)):
            return ANY
        corners = [a * b for a in (low, high) for b in ends]
        low, high = min(corners), max(corners)
    return low, high


def _size(ranges: Ranges, part: Node) -> Range:
    low, high = ranges.number(part)
    return max(0, low, -high), max(abs(low), abs(high))


def _extreme(choose: Callable[[Sequence[Any]], Any]) -> Callable[[Ranges, Sequence[Node]], Range]:
    def read(ranges: Ranges, parts: Sequence[Node]) -> Range:
        ends = [ranges.number(each) for each in parts]
        return (choose([low for low, _ in ends]), choose([high for _, high in ends])) if ends else ANY

    return read


def _choice(ranges: Ranges, condition: Node, a: Node, b: Node) -> Range:
    known = ranges.truth(condition)
    if known is not None:
        return ranges.number(a if known else b)
    (one, two), (three, four) = ranges.number(a), ranges.number(b)
    return min(one, three), max(two, four)


def _counted(ranges: Ranges, parts: Sequence[Node], *_: object) -> Range:
    return 0, len(parts)


NUMBERS: Mapping[str, Callable[..., Range]] = {
    "sum": _sum,
    "linear": _linear,
    "neg": lambda ranges, part: _scaled(-1, ranges.number(part)),
    "mul": _product,
    "abs": _size,
    "max": _extreme(max),
    "min": _extreme(min),
    "if": _choice,
    "count": _counted,
    "among": _counted,
    "nvalue": _counted,
}


# ---- Truth values.


def _both(known: Sequence[bool | None]) -> bool | None:
    return False if False in known else None if None in known else True


def _not(known: bool | None) -> bool | None:
    return None if known is None else not known


def _either(known: Sequence[bool | None]) -> bool | None:
    return _not(_both([_not(each) for each in known]))


def _equal(ranges: Ranges, a: Node, b: Node) -> bool | None:
    for one, other in ((a, b), (b, a)):
        low, high = ranges.number(other)
        if low == high and abs(low) < INFINITE:
            return ranges.within(one, [low, high])
    (one, two), (three, four) = ranges.number(a), ranges.number(b)
    return False if two < three or four < one else None


def _at_most(ranges: Ranges, a: Node, b: Node, strict: bool = False) -> bool | None:
    (one, two), (three, four) = ranges.number(a), ranges.number(b)
    if two < INFINITE and three > -INFINITE and (two < three or (two == three and not strict)):
        return True
    return False if one > four or (one == four and strict) else None


def _different(ranges: Ranges, parts: Sequence[Node], without: Sequence[Node] = ()) -> bool | None:
    if len(parts) > PAIRS_OF_MAX or without:
        return None
    pairs = [(a, b) for i, a in enumerate(parts) for b in parts[:i]]
    return True if all(_equal(ranges, a, b) is False for a, b in pairs) else None


def _few(ranges: Ranges, parts: Sequence[Node]) -> bool | None:
    known = ranges.truths(parts)
    return True if len(known) - known.count(False) <= 1 else False if known.count(True) > 1 else None


TRUTHS: Mapping[str, Callable[..., bool | None]] = {
    "and": lambda ranges, parts: _both(ranges.truths(parts)),
    "or": lambda ranges, parts: _either(ranges.truths(parts)),
    "not": lambda ranges, part: _not(ranges.truth(part)),
    "implies": lambda ranges, a, b: _either([_not(ranges.truth(a)), ranges.truth(b)]),
    "==": _equal,
    "!=": lambda ranges, a, b: _not(_equal(ranges, a, b)),
    "<": lambda ranges, a, b: _at_most(ranges, a, b, strict=True),
    "<=": _at_most,
    "in": lambda ranges, part, domain: ranges.within(part, domain),
    "all_different": _different,
    "at_most_one": _few,
}
