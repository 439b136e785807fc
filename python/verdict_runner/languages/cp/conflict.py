"""Finds conflicting constraints by leaving some out: a constraint is dropped if the rest is still unsatisfiable."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from verdict_runner.languages.why import Place

_Part = TypeVar("_Part", bound=Hashable)


def conflict(parts: Sequence[_Part], is_unsat: Callable[[Sequence[_Part]], bool], until: float) -> list[_Part]:
    """Returns conflicting parts, as few as time allows; all parts together are already known to conflict.

    Tries to drop large groups first. `is_unsat` returns True only if unsatisfiability was proved.
    """
    core = list(parts)
    size = max(1, len(core) // 2)
    while True:
        place = 0
        while place < len(core):
            if time.monotonic() >= until:
                return core
            rest = core[:place] + core[place + size :]
            if is_unsat(rest):
                core = rest
            else:
                place += size
        # A part that is needed for a set's conflict is also needed in every conflicting subset.
        if size == 1:
            return core
        size //= 2


def conflicting(
    places: Sequence[Place], is_unsat: Callable[[Sequence[int]], bool], until: float, first: Sequence[int] = ()
) -> list[int]:
    """The indices of conflicting constraints, on as few lines as possible, and then in as few cases of these lines.

    Constraints without a position are always kept. The constraints in `first` are the first candidates for dropping.
    """
    always = [index for index, place in enumerate(places) if place is None]
    order = dict.fromkeys([*first, *range(len(places))])
    kept = [index for index in order if places[index] is not None]
    for size in (2, 3):
        parts: dict[tuple[object, ...], list[int]] = {}
        for index in kept:
            parts.setdefault((places[index] or ())[:size], []).append(index)

        def is_unsat_with(
            some: Sequence[tuple[object, ...]], parts: dict[tuple[object, ...], list[int]] = parts
        ) -> bool:
            return is_unsat(sorted([*always, *(index for part in some for index in parts[part])]))

        kept = [index for part in conflict([*parts], is_unsat_with, until) for index in parts[part]]
    return sorted([*always, *kept])
