"""The meaning of constraints on tasks with a start, a size and an end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verdict_runner.evidence.finite import terms
from verdict_runner.evidence.finite.terms import Truth

if TYPE_CHECKING:
    # `meaning` imports the tables in this folder.
    from verdict_runner.evidence.finite.meaning import Meaning, Node


class _Tasks:
    """Intervals, each with a presence literal."""

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
            terms.implied(is_present, terms.both([terms.at_most(0, size), terms.equal(end, whole)]))
            for is_present, size, end, whole in zip(self.present, self.sizes, self.ends, sums)
        )

    def apart(self, i: int, j: int) -> Truth:
        """Whether one of the two tasks ends before the other starts."""
        return terms.either([terms.at_most(self.ends[i], self.starts[j]), terms.at_most(self.ends[j], self.starts[i])])


def cumulative(
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
    stated += [terms.implied(is_present, terms.at_most(0, need)) for is_present, need in zip(tasks.present, needed)]
    # The load can increase only when a task starts.
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


def no_overlap(
    meaning: Meaning,
    starts: Sequence[Node],
    sizes: Sequence[Node],
    ends: Sequence[Node] | None,
    present: Sequence[Node] | None = None,
    empty_count: bool = False,
) -> Truth:
    """Tasks do not overlap; with `empty_count`, not even a task of size 0 may lie within another one."""
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


def no_overlap_2d(meaning: Meaning, across: Sequence[Node], up: Sequence[Node]) -> Truth:
    """Rectangles do not overlap; `across` and `up` are each `[starts, sizes, ends, present]`."""
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


def reservoir(
    meaning: Meaning,
    times: Sequence[Node],
    changes: Sequence[Node],
    low: Node,
    high: Node,
    present: Sequence[Node] | None,
) -> Truth:
    """After all events at a point in time, the level is within its bounds."""
    at, by = meaning.numbers(times), meaning.numbers(changes)
    least, most = meaning.number(low), meaning.number(high)
    are_present: list[Truth] = [True] * len(at) if present is None else meaning.truths(present)
    stated = []
    for i, now in enumerate(at):
        level = terms.total(
            terms.chosen(terms.both([are_present[j], terms.at_most(at[j], now)]), by[j], 0) for j in range(len(at))
        )
        stated.append(
            terms.implied(are_present[i], terms.both([terms.at_most(least, level), terms.at_most(level, most)]))
        )
    return terms.both(stated)
