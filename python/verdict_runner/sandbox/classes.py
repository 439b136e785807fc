"""Restricts a program's classes: their bases, their names, and how their instances are copied.

Python calls double-underscore methods implicitly, bypassing the attribute guards. A program's class can therefore have
only the methods listed in `allowed`, however its parts were created.
"""

from __future__ import annotations

import builtins
import copy
import copyreg
import dataclasses
import enum
import functools
import reprlib
import sys
import types
import unicodedata
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NoReturn, TypeAlias, TypeVar

from verdict_runner.sandbox import allowed, bases, guards
from verdict_runner.sandbox.guards import is_class, is_own, stopped

_Kind = TypeVar("_Kind")
# A decorator that marks a program's classes; it receives a class, or first options and then a class.
ClassDecorator: TypeAlias = Callable[..., object]

# Names that the compiler and Python itself add to a class body.
COMPILED = frozenset(
    "__module__ __qualname__ __doc__ __annotations__ __orig_bases__ __classcell__ __classdict__ __classdictcell__ "
    "__firstlineno__ __static_attributes__ __type_params__ __annotate__ __annotate_func__ __conditional_annotations__".split()
)
# Attributes that typing and enum set on instances.
NOTED = ("__orig_class__", "__objclass__")
# The double-underscore slots that are allowed, with their normal meaning in Python.
SLOTS = ("__dict__", "__weakref__")


def build_class(function: Callable[..., object], name: str, *listed_bases: object, **keywords: object) -> type:
    """Creates the class for a class statement, with known bases and names only, and never from an engine's class."""
    if "metaclass" in keywords:
        raise stopped(
            TypeError, "the keyword metaclass= is not available in a model; inherit from ABC, Enum or an ordinary class"
        )
    # Some typing objects are not classes but provide bases. Each such object is queried only once, since its answer
    # could change.
    resolved = types.resolve_bases(listed_bases)
    for base in resolved:
        _check_base(base)
    meta, namespace, options = types.prepare_class(name, resolved, keywords)

    def make(name: str, _: object, namespace: dict[str, Any], **options: object) -> type:
        if resolved is not listed_bases:
            dict.__setitem__(namespace, "__orig_bases__", listed_bases)
        _check_body(namespace)
        return meta(name, resolved, namespace, **options)

    vars(make)["__prepare__"] = lambda *_, **__: namespace
    return registered(builtins.__build_class__(function, name, *resolved, metaclass=make, **options))


def typed_dict(*_: object, **__: object) -> NoReturn:
    """Replaces a call of `TypedDict`, which could create a class with arbitrary names."""
    raise stopped(
        TypeError, "in a model, TypedDict can only be the base of a class: write class Film(TypedDict): year: int"
    )


def _check_base(base: object) -> None:
    if base is guards.Kind:
        raise stopped(
            TypeError,
            "a class can't inherit from type here: a metaclass can change what its classes do, which Verdict relies on; "
            "write a decorator or a function instead",
        )
    if is_class(base) and not issubclass(base, type) and (is_own(base) or bases.is_known(base)):
        return
    name = base.__name__ if is_class(base) else f"a value of type {type(base).__name__}"
    raise stopped(TypeError, f"a class can't inherit from {name} here; keep an instance of it instead")


def _check_body(namespace: dict[str, Any]) -> None:
    """Checks a class body after it has run and before Python uses it."""
    for name, value in list(dict.items(namespace)):
        is_free = type(name) is str and (not allowed.is_dunder(name) or name in allowed.NAMEABLE or name in COMPILED)
        is_held = type(name) is str and (
            type(value) is guards.Unusable or (name == "__new__" and type(value) is guards.Maker)
        )
        if not is_free and not is_held:
            raise stopped(TypeError, f"the name {name} is not allowed in a class here")
    dict.__setitem__(namespace, "__module__", guards.MODULE)
    if dict.__contains__(namespace, "__slots__"):
        dict.__setitem__(namespace, "__slots__", _slots(dict.__getitem__(namespace, "__slots__")))
    if dict.__contains__(namespace, "__getattr__"):
        dict.__setitem__(namespace, "__getattr__", _modest(dict.__getitem__(namespace, "__getattr__")))


def _slots(slots: Iterable[object]) -> tuple[object, ...]:
    """Returns the names of the slots, read only once."""
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    for name in names:
        if not is_ordinary(name) and name not in SLOTS:
            raise stopped(TypeError, "a slot's name must be an ordinary name")
    return names


def is_ordinary(name: object) -> bool:
    """Whether a program can set an attribute with this name by a string; Python normalises names."""
    return _is_harmless(name) and str(name).isidentifier()


def _is_harmless(name: object) -> bool:
    """Whether a name is plain text that does not control Python; data can have any such name."""
    return type(name) is str and not allowed.is_dunder(unicodedata.normalize("NFKC", name))


def _modest(getter: object) -> Callable[[object, str], object]:
    """Wraps `__getattr__` so that it is not called for methods with which Python and its libraries control objects."""
    if type(getter) is not types.FunctionType:
        raise stopped(TypeError, "the method __getattr__ of a model's class has to be a function")

    def __getattr__(self: object, name: str) -> object:
        if allowed.attribute_refused(name):
            guards.unlike(f"the result of __getattr__ for {name}")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getter(self, name)

    return __getattr__


# ---- Copies.


def registered(kind: _Kind) -> _Kind:
    """Registers a class whose instances `copy` copies in Verdict's way, not with a method that they define."""
    if is_class(kind):
        copyreg.dispatch_table[kind] = _recipe
    return kind


class _Recipes(dict[type, Callable[..., Any]]):
    """The table that `copy` consults for classes without a method of their own, so that it never asks an instance."""

    def get(self, kind: type, default: object = None) -> Callable[..., Any]:
        return copyreg.dispatch_table.get(kind, _recipe)


def tame_copies() -> None:
    """Makes `copy` copy each instance according to its class; an instance attribute can't define how."""
    name = "dispatch_table"
    setattr(copy, name, _Recipes())


def never_copied(kinds: Iterable[type]) -> None:
    """Makes `copy` use only these classes' own methods: two objects with the same pointer would crash."""
    for kind in kinds:
        copyreg.dispatch_table.setdefault(kind, _refuse_copy)


def _refuse_copy(value: object) -> NoReturn:
    raise stopped(TypeError, f"a {type(value).__name__} can't be copied; create a new one")


def _recipe(value: object) -> str | tuple[Any, ...]:
    """Returns the parts from which an instance is copied, however its class or dictionary would define copying."""
    for name in list(_dictionary(value)) if type(value).__module__ != "typing" else ():
        if type(name) is not str or (allowed.is_dunder(name) and name not in NOTED):
            raise stopped(TypeError, f"an object with an attribute {name} can't be copied")
    return value.__reduce_ex__(4)


def _dictionary(value: object) -> Iterable[object]:
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return ()


class SimpleNamespace(types.SimpleNamespace):
    """Replaces `types.SimpleNamespace`; its attributes can only have ordinary names."""

    def __init__(self, *mapping: Iterable[tuple[str, object]], **attributes: object) -> None:
        if mapping and (len(mapping) > 1 or sys.version_info < (3, 13)):
            super().__init__(*mapping)
        parts = [*map(dict, mapping), attributes]
        if not all(map(_is_harmless, chain.from_iterable(parts))):
            raise stopped(TypeError, "an attribute of a SimpleNamespace must have an ordinary name")
        super().__init__(*parts[:-1], **attributes)

    def __replace__(self, **changes: object) -> SimpleNamespace:
        return type(self)(**{**vars(self), **changes})

    @reprlib.recursive_repr("namespace(...)")
    def __repr__(self) -> str:
        return f"namespace({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


guards.named_after(types.SimpleNamespace, SimpleNamespace)

# ---- Library functions that change a given class or create one from strings.


def own_classes_only(function: Callable[..., type]) -> ClassDecorator:
    """Restricts a library decorator to the program's classes."""

    def decorate(cls: object) -> object:
        if not is_class(cls) or not is_own(cls):
            raise stopped(TypeError, "this decorator is for classes of the model itself")
        return registered(function(cls))

    return decorate


def dataclass(cls: object = None, /, **options: Any) -> object:  # noqa: ANN401
    """Replaces `dataclasses.dataclass`, which generates code from the names of all fields, including inherited ones."""
    made = dataclasses.dataclass(**options)
    checked = own_classes_only(lambda kind: made(_with_ordinary_fields(kind)))
    return guards.stand_in(made, checked) if cls is None else checked(cls)


def _with_ordinary_fields(kind: type) -> type:
    fields = [each for base in kind.__mro__ for each in vars(base).get("__dataclass_fields__", {}).items()]
    fields += [(name, value) for name, value in vars(kind).items() if isinstance(value, dataclasses.Field)]
    for name, field in fields:
        # A field without a name gets its attribute's name.
        if (
            type(field) is not dataclasses.Field
            or not is_ordinary(name)
            or not (field.name is None or is_ordinary(field.name))
        ):
            raise stopped(TypeError, "a field's name must be an ordinary name")
    for name in vars(kind).get("__annotations__", {}):
        if not is_ordinary(name):
            raise stopped(TypeError, "a field's name must be an ordinary name")
    return kind


def own_class_decorators(factory: Callable[..., Callable[..., type]]) -> Callable[..., ClassDecorator]:
    """Restricts a library function that creates class decorators to the program's classes."""

    def make(*arguments: object, **options: object) -> ClassDecorator:
        made = factory(*arguments, **options)
        return guards.stand_in(made, own_classes_only(lambda kind: _made_own(made(kind))))

    return make


def _made_own(kind: type) -> type:
    """Marks a class that a library derived from a program's class as the program's own."""
    kind.__module__ = guards.MODULE
    return kind


def invariant_of_own_class(base: type[Any]) -> type[Any]:
    """Restricts `icontract.invariant` to the program's classes; it is a class because it records where it is called."""

    class invariant(base):
        @functools.wraps(base.__call__)
        def __call__(self, kind: object) -> object:
            return own_classes_only(super().__call__)(kind)

    guards.named_after(base, invariant)
    return invariant


def tame_enumerations() -> None:
    """Allows only ordinary names in `Enum("Name", …)`, which creates a class with attributes given as strings."""
    name = "_create_"
    create = getattr(enum.EnumMeta, name)

    def checked_create(
        cls: type, class_name: str, names: Iterable[object], *arguments: object, **options: object
    ) -> type:
        mixed = options.get("type")
        if mixed is not None:
            _check_base(mixed)
        return registered(create(cls, class_name, _members(names), *arguments, **options))

    setattr(enum.EnumMeta, name, checked_create)


def _members(names: Iterable[object]) -> list[str | tuple[object, ...]]:
    """Returns an enumeration's members as plain names or pairs of names and values, read only once."""
    if isinstance(names, str):
        names = str.__str__(names).replace(",", " ").split()
    members = list(dict(names).items()) if isinstance(names, dict) else list(names)
    members = [str.__str__(each) if isinstance(each, str) else tuple(each) for each in members]
    for each in members:
        name = each if isinstance(each, str) else each[0] if len(each) == 2 else None
        if type(name) is not str or name.startswith("_") or not is_ordinary(name):
            raise stopped(TypeError, "a member's name must be an ordinary name")
    return members
