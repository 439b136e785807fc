"""Bitwuzla, by the parser of its Python package, which prints its answers itself."""

from __future__ import annotations

import re

import bitwuzla

from verdict_smt.commands import Command
from verdict_smt.solver import Refused

_placed = re.compile(r"<string>:(\d+):(\d+): ([\s\S]*)")


class Bitwuzla:
    def __init__(self) -> None:
        self._parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())

    def run(self, command: Command) -> str:
        if command.head == "get-info":
            return "unsupported\n"
        try:
            self._parser.parse(command.text, False, False)
        except bitwuzla.BitwuzlaException as failure:
            raise _refused(command, str(failure)) from failure
        return ""


def _refused(command: Command, message: str) -> Refused:
    placed = _placed.search(message)
    if placed is None:
        return Refused(message)
    lines = command.text.split("\n")
    line = min(int(placed[1]), len(lines)) - 1
    before = sum(len(each) + 1 for each in lines[:line])
    return Refused(placed[3], min(before + int(placed[2]) - 1, len(command.text)))
