"""Requests about two versions of a module and their answers; the other side is `src/engines/python/checker/changes.ts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from verdict_runner.protocol.messages import Fields, Message


@dataclass(frozen=True)
class ChangesRequest:
    """Asks which functions differ between two versions of a module; None is a version without the file."""

    id: int
    base: str | None
    head: str | None


@dataclass(frozen=True)
class Version:
    """One version of a function: `Version` in `changes.ts`."""

    text: str
    name: str
    # Names that an import can find in the repository itself.
    own_modules: Sequence[str]
    # The path of its module in the repository, and the texts of other files there; None where there is no such file.
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
    """Asks for both versions of a function, each with all that it uses, or for the one that there is."""

    id: int
    base: Version | None
    head: Version


def changes_request(fields: Fields) -> ChangesRequest | PairRequest:
    """A request of this kind."""
    if fields.text("about") == "changes":
        base, head = (fields.text(name) if name in fields else None for name in ("base", "head"))
        return ChangesRequest(fields.whole("id"), base, head)
    base_version = Version.read(fields.any("base")) if "base" in fields else None
    return PairRequest(fields.whole("id"), base_version, Version.read(fields.any("head")))


@dataclass(frozen=True)
class ChangedFunction:
    """A function that differs: `ChangedFunction` in `changes.ts`."""

    name: str
    # "added", "removed", "changed", or "same_code" where only its docstring or its annotations differ.
    change: str
    line: int
    end_line: int
    base_line: int | None
    # A hash of its code, by which a function that moved is found.
    code: str
    has_contract: bool
    had_contract: bool
    # Names of the module that it reaches and that changed, where its own code did not.
    through: Sequence[str]


@dataclass(frozen=True)
class Changes(Message):
    """The functions that differ."""

    functions: Sequence[ChangedFunction]
    # Whether the newer version says that a program wrote it.
    generated: bool


@dataclass(frozen=True)
class Unreadable(Message, under="unreadable"):
    """A version that is not Python, for the Python that looked at it."""

    side: str
    message: str
    line: int


@dataclass(frozen=True)
class Pair(Message, under="pair"):
    """Both versions of a function, each with what its own version of the module gives it; or one alone."""

    code: str
    # The module of the older version.
    base: str | None
    function_a: str
    function_b: str
    # What a reader has to know about the way in which they were brought together.
    notes: Sequence[str]
    # Types that were guessed for parameters without an annotation, as source text.
    assumed_types: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Wanted(Message, under="wanted"):
    """The files of the repository, of each version, that have to be read before two versions can be brought together."""

    base: Sequence[str]
    head: Sequence[str]


@dataclass(frozen=True)
class Apart(Message, under="apart"):
    """Why two versions can't be compared, or need not: then they are the same code."""

    why: str
    same_code: bool = False
