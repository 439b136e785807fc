"""Reads fixed or free MPS.

If other readers disagree about a file, this reader follows the majority and reports that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from verdict_runner.languages.files.fault import broken, near, only_upper
from verdict_runner.languages.files.linear import ONE, ZERO, Bound, Linear, Terms
from verdict_runner.languages.files.numbers import limit, number
from verdict_runner.refusal import Refused

SECTIONS = {"NAME", "OBJSENSE", "ROWS", "LAZYCONS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA"}
# Sections of nonlinear models, or with rows that are not part of the model.
OTHERS = (
    "QUADOBJ QMATRIX QSECTION QCMATRIX CSECTION SOS SOS1 SOS2 SETS INDICATORS GENCONS PWLOBJ USERCUTS BRANCH".split()
)
# The columns of the fields in fixed MPS, in which names can contain spaces.
FIELDS = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
WITH_VALUE, WITHOUT = ("UP", "LO", "FX", "UI", "LI", "SC", "SI"), ("FR", "MI", "PL", "BV")
LEAST, MOST = ("MIN", "MINIMIZE", "MINIMISE"), ("MAX", "MAXIMIZE", "MAXIMISE")


def read(text: str) -> Linear:
    """Reads the model; raises `Refused` with the line of a fault."""
    faults: list[Refused] = []
    for fields_of in (str.split, _fixed):
        try:
            return _Reader(fields_of).read(text)
        except Refused as fault:
            faults.append(fault)
    # Reports the fault from the interpretation (fixed or free) that got further.
    raise max(faults, key=lambda fault: fault.line or 0)


def _fixed(line: str) -> list[str]:
    return [field for start, end in FIELDS if (field := line[start:end].strip())]


class _Reader:
    def __init__(self, fields_of: Callable[[str], list[str]]) -> None:
        self._fields_of = fields_of
        self._model = Linear()
        self._section, self._line = "", 0
        # Each row's kind, line and terms; the first row of kind N is the objective.
        self._rows: dict[str, tuple[str, int, Terms]] = {}
        self._objective: str | None = None
        self._columns: dict[str, int] = {}
        self._is_whole = False
        self._right: dict[str, Fraction] = {}
        self._ranges: dict[str, Fraction] = {}
        self._sets: dict[str, str] = {}
        self._lower: dict[int, Bound] = {}
        self._upper: dict[int, Bound] = {}
        self._upper_at: dict[int, int] = {}
        # For each semi-continuous variable, the line that declares it.
        self._semi: dict[int, int] = {}

    def read(self, text: str) -> Linear:
        for self._line, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.startswith("*"):
                continue
            head = line.split()
            if not line[0].isspace() and head[0].upper() in (*SECTIONS, *OTHERS):
                self._begin(head)
            elif self._section in ("ROWS", "LAZYCONS"):
                self._row(self._fields_of(line))
            elif self._section == "COLUMNS":
                self._column(self._fields_of(line))
            elif self._section in ("RHS", "RANGES"):
                self._side(self._fields_of(line))
            elif self._section == "BOUNDS":
                self._bound(self._fields_of(line))
            elif self._section == "OBJSENSE":
                self._sense(head[0])
            else:
                raise self._wrong(
                    f"The line `{line.strip()[:60]}` is outside all sections of the MPS file.",
                    f"begin each part with its name in the first column: {', '.join(sorted(SECTIONS))}",
                )
            if self._section == "ENDATA":
                return self._whole()
        raise self._wrong("The file ends without ENDATA, so part of the model may be missing.", "end it with ENDATA")

    def _wrong(self, what: str, *steps: str) -> Refused:
        return broken(max(1, self._line), what, steps)

    def _begin(self, head: Sequence[str]) -> None:
        self._section = head[0].upper()
        if self._section in OTHERS:
            raise self._wrong(
                f"The section {self._section} of the MPS file is not supported: only linear models are.",
                "remove the section if it does not change the model",
                "or write the model in the language ortools or minizinc",
            )
        if self._section == "OBJSENSE" and len(head) > 1:
            self._sense(head[1])

    def _sense(self, word: str) -> None:
        if word.upper() not in (*LEAST, *MOST):
            raise self._wrong(f"OBJSENSE says {word[:40]}.", "write MIN or MAX")
        self._model.is_least = word.upper() in LEAST

    def _row(self, fields: Sequence[str]) -> None:
        if len(fields) != 2 or fields[0].upper() not in ("N", "L", "G", "E"):
            raise self._wrong(
                "A row has the form `KIND NAME`, with the kind N, L, G or E.", "write, for example, ` L  capacity`"
            )
        kind, name = fields[0].upper(), fields[1]
        if name in self._rows:
            raise self._wrong(f"There are two rows named {name}.", "give each row a unique name")
        self._rows[name] = (kind, self._line, {})
        if kind == "N" and self._objective is None:
            self._objective = name

    def _pairs(self, fields: Sequence[str]) -> Iterator[tuple[str, Fraction]]:
        if len(fields) not in (2, 4):
            raise self._wrong(
                f"A line of {self._section} has a name, followed by one or two pairs of a row and a number.",
                "write, for example, `    x  capacity  2.5`; names with spaces need the columns of fixed MPS",
            )
        for row, text in zip(fields[::2], fields[1::2]):
            if row not in self._rows:
                raise self._wrong(
                    f"There is no row {row}.{near(row, [*self._rows])}", "declare it in ROWS, or correct the name"
                )
            value = number(text)
            if value is None:
                raise self._wrong(f"{text[:40]} is not a number.", "write a decimal such as -2.5 or 1e3")
            yield row, value

    def _column(self, fields: Sequence[str]) -> None:
        if len(fields) >= 3 and fields[1].strip("'") == "MARKER":
            mark = fields[-1].strip("'")
            if mark not in ("INTORG", "INTEND"):
                raise self._wrong(f"The marker {mark[:40]} is not supported.", "only INTORG and INTEND are")
            self._is_whole = mark == "INTORG"
            return
        name = fields[0] if fields else ""
        if name not in self._columns:
            self._columns[name] = self._model.column(name, is_whole=self._is_whole)
        for row, value in self._pairs(fields[1:]):
            terms = self._rows[row][2]
            if self._columns[name] in terms:
                raise self._wrong(
                    f"The row {row} has two coefficients of {name}.",
                    "write one coefficient: their sum, if both are meant",
                )
            terms[self._columns[name]] = value

    def _is_first_set(self, name: str) -> bool:
        first = self._sets.setdefault(self._section, name)
        if name != first:
            self._model.notes.append(
                f"{self._section} has several sets of numbers: the first one, {first}, is used, as other programs do."
            )
        return name == first

    def _side(self, fields: Sequence[str]) -> None:
        has_name = len(fields) % 2 == 1
        if not self._is_first_set(fields[0] if has_name else ""):
            return
        values = self._right if self._section == "RHS" else self._ranges
        for row, value in self._pairs(fields[has_name:]):
            if row in values:
                raise self._wrong(f"{self._section} has two numbers for the row {row}.", "remove one of them")
            values[row] = value

    def _bound(self, fields: Sequence[str]) -> None:
        kind = fields[0].upper() if fields else ""
        if kind not in (*WITH_VALUE, *WITHOUT):
            raise self._wrong(
                f"{kind[:40]} is not a bound type.", f"write one of: {', '.join((*WITH_VALUE, *WITHOUT))}"
            )
        rest = list(fields[1:])
        text = rest.pop() if kind in WITH_VALUE and len(rest) > 1 else None
        if kind in WITHOUT and len(rest) > 1 and (len(rest) > 2 or rest[1] not in self._columns):
            # This kind of bound takes no number, so a number here is meaningless.
            rest.pop()
        if len(rest) not in (1, 2) or (kind in WITH_VALUE and text is None):
            raise self._wrong(
                "A bound has the form `KIND SET VARIABLE NUMBER`; FR, MI, PL and BV need no number.",
                "write for instance ` UP BND  x  4`",
            )
        name = rest[-1]
        if name not in self._columns:
            raise self._wrong(
                f"There is no variable {name}.{near(name, [*self._columns])}",
                "declare it in COLUMNS, or correct the name",
            )
        if self._is_first_set(rest[0] if len(rest) == 2 else ""):
            self._set(kind, self._columns[name], text)

    def _set(self, kind: str, index: int, text: str | None) -> None:
        value: Bound = None
        if text is not None:
            bound = limit(text)
            if bound is None:
                raise self._wrong(f"{text[:40]} is not a number.", "write a decimal such as -2.5, or 1e30 for no bound")
            value, sign = bound
            if sign and (kind == "FX" or sign != (-1 if kind in ("LO", "LI") else 1)):
                raise self._wrong(f"The bound {kind} {text[:40]} leaves no value.", "correct the kind or the number")
        column = self._model.columns[index]
        if kind == "SC" and column.is_whole:
            raise self._wrong(
                f"{column.name} is an integer by its marker, but SC makes it real in some programs.",
                "write SI if it is an integer",
                "or put it outside the markers",
            )
        column.is_whole = column.is_whole or kind in ("BV", "LI", "UI", "SI")
        if kind in ("LO", "LI", "FX", "MI", "FR"):
            self._lower[index] = value
        if kind in ("UP", "UI", "FX", "PL", "FR", "SC", "SI"):
            self._upper[index], self._upper_at[index] = value, self._line
        if kind == "BV":
            self._lower[index], self._upper[index] = ZERO, ONE
        if kind in ("SC", "SI"):
            self._semi[index] = self._line

    def _whole(self) -> Linear:
        model = self._model
        self._settle_bounds()
        for index, line in self._semi.items():
            model.zero_or_within(index, line)
        for name, (kind, line, terms) in self._rows.items():
            if name == self._objective:
                model.objective, model.constant = terms, -self._right.get(name, ZERO)
            elif kind != "N":
                model.row(name, line, terms, *self._sides(name, kind))
        return model

    def _settle_bounds(self) -> None:
        unbounded = []
        for index, column in enumerate(self._model.columns):
            if column.is_whole and index not in self._lower and index not in self._upper:
                column.upper = ONE
                unbounded.append(column.name)
                continue
            column.lower, column.upper = self._lower.get(index, ZERO), self._upper.get(index)
            if index not in self._lower and column.upper is not None and column.upper < 0:
                raise only_upper(self._upper_at[index], column.name, column.upper, f" MI BND  {column.name}")
        if unbounded:
            self._model.notes.append(
                f"No bound is stated for {_some(unbounded)}: such an integer variable in an MPS file is 0 or 1. "
                "For larger values, write a bound such as ` PL BND NAME`."
            )

    def _sides(self, name: str, kind: str) -> tuple[Bound, Bound]:
        right, span = self._right.get(name, ZERO), self._ranges.get(name)
        if span is None:
            return {"L": (None, right), "G": (right, None)}.get(kind, (right, right))
        if kind == "E":
            return (right, right + span) if span > 0 else (right + span, right)
        return (right - abs(span), right) if kind == "L" else (right, right + abs(span))


def _some(names: Sequence[str]) -> str:
    return f"{', '.join(names[:5])}{f' and {len(names) - 5} more' if len(names) > 5 else ''}"
