"""Bitwuzla, by the parser of its Python package, which prints its answers itself."""

from __future__ import annotations

import re

import bitwuzla

from verdict_smt.commands import Command
from verdict_smt.solver import Refused

_placed = re.compile(r"<string>:(\d+):(\d+): ([\s\S]*)")
_comment = re.compile(r";[^\n]*")
_kept = re.compile(r"set-|declare-|define-|assert$")


class Bitwuzla:
    """
    The parser forgets at the end of each text how many scopes are open, and then refuses to leave one. So the scopes
    are kept here, as the commands that stand in them: to leave one is to begin again with those outside of it. It also
    ignores options that come after its first text: those at the beginning are sent together with what follows them.
    """

    def __init__(self) -> None:
        self._scopes: list[list[str]] = [[]]
        self._parser: bitwuzla.Parser | None = None

    def run(self, command: Command) -> str:
        match command.head:
            case "get-info":
                return "unsupported\n"
            case "push":
                self._scopes.extend([] for _ in range(_number(command)))
            case "pop":
                self._leave(_number(command))
            case "reset-assertions":
                self._scopes = [[text for text in self._scopes[0] if text.startswith("(set-")]]
                self._parser = None
            case "set-option" if self._parser is None:
                self._scopes[-1].append(command.text)
            case head:
                self._parse(command)
                if _kept.match(head):
                    self._scopes[-1].append(command.text)
        return ""

    def _leave(self, number: int) -> None:
        if number >= len(self._scopes):
            raise Refused(f"can't leave {number} of {len(self._scopes) - 1} scopes")
        if number > 0:
            self._scopes = self._scopes[:-number]
            self._parser = None

    def _parse(self, command: Command) -> None:
        if self._parser is None:
            self._parser = _parser()
            self._parser.parse("\n".join(text for scope in self._scopes for text in scope), False, False)
        try:
            self._parser.parse(command.text, False, False)
        except bitwuzla.BitwuzlaException as failure:
            raise _refused(command, str(failure)) from failure


def _parser() -> bitwuzla.Parser:
    options = bitwuzla.Options()
    # The rewriting of sums of shifts in this pass is wrong in 0.9.1: it makes sat problems unsat.
    options.set(bitwuzla.Option.PP_NORMALIZE, False)
    return bitwuzla.Parser(bitwuzla.TermManager(), options)


def _number(command: Command) -> int:
    """How many scopes a `push` or `pop` is about: one, where it does not say."""
    match = re.search(r"\d+", _comment.sub("", command.text))
    return int(match[0]) if match else 1


def _refused(command: Command, message: str) -> Refused:
    placed = _placed.search(message)
    if placed is None:
        return Refused(message)
    lines = command.text.split("\n")
    line = min(int(placed[1]), len(lines)) - 1
    before = sum(len(each) + 1 for each in lines[:line])
    return Refused(placed[3], min(before + int(placed[2]) - 1, len(command.text)))
