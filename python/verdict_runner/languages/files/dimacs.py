"""Reads DIMACS: clauses (cnf), and weighted clauses (wcnf) in the old and in the 2022 MaxSAT Evaluation format."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from verdict_runner.languages.files.fault import broken
from verdict_runner.languages.files.linear import ONE, Linear, Terms, plus
from verdict_runner.refusal import Refused

# The maximum number of variables; a larger number indicates a malformed line and would exhaust the memory.
VARIABLES_MAX = 1_000_000
WEIGHT_DIGITS_MAX = 18


@dataclass
class Clauses:
    """Clauses with their lines; soft clauses with the cost of violating them."""

    variables: int = 0
    notes: list[str] = field(default_factory=list)
    hard: list[tuple[int, list[int]]] = field(default_factory=list)
    soft: list[tuple[int, int, list[int]]] = field(default_factory=list)
    is_weighted: bool = False

    def linear(self) -> Linear:
        """Converts the clauses to a linear model, in which an auxiliary variable pays for violating a soft clause."""
        model = Linear()
        for number in range(1, self.variables + 1):
            model.truth(str(number))
        for line, clause in self.hard:
            _state(model, line, clause, {})
        costs: Terms = {}
        for line, weight, clause in self.soft:
            broken_by = model.truth()
            _state(model, line, clause, {broken_by: ONE})
            costs[broken_by] = Fraction(weight)
        model.objective = costs if self.is_weighted else None
        return model


def _state(model: Linear, line: int, clause: list[int], terms: Terms) -> None:
    """Adds the constraint that at least one of these literals or terms is true."""
    literals = {*clause}
    plus(terms, ((abs(each) - 1, ONE if each > 0 else -ONE) for each in literals))
    model.row("", line, terms, lower=Fraction(1 - sum(each < 0 for each in literals)))


def read(text: str) -> Clauses:
    """Reads the clauses; raises `Refused` with the line of a fault."""
    return _Reader().read(text)


class _Reader:
    def __init__(self) -> None:
        self._clauses = Clauses()
        # The numbers in the line `p …`; None in the new format, which has no such line.
        self._counts: tuple[int, int] | None = None
        self._top: int | None = None
        self._line = 0
        # The clause that 0 has not terminated yet, and its first line.
        self._open: list[str] = []
        self._open_at = self._dropped = 0

    def read(self, text: str) -> Clauses:
        for self._line, line in enumerate(text.splitlines(), 1):
            words = line.split()
            # SATLIB files end with a line `%`.
            if words[:1] == ["%"]:
                break
            if not words or words[0][0] == "c":
                continue
            if words[0] == "p":
                self._header(words)
                continue
            self._clauses.is_weighted = self._clauses.is_weighted or self._counts is None
            for word in words:
                self._open_at = self._open_at if self._open else self._line
                self._open.append(word)
                if word == "0" and (len(self._open) > 1 or not self._clauses.is_weighted):
                    self._clause()
        self._line = max(1, self._line)
        if self._open:
            raise self._wrong("The last clause does not end with 0.", "end each clause with 0", at=self._open_at)
        self._compare()
        return self._clauses

    def _wrong(self, what: str, *steps: str, at: int | None = None) -> Refused:
        return broken(self._line if at is None else at, what, steps)

    def _header(self, words: list[str]) -> None:
        kind, numbers = words[1:2], words[2:]
        counts = [int(each) for each in numbers if each.isascii() and each.isdigit() and len(each) <= WEIGHT_DIGITS_MAX]
        is_weighted = kind == ["wcnf"]
        if (
            kind not in (["cnf"], ["wcnf"])
            or len(counts) != len(numbers)
            or len(counts) not in ((2, 3) if is_weighted else (2,))
        ):
            raise self._wrong(
                f"The line `{' '.join(words)[:60]}` is not a header.",
                "write `p cnf VARIABLES CLAUSES`, or `p wcnf VARIABLES CLAUSES TOP`",
            )
        if self._counts is not None or self._open or self._clauses.hard:
            raise self._wrong(
                "The line `p …` is not at the beginning, before the clauses.", "write one such line, at the beginning"
            )
        if counts[0] > VARIABLES_MAX:
            raise self._wrong(
                f"{counts[0]} variables are too many; the limit is {VARIABLES_MAX}.", "correct the header"
            )
        self._counts, self._top = (counts[0], counts[1]), counts[2] if len(counts) == 3 else None
        self._clauses.variables, self._clauses.is_weighted = counts[0], is_weighted

    def _clause(self) -> None:
        words, self._open, line = self._open, [], self._open_at
        if not self._clauses.is_weighted:
            self._clauses.hard.append((line, [self._literal(each) for each in words[:-1]]))
            return
        weight = words[0]
        literals = [self._literal(each) for each in words[1:-1]]
        if weight == "h" and self._counts is None:
            self._clauses.hard.append((line, literals))
            return
        if not (weight.isascii() and weight.isdigit()) or len(weight) > WEIGHT_DIGITS_MAX:
            raise self._wrong(
                f"{weight[:40]} is not a clause weight: the file has {'a header for weights' if self._counts else 'no header `p cnf`'}.",
                "begin each clause with its weight, a whole number (or h in the form without a header)",
                "or write `p cnf VARIABLES CLAUSES` before clauses without weights",
                at=line,
            )
        if self._top is not None and int(weight) >= self._top:
            self._clauses.hard.append((line, literals))
        elif int(weight):
            self._clauses.soft.append((line, int(weight), literals))
        else:
            # A clause with weight 0 has no effect.
            self._dropped += 1

    def _literal(self, word: str) -> int:
        digits = word.removeprefix("-")
        number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 8 else 0
        if not number or number > VARIABLES_MAX:
            raise self._wrong(
                f"{word[:40]} is not a literal.", "write the number of a variable, with - before it for `not`"
            )
        if self._counts is None:
            self._clauses.variables = max(self._clauses.variables, number)
        elif number > self._counts[0]:
            raise self._wrong(
                f"The variable {number} exceeds the {self._counts[0]} variables stated in the header.",
                "correct the line `p …`, or the literal",
            )
        return int(word)

    def _compare(self) -> None:
        count = len(self._clauses.hard) + len(self._clauses.soft) + self._dropped
        if self._counts is not None and self._counts[1] != count:
            raise self._wrong(
                f"The header says {self._counts[1]} clauses, but there are {count}: some may be missing.",
                f"write {count} in the line `p …` if no clause is missing",
            )
