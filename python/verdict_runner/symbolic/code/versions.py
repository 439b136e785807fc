"""Two versions of a module, loaded side by side; each function runs in its own version.

The versions share only Python's own modules. Classes with the same qualified name correspond to each other. Functions
and bare `object()` values with the same name correspond if both versions give the name the same meaning (`alike.py`).
"""

from __future__ import annotations

import abc
import decimal
import enum
import random
import types
from collections.abc import Iterable, Iterator
from typing import Any

from verdict_runner.protocol.runner import Modules
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards
from verdict_runner.symbolic.code.alike import alike
from verdict_runner.symbolic.code.subject import Subject
from verdict_runner.symbolic.contracts.same import SEQUENCES, Uncomparable, fields_of

# Where `dataclass` stores its options.
OPTIONS = "__dataclass_params__"
CONTEXTS = (decimal.DefaultContext, decimal.BasicContext, decimal.ExtendedContext)


class Versions:
    """The corresponding objects in two versions of a module."""

    def __init__(self, older: Subject, newer: Subject) -> None:
        both = alike(older.tree, newer.tree)
        ones, others = ({each.__qualname__: each for each in _classes(side)} for side in (older, newer))
        pairs = [(name, ones[name], others[name]) for name in ones.keys() & others.keys()]
        # For each class of the older module whose objects can be converted: the corresponding class of the newer
        # module.
        self._carried = {id(one): other for name, one, other in pairs if name.partition(".")[0] in both}
        for place, side in ((1, older), (2, newer)):
            side.versioned = frozenset(id(each[place]) for each in pairs if id(each[1]) not in self._carried)
        values = [(older.namespace[name], newer.namespace.get(name)) for name in both if name in older.namespace]
        kept = [each for each in values if type(each[0]) in (object, types.FunctionType)]
        # The classes that callers can tell apart by more than their objects' fields.
        self.changed = [name for name, one, other in pairs if _shape(one) != _shape(other)]
        self.twins: dict[int, object] = {}
        for one, other in [*(each[1:] for each in pairs), *kept]:
            self.twins.update({id(one): other, id(other): one})

    def is_carried(self, kind: type) -> bool:
        return id(kind) in self._carried

    def carry(self, value: Any) -> Any:  # noqa: ANN401
        """Converts a value of the older version to one of the newer version; raises `Uncomparable`."""
        kind = type(value)
        other = self._carried.get(id(kind))
        if isinstance(value, enum.Enum):
            return value if other is None else other(value.value)
        if kind is dict:
            return {self.carry(key): self.carry(each) for key, each in value.items()}
        if kind in (*SEQUENCES, set, frozenset):
            return kind([self.carry(each) for each in value])
        if other is None:
            return value
        if issubclass(kind, tuple):
            return tuple.__new__(other, [self.carry(each) for each in value])
        try:
            made = object.__new__(other)
            for name, each in fields_of(value).items():
                object.__setattr__(made, name, self.carry(each))
        except (TypeError, AttributeError):
            raise Uncomparable(f"an object of {kind.__name__}, which each version defines separately") from None
        return made


def _shape(kind: type) -> tuple[object, ...]:
    """The names of a class's bases and metaclass, and the options of a dataclass."""
    return [each.__qualname__ for each in kind.__mro__], type(kind).__qualname__, repr(vars(kind).get(OPTIONS))


def _classes(subject: Subject) -> Iterator[type]:
    """Yields a module's classes, including nested ones, except those that share a qualified name."""
    found: dict[int, type] = {}
    waiting: list[object] = [*subject.namespace.values()]
    while waiting:
        each = waiting.pop()
        if isinstance(each, type) and guards.is_own(each) and id(each) not in found:
            found[id(each)] = each
            waiting += vars(each).values()
    names = [each.__qualname__ for each in found.values()]
    yield from (each for each in found.values() if names.count(each.__qualname__) == 1)


class Shared:
    """Python's shared state before both versions are loaded: if one version changed it, the other would be affected."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules
        self._before = [*self._state()]

    def _state(self) -> Iterator[object]:
        yield random.getstate()
        # This token changes whenever a class is registered with an abstract class.
        yield abc.get_cache_token()
        yield from map(repr, (decimal.getcontext(), *CONTEXTS))
        yield from _containers(self._modules.values())

    def check(self) -> None:
        """Raises `Refused` if the shared state has changed."""
        if [*self._state()] != self._before:
            raise Refused(
                "A statement of its module changes what both versions use of Python's own modules.",
                ["do not change settings of Python's modules at module level"],
            )


def _containers(modules: Iterable[types.ModuleType]) -> Iterator[object]:
    """Copies the lists, dictionaries and sets in modules."""
    for module in modules:
        for name, value in vars(module).items():
            if type(value) in (list, dict, set) and not name.startswith("__"):
                yield name, value.copy()
