"""A program's own statements: claims about its answer, and exported values not from a solver (an answer's `unchecked`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from verdict_runner.protocol import values
from verdict_runner.protocol.values import Value

# Solvers' answers as worded by programs.
TRUTHS = {"sat": True, "satisfiable": True, "unsat": False, "unsatisfiable": False, "false": False, "unknown": None}


def truth(claim: object) -> bool | None:
    """A claim as a truth value, converted once: a program's object could return a different one each time."""
    if claim is None or isinstance(claim, bool):
        return claim
    # The result of Z3's check() also has a textual form.
    text = claim if isinstance(claim, str) else repr(claim) if type(claim).__name__ == "CheckSatResult" else None
    return bool(claim) if text is None else TRUTHS.get(text.lower(), True)


def unsupported(name: str, claim: bool, needed: str, answers: Collection[str]) -> str | None:
    """Why a claim is not confirmed, as a clause; None if a solver gave the required answer."""
    if needed in answers:
        return None
    return f"the program says {name}={claim}, but no solver that it called answered {needed}"


def computed(exported: Mapping[Value, object], is_read: Callable[[object], bool]) -> list[str]:
    """The names of values with a part not read from the solver by Verdict, such as a string, a number or an empty list."""
    return [name for name, value in values.named(exported, str).items() if not all(map(is_read, leaves(value)))]


def leaves(value: object) -> Iterator[object]:
    """The atomic parts of a value."""
    waiting: list[Value] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (dict, list, tuple, set, frozenset)) and each:
            waiting += each.values() if isinstance(each, dict) else each
        else:
            yield each
