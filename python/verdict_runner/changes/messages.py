"""Requests about two module versions, and the answers; the other side is `src/engines/python/checker/changes.ts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from verdict_runner.changes.live import Use
from verdict_runner.protocol.messages import Fields, Message


@dataclass(frozen=True)
class ChangesRequest:
    """Asks which functions differ between two versions of a module; None means that a version lacks the file."""

    id: int
    base: str | None
    head: str | None


@dataclass(frozen=True)
class Version:
    """One version of a function: `Version` in `changes.ts`."""

    text: str
    name: str
    # Top-level names that an import can find in the repository itself.
    own_modules: Sequence[str]
    # The path of its module in the repository, and the texts of other files there; None if a file does not exist.
    path: str = "module.py"
    files: Mapping[str, str | None] = field(default_factory=dict)

    @staticmethod
    def read(value: object) -> Version:
        fields = Fields(value)
        files = {path: text if isinstance(text, str) else None for path, text in fields.object("files").items()}
        return Version(
            fields.text("text"), fields.text("name"), fields.texts("own_modules"), fields.text("path"), files
        )


@dataclass(frozen=True)
class PairRequest:
    """Asks for both versions of a function, each with everything it uses, or for its only version."""

    id: int
    base: Version | None
    head: Version


def changes_request(fields: Fields) -> ChangesRequest | PairRequest:
    """Parses a request about two versions."""
    if fields.text("about") == "changes":
        base, head = (fields.text(name) if name in fields else None for name in ("base", "head"))
        return ChangesRequest(fields.whole("id"), base, head)
    base_version = Version.read(fields.any("base")) if "base" in fields else None
    return PairRequest(fields.whole("id"), base_version, Version.read(fields.any("head")))


@dataclass(frozen=True)
class ChangedFunction:
    """A function that differs: `ChangedFunction` in `changes.ts`."""

    name: str
    # "added", "removed", "changed", or "same_code" if no call can run what differs in its module.
    change: str
    line: int
    end_line: int
    base_line: int | None
    # A hash of its code, used to find functions that were moved.
    code: str
    has_contract: bool
    had_contract: bool
    # If its own code did not change: the names of changed definitions that it reaches in its module.
    through: Sequence[str]
    # If all that differs in its module is in functions that it uses: those functions; None otherwise.
    uses: Sequence[Use] | None


@dataclass(frozen=True)
class Changes(Message):
    """The functions that differ."""

    functions: Sequence[ChangedFunction]
    # Whether the newer version's header says that the file was generated.
    generated: bool


@dataclass(frozen=True)
class Unreadable(Message, under="unreadable"):
    """A version that does not parse as Python in the interpreter that tried it."""

    side: str
    message: str
    line: int


@dataclass(frozen=True)
class Pair(Message, under="pair"):
    """Both versions of a function, or its only version, each with what it uses from its own version of the module."""

    code: str
    # The older version's module.
    base: str | None
    function_a: str
    function_b: str
    # What a reader has to know about how the two versions were made comparable.
    notes: Sequence[str]
    # The types guessed for unannotated parameters, as source text.
    assumed_types: Mapping[str, str] = field(default_factory=dict)
    # If all that differs is in functions that it uses: those functions; None otherwise.
    uses: Sequence[Use] | None = None


@dataclass(frozen=True)
class Wanted(Message, under="wanted"):
    """The repository files, for each version, that have to be read before the two versions can be paired."""

    base: Sequence[str]
    head: Sequence[str]


@dataclass(frozen=True)
class Apart(Message, under="apart"):
    """Why two versions can't be compared, or need no comparison because their code is the same."""

    why: str
    same_code: bool = False
