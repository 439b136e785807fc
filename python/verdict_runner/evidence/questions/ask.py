"""Answers questions about all solutions by asking an engine for one solution after another."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from verdict_runner.evidence.questions.shape import Shape
from verdict_runner.evidence.questions.space import Changes, Kept, Open, Plans, Row, Space, by_steps
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Task
from verdict_runner.refusal import Refused

# The time reserved for ending a search and sending its results, in seconds or as a share.
RESERVE_SECONDS = 0.2
RESERVE_SHARE = 0.05
# The share of the remaining time for a value that a joint query left undecided.
SHARE = 0.2
# The minimum time between two partial results, which are sent in case this process is lost.
NEWS_SECONDS = 0.3
# The share of the time for minimising the number of changes; the rest is for improving the objective.
CHANGES_SHARE = 0.6


AnySpace = TypeVar("AnySpace", bound=Plans)


@dataclass(frozen=True)
class Keep:
    """A plan to be changed as little as possible: `Keep` in `languages/questions/question.ts`."""

    values: Mapping[str, object]
    # The cost of changing each value, in the same shape as the values; null means 1, or 0 for the objective itself.
    weights: Mapping[str, object]
    # Whether the plan is from an earlier model: names and keys that no longer exist are then ignored.
    is_earlier: bool

    @staticmethod
    def of(fields: Fields) -> Keep:
        return Keep(fields.object("values"), fields.object("weights"), fields.truth("is_earlier"))


@dataclass(frozen=True)
class Question:
    """A question about all solutions or a plan: `Question` in `src/tools/model/languages/questions/`."""

    kind: str
    # The number of solutions requested, or the maximum number counted one by one.
    limit: int
    # For a question about a plan: the named values required of a solution.
    plan: Mapping[str, object] | None = None
    # The values that the plan's names have in the model's own answer.
    shown: Mapping[str, object] | None = None
    # The plan to keep as far as possible.
    keep: Keep | None = None

    @property
    def is_of_all(self) -> bool:
        """Whether the question is about all solutions, not only optimal ones, even if the model has an objective."""
        return self.kind in ("k_best", "plan")

    @staticmethod
    def of(task: Task) -> Question | None:
        """Reads the job's question, if it has one."""
        request = Fields(dict(task.request or {}))
        if "question" not in request:
            return None
        fields = Fields(request.any("question"))
        plan = fields.object("plan") if "plan" in fields else None
        shown = fields.object("shown") if "shown" in fields else None
        keep = Keep.of(Fields(fields.any("keep"))) if "keep" in fields else None
        return Question(fields.text("kind"), fields.whole("limit"), plan, shown, keep)

    @property
    def values(self) -> Mapping[str, object]:
        """All named values in the question."""
        return {**(self.keep.values if self.keep else {}), **(self.plan or {})}


def expect_objective(question: Question | None, has_objective: bool) -> None:
    """Raises `Refused` for a ranking without an objective, as `expectObjective` in `question.ts` does afterwards."""
    if question is None or question.kind != "k_best" or has_objective:
        return
    raise Refused(
        "k_best needs an objective, and this model has none.",
        [
            "add an objective to minimise or maximise to the model",
            "or use diverse for several solutions of a model without an objective",
        ],
        "invalid_argument",
    )


class Teller:
    """Sends the answer so far from time to time: `SoFar` in `src/tools/model/languages/python/language.ts`."""

    def __init__(self, task: Task, common: Mapping[str, Json]) -> None:
        self._say, self._common = task.say, common
        # The first result is sent immediately.
        self._last = float("-inf")

    def is_due(self) -> bool:
        """Whether it is time to send a partial answer."""
        return time.monotonic() - self._last >= NEWS_SECONDS

    def tell(self, progress: Mapping[str, Json]) -> None:
        """Sends the partial answer."""
        self._last = time.monotonic()
        self._say({"so_far": {**self._common, **progress}})


def asked(question: Question, fields: Fields, task: Task, space_of: Callable[[], Space]) -> Mapping[str, Json]:
    """Answers a question about a space handed over by another process, as far as time allows.

    The answer is `AllAnswer` in `src/tools/model/languages/questions/answer.ts`.
    """
    return _asked(question, fields, task, space_of, _answer)


def asked_of_plan(question: Question, fields: Fields, task: Task, space_of: Callable[[], Plans]) -> Mapping[str, Json]:
    """Answers a question about a plan, as far as time allows."""

    def answer(question: Question, space: Plans, shape: Shape, until: float, _: Teller) -> Mapping[str, Json]:
        return planned(space, _as_shown(space, shape, question, until), question, until)

    return _asked(question, fields, task, space_of, answer)


def _asked(
    question: Question,
    fields: Fields,
    task: Task,
    space_of: Callable[[], AnySpace],
    answer: Callable[[Question, AnySpace, Shape, float, Teller], Mapping[str, Json]],
) -> Mapping[str, Json]:
    until = until_of(task)
    shape = Shape.read(Fields(fields.any("shape"))) if "shape" in fields else Shape({}, [])
    common: dict[str, Json] = {"over": shape.names, "left_out": shape.left_out}
    try:
        space = space_of()
        if not shape.named and not (question.kind == "plan" and not question.values):
            raise Open("the solver chooses none of the named values: export variables, not numbers read from a model")
        common["method"] = space.method
        return {**common, **answer(question, space, shape, until, Teller(task, common))}
    except Open as undecided:
        return {"over": shape.names, "left_out": shape.left_out, "reason": str(undecided)}


def until_of(task: Task) -> float:
    """The time at which a search has to end, so that its results can be sent."""
    return task.until - max(RESERVE_SECONDS, RESERVE_SHARE * (task.until - time.monotonic()))


def _answer(question: Question, space: Space, shape: Shape, until: float, teller: Teller) -> Mapping[str, Json]:
    if question.kind == "count":
        return count(space, question.limit, until, teller)
    if question.kind == "backbone":
        return backbone(space, shape, until, teller)
    if question.kind == "plan":
        return planned(space, _as_shown(space, shape, question, until), question, until)
    if question.kind == "k_best":
        return best(space, shape, question.limit, until, teller)
    return diverse(space, shape, question.limit, until, teller)


def count(space: Space, limit: int, until: float, teller: Teller) -> dict[str, Json]:
    """Counts the solutions that differ in the leaves; a lower bound if the limit or the time ended the count."""
    number, everywhere = 0, range(space.size)
    while number < limit:
        try:
            row = space.find(until)
        except Open as undecided:
            return {"number": str(number), "exact": False, "reason": str(undecided)}
        if row is None:
            return {"number": str(number), "exact": True}
        number += 1
        if teller.is_due():
            teller.tell({"number": str(number), "exact": False})
        space.require_other(row, everywhere)
    return {"number": str(number), "exact": False, "reason": f"counting one by one stops at {limit}"}


def backbone(space: Space, shape: Shape, until: float, teller: Teller) -> dict[str, Json]:
    """Finds the leaves that have the same value in all solutions, by refuting every other value.

    A single solution settles all the leaves that it changes. The search therefore requires more and more leaves to
    change together, as long as that is possible.
    """
    first = space.find(until)
    if first is None:
        raise Open("the engine found no solution in its second run")
    left, fixed, undecided = list(range(space.size)), [], []
    reason: str | None = None
    # The number of leaves required to change, the number that could change last time, and the largest number that can
    # change.
    at_once, able, at_most = 1, 1, space.size
    while left:
        at_once = min(at_once, at_most, len(left))
        now = time.monotonic()
        try:
            other = _other(space, first, left, until if at_once == 1 else now + (until - now) * SHARE, at_once)
        except Open as open_one:
            if at_once > 1:
                able = at_most = min(able, at_once // 2)
                at_once = able
                continue
            reason = str(open_one)
            fixed, undecided = _one_by_one(space, first, left, until)
            break
        if other is None and at_once == 1:
            fixed = left
            break
        if other is None:
            able, at_most = min(able, at_once // 2), at_once - 1
            at_once = able
            continue
        changed = set(space.differing(first, other))
        left = [each for each in left if each not in changed]
        able = at_once
        at_once = 2 * able if at_most == space.size else (able + at_most + 1) // 2
        if teller.is_due():
            teller.tell(_backbone(space, shape, first, [], left))
    return {**_backbone(space, shape, first, fixed, undecided), **({"reason": reason} if undecided and reason else {})}


def _backbone(
    space: Space, shape: Shape, first: Row, fixed: Sequence[int], undecided: Sequence[int]
) -> dict[str, Json]:
    known = {*fixed, *undecided}
    return {
        "fixed": [[shape.paths[each], space.json(first.leaves[each])] for each in fixed],
        "free": [shape.paths[each] for each in range(space.size) if each not in known],
        "undecided": [shape.paths[each] for each in undecided],
    }


def _one_by_one(space: Space, first: Row, left: Sequence[int], until: float) -> tuple[list[int], list[int]]:
    """Tests leaves one at a time; returns the fixed ones and the undecided ones."""
    fixed, undecided, waiting = [], [], list(left)
    while waiting:
        now = time.monotonic()
        if now > until:
            return fixed, [*undecided, *waiting]
        each = waiting.pop(0)
        try:
            other = _other(space, first, [each], now + (until - now) * SHARE)
        except Open:
            undecided.append(each)
            continue
        if other is None:
            fixed.append(each)
            continue
        changed = set(space.differing(first, other))
        waiting = [one for one in waiting if one not in changed]
        undecided = [one for one in undecided if one not in changed]
    return fixed, undecided


def _other(space: Space, first: Row, at: Sequence[int], until: float, at_once: int = 1) -> Row | None:
    with space.scope():
        space.require_other(first, at, at_once)
        return space.find(until)


def best(space: Space, shape: Shape, count: int, until: float, teller: Teller) -> dict[str, Json]:
    """Finds the best solutions in order, each proved best among those remaining; stops after the first unproved one."""
    rows: list[Row] = []
    reason, is_all, has_tie = None, False, None
    proved = 0
    while len(rows) <= count:
        try:
            row, why = by_steps(space, rows[-1].cost if rows else None, until)
        except Open as undecided:
            reason = str(undecided)
            break
        if row is None:
            is_all, has_tie = True, False
            break
        if len(rows) == count:
            has_tie = True if row.cost == rows[-1].cost else False if why is None else None
            break
        rows.append(row)
        if why is not None:
            reason = why
            break
        proved += 1
        if teller.is_due():
            teller.tell(_ranking(space, shape, rows, proved))
        space.require_other(row, range(space.size))
    return {
        **_ranking(space, shape, rows, proved),
        "is_all": is_all,
        "has_tie": has_tie,
        **({"reason": reason} if reason else {}),
    }


def _ranking(space: Space, shape: Shape, rows: Sequence[Row], proved: int) -> dict[str, Json]:
    return {
        "solutions": _shown(space, shape, rows),
        "objectives": [each.cost for each in rows],
        "proved": proved,
        "is_all": False,
        "has_tie": None,
    }


def _as_shown(space: Plans, shape: Shape, question: Question, until: float) -> Shape:
    """Removes names from the shape whose exported value differs from the solver's value of that name.

    A program that exports a number from its model as `x` may or may not mean the variable `x`.
    """
    both = [each for each in question.values if each in shape.named and each in shape.left_out]
    shown = question.shown or {}
    try:
        with space.scope():
            for leaf, value in shape.matched({each: shown.get(each) for each in both})[0]:
                space.require_same(leaf, value, shape.paths[leaf])
            if not both or (all(each in shown for each in both) and space.find(until) is not None):
                return shape
    except Refused:
        pass
    return Shape({name: each for name, each in shape.named.items() if name not in both}, shape.left_out)


def planned(space: Plans, shape: Shape, question: Question, until: float) -> dict[str, Json]:
    """Finds a solution with the plan's values, if there is one, that changes the values to keep as little as possible.

    Among such solutions, it finds one with the best objective. Raises `Refused` for names and values that the model's
    answers can't contain.
    """
    given, left_out = shape.matched(question.plan or {})
    if left_out and not given:
        raise Open("none of the given values can be compared: the solver does not choose them")
    for leaf, value in given:
        space.require_same(leaf, value, shape.paths[leaf])
    kept: list[Kept] = []
    if question.keep is not None:
        kept, skipped = _kept(space, shape, question.keep)
        left_out = [*left_out, *(each for each in skipped if each not in left_out)]
    scope: dict[str, Json] = {"over": [each for each in question.values if each not in left_out], "left_out": left_out}
    changes = space.fewest(kept, time.monotonic() + CHANGES_SHARE * (until - time.monotonic())) if kept else None
    if kept and changes is None:
        return {**scope, "possible": False}
    row, why = _best_of(space, changes, until)
    if row is None:
        return {**scope, "possible": False}
    (values,) = _shown(space, shape, [row])
    answer: dict[str, Json] = {"values": values, "objective": row.cost, "proved": why is None}
    if changes is not None:
        answer["changes"] = {"cost": changes.cost, "bound": changes.bound}
    return {**scope, "possible": True, **answer}


def _best_of(space: Plans, changes: Changes | None, until: float) -> tuple[Row | None, str | None]:
    """Finds the best solution with no more changes than the solution already found."""
    if changes is None:
        return space.optimum(until)
    if changes.row.cost is None:
        return changes.row, None
    try:
        row, why = space.optimum(until)
    except Open as undecided:
        return changes.row, str(undecided)
    return (changes.row, "no solution was found the second time") if row is None else (row, why)


def _kept(space: Plans, shape: Shape, keep: Keep) -> tuple[list[Kept], list[Json]]:
    """The values to keep, and the names that are missing or not chosen by a solver; raises `Refused` and `Open`."""
    skipped: list[str] | None = [] if keep.is_earlier else None
    given, left_out = shape.matched(keep.values, skipped)
    weights = dict(shape.matched(keep.weights, skipped and [])[0])
    kept: list[Kept] = []
    for leaf, value in given:
        weight = weights.get(leaf)
        cost = weight if isinstance(weight, int) else 0 if space.is_goal(leaf) else 1
        if cost > 0:
            kept.append(Kept(leaf, value, shape.paths[leaf], cost))
    if not kept:
        raise Open("the solver chooses none of the values to be kept")
    return kept, [*left_out, *(skipped or [])]


def diverse(space: Space, shape: Shape, count: int, until: float, teller: Teller) -> dict[str, Json]:
    """Finds solutions far apart, greedily: each has the largest minimum distance found to its predecessors."""
    first = space.find(until)
    if first is None:
        raise Open("the engine found no solution in its second run")
    rows, distances, proved, is_all = [first], [], [], False
    reason: str | None = None
    while len(rows) < count:
        now = time.monotonic()
        share = now + (until - now) / (count - len(rows))
        row, distance, why = _farthest(space, rows, share, until)
        if row is None:
            is_all = why is None
            reason = why or reason
            break
        rows.append(row)
        distances.append(distance)
        proved.append(why is None)
        reason = why or reason
        if teller.is_due():
            teller.tell(_apart(space, shape, rows, distances, proved))
    return {
        **_apart(space, shape, rows, distances, proved),
        "is_all": is_all,
        **({"reason": reason} if reason else {}),
    }


def _apart(
    space: Space, shape: Shape, rows: Sequence[Row], distances: Sequence[int], proved: Sequence[bool]
) -> dict[str, Json]:
    return {
        "solutions": _shown(space, shape, rows),
        "distances": list(distances),
        "farthest": list(proved),
        "is_all": False,
    }


def _farthest(space: Space, rows: Sequence[Row], share: float, until: float) -> tuple[Row | None, int, str | None]:
    """Finds the solution farthest from these rows, its minimum distance, and why it is not proved farthest.

    The search for any other solution may use all of the time; the search for a farther one only the given share.
    """
    farthest, distance = None, 0
    while distance < space.size:
        with space.scope():
            space.require_far(rows, distance + 1)
            try:
                row = space.find(until if farthest is None else share)
            except Open as undecided:
                return farthest, distance, str(undecided)
        if row is None:
            return farthest, distance, None
        farthest, distance = row, min(len(space.differing(each, row)) for each in rows)
    return farthest, distance, None


def _shown(space: Plans, shape: Shape, rows: Sequence[Row]) -> list[Json]:
    return [shape.filled([space.json(leaf) for leaf in row.leaves]) for row in rows]
