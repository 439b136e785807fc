"""Makes Z3's Python API accept only handles that Z3 returned, instead of any number as a pointer into its memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import z3
from z3 import z3core, z3types


def take_only_real_ones() -> None:
    """Makes Z3's C functions refuse everything except handles of the required kind."""
    for kind in vars(z3types).values():
        if isinstance(kind, type) and issubclass(kind, ctypes.c_void_p) and kind is not ctypes.c_void_p:
            kind.from_param = _checking(kind)
    for name, function in vars(z3core).items():
        if name.startswith("Z3_") and getattr(function, "__defaults__", None):
            foreign = function.__defaults__[0].f
            # ctypes derives its argument checks from the argument types when these are set, so they are set again.
            if foreign.argtypes:
                foreign.argtypes = foreign.argtypes
    for name in ("_to_ast_array", "_to_func_decl_array"):
        setattr(z3.z3, name, _of_terms(getattr(z3.z3, name)))


def _checking(kind: type) -> Callable[[Any], Any]:
    def from_param(value: object) -> object:
        if value is None or isinstance(value, kind):
            return value
        raise TypeError(f"this is not a Z3 {kind.__name__}")

    return staticmethod(from_param)


def _of_terms(to_array: Callable[[Sequence[Any]], object]) -> Callable[[Sequence[object]], object]:
    """Checks arrays of terms, which ctypes fills without checking."""

    def checked(terms: Sequence[object]) -> object:
        for each in terms:
            if not isinstance(each, z3.AstRef):
                raise z3.Z3Exception(f"expected a Z3 term, not a {type(each).__name__}")
        return to_array(terms)

    return checked
