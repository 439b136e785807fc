"""The meaning of circuit constraints, on successors or on chosen arcs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verdict_runner.evidence.finite import terms
from verdict_runner.evidence.finite.terms import Number, Truth

if TYPE_CHECKING:
    # `meaning` imports the tables in this folder.
    from verdict_runner.evidence.finite.meaning import Meaning, Node


def circuit(meaning: Meaning, parts: Sequence[Node]) -> Truth:
    """The constraint that following each node's successor forms a single circuit through all nodes."""
    following = meaning.numbers(parts)
    inside = [terms.both([terms.at_most(0, each), terms.less(each, len(following))]) for each in following]
    at: Number = 0
    away: list[Truth] = []
    for step in range(len(following)):
        at = terms.picked(following, at)
        back = terms.equal(at, 0)
        away.append(back if step == len(following) - 1 else terms.negation(back))
    return terms.both([*inside, terms.different(following), *away])


def arcs(meaning: Meaning, tails: Sequence[int], heads: Sequence[int], literals: Sequence[Node], depot: bool) -> Truth:
    """Chosen arcs form one circuit, or any number of circuits through a depot (node 0); self-loops skip nodes."""
    chosen = meaning.truths(literals)
    nodes = sorted({*tails, *heads})
    arcs = list(zip(tails, heads, chosen))
    stated: list[Truth] = []
    for node in nodes:
        leaving = terms.counted(taken for tail, _, taken in arcs if tail == node)
        coming = terms.counted(taken for _, head, taken in arcs if head == node)
        if depot and node == 0:
            stated.append(terms.equal(leaving, coming))
        else:
            stated += [terms.equal(leaving, 1), terms.equal(coming, 1)]
    if all(isinstance(each, bool) for each in chosen):
        return terms.both(stated) is True and _is_connected(nodes, arcs, depot)
    is_first: dict[int, Truth] = {0: True} if depot else _first_visited(nodes, arcs)
    rank = {node: meaning.fresh() for node in nodes}
    for tail, head, taken in arcs:
        if tail != head:
            stated.append(
                terms.either(
                    [terms.negation(taken), is_first.get(head, False), terms.equal(rank[head], rank[tail] + 1)]
                )
            )
    return terms.both(stated)


def _first_visited(nodes: Sequence[int], arcs: Sequence[tuple[int, int, Truth]]) -> dict[int, Truth]:
    """Maps each node to whether it is the first node that is not skipped."""
    left_out = {node: terms.either(taken for tail, head, taken in arcs if tail == head == node) for node in nodes}
    first: dict[int, Truth] = {}
    before: list[Truth] = []
    for node in nodes:
        first[node] = terms.both([terms.negation(left_out[node]), *before])
        before.append(left_out[node])
    return first


def _is_connected(nodes: Sequence[int], arcs: Sequence[tuple[int, int, Truth]], depot: bool) -> bool:
    following = {tail: head for tail, head, taken in arcs if taken and tail != head and not (depot and tail == 0)}
    begins = [head for tail, head, taken in arcs if taken and tail != head and tail == 0] if depot else []
    if not depot and following:
        begins = [next(iter(following))]
    seen: set[int] = set()
    for at in begins:
        while at in following and at not in seen:
            seen.add(at)
            at = following[at]
    return len(seen) == len(following)
