"""Finds solutions of a form with CP-SAT that have a plan's values or keep most of them."""

from __future__ import annotations

import contextlib
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.evidence.finite.form import NO_NAMES, Form, Leaf
from verdict_runner.evidence.finite.meaning import Meaning, Node
from verdict_runner.evidence.finite.search import value_of
from verdict_runner.evidence.questions.space import Changes, Kept, Open, Row
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

ENGINE = "verdict_runner.evidence.finite.by_cpmpy"

# The share of the remaining time allotted to rechecking a proof.
PROOF_SHARE = 0.5
# The minimum time for a second engine, even if the first search was quicker.
PROOF_SECONDS_MIN = 0.2


def is_here() -> bool:
    """Whether CPMpy, which passes forms to CP-SAT, is available in this process."""
    return ENGINE in sys.modules


class FormPlans:
    """`Plans` for a form. `confirms` returns whether no solution satisfies additional constraints, by a deadline."""

    method = "CP-SAT"

    def __init__(
        self, form: Form, leaves: Sequence[Leaf], confirms: Callable[[Form, Sequence[Node], float], bool]
    ) -> None:
        self._form = replace(form, core=[], solutions=[], own="", named=NO_NAMES)
        self._leaves, self._confirms = list(leaves), confirms
        self._more: list[Node] = []
        self.size = len(self._leaves)

    def find(self, until: float) -> Row | None:
        found = self._best(replace(self._form, objective=0), until)
        return None if found is None else self._row(found[0], until)

    def optimum(self, until: float) -> tuple[Row | None, str | None]:
        if self._form.objective is None:
            return self.find(until), None
        found = self._best(self._form, until)
        if found is None:
            return None, None
        values, _, is_proved = found
        return self._row(values, until), None if is_proved else "the time ran out"

    def fewest(self, kept: Sequence[Kept], until: float) -> Changes | None:
        same = [self._same(each.at, each.value, each.path) for each in kept]
        cost: Node = ["linear", [each.weight for each in kept], [["not", each] for each in same], 0]
        goal = replace(self._form, objective=cost, is_least=True, scale=1)
        found = self._best(goal, until)
        if found is None:
            return None
        solution, bound, is_proved = found
        number = value_of(self._stated(goal), solution, until)
        assert number is not None
        self._more.append(["<=", cost, number])
        # A bound that was not rechecked must stay below the value found.
        least = number if is_proved else max(0, min(number - 1, math.ceil(max(0, bound) - 1e-6)))
        return Changes(number, self._row(solution, until), least)

    def is_goal(self, at: int) -> bool:
        return self._form.objective is not None and self._form.objective == self._leaves[at][0]

    @contextlib.contextmanager
    def scope(self) -> Iterator[None]:
        count = len(self._more)
        try:
            yield
        finally:
            del self._more[count:]

    def require_same(self, at: int, value: object, path: str) -> None:
        self._more.append(self._same(at, value, path))

    def json(self, leaf: int | bool) -> Json:
        return leaf if isinstance(leaf, bool) else values.number(leaf)

    def _same(self, at: int, value: object, path: str) -> Node:
        node, is_truth = self._leaves[at]
        number = _whole(value)
        if number is None or (is_truth and number not in (0, 1)):
            kind = "truth value" if is_truth else "whole number"
            raise Refused(
                f"{path} can't have the value {value!r}: it is a {kind} in this model.",
                ["write it in the form used in answers", "write null for a value that the solver should choose"],
                "invalid_argument",
            )
        if not is_truth:
            return ["==", node, number]
        return node if number else ["not", node]

    def _stated(self, form: Form) -> Form:
        return replace(form, constraints=[*form.constraints, *self._more])

    def _best(self, form: Form, until: float) -> tuple[list[int], float, bool] | None:
        """Finds a best solution, a bound, and whether it is proved; rechecks proofs. Raises `Open` and `Unknown`."""
        start = time.monotonic()
        stated = self._stated(form)
        try:
            found = sys.modules[ENGINE].optimum(stated, [], start + (1 - PROOF_SHARE) * (until - start))
            timed = replace(stated, seconds=max(PROOF_SECONDS_MIN, time.monotonic() - start))
            if found is None:
                if not self._confirms(timed, [], until):
                    raise Open("only CP-SAT found that there is no solution")
                return None
            solution, bound, is_proved = found
            number = value_of(stated, solution, until)
            if number is None:
                raise Open("CP-SAT returned values that do not satisfy the constraints")
            if is_proved and isinstance(form.objective, list):
                is_proved = self._confirms(timed, [stated.better(number)], until)
        except OutOfTime:
            raise Open("the time ran out") from None
        return solution, bound, is_proved

    def _row(self, solution: Sequence[int], until: float) -> Row:
        meaning = Meaning(solution, until)
        leaves = [meaning.truth(node) if is_truth else meaning.number(node) for node, is_truth in self._leaves]
        if not all(isinstance(each, int) for each in leaves) or meaning.undefined_outside() is not True:
            raise Open("one of the named values can be undefined")
        number = value_of(self._form, solution, until)
        if self._form.objective is None or number is None:
            return Row(leaves)
        return Row(leaves, values.decimal(Fraction(number, self._form.scale)))


def _whole(value: object) -> int | None:
    """Reads an integer, which may be written as a string or as a truth value."""
    if isinstance(value, (bool, int)):
        return int(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    try:
        return int(value) if isinstance(value, str) else None
    except ValueError:
        return None
