"""Finds what all code of a version can change before a call, also code that the call does not reach."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from verdict_runner.sandbox.allowed import FORMATTING
from verdict_runner.symbolic.code.mentions import DEFINITIONS, IDENTIFIER, STORING, named, root_of, top

IMPORTS = (ast.Import, ast.ImportFrom)
# Modules of Python of which no code of Python replaces a member; `time.tzset` replaces some of `time`.
STEADY = frozenset(
    "abc bisect cmath collections collections.abc contextlib copy datetime decimal enum fractions functools heapq "
    "itertools math numbers operator random re statistics string textwrap typing unicodedata".split()
)
# Names through which code changes the variables of modules without naming these, or runs modules again.
REPLACING = frozenset(
    "globals vars locals exec eval __dict__ modules importlib import_module exec_module load_module module_from_spec __import__ "
    "_bootstrap __builtins__ builtins mock unittest __globals__ f_globals __self__ reload getmodule pkgutil runpy imp "
    "ctypes".split()
)
# Decorators that choose a function by the annotation of its parameter.
DISPATCHING = frozenset(("singledispatch", "singledispatchmethod"))
READERS = frozenset("getattr hasattr".split())
GETTERS = frozenset("attrgetter methodcaller".split())
# Methods that read attributes named in a string of fields.
OF_FIELDS = frozenset((*FORMATTING, "vformat", "get_field"))


@dataclass(frozen=True)
class Risks:
    """What all code of a version, also code that a call does not reach, can change before a call."""

    # Variables of modules that functions assign to, and modules of which code does more than read members.
    rebound: Set[str]
    touched: Set[str]
    # The names of attributes that code sets, of whatever object, or that its texts contain other than as prose, or
    # that annotations contain which are texts.
    written: Set[str]
    # The names in the code, and the words in its texts except docstrings.
    words: Set[str]
    # Whether code can replace members of modules, or variables, that it does not name.
    replaces: bool

    def with_those_of(self, others: Sequence[Risks]) -> Risks:
        every = (self, *others)
        return Risks(
            frozenset[str]().union(*(each.rebound for each in every)),
            frozenset[str]().union(*(each.touched for each in every)),
            frozenset[str]().union(*(each.written for each in every)),
            frozenset[str]().union(*(each.words for each in every)),
            any(each.replaces for each in every),
        )


def risks_in(nodes: Sequence[ast.AST]) -> Risks:
    documents = {each.value for each in nodes if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)}
    read = [each for each in nodes if each not in documents]
    words = {name for each in read for name in _words(each)}
    written = {name for each in read for name in _written(each)} | {*_annotating(nodes, words)}
    passes = reads_by_text(nodes) and _passes_modules(nodes)
    return Risks(
        {name for each in nodes if isinstance(each, ast.Global) for name in each.names},
        {*_touched(nodes)},
        written,
        words,
        # A module of another class can answer with other members.
        bool(words & REPLACING) or passes or "__class__" in written or _stores_unnamed(read),
    )


def _is_read(node: ast.Name | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


def _words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom):
        yield from (node.module or "").split(".")
    yield from attributes_in(node)
    yield from named(node)


def attributes_in(node: ast.AST) -> Iterator[str]:
    """The names of attributes in a node, also in its texts."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from IDENTIFIER.findall(node.value)
    elif isinstance(node, ast.MatchClass):
        yield from node.kwd_attrs
    elif isinstance(node, ast.alias):
        yield from node.name.split(".")


def reads_by_text(nodes: Sequence[ast.AST]) -> bool:
    """Whether code can read attributes whose names it does not contain."""
    calls = [each for each in nodes if isinstance(each, ast.Call) and each.args]
    names = {each.func: getattr(each.func, "attr", getattr(each.func, "id", None)) for each in calls}
    plain = {
        each.func
        for each in calls
        if all(text_of(one) is not None for one in (each.args[1:2] if names[each.func] in READERS else each.args))
    }
    return any(
        (getattr(each, "attr", getattr(each, "id", None)) in READERS | GETTERS and each not in plain)
        or (isinstance(each, ast.Attribute) and each.attr in OF_FIELDS and not isinstance(each.value, ast.Constant))
        or (isinstance(each, ast.alias) and each.name in READERS | GETTERS and each.asname is not None)
        for each in nodes
    )


def text_of(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _written(node: ast.AST) -> Iterator[str]:
    """The names of attributes that a node sets, and the words of its text that may be such a name, or be in code."""
    if isinstance(node, ast.Attribute) and not _is_read(node):
        yield node.attr
    parts = (text_of(node) or "").split()
    for each, following in zip(parts, [*parts[1:], ""]):
        is_prose = len(parts) > 1 and each.strip("().,;:!?").isidentifier() and not following.startswith("=")
        yield from () if is_prose else IDENTIFIER.findall(each)


def _annotating(nodes: Sequence[ast.AST], words: Set[str]) -> Iterator[str]:
    """The names in annotations that Python itself looks up in the module, if `from __future__ import annotations` makes
    these texts: those of fields, which dataclasses read, and those of parameters, by which functions are dispatched.
    """
    if any(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in nodes):
        kinds = (ast.AnnAssign, ast.arg) if words & DISPATCHING else ast.AnnAssign
        parts = [each.annotation for each in nodes if isinstance(each, kinds)]
        inside = [one for each in parts if isinstance(each, ast.expr) for one in ast.walk(each)]
        yield from (each.id for each in inside if isinstance(each, ast.Name))
        yield from (name for each in inside for name in attributes_in(each))


def _stores_unnamed(nodes: Sequence[ast.AST]) -> bool:
    """Whether code can set attributes whose names it does not contain."""
    definitions = [each for each in nodes if isinstance(each, DEFINITIONS)]
    decorators = [one for each in definitions for one in each.decorator_list]
    plain = {each.func for each in decorators if isinstance(each, ast.Call)}
    plain |= {each.func for each in nodes if isinstance(each, ast.Call) and _names_attribute(each)}
    return any(
        name in STORING or (name == "wraps" and (not isinstance(each, ast.alias) or each.asname is not None))
        for each in nodes
        if each not in plain
        for name in (*attributes_in(each), *([each.id] if isinstance(each, ast.Name) else []))
    )


def _names_attribute(call: ast.Call) -> bool:
    """Whether a call sets an attribute whose name it contains."""
    match call:
        case ast.Call(ast.Name("setattr" | "delattr"), [target, name, *_]):
            return not isinstance(target, ast.Starred) and text_of(name) is not None
        case ast.Call(ast.Attribute(ast.Name("object" | "type"), "__setattr__" | "__delattr__"), [target, name, *_]):
            return not isinstance(target, ast.Starred) and text_of(name) is not None
        case _:
            return False


def _touched(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The modules of which code does more than read members, so that it could replace them."""
    homes = _homes(nodes)
    read = {
        each.value
        for each in nodes
        if isinstance(each, ast.Attribute) and _is_read(each) and not each.attr.startswith("__")
    }
    for each in nodes:
        if isinstance(each, ast.Name) and each not in read:
            yield from (home for home in homes.get(each.id, ()) if home in STEADY)


def _passes_modules(nodes: Sequence[ast.AST]) -> bool:
    """Whether code can have a module as a value, other than to name its members."""
    homes = _homes(nodes)
    inner = {each.value for each in nodes if isinstance(each, ast.Attribute)}
    inner |= {each.func for each in nodes if isinstance(each, ast.Call)}
    return any(
        _may_be_module(".".join([home, *ast.unparse(each).split(".")[1:]]))
        for each in nodes
        if isinstance(each, (ast.Name, ast.Attribute)) and each not in inner
        for home in homes.get(root_of(each), ())
    )


def _may_be_module(full: str) -> bool:
    """Whether a path of names may lead to a module."""
    first, *parts = full.split(".")
    if first not in sys.stdlib_module_names:
        return True
    value: object = sys.modules.get(first)
    for each in parts:
        value = getattr(value, each, None)
    return value is None or isinstance(value, type(sys))


def _homes(nodes: Sequence[ast.AST]) -> dict[str | None, set[str]]:
    """For each name that imports bind, the full names of its objects."""
    homes: dict[str | None, set[str]] = {}
    for name, full in _imported(nodes):
        homes.setdefault(name, set()).add(full)
    return homes


def _imported(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """The names that imports bind, each with the full name of its object."""
    for each in nodes:
        if isinstance(each, ast.Import):
            yield from ((one.asname or top(one.name), one.name if one.asname else top(one.name)) for one in each.names)
        elif isinstance(each, ast.ImportFrom):
            yield from ((one.asname or one.name, f"{each.module}.{one.name}") for one in each.names)
