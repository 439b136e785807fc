"""Runs the items of a model as one module, with only the builtins and imports that models need."""

import ast
import builtins
import types

from . import allowed, safety
from .refusal import Refused

MODULE = "__main__"


class ItemError(Exception):
    """A program ended by an exception; where in the items, and what it said."""

    def __init__(self, error, where):
        super().__init__(str(error))
        self.error = error
        self.where = where


def filename(item):
    return f"<item {item}>"


def place_of(name, line):
    """The item and line that a code object's file name and line stand for, or None for ours."""
    return (int(name[6:-1]), line) if name.startswith("<item ") else None


def run(items, names, modules, language, rewrite=lambda tree, item: tree):
    """Runs the items in order in one namespace, which it gives; raises `ItemError`.

    `names` are there from the start, `modules` can be imported, `rewrite(tree, item)` may change an
    item's syntax tree before it is compiled.
    """
    namespace = {"__name__": MODULE, "__builtins__": restricted_builtins(modules)}
    namespace.update(names)
    for index, text in enumerate(items):
        try:
            tree = ast.parse(text, filename(index))
            _refuse(safety.findings(tree, language))
            code = compile(rewrite(tree, index), filename(index), "exec", dont_inherit=True)
            exec(code, namespace)
        except _Finished:
            break
        except BaseException as error:
            raise ItemError(error, _where(error, index)) from None
    return namespace


def _where(error, index):
    """The innermost line of the items that the error passed through."""
    if isinstance(error, SyntaxError) and error.filename == filename(index):
        return index, error.lineno or 1
    where, trace = (index, 1), error.__traceback__
    while trace:
        where = place_of(trace.tb_frame.f_code.co_filename, trace.tb_lineno) or where
        trace = trace.tb_next
    return where


def _refuse(findings):
    """Items were checked when they came; here nothing unchecked can slip through either."""
    for each in findings[:1]:
        raise Refused(each.message, each.steps, each.code)


class _Finished(BaseException):
    """The program called exit(): it has said all that it wanted."""


def restricted_builtins(modules):
    """The builtins of a model: what computes, and nothing that reaches out of it."""
    names = {name: getattr(builtins, name) for name in allowed.BUILTINS}
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException):
            names[name] = value
    names.update(
        {
            "None": None,
            "True": True,
            "False": False,
            "__build_class__": builtins.__build_class__,
            "__import__": _importer(modules),
            "getattr": _getattr,
            "hasattr": _hasattr,
            "setattr": _setattr,
            "delattr": _delattr,
            "type": _Type,
            "vars": _vars,
            "exit": _exit,
            "quit": _exit,
        }
    )
    return names


def _importer(modules):
    def import_module(name, globals=None, locals=None, fromlist=(), level=0):
        if level or name not in modules:
            raise ImportError(f"{name or 'a relative module'} can't be imported by a model")
        return modules[name] if fromlist else modules[name.partition(".")[0]]

    return import_module


def _checked(name):
    if not isinstance(name, str):
        raise TypeError("attribute name must be string")
    # A string whose methods are the program's own could change between this look and its use.
    name = str.__str__(name)
    if allowed.attribute_refused(name):
        raise AttributeError(f"the attribute {name} is not for a model")
    return name


_missing = object()


def _getattr(value, name, default=_missing):
    name = _checked(name)
    return getattr(value, name) if default is _missing else getattr(value, name, default)


def _hasattr(value, name):
    return hasattr(value, _checked(name))


def _setattr(value, name, new):
    setattr(value, _checked(name), new)


def _delattr(value, name):
    delattr(value, _checked(name))


class _TypeMeta(type):
    def __instancecheck__(cls, value):
        return isinstance(value, type)

    def __call__(cls, *arguments):
        if len(arguments) != 1:
            raise TypeError("type() tells the class of one value here; write a class statement to make one")
        return type(arguments[0])


class _Type(metaclass=_TypeMeta):
    """`type` with one argument."""


def _vars(*arguments):
    raise TypeError("vars() is not for a model; name the variables that you want")


def _exit(*_):
    raise _Finished


def plain_constants(namespace):
    """The names that the items themselves bound, in order."""
    return {
        name: value
        for name, value in namespace.items()
        if not name.startswith("__") and not isinstance(value, (types.ModuleType, types.FunctionType, type))
    }
