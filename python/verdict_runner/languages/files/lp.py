"""Reads CPLEX's LP format. Lines that other readers interpret differently are rejected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from verdict_runner.languages.files.fault import broken, only_upper
from verdict_runner.languages.files.linear import ONE, ZERO, Bound, Linear, Terms, plus
from verdict_runner.languages.files.numbers import INFINITE, number
from verdict_runner.refusal import Refused

# The section headings.
HEADS = {
    "other": r"sos[12]?|user\s+cuts|pwlobj|general\s+constraints?|gencons?|scenario|multi-objectives?",
    "least": r"min(?:imi[sz]e|imum)?",
    "most": r"max(?:imi[sz]e|imum)?",
    "rows": r"subject\s+to|such\s+that|s\.t\.?|st\.?",
    "lazy": r"lazy\s+constraints",
    "bounds": r"bounds?",
    "wholes": r"generals?|gen|integers?|int",
    "truths": r"binary|binaries|bin",
    "semi": r"semi-continuous|semis?",
    "end": r"end",
}
# A word followed by a colon is the name of a row.
_HEAD = re.compile(
    rf"\s*(?:{'|'.join(f'(?P<{key}>{words})' for key, words in HEADS.items())})(?=\s|$)(?!\s*:)", re.IGNORECASE
)
_MARKS = r"!\"#$%&(),;?@_'`{}|~"
_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    rf"|(?P<name>[A-Za-z{_MARKS}][A-Za-z0-9{_MARKS}./\[\]]*)"
    r"|(?P<sign><=|=<|>=|=>|->|\S)"
)
_SENSES = {"<": "<", "<=": "<", "=<": "<", ">": ">", ">=": ">", "=>": ">", "=": "="}
_TURNED = {"<": ">", ">": "<", "=": "="}
_ENDLESS = re.compile(r"inf(?:inity)?", re.IGNORECASE)


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


class _Section(NamedTuple):
    key: str
    head: str
    line: int
    tokens: list[_Token]


def read(text: str) -> Linear:
    """Reads the model; raises `Refused` with the line of a fault."""
    return _Reader().read(text)


def _sections(text: str) -> Iterator[_Section]:
    section: _Section | None = None
    for line, full in enumerate(text.splitlines(), 1):
        rest = full.partition("\\")[0]
        head = _HEAD.match(rest)
        if head is not None and _begins(head, section):
            if section is not None:
                yield section
            section, rest = _Section(head.lastgroup or "", head[0].strip(), line, []), rest[head.end() :]
            if section.key == "end":
                break
        if section is None and rest.strip():
            raise broken(
                line,
                f"An LP file begins with Minimize or Maximize, not with `{rest.strip()[:60]}`.",
                ["write `Minimize`, then the objective (this is CPLEX's LP format; lp_solve's format is different)"],
            )
        if section is not None:
            section.tokens.extend(_Token(each.lastgroup or "", each[0], line) for each in _TOKEN.finditer(rest))
    if section is not None:
        yield section


def _begins(head: re.Match[str], section: _Section | None) -> bool:
    """Whether a word at the beginning of a line is a section heading and not a variable."""
    if head.lastgroup in ("least", "most"):
        return section is None
    if head.lastgroup == "rows":
        return section is not None and section.key in ("least", "most")
    return section is not None and (
        head.lastgroup == "bounds" or not re.match(r"\s*[-+<>=]", head.string[head.end() :])
    )


class _Reader:
    def __init__(self) -> None:
        self._model = Linear()
        self._columns: dict[str, int] = {}
        # The variables in the objective and the constraints.
        self._used: set[int] = set()
        self._names: set[str] = set()
        self._tokens: list[_Token] = []
        self._at, self._end = 0, _Token("end", "the end of the section", 1)
        self._lower: dict[int, Bound] = {}
        self._upper: dict[int, Bound] = {}
        self._semi: dict[int, int] = {}

    def read(self, text: str) -> Linear:
        key, line = "", 1
        one: Mapping[str, Callable[[], None]] = {"rows": self._row, "lazy": self._row, "bounds": self._bound}
        for key, head, line, self._tokens in _sections(text):
            self._at, self._end = (
                0,
                _Token("end", "the end of the section", self._tokens[-1].line if self._tokens else line),
            )
            if key == "other":
                raise broken(
                    line,
                    f"The section {head} is not supported: only linear models are.",
                    ["write the model in MiniZinc or ortools"],
                )
            if key in ("least", "most"):
                self._objective(key == "least")
            while self._at < len(self._tokens):
                one.get(key, lambda key=key: self._listed(key))()
        if key != "end":
            self._model.notes.append(
                "The file has no End. If part of it is missing, the answer is about a different model."
            )
        self._settle(line)
        return self._model

    # ---- Tokens.

    def _peek(self, ahead: int = 0) -> _Token:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else self._end

    def _next(self) -> _Token:
        self._at += 1
        return self._peek(-1)

    def _unexpected(self, where: str, *steps: str) -> Refused:
        token = self._peek()
        if token.text in "[^*]":
            steps = ("write products in the language minizinc or z3: only linear models are read", *steps)
        return broken(token.line, f"{token.text[:60]} is not allowed in this position, in {where}.", steps)

    def _label(self) -> str:
        """Reads the name before a colon, if there is one."""
        if self._peek().kind != "name" or self._peek(1).text != ":":
            return ""
        self._at += 2
        return self._peek(-2).text

    def _name(self, where: str) -> int:
        if self._peek().kind != "name" or _ENDLESS.fullmatch(self._peek().text):
            raise self._unexpected(where, "write the name of a variable")
        return self._index(self._next().text)

    def _index(self, name: str) -> int:
        if name not in self._columns:
            self._columns[name] = self._model.column(name)
        return self._columns[name]

    def _signed(self) -> int:
        sign = 1
        while self._peek().text in ("+", "-"):
            sign = -sign if self._next().text == "-" else sign
        return sign

    def _number(self) -> Fraction:
        value = number(self._peek().text)
        if value is None:
            raise self._unexpected("place of a number", "write a decimal such as 2.5 or 1e3")
        self._at += 1
        return value

    def _sum(self, where: str) -> tuple[Terms, Fraction]:
        """Reads the terms and the constant of a sum such as `2 x - y + 5`."""
        terms: Terms = {}
        constant, is_first = ZERO, True
        while (is_first and self._peek().text not in _SENSES) or self._peek().text in ("+", "-"):
            is_first, sign = False, self._signed()
            has_number = self._peek().kind == "number"
            weight = sign * (self._number() if has_number else ONE)
            if has_number and (self._peek().kind != "name" or self._peek(1).text == ":"):
                constant += weight
            else:
                plus(terms, [(self._name(where), weight)])
        return terms, constant

    # ---- Sections.

    def _objective(self, is_least: bool) -> None:
        self._label()
        terms, constant = self._sum("the objective") if self._tokens[self._at :] else ({}, ZERO)
        if self._at < len(self._tokens):
            raise self._unexpected(
                "the objective", "write it as `obj: 3 x + 2 y`, and `Subject To` before the constraints"
            )
        self._used |= {*terms}
        self._model.objective, self._model.constant, self._model.is_least = terms, constant, is_least

    def _row(self) -> None:
        line, name, where = self._peek().line, self._label(), "a constraint"
        form = "write `name: 2 x + 3 y <= 8`, or `-3 <= x + y <= 8`, with the variables on the left"
        if name and name in self._names:
            raise broken(line, f"There are two constraints named {name}.", ["give each its own name"])
        self._names.add(name)
        terms, constant = self._sum(where)
        sense = self._sense(where, form)
        low = high = None
        if terms:
            low, high = _ends(sense, self._right(form) - constant)
        else:
            # The number comes first, as in `8 >= x + y` or in a range.
            low, high = _ends(_TURNED[sense], constant)
            begun = self._peek().line
            terms, moved = self._sum(where)
            if self._peek().text in _SENSES:
                if self._peek().line != begun:
                    raise broken(
                        self._peek().line,
                        "This can be read as one range or as two constraints, because a line may end anywhere.",
                        ["write a range on one line", "or begin the second constraint with a name and a colon"],
                    )
                if _SENSES[self._peek().text] != sense or sense == "=":
                    raise self._unexpected(where, form)
                self._at += 1
                other = _ends(sense, self._right(form))
                low, high = low if other[0] is None else other[0], high if other[1] is None else other[1]
            low, high = low if low is None else low - moved, high if high is None else high - moved
        self._used |= {*terms}
        self._model.row(name, line, terms, low, high)

    def _sense(self, where: str, form: str) -> str:
        if self._peek().text not in _SENSES:
            raise self._unexpected(where, form, "write a condition (->) with only_enforce_if in the language ortools")
        return _SENSES[self._next().text]

    def _right(self, form: str) -> Fraction:
        """Reads the number on the right-hand side; anything after it on the same line would change the constraint."""
        value = self._signed() * self._number()
        token = self._peek()
        if token.line == self._peek(-1).line and token is not self._end:
            raise self._unexpected("the right side of a constraint", form)
        return value

    def _bound(self) -> None:
        where, self._at = "a bound", self._at + 2 * (self._peek().kind == "name" and self._peek(1).text == ":")
        form = "write `0 <= x <= 5`, `x >= -2`, `x = 3` or `x free`"
        if self._peek().kind != "name" or _ENDLESS.fullmatch(self._peek().text):
            value = self._limit()
            sense = _TURNED[self._sense(where, form)]
            index = self._name(where)
            self._set(index, sense, value)
            if self._peek().text not in _SENSES:
                return
        else:
            index = self._name(where)
            if self._peek().text.lower() == "free":
                self._at += 1
                self._lower[index] = self._upper[index] = None
                return
        self._set(index, self._sense(where, form), self._limit())

    def _limit(self) -> Fraction:
        """Reads a number; infinity becomes the value that solvers treat as infinite."""
        sign = self._signed()
        if _ENDLESS.fullmatch(self._peek().text):
            self._at += 1
            return sign * Fraction(INFINITE)
        return sign * self._number()

    def _set(self, index: int, sense: str, value: Fraction) -> None:
        low, high = _ends(sense, value)
        if (low is not None and low >= INFINITE) or (high is not None and high <= -INFINITE):
            raise broken(self._peek(-1).line, "This bound leaves no value.", ["correct its sign"])
        if low is not None:
            self._lower[index] = low if low > -INFINITE else None
        if high is not None:
            self._upper[index] = high if high < INFINITE else None

    def _listed(self, key: str) -> None:
        index = self._name("a list of variables")
        column = self._model.columns[index]
        column.is_whole = column.is_whole or key in ("wholes", "truths")
        if key == "truths":
            low, high = self._lower.setdefault(index, ZERO), self._upper.setdefault(index, ONE)
            if low is None or high is None or low < 0 or high > 1:
                raise broken(
                    self._peek(-1).line,
                    f"{column.name} is in Binary but has bounds other than 0 and 1: programs differ in which of the two they use.",
                    ["remove its bounds", "or list it in General instead"],
                )
        if key == "semi":
            self._semi[index] = self._peek(-1).line

    def _settle(self, line: int) -> None:
        model = self._model
        for index, column in enumerate(model.columns):
            column.lower, column.upper = self._lower.get(index, ZERO), self._upper.get(index)
            if index not in self._lower and column.upper is not None and column.upper < 0:
                raise only_upper(line, column.name, column.upper, f"-inf <= {column.name} <= {float(column.upper):g}")
        unused = [column.name for index, column in enumerate(model.columns) if index not in self._used]
        if unused:
            model.notes.append(
                f"Neither in the objective nor in a constraint: {', '.join(unused[:5])}{' …' if unused[5:] else ''}."
            )
        for index, at in self._semi.items():
            model.zero_or_within(index, at)


def _ends(sense: str, value: Fraction) -> tuple[Bound, Bound]:
    return {"<": (None, value), ">": (value, None)}.get(sense, (value, value))
