"""Runs cvc5 through its Python package's parser."""

from __future__ import annotations

import re

import cvc5

from verdict_smt.commands import Command
from verdict_smt.solver import Refused

_error = re.compile(r'\(error "([\s\S]*)"\)\s*')
_root = re.compile(r"\(_ real_algebraic_number (<[-0-9*x^+(), /]*>)\)")
_symbol = re.compile(r"[Ss]ymbol '?([^\s']+)'?")


class Cvc5:
    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._solver = cvc5.Solver(cvc5.TermManager())
        self._parser = cvc5.InputParser(self._solver)
        self._symbols = self._parser.getSymbolManager()

    def run(self, command: Command) -> str:
        # cvc5's own reset keeps the logic and rejects a second one.
        if command.head == "reset":
            self._begin()
            return ""
        output = "".join(self._answers(command))
        failure = _error.fullmatch(output)
        if failure:
            raise _refused(command, failure[1])
        # The reason after the word is omitted, since it is queried separately.
        if output.startswith("unknown"):
            return "unknown\n"
        # A polynomial with its root's interval is an S-expression only if it is quoted.
        return _root.sub(r"(_ real_algebraic_number |\1|)", output)

    def _answers(self, command: Command) -> list[str]:
        answers: list[str] = []
        try:
            self._parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, command.text, "script")
            while not (parsed := self._parser.nextCommand()).isNull():
                answers.append(parsed.invoke(self._solver, self._symbols))
        except RuntimeError as failure:
            raise _refused(command, str(failure)) from failure
        return answers


def _refused(command: Command, words: str) -> Refused:
    """Creates an error with the position of the symbol that it mentions, since cvc5 gives no position."""
    named = _symbol.search(words)
    at = re.search(rf"(?<![^\s()]){re.escape(named[1])}(?![^\s()])", command.text) if named else None
    return Refused(words, at.start() if at else 0)
