"""Generates strings that a regular expression matches."""

from __future__ import annotations

import importlib
import random
import re
import sys
from collections.abc import Iterable, Sequence

from verdict_runner.symbolic.contracts.same import Value

PARSER = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
# Characters from which one that is not in a set is chosen, and the characters of each category.
CHARACTERS = "a0 -_:/.\nß"
CATEGORIES = {
    "DIGIT": "0123456789",
    "SPACE": " \t",
    "WORD": "ab1_",
    "NOT_DIGIT": "a -",
    "NOT_SPACE": "a1-",
    "NOT_WORD": " -:",
}
# The maximum number of repetitions of a part beyond the required ones.
REPEATS_MAX = 3


def matching(pattern: str, chance: random.Random) -> str | None:
    """Returns a string that the pattern matches, unless it looks around or back; None if it is not a pattern."""
    try:
        return _text(PARSER.parse(pattern), chance)
    except (re.error, RecursionError, OverflowError):
        return None


def _text(parts: Iterable[tuple[object, Value]], chance: random.Random) -> str:
    return "".join(_part(str(kind), value, chance) for kind, value in parts)


def _part(kind: str, value: Value, chance: random.Random) -> str:
    if kind == "LITERAL":
        return chr(value)
    if kind in ("ANY", "NOT_LITERAL"):
        return next(each for each in CHARACTERS if ord(each) != value)
    if kind == "IN":
        return _of_set(value, chance)
    if kind == "BRANCH":
        return _text(chance.choice(value[1]), chance)
    if kind == "SUBPATTERN":
        return _text(value[-1], chance)
    if kind.endswith("REPEAT"):
        least, most, part = value
        return "".join(_text(part, chance) for _ in range(chance.randint(least, min(most, least + REPEATS_MAX))))
    return ""


def _of_set(options: Sequence[tuple[object, Value]], chance: random.Random) -> str:
    named = [(str(kind), value) for kind, value in options]
    if named[0][0] == "NEGATE":
        return next((each for each in CHARACTERS if not any(_has(*option, each) for option in named)), "")
    kind, value = chance.choice(named)
    if kind == "RANGE":
        return chr(chance.randint(*value))
    return chance.choice(_category(value)) if kind == "CATEGORY" else chr(value)


def _has(kind: str, value: Value, character: str) -> bool:
    if kind == "RANGE":
        return value[0] <= ord(character) <= value[1]
    return character in _category(value) if kind == "CATEGORY" else value == ord(character)


def _category(value: object) -> str:
    return CATEGORIES[str(value).removeprefix("CATEGORY_")]
