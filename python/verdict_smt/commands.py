"""Splits an SMT-LIB stream into commands with their positions, as soon as each command is complete."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """One command as it was written."""

    text: str
    line: int
    """Line of the stream on which it begins, from 1."""
    column: int
    """Bytes before it on its line."""

    @property
    def head(self) -> str:
        match = re.match(r"\(\s*([^\s()|\";]+)", self.text)
        return match[1] if match else ""

    def place(self, offset: int) -> str:
        """Describes a position inside the command, in Z3's wording."""
        before = self.text[:offset]
        if "\n" in before:
            line, column = self.line + before.count("\n"), before[before.rindex("\n") + 1 :]
            return f"line {line} column {len(column.encode())}"
        return f"line {self.line} column {self.column + len(before.encode())}"


# Matches comments, strings and quoted symbols, complete or not, and parentheses.
_token = re.compile(r""";[^\n]*\n?|"[^"]*"?|\|[^|]*\|?|[()]""")


def _is_whole(token: str) -> bool:
    if token[0] == ";":
        return token[-1] == "\n"
    return token in "()" or (len(token) > 1 and token[-1] == token[0])


class Splitter:
    """Accepts text piece by piece. A doubled quote closes a string and opens it again, which is equivalent."""

    def __init__(self) -> None:
        self._text = ""
        self._at = 0
        self._depth = 0
        self._begin = 0
        self._line = 1
        self._column = 0

    def feed(self, more: str) -> Iterator[Command]:
        """Yields the commands that this piece completes."""
        self._text += more
        done = 0
        for token in _token.finditer(self._text, self._at):
            if not _is_whole(token[0]):
                break
            self._at = token.end()
            if token[0] == "(":
                if self._depth == 0:
                    self._begin = token.start()
                self._depth += 1
            elif token[0] == ")" and self._depth > 0:
                self._depth -= 1
                if self._depth == 0:
                    self._pass(done, self._begin)
                    yield Command(self._text[self._begin : self._at], self._line, self._column)
                    self._pass(self._begin, self._at)
                    done = self._at
        self._text = self._text[done:]
        self._at -= done
        self._begin -= done

    def _pass(self, start: int, end: int) -> None:
        lines = self._text.count("\n", start, end)
        self._line += lines
        if lines:
            start, self._column = self._text.rindex("\n", start, end) + 1, 0
        self._column += len(self._text[start:end].encode())


def commands(descriptor: int) -> Iterator[Command]:
    """Yields the commands that arrive on a file descriptor until it is closed."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    splitter = Splitter()
    while data := os.read(descriptor, 65536):
        yield from splitter.feed(decoder.decode(data))
