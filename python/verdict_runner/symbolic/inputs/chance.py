"""Generates reproducible random values: medium-sized numbers, and strings composed of the code's words."""

from __future__ import annotations

import random
import types
import typing
from collections.abc import Callable, Sequence

from verdict_runner.symbolic.code import annotations
from verdict_runner.symbolic.code.annotations import Annotation
from verdict_runner.symbolic.contracts.same import Value

NUMBER_DIGITS_MAX = 4
ITEMS_MAX = 6
WORDS_MAX = 4
# Further parts from which strings are composed.
LETTERS = ("a", "b", "aa", "1", "23", " ")


class Chance:
    """Generates values for annotations.

    `known(annotation)` returns the values that are tried anyway. Raises `IndexError` if there are none.
    """

    def __init__(self, words: Sequence[str], known: Callable[[Annotation], Sequence[Value]]) -> None:
        self._random = random.Random(0)
        self.choice = self._random.choice
        self._words = [*words, *LETTERS]
        self._known = known

    def of(self, annotation: Annotation) -> Value:
        origin, parts = typing.get_origin(annotation) or annotation, annotations.parts_of(annotation)
        if origin in (typing.Union, types.UnionType):
            return self.of(self.choice(parts))
        if origin is int:
            return self._number()
        if origin is float:
            return self._number() / self.choice((1, 1, 2, 10))
        if origin is str:
            words = [self.choice(self._words) for _ in range(self._random.randint(1, WORDS_MAX))]
            return self.choice(("", "", " ")).join(words)
        if origin is tuple and Ellipsis not in parts:
            return tuple(map(self.of, parts))
        if origin in (list, tuple):
            # The items are drawn from a few values, so that some are equal.
            items = [self.of(parts[0]) for _ in range(self._random.randint(1, ITEMS_MAX))]
            return origin(self.choice(items) for _ in range(self._random.randint(0, ITEMS_MAX)))
        return self.choice(self._known(annotation))

    def _number(self) -> int:
        size = int(10 ** self._random.uniform(0, NUMBER_DIGITS_MAX))
        return self.choice((size, size, size, -size))
