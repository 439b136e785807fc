"""Replaces `pandas` and numpy's readers with tables of the data passed to the program.

The replacement is a small part of pandas' interface, implemented with plain lists. Anything else is rejected, and
nothing behaves differently from pandas, except that a missing value is None.
"""

from __future__ import annotations

import collections
import csv
import io
import operator
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import handed

# A cell, a label, or a value computed from them.
Cell: TypeAlias = Any

INSTEAD = (
    "data['staff'] has the rows of the data file staff.csv as dicts; csv.DictReader(open('staff.csv')) reads its text"
)
# The running program's data.
_data: Mapping[str, object] = {}


def use(data: Mapping[str, object] | None) -> None:
    """Sets the running program's data."""
    global _data
    _data = data or {}


def missing(what: str) -> NoReturn:
    raise Refused(
        f"{what} is not available: only a small part of pandas is.", [INSTEAD, "write it as a loop over the rows"]
    )


def is_missing(value: Cell) -> bool:
    return value is None or (isinstance(value, float) and value != value)


class _Labels(list[Cell]):
    """The row labels, shared by a table and its columns, with constant-time lookup."""

    _found: dict[Cell, list[int]] | None = None

    def places(self, label: Cell) -> list[int]:
        if self._found is None:
            self._found = {}
            for at, each in enumerate(self):
                self._found.setdefault(each, []).append(at)
        return self._found.get(label, [])

    @classmethod
    def of(cls, labels: Iterable[Cell]) -> _Labels:
        return labels if isinstance(labels, _Labels) else cls(labels)


def _array(cells: Sequence[Cell], kind: Cell) -> Cell:
    return sys.modules["numpy"].array(cells, dtype=kind)


class _Cells(list[Cell]):
    """An array in pandas. Rejects operators: in pandas, they work element by element, unlike those of lists."""

    __hash__ = None

    def tolist(self) -> list[Cell]:
        return list(self)

    def _refused(self, other: object) -> Cell:
        # numpy arrays implement these operators element by element.
        return (
            NotImplemented
            if hasattr(other, "__array__")
            else missing("An operator on values, which are an array in pandas,")
        )

    __add__ = __radd__ = __mul__ = __rmul__ = __iadd__ = __imul__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused


class Series:
    """A column or a row: cells with labels."""

    __slots__ = ("_cells", "_labels", "name")

    def __init__(self, data: Cell = (), index: Iterable[Cell] | None = None, name: Cell = None) -> None:
        pairs = data.items() if isinstance(data, (dict, Series)) else None
        labels = data.keys() if pairs is not None else None
        self._cells = [cell for _, cell in pairs] if pairs is not None else data if type(data) is list else list(data)
        self._labels = _Labels.of(next(each for each in (index, labels, range(len(self._cells))) if each is not None))
        if len(self._labels) != len(self._cells):
            raise ValueError(f"{len(self._cells)} values and {len(self._labels)} labels")
        self.name = name

    def _like(self, cells: Iterable[Cell]) -> Series:
        return Series(cells, self._labels, self.name)

    def _with(self, other: Cell, combine: Callable[[Cell, Cell], Cell]) -> Series:
        if isinstance(other, Series) and other._labels != self._labels:
            missing("An operation on columns with different labels")
        others = list(other) if isinstance(other, (Series, list, tuple)) else [other] * len(self)
        if len(others) != len(self):
            raise ValueError("Lengths must match")
        return self._like([combine(a, b) for a, b in zip(self._cells, others, strict=True)])

    def _numbers(self) -> list[Cell]:
        return [cell for cell in self._cells if not is_missing(cell)]

    def __array__(self, dtype: Cell = None, copy: Cell = None) -> Cell:
        return _array(self._cells, dtype)

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells)

    def __bool__(self) -> NoReturn:
        raise ValueError("The truth value of a Series is ambiguous: use any(…) or all(…)")

    def __contains__(self, _: object) -> NoReturn:
        raise TypeError("`in` searches the labels of a Series: write `x in s.tolist()`")

    def __getitem__(self, key: Cell) -> Cell:
        if isinstance(key, Series):
            return _chosen(self, key)
        if isinstance(key, slice):
            return Series(self._cells[key], self._labels[key], self.name)
        at = self._labels.places(key)
        if not at:
            raise KeyError(key)
        return self._cells[at[0]] if len(at) == 1 else Series([self._cells[each] for each in at], name=self.name)

    def __getattr__(self, name: str) -> Cell:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._labels.places(name):
            return self[name]
        return missing(f"Series.{name}")

    values = property(lambda self: _Cells(self._cells))
    index = property(lambda self: _Cells(self._labels))
    iloc = property(lambda self: tuple(self._cells))
    loc = property(lambda self: self)
    size = property(len)
    shape = property(lambda self: (len(self),))

    def tolist(self) -> list[Cell]:
        return list(self._cells)

    to_list = tolist

    def to_numpy(self) -> list[Cell]:
        return _Cells(self._cells)

    def items(self) -> Iterator[tuple[Cell, Cell]]:
        return iter(list(zip(self._labels, self._cells, strict=True)))

    def keys(self) -> list[Cell]:
        return list(self._labels)

    def to_dict(self) -> dict[Cell, Cell]:
        return dict(self.items())

    def get(self, label: Cell, default: Cell = None) -> Cell:
        return self[label] if self._labels.places(label) else default

    def unique(self) -> list[Cell]:
        return _Cells(dict.fromkeys(self._cells))

    def nunique(self) -> int:
        return len(set(self._numbers()))

    def sum(self) -> Cell:
        return sum(self._numbers())

    def min(self) -> Cell:
        return min(self._numbers())

    def max(self) -> Cell:
        return max(self._numbers())

    def mean(self) -> Cell:
        return self.sum() / len(self._numbers())

    def count(self) -> int:
        return len(self._numbers())

    def any(self) -> bool:
        return any(self._cells)

    def all(self) -> bool:
        return all(self._cells)

    def apply(self, change: Callable[[Cell], Cell]) -> Series:
        return self._like(map(change, self._cells))

    def map(self, change: Callable[[Cell], Cell] | Mapping[Cell, Cell]) -> Series:
        return self.apply(change.get if isinstance(change, Mapping) else change)

    def astype(self, kind: Cell) -> Series:
        kinds = {"int": int, "int64": int, "float": float, "float64": float, "str": str, "bool": bool}
        convert = kinds.get(kind, kind) if isinstance(kind, str) else kind
        return self.apply(convert if callable(convert) else missing(f"astype({kind!r})"))

    def isin(self, values: Iterable[Cell]) -> Series:
        known = list(values)
        return self.apply(lambda cell: cell in known)

    def isna(self) -> Series:
        return self.apply(is_missing)

    def notna(self) -> Series:
        return self.apply(lambda cell: not is_missing(cell))

    def fillna(self, value: Cell) -> Series:
        return self.apply(lambda cell: value if is_missing(cell) else cell)

    def dropna(self) -> Series:
        return _chosen(self, self.notna())


def _opposite(cell: Cell) -> Cell:
    return not cell if isinstance(cell, bool) else missing("`~` of anything other than true and false")


def _operators() -> None:
    for name in "add sub mul truediv floordiv mod pow eq ne lt le gt ge and_ or_".split():
        combine = getattr(operator, name)
        plain = name.rstrip("_")
        setattr(Series, f"__{plain}__", lambda self, other, combine=combine: self._with(other, combine))
        if plain not in ("eq", "ne", "lt", "le", "gt", "ge"):
            reverse = lambda self, other, combine=combine: self._with(other, lambda a, b: combine(b, a))  # noqa: E731
            setattr(Series, f"__r{plain}__", reverse)
    Series.__invert__ = lambda self: self.apply(_opposite)  # type: ignore[attr-defined]
    Series.__neg__ = lambda self: self.apply(operator.neg)  # type: ignore[attr-defined]
    Series.__hash__ = None  # type: ignore[assignment]


_operators()


def _chosen(column: Series, mask: Series) -> Series:
    kept = [at for at, is_kept in enumerate(mask) if is_kept is True]
    if mask._labels != column._labels:
        missing("A selection of rows by a column with other labels")
    if len(mask) != len(column) or any(not isinstance(each, bool) for each in mask):
        missing("A selection by anything other than true and false for each row")
    return Series([column._cells[at] for at in kept], [column._labels[at] for at in kept], column.name)


class DataFrame:
    """A table, stored by columns."""

    __slots__ = ("_columns", "_labels")

    def __init__(
        self, data: Cell = (), columns: Sequence[Cell] | None = None, index: Iterable[Cell] | None = None
    ) -> None:
        if isinstance(data, (DataFrame, Series)) or (
            isinstance(data, Mapping) and any(isinstance(each, Series) for each in data.values())
        ):
            missing("A table of columns that have labels")
        if isinstance(data, Mapping):
            table = {name: list(cells) for name, cells in data.items()}
        else:
            data = list(data)
            if not all(isinstance(row, (Mapping, list, tuple)) for row in data):
                missing("A table of rows that are not lists, tuples or dicts")
            rows = [dict(row) if isinstance(row, Mapping) else list(row) for row in data]
            names = columns or list(dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row))
            names = names or list(range(len(rows[0]) if rows else 0))
            table = {
                name: [row.get(name) if isinstance(row, dict) else row[at] for row in rows]
                for at, name in enumerate(names)
            }
        self._columns: dict[Cell, list[Cell]] = {name: table[name] for name in columns} if columns else table
        count = max(map(len, self._columns.values()), default=0)
        if any(len(cells) != count for cells in self._columns.values()):
            raise ValueError("All arrays must be of the same length")
        self._labels = _Labels.of(range(count) if index is None else index)

    columns = property(lambda self: _Cells(self._columns))
    index = property(lambda self: _Cells(self._labels))
    values = property(lambda self: _Cells(_Cells(row) for row in self._rows()))
    shape = property(lambda self: (len(self._labels), len(self._columns)))
    empty = property(lambda self: not self._labels or not self._columns)
    loc = at = property(lambda self: _Places(self, by_label=True))
    iloc = iat = property(lambda self: _Places(self, by_label=False))

    def _rows(self) -> Iterator[tuple[Cell, ...]]:
        return zip(*self._columns.values(), strict=True) if self._columns else iter(())

    def _at(self, places: Sequence[int]) -> DataFrame:
        cells = {name: [column[at] for at in places] for name, column in self._columns.items()}
        return DataFrame(cells, index=[self._labels[at] for at in places])

    def __array__(self, dtype: Cell = None, copy: Cell = None) -> Cell:
        return _array(self.values, dtype)

    def __len__(self) -> int:
        return len(self._labels)

    def __iter__(self) -> Iterator[Cell]:
        return iter(list(self._columns))

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __bool__(self) -> NoReturn:
        raise ValueError("The truth value of a DataFrame is ambiguous: use df.empty")

    def __getitem__(self, key: Cell) -> Cell:
        if isinstance(key, Series):
            return self._at(_chosen(Series(range(len(self)), self._labels), key)._cells)
        if isinstance(key, list):
            return DataFrame({name: self._columns[name] for name in key}, index=self._labels)
        if isinstance(key, slice):
            return self._at(range(len(self))[key])
        return Series(self._columns[key], self._labels, key)

    def __setitem__(self, name: Cell, cells: Cell) -> None:
        several = isinstance(cells, (Series, list, tuple))
        if isinstance(cells, Series) and cells._labels != self._labels:
            missing("A column whose labels differ from those of its table")
        column = list(cells) if several else [cells] * len(self)
        if len(column) != len(self):
            raise ValueError("Length of values does not match length of index")
        self._columns[name] = column

    def __getattr__(self, name: str) -> Cell:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._columns:
            return self[name]
        return missing(f"DataFrame.{name}")

    def iterrows(self) -> Iterator[tuple[Cell, Series]]:
        rows = zip(self._labels, self._rows(), strict=True)
        return iter([(label, Series(row, self._columns, label)) for label, row in rows])

    def itertuples(self, index: bool = True, name: Cell = "Pandas") -> Iterator[tuple[Cell, ...]]:
        rows = [(label, *row) if index else row for label, row in zip(self._labels, self._rows(), strict=True)]
        if name is None:
            return iter(rows)
        kind = collections.namedtuple("Pandas", [*(["Index"] if index else []), *map(str, self._columns)], rename=True)
        return iter([kind(*row) for row in rows])

    def to_dict(self, orient: str = "dict") -> Cell:
        if orient == "records":
            return [dict(zip(self._columns, row, strict=True)) for row in self._rows()]
        if orient == "list":
            return {name: list(cells) for name, cells in self._columns.items()}
        if orient == "dict":
            return {name: dict(zip(self._labels, cells, strict=True)) for name, cells in self._columns.items()}
        if orient == "index":
            return {label: row.to_dict() for label, row in self.iterrows()}
        return missing(f"to_dict({orient!r})")

    def to_numpy(self) -> list[list[Cell]]:
        return self.values

    def items(self) -> Iterator[tuple[Cell, Series]]:
        return iter([(name, self[name]) for name in self._columns])

    def head(self, n: int = 5) -> DataFrame:
        return self[:n]

    def copy(self) -> DataFrame:
        return self[:]

    def set_index(self, name: Cell) -> DataFrame:
        rest = {each: cells for each, cells in self._columns.items() if each != name}
        return DataFrame(rest, index=self._columns[name])

    def sort_values(self, by: Cell, ascending: bool = True) -> DataFrame:
        names = by if isinstance(by, list) else [by]
        keys = list(zip(*(self._columns[name] for name in names), strict=True))
        return self._at(sorted(range(len(self)), key=keys.__getitem__, reverse=not ascending))

    def fillna(self, value: Cell) -> DataFrame:
        return DataFrame({name: self[name].fillna(value) for name in self._columns}, index=self._labels)

    def dropna(self) -> DataFrame:
        return self._at([at for at, row in enumerate(self._rows()) if not any(map(is_missing, row))])


class _Places:
    """Implements `loc` and `iloc`: cells and rows by labels or by numbers."""

    __slots__ = ("_by_label", "_table")

    def __init__(self, table: DataFrame, by_label: bool) -> None:
        self._table, self._by_label = table, by_label

    def __getitem__(self, key: Cell) -> Cell:
        rows, column = key if isinstance(key, tuple) else (key, None)
        table = self._table
        if isinstance(rows, Series) or (isinstance(rows, slice) and (rows == slice(None) or not self._by_label)):
            part = table[rows]
        elif isinstance(rows, slice):
            missing("A range of labels")
        else:
            return self._in_row(rows, column)
        if column is None or column == slice(None):
            return part
        return part[column if self._by_label else part.columns[column]]

    def _in_row(self, row: Cell, column: Cell) -> Cell:
        table = self._table
        places = table._labels.places(row) if self._by_label else [row]
        if len(places) != 1:
            raise KeyError(row) if not places else missing("A label of several rows")
        at = places[0]
        if column is None:
            return Series([each[at] for each in table._columns.values()], table._columns, table._labels[at])
        return table._columns[column if self._by_label else table.columns[column]][at]


def read_csv(file: object, *_: object, index_col: Cell = None, usecols: Cell = None, **options: object) -> DataFrame:
    """Reads the table in a file passed as data, or in a text in memory."""
    harmless = {"sep", "delimiter", "encoding", "engine", "header", "sheet_name", "skipinitialspace"}
    changed = sorted({*options} - harmless)
    if options.get("header", "infer") not in ("infer", 0):
        changed.append("header")
    if options.get("sheet_name", 0) not in (0, None):
        changed.append("sheet_name")
    if changed or _:
        shown = ", ".join(changed) or "a second argument"
        raise Refused(
            f"Reading a table with {shown} is not available: the table was read when the file was passed in.",
            [INSTEAD, "pass a sheet or a range by name: data_files: [{path, name, sheet, range}]"],
        )
    table = DataFrame(_rows_in(file, options))
    if usecols is not None:
        table = table[list(usecols)]
    if index_col is None or index_col is False:
        return table
    return table.set_index(table.columns[index_col] if isinstance(index_col, int) else index_col)


def _rows_in(file: object, options: Mapping[str, object]) -> list[dict[str, Cell]]:
    if type(file) is io.StringIO:
        separator = options.get("sep", options.get("delimiter")) or ","
        rows = list(csv.DictReader(io.StringIO(file.read()), delimiter=str(separator)))
        kinds = {name: _kind([row[name] for row in rows]) for name in (rows[0] if rows else ())}
        return [{name: None if cell in ("", None) else kinds[name](cell) for name, cell in row.items()} for row in rows]
    path = str.__str__(str(file))
    rows = _data.get(handed.name_of(path))
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        steps = [
            f'pass it in the call: data_files: ["{path}"]',
            *(f"or use the data of this call: data['{each}']" for each in [*_data][:1]),
        ]
        raise Refused(f"There is no table {path!r} for this program.", steps)
    return rows


def _kind(cells: Sequence[str | None]) -> Callable[[str], Cell]:
    filled = [cell for cell in cells if cell]
    for pattern, kind in ((r"[-+]?\d+", int), (r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", float)):
        if filled and all(re.fullmatch(pattern, cell.strip()) for cell in filled):
            return kind
    return _truth if filled and all(cell in TRUTHS for cell in filled) else str


TRUTHS = ("True", "TRUE", "true", "False", "FALSE", "false")


def _truth(cell: str) -> bool:
    return cell in TRUTHS[:3]


def numbers_in(file: object, skipped: int) -> list[list[Cell]]:
    """Returns a table's rows without a header, for numpy. The first `skipped` lines are omitted."""
    rows = _rows_in(file, {})
    has_header = not rows or any(not re.fullmatch(r"column_\d+", name) for name in rows[0])
    return [list(row.values()) for row in rows[max(0, skipped - has_header) :]]


MODULE = {
    "DataFrame": DataFrame,
    "Series": Series,
    "read_csv": read_csv,
    "read_excel": read_csv,
    **dict.fromkeys(("isna", "isnull"), is_missing),
    **dict.fromkeys(("notna", "notnull"), lambda value: not is_missing(value)),
    "__getattr__": lambda name: missing(f"pandas.{name}"),
}
