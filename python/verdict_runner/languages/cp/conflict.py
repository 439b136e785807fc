"""Which lines of a model conflict, found by leaving lines out: a line goes for good only when the others are still unsat."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

_Part = TypeVar("_Part", bound=Hashable)


def conflict(parts: Sequence[_Part], is_unsat: Callable[[Sequence[_Part]], bool], until: float) -> list[_Part]:
    """Parts that are unsat together, as few as there is time for; all of them conflict by what is already known.

    Large pieces are tried first. `is_unsat` says True only where that was proved.
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
        # What one part was needed for is needed of every smaller whole, too.
        if size == 1:
            return core
        size //= 2
