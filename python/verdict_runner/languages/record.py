"""The record of the one program that a process runs, in any language."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from verdict_runner.languages.answer import Answer
from verdict_runner.protocol.runner import Task

# The time that is reserved for sending an answer.
RESERVE_SECONDS = 0.05


class Record:
    """Its deadline, its answer so far, and the warnings for its author."""

    def __init__(self, task: Task) -> None:
        self.until = task.until
        self.answer: Answer | None = None
        self.exports = 0
        self.warnings: list[str] = []
        # Produces the evidence of the answer, for a process that never ran the program.
        self.evidence: Callable[[], Mapping[str, object]] | None = None

    def left(self) -> float:
        """Seconds until the deadline."""
        return self.until - time.monotonic()

    def handed_over(self) -> Mapping[str, object]:
        """The evidence of the answer, or the reason why there is none."""
        if self.evidence is None:
            return {"open": "the program's process did not return its problem"}
        return {"open": "the time ran out"} if self.left() < RESERVE_SECONDS else self.evidence()

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
