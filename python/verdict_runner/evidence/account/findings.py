"""What looks wrong in a problem, by line: one question each over its nodes, whatever the language. Nothing here changes a verdict."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from verdict_runner.evidence.account.ranges import Ranges
from verdict_runner.evidence.account.stated import Stated, key, words
from verdict_runner.evidence.finite.meaning import Node
from verdict_runner.evidence.shown import Place
from verdict_runner.protocol.messages import Json

# What can be undefined is false then: the domains alone do not say when.
UNDEFINED = re.compile(r'"(?:div|mod|pow|element)"')
COMPARISONS = frozenset(["==", "!=", "<", "<=", "in"])
# A big M is too large where it is so many times what is enough.
TOO_LARGE = 10_000
# So long an expression is shown, and so many names.
CHARS_MAX, NAMES_MAX = 80, 3


class Found(NamedTuple):
    """A finding; the place is None where it belongs to no line."""

    place: Place
    text: str

    def data(self) -> Json:
        return f"{f'item {self.place[0]}, line {self.place[1]}: ' if self.place else ''}{self.text}"


def found(stated: Stated, until: float) -> list[Found]:
    """All findings, in the order of the lines. Raises `OutOfTime`."""
    ranges = Ranges(stated.domains, until)
    lines: dict[tuple[int, int], list[int]] = {}
    for index, place in enumerate(stated.shown.places):
        if place is not None:
            lines.setdefault(place, []).append(index)
    keys = [key(each) for each in stated.constraints]
    first: dict[str, Place] = {}
    all_found = [*_untouched_objective(stated)]
    for place, indices in sorted(lines.items()):
        own = [stated.constraints[index] for index in indices]
        own_keys = [keys[index] for index in indices]
        if None in own or any(_is_fixed(each, stated) for each in own):
            continue
        texts = [
            _twice(own_keys, first),
            *(look(own, ranges, stated) for look in LOOKS if not UNDEFINED.search(str(own_keys))),
        ]
        all_found += [Found(place, text) for text in texts if text is not None][:1]
        for each in own_keys:
            first.setdefault(each, place)
    return all_found


def _twice(keys: Sequence[str], first: Mapping[str, Place]) -> str | None:
    """Where all that a line states is stated in an earlier line, or each of it twice in the line itself."""
    before = {first.get(each) for each in keys}
    if None not in before:
        item, line = next(iter(before)) or (0, 0)
        return (
            f"this states the same as item {item}, line {line}: leave one of the two out." if len(before) == 1 else None
        )
    if len(keys) > 1 and all(keys.count(each) > 1 for each in dict.fromkeys(keys)):
        return "each constraint of this line is stated twice, as by a loop over (i, j) and (j, i): half of the cases is enough."
    return None


def _always_true(own: Sequence[Node], ranges: Ranges, stated: Stated) -> str | None:
    """A line that excludes nothing. That one variable is at least or at most a number is common, and harmless."""
    if not all(ranges.truth(each) is True for each in own) or all(_is_bound(each, stated) for each in own):
        return None
    which = "this constraint is" if len(own) == 1 else "all constraints of this line are"
    return f"the domains of the variables alone make sure that {which} true: it excludes nothing.{_example(own[0], ranges, stated)}"


def _is_bound(node: Node, stated: Stated) -> bool:
    """Whether a comparison says of one variable, beside constants, that it is at least or at most a number."""
    is_order = node[0] in ("<", "<=") or (node[0] == "in" and len(node[2]) == 2 and node[2][0] != node[2][1])
    return is_order and sum(not _is_fixed(["v", each], stated) for each in {*_variables(node)}) <= 1


def _is_variable(node: Node) -> bool:
    return isinstance(node, list) and node[0] == "v"


def _never_true(own: Sequence[Node], ranges: Ranges, stated: Stated) -> str | None:
    """Conditions within the constraints of a line that are never met: a value outside of a domain."""
    atoms = [(each, each[0]) for node in own for each in _atoms(node, is_outermost=True) if not _is_fixed(each, stated)]
    for kind in dict.fromkeys(kind for _, kind in atoms):
        known = [(each, ranges.truth(each)) for each, of in atoms if of == kind]
        truths = {truth for _, truth in known}
        is_bound = all(_is_bound(each, stated) for each, _ in known)
        if truths in ({False}, set() if is_bound else {True}):
            shown = words(known[0][0], stated.shown.names) or "a comparison"
            return f"`{shown[:CHARS_MAX]}` is {'always' if True in truths else 'never'} true here.{_example(known[0][0], ranges, stated)}"
    return None


def _is_fixed(node: Node, stated: Stated) -> bool:
    """Whether it states something of constants alone."""
    domains = [stated.domains[each] for each in _variables(node)]
    return all(len(each) > 0 and each[0] == each[-1] for each in domains)


def _atoms(node: Node, is_outermost: bool = False) -> Iterator[Node]:
    """The comparisons in a node that are not the whole of it."""
    if not isinstance(node, list) or not node:
        return
    if isinstance(node[0], str) and node[0] in COMPARISONS and not is_outermost:
        yield node
        return
    for each in node[1:] if isinstance(node[0], str) else node:
        yield from _atoms(each)


def _example(node: Node, ranges: Ranges, stated: Stated) -> str:
    """What a side of a comparison can be."""
    sides = node[1:] if node[0] in COMPARISONS else []
    for side in sides:
        shown = words(side, stated.shown.names) if isinstance(side, list) else None
        if shown is not None:
            low, high = ranges.number(side)
            return f" {shown[:CHARS_MAX]} is between {low} and {high}."
    return ""


def _too_large(own: Sequence[Node], ranges: Ranges, stated: Stated) -> str | None:
    """Sums of which a truth value takes or gives much more than the others can need."""
    for node in own:
        if node[0] != "in" or not isinstance(node[1], list) or node[1][0] != "linear" or len(node[2]) != 2:
            continue
        _, weights, parts, *_ = node[1]
        for at, (weight, part) in enumerate(zip(weights, parts)):
            if not _is_variable(part) or [*stated.domains[part[1]]] != [0, 1] or len(parts) < 2:
                continue
            low, high = ranges.number(["linear", [*weights[:at], *weights[at + 1 :]], [*parts[:at], *parts[at + 1 :]]])
            need = high - node[2][1] if weight < 0 else node[2][0] - low
            if 0 < need * TOO_LARGE <= abs(weight):
                name = words(part, stated.shown.names)
                return f"the factor {abs(weight)}{f' of {name}' if name else ''} is {abs(weight) // need} times what is needed: {need} is enough, and a smaller one solves better."
    return None


def _untouched_objective(stated: Stated) -> Iterator[Found]:
    """An objective of whose variables no constraint has any; without any constraint, the objective is the whole problem."""
    aim = {*_variables(stated.objective)}
    if not aim or None in stated.constraints:
        return
    constraints = [each for each in stated.constraints if not isinstance(each, list) or not _is_bound(each, stated)]
    if constraints and aim.isdisjoint(each for node in constraints for each in _variables(node)):
        known = [stated.shown.names[each] for each in sorted(aim) if each in stated.shown.names][:NAMES_MAX]
        which = f" ({', '.join(known)})" if known else ""
        yield Found(
            None,
            f"no constraint has a variable of the objective{which}: its best value follows from the domains alone.",
        )


def _variables(node: Node) -> Iterator[int]:
    waiting: list[Any] = [node]
    while waiting:
        each = waiting.pop()
        if not isinstance(each, list):
            continue
        if len(each) == 2 and each[0] == "v":
            yield each[1]
        else:
            waiting += each


Look = Callable[[Sequence[Node], Ranges, Stated], "str | None"]
LOOKS: Sequence[Look] = (_never_true, _always_true, _too_large)
