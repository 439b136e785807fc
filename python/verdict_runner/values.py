"""Values as JSON that loses nothing: what JSON's numbers can't hold is text."""

import sys
from fractions import Fraction

SAFE_INTEGER = 2**53

# Python's own bound on the digits of an integer is no business of exact answers; time and memory bound them.
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


def number(value):
    """An integer as a number, or as text beyond 2^53, where a JavaScript reader would round it."""
    return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)


def rational(value):
    """A fraction as a number when it is whole, else exactly, as "p/q"."""
    value = Fraction(value)
    return number(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def real(value):
    """A float of Python; the values that JSON lacks are text, as is the negative zero."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "+oo" if value > 0 else "-oo"
    return "-0.0" if value == 0 and str(value).startswith("-") else value


def plain(value, other, depth=0):
    """A value of Python with whatever is in it; `other` turns what is not plain Python's into JSON."""
    if depth > 50:
        return "…"
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return number(int(value))
    if isinstance(value, float):
        return real(value)
    if isinstance(value, Fraction):
        return rational(value)
    if isinstance(value, dict):
        return _object(value, other, depth)
    if isinstance(value, (list, tuple, range)):
        return [plain(each, other, depth + 1) for each in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(each, other, depth + 1) for each in value), key=lambda each: (str(type(each)), str(each)))
    return other(value)


def _object(value, other, depth):
    """A dictionary as an object; of two keys that read the same, like 1 and "1", the second is quoted."""
    shown = {}
    for key, each in value.items():
        text = key_text(key, other)
        shown[repr(key) if text in shown else text] = plain(each, other, depth + 1)
    return shown


def key_text(key, other):
    """A key of an object: text as it is, a tuple as "1,2", anything else as it is printed."""
    if isinstance(key, str):
        return key
    if isinstance(key, tuple):
        return ",".join(key_text(each, other) for each in key)
    value = plain(key, other)
    return value if isinstance(value, str) else str(key)
