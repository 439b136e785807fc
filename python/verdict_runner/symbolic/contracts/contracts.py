"""What a function promises: the contracts of all styles in one form, each condition with its text and line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function


class Effects(Protocol):
    """What forbids side effects while a function runs."""

    def patch(self) -> None: ...
    def unpatch(self) -> None: ...


class Call:
    """One call of a function, as its conditions see it."""

    def __init__(self, function: Function, arguments: Mapping[str, object]) -> None:
        self.arguments = function.complete(arguments)
        self.places, self.names = function.split(self.arguments)
        # What conditions wanted to keep of the arguments, by the condition or library that wanted it.
        self.old: dict[str, Any] = {}
        self.result: object = None


class Condition:
    """One condition; `holds(call)` is what it says of a call, and may raise what its author's code raises."""

    def __init__(
        self,
        style: str,
        text: str,
        line: int,
        holds: Callable[[Call], object],
        error: type[BaseException] | None = None,
        source: str | None = None,
    ) -> None:
        self.style = style
        self.text = text
        # All of it, where the text is cut for readers.
        self.source = source or text
        self.line = line
        self.holds = holds
        # The class of the exception by which a library says that it does not hold.
        self.error = error


class Contract:
    """All that a function promises and asks for."""

    def __init__(self) -> None:
        self.styles: list[str] = []
        self.preconditions: list[Condition] = []
        self.postconditions: list[Condition] = []
        # Asserts in the body, which the run itself evaluates: (text, line).
        self.asserted: list[tuple[str, int]] = []
        # What an exception of a kind means: (class, condition).
        self.reasons: list[tuple[type[BaseException], Condition]] = []
        # Classes that a documentation declares, subclasses included; classes that each deal.raises allows, exactly.
        self.documented: list[type[BaseException]] = []
        self.allowed: list[Sequence[type[BaseException]]] = []
        # Run before the call, each with the call.
        self.memories: list[Callable[[Call], None]] = []
        # What forbids side effects while the function runs, or None.
        self.effects: Effects | None = None
        # What could not be read of what is promised, and other things that a reader should know.
        self.notes: list[str] = []
        self.remarks: list[str] = []

    def add(self, style: str) -> None:
        if style not in self.styles:
            self.styles.append(style)

    def remember(self, call: Call) -> None:
        """Keeps what postconditions will ask of the time before the call."""
        for keep in self.memories:
            keep(call)

    def permits(self, error: BaseException) -> bool:
        """Whether the function may end with this exception."""
        if self.allowed:
            return all(type(error) in each for each in self.allowed)
        return isinstance(error, tuple(self.documented))
