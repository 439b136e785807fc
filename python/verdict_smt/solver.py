"""Defines a solver's interface."""

from __future__ import annotations

from typing import Protocol

from verdict_smt.commands import Command


class Refused(Exception):
    """Raised for a command that the solver could not run, with the reason and the offset in the command's text."""

    def __init__(self, words: str, offset: int = 0) -> None:
        super().__init__(words)
        self.words = words
        self.offset = offset


class Solver(Protocol):
    def run(self, command: Command) -> str:
        """Runs one command and returns the text to print, apart from what the solver itself printed; raises Refused."""
        ...
