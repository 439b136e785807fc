"""Reads OPB and WBO: pseudo-Boolean constraints, including products of literals and soft constraints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from verdict_runner.languages.files.fault import broken
from verdict_runner.languages.files.linear import ONE, ZERO, Bound, Linear, Terms, plus
from verdict_runner.languages.files.numbers import DIGITS_MAX
from verdict_runner.refusal import Refused

_LITERAL = re.compile(r"~?x\d{1,9}")
_NUMBER = re.compile(rf"[+-]?\d{{1,{DIGITS_MAX}}}")
_SENSES = (">=", "<=", "=")
# Matches the format's first line; lp_solve's linear programs look similar, but their variables are not truth values.
_HEADER = re.compile(r"^\*.*#variable=", re.MULTILINE)


class _Statement(NamedTuple):
    line: int
    words: list[str]


def read(text: str) -> Linear:
    """Reads the model; raises `Refused` with the line of a fault."""
    reader = _Reader(_HEADER.search(text) is not None)
    for statement in _statements(text):
        reader.state(statement)
    return reader.end()


def _statements(text: str) -> list[_Statement]:
    statements, words, first = [], [], 1
    for line, full in enumerate(text.splitlines(), 1):
        if full.lstrip().startswith("*"):
            continue
        for word in re.sub(r"(>=|<=|=|[;\[\]:])", r" \1 ", full).split():
            first = first if words else line
            words.append(word)
            if word == ";":
                statements.append(_Statement(first, words[:-1]))
                words = []
    if words:
        raise broken(first, "The last statement does not end with a semicolon.", ["end each statement with ;"])
    return statements


class _Reader:
    def __init__(self, has_header: bool) -> None:
        self._model = Linear()
        self._has_header = has_header
        self._literals: dict[str, int] = {}
        self._products: dict[frozenset[str], int] = {}
        self._line = 1
        self._costs: Terms = {}
        # Whether the file has soft constraints, and the exclusive upper bound on the total cost of violated ones.
        self._is_soft = False
        self._top: Fraction | None = None

    def state(self, statement: _Statement) -> None:
        self._line, words = statement
        head = words[:2]
        if not self._has_header and ("<=" in words or head == ["max", ":"]):
            raise self._wrong(
                "Without the line `* #variable= 3 #constraint= 2` this could also be an lp_solve file: OPB has only "
                "min: and >=.",
                "write that line first if all variables are 0 or 1",
                "or write the model in CPLEX's LP format",
            )
        if head in (["min", ":"], ["max", ":"]):
            self._objective(head[0] == "min", words[2:])
        elif head == ["soft", ":"]:
            self._is_soft = True
            self._top = self._number(words[2]) if len(words) == 3 else None
        elif head[:1] == ["["] and words[2:3] == ["]"]:
            self._constraint(words[3:], self._number(words[1]))
        else:
            self._constraint(words, None)

    def end(self) -> Linear:
        if not self._is_soft:
            return self._model
        if self._model.objective is not None:
            raise self._wrong("The file has an objective and soft constraints.", "leave one of them out")
        self._model.objective = self._costs
        if self._top is not None:
            self._model.row("", 1, self._costs, upper=self._top - 1)
        return self._model

    def _wrong(self, what: str, *steps: str) -> Refused:
        return broken(self._line, what, steps)

    def _number(self, word: str) -> Fraction:
        if _NUMBER.fullmatch(word) is None:
            raise self._wrong(f"{word[:40]} is not a whole number.", "write a whole number such as +3")
        return Fraction(word)

    def _objective(self, is_least: bool, words: Sequence[str]) -> None:
        if self._model.objective is not None:
            raise self._wrong("The file has two objectives.", "leave one of them out")
        terms, self._model.constant = self._sum(words)
        self._model.objective, self._model.is_least = terms, is_least

    def _constraint(self, words: Sequence[str], cost: Fraction | None) -> None:
        if len(words) < 2 or words[-2] not in _SENSES:
            raise self._wrong(
                "A constraint has the form `+2 x1 +3 ~x2 >= 4 ;`.", "write one of >=, <= and = before the last number"
            )
        terms, constant = self._sum(words[:-2])
        right = self._number(words[-1]) - constant
        low = None if words[-2] == "<=" else right
        high = None if words[-2] == ">=" else right
        if cost is None:
            self._model.row("", self._line, terms, low, high)
            return
        if cost <= 0:
            raise self._wrong("The cost of a soft constraint is not positive.", "write a cost of 1 or more")
        self._is_soft = True
        self._soft(terms, low, high, cost)

    def _soft(self, terms: Terms, low: Bound, high: Bound, cost: Fraction) -> None:
        """Adds the bounds on both sides, each of which must hold unless the violation is paid for."""
        paid = self._model.truth()
        self._costs[paid] = cost
        least = sum((min(ZERO, each) for each in terms.values()), ZERO)
        most = sum((max(ZERO, each) for each in terms.values()), ZERO)
        if low is not None:
            self._model.row("", self._line, {**terms, paid: max(ZERO, low - least)}, lower=low)
        if high is not None:
            self._model.row("", self._line, {**terms, paid: min(ZERO, high - most)}, upper=high)

    def _sum(self, words: Sequence[str]) -> tuple[Terms, Fraction]:
        terms: Terms = {}
        constant, at = ZERO, 0
        while at < len(words):
            weight = self._number(words[at])
            end = at + 1
            while end < len(words) and _LITERAL.fullmatch(words[end]):
                end += 1
            literals = frozenset(words[at + 1 : end])
            if not literals:
                raise self._wrong(
                    f"No literal follows {words[at][:40]}.", "write a number and a literal: `+2 x1`, or `+2 ~x1`"
                )
            constant += self._term(terms, weight, literals)
            at = end
        return terms, constant

    def _term(self, terms: Terms, weight: Fraction, literals: frozenset[str]) -> Fraction:
        """Adds a weighted product of literals, and returns the constant it contributes."""
        if len(literals) > 1:
            plus(terms, [(self._product(literals), weight)])
            return ZERO
        (literal,) = literals
        is_negated = literal.startswith("~")
        plus(terms, [(self._variable(literal), -weight if is_negated else weight)])
        return weight if is_negated else ZERO

    def _variable(self, literal: str) -> int:
        name = literal.removeprefix("~")
        if name not in self._literals:
            self._literals[name] = self._model.truth(name)
        return self._literals[name]

    def _product(self, literals: frozenset[str]) -> int:
        """Returns the index of a variable that is 1 if and only if all of these literals are true."""
        if literals not in self._products:
            index = self._products[literals] = self._model.truth()
            everything: Terms = {index: ONE}
            right = ONE
            for each in sorted(literals):
                terms: Terms = {index: -ONE}
                low = -self._term(terms, ONE, frozenset((each,)))
                self._model.row("", self._line, terms, lower=low)
                right -= ONE + self._term(everything, -ONE, frozenset((each,)))
            self._model.row("", self._line, everything, lower=right)
        return self._products[literals]
