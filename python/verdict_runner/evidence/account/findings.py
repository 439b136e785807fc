"""Finds what looks wrong on each line of a problem, in any language. Findings never change a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from verdict_runner.evidence.account.stated import UNBOUNDED, Stated, key, words
from verdict_runner.evidence.account.truths import Truths, variables
from verdict_runner.evidence.defects import bounds
from verdict_runner.evidence.finite.meaning import Node

COMPARISONS = frozenset(["==", "!=", "<", "<=", "in"])
# A big M is too large if it is this many times the sufficient value.
TOO_LARGE = 10_000
# The maximum length of an expression in a finding, and the maximum number of names listed.
CHARS_MAX, NAMES_MAX = 80, 3


def found(stated: Stated, until: float) -> list[str]:
    """Returns all findings with their positions, in line order. Raises `OutOfTime`."""
    truths = Truths(stated.domains, until)
    lines: dict[tuple[int, int], list[Node]] = {}
    for place, node in zip(stated.shown.places, stated.constraints):
        if place is not None:
            lines.setdefault(place, []).append(node)
    first: dict[str, tuple[int, int]] = {}
    all_found = [*_untouched_objective(stated)]
    for (item, line), own in sorted(lines.items()):
        if None in own or any(_is_fixed(each, stated) for each in own):
            continue
        keys = [key(each) for each in own]
        twice = None if all(_is_bound(each, stated) for each in own) else _twice(keys, first)
        looks = (twice, *(look(own, truths, stated) for look in LOOKS))
        all_found += [f"item {item}, line {line}: {text}" for text in looks if text is not None][:1]
        for each in keys:
            first.setdefault(each, (item, line))
    return all_found


def _twice(keys: Sequence[str], first: Mapping[str, tuple[int, int]]) -> str | None:
    """Reports a line if each of its constraints was stated on an earlier line or is stated twice on the line itself."""
    before = {first.get(each) for each in keys}
    if None not in before:
        item, line = before.pop() or (0, 0)
        return None if before else f"this states the same as item {item}, line {line}: remove one of the two."
    if min(Counter(keys).values()) > 1:
        return "each constraint of this line is stated twice, as by a loop over (i, j) and (j, i): half of the cases is enough."
    return None


def _constant(own: Sequence[Node], truths: Truths, stated: Stated) -> str | None:
    """Reports conditions inside a line's constraints that always or never hold, e.g. equality to an excluded value."""
    atoms = [(each, each[0]) for node in own for each in _atoms(node, is_outermost=True) if not _is_fixed(each, stated)]
    for kind in dict.fromkeys(kind for _, kind in atoms):
        known = [each for each, of in atoms if of == kind]
        truth = truths.only(known[0])
        if truth is None or (truth and all(_is_bound(each, stated) for each in known)):
            continue
        if all(truths.only(each) is truth for each in known[1:]):
            shown = (words(known[0], stated.shown.names) or "a comparison")[:CHARS_MAX]
            return f"`{shown}` is {'always' if truth else 'never'} true here.{_range(known[0], truths, stated)}"
    return None


def _always_true(own: Sequence[Node], truths: Truths, stated: Stated) -> str | None:
    """Reports a line that excludes nothing.

    Plain bounds on one variable are not reported: they are common and harmless.
    """
    if all(_is_bound(each, stated) for each in own) or not all(truths.only(each) is True for each in own):
        return None
    which = "this constraint is" if len(own) == 1 else "all constraints of this line are"
    example = _range(own[0], truths, stated)
    return f"the domains of the variables alone ensure that {which} true: it excludes nothing.{example}"


def _is_bound(node: Node, stated: Stated) -> bool:
    """Whether a comparison only bounds a single variable by a constant."""
    is_order = node[0] in ("<", "<=") or (node[0] == "in" and len(node[2]) == 2 and node[2][0] != node[2][1])
    return is_order and sum(not _is_fixed(["v", each], stated) for each in {*variables(node)}) <= 1


def _is_fixed(node: Node, stated: Stated) -> bool:
    """Whether all variables in a node are fixed."""
    domains = [stated.domains[each] for each in variables(node)]
    return all(len(each) > 0 and each[0] == each[-1] for each in domains)


def _atoms(node: Node, is_outermost: bool = False) -> Iterator[Node]:
    """The comparisons in a node, except the node itself."""
    if not isinstance(node, list) or not node:
        return
    if isinstance(node[0], str) and node[0] in COMPARISONS and not is_outermost:
        yield node
        return
    for each in node[1:] if isinstance(node[0], str) else node:
        yield from _atoms(each)


def _range(node: Node, truths: Truths, stated: Stated) -> str:
    """Describes the range of one side of a comparison."""
    for side in node[1:] if node[0] in COMPARISONS else []:
        shown = words(side, stated.shown.names) if truths.is_sum(side) else None
        if shown is not None:
            low, high = bounds(side, stated.domains)
            return f" {shown[:CHARS_MAX]} is between {low} and {high}."
    return ""


def _too_large(own: Sequence[Node], truths: Truths, stated: Stated) -> str | None:
    """Reports sums in which a truth value's weight is far larger than needed, and whose other bound never matters."""
    for node in own:
        if node[0] != "in" or not truths.is_sum(node[1]) or node[1][0] != "linear" or len(node[2]) != 2:
            continue
        _, weights, parts, *offset = node[1]
        for at, (weight, part) in enumerate(zip(weights, parts)):
            if part[0] != "v" or not stated.is_truth(part[1]) or abs(weight) < TOO_LARGE:
                continue
            rest = ["linear", [*weights[:at], 0, *weights[at + 1 :]], parts, *offset]
            low, high = bounds(rest, stated.domains)
            least, most = node[2]
            need = high - most if weight < 0 else least - low
            is_open = (
                low + weight >= least or least <= -UNBOUNDED
                if weight < 0
                else high + weight <= most or most >= UNBOUNDED
            )
            if is_open and 0 < need * TOO_LARGE <= abs(weight):
                of = f" of {words(part, stated.shown.names)}" if part[1] in stated.shown.names else ""
                much = f"{abs(weight) // need} times the necessary value"
                return f"the factor {abs(weight)}{of} is {much}: {need} is enough, and a smaller one solves better."
    return None


def _untouched_objective(stated: Stated) -> Iterator[str]:
    """Reports an objective whose variables occur in no constraint, unless there are no constraints at all."""
    aim = {*variables(stated.objective)}
    constraints = [each for each in stated.constraints if not isinstance(each, list) or not _is_bound(each, stated)]
    if not aim or not constraints or None in constraints:
        return
    if aim.isdisjoint(each for node in constraints for each in variables(node)):
        known = [stated.shown.names[each] for each in sorted(aim) if each in stated.shown.names][:NAMES_MAX]
        which = f" ({', '.join(known)})" if known else ""
        yield f"no constraint contains a variable of the objective{which}: its best value follows from the domains alone."


LOOKS: Sequence[Callable[[Sequence[Node], Truths, Stated], str | None]] = (_constant, _always_true, _too_large)
