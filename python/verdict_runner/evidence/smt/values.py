"""Converts values of every Z3 sort to JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import z3

from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

# The maximum number of characters in a plan's number, and of digits in its exponent.
NUMBER_CHARS_MAX = 5_000
EXPONENT = re.compile(r"[eE][+-]?\d{4}")
QUOTE_CHARS_MAX = 100


def to_json(value: z3.ExprRef) -> Json:
    """Converts a model value to a number, truth value, string, list or object; exact for every sort."""
    if z3.is_true(value) or z3.is_false(value):
        return z3.is_true(value)
    for holds, convert in CONVERSIONS:
        if holds(value):
            return convert(value)
    if z3.is_array(value):
        return _array(value)
    if isinstance(value, z3.DatatypeRef):
        return _datatype(value)
    if isinstance(value, z3.SeqRef):
        return _sequence(value)
    return value.sexpr()


def _float(value: z3.FPNumRef) -> Json:
    if value.isNaN():
        return "NaN"
    if value.isInf():
        return "-oo" if value.isNegative() else "+oo"
    if value.isZero():
        return "-0.0" if value.isNegative() else 0
    exact = z3.simplify(z3.fpToReal(value))
    if not z3.is_rational_value(exact):
        return value.sexpr()
    fraction = exact.as_fraction()
    number = float(fraction)
    return number if fraction == number else values.rational(fraction)


def _algebraic(value: z3.AlgebraicNumRef) -> str:
    return value.as_decimal(20)


def _string(value: z3.SeqRef) -> str:
    text = value.as_string()
    out, at = [], 0
    while at < len(text):
        if text.startswith("\\u{", at):
            end = text.index("}", at)
            out.append(chr(int(text[at + 3 : end], 16)))
            at = end + 1
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


CONVERSIONS: tuple[tuple[Callable[[object], bool], Callable[[Any], Json]], ...] = (
    (z3.is_int_value, lambda value: values.number(value.as_long())),
    (z3.is_rational_value, lambda value: values.rational(value.as_fraction())),
    (z3.is_algebraic_value, _algebraic),
    (z3.is_bv_value, lambda value: values.number(value.as_long())),
    (z3.is_string_value, _string),
    (z3.is_fprm_value, str),
    (lambda value: z3.is_app_of(value, z3.Z3_OP_CHAR_CONST), lambda value: chr(value.params()[0])),
    (z3.is_fp_value, _float),
    (z3.is_finite_domain_value, lambda value: values.number(value.as_long())),
)


def _array(value: z3.ArrayRef) -> Json:
    """Converts an array to an object: its cells by index, and `else` for all other cells."""
    cells, below = [], value
    while z3.is_store(below):
        *index, content = [below.arg(i) for i in range(1, below.num_args())]
        cells.append((_key(index), to_json(content)))
        below = below.arg(0)
    if z3.is_const_array(below):
        return {**dict(reversed(cells)), "else": to_json(below.arg(0))}
    if z3.is_as_array(below) or not cells:
        return below.sexpr()
    return {**dict(reversed(cells)), "else": below.sexpr()}


def _datatype(value: z3.DatatypeRef) -> Json:
    """Converts a datatype constant to its name, and a record to an object with its constructor and fields."""
    sort, declaration = value.sort(), value.decl()
    for i in range(sort.num_constructors()):
        constructor = sort.constructor(i)
        if constructor.eq(declaration):
            if constructor.arity() == 0:
                return constructor.name()
            fields = {sort.accessor(i, k).name(): to_json(value.arg(k)) for k in range(constructor.arity())}
            return {"constructor": constructor.name(), **fields}
    return value.sexpr()


def _sequence(value: z3.SeqRef) -> Json:
    """Converts a sequence to a list, or to a string if it consists of characters; Z3 may return these one by one."""
    parts = _parts(value)
    if parts is None:
        return value.sexpr()
    return "".join(map(str, parts)) if value.is_string() else parts


def _parts(value: z3.ExprRef) -> list[Json] | None:
    kind = value.decl().kind()
    if z3.is_string_value(value):
        return list(_string(value))
    if kind == z3.Z3_OP_SEQ_EMPTY:
        return []
    if kind == z3.Z3_OP_SEQ_UNIT:
        return [to_json(value.arg(0))]
    if kind == z3.Z3_OP_SEQ_CONCAT:
        parts = [part for i in range(value.num_args()) if (part := _parts(value.arg(i))) is not None]
        return [each for part in parts for each in part] if len(parts) == value.num_args() else None
    return None


def function(interpretation: z3.FuncInterp) -> Json:
    """Converts a function to an object: its values by arguments, and `else` for all other arguments."""
    cells = {}
    for i in range(interpretation.num_entries()):
        entry = interpretation.entry(i)
        cells[_key([entry.arg_value(k) for k in range(entry.num_args())])] = to_json(entry.value())
    rest = interpretation.else_value()
    return cells if rest is None else {**cells, "else": to_json(rest)}


def _key(arguments: Sequence[z3.ExprRef]) -> str:
    shown = [to_json(each) for each in arguments]
    return ",".join(_text(each, len(shown) > 1) for each in shown)


def _text(value: Json, among_others: bool) -> str:
    """Leaves a string unchanged unless another key could have the same text."""
    if isinstance(value, str):
        return (
            json.dumps(value, ensure_ascii=False)
            if value == "else" or value[:1] == '"' or (among_others and "," in value)
            else value
        )
    return json.dumps(value, ensure_ascii=False)


def shown_as(term: z3.ExprRef, value: object, path: str) -> z3.BoolRef:
    """The constraint that a term has the value that `to_json` shows like this; raises `Refused` if that is impossible.

    A string that ends with "?" contains the first digits of an irrational number.
    """
    text = str(value)
    if isinstance(term, z3.ArithRef) and term.is_real() and isinstance(value, str) and text.endswith("?"):
        digits = _rational(text[:-1], path)
        last = Fraction(1, 10 ** len(text[:-1].partition(".")[2]))
        low, high = (digits, digits + last) if digits > 0 or not text.startswith("-") else (digits - last, digits)
        return z3.And(term >= z3.Q(low.numerator, low.denominator), term <= z3.Q(high.numerator, high.denominator))
    meant = _of_json(term.sort(), value, path)
    return z3.BoolRef(z3.Z3_mk_eq(term.ctx_ref(), term.as_ast(), meant.as_ast()), term.ctx)


def _of_json(sort: z3.SortRef, value: object, path: str) -> z3.ExprRef:
    """Converts a JSON value to a constant of this sort."""
    if isinstance(sort, z3.BoolSortRef) and (isinstance(value, bool) or value in (0, 1)):
        return z3.BoolVal(bool(value))
    if isinstance(sort, z3.SeqSortRef) and isinstance(value, str):
        return z3.StringVal("".join(each if each != "\\" else "\\u{5c}" for each in value))
    if isinstance(sort, z3.DatatypeSortRef):
        return _of_datatype(sort, value, path)
    if isinstance(sort, z3.FPSortRef):
        return _of_float(sort, value, path)
    number = _rational(value, path)
    if isinstance(sort, z3.ArithSortRef) and sort.is_real():
        return z3.Q(number.numerator, number.denominator)
    if isinstance(sort, z3.ArithSortRef) and number.denominator == 1:
        return z3.IntVal(int(number))
    if isinstance(sort, z3.BitVecSortRef) and number.denominator == 1:
        if -(2 ** (sort.size() - 1)) <= number < 2 ** sort.size():
            return z3.BitVecVal(int(number), sort)
    raise _unfit(path, value, str(sort))


def _rational(value: object, path: str) -> Fraction:
    try:
        if (
            isinstance(value, (int, float, str))
            and len(str(value)) <= NUMBER_CHARS_MAX
            and not EXPONENT.search(str(value))
        ):
            return Fraction(str(int(value) if isinstance(value, bool) else value))
    except (ValueError, ZeroDivisionError):
        pass
    raise _unfit(path, value, "number")


def _of_float(sort: z3.FPSortRef, value: object, path: str) -> z3.ExprRef:
    special = {"NaN": z3.fpNaN, "+oo": z3.fpPlusInfinity, "-oo": z3.fpMinusInfinity, "-0.0": z3.fpMinusZero}
    if isinstance(value, str) and value in special:
        return special[value](sort)
    number = _rational(value, path)
    exact = z3.simplify(z3.fpToFP(z3.RNE(), z3.Q(number.numerator, number.denominator), sort))
    return z3.fpPlusZero(sort) if number == 0 else exact


def _of_datatype(sort: z3.DatatypeSortRef, value: object, path: str) -> z3.ExprRef:
    fields = value if isinstance(value, dict) else {"constructor": value}
    for i in range(sort.num_constructors()):
        constructor = sort.constructor(i)
        names = [sort.accessor(i, k).name() for k in range(constructor.arity())]
        if constructor.name() == fields.get("constructor") and set(fields) == {"constructor", *names}:
            parts = [_of_json(constructor.domain(k), fields[name], f"{path}.{name}") for k, name in enumerate(names)]
            return constructor(*parts)
    raise _unfit(path, value, str(sort))


def _unfit(path: str, value: object, kind: str) -> Refused:
    shown = json.dumps(value, ensure_ascii=False)[:QUOTE_CHARS_MAX]
    return Refused(
        f"{path} can't have the value {shown}: its kind is {kind}.",
        [
            "write the value as this model's answers show it",
            "leave it out, or write null, if the solver should choose it",
        ],
        "invalid_argument",
    )
