"""Runs a checker on answers, each time with fresh copies of the values and the data, within a share of the time."""

from __future__ import annotations

import marshal
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verdict_runner.checker.profile import NAME
from verdict_runner.checker.profile import PROFILE as CHECKER
from verdict_runner.languages.record import Record
from verdict_runner.protocol import job
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program
from verdict_runner.symbolic.run.bounded import TooLong, bounded, warm

__all__ = ["solve", "warm"]

# The maximum number of violations reported for one answer, and the maximum length shown of each: a reader needs no
# more.
TEXTS_MAX = 50
TEXT_CHARS_MAX = 300
# The time reserved for reporting that a checker took too long.
KEPT_SECONDS = 0.3
KEPT_SHARE = 0.1
TOO_LONG = "it did not finish in time"
INSTEAD = "yield a string for each violated rule, and nothing if there is none"


@dataclass(frozen=True)
class _Case:
    """Values to check: an answer's values, some of them replaced."""

    answer: int
    changes: list[tuple[list[Any], object]]

    @staticmethod
    def read(value: object) -> _Case:
        fields = Fields(value)
        changes = [Fields(each) for each in fields.list("changes")]
        return _Case(fields.whole("answer"), [(each.list("path"), each.any("to")) for each in changes])

    def values(self, answers: list[bytes]) -> object:
        whole: Any = {"values": marshal.loads(answers[self.answer])}
        for path, to in self.changes:
            *way, last = ["values", *path]
            part = whole
            for step in way:
                part = part[step]
            part[last] = to
        return whole["values"]


def solve(task: Task, known: Modules) -> dict[str, Json]:
    """Calls the checker on each case and reports that case's violations immediately; stops at the first failing case.

    If the request asks to continue after failures, an exception raised by the checker counts as a violation.
    """
    assert task.request is not None
    request = Fields(task.request)
    answers = [_packed(each) for each in request.list("answers")]
    data = _packed(task.data or {})
    cases = [_Case.read(each) for each in request.list("cases")]
    goes_on = request.truth("goes_on")
    kept = min(KEPT_SECONDS, KEPT_SHARE * (task.until - time.monotonic()))
    try:
        with bounded(max(0.01, task.until - time.monotonic() - kept), by_clock=True):
            function = program.run(task.items, {}, known, CHECKER, Record(task))[NAME]
            for index, case in enumerate(cases):
                try:
                    texts = _texts(function, case.values(answers), marshal.loads(data))
                except program.ItemError as stopped:
                    if not goes_on or isinstance(stopped.error, TooLong):
                        raise
                    texts = [type(stopped.error).__name__]
                found: Mapping[str, Json] = {"case": index, "texts": texts[:TEXTS_MAX], "more": len(texts) > TEXTS_MAX}
                if not task.say(found):
                    break
    except TooLong as late:
        stopped = late.__cause__
        where = stopped.where if isinstance(stopped, program.ItemError) else program.place_in(late, 0)
        raise program.ItemError(TimeoutError(TOO_LONG), where) from None
    return {}


def _packed(value: Any) -> bytes:  # noqa: ANN401
    """Serialises a JSON value, so that it can be copied quickly."""
    return marshal.dumps(value)


def _texts(function: Callable[[object, object], object], values: object, data: object) -> list[str]:
    """The checker's messages about these values. Raises `ItemError`."""
    try:
        broken = function(values, data)
        if isinstance(broken, (str, bytes, Mapping)) or not isinstance(broken, Iterable):
            raise Refused(f"{NAME} returned {_kind(broken)} instead of yielding strings.", [INSTEAD])
        texts: list[str] = []
        for each in broken:
            texts.append(_text(each))
            if len(texts) > TEXTS_MAX:
                break
        return texts
    except BaseException as error:
        given = {"values": values, "data": data}
        raise program.ItemError(error, program.place_in(error, 0), given) from None


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        raise Refused(f"{NAME} yielded {value}, which names no rule.", [INSTEAD])
    parts = value if type(value) in (tuple, list) and isinstance(value, (tuple, list)) else [value]
    return ", ".join(job.text_of(each) for each in parts)[:TEXT_CHARS_MAX]


def _kind(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
