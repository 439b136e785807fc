"""Tasks with a start and a duration, on a capacity or one after the other; and rectangles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from verdict_runner.languages.flatzinc.flat import Flat, Literal, Term


def _interval(flat: Flat, start: Term, size: Term, present: Literal | None) -> Any:  # noqa: ANN401
    """An interval of CP-SAT; `present` is None for one that is always there."""
    if isinstance(size, int):
        if present is None:
            return flat.model.new_fixed_size_interval_var(start, size, "")
        return flat.model.new_optional_fixed_size_interval_var(start, size, present, "")
    (first, last), (least, most) = flat.bounds(start), flat.bounds(size)
    end = flat.fresh([(first + least, last + most)])
    if present is None:
        return flat.model.new_interval_var(start, size, end, "")
    return flat.model.new_optional_interval_var(start, size, end, present, "")


def _positive(flat: Flat, size: Term, present: Literal | None) -> tuple[bool, Literal | None]:
    """Whether a task can take time, and when it is there and takes some."""
    low, high = flat.bounds(size)
    if high <= 0:
        return False, None
    if low > 0:
        return True, present
    takes = flat.fresh([(0, 1)])
    flat.keep([1], [size], [(1, high)], [takes])
    flat.keep([1], [size], [(low, 0)], [~takes])
    if present is None:
        return True, takes
    both = flat.fresh([(0, 1)])
    flat.clause([~both, takes], ())
    flat.clause([~both, present], ())
    flat.clause([both, ~takes, ~present], ())
    return True, both


def _cumulative(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    """The arguments: starts, durations, amounts, capacity, whether each is there."""
    starts, sizes, amounts = (flat.terms(each) for each in given[:3])
    capacity, present = flat.term(given[3]), flat.terms(given[4])
    if not starts:
        return
    flat.keep([1], [capacity], [(0, 2**62)], under)
    intervals: list[Any] = []
    demands: list[Term] = []
    for start, size, amount, there in zip(starts, sizes, amounts, present):
        if flat.bounds(amount)[1] <= 0 or flat.bounds(size)[1] <= 0 or flat.bounds(there)[1] == 0:
            continue
        intervals.append(_interval(flat, start, size, None if flat.bounds(there)[0] == 1 else there))
        demands.append(amount)
    if intervals:
        flat.enforce(flat.model.add_cumulative(intervals, demands, capacity), under)


def _disjunctive(is_strict: bool) -> Callable[[Flat, Sequence[object], Sequence[Literal]], None]:
    """One task after the other. Where it is not strict, a task without duration can be during another."""

    def post(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
        intervals: list[Any] = []
        for start, size, there in zip(flat.terms(given[0]), flat.terms(given[1]), flat.terms(given[2])):
            if flat.bounds(there)[1] == 0:
                continue
            present = None if flat.bounds(there)[0] == 1 else there
            flat.keep([1], [size], [(0, 2**62)], [*under, *([] if present is None else [present])])
            if not is_strict:
                takes, present = _positive(flat, size, present)
                if not takes:
                    continue
            intervals.append(_interval(flat, start, size, present))
        if len(intervals) > 1:
            flat.enforce(flat.model.add_no_overlap(intervals), under)

    return post


def _rectangles(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    """Rectangles with sides of at least 1: left, lower, width, height."""
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
