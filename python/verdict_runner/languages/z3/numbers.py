"""Reports Python numbers that Z3 silently converts to other numbers or compares differently."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NoReturn

import z3

# A float with this many digits was computed, so its decimal form is not the intended fraction.
COMPUTED_DIGITS = 15


def listen(warn: Callable[[str], None], refuse: Callable[[str, list[str]], NoReturn]) -> None:
    """Starts reporting such numbers with `warn(text)` and `refuse(message, steps)`."""
    # Z3's own conversions look these functions up in its inner module, and programs look them up in the outer one.
    z3.IntVal = z3.z3.IntVal = _whole(z3.IntVal, refuse)
    z3.RealVal = z3.z3.RealVal = _decimal(z3.RealVal, warn)
    z3.BitVecVal = z3.z3.BitVecVal = _fitting(z3.BitVecVal, warn, refuse)
    for sign, unsigned in {"__lt__": "ULT", "__le__": "ULE", "__gt__": "UGT", "__ge__": "UGE"}.items():
        setattr(z3.BitVecRef, sign, _signed(getattr(z3.BitVecRef, sign), unsigned, warn))


def _whole(
    make: Callable[..., z3.IntNumRef], refuse: Callable[[str, list[str]], NoReturn]
) -> Callable[..., z3.IntNumRef]:
    @functools.wraps(make)
    def made(value: object, *more: object, **keywords: object) -> z3.IntNumRef:
        if isinstance(value, float) and not value.is_integer():
            refuse(
                f"{value} is used where an integer is required; Z3 would truncate it to {int(value)}.",
                ["use Real('x'), or an integer"],
            )
        return make(value, *more, **keywords)

    return made


def _decimal(make: Callable[..., z3.RatNumRef], warn: Callable[[str], None]) -> Callable[..., z3.RatNumRef]:
    @functools.wraps(make)
    def made(value: object, *more: object, **keywords: object) -> z3.RatNumRef:
        if (
            isinstance(value, float)
            and len(repr(value).partition("e")[0].strip("-0").replace(".", "")) >= COMPUTED_DIGITS
        ):
            warn(
                f"The float {value!r} is read as exactly this decimal; for a fraction, write Q(1, 3) or RealVal('1/3')."
            )
        return make(value, *more, **keywords)

    return made


def _fitting(
    make: Callable[..., z3.BitVecNumRef], warn: Callable[[str], None], refuse: Callable[[str, list[str]], NoReturn]
) -> Callable[..., z3.BitVecNumRef]:
    @functools.wraps(make)
    def made(value: object, bits: object, *more: object, **keywords: object) -> z3.BitVecNumRef:
        if isinstance(value, float) and not value.is_integer():
            refuse(
                f"{value} is used where bits are required; Z3 would truncate it to {int(value)}.",
                ["use a whole number"],
            )
        size = bits.size() if isinstance(bits, z3.BitVecSortRef) else bits
        if isinstance(value, int) and isinstance(size, int) and not -(2 ** (size - 1)) <= value < 2**size:
            warn(f"{value} does not fit into {size} bits; Z3 reads it as {value % 2**size}.")
        return make(value, bits, *more, **keywords)

    return made


def _signed(
    method: Callable[[z3.BitVecRef, object], z3.BoolRef], unsigned: str, warn: Callable[[str], None]
) -> Callable[[z3.BitVecRef, object], z3.BoolRef]:
    @functools.wraps(method)
    def compared(self: z3.BitVecRef, other: object) -> z3.BoolRef:
        most = 2 ** (self.size() - 1) - 1
        if isinstance(other, int) and other >= most:
            warn(
                f"Bit-vectors compare as signed numbers, here from {-most - 1} to {most}; {unsigned}(a, b) compares them as unsigned ones."
            )
        return method(self, other)

    return compared
