"""Handles a program's claims about its answer, and exported values that no solver found (`unchecked` in an answer)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from verdict_runner.protocol import values
from verdict_runner.protocol.values import Value

# Solvers' answers in the words that programs use.
TRUTHS = {"sat": True, "satisfiable": True, "unsat": False, "unsatisfiable": False, "false": False, "unknown": None}


def truth(claim: object) -> bool | None:
    """Converts a claim to a truth value, once: a program's object could return a different one each time."""
    if claim is None or isinstance(claim, bool):
        return claim
    # The result of Z3's check() can also be recognised by its text.
    text = claim if isinstance(claim, str) else repr(claim) if type(claim).__name__ == "CheckSatResult" else None
    return bool(claim) if text is None else TRUTHS.get(text.lower(), True)


def unsupported(name: str, claim: bool, needed: str, answers: Collection[str]) -> str | None:
    """Returns the reason why a claim is not confirmed, worded to fit into a sentence; None if a solver gave the required answer."""
    if needed in answers:
        return None
    return f"the program says {name}={claim}, but no solver that it called answered {needed}"


def computed(exported: Mapping[Value, object], is_read: Callable[[object], bool]) -> list[str]:
    """The names of values with a part that Verdict did not read from the solver, such as a string or an empty list."""
    return [name for name, value in values.named(exported, str).items() if not all(map(is_read, leaves(value)))]


def leaves(value: object) -> Iterator[object]:
    """Yields the atomic parts of a value."""
    waiting: list[Value] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (dict, list, tuple, set, frozenset)) and each:
            waiting += each.values() if isinstance(each, dict) else each
        else:
            yield each
