"""Finds simpler inputs that show the same finding: numbers closer to zero, and shorter strings and collections.

Inputs are changed in the form in which `tagged` writes them. Equal values are also changed together, since a bug that
needs `a == b` depends on both.
"""

from __future__ import annotations

import copy
import functools
import json
import math
from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, Signature
from typing import Any, TypeAlias

from verdict_runner.symbolic.code import annotations
from verdict_runner.symbolic.code.annotations import Namespace
from verdict_runner.symbolic.code.annotations.keeping import Keeping
from verdict_runner.symbolic.contracts.same import Value, parts_of
from verdict_runner.symbolic.inputs import tagged

# An input as written by `tagged`, and the path to a part of an input.
Written: TypeAlias = Mapping[str, Any]
Path: TypeAlias = "tuple[str | int, ...]"

TRIES_MAX = 400
# Numbers from this value on are tried only as powers of ten.
EXACT_BELOW = 10**20


def smallest(written: Written, shows: Callable[[Written], bool]) -> Written:
    """Returns the simplest input found for which `shows` holds."""
    shrinking, before = _Shrinking(written, shows), None
    while before is not shrinking.best:
        before = shrinking.best
        shrinking.step()
    return shrinking.best


def fitting(signature: Signature, namespace: Namespace) -> Callable[[Mapping[str, object]], bool]:
    """Returns a function that decides whether arguments have their types, including all fields of records in them."""
    many = {
        Parameter.VAR_POSITIONAL: lambda kind: tuple[kind, ...],
        Parameter.VAR_KEYWORD: lambda kind: dict[str, kind],
    }
    wanted = {
        each.name: Keeping(many[each.kind](each.annotation) if each.kind in many else each.annotation, namespace)
        for each in signature.parameters.values()
    }

    @functools.cache
    def fields(kind: type) -> dict[str, Keeping]:
        return {name: Keeping(each, namespace) for name, each in annotations.fields_of(kind, namespace).items()}

    def fits(value: Value) -> bool:
        known = fields(type(value)) if annotations.is_record(type(value)) else {}
        kept = (each.keeps(getattr(value, name)) for name, each in known.items())
        return all(kept) and all(map(fits, parts_of(value)))

    def all_fit(arguments: Mapping[str, Value]) -> bool:
        named = (key for name in by_name for key in arguments.get(name, ()))
        typed = (wanted[name].keeps(value) and fits(value) for name, value in arguments.items())
        return all(typed) and all(map(str.isidentifier, named))

    by_name = [each.name for each in signature.parameters.values() if each.kind is each.VAR_KEYWORD]
    return all_fit


class _Shrinking:
    def __init__(self, written: Written, shows: Callable[[Written], bool]) -> None:
        self.best = written
        self._shows = shows
        self._tried = {json.dumps(written)}

    def step(self) -> None:
        """Tries to simplify each part once."""
        at = 0
        while at < len(wholes := [(path, node) for path, node in _parts(self.best) if _tag(node)]):
            path, node = wholes[at]
            if not self._try({path: None}) and (tag := _tag(node)) != "record":
                _cut(node[tag], lambda fewer, path=(*path, tag): self._try({path: fewer}))
            at += 1
        places: dict[str, list[Path]] = {}
        for path, node in _parts(self.best):
            if not _tag(node):
                places.setdefault(json.dumps(node), []).append(path)
        for equal in places.values():
            for paths in [equal, *([each] for each in equal if len(equal) > 1)]:
                _simplify(_at(self.best, paths[0]), lambda new, paths=paths: self._try(dict.fromkeys(paths, new)))
        self._shift({path: int(node["int"], 16) for path, node in _parts(self.best) if _is(node, "int")})

    def _shift(self, numbers: Mapping[Path, int]) -> None:
        """Tries to lower all numbers by the same amount, which a bug that needs `a == b + 1` requires."""
        if len({*numbers.values()}) > 1:
            least = min(numbers.values(), key=abs)
            _lower(
                least, lambda to: self._try({path: {"int": hex(each + to - least)} for path, each in numbers.items()})
            )

    def _try(self, changes: Mapping[Path, object]) -> bool:
        """Replaces the values at these places; returns whether the input still shows the same finding."""
        changed = copy.deepcopy(self.best)
        for path, new in changes.items():
            _at(changed, path[:-1])[path[-1]] = new
        if changed == self.best:
            return True
        key = json.dumps(changed)
        if key in self._tried or len(self._tried) > TRIES_MAX:
            return False
        self._tried.add(key)
        if not self._shows(changed):
            return False
        self.best = changed
        return True


def _at(part: Value, path: Path) -> Value:
    for each in path:
        part = part[each]
    return part


def _is(node: object, tag: str) -> bool:
    return isinstance(node, dict) and tag in node


def _tag(node: object) -> str:
    """Returns the kind of a value with parts; empty for other values."""
    tag = next(iter(node)) if isinstance(node, dict) else ""
    return tag if tag == "record" or tag in tagged.SEQUENCES or tag in tagged.MAPPINGS else ""


def _parts(written: Written) -> Iterator[tuple[Path, Value]]:
    """Yields all values in an input with their places."""
    waiting = [((name,), node) for name, node in written.items()]
    while waiting:
        path, node = waiting.pop(0)
        yield path, node
        tag = _tag(node)
        inner: Value = node[tag] if tag else ()
        if tag == "record":
            waiting += [((*path, tag, 1, name), each) for name, each in inner[1].items()]
        elif tag in tagged.SEQUENCES:
            waiting += [((*path, tag, at), each) for at, each in enumerate(inner)]
        else:
            waiting += [
                ((*path, tag, at, side), each) for at, pair in enumerate(inner) for side, each in enumerate(pair)
            ]


# ---- Simpler values of one type; `put` returns whether a value shows the same finding.


def _simplify(node: Value, put: Callable[[object], bool]) -> None:
    if isinstance(node, str):
        _shorten(node, put)
    elif _is(node, "int"):
        _lower(int(node["int"], 16), lambda value: put({"int": hex(value)}))
    elif _is(node, "float"):
        _round(float.fromhex(node["float"]), lambda value: put({"float": value.hex()}))


def _cut(whole: Value, put: Callable[[Value], bool]) -> Value:
    """Removes the parts of a string or list that are not needed, large ones first."""
    size = len(whole)
    while size:
        start = 0
        while start < len(whole):
            fewer = whole[:start] + whole[start + size :]
            if put(fewer):
                whole = fewer
            else:
                start += size
        size //= 2
    return whole


def _shorten(text: str, put: Callable[[str], bool]) -> None:
    text = _cut(text, put)
    for each in dict.fromkeys(text):
        if put(plain := text.replace(each, "a")):
            text = plain
    for at in range(len(text)):
        if put(plain := f"{text[:at]}a{text[at + 1 :]}"):
            text = plain


def _lower(value: int, put: Callable[[int], bool]) -> None:
    """Tries numbers closer to zero: powers of ten, then the numbers in between."""
    if value == 0 or put(0):
        return
    sign = 1 if value > 0 or put(-value) else -1
    size = abs(value)
    digits = len(str(size)) - 1
    below = 10**digits
    if below == size or put(sign * below):
        size = 10 ** _least(-1, digits, lambda power: put(sign * 10**power))
        below = size // 10
    if size < EXACT_BELOW:
        _least(below, size, lambda between: put(sign * between))


def _least(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Returns the least number above `low` for which `holds` is true, as far as bisection finds it; `high` holds."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _round(value: float, put: Callable[[float], bool]) -> None:
    """Tries integers, then fewer digits."""
    if math.isfinite(value):
        simpler = [*map(float, (math.trunc(value), math.floor(value), math.ceil(value)))]
        simpler += [round(value, digits) for digits in (1, 2, 3)]
    else:
        simpler = [math.copysign(1e308, value)]
    if not value.is_integer():
        value = next((each for each in (0.0, 1.0, *simpler) if put(each)), value)
    if value.is_integer():
        put(0.0)
        _lower(int(value), lambda whole: put(float(whole)))
