"""Translates constraints on tasks (cumulative or disjunctive) and on rectangles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from verdict_runner.languages.flatzinc.flat import Flat, Literal, Term, values_in

# A duration or demand with at most this many values is split into one optional task per value. CP-SAT reasons
# better about constants, and is wrong about optional tasks with non-constant demands.
CHOICES_MOST = 8


def _interval(flat: Flat, start: Term, size: Term, present: Literal | None) -> Any:  # noqa: ANN401
    """Creates a CP-SAT interval; `present` is None if the interval is always present."""
    if isinstance(size, int):
        if present is None:
            return flat.model.new_fixed_size_interval_var(start, size, "")
        return flat.model.new_optional_fixed_size_interval_var(start, size, present, "")
    (first, last), (least, most) = flat.bounds(start), flat.bounds(size)
    end = flat.fresh([(first + least, last + most)])
    if present is None:
        return flat.model.new_interval_var(start, size, end, "")
    # Otherwise, the end of an absent task would be free, and each solution would be repeated for every value of that
    # end.
    flat.keep([1], [end], [(first + least, first + least)], [~present])
    return flat.model.new_optional_interval_var(start, size, end, present, "")


def _split(flat: Flat, terms: Sequence[Term], there: Term) -> Iterator[tuple[Sequence[Term], Literal | None]]:
    """Yields the possible combinations of these terms' values with their literals (None for the only combination)."""
    ways: list[tuple[list[Term], list[Literal]]] = [([], [] if flat.bounds(there)[0] == 1 else [there])]
    if flat.bounds(there)[1] == 0:
        return
    for term in terms:
        count = sum(high - low + 1 for low, high in flat.domain(term))
        if isinstance(term, int) or count * len(ways) > CHOICES_MOST:
            ways = [([*values, term], literals) for values, literals in ways]
        else:
            each = [(value, flat.has_value(term, value)) for value in values_in(flat.domain(term), CHOICES_MOST)]
            ways = [([*values, value], [*literals, one]) for values, literals in ways for value, one in each]
    for values, literals in ways:
        yield values, flat.all_of(literals) if literals else None


def _cumulative(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    """Takes starts, durations, demands, the capacity, and whether each task is present."""
    capacity, tasks = flat.term(given[3]), [*zip(*(flat.terms(given[at]) for at in (0, 1, 2, 4)))]
    if not tasks:
        return
    flat.keep([1], [capacity], [(0, 2**62)], under)
    intervals: list[Any] = []
    demands: list[Term] = []
    for start, *needs, there in tasks:
        for (size, amount), present in _split(flat, needs, there):
            if flat.bounds(amount)[1] > 0 and flat.bounds(size)[1] > 0:
                intervals.append(_interval(flat, start, size, present))
                demands.append(amount)
    if intervals:
        flat.enforce(flat.model.add_cumulative(intervals, demands, capacity), under)


def _disjunctive(is_strict: bool) -> Callable[[Flat, Sequence[object], Sequence[Literal]], None]:
    """States that tasks do not overlap. Unless `is_strict`, a task with duration 0 may lie within another one."""

    def post(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
        intervals: list[Any] = []
        for start, given_duration, there in zip(*(flat.terms(each) for each in given[:3])):
            # Following MiniZinc's definition, durations are non-negative even for absent tasks.
            duration = flat.narrowed(given_duration, [(0, 2**62)], under, 0)
            for (size,), present in _split(flat, [duration], there):
                low, high = flat.bounds(size)
                if not is_strict and low == 0:
                    if high == 0:
                        continue
                    takes = flat.fresh([(0, 1)])
                    flat.keep([1], [size], [(1, high)], [takes])
                    flat.keep([1], [size], [(0, 0)], [~takes])
                    present = takes if present is None else flat.all_of([takes, present])
                intervals.append(_interval(flat, start, size, present))
        if len(intervals) > 1:
            flat.enforce(flat.model.add_no_overlap(intervals), under)

    return post


def _rectangles(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    """States that rectangles (left, bottom, width, height) with sides of at least 1 do not overlap."""
    left, lower, width, height = (flat.terms(each) for each in given)
    across = [_interval(flat, *each, None) for each in zip(left, width)]
    upward = [_interval(flat, *each, None) for each in zip(lower, height)]
    if across:
        flat.enforce(flat.model.add_no_overlap_2d(across, upward), under)


TASKS: Mapping[str, Callable[[Flat, Sequence[object], Sequence[Literal]], None]] = {
    "verdict_cumulative": _cumulative,
    "verdict_disjunctive": _disjunctive(is_strict=False),
    "verdict_disjunctive_strict": _disjunctive(is_strict=True),
    "verdict_rectangles": _rectangles,
}
