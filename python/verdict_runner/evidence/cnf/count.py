"""Counts the solutions of clauses, one model after another."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence

from pysat.solvers import Glucose4

from verdict_runner.evidence.questions.ask import Question, Teller, until_of
from verdict_runner.evidence.questions.shape import Shape
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Task

# The number of conflicts after which the clock is checked again.
CONFLICTS = 20_000
METHOD = "enumeration with Glucose, separately for each part that shares no variable with the others"


def answer_question(question: Question, space: Fields, task: Task) -> Mapping[str, Json]:
    """Counts the solutions that differ in the chosen variables: multiplies the counts of independent parts."""
    shape = Shape.read(Fields(space.any("shape")))
    chosen = {abs(each) for each in space.wholes("variables")}
    until = until_of(task)
    number, exact, left = 1, True, question.limit
    common: dict[str, Json] = {"over": shape.names, "left_out": list(shape.left_out), "method": METHOD}
    teller = Teller(task, common)
    for clauses, own in _parts(space.whole_lists("clauses"), chosen):
        count, is_whole = _counted(clauses, own, max(1, left), until, Progress(teller, number))
        left -= count
        number, exact = number * count, exact and is_whole
        if count == 0 and is_whole:
            number, exact = 0, True
            break
    reason = {} if exact else {"reason": "the time limit, or the limit on solutions counted one by one, was reached"}
    return {**common, "number": str(number), "exact": exact, **reason}


class Progress:
    """The count so far: the counts of the earlier parts and of the current one.

    The clauses have a solution, so each remaining part has at least one.
    """

    def __init__(self, teller: Teller, before: int) -> None:
        self._teller, self._before = teller, before

    def note(self, count: int) -> None:
        """Sends the count so far from time to time."""
        if self._teller.is_due():
            self._teller.tell({"number": str(self._before * count), "exact": False})


def _parts(clauses: Sequence[Sequence[int]], chosen: Collection[int]) -> list[tuple[list[list[int]], list[int]]]:
    """Splits the clauses into parts that share no variable, with their chosen variables; a free variable is a part."""
    with Glucose4(bootstrap_with=clauses) as solver:
        is_open, implied = solver.propagate()
    if not is_open:
        return [([[]], [])]
    true = set(implied)
    rest = [[each for each in clause if -each not in true] for clause in clauses if true.isdisjoint(clause)]
    leader: dict[int, int] = {}

    def find(number: int) -> int:
        while leader.setdefault(number, number) != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    for clause in rest:
        for each in clause[1:]:
            leader[find(abs(each))] = find(abs(clause[0]))
    parts: dict[int, tuple[list[list[int]], list[int]]] = {}
    for clause in rest:
        parts.setdefault(find(abs(clause[0])), ([], []))[0].append(clause)
    fixed = {abs(each) for each in true}
    for each in sorted(chosen):
        if each not in fixed:
            parts.setdefault(find(each), ([], []))[1].append(each)
    return list(parts.values())


def _counted(
    clauses: Sequence[Sequence[int]], chosen: Sequence[int], limit: int, until: float, progress: Progress
) -> tuple[int, bool]:
    """The number of solutions that differ in these variables, and whether the count is complete."""
    if not clauses:
        return 2 ** len(chosen), True
    # Variables are renumbered without gaps, since a solver's work for one model grows with the largest number.
    numbers = {
        each: i + 1 for i, each in enumerate(sorted({*chosen, *(abs(one) for clause in clauses for one in clause)}))
    }
    dense = [[numbers[abs(each)] * (1 if each > 0 else -1) for each in clause] for clause in clauses]
    chosen = [numbers[each] for each in chosen]
    count = 0
    with Glucose4(bootstrap_with=dense) as solver:
        while count <= limit:
            solver.conf_budget(CONFLICTS)
            answer = solver.solve_limited()
            if answer is False:
                return count, True
            if time.monotonic() > until:
                return max(1, count), False
            if answer is None:
                continue
            count += 1
            progress.note(count)
            if not chosen:
                return 1, True
            true = set(solver.get_model() or ())
            solver.add_clause([-each if each in true else each for each in chosen])
    return count, False
