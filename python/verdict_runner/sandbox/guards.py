"""Guards at run time which attributes of which objects a program can read and write.

An item's syntax tree shows the name of an attribute, but not the object. The few accesses for which the object matters
therefore go through one of Verdict's functions: `value.name` becomes `__guard__(value, "name").name`.

A program can change what it created itself: classes from its class statements, its functions, and instances of its classes.
Library objects stay unchanged, so that no program can make an engine return a false answer.
"""

from __future__ import annotations

import _string
import ast
import contextlib
import copyreg
import functools
import string
import sys
import types
from collections.abc import Callable, Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from verdict_runner.sandbox import allowed, bases

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from verdict_runner.languages.profile import LanguageProfile

_Tree = TypeVar("_Tree", bound=ast.AST)
_Error = TypeVar("_Error", bound=Exception)

# The module name of programs, as defined by the language that this process runs.
MODULE = "__main__"
_language: LanguageProfile | None = None


def use(language: LanguageProfile) -> None:
    """Sets the profile of the language that this process runs. Called once, before any program runs."""
    global MODULE, _language
    MODULE, _language = language.module, language
    bases.refuse(language.engines)


def language() -> LanguageProfile:
    """Returns the profile of the language that this process runs."""
    if _language is None:
        raise RuntimeError("no language was chosen")
    return _language


def rewrite(tree: _Tree) -> _Tree:
    """Routes accesses that need it through guards; works in place and without recursion, since trees can be deep."""
    nodes = list(ast.walk(tree))
    # `a.b += 1` reads the attribute before writing it.
    read = {node.target for node in nodes if isinstance(node, ast.AugAssign)}
    for node in nodes:
        if isinstance(node, ast.Attribute):
            reads = isinstance(node.ctx, ast.Load)
            for guard in (guard_of(node.attr) if reads or node in read else None, None if reads else "__changeable__"):
                if guard:
                    call = ast.Call(ast.Name(guard, ast.Load()), [node.value, ast.Constant(node.attr)], [])
                    node.value = _placed(call, node.value)
    return tree


def guard_of(name: str) -> str | None:
    """Returns the name of the guard for reading an attribute with this name, or None."""
    if allowed.is_private(name):
        return "__private__"
    return BY_NAME.get(name)


def _placed(call: ast.Call, where: ast.expr) -> ast.Call:
    ast.copy_location(call, where)
    for each in (call.func, call.args[1]):
        ast.copy_location(each, where)
    return call


# ---- Recorded violations.

# The first violations, as (message, file name, line); they are recorded because the program can swallow exceptions.
hits: list[tuple[str, str | None, int | None]] = []
HITS_MAX = 20
# Begins the names of methods that are left out of code under test (`symbolic/code/unread.py`).
LEFT_OUT = "unusable "
# The prefixes of programs' file names: an item, or code under test. Python's frozen modules have similar names.
PROGRAMS = ("<item ", "<code>")


def stopped(kind: type[_Error], message: str) -> _Error:
    """Creates the exception for a forbidden access and records it, since the program can catch it."""
    frame = _asking()
    if len(hits) < HITS_MAX:
        hits.append((message, frame.f_code.co_filename if frame else None, frame.f_lineno if frame else None))
    return kind(message)


def _asking() -> types.FrameType | None:
    """The innermost frame that runs a line of a program; None if no program runs."""
    frame = sys._getframe(1)
    while frame and not frame.f_code.co_filename.startswith(PROGRAMS):
        frame = frame.f_back
    return frame


def unlike(what: str, kind: type[_Error] = AttributeError) -> None:
    """Stops code whose behaviour is in question, since it can see a difference between Python and what replaces it."""
    if language().is_exact and _asking():
        raise stopped(kind, f"{what} is not available to {language().author}: it differs from Python's own")


class Unusable:
    """Stands for a special method that a class must not have, and for a default without a value.

    Each use by Python is a recorded violation.
    """

    __slots__ = ("message",)

    def __init__(self, message: str) -> None:
        self.message = message

    def __get__(self, *_: object) -> NoReturn:
        raise stopped(AttributeError, self.message)

    def __call__(self, *_: object, **__: object) -> NoReturn:
        raise stopped(AttributeError, self.message)

    def __getattr__(self, name: str) -> NoReturn:
        # Abstract classes ask each of their attributes whether it is abstract.
        if name == "__isabstractmethod__":
            raise AttributeError(name)
        raise stopped(AttributeError, self.message)


class Disguised:
    """Replaces an object of Python's, and looks like it; what would show the difference goes to `unlike`."""

    __slots__ = ()


# Attributes that a replacement has from the original: texts, the class, and the bases that `TypedDict` gives a class.
SHOWN = frozenset("__class__ __doc__ __module__ __mro_entries__ __name__ __qualname__".split())


class StandIn(Disguised):
    """Replaces a function. A call that `run` can't take fails as the original does, or is a violation."""

    __slots__ = ("_original", "_run")

    def __init__(self, original: Callable[..., Any], run: Callable[..., Any]) -> None:
        self._original, self._run = original, run

    def __call__(self, /, *arguments: object, **keywords: object) -> object:
        try:
            return _run(self)(*arguments, **keywords)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
        # How such a call fails depends only on the number and the names of its arguments.
        try:
            _original(self)(*[None] * len(arguments), **dict.fromkeys(keywords))
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is None:
                raise
        raise stopped(TypeError, "a call with these arguments is not available to a model")

    def __getattribute__(self, name: str) -> object:
        original = _original(self)
        if name not in SHOWN and hasattr(original, name):
            unlike(f"the attribute {name} of a function that Verdict replaces")
            raise AttributeError(name)
        return getattr(original, name)

    def __get__(self, value: object, kind: object = None) -> object:
        own = type(_original(self))
        if value is None or not hasattr(own, "__get__"):
            return self
        if own is not types.FunctionType:
            unlike("a function that Verdict replaces, as a method,")
        return types.MethodType(self, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Disguised) and type(other) is type(self) and _original(self) == _original(other)

    def __hash__(self) -> int:
        return hash(_original(self))

    def __repr__(self) -> str:
        return repr(_original(self))

    def __dir__(self) -> list[str]:
        return dir(_original(self))


_original: Callable[[object], Any] = vars(StandIn)["_original"].__get__
_run: Callable[[object], Any] = vars(StandIn)["_run"].__get__
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)
# A class for each type of replaced objects, and the replacements of objects that are always the same.
_kinds: dict[str, type[StandIn]] = {}
_lasting_stand_ins: dict[int, StandIn] = {}


def _odd(*_: object) -> NoReturn:
    unlike("an operation on what Verdict replaces")
    raise TypeError


def _copied(value: object) -> str:
    """How to copy a replacement: a copy of a function is the function."""
    if not isinstance(_original(value), FUNCTIONS):
        unlike("a copy of what Verdict replaces")
    return ""


def stand_in(original: Any, run: Callable[..., Any], is_lasting: bool = False) -> StandIn:  # noqa: ANN401
    """Returns what replaces a function; if the original is always the same object, so is the replacement."""
    if id(original) in _lasting_stand_ins:
        return _lasting_stand_ins[id(original)]
    name = type(original).__name__
    if name not in _kinds:
        odd = {each: _odd for each in ("__getitem__", "__iter__", "__or__") if hasattr(type(original), each)}
        _kinds[name] = type(name, (StandIn,), {"__slots__": (), **odd})
        copyreg.pickle(_kinds[name], _copied)
    made = _kinds[name](original, run)
    if is_lasting:
        _lasting_stand_ins[id(original)] = made
    return made


# ---- Ownership.


def is_own(value: object) -> bool:
    """Whether the program created this class or function."""
    return getattr(value, "__module__", None) == MODULE


def is_class(value: object) -> TypeIs[type]:
    """Whether a value is a class, whatever it claims about itself."""
    return issubclass(type(value), type)


# The class from which a `super()` reads its attributes.
_self_class: Callable[[object], type] = vars(super)["__self_class__"].__get__
_self: Callable[[object], object] = vars(super)["__self__"].__get__


# The classes searched for an instance attribute, whatever a class claims about itself.
mro_of: Callable[[type], tuple[type, ...]] = vars(type)["__mro__"].__get__


def _asked(value: object) -> type:
    """The class that determines a value's attributes."""
    if is_class(value):
        return value
    return _self_class(value) if type(value) is super else type(value)


# ---- The guards.


def changeable(value: object, name: str) -> object:
    """Returns the value if the program can change its attributes."""
    kind = type(value)
    if is_class(value) or kind is types.FunctionType:
        if is_own(value):
            return value
    elif is_own(kind) or kind.__module__ in language().changeable:
        return value
    raise stopped(
        AttributeError,
        f"the attribute {name} can't be set on this {kind.__name__}: a model can change only what it created itself",
    )


def private(value: object, name: str) -> object:
    """Returns the value if an attribute that begins with an underscore belongs to the program."""
    if type(value) is types.FunctionType and is_own(value):
        return value
    kind = _asked(value)
    # Attributes that a program's class inherits from a library still belong to the library. So do attributes of the
    # metaclass, which Python reads after those of the base classes, or before them in the case of properties.
    homes = [*mro_of(kind), *mro_of(type(kind))]
    if is_own(kind) and all(is_own(each) for each in homes if name in vars(each)):
        return value
    raise stopped(
        AttributeError, f"the attribute {name} of {kind.__name__} is not available to a model: it belongs to a library"
    )


def initial(value: object, name: str) -> object:
    """Returns the value if a program can call its `__init__`.

    Calling `__init__` again on a library object would change that object.
    """
    kind = _asked(value)
    if not is_own(kind) and not (is_class(value) and bases.is_known(value)):
        raise stopped(
            AttributeError,
            f"the method {name} of {kind.__name__} is not available to a model; create a new object instead",
        )
    if is_class(value) or (type(value) is super and is_class(_self(value))):
        # A function read from a class receives its object as an argument, which could be any object.
        method = getattr(value, name)
        if not _is_code(method):
            return _with(name, value, lambda it, /, *parts, **names: _initialise(method, it, *parts, **names))
    return value


def _is_code(method: object) -> bool:
    """Whether a function consists of a program's own lines, whose accesses are guarded."""
    return type(method) is types.FunctionType and method.__code__.co_filename.startswith(PROGRAMS)


def _with(name: str, value: object, run: Callable[..., Any]) -> types.SimpleNamespace:
    """An object whose only attribute replaces the value's method."""
    method = getattr(value, name)
    return types.SimpleNamespace(**{name: stand_in(method, run, is_lasting=getattr(value, name) is method)})


def _initialise(method: Callable[..., None], value: object, /, *arguments: object, **keywords: object) -> None:
    """Calls an `__init__` read from a class, which sets attributes, but only on objects that the program created."""
    if not is_own(type(value)):
        raise stopped(
            AttributeError, f"the method __init__ can't be called on this {type(value).__name__}; create a new object"
        )
    method(value, *arguments, **keywords)


class Maker(staticmethod):  # type: ignore[type-arg]
    """The method `__new__` of a class of code under test."""


def maker(value: object) -> Callable[..., object]:
    """Returns the `__new__` of a class or of `super()`, which creates only objects of the program's classes."""
    kind = _asked(value)
    if not is_own(kind) and not (is_class(value) and bases.is_known(value)):
        raise stopped(AttributeError, f"the method __new__ of {kind.__name__} is not available to a model")
    method = value.__new__

    def make(kind: object, /, *arguments: object, **keywords: object) -> object:
        if not is_class(kind) or not is_own(kind):
            raise stopped(
                TypeError,
                "objects of a library class are not available to a model by __new__, only those of its own classes",
            )
        return method(kind, *arguments, **keywords)

    return method if _is_code(method) else stand_in(method, make)


def _relayed(value: Any) -> object:  # noqa: ANN401
    """The object that an attribute is read from: for a typing alias such as `Annotated[value, 1]`, a different one."""
    while type(value).__module__ in ("typing", "typing_extensions") and hasattr(value, "__origin__"):
        value = value.__origin__
    return value


def raised(value: object, name: str) -> object:
    """Returns the value unless it is an AttributeError, which refers to the object that lacked an attribute."""
    value = _relayed(value)
    if isinstance(value, AttributeError):
        raise stopped(AttributeError, f"the attribute {name} of an exception is not available to a model")
    return value


# Attributes of numpy's arrays and numbers that expose, resize or reinterpret memory or write it to a file, and
# attributes of a decimal context whose values write into its memory, even after it has been freed.
MEMORY = (
    "traps resize setflags flags strides data base view getfield setfield byteswap newbyteorder dump dumps to_device"
)


_lasting: dict[int, object] = {}


def memory(value: object, name: str) -> object:
    """Returns the value unless it is numpy's and the attribute exposes its memory; keeps decimal contexts alive."""
    value = _relayed(value)
    packages = {bases.package_of(each) for each in mro_of(_asked(value))}
    if "decimal" in packages:
        _lasting[id(value)] = value
    if "numpy" in packages:
        raise stopped(
            AttributeError, f"the attribute {name} of numpy's arrays is not available to a model: create a new array"
        )
    return value


def formatting(value: object, name: str) -> object:
    """Returns the object whose `.format` or `.format_map` is called; the fields of a text can also name attributes."""
    method = getattr(value, name)
    if method is getattr(str, name):
        return _with(name, value, lambda text, /, *parts, **names: method(_audited(text), *parts, **names))
    if type(method) is types.BuiltinMethodType and isinstance(method.__self__, str):

        def fill(*arguments: object, **keywords: object) -> str:
            _audited(method.__self__)
            return getattr(str, name)(method.__self__, *arguments, **keywords)

        return _with(name, value, fill)
    return value


def _audited(text: object) -> object:
    """Returns a format whose fields read no attribute that a program must not read, and none that needs a guard."""
    for name in _attributes(str.__str__(text)) if isinstance(text, str) else ():
        if allowed.attribute_refused(name) or guard_of(name):
            raise stopped(AttributeError, f"the attribute {name} is not available to a model in a format")
    return text


def _attributes(text: str, depth: int = 2) -> Iterator[str]:
    """The attributes that the fields of a format read, up to the place where Python finds a mistake in it."""
    with contextlib.suppress(ValueError):
        for _, field, inner, _ in string.Formatter().parse(text):
            if field is not None:
                yield from (str(key) for is_name, key in _string.formatter_field_name_split(field)[1] if is_name)
            if inner and depth > 1:
                yield from _attributes(inner, depth - 1)


def parameters(value: object, name: str) -> object:
    """The value, if it is a type composed of other types, such as `str | bytes`: the attribute returns these."""
    if isinstance(value, (types.GenericAlias, types.UnionType)) or type(value).__module__ == "typing":
        return value
    raise stopped(AttributeError, f"the attribute {name} of {type(value).__name__} is not available to a model")


GUARDS = {
    "__changeable__": changeable,
    "__private__": private,
    "__formatting__": formatting,
    "__initial__": initial,
    "__raised__": raised,
    "__memory__": memory,
    "__parameters__": parameters,
}
# The guards of the public names that have one.
BY_NAME = {
    **dict.fromkeys(allowed.FORMATTING, "__formatting__"),
    **dict.fromkeys(MEMORY.split(), "__memory__"),
    "__args__": "__parameters__",
    "__init__": "__initial__",
    "obj": "__raised__",
}


# ---- Builtins that take an attribute name, and others that can access more than a model needs.


def checked(name: object, original: Callable[..., object]) -> str:
    """Returns an attribute's name as a plain string; raises for a forbidden name, and as the original for no name."""
    if not isinstance(name, str):
        original(None, name)
        raise TypeError
    # A string with methods defined by the program could change between this check and its use.
    name = str.__str__(name)
    if allowed.attribute_refused(name):
        raise stopped(AttributeError, f"the attribute {name} is not available to a model")
    return name


_original_getattr: Callable[..., object] = getattr


def read(value: object, name: object, /, *default: object) -> object:
    """Replaces `getattr` and follows the rules for models."""
    if len(default) > 1:
        return _original_getattr(None, "", *default)
    name = checked(name, getattr)
    guard = guard_of(name)
    if guard:
        if default and not hasattr(value, name):
            return default[0]
        value = GUARDS[guard](value, name)
    return getattr(value, name, *default)


def has(value: object, name: object, /) -> bool:
    before = len(hits)
    try:
        attribute = checked(name, hasattr)
        guard = guard_of(attribute)
        value = GUARDS[guard](value, attribute) if guard else value
    except AttributeError:
        # A true answer is not a violation, but what the program's own code did meanwhile can be one. A module's namespace
        # may lack names of the real module.
        names = (str.__str__(name), f"{LEFT_OUT}{str.__str__(name)}") if isinstance(name, str) else ()
        refused = len(hits)
        exists = any(hasattr(value, each) for each in names) or len(hits) > refused
        if type(value) is not types.ModuleType and not exists and not _has_own_lookup(value, names):
            del hits[before:]
        return False
    return hasattr(value, attribute)


# Methods that Python calls to look up an attribute.
LOOKUPS = ("__getattr__", "__getattribute__")


def _has_own_lookup(value: object, names: tuple[str, ...]) -> bool:
    """Whether reading an attribute of one of these names can run code of the program."""
    kinds = [type(value), *([value] if is_class(value) else ())]
    classes = [one for each in kinds for one in type.__getattribute__(each, "__mro__")]
    return any(is_own(each) and not vars(each).keys().isdisjoint((*LOOKUPS, *names)) for each in classes)


def write(value: object, name: object, new: object, /) -> None:
    name = checked(name, lambda value, name: setattr(value, name, None))
    setattr(changeable(value, name), name, new)


def delete(value: object, name: object, /) -> None:
    name = checked(name, delattr)
    delattr(changeable(value, name), name)


class _KindMeta(type):
    def __getattribute__(cls, name: str) -> object:
        if name not in SHOWN and hasattr(type, name):
            unlike(f"the attribute {name} of type")
        return super().__getattribute__(name)

    def __instancecheck__(cls, value: object) -> bool:
        return is_class(value)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, type)

    def __call__(cls, /, *arguments: object, **keywords: object) -> type:
        if len(arguments) != 3 and (keywords or len(arguments) != 1):
            type(*[None] * len(arguments), **dict.fromkeys(keywords))  # Raises.
        if len(arguments) != 1:
            raise stopped(
                TypeError,
                "the builtin type() only returns the class of a value here; write a class statement to create one",
            )
        value = arguments[0]
        if type(value) is Unusable:
            raise stopped(TypeError, value.message)
        kind = value.__class__ if isinstance(value, Disguised) else type(value)
        # Metaclasses create classes, ctypes classes create pointers, and contexts accept any parameter.
        if issubclass(kind, type):
            return cls
        hidden = ("ctypes", "_ctypes", *language().hidden_modules)
        pointers = kind.__module__ in hidden and not issubclass(kind, Exception)
        if pointers or any((each.__module__, each.__name__) in language().hidden_classes for each in kind.__mro__):
            raise stopped(TypeError, f"the class {kind.__name__} is not available to a model")
        return kind

    def __repr__(cls) -> str:
        return repr(type)


class Kind(metaclass=_KindMeta):
    """Replaces `type`; accepts only one argument."""

    __class_getitem__ = classmethod(types.GenericAlias)


# The ids of the classes that replace others; such classes last.
replaced: set[int] = set()


def named_after(original: type, kind: type) -> None:
    """Gives a class the texts of the class that it replaces."""
    replaced.add(id(kind))
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(kind, name, getattr(original, name))


# Programs must not mistake the replacement for another class.
named_after(type, Kind)
_KindMeta.__name__ = _KindMeta.__qualname__ = type.__name__


def names_of(namespace: dict[str, object]) -> MutableMapping[str, object]:
    """Returns a view of a program's variables, without Verdict's own, for `globals()`."""

    # The namespace is in these methods' closure, not in an attribute, which a program could read.
    class Names(Disguised, MutableMapping[str, object]):
        def __getattribute__(self, name: str) -> object:
            if name == "__class__":
                return dict
            if name in ("get", "pop", "setdefault", "update"):
                return stand_in(getattr(namespace, name), super().__getattribute__(name))
            unlike(f"the attribute {name} of globals()")
            return super().__getattribute__(name)

        def __getitem__(self, name: str) -> object:
            return namespace[_variable(name)]

        def __setitem__(self, name: str, value: object) -> None:
            namespace[_variable(name)] = value

        def __delitem__(self, name: str) -> None:
            del namespace[_variable(name)]

        def __iter__(self) -> Iterator[str]:
            unlike("what globals() contains")
            return iter([name for name in namespace if not allowed.is_dunder(name)])

        def __len__(self) -> int:
            return sum(1 for _ in self)

        def __repr__(self) -> str:
            return repr(dict(self))

    Names.__name__ = dict.__name__
    return Names()


def _variable(name: object) -> str:
    """Returns the name as a plain string, since a program's object could claim to equal any name."""
    if not isinstance(name, str):
        raise KeyError(name)
    name = str.__str__(name)
    if allowed.is_dunder(name) and name not in allowed.NAMEABLE:
        raise stopped(KeyError, f"the name {name} is not available to a model")
    return name


def wraps(wrapped: object) -> StandIn:
    """Replaces `functools.wraps` for the program's functions; the attributes can't be chosen."""
    function = plain(wrapped)
    names = [name for name in functools.WRAPPER_ASSIGNMENTS if name in SHOWN and hasattr(wrapped, name)]

    def decorate(wrapper: object) -> object:
        if callable(wrapper) and is_own(wrapper if type(wrapper) is types.FunctionType else type(wrapper)):
            return functools.wraps(function, names)(wrapper)
        unlike("functools.wraps for an object that is no function")
        return wrapper

    return stand_in(functools.wraps(function), decorate)


def lru_cache(maxsize: Callable[..., Any] | int | None = 128, typed: bool = False) -> object:
    """Replaces `functools.lru_cache`, which copies a function's attributes into its wrapper."""
    if callable(maxsize):
        return functools.lru_cache(plain(maxsize), typed)
    made: Callable[..., object] = functools.lru_cache(maxsize, typed)
    return stand_in(made, lambda user_function: made(plain(user_function)))


def cache(user_function: Any, /) -> object:  # noqa: ANN401
    """Replaces `functools.cache`."""
    return functools.cache(plain(user_function))


# Types whose objects have no attributes of a program's own, except the function that they wrap.
BARE = (types.BuiltinFunctionType, functools.partial, type(functools.cache(abs)), staticmethod)


def plain(value: Any) -> Callable[..., Any]:  # noqa: ANN401
    """Returns a program's function unchanged, and wraps an object with attributes in a function without these."""
    if (type(value) is types.FunctionType and is_own(value)) or type(value) in BARE or not callable(value):
        return value
    if getattr(value, "__dict__", None):
        unlike("the attributes of an object that functools or contextlib wraps")

    def called(*arguments: object, **keywords: object) -> object:
        return value(*arguments, **keywords)

    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        text = getattr(value, name, None)
        if isinstance(text, str):
            setattr(called, name, str.__str__(text))
    return called
