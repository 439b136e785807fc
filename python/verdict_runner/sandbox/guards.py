"""Walls that only stand while a program runs: which attributes of what it may read and write.

An item's syntax tree shows the name of an attribute and not whose it is. So the few accesses where
that matters are sent through a function of ours: `value.name` becomes `__guard__(value, "name").name`.

What a program made itself is its own to change: classes of its class statements, its functions, and
instances of its classes. What libraries made stays as it is, so that no program can put an answer
into the mouth of an engine.
"""

import _string
import ast
import functools
import string
import sys
import types
from collections.abc import MutableMapping

from verdict_runner.sandbox import allowed, bases

# The module that programs are, by the language that this process runs.
MODULE = "__main__"
_language = None


def use(language):
    """Takes the profile of the language that this process runs. Called once, before any program runs."""
    global MODULE, _language
    MODULE, _language = language.module, language
    bases.refuse(language.engines)


def language():
    """The profile of the language that this process runs."""
    if _language is None:
        raise RuntimeError("no language was chosen")
    return _language


def rewrite(tree):
    """Sends the accesses that need it through a guard; in place, and without recursion: trees are deep."""
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.Attribute):
            guard = _guard_of(node)
            if guard:
                call = ast.Call(ast.Name(guard, ast.Load()), [node.value, ast.Constant(node.attr)], [])
                node.value = _placed(call, node.value)
    return tree


def _guard_of(node):
    return guard_of(node.attr) if isinstance(node.ctx, ast.Load) else "__changeable__"


def guard_of(name):
    """The guard that looks at what an attribute of this name is read of, or None."""
    if allowed.is_private(name):
        return "__private__"
    return BY_NAME.get(name)


def _placed(call, where):
    ast.copy_location(call, where)
    for each in (call.func, call.args[1]):
        ast.copy_location(each, where)
    return call


# ---- What the program ran into.

# The first walls it met, as (message, file name, line): it may swallow the exceptions.
hits = []
HITS_MAX = 20
# How the file names of programs begin: an item, or code under test. Python's own frozen modules have signs like these.
PROGRAMS = ("<item ", "<code>")


def stopped(kind, message):
    """The exception for a program that went where it may not; what it does with it, we remember."""
    frame = sys._getframe(1)
    while frame and not frame.f_code.co_filename.startswith(PROGRAMS):
        frame = frame.f_back
    if len(hits) < HITS_MAX:
        hits.append((message, *((frame.f_code.co_filename, frame.f_lineno) if frame else (None, None))))
    return kind(message)


# ---- Whose is it?


def is_own(value):
    """Whether the program made this class or function."""
    return getattr(value, "__module__", None) == MODULE


def is_class(value):
    """Whether this is a class, whatever it says of itself."""
    return issubclass(type(value), type)


# ---- The guards.


def changeable(value, name):
    """The value, when the program may change its attributes."""
    kind = type(value)
    if is_class(value) or kind is types.FunctionType:
        if is_own(value):
            return value
    elif is_own(kind) or kind.__module__ in language().changeable:
        return value
    raise stopped(
        AttributeError,
        f"the attribute {name} can't be set on this {kind.__name__}: a model changes only what it made itself",
    )


def private(value, name):
    """The value, when an attribute that begins with an underscore is the program's own."""
    if type(value) is types.FunctionType and is_own(value):
        return value
    kind = value if is_class(value) else value.__self_class__ if type(value) is super else type(value)
    # What a class of the program has from a library is the library's all the same.
    if is_own(kind) and all(is_own(each) for each in type.__dict__["__mro__"].__get__(kind) if name in vars(each)):
        return value
    raise stopped(
        AttributeError, f"the attribute {name} of {kind.__name__} is not for a model: it belongs to a library"
    )


def initial(value, name):
    """The value, when its `__init__` is for a program: what a library made and is made anew is another thing."""
    kind = value if is_class(value) else value.__self_class__ if type(value) is super else type(value)
    if is_own(kind) or (is_class(value) and bases.is_known(value)):
        return value
    raise stopped(AttributeError, f"the method {name} of {kind.__name__} is not for a model; make a new object instead")


def raised(value, name):
    """The value, unless it is an exception of Python's own, which holds the object that lacked an attribute."""
    if isinstance(value, AttributeError):
        raise stopped(AttributeError, f"the attribute {name} of an exception is not for a model")
    return value


def formatting(value, name):
    """What `.format` and `.format_map` are read of: texts format by our rules, however their method was reached."""
    found = getattr(value, name)
    if found is getattr(str, name):
        found = getattr(_Texts, name)
    elif type(found) is types.BuiltinMethodType and isinstance(found.__self__, str):
        found = functools.partial(getattr(_Texts, name), found.__self__)
    return types.SimpleNamespace(**{name: found})


class _Formatter(string.Formatter):
    """`str.format`, whose fields may name attributes too: here by the rules for attributes."""

    def get_field(self, field_name, arguments, keywords):
        first, rest = _string.formatter_field_name_split(field_name)
        value = self.get_value(first, arguments, keywords)
        for is_attribute, key in rest:
            value = read(value, key) if is_attribute else value[key]
        return value, first


class _Texts:
    """Stands for `str` where it is asked how to format."""

    @staticmethod
    def format(text, /, *arguments, **keywords):
        return _Formatter().vformat(str.__str__(text), arguments, keywords)

    @staticmethod
    def format_map(text, mapping, /):
        return _Formatter().vformat(str.__str__(text), (), mapping)


GUARDS = {
    "__changeable__": changeable,
    "__private__": private,
    "__formatting__": formatting,
    "__initial__": initial,
    "__raised__": raised,
}
# The guard of each public name that has one.
BY_NAME = {**dict.fromkeys(allowed.FORMATTING, "__formatting__"), "__init__": "__initial__", "obj": "__raised__"}


# ---- Builtins that take the name of an attribute, and others that reach further than a model needs.


def checked(name):
    """The name of an attribute as plain text; raises for one that is for nobody."""
    if not isinstance(name, str):
        raise TypeError("attribute name must be string")
    # A string whose methods are the program's own could change between this look and its use.
    name = str.__str__(name)
    if allowed.attribute_refused(name):
        raise stopped(AttributeError, f"the attribute {name} is not for a model")
    return name


def read(value, name, *default):
    """`getattr` by the rules for models."""
    name = checked(name)
    guard = guard_of(name)
    if guard:
        if default and not hasattr(value, name):
            return default[0]
        value = GUARDS[guard](value, name)
    return getattr(value, name, *default)


def has(value, name):
    before = len(hits)
    try:
        read(value, name)
    except AttributeError:
        # Asking is allowed.
        del hits[before:]
        return False
    return True


def write(value, name, new):
    name = checked(name)
    setattr(changeable(value, name), name, new)


def delete(value, name):
    name = checked(name)
    delattr(changeable(value, name), name)


class _KindMeta(type):
    def __instancecheck__(cls, value):
        return is_class(value)

    def __subclasscheck__(cls, kind):
        return issubclass(kind, type)

    def __call__(cls, *arguments):
        if len(arguments) != 1:
            raise stopped(
                TypeError, "the builtin type() tells the class of one value here; write a class statement to make one"
            )
        kind = type(arguments[0])
        # The class of a class makes classes, those of ctypes make pointers, and contexts take any parameter.
        if issubclass(kind, type):
            return cls
        hidden = ("ctypes", "_ctypes", *language().hidden_modules)
        pointers = kind.__module__ in hidden and not issubclass(kind, Exception)
        if pointers or (kind.__module__, kind.__name__) in language().hidden_classes:
            raise stopped(TypeError, f"the class {kind.__name__} is not for a model")
        return kind


class Kind(metaclass=_KindMeta):
    """`type` with one argument."""


def names_of(namespace):
    """A view of the variables of a program, for `globals()`: nothing of ours beside them."""

    # In the closure of these methods, and not in an attribute, which a program could ask for.
    class Names(MutableMapping):
        def __getitem__(self, name):
            return namespace[_variable(name)]

        def __setitem__(self, name, value):
            namespace[_variable(name)] = value

        def __delitem__(self, name):
            del namespace[_variable(name)]

        def __iter__(self):
            return iter([name for name in namespace if not allowed.is_dunder(name)])

        def __len__(self):
            return sum(1 for _ in self)

        def __repr__(self):
            return repr(dict(self))

    return Names()


def _variable(name):
    """The name as plain text: an object of the program's could say that it equals any name."""
    if not isinstance(name, str):
        raise KeyError("a variable's name is a text")
    name = str.__str__(name)
    if allowed.is_dunder(name) and name not in allowed.NAMEABLE:
        raise stopped(KeyError, f"the name {name} is not for a model")
    return name


def wraps(wrapped):
    """`functools.wraps` for functions of the program, without the choice of attributes."""

    def decorate(wrapper):
        own = type(wrapper) is types.FunctionType and is_own(wrapper)
        return functools.wraps(wrapped)(wrapper) if own else wrapper

    return decorate
