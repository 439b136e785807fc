"""What a constraint means: a tree of JSON lists read as a truth value, a number, or as a formula of Z3.

A node is a whole number, `["v", i]` for variable i, or `[name, …]`. What is undefined (a division by 0, an index beyond
an array) makes the nearest truth value around it false.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import z3

from verdict_runner.languages.cp import terms
from verdict_runner.languages.cp.terms import Number, Truth

# What comes as JSON: each reader below expects its own form, and a wrong one raises.
Node: TypeAlias = Any

# How many nodes are read between two looks at the clock.
NODES_A_LOOK = 500
# Powers are written out as products.
EXPONENT_MAX = 20


class Unknown(Exception):
    """A constraint that has no meaning here."""


class OutOfTime(Exception):
    """There was not enough time to read all constraints."""


class Meaning:
    """Reads nodes, with these values or terms for the variables."""

    def __init__(self, variables: Sequence[Number | Truth], until: float) -> None:
        self._variables = variables
        self._until = until
        self._looked = 0
        # What has to be defined, for each truth value around the node that is read.
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
        """Says that what is read is undefined without this condition."""
        self._defined[-1].append(condition)

    def undefined_outside(self) -> Truth:
        """Whether all is defined that stood outside of every truth value."""
        return terms.both(self._defined[0])

    def fresh(self) -> z3.ArithRef:
        """A new number, for what is only claimed to exist; never below a negation."""
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


def _element(meaning: Meaning, parts: Sequence[Node], index: Node) -> Number:
    values, at = meaning.numbers(parts), meaning.number(index)
    meaning.needs(terms.both([terms.at_most(0, at), terms.less(at, len(values))]))
    return terms.picked(values, at)


def _count(meaning: Meaning, parts: Sequence[Node], value: Node) -> Number:
    wanted = meaning.number(value)
    return terms.counted(terms.equal(each, wanted) for each in meaning.numbers(parts))


def _among(meaning: Meaning, parts: Sequence[Node], values: Sequence[int]) -> Number:
    return terms.counted(_one_of(each, values) for each in meaning.numbers(parts))


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
    "max": lambda meaning, parts: terms.largest(meaning.numbers(parts)),
    "min": lambda meaning, parts: terms.smallest(meaning.numbers(parts)),
    "element": _element,
    "count": _count,
    "among": _among,
    "nvalue": _distinct,
    "if": _choice,
}


# ---- Logic: what is undefined below one of these makes that part of it false.


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


# ---- Relations between numbers.


def _compared(compare: Callable[[Number, Number], Truth]) -> Callable[..., Truth]:
    return lambda meaning, a, b: compare(meaning.number(a), meaning.number(b))


def _one_of(value: Number, values: Sequence[int]) -> Truth:
    return terms.either(terms.equal(value, each) for each in values)


def _pairs(values: Sequence[Number]) -> Iterator[tuple[Number, Number]]:
    return ((a, b) for i, a in enumerate(values) for b in values[:i])


def _different(values: Sequence[Number], without: Sequence[Number] = ()) -> Truth:
    if all(isinstance(each, int) for each in values) and not without:
        return len(set(values)) == len(values)
    return terms.both(
        terms.either([terms.negation(terms.equal(a, b)), *(terms.equal(a, each) for each in without)])
        for a, b in _pairs(values)
    )


def _alike(meaning: Meaning, parts: Sequence[Node], without: Sequence[Node] = ()) -> Truth:
    left_out = meaning.numbers(without)
    spared = lambda value: [terms.equal(value, each) for each in left_out]  # noqa: E731
    pairs = _pairs(meaning.numbers(parts))
    return terms.both(terms.either([terms.equal(a, b), *spared(a), *spared(b)]) for a, b in pairs)


def _ordered(meaning: Meaning, parts: Sequence[Node], compare: str) -> Truth:
    values = meaning.numbers(parts)
    order = terms.less if compare == "<" else terms.at_most
    return terms.both(order(a, b) for a, b in zip(values, values[1:]))


def _lexicographic(meaning: Meaning, a: Sequence[Node], b: Sequence[Node], compare: str) -> Truth:
    pairs = list(zip(meaning.numbers(a), meaning.numbers(b)))
    stated: Truth = compare == "<="
    for x, y in reversed(pairs):
        stated = terms.either([terms.less(x, y), terms.both([terms.equal(x, y), stated])])
    return stated


def _table(meaning: Meaning, parts: Sequence[Node], rows: Sequence[Sequence[int | None]]) -> Truth:
    """A row has to fit; None in it fits any value."""
    values = meaning.numbers(parts)
    return terms.either(
        terms.both(terms.equal(value, cell) for value, cell in zip(values, row) if cell is not None) for row in rows
    )


def _automaton(
    meaning: Meaning,
    parts: Sequence[Node],
    transitions: Sequence[tuple[int, int, int]],
    start: int,
    accepting: Sequence[int],
) -> Truth:
    reached: dict[int, Truth] = {start: True}
    for value in meaning.numbers(parts):
        ways: dict[int, list[Truth]] = {}
        for tail, label, head in transitions:
            if tail in reached:
                ways.setdefault(head, []).append(terms.both([reached[tail], terms.equal(value, label)]))
        reached = {head: terms.either(each) for head, each in ways.items()}
    return terms.either(reached[state] for state in dict.fromkeys(accepting) if state in reached)


def _inverse(meaning: Meaning, forward: Sequence[Node], backward: Sequence[Node]) -> Truth:
    there, back = meaning.numbers(forward), meaning.numbers(backward)
    inside = [
        terms.both([terms.at_most(0, each), terms.less(each, len(others))])
        for values, others in ((there, back), (back, there))
        for each in values
    ]
    return terms.both([*inside, *(terms.equal(terms.picked(back, each), i) for i, each in enumerate(there))])


def _circuit(meaning: Meaning, parts: Sequence[Node]) -> Truth:
    """One circle through all places, of which each names the next one."""
    following = meaning.numbers(parts)
    inside = [terms.both([terms.at_most(0, each), terms.less(each, len(following))]) for each in following]
    at: Number = 0
    away: list[Truth] = []
    for step in range(len(following)):
        at = terms.picked(following, at)
        back = terms.equal(at, 0)
        away.append(back if step == len(following) - 1 else terms.negation(back))
    return terms.both([*inside, _different(following), *away])


def _cardinalities(
    meaning: Meaning, parts: Sequence[Node], values: Sequence[int], counts: Sequence[Node], is_closed: bool
) -> Truth:
    numbers, wanted = meaning.numbers(parts), meaning.numbers(counts)
    alike = [
        terms.equal(terms.counted(terms.equal(each, value) for each in numbers), count)
        for value, count in zip(values, wanted)
    ]
    return terms.both([*alike, *(_one_of(each, values) for each in numbers if is_closed)])


def _precedence(meaning: Meaning, parts: Sequence[Node], order: Sequence[int]) -> Truth:
    """Each value of the order comes only behind the one before it."""
    numbers = meaning.numbers(parts)
    return terms.both(
        terms.implied(
            terms.equal(value, second), terms.either(terms.equal(earlier, first) for earlier in numbers[:place])
        )
        for first, second in zip(order, order[1:])
        for place, value in enumerate(numbers)
    )


class _Tasks:
    """Intervals, each with its presence."""

    def __init__(
        self,
        meaning: Meaning,
        starts: Sequence[Node],
        sizes: Sequence[Node],
        ends: Sequence[Node] | None,
        present: Sequence[Node] | None,
    ) -> None:
        self.starts, self.sizes = meaning.numbers(starts), meaning.numbers(sizes)
        sums = [terms.total(pair) for pair in zip(self.starts, self.sizes)]
        self.ends = sums if ends is None else meaning.numbers(ends)
        self.present: list[Truth] = [True] * len(self.starts) if present is None else meaning.truths(present)
        self.whole = terms.both(
            terms.implied(there, terms.both([terms.at_most(0, size), terms.equal(end, whole)]))
            for there, size, end, whole in zip(self.present, self.sizes, self.ends, sums)
        )

    def apart(self, i: int, j: int) -> Truth:
        """Whether one ends before the other begins."""
        return terms.either([terms.at_most(self.ends[i], self.starts[j]), terms.at_most(self.ends[j], self.starts[i])])


def _cumulative(
    meaning: Meaning,
    starts: Sequence[Node],
    sizes: Sequence[Node],
    ends: Sequence[Node] | None,
    demands: Sequence[Node],
    capacity: Node,
    present: Sequence[Node] | None = None,
) -> Truth:
    tasks = _Tasks(meaning, starts, sizes, ends, present)
    needed, room = meaning.numbers(demands), meaning.number(capacity)
    stated = [tasks.whole, terms.at_most(0, room)]
    stated += [terms.implied(there, terms.at_most(0, need)) for there, need in zip(tasks.present, needed)]
    # The load can only go up where a task begins.
    for i, begin in enumerate(tasks.starts):
        load = terms.total(
            terms.chosen(
                terms.both([tasks.present[j], terms.at_most(tasks.starts[j], begin), terms.less(begin, tasks.ends[j])]),
                needed[j],
                0,
            )
            for j in range(len(tasks.starts))
        )
        stated.append(terms.implied(tasks.present[i], terms.at_most(load, room)))
    return terms.both(stated)


def _no_overlap(
    meaning: Meaning,
    starts: Sequence[Node],
    sizes: Sequence[Node],
    ends: Sequence[Node] | None,
    present: Sequence[Node] | None = None,
    empty_count: bool = False,
) -> Truth:
    """Tasks are apart; `empty_count` says whether one of size 0 may not lie within another one either."""
    tasks = _Tasks(meaning, starts, sizes, ends, present)
    pairs = [(i, j) for i in range(len(tasks.starts)) for j in range(i)]
    empty: list[Truth] = [False if empty_count else terms.equal(size, 0) for size in tasks.sizes]
    return terms.both(
        [
            tasks.whole,
            *(
                terms.either(
                    [
                        terms.negation(tasks.present[i]),
                        terms.negation(tasks.present[j]),
                        empty[i],
                        empty[j],
                        tasks.apart(i, j),
                    ]
                )
                for i, j in pairs
            ),
        ]
    )


def _no_overlap_2d(meaning: Meaning, across: Sequence[Node], up: Sequence[Node]) -> Truth:
    """Rectangles are apart; each of the two is `[starts, sizes, ends, present]`."""
    x, y = _Tasks(meaning, *across), _Tasks(meaning, *up)
    return terms.both(
        terms.either(
            [
                *(terms.negation(each.present[k]) for each in (x, y) for k in (i, j)),
                x.apart(i, j),
                y.apart(i, j),
            ]
        )
        for i in range(len(x.starts))
        for j in range(i)
    )


def _reservoir(
    meaning: Meaning,
    times: Sequence[Node],
    changes: Sequence[Node],
    low: Node,
    high: Node,
    present: Sequence[Node] | None,
) -> Truth:
    """After all that happens at one time, the level is within its bounds."""
    at, by = meaning.numbers(times), meaning.numbers(changes)
    least, most = meaning.number(low), meaning.number(high)
    there: list[Truth] = [True] * len(at) if present is None else meaning.truths(present)
    stated = []
    for i, now in enumerate(at):
        level = terms.total(
            terms.chosen(terms.both([there[j], terms.at_most(at[j], now)]), by[j], 0) for j in range(len(at))
        )
        stated.append(terms.implied(there[i], terms.both([terms.at_most(least, level), terms.at_most(level, most)])))
    return terms.both(stated)


def _arcs(meaning: Meaning, tails: Sequence[int], heads: Sequence[int], literals: Sequence[Node], depot: bool) -> Truth:
    """One circle of the chosen arcs, or with a depot (node 0) any number of circles through it; a loop leaves a node out."""
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
    """For each node, whether it is the first one that is not left out."""
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


RELATIONS: Mapping[str, Callable[..., Truth]] = {
    "==": _compared(terms.equal),
    "!=": _compared(lambda a, b: terms.negation(terms.equal(a, b))),
    "<": _compared(terms.less),
    "<=": _compared(terms.at_most),
    "in": lambda meaning, part, ranges: terms.within(meaning.number(part), ranges),
    "all_different": lambda meaning, parts, without=(): _different(meaning.numbers(parts), meaning.numbers(without)),
    "all_equal": _alike,
    "ordered": _ordered,
    "lexicographic": _lexicographic,
    "table": _table,
    "automaton": _automaton,
    "inverse": _inverse,
    "circuit": _circuit,
    "cardinalities": _cardinalities,
    "precedence": _precedence,
    "cumulative": _cumulative,
    "no_overlap": _no_overlap,
    "no_overlap_2d": _no_overlap_2d,
    "reservoir": _reservoir,
    "arcs": _arcs,
}
