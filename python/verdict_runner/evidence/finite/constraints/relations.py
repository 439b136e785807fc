"""The meaning of each constraint on numbers, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from verdict_runner.evidence.finite import terms
from verdict_runner.evidence.finite.constraints.circuits import arcs, circuit
from verdict_runner.evidence.finite.constraints.tasks import cumulative, no_overlap, no_overlap_2d, reservoir
from verdict_runner.evidence.finite.terms import Number, Truth

if TYPE_CHECKING:
    # `meaning` imports the tables in this folder.
    from verdict_runner.evidence.finite.meaning import Meaning, Node


def _compared(compare: Callable[[Number, Number], Truth]) -> Callable[..., Truth]:
    return lambda meaning, a, b: compare(meaning.number(a), meaning.number(b))


def _alike(meaning: Meaning, parts: Sequence[Node], without: Sequence[Node] = ()) -> Truth:
    left_out = meaning.numbers(without)
    spared = lambda value: [terms.equal(value, each) for each in left_out]  # noqa: E731
    pairs = terms.pairs(meaning.numbers(parts))
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
    """The operands must match one of the rows; None in a row matches any value."""
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


def _cardinalities(
    meaning: Meaning, parts: Sequence[Node], values: Sequence[int], counts: Sequence[Node], is_closed: bool
) -> Truth:
    numbers, occurrences = meaning.numbers(parts), meaning.numbers(counts)
    alike = [
        terms.equal(terms.counted(terms.equal(each, value) for each in numbers), count)
        for value, count in zip(values, occurrences)
    ]
    return terms.both([*alike, *(terms.one_of(each, values) for each in numbers if is_closed)])


def _precedence(meaning: Meaning, parts: Sequence[Node], order: Sequence[int]) -> Truth:
    """Each value in the order occurs only after its predecessor has occurred."""
    numbers = meaning.numbers(parts)
    return terms.both(
        terms.implied(
            terms.equal(value, second), terms.either(terms.equal(earlier, first) for earlier in numbers[:place])
        )
        for first, second in zip(order, order[1:])
        for place, value in enumerate(numbers)
    )


RELATIONS: Mapping[str, Callable[..., Truth]] = {
    "==": _compared(terms.equal),
    "!=": _compared(lambda a, b: terms.negation(terms.equal(a, b))),
    "<": _compared(terms.less),
    "<=": _compared(terms.at_most),
    "in": lambda meaning, part, ranges: terms.within(meaning.number(part), ranges),
    "all_different": lambda meaning, parts, without=(): terms.different(
        meaning.numbers(parts), meaning.numbers(without)
    ),
    "all_equal": _alike,
    "ordered": _ordered,
    "lexicographic": _lexicographic,
    "table": _table,
    "forbidden": lambda meaning, parts, rows: terms.negation(_table(meaning, parts, rows)),
    "automaton": _automaton,
    "inverse": _inverse,
    "circuit": circuit,
    "cardinalities": _cardinalities,
    "precedence": _precedence,
    "cumulative": cumulative,
    "no_overlap": no_overlap,
    "no_overlap_2d": no_overlap_2d,
    "reservoir": reservoir,
    "arcs": arcs,
}
