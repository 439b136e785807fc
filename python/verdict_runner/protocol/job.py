"""One job: a program's items in, frames out. What the program prints and what was found never mix."""

import io
import json
import os
import re
import sys
import time
import traceback

from verdict_runner import refusal
from verdict_runner.protocol import talk
from verdict_runner.sandbox import near, program

PRINTED_CHARS_MAX = 64 * 1024
RESULT_BYTES_MAX = 8 * 1024 * 1024
MESSAGE_CHARS_MAX = 2000
# What a job finds while it runs; the rest of a job's room is for its result.
FOUND_CHARS_MAX = 6 * 1024 * 1024


def run(runner, modules, job, channel):
    """Runs one job and writes its frames; the last one holds a `result` or an `error`.

    While it runs, a runner may tell what it found by `job["say"]`, which says whether there was room.
    """
    job["say"] = Finder(channel).say
    job["until"] = time.monotonic() + job["timeout_ms"] / 1000
    printed = Printed(channel)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), printed, printed
    # What fails in a destructor changes no answer, and its trace would name files of this machine.
    sys.unraisablehook = lambda _: None
    try:
        frame = {"result": runner.solve(job, modules)}
    except program.ItemError as stopped:
        frame = {"error": explain(stopped, modules)}
    except refusal.Refused as refused:
        frame = {"error": refused.frame()}
    except MemoryError:
        frame = {"error": {"kind": "memory"}}
    except RecursionError as error:
        frame = {"error": {"kind": "exception", "type": "RecursionError", "message": str(error)}}
    except BaseException as error:
        # Ours or an engine's own: the log gets it whole, the client its kind.
        frame = {"error": {"kind": "internal", "type": type(error).__name__, "message": message_of(error)}}
        frame["error"]["log"] = _trace(error)
    printed.close()
    frame["unprinted"] = printed.dropped
    _send(channel, frame)


def _send(channel, frame):
    try:
        talk.send(channel, frame)
    except (ValueError, TypeError, RecursionError, MemoryError, UnicodeError) as error:
        talk.send(channel, {"error": {"kind": "unprintable", "message": str(error)[:500]}})


def explain(stopped, modules):
    """An exception of the program as data; `modules` are those that it can import."""
    error, (item, line) = stopped.error, stopped.where
    if isinstance(error, refusal.Refused):
        return error.frame(item, line)
    message = message_of(error)
    if isinstance(error, MemoryError) or re.search("out of memory|max. memory", message):
        return {"kind": "memory", "item": item, "line": line}
    return {
        "kind": "exception",
        "type": type(error).__name__,
        "message": message,
        "item": item,
        "line": line,
        # Asked of Python's own kinds only: one of the program's could do anything here.
        "names": [error.name] if type(error) in (NameError, AttributeError) and isinstance(error.name, str) else [],
        "steps": near.steps(error, modules),
    }


def message_of(error):
    """What an exception says, as plain text; one of the program's may fail at that, too."""
    try:
        return str.__str__(str(error))[:MESSAGE_CHARS_MAX]
    except BaseException as second:
        return f"(its message failed with {type(second).__name__})"


def _trace(error):
    try:
        return "".join(traceback.format_exception(error))[-4000:]
    except BaseException:
        return ""


class Finder:
    """What a job finds on its way, up to a bound."""

    def __init__(self, channel):
        self._channel = channel
        self._room = FOUND_CHARS_MAX

    def say(self, found):
        """Sends `{"found": …}` at once; gives False, and sends nothing, when there is no more room."""
        chars = len(json.dumps(found))
        if chars > self._room:
            return False
        self._room -= chars
        talk.send(self._channel, {"found": found})
        return True


class Printed(io.TextIOBase):
    """What a program prints, line by line on its way, up to a bound."""

    def __init__(self, channel):
        super().__init__()
        self._channel = channel
        self._line = ""
        self._parts = []
        self._room = PRINTED_CHARS_MAX
        self.dropped = 0

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("print takes text here")
        taken = text[: max(0, self._room)]
        self._room -= len(taken)
        self.dropped += len(text) - len(taken)
        self._line += taken
        self._parts.append(taken)
        if "\n" in taken or len(self._line) > 4096:
            self.flush()
        return len(text)

    def printed_object(self):
        """The JSON object that was printed as the whole of it or in its last line; None where there is none."""
        text = "".join(self._parts).strip()
        for each in (text, text.rpartition("\n")[2]):
            try:
                found = json.loads(each)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict):
                return found
        return None

    def flush(self):
        if self._line:
            line, self._line = self._line, ""
            talk.send(self._channel, {"printed": line})

    def close(self):
        self.flush()


def silence(null):
    """Points the standard descriptors at the null device: only the channel leads out of this process."""
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
