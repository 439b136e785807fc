"""Runs one job: a program's items come in, and frames go out. The program's output and its result never mix."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import time
import traceback
from dataclasses import replace

from verdict_runner.protocol import talk
from verdict_runner.protocol.messages import Failed, Found, Job, Printed, ProgramError, Result
from verdict_runner.protocol.runner import Modules, Runner, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import near, program

PRINTED_CHARS_MAX = 64 * 1024
# The maximum length kept of the end of output beyond the limit; a program prints its result last.
PRINTED_END_CHARS_MAX = 16 * 1024
RESULT_BYTES_MAX = 8 * 1024 * 1024
MESSAGE_CHARS_MAX = 2000
# The room for a job's intermediate results; the remaining room is for its result.
FOUND_CHARS_MAX = 6 * 1024 * 1024


def run(runner: Runner, modules: Modules, job: Job, channel: int) -> None:
    """Runs one job and writes its frames; the last frame holds a `result` or an `error`.

    Meanwhile, a runner can send intermediate results with `say`, which returns whether there was room.
    """
    until = time.monotonic() + job.seconds
    task = Task(job.items, job.request, job.memory_bytes, until, Finder(channel).say, job.workers, job.given)
    printed = PrintedText(channel)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), printed, printed
    # An error in a destructor does not change the answer, and its traceback would contain this machine's file names.
    sys.unraisablehook = lambda _: None
    came = _outcome(runner, modules, task)
    printed.close()
    last = Failed(came) if isinstance(came, ProgramError) else came
    try:
        talk.send(channel, last.data())
    except (ValueError, TypeError, RecursionError, MemoryError, UnicodeError) as error:
        talk.send(channel, Failed(ProgramError("unprintable", str(error)[:500])).data())


def _outcome(runner: Runner, modules: Modules, task: Task) -> Result | ProgramError:
    try:
        return Result(runner.solve(task, modules))
    except program.ItemError as stopped:
        return explain(stopped, modules)
    except Refused as refused:
        return refusal(refused)
    except MemoryError:
        return ProgramError("memory")
    except RecursionError as error:
        return ProgramError("exception", str(error), "RecursionError")
    except BaseException as error:
        # For an error in Verdict or an engine, the log gets all of it, and the client only its type.
        return ProgramError("internal", message_of(error), type(error).__name__, log=_trace(error))


def explain(stopped: program.ItemError, modules: Modules) -> ProgramError:
    """Converts a program's exception to data; `modules` are those that the program can import."""
    error, (item, line) = stopped.error, stopped.where
    if isinstance(error, Refused):
        return replace(refusal(error, item, line), last_verdict=stopped.last_verdict)
    message = message_of(error)
    if is_of_memory(error):
        return ProgramError("memory", item=item, line=line)
    return ProgramError(
        "exception",
        message,
        type(error).__name__,
        steps=near.steps(error, modules, stopped.given),
        item=item,
        line=line,
        names=near.names(error),
        last_verdict=stopped.last_verdict,
    )


def is_of_memory(error: BaseException) -> bool:
    """Whether an error means that the job or its engine ran out of memory."""
    return isinstance(error, MemoryError) or re.search("out of memory|max. memory", message_of(error)) is not None


def refusal(refused: Refused, item: int | None = None, line: int | None = None) -> ProgramError:
    """Converts a refusal to data; uses the program's position if the refusal has none."""
    return ProgramError(
        "refused",
        refused.message,
        error_type=refused.error_type,
        code=refused.code,
        steps=list(refused.steps),
        item=item,
        line=refused.line or line,
        column=refused.column,
    )


def text_of(value: object) -> str:
    """Converts a value to a plain string, not to an instance of a program's string class."""
    return str.__str__(str(value))


def message_of(error: BaseException) -> str:
    """Returns an exception's message as a plain string; a program's exception class could fail even here."""
    try:
        return text_of(error)[:MESSAGE_CHARS_MAX]
    except BaseException as second:
        return f"(its message failed with {type(second).__name__})"


def _trace(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error))[-4000:]
    except BaseException:
        return ""


class Finder:
    """Sends a job's intermediate results, up to a total size."""

    def __init__(self, channel: int) -> None:
        self._channel = channel
        self._room = FOUND_CHARS_MAX

    def say(self, result: object) -> bool:
        """Sends `{"found": …}` immediately, or returns False without sending anything if there is no more room."""
        chars = len(json.dumps(result))
        if chars > self._room:
            return False
        self._room -= chars
        talk.send(self._channel, Found(result).data())
        return True


class PrintedText(io.TextIOBase):
    """Sends a program's output line by line as it is printed, up to a limit, and the output's end on close."""

    def __init__(self, channel: int) -> None:
        super().__init__()
        self._channel = channel
        self._line = ""
        self._parts: list[str] = []
        self._room = PRINTED_CHARS_MAX
        # The end of the output beyond the limit, and how much is omitted before this end.
        self._end = ""
        self._left_out = 0

    def writable(self) -> bool:
        return True

    def write(self, text: object) -> int:
        if not isinstance(text, str):
            raise TypeError("print takes text here")
        taken = text[: self._room]
        self._room -= len(taken)
        self._end += text[len(taken) :]
        if len(self._end) > 2 * PRINTED_END_CHARS_MAX:
            self._shorten_end()
        self._line += taken
        self._parts.append(taken)
        if "\n" in taken or len(self._line) > 4096:
            self.flush()
        return len(text)

    @property
    def is_used(self) -> bool:
        """Whether any text but white space was printed."""
        return any(each.strip() for each in self._parts)

    def _shorten_end(self) -> None:
        self._left_out += max(0, len(self._end) - PRINTED_END_CHARS_MAX)
        self._end = self._end[-PRINTED_END_CHARS_MAX:]

    def printed_object(self) -> dict[str, object] | None:
        """Returns the JSON object that is the whole output or its last line; None if neither is a JSON object."""
        text = "".join((*self._parts, self._end)).strip()
        for each in (text, text.rpartition("\n")[2]):
            try:
                value = json.loads(each)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                return value
        return None

    def flush(self) -> None:
        if self._line:
            line, self._line = self._line, ""
            talk.send(self._channel, Printed(line).data())

    def close(self) -> None:
        self._shorten_end()
        note = f"\n… {self._left_out} characters omitted …\n" if self._left_out else ""
        self._line += note + self._end
        self._end, self._left_out = "", 0
        self.flush()


def silence(null: int) -> None:
    """Redirects the standard descriptors to the null device, so that only the channel connects this process to the
    outside."""
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
