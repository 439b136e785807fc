"""Values of every sort of Z3 as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import z3

from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json


def to_json(value: z3.ExprRef) -> Json:
    """A value of a model: number, truth value, string, list, or object; exact, whatever the sort."""
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
    """An array as an object: its cells by index, and `else` for all others."""
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
    """A constant of a datatype as its name, a record as an object of its constructor and fields."""
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
    """A sequence as a list; one of characters as a string, which Z3 may return letter by letter."""
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
    """A function as an object: its value by arguments, and `else` for all others."""
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
    """A string unchanged, unless another key could have the same text."""
    if isinstance(value, str):
        return (
            json.dumps(value, ensure_ascii=False)
            if value == "else" or value[:1] == '"' or (among_others and "," in value)
            else value
        )
    return json.dumps(value, ensure_ascii=False)
