"""Defines the messages in both directions, one JSON object per line.

Incoming messages are parsed here, once, by `read`; outgoing ones are rendered by `data`. Each message's comment names
its counterpart in TypeScript; the schemas of outgoing messages are in `src/engines/python/talk.ts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from typing import TypeGuard

_Kind = TypeVar("_Kind")

Json: TypeAlias = "str | int | float | bool | None | Sequence[Json] | Mapping[str, Json]"


class Malformed(Exception):
    """Raised for a message that this process's server would never send."""


class Fields:
    """The fields of a JSON object, each read as the type that it must have; raises `Malformed`."""

    def __init__(self, value: object) -> None:
        if not isinstance(value, dict):
            raise Malformed(f"expected an object, not a {type(value).__name__}")
        self._fields: dict[object, object] = value

    def __contains__(self, name: str) -> bool:
        return self._fields.get(name) is not None

    def any(self, name: str) -> object:
        return self._fields.get(name)

    def text(self, name: str) -> str:
        return _expect(self._fields.get(name), str, name)

    def truth(self, name: str) -> bool:
        return _expect(self._fields.get(name), bool, name)

    def whole(self, name: str) -> int:
        return _expect(self._fields.get(name), int, name)

    def number(self, name: str) -> float:
        value = self._fields.get(name)
        return float(value) if isinstance(value, int) else _expect(value, float, name)

    def list(self, name: str) -> list[object]:
        return _expect(self._fields.get(name), list, name)

    def texts(self, name: str) -> list[str]:
        return [_expect(each, str, name) for each in self.list(name)]

    def wholes(self, name: str) -> list[int]:
        return [_expect(each, int, name) for each in self.list(name)]

    def whole_lists(self, name: str) -> list[list[int]]:
        rows = self.list(name)
        if _are_whole(rows):
            return rows
        return [[_expect(each, int, name) for each in _expect(row, list, name)] for row in self.list(name)]

    def object(self, name: str) -> dict[str, object]:
        return _expect(self._fields.get(name), dict, name)


def _expect(value: object, kind: type[_Kind], name: str) -> _Kind:
    if not isinstance(value, kind):
        raise Malformed(f"{name} is a {type(value).__name__}, and not a {kind.__name__}")
    return value


def _are_whole(rows: list[object]) -> TypeGuard[list[list[int]]]:
    """Whether all rows are lists of integers; fast, since there can be hundreds of thousands of rows."""
    return {*map(type, rows)} <= {list} and {*map(type, chain.from_iterable(cast("list[list[object]]", rows)))} <= {int}


def rendered(message: object) -> object:
    """Converts a message, and the messages in it, to JSON."""
    if is_dataclass(message):
        return {each.name: rendered(getattr(message, each.name)) for each in fields(message)}
    return [rendered(each) for each in message] if isinstance(message, (list, tuple)) else message


class Message:
    """An outgoing message, rendered as its fields in JSON, under a name if it is part of a line."""

    _under: str | None = None

    def __init_subclass__(cls, under: str | None = None) -> None:
        cls._under = under

    def data(self) -> dict[str, object]:
        shown = {name: rendered(value) for name, value in vars(self).items()}
        return shown if self._under is None else {self._under: shown}


# ---- Incoming messages.


@dataclass(frozen=True)
class CheckRequest:
    """Asks for the faults in a model's items; sent by `Checker.check` in `checker/index.ts`."""

    id: int
    language: str
    items: Sequence[str]
    # Whether the program will receive data that it can open as files.
    has_data: bool


@dataclass(frozen=True)
class SyntaxRequest:
    """Asks for the syntax tree of a text or of a part (`TextPart` in `talk.ts`); sent by `Checker.syntax`."""

    id: int
    text: str
    # The names of functions and classes; the tree is limited to the statements reachable from these.
    roots: Sequence[str] | None
    # The function whose docstring conditions are also read.
    contract_of: str | None
    # An older version's source, and its function that the tree also includes.
    older: tuple[str, str] | None
    # Two functions that may be the same code apart from differences without a meaning.
    pair: Sequence[str] | None
    # For each function of `pair`, or for the first of `roots`, types that replace its parameters' annotations.
    assumed: Sequence[Mapping[str, str]]


def checker_request(value: object) -> CheckRequest | SyntaxRequest:
    """Parses a line sent to the checking process."""
    fields = Fields(value)
    if "language" in fields:
        has_data = "has_data" in fields and fields.truth("has_data")
        return CheckRequest(fields.whole("id"), fields.text("language"), fields.texts("items"), has_data)
    roots = fields.texts("roots") if "roots" in fields else None
    contract_of = fields.text("contract_of") if "contract_of" in fields else None
    older = (fields.text("base"), fields.text("base_root")) if "base" in fields else None
    pair = fields.texts("pair") if "pair" in fields else None
    assumed = [_texts_by_name(each) for each in fields.list("assumed")] if "assumed" in fields else []
    return SyntaxRequest(fields.whole("id"), fields.text("syntax"), roots, contract_of, older, pair, assumed)


def _texts_by_name(value: object) -> dict[str, str]:
    return {name: _expect(each, str, name) for name, each in _expect(value, dict, "assumed").items()}


@dataclass(frozen=True)
class Job(Message):
    """A program to run; created by `jobOf` in `fork_server.ts`."""

    items: Sequence[str]
    timeout_ms: int
    memory_bytes: int
    # The request about the program, if its language supports several kinds of request; the language parses it.
    request: Mapping[str, object] | None
    # Whether processes waiting for later jobs rehearse; they should not while the processors are busy.
    rehearse: bool
    # The number of processors that the job's engines can use.
    workers: int = 1
    # The call's data for the program, by name.
    given: Mapping[str, object] | None = None

    @staticmethod
    def read(value: object) -> Job:
        fields = Fields(value)
        request = fields.object("request") if "request" in fields else None
        given = fields.object("data") if "data" in fields else None
        bounds = fields.whole("timeout_ms"), fields.whole("memory_bytes")
        workers = fields.whole("workers") if "workers" in fields else 1
        return Job(fields.texts("items"), *bounds, request, fields.truth("rehearse"), workers, given)

    @property
    def seconds(self) -> float:
        """The job's time limit in seconds."""
        return self.timeout_ms / 1000


@dataclass(frozen=True)
class Start:
    """Starts the job that follows in this number of bytes; sent by `ForkServer.run` in `fork_server.ts`."""

    id: int
    seconds: float
    rehearse: bool
    bytes: int


@dataclass(frozen=True)
class Stop:
    """Asks to end a job."""

    id: int


def server_request(value: object) -> Start | Stop:
    """Parses a line sent to the fork server."""
    fields = Fields(value)
    if "stop" in fields:
        return Stop(fields.whole("stop"))
    return Start(fields.whole("id"), fields.number("seconds"), fields.truth("rehearse"), fields.whole("bytes"))


def only_job(value: object) -> Job:
    """Parses the only line sent to a single-job process, by `FreshProcess.run` in `fresh_process.ts`."""
    return Job.read(Fields(value).any("job"))


# ---- Outgoing messages.


@dataclass(frozen=True)
class Ready:
    """Each process's greeting: `Ready` in `talk.ts`."""

    versions: Mapping[str, str] | None = None
    isolation: Sequence[str] | None = None
    # The layers from `walls.WALLS` that each job has.
    walls: Sequence[str] | None = None

    def data(self) -> dict[str, object]:
        return {"ready": True, **_present(versions=self.versions, isolation=self.isolation, walls=self.walls)}


@dataclass(frozen=True)
class Fault(Message):
    """A fault in an item, with its position counted from 1: `fault` of `CheckAnswer` in `talk.ts`."""

    code: str
    message: str
    steps: Sequence[str]
    line: int
    column: int
    item: int = 0


@dataclass(frozen=True)
class CheckAnswer:
    """The result of a check: `CheckAnswer` in `talk.ts`."""

    fault: Fault | None = None
    warnings: Sequence[str] = ()

    def data(self) -> dict[str, object]:
        return {"warnings": self.warnings} if self.fault is None else {"fault": self.fault.data()}


@dataclass(frozen=True)
class SyntaxTree(Message):
    """A parsed text: `tree`, `python` and `text` of `SyntaxAnswer` in `talk.ts`."""

    tree: Json
    # The version of Python that parsed the text.
    python: Sequence[int]
    text: str
    # Literals that are passed to functions of `re` and are valid patterns, each with the number of its groups.
    patterns: Sequence[tuple[str, int]] = ()
    # Whether the two functions in question are the same code apart from differences without a meaning.
    same: bool = False


@dataclass(frozen=True)
class Broken(Message, under="broken"):
    """A text that is not valid Python: `broken` of `SyntaxAnswer` in `talk.ts`."""

    message: str
    line: int
    column: int


@dataclass(frozen=True)
class Printed(Message):
    """A line that a program prints: `printed` of `Frame` in `talk.ts`."""

    printed: str


@dataclass(frozen=True)
class Found(Message):
    """An intermediate result of a job: `found` of `Frame` in `talk.ts`."""

    found: object


@dataclass(frozen=True)
class Result(Message):
    """The last frame of a job with a result, in a form that the language defines: `result` of `Frame` in `talk.ts`."""

    result: object


@dataclass(frozen=True)
class ProgramError:
    """Why a program has no result: `ProgramError` in `talk.ts`. Items are numbered from 0, lines and columns from 1."""

    kind: str
    message: str | None = None
    type: str | None = None
    # The error type, such as "SandboxViolation", in answers of tools that analyse Python code.
    error_type: str | None = None
    code: str | None = None
    steps: Sequence[str] | None = None
    item: int | None = None
    line: int | None = None
    column: int | None = None
    names: Sequence[str] | None = None
    # How the program's last solve before the exception ended.
    last_verdict: str | None = None
    log: str | None = None

    def data(self) -> dict[str, object]:
        return _present(**{each.name: getattr(self, each.name) for each in fields(self)})


@dataclass(frozen=True)
class Failed:
    """The last frame of a job without a result: `error` of `Frame` in `talk.ts`."""

    error: ProgramError

    def data(self) -> dict[str, object]:
        return {"error": self.error.data()}


@dataclass(frozen=True)
class Ended:
    """The end of a job.

    The field `ended` of `Frame` in `talk.ts` is "done" if the job sent its result, otherwise the reason why there is
    none.
    """

    id: int
    how: str
    # The process's exit code, if the process exited on its own.
    code: int | None = None
    # The process's processor time, once the process is gone.
    cpu_ms: int | None = None

    def data(self) -> dict[str, object]:
        return {"id": self.id, "ended": self.how, **_present(code=self.code, cpu_ms=self.cpu_ms)}


def _present(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}
