"""Finds what each function of a module reaches in it: other definitions, and the constants of its class that it reads."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator

from verdict_runner.changes import functions
from verdict_runner.changes.functions import Found
from verdict_runner.changes.reading import PACKAGES
from verdict_runner.sandbox.allowed import FORMATTING
from verdict_runner.symbolic.code import reach
from verdict_runner.symbolic.code.loading import Loading
from verdict_runner.symbolic.code.mentions import (
    BY_TEXT,
    DEFINITIONS,
    FUNCTIONS,
    IDENTIFIER,
    Mentions,
    arguments_of,
    binding,
    root_of,
    top,
)

# What stands for the names that code may read without containing them.
ANY = "*"
# Names by which it reaches attributes through texts.
BY_ATTRIBUTE = BY_TEXT | frozenset(
    "* getattr hasattr attrgetter methodcaller __dict__ __getattribute__ inspect".split()
)
# The parts of objects that code can set.
PLACES = (ast.Attribute, ast.Subscript)
IMPORTS = (ast.Import, ast.ImportFrom)
# Names through which code reads docstrings and annotations; if one occurs, these are compared like other code.
READS_TEXTS = frozenset(
    "__doc__ __annotations__ get_type_hints get_annotations getdoc signature getfullargspec __signature__".split()
)


class Side:
    """One version of a module: its functions, and what each function can reach in the module."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions = functions.found_in(tree)
        self.reads_texts = any(
            getattr(each, "id", getattr(each, "attr", None)) in READS_TEXTS for each in ast.walk(tree)
        )
        self._binders: dict[str, list[ast.stmt]] = {}
        self._mentioned: dict[ast.stmt, set[str]] = {}
        self._dumps: dict[ast.stmt, str] = {}
        self._read: dict[ast.AST, set[str]] = {}
        # Names that the module binds to values, not to modules or definitions.
        self._data = {
            name for node in tree.body if not isinstance(node, (*DEFINITIONS, *IMPORTS)) for name in binding(node)
        }
        self._has_star = any(isinstance(each, ast.ImportFrom) and each.names[0].name == ANY for each in tree.body)
        for node in tree.body:
            self._mentioned[node] = names_in(node)
            self._dumps[node] = _meaning(node)
            for name in binding(node):
                self._binders.setdefault(name, []).append(node)
        loading = Loading(tree)
        # Statements that can change objects while the module is loaded, with the names of those objects.
        self._effects = {
            node: names
            for node, names in reach.changing(tree.body, loading, self._binders.keys()).items()
            if any(map(self._acts, [*loading.parts(node), *getattr(node, "bases", [])]))
        }

    def _acts(self, node: ast.AST) -> bool:
        """Whether executed code is a statement, or mentions a function or a class of the module."""
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        return isinstance(node, ast.stmt) or any(
            isinstance(each, DEFINITIONS) for name in names for each in self._binders.get(name, ())
        )

    def reached(self, function: Found) -> dict[str, tuple[str, ...]]:
        """What a function reaches in its module, by names, as fingerprints; without the function itself. Of its class, a
        method reaches what is not a method (those are listed themselves), but only the constants that it, or code that it
        reaches, reads.
        """
        read: set[str] = {function.name.rpartition(".")[2], *([ANY] if self._has_star else ())}
        while True:
            names, code = self._reached(function, read)
            further = read.union(*map(self._reads, code))
            if further == read or not function.is_method:
                return names
            read = further

    def _reads(self, node: ast.AST) -> set[str]:
        if node not in self._read:
            self._read[node] = _read_by(node)
        return self._read[node]

    def _reached(self, function: Found, read: set[str]) -> tuple[dict[str, tuple[str, ...]], list[ast.AST]]:
        """What a function reaches if it reads constants with these names; also the code itself, with the function."""
        own = {*function.nodes}
        code: list[ast.AST] = [*own]
        names, waiting = {}, [name for node in function.nodes for name in names_in(node)]
        waiting += self._given(function)
        others = [part for each in self._binders.get(function.name, ()) if each not in own for part in _choosing(each)]
        others += [each for each, touched in self._effects.items() if function.name in touched and each not in own]
        if others:
            code += others
            names[function.name] = tuple(map(ast.dump, others))
            waiting += Mentions(others).names
        home = function.name.partition(".")[0] if function.is_method else None
        if home in self._binders:
            parts = [each for node in self._binders[home] for each in self._apart_from_methods(node, read)]
            parts += [
                each for each, touched in self._effects.items() if home in touched and each not in self._binders[home]
            ]
            code += parts
            names[home] = tuple(map(ast.dump, parts))
            waiting += Mentions(parts).names
        if BY_TEXT & {*waiting}:
            waiting += self._binders
        while waiting:
            name = waiting.pop()
            if name in names or name not in self._binders or name == function.name:
                continue
            nodes = [each for each in self._binders[name] if each not in own]
            nodes += [each for each, touched in self._effects.items() if name in touched and each not in nodes]
            code += nodes
            names[name] = tuple(self._dumps[each] for each in nodes)
            waiting += [further for each in nodes for further in self._mentioned[each]]
        # Other code that has the class can call methods that read any constant.
        if any(home in self._mentioned.get(each, ()) for each in code if isinstance(each, ast.stmt)):
            code.append(ast.Name(ANY, ast.Load()))
        return names, code

    def _given(self, function: Found) -> Iterator[str]:
        """Yields the module's classes in a function's parameter types: the function receives their instances."""
        arguments = [each for node in function.nodes if isinstance(node, FUNCTIONS) for each in arguments_of(node)]
        waiting = [name for each in arguments if each.annotation for name in _types_in(each.annotation)]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for each in self._binders.get(name, ()):
                if isinstance(each, ast.ClassDef):
                    yield name
                else:
                    waiting += self._mentioned[each]

    def _apart_from_methods(self, node: ast.stmt, read: set[str]) -> list[ast.AST]:
        """What a class has besides its methods and texts, and besides constants that are not among the names `read`; all of
        another statement. A class that inherits or is decorated can use its constants itself.
        """
        if not isinstance(node, ast.ClassDef):
            return [node]
        makers = [*node.bases, *node.keywords, *node.decorator_list]
        body = [
            each
            for each in node.body
            if not isinstance(each, FUNCTIONS)
            and not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        ]
        is_whole = makers or read & (BY_ATTRIBUTE | READS_TEXTS)
        data = self._data.union(*map(binding, body))
        constants = {} if is_whole else {each: _touched(each) for each in body if self._is_constant(each, data)}
        wanted = read.union(*(self._reads(each) for each in body if each not in constants))
        while further := [each for each, names in constants.items() if names & wanted]:
            for each in further:
                del constants[each]
            wanted = wanted.union(*map(self._reads, further))
        return [*makers, *(each for each in body if each not in constants)]

    def _is_constant(self, node: ast.stmt, data: set[str]) -> bool:
        """Whether a statement of a class only binds names that mean nothing to Python, and calls neither code of the module
        nor methods of these variables `data`.
        """
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if value is None or self._acts(value) or any(each[:2] == "__" for each in binding(node)):
            return False
        nodes = [*ast.walk(node)]
        callers = [(each.func, root_of(each.func)) for each in nodes if isinstance(each, ast.Call)]
        return not any(isinstance(each, PLACES) and not isinstance(each.ctx, ast.Load) for each in nodes) and not any(
            root in data if root else not isinstance(getattr(each, "value", None), ast.Constant)
            for each, root in callers
        )


def _touched(node: ast.stmt) -> set[str]:
    """The names that a statement binds, and the names of objects that its calls can change."""
    nodes = [*ast.walk(node)]
    calls = any(isinstance(each, ast.Call) for each in nodes)
    read = {each.id for each in nodes if isinstance(each, ast.Name) and not hasattr(builtins, each.id)}
    return {*binding(node), *(read if calls else ())}


def _choosing(node: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that decide which definition a name gets, without the definitions in its blocks."""
    if not isinstance(node, (ast.If, ast.Try)):
        return [node]
    return [each.test for each in ast.walk(node) if isinstance(each, ast.If)]


def _types_in(annotation: ast.expr) -> Iterator[str]:
    """The names in an annotation, including those in its string literals."""
    for each in ast.walk(annotation):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield from IDENTIFIER.findall(each.value)


def _read_by(code: ast.AST) -> set[str]:
    """The names of variables and attributes in this code, also in its texts; with `ANY` if code of other files, or a text
    that is made at run time, can read further ones.
    """
    names = set()
    for each in ast.walk(code):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            names.update(IDENTIFIER.findall(each.value))
        elif isinstance(each, ast.MatchClass):
            names.update(each.kwd_attrs)
        elif isinstance(each, IMPORTS):
            homes = [name.name for name in each.names] if isinstance(each, ast.Import) else [each.module or ""]
            names.update(part for name in (*homes, *(name.name for name in each.names)) for part in name.split("."))
            names.update([] if all(map(_is_public, homes)) and not getattr(each, "level", 0) else [ANY])
        elif isinstance(each, ast.Attribute) and each.attr in FORMATTING and not isinstance(each.value, ast.Constant):
            names.add(ANY)
        names.add(getattr(each, "attr", getattr(each, "id", "")))
    return names


def _is_public(module: str) -> bool:
    """Whether a module can't be one of the repository."""
    return top(module) in sys.stdlib_module_names or top(module) in PACKAGES


def names_in(node: ast.stmt) -> set[str]:
    """The module's variables that code can reach; a function's annotations are ignored."""
    return {*Mentions([functions.code_of(node) if isinstance(node, FUNCTIONS) else node]).names}


def _meaning(node: ast.stmt) -> str:
    """A module's statement as text, without what has no effect: docstrings and function annotations."""
    if not isinstance(node, FUNCTIONS):
        return ast.dump(node)
    return f"{node.name} {ast.dump(functions.code_of(node))}"
