"""The record of the one program that a process runs, in any language."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from verdict_runner.languages import why
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.news import News
from verdict_runner.languages.questions.ask import Question
from verdict_runner.protocol.runner import Task
from verdict_runner.sandbox import program

# The condition of an unsat that only ends a program's own search for more solutions.
LAST_OF_SEVERAL = "the constraints of the program's last solve, after one that had a solution"
# The time that is reserved for sending an answer.
RESERVE_SECONDS = 0.05
# Of the time that is left, what a search leaves for its answer, and for the second process that checks it.
KEPT_SHARE, KEPT_SECONDS_MIN = 0.2, 1.0


class Record:
    """Its deadline, its answer so far, and the warnings for its author."""

    def __init__(self, task: Task) -> None:
        self.until = task.until
        self.news = News(task.say)
        self.answer: Answer | None = None
        self.exports = 0
        self.warnings: list[str] = []
        # Produces the evidence of the answer, for a process that never ran the program.
        self.evidence: Callable[[], Mapping[str, object]] | None = None
        # Where the call asks why: produces what can be left out of the model.
        self.asks_why = why.is_wanted(task.request)
        self.why_question: Callable[[], Mapping[str, object]] | None = None
        # The question about all solutions, if one is asked, and what produces its problem.
        self.question = Question.of(task)
        self.space: Callable[[], Mapping[str, object]] | None = None
        # The item and line of the program's last solve that had a solution.
        self._solution_at: tuple[int, int] | None = None

    def left(self) -> float:
        """Seconds until the deadline."""
        return self.until - time.monotonic()

    def for_search(self) -> float:
        """Seconds for a search whose best result so far is the answer: it has to end before the deadline."""
        left = self.left()
        return left - min(left / 2, max(KEPT_SECONDS_MIN, KEPT_SHARE * left))

    def handed_over(self) -> Mapping[str, object]:
        """The evidence of the answer, or the reason why there is none."""
        if self.evidence is None:
            return {"open": "the program's process did not return its problem"}
        return {"open": "the time ran out"} if self.left() < RESERVE_SECONDS else self.evidence()

    def why_question_handed_over(self) -> Mapping[str, object] | None:
        """What can be left out of the model; None where nobody asks, or where nothing was proved."""
        is_due = self.asks_why and self.why_question is not None and self.left() >= RESERVE_SECONDS
        return self.why_question() if is_due and self.why_question is not None else None

    def asked_about(self) -> Mapping[str, object] | None:
        """The problem of the question about all solutions; None without a question."""
        if self.question is None:
            return None
        if self.space is None:
            return {"open": "the program's process did not return its problem"}
        return {"open": "the time ran out"} if self.left() < RESERVE_SECONDS else self.space()

    def note_solution(self) -> None:
        """Notes where the program solves, and has a solution."""
        self._solution_at = program.caller() or self._solution_at

    def warn_of_earlier_solution(self, answer: Answer) -> None:
        """Warns of an unsat that only ends a search for more: the program had a solution before."""
        if answer.status == "unsat" and self._solution_at is not None:
            item, line = self._solution_at
            answer.under = answer.under or LAST_OF_SEVERAL
            self.warn(
                f"item {item}, line {line}: an earlier solve of the program had a solution; this unsat is about its last solve. "
                "To report the earlier one, call export_solution({…}) right after it and solve no more. "
                "For several solutions, leave the solving out and send max_solutions."
            )

    def warn(self, text: str) -> None:
        """Adds a warning once."""
        if text not in self.warnings:
            self.warnings.append(text)


_Record = TypeVar("_Record", bound=Record)


class Current(Generic[_Record]):
    """The record of the program that this process runs: at most one."""

    def __init__(self, make: Callable[[Task], _Record]) -> None:
        self._make = make
        self._record: _Record | None = None

    def begin(self, task: Task) -> _Record:
        """A new record, for the one program of this process."""
        self._record = self._make(task)
        return self._record

    def get(self) -> _Record:
        if self._record is None:
            raise RuntimeError("no program runs in this process")
        return self._record
