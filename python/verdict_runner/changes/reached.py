"""Finds the other definitions that each function of a module reaches in it.

It may find too much: whether two versions of a function are the same code is decided when they are paired (`live.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verdict_runner.changes import functions
from verdict_runner.changes.functions import Found
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
)

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
        method reaches what is not a method, since methods are listed themselves.
        """
        own = {*function.nodes}
        names, waiting = {}, [name for node in function.nodes for name in names_in(node)]
        waiting += self._given(function)
        others = [part for each in self._binders.get(function.name, ()) if each not in own for part in _choosing(each)]
        others += [each for each, touched in self._effects.items() if function.name in touched and each not in own]
        if others:
            names[function.name] = tuple(map(ast.dump, others))
            waiting += Mentions(others).names
        home = function.name.partition(".")[0] if function.is_method else None
        if home in self._binders:
            parts = [each for node in self._binders[home] for each in _apart_from_methods(node)]
            parts += [
                each for each, touched in self._effects.items() if home in touched and each not in self._binders[home]
            ]
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
            names[name] = tuple(self._dumps[each] for each in nodes)
            waiting += [further for each in nodes for further in self._mentioned[each]]
        return names

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


def _apart_from_methods(node: ast.stmt) -> list[ast.AST]:
    """What a class has besides its methods and texts; all of another statement."""
    if not isinstance(node, ast.ClassDef):
        return [node]
    is_text = [isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in node.body]
    body = [each for each, text in zip(node.body, is_text) if not text and not isinstance(each, FUNCTIONS)]
    return [*node.bases, *node.keywords, *node.decorator_list, *body]


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


def names_in(node: ast.stmt) -> set[str]:
    """The module's variables that code can reach; a function's annotations are ignored."""
    return {*Mentions([functions.code_of(node) if isinstance(node, FUNCTIONS) else node]).names}


def _meaning(node: ast.stmt) -> str:
    """A module's statement as text, without what has no effect: docstrings and function annotations."""
    if not isinstance(node, FUNCTIONS):
        return ast.dump(node)
    return f"{node.name} {ast.dump(functions.code_of(node))}"
