"""The interface of a solver."""

from __future__ import annotations

from typing import Protocol

from verdict_smt.commands import Command


class Refused(Exception):
    """A command that the solver could not run: the reason, and the offset in its text."""

    def __init__(self, words: str, offset: int = 0) -> None:
        super().__init__(words)
        self.words = words
        self.offset = offset


class Solver(Protocol):
    def run(self, command: Command) -> str:
        """Runs one command and returns the text to print, besides what the solver printed itself; raises Refused."""
        ...
