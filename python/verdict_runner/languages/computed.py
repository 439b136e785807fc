"""Which exported values a program computed itself, in every language: `unchecked` of an answer names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from verdict_runner.protocol import values
from verdict_runner.protocol.values import Value


def computed(exported: Mapping[Value, object], is_read: Callable[[object], bool]) -> list[str]:
    """The names of values with a part that Verdict does not read from the solver, such as a text, a number or an empty list."""
    return [name for name, value in values.named(exported, str).items() if not all(map(is_read, leaves(value)))]


def leaves(value: object) -> Iterator[object]:
    """The parts of a value that have no parts themselves."""
    waiting: list[Value] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (dict, list, tuple, set, frozenset)) and each:
            waiting += each.values() if isinstance(each, dict) else each
        else:
            yield each
