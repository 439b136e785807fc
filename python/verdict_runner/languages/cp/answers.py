"""Code shared by the answers of `ortools`, MathOpt and `cpmpy`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from verdict_runner.evidence.finite.form import Leaf, Named
from verdict_runner.evidence.questions.shape import Shape
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.record import Record
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

# The search for a conflict may take as long as solving did, and at least this long.
CONFLICT_SECONDS_MIN = 2.0
NO_NAME = "No variable has a name, so no values are shown; name them, or call export_solution({…})."


def conflict_until(solving_seconds: float, solving_until: float) -> float:
    """Returns the time at which the search for the conflicting constraints ends."""
    return min(solving_until, time.monotonic() + max(CONFLICT_SECONDS_MIN, solving_seconds))


def tell_objective(run: Record, answer: Answer, value: Json, is_best: bool, bound: float | None) -> None:
    """Adds a solution's objective, and the engine's bound on it unless the engine's claims do not count, to the answer."""
    answer.objective_value, answer.optimal = value, is_best
    if not is_best:
        run.warn("The search reached a limit before this was proved optimal: there may be better values.")
        answer.objective_bound = bound if answer.distrusted is None else None


def named_leaves(
    exported: Mapping[str, object] | None,
    own: Callable[[], Mapping[str, object]],
    leaf: Callable[[object], Leaf | None],
) -> Named:
    """Shows a solution by its exported values, or by the program's variables if no engine chose an exported value."""
    leaves: list[Leaf] = []

    def place(value: object) -> int | None:
        found = leaf(value)
        if found is None:
            return None
        leaves.append(found)
        return len(leaves) - 1

    shape = Shape.of(values.named(exported or {}, str), place)
    if not shape.named:
        others = Shape.of(own(), place)
        shape = Shape(others.named, [*shape.left_out, *others.left_out])
    return Named(leaves, shape)


def apart(
    arguments: Sequence[object], solved: tuple[type, ...], shown: Sequence[object], others: Mapping[str, object]
) -> tuple[list[object], dict[str, object] | None]:
    """Splits the arguments of `export_solution` into solved objects and the named values to show (None if none)."""
    of = [each for each in arguments if isinstance(each, solved)]
    dictionaries = [each for each in (*arguments, *shown) if each is not None and not isinstance(each, solved)]
    if len(dictionaries) > 1:
        raise Refused(
            "export_solution takes one dictionary of values by name, but got more arguments.",
            ["write export_solution({'x': x, 'y': y})"],
        )
    named = values.taken(dictionaries[0]) if dictionaries else None
    if named is not None and not isinstance(named, dict):
        raise Refused(
            f"export_solution requires a dictionary of values by name, but got a value of type {type(named).__name__}.",
            ["write export_solution({'x': x, 'total': sum(xs)})"],
        )
    return of, {**(named or {}), **values.taken(others)} or None


def expect_no_objective(has_objective: bool) -> None:
    """Raises `Refused` if all solutions are requested although there is an objective."""
    if has_objective:
        raise Refused(
            "The solutions of a model with an objective can't all be listed.",
            ["leave all_solutions and max_solutions out", "or replace the objective by a constraint on its value"],
        )
