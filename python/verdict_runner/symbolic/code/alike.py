"""Finds what two versions of a module have in common, and combines both in one syntax tree for the prover."""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Set

from verdict_runner.symbolic.code import reach
from verdict_runner.symbolic.code.loading import Loading
from verdict_runner.symbolic.code.mentions import BY_TEXT, Mentions, binding
from verdict_runner.symbolic.code.renaming import Ambiguous, rename

# The suffix of the older version's names in a combined tree; no program can write such a name.
OLDER = "@base"
# Variables that Python itself defines in a module.
OF_MODULE = frozenset("__doc__ __file__ __package__ __path__ __dict__".split()) | BY_TEXT


def _statements(tree: ast.Module) -> list[ast.stmt]:
    return [each for node in tree.body for each in reach.separated(node)]


class _Version:
    """One version's statements, and the code that determines the meaning of each name."""

    def __init__(self, tree: ast.Module) -> None:
        self.statements = _statements(tree)
        module = ast.Module([*self.statements], [])
        loading = Loading(module)
        self.binders: dict[str, list[ast.stmt]] = {}
        self._dumps: dict[ast.AST, str] = {}
        self._mentions: dict[ast.AST, set[str]] = {}
        for each in self.statements:
            for name in binding(each):
                self.binders.setdefault(name, []).append(each)
        self._changes = reach.changing(self.statements, loading, self.binders.keys(), in_doubt=True)
        # Of a statement that changes an object, only the parts that run while the module is loaded count.
        is_whole = reach.has_hooks(module, loading)
        self._runs: dict[ast.stmt, list[ast.AST]] = {
            each: [each] if is_whole else [*loading.parts(each)] for each in self._changes
        }

    def makers(self, name: str) -> list[ast.AST]:
        """Returns the statements that bind a name, and the code that can change the object to which it refers."""
        makers: list[ast.AST] = []
        for each in self.statements:
            if each in self.binders[name]:
                makers.append(each)
            elif name in self._changes.get(each, ()):
                makers += self._runs[each]
        return makers

    @functools.cached_property
    def meanings(self) -> dict[str, tuple[str, ...]]:
        """For each name, the code that determines its meaning."""
        return {name: tuple(self._dump(each) for each in self.makers(name)) for name in self.binders}

    @functools.cached_property
    def mentioned(self) -> dict[str, set[str]]:
        """For each name, the names that its code mentions, and other names that its statements bind."""
        return {
            name: {other for each in nodes for other in binding(each)}
            | {other for each in self.makers(name) for other in self._names(each)}
            for name, nodes in self.binders.items()
        }

    def _dump(self, node: ast.AST) -> str:
        known = self._dumps.get(node)
        if known is None:
            known = self._dumps[node] = ast.dump(node)
        return known

    def _names(self, node: ast.AST) -> set[str]:
        known = self._mentions.get(node)
        if known is None:
            known = self._mentions[node] = Mentions([node]).names
        return known


# A replay loads the same two trees several times.
@functools.lru_cache(maxsize=4)
def alike(older: ast.Module, newer: ast.Module) -> frozenset[str]:
    """Returns the names that have the same meaning in both versions, including everything that they reach."""
    one, other = _Version(older), _Version(newer)
    known = one.binders.keys() | other.binders.keys()
    both = {name for name in one.binders.keys() & other.binders.keys() if one.meanings[name] == other.meanings[name]}
    if "*" in known - both:
        return frozenset()
    while lost := {
        name
        for name in both
        for each in one.mentioned[name]
        if (each in known and each not in both) or each in OF_MODULE
    }:
        both -= lost
    return frozenset(both)


def together(older: ast.Module, newer: ast.Module, root: str) -> ast.Module:
    """Combines both versions in one tree.

    Definitions of the older version that differ, and its function `root`, are renamed. Raises `Ambiguous`.
    """
    both = alike(older, newer) - {root}
    own = [copy.deepcopy(each) for each in _statements(older) if not _is_in(each, both)]
    names = {name: f"{name}{OLDER}" for each in own for name in binding(each)}
    defined = {name for each in newer.body for name in binding(each)} - both
    for each in own:
        for name in Mentions([each]).names:
            # The newer version must not define a name for which the older version uses Python's own definition.
            if name in defined and name not in names:
                raise Ambiguous(name, each.lineno)
        rename(each, names)
    return ast.Module([*newer.body, *own], [])


def _is_in(node: ast.stmt, names: Set[str]) -> bool:
    """Whether a statement binds only these names, or is only a constant."""
    bound = {*binding(node)}
    return bound <= names if bound else isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
