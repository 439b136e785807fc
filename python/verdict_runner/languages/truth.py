"""Handles the use of a constraint as a Python truth value, which it does not have before it is solved.

For an equation, the libraries return whether both sides are the same variable or have the same text, so that lists of
variables can be searched. Thus, `x == y or p` leaves only `p` in a model, and `not (x == y)` leaves nothing. Objects
that do not define a truth value are true.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterable, Mapping
from types import FrameType

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program

# Instructions that use truth values other than to search for an element: `if`, `and`, `not`, and comparisons of lists.
_TESTS = ("POP_JUMP", "JUMP_IF", "UNARY_NOT", "TO_BOOL", "COMPARE_OP")


def of_constraint(told: bool, is_certain: bool, finds: bool, text: Callable[[], str], instead: str) -> bool:
    """Returns the library's truth value of a constraint to the calling `__bool__`; raises `Refused` for a test.

    `finds` says whether the truth value can serve to search for an element: for a variable among others, but not for a
    number. `instead` is the library's replacement for `and`, `or`, `not` and `if`.
    """
    if is_certain or not _is_test(sys._getframe(2), finds):
        return told
    raise Refused(
        f"Python needs the truth value of the constraint `{_short(text())}`, which has none before it is solved.",
        [
            f"instead of and, or, not, if, any, all write {instead}",
            "write two constraints for a == b == c, and one for each element of a list or a numpy array",
            "to test whether two variables are identical, write a is b",
        ],
    )


def _is_test(frame: FrameType, finds: bool) -> bool:
    if frame.f_code.co_filename == __file__:
        return True
    if not program.is_asked_by_program(frame):
        return False
    return not finds or dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith(_TESTS)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"


def _any(values: Iterable[object]) -> bool:
    """Replaces Python's `any`; does not accept constraints as truth values."""
    for each in values:  # noqa: SIM110
        if each:
            return True
    return False


def _all(values: Iterable[object]) -> bool:
    """Replaces Python's `all`; does not accept constraints as truth values."""
    for each in values:  # noqa: SIM110
        if not each:
            return False
    return True


# The replacements for Python's own functions.
IN_PLACE: Mapping[str, Callable[[Iterable[object]], bool]] = {"any": _any, "all": _all}
