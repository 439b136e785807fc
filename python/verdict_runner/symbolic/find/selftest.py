"""Tests whether CrossHair and Z3 still give the known answers; if not, no exhausted exploration counts as a proof.

In each case, a wrong answer would be a false proof: reachable code must be reached, inexact values must be marked, and
silently abandoned paths must be counted.
"""

import inspect
import os
import time
from collections.abc import Callable, Mapping

from crosshair.tracers import NoTracing
from crosshair.util import IgnoreAttempt

from verdict_runner.symbolic.find import search

# The time limit for a test that takes a tenth of a second on an idle machine.
SECONDS = 20.0


def passes() -> bool:
    """Runs all cases, in a separate process if the system can fork, because Z3 must not start a thread in this one."""
    if not hasattr(os, "fork"):
        return _all_right()
    child = os.fork()
    if child == 0:
        right = False
        try:
            right = _all_right()
        finally:
            os._exit(0 if right else 1)
    return os.waitpid(child, 0)[1] == 0


def _all_right() -> bool:
    until = time.monotonic() + SECONDS
    return all(_answer(function, until) == expected for function, expected in CASES)


def _answer(function: Callable[..., object], until: float) -> tuple[set[str], bool]:
    """Returns the outcomes that are reached, and whether the exploration is complete."""
    reached = set()

    def attempt(arguments: Mapping[str, object]) -> str:
        try:
            return repr(bool(function(**arguments)))
        except Exception as error:
            with NoTracing():
                search.pass_on(error)
                return type(error).__name__

    def finished(outcome: str, inputs: Callable[[], object]) -> bool:
        inputs()
        reached.add(outcome)
        # An abandoned path is tried with one value after another, forever; it never finishes.
        return exploration.unknown > 1

    exploration = search.Search(inspect.signature(function), (), attempt, finished)
    exploration.run(until)
    return reached, exploration.complete


def needle(x: int, y: int) -> bool:
    if x == 7 and y == 25:
        raise ValueError
    return True


def dead(x: int) -> bool:
    return x > 0 and x < 0


def floor(x: int) -> bool:
    """Division rounds down even for negative numbers, so the two sides differ for odd ones."""
    return x // -2 == -(x // 2)


def truths(a: bool, b: bool) -> bool:
    return (not (a and b)) == ((not a) or (not b))


def numbers(b: bool) -> bool:
    """Arithmetic on a bool yields an int, not a bool, even if both are equal."""
    for each in (
        -b,
        ~b,
        abs(b),
        b + False,
        b - False,
        b * True,
        b // True,
        b % 2,
        b << 0,
        b >> 0,
        b**1,
        divmod(b, 1)[0],
    ):
        match each:
            case True | False:
                return False
    return True


def remain(a: bool, b: bool) -> bool:
    """The results of these operations are bools."""
    for each in (a & b, a | b, a ^ b, not a, a < b, a == b, a and b, a or b, max(a, b), min(a, b), bool(a)):
        match each:
            case True | False:
                continue
            case _:
                return False
    return True


def text(s: str) -> bool:
    return s == "ß" or len(s) == 0


def itself(x: float) -> bool:
    """NaN does not equal itself, and an exhausted exploration that involves floats is not a proof."""
    return x == x


def given_up(x: int) -> bool:
    """From outside, a path that CrossHair abandons inside the function looks like a result."""
    if x == 3:
        raise IgnoreAttempt
    return True


CASES = (
    (needle, ({"True", "ValueError"}, True)),
    (dead, ({"False"}, True)),
    (floor, ({"True", "False"}, True)),
    (truths, ({"True"}, True)),
    (numbers, ({"True"}, True)),
    (remain, ({"True"}, True)),
    (text, ({"True", "False"}, True)),
    (itself, ({"True", "False"}, False)),
    (given_up, ({"True"}, False)),
)
