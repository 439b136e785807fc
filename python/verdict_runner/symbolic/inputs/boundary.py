"""Generates boundary values for annotations.

Boundary values are values at which programs often fail, and values that occur in the code. The generated values are
always the same.
"""

from __future__ import annotations

import ast
import collections
import collections.abc
import contextlib
import datetime
import decimal
import enum
import fractions
import functools
import inspect
import itertools
import math
import random
import re
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from verdict_runner.symbolic.code import annotations
from verdict_runner.symbolic.code.annotations import Annotation
from verdict_runner.symbolic.code.annotations.concrete import Concrete
from verdict_runner.symbolic.code.mentions import named
from verdict_runner.symbolic.inputs import patterns
from verdict_runner.symbolic.inputs.chance import Chance
from verdict_runner.symbolic.inputs.functions import FUNCTIONS

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.subject import Subject

# Constants by type.
Constants: TypeAlias = "dict[type, list[Any]]"

MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

# The maximum numbers of values of one parameter, and of combinations of all parameters.
VALUES_MAX = 60
COMBINED_MAX = 4000
CONSTANTS_MAX = 12
RECORD_DEPTH_MAX = 3
# Marks an optional field that an instance does not have.
ABSENT = object()
# The number of boundary combinations tried before random ones, which are smaller than most of the rest and therefore
# quicker.
FIRST_ROWS = 50
RANDOM_ROWS = 500
# A pattern for strings that look like regular expressions, and the number of strings generated from each.
SPECIAL = re.compile(r"[\\*+?\[(|]")
TEXTS_OF_A_PATTERN = 12
# Nodes of expressions that Python computes when it compiles them.
FOLDED = (ast.BinOp, ast.UnaryOp, ast.Constant, ast.operator, ast.unaryop)

INTS = (
    *(0, 1, -1, 2, -2, 3, 10, 100, -100, 7, 255, 1000),
    *(2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**63, -(2**63), 999_999_999),
)
# There is no largest integer in Python; a call with a huge one may not terminate, so these come last.
GIANTS = (10**400, 10**400 + 1, -(10**400), 10**5000)
FLOATS = (
    *(0.0, 1.0, -1.0, 0.5, -0.0, math.nan, math.inf, -math.inf, 1e308, 0.1, 2.5, -0.5, 5e-324, 1e16, 100.0),
    # Numbers that rounding turns into powers of ten, and numbers with many digits.
    *(999.9996, 999_999.96, 999_999_999.0, 0.999_96, 1234.567, 1_234_567.891, 1e-7),
)
# A call with a larger number can take long or use up the memory.
LARGE = 10**6
STRINGS = (
    "",
    "a",
    "A",
    "0",
    " ",
    "ab",
    "ba",
    "aa",
    "aaa",
    "1 ",
    "-1",
    "ß",
    "İ",
    "\0",
    "²",
    "٣",
    "a b",
    "\n",
    "\U0001f600",
    "\ud800",
)
BYTES = (b"", b"a", b"\0", b"\xff", b"ab")
OTHERS: Mapping[Annotation, tuple[object, ...]] = {
    bool: (False, True),
    type(None): (None,),
    complex: (0j, 1j, complex(1, -1), complex(math.nan, 0)),
    bytes: BYTES,
    bytearray: tuple(bytearray(each) for each in BYTES),
    range: (range(0), range(3), range(3, 0, -1)),
    slice: tuple(
        slice(*each)
        for each in ((None,), (1, None), (None, 2), (-2, None), (None, None, 2), (None, None, -1), (5, 9), (2, 0))
    ),
    decimal.Decimal: tuple(decimal.Decimal(each) for each in ("0", "1", "-1", "0.1", "-0", "1E+30", "NaN", "Infinity")),
    fractions.Fraction: (
        fractions.Fraction(0),
        fractions.Fraction(1, 3),
        fractions.Fraction(-1, 2),
        fractions.Fraction(5),
    ),
    datetime.date: (datetime.date(2024, 2, 29), datetime.date(1970, 1, 1), datetime.date.min, datetime.date.max),
    datetime.datetime: (
        datetime.datetime(2024, 2, 29, 23, 59),
        datetime.datetime(1970, 1, 1),
        datetime.datetime.min,
        datetime.datetime.max,
    ),
    datetime.time: (datetime.time(0), datetime.time(23, 59, 59, 999999)),
    datetime.timedelta: (
        datetime.timedelta(0),
        datetime.timedelta(days=1),
        datetime.timedelta(seconds=-1),
        datetime.timedelta.max,
    ),
}
CALLABLE = (collections.abc.Callable, typing.Callable)


class Boundary:
    """Generates the values for the parameters of some of the code's functions."""

    def __init__(self, subject: Subject, nodes: Iterable[ast.AST], compares: bool) -> None:
        self._subject = subject
        # Whether two functions are compared. An exception of what is passed to one function is not its own.
        self._compares = compares
        self._constants = _constants(nodes)

    def inputs(self, signature: inspect.Signature) -> Iterator[dict[str, object]]:
        """Yields arguments by name, the most promising ones first; they can share values."""
        parameters = [*signature.parameters.values()]
        columns = [[*itertools.islice(self._given(each), VALUES_MAX)] for each in parameters]
        rows = iter(
            sorted(
                (
                    {each.name: column[place] for each, column, place in zip(parameters, columns, places)}
                    for places in _combined([len(each) for each in columns])
                ),
                key=lambda row: any(type(each) is int and abs(each) > LARGE for each in row.values()),
            )
        )
        yield from itertools.islice(rows, FIRST_ROWS)
        with contextlib.suppress(IndexError):
            yield from self._random_rows(parameters, columns)
        yield from rows
        for base, parameter in itertools.product(range(4), parameters):
            row = {each.name: column[min(base, len(column) - 1)] for each, column in zip(parameters, columns) if column}
            yield from ({**row, parameter.name: giant} for giant in self._giants(parameter))

    def _random_rows(
        self, parameters: Sequence[inspect.Parameter], columns: Sequence[Sequence[Any]]
    ) -> Iterator[dict[str, object]]:
        known = functools.cache(lambda annotation: [*itertools.islice(self.values(annotation), VALUES_MAX)])
        chance = Chance(self._constants[str], known)
        for _ in range(RANDOM_ROWS):
            yield {
                each.name: chance.choice(column) if each.kind in MANY else chance.of(each.annotation)
                for each, column in zip(parameters, columns)
            }

    def _given(self, parameter: inspect.Parameter) -> Iterator[object]:
        if parameter.kind is parameter.VAR_POSITIONAL:
            yield from (tuple(each) for each in self._lists(parameter.annotation, 0))
        elif parameter.kind is parameter.VAR_KEYWORD:
            yield {}
            yield from ({"key": each} for each in self.values(parameter.annotation))
        else:
            if parameter.default is not parameter.empty and parameter.annotation in (int, float, str, bool):
                yield parameter.default
            yield from self.values(parameter.annotation)

    def _giants(self, parameter: inspect.Parameter) -> Sequence[int]:
        if parameter.kind in MANY:
            return ()
        kinds = typing.get_args(parameter.annotation) or (parameter.annotation,)
        return (
            GIANTS
            if int in kinds and typing.get_origin(parameter.annotation) in (None, typing.Union, types.UnionType)
            else ()
        )

    def values(self, annotation: Annotation, depth: int = 0) -> Iterator[Any]:
        """Yields values of a concrete annotation."""
        origin, parts = typing.get_origin(annotation) or annotation, annotations.parts_of(annotation)
        if origin is typing.Literal:
            yield from parts
        elif origin in (typing.Union, types.UnionType):
            yield from _taking_turns([self.values(each, depth) for each in parts])
        elif origin in (int, float, str):
            yield from self._of_constants(origin)
        elif origin in OTHERS:
            yield from OTHERS[origin]
        elif origin in CALLABLE:
            yield from FUNCTIONS if self._compares else FUNCTIONS[:1]
        elif isinstance(origin, type) and issubclass(origin, enum.Enum):
            yield from origin
        elif annotations.is_record(origin):
            yield from self._records(origin, depth)
        elif origin is tuple:
            yield from self._tuples(parts, depth)
        elif origin is collections.abc.Iterator:
            yield from self._iterators(parts, depth)
        elif origin in (dict, collections.OrderedDict):
            yield from (origin(each) for each in self._dicts(parts, depth))
        else:
            yield from self._collections(origin, parts, depth)

    def _of_constants(self, kind: type) -> Iterator[object]:
        usual = {int: INTS, float: FLOATS, str: STRINGS}[kind]
        known = self._constants[kind]
        rest = [each for each in usual[4:] if each not in known or kind is float]
        known = [each for each in known if each not in usual[:4] or kind is float]
        # A few common values come first, then some of the code's constants, then more of both in turn.
        yield from (*usual[:4], *known[:CONSTANTS_MAX])
        yield from _taking_turns([rest, known[CONSTANTS_MAX:]])

    def _lists(self, annotation: Annotation, depth: int) -> Iterator[list[Any]]:
        if depth >= RECORD_DEPTH_MAX:
            yield []
            return
        elements = [*itertools.islice(self.values(annotation, depth + 1), 24)]
        yield []
        if not elements:
            return
        at = [elements[index % len(elements)] for index in range(24)]
        yield [at[0]]
        yield [at[1]]
        yield [at[1], at[0]]
        yield [at[1], at[1]]
        yield [at[0], at[1], at[2]]
        yield [at[2], at[1], at[2], at[0]]
        yield from ([each] for each in elements[2:])
        yield from ([at[index], at[index + 1]] for index in range(2, min(len(elements), 20)))
        yield [at[3], at[3], at[4], at[3], at[5]]
        yield [at[1], at[3], at[5], at[7]]

    def _collections(self, kind: Annotation, parts: tuple[Annotation, ...], depth: int) -> Iterator[object]:
        for each in self._lists(parts[0], depth):
            try:
                yield kind(each)
            except TypeError:  # A value that can't be hashed is in no set.
                continue

    def _iterators(self, parts: tuple[Annotation, ...], depth: int) -> Iterator[Iterator[Any]]:
        """Yields iterators; one that can yield integers also ends with an exception."""
        lists = [*itertools.islice(self._lists(parts[0], depth), 8)]
        yield from map(iter, lists)
        if parts[0] is int and self._compares:
            yield map(int, ["1", "2", "x"])

    def _tuples(self, parts: tuple[Annotation, ...], depth: int) -> Iterator[tuple[object, ...]]:
        if len(parts) == 2 and parts[1] is Ellipsis:
            yield from (tuple(each) for each in self._lists(parts[0], depth))
            return
        columns = [[*itertools.islice(self.values(each, depth + 1), 20)] for each in parts]
        for places in _combined([len(each) for each in columns], 100):
            yield tuple(column[place] for column, place in zip(columns, places))

    def _dicts(self, parts: tuple[Annotation, ...], depth: int) -> Iterator[dict[Any, object]]:
        yield {}
        if depth >= RECORD_DEPTH_MAX:
            return
        keys, entries = ([*itertools.islice(self.values(each, depth + 1), 12)] for each in parts)
        if not keys or not entries:
            return
        yield {keys[0]: entries[0]}
        yield {keys[-1]: entries[-1]}
        yield dict(zip(keys[:2], itertools.cycle(entries)))
        yield dict(zip(keys[:3], itertools.cycle(entries[::-1])))
        yield from ({key: entries[index % len(entries)]} for index, key in enumerate(keys[1:]))
        yield from ({keys[0]: each} for each in entries[1:])
        yield dict(zip(keys, itertools.cycle(entries)))

    def _records(self, kind: type, depth: int) -> Iterator[object]:
        if depth > RECORD_DEPTH_MAX:
            return
        optional = annotations.optional_fields(kind, self._subject.namespace)
        concrete = Concrete(self._subject.namespace)
        columns = {
            name: [*itertools.islice(self.values(concrete.of(each), depth + 1), 12)]
            for name, each in annotations.fields_of(kind, self._subject.namespace).items()
        }
        for name in optional:
            columns[name].insert(1, ABSENT)
        for places in _combined([*map(len, columns.values())], 200):
            chosen = {name: column[place] for (name, column), place in zip(columns.items(), places)}
            # A value that the type's own constructor rejects is not a value of the type.
            with contextlib.suppress(Exception):
                yield kind(**{name: value for name, value in chosen.items() if value is not ABSENT})


def _taking_turns(generators: Iterable[Iterable[object]]) -> Iterator[object]:
    """Yields the values of several generators in turn, one from each at a time."""
    missing = object()
    for row in itertools.zip_longest(*generators, fillvalue=missing):
        yield from (each for each in row if each is not missing)


def _combined(lengths: Sequence[int], most: int = COMBINED_MAX) -> Iterator[tuple[int, ...]]:
    """Yields combinations of indices for columns of these lengths.

    All combinations are returned, small ones first, or only some if there are many.
    """
    if not all(lengths):
        return
    if math.prod(lengths) <= most:
        yield from sorted(itertools.product(*map(range, lengths)), key=sum)
        return
    seen = set()
    for places in itertools.chain(_lines(lengths), _scattered(lengths)):
        if places not in seen:
            seen.add(places)
            yield places
        if len(seen) >= most:
            return


def _lines(lengths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yields equal indices first, then varies one index at a time.

    The varied parameter takes all of its values, and the others stay near their first value.
    """
    for step in range(max(lengths)):
        yield tuple(min(step, length - 1) for length in lengths)
    for base in range(3):
        for index, length in enumerate(lengths):
            for place in range(length):
                yield tuple(place if other == index else min(base, size - 1) for other, size in enumerate(lengths))


def _scattered(lengths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    chance = random.Random(0)
    for _ in range(2 * COMBINED_MAX):
        yield tuple(int(length * chance.random() ** 1.5) for length in lengths)


def _constants(nodes: Iterable[ast.AST]) -> Constants:
    """Returns the constants in definitions and their neighbours, by type.

    If a name begins or ends with a constant, the rest of the name is included. Strings that match a constant as a pattern are
    included, too.
    """
    constants = {int: {}, float: {}, str: {}}
    every = [each for node in nodes for each in ast.walk(node)]
    for each in every:
        _take(_computed(each), constants)
    names = {name for each in every for name in (*named(each), getattr(each, "attr", ""))}
    made = [text for word in constants[str] for text in _made_of(word, sorted(names))]
    constants[str] = dict.fromkeys(_taking_turns([made, constants[str]]))
    return {kind: [*each][: 3 * CONSTANTS_MAX] for kind, each in constants.items()}


def _computed(node: ast.AST) -> object:
    """Returns the value of a constant, or of a constant expression that Python folds since it is not large."""
    if isinstance(node, ast.BinOp) and all(isinstance(each, FOLDED) for each in ast.walk(node)):
        known = compile(ast.Expression(node), "", "eval").co_consts
        return known[0] if len(known) == 1 else None
    return node.value if isinstance(node, ast.Constant) else None


def _made_of(word: str, names: Sequence[str]) -> Iterator[str]:
    """Yields strings that complete a constant to a name in the code, and strings that it matches as a pattern."""
    yield from (name.removeprefix(word) for name in names if word and name.startswith(word) and name != word)
    yield from (name.removesuffix(word) for name in names if len(word) > 1 and name.endswith(word) and name != word)
    chance = random.Random(0)
    if SPECIAL.search(word):
        yield from filter(None, (patterns.matching(word, chance) for _ in range(TEXTS_OF_A_PATTERN)))


def _take(value: object, constants: dict[type, dict[Any, None]]) -> None:
    if type(value) is int:
        near = (value, value + 1, value - 1, -value)
        # Integer constants are also tried for float parameters.
        constants[float].update(dict.fromkeys(float(each) for each in near if abs(each) < 2**53))
        constants[int].update(dict.fromkeys(near))
    elif type(value) is float:
        constants[float].update(dict.fromkeys((value, math.nextafter(value, math.inf), -value)))
    elif type(value) is str and len(value) <= 40:
        constants[str].update(dict.fromkeys((value, value + "a", value[:1], value.upper())))
