"""Represents a function's contract: all styles in one form, each condition with its text and line."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function


class Effects(Protocol):
    """A context in which side effects are forbidden."""

    def patch(self) -> None: ...
    def unpatch(self) -> None: ...


class Call:
    """One call of a function, as seen by the function's conditions."""

    def __init__(self, function: Function, arguments: Mapping[str, object]) -> None:
        self.arguments = function.complete(arguments)
        self.places, self.names = function.split(self.arguments)
        # The arguments' values before the call, by the condition or library that needs them.
        self.old: dict[str, Any] = {}
        self.result: object = None


class Condition:
    """One condition; `holds(call)` evaluates it for a call, and can raise whatever its author's code raises."""

    def __init__(
        self,
        style: str,
        text: str,
        line: int,
        holds: Callable[[Call], object],
        error: type[BaseException] | None = None,
        expression: ast.expr | None = None,
    ) -> None:
        self.style = style
        self.text = text
        # The expression that is evaluated, over the parameters' names; None if it is unknown.
        self.expression = expression
        # The complete text, which is longer than the shown one if that is truncated.
        self.source = ast.unparse(expression) if expression else text
        self.line = line
        self.holds = holds
        # The exception class with which a library reports a violation.
        self.error = error


class Contract:
    """The complete contract of a function."""

    def __init__(self) -> None:
        self.styles: list[str] = []
        self.preconditions: list[Condition] = []
        self.postconditions: list[Condition] = []
        # Asserts in the body, which the run itself evaluates: (text, line).
        self.asserted: list[tuple[str, int]] = []
        # What exceptions mean, as (class, condition).
        self.reasons: list[tuple[type[BaseException], Condition]] = []
        # The classes that the documentation declares, including subclasses; the exact classes that each deal.raises
        # allows.
        self.documented: list[type[BaseException]] = []
        self.allowed: list[Sequence[type[BaseException]]] = []
        # Functions that run before the call and receive the call.
        self.memories: list[Callable[[Call], None]] = []
        # The context that forbids side effects while the function runs, or None.
        self.effects: Effects | None = None
        # Obligations that could not be read, and other notes for readers.
        self.notes: list[str] = []
        self.remarks: list[str] = []

    def add(self, style: str) -> None:
        if style not in self.styles:
            self.styles.append(style)

    def remember(self, call: Call) -> None:
        """Stores the values from before the call that postconditions need."""
        for keep in self.memories:
            keep(call)

    def permits(self, error: BaseException) -> bool:
        """Whether the contract allows the function to end with this exception."""
        if self.allowed:
            return all(type(error) in each for each in self.allowed)
        return isinstance(error, tuple(self.documented))
