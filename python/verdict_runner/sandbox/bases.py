"""The library classes from which a program can inherit."""

from __future__ import annotations

import abc
import collections
import collections.abc
import datetime
import decimal
import enum
import fractions
import json
import numbers
import random
import types
import typing
from collections.abc import Iterable

# Descriptors, proxies and dataclass fields are not listed, because their subclasses read or write attributes by strings
# and their `__init__` can reinitialise library objects.
BASES: set[object] = {
    *(object, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, abc.ABC),
    *(typing.Generic, typing.Protocol),
    # One at a time: Python 3.10 rejects NamedTuple beside another base.
    *types.resolve_bases((typing.NamedTuple,)),
    *types.resolve_bases((typing.TypedDict,)),
    *(
        getattr(collections, name)
        for name in "OrderedDict defaultdict Counter deque ChainMap UserDict UserList".split()
    ),
    *(value for value in vars(collections.abc).values() if type(value) is abc.ABCMeta),
    *(value for name, value in vars(typing).items() if name.startswith("Supports")),
    *(getattr(enum, name) for name in "Enum IntEnum StrEnum Flag IntFlag ReprEnum".split() if hasattr(enum, name)),
    *(getattr(numbers, name) for name in numbers.__all__),
    *(datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.tzinfo),
    *(fractions.Fraction, decimal.Decimal, random.Random, json.JSONEncoder, json.JSONDecoder),
}


def allow(*kinds: object) -> None:
    """Adds a library's classes. Called before any program runs."""
    BASES.update(kinds)


# The packages of the engines' types, which no program class can imitate.
ENGINES = {"ctypes", "_ctypes"}


def refuse(packages: Iterable[str]) -> None:
    """Adds engine packages. Called before any program runs."""
    ENGINES.update(packages)


def of_engine(kind: type) -> bool:
    """Whether a class belongs to an engine or to the bridge to one."""
    return package_of(kind) in ENGINES


def package_of(kind: type) -> str:
    """The package that a class claims to be defined in."""
    module = type.__getattribute__(kind, "__module__")
    return module.partition(".")[0] if isinstance(module, str) else ""


def is_known(kind: type) -> bool:
    """Whether a program can inherit from a library class, which must be listed or an exception, and not an engine's."""
    if any(map(of_engine, type.__dict__["__mro__"].__get__(kind))):
        return False
    return kind in BASES or issubclass(kind, BaseException)
