"""Runs Bitwuzla through its Python package's parser, which prints the answers itself."""

from __future__ import annotations

import re

import bitwuzla

from verdict_smt.commands import Command
from verdict_smt.solver import Refused

_number_left_out = re.compile(r"^(\(\s*(?:push|pop))(?:\s|;[^\n]*\n)*\)")
_placed = re.compile(r"<string>:(\d+):(\d+): ([\s\S]*)")


class Bitwuzla:
    """Sends all options at the beginning together, since the parser ignores options after its first text."""

    def __init__(self) -> None:
        self._options: list[str] = []
        self._parser: bitwuzla.Parser | None = None

    def run(self, command: Command) -> str:
        if command.head == "get-info":
            return "unsupported\n"
        if command.head == "set-option" and self._parser is None:
            self._options.append(command.text)
        else:
            self._parse(command)
        return ""

    def _parse(self, command: Command) -> None:
        if self._parser is None:
            self._parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
            if self._options:
                self._parser.parse("\n".join(self._options), False, False)
        # A command without a number means one scope, but Bitwuzla does not support this form.
        text = _number_left_out.sub(r"\1 1)", command.text)
        try:
            self._parser.parse(text, False, False)
        except bitwuzla.BitwuzlaException as failure:
            raise _refused(command, str(failure)) from failure


def _refused(command: Command, message: str) -> Refused:
    placed = _placed.search(message)
    if placed is None:
        return Refused(message)
    lines = command.text.split("\n")
    line = min(int(placed[1]), len(lines)) - 1
    before = sum(len(each) + 1 for each in lines[:line])
    return Refused(placed[3], min(before + int(placed[2]) - 1, len(command.text)))
