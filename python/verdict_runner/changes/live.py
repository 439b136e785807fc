"""Decides whether two versions of a function are the same code, including all code that a call can run.

A definition of the module is live if live code contains its name. A member of a class is live if the class is, and live code
contains the member's name or Python can use the member by itself. What runs while the module is loaded is always live. Two
versions are the same code if what is live is equal, apart from forms with the same meaning (`normal.py`).
"""

from __future__ import annotations

import ast
import functools
import sys
from collections import Counter
from collections.abc import Sequence

from verdict_runner.changes.module import READS_PLACES, READS_TEXTS, Module, Piece, Uses
from verdict_runner.changes.normal import Normal, is_assignment, is_empty
from verdict_runner.changes.reading import parsed
from verdict_runner.symbolic.code import reach, unread
from verdict_runner.symbolic.code.mentions import FUNCTIONS, top

# The maximum number of cached modules.
MODULES_MAX = 4


@functools.lru_cache(maxsize=MODULES_MAX)
def module_of(text: str) -> Module:
    """The module of a text, which is asked about again for each of its functions; raises what `parsed` raises."""
    return Module(parsed(text).body)


def differences(reached: Sequence[Module], modules: Sequence[Module], root: str) -> list[str] | None:
    """The names of the live code that differs between two versions of a module, of which a function reaches a part; None if
    no call can run other code. All of the module is compared if code can find definitions that it does not name.
    """
    sides = [_Live(each, each.reached(root), root) for each in reached]
    names = _different(sides)
    if names is None and (any(each.uses.is_whole for each in sides) or any(each.is_hidden for each in modules)):
        return _different([_Live(each, each.statements, root) for each in modules])
    return names


def _different(sides: Sequence[_Live]) -> list[str] | None:
    has_places = any(each.reads_places for each in sides)
    has_texts = has_places or any(each.reads_texts for each in sides)
    one, other = (each.code(has_texts, has_places) for each in sides)
    if one == other:
        return None
    # If only the order differs, the names are those of the first code that has another place.
    more = {*(Counter(one) - Counter(other)), *(Counter(other) - Counter(one))} or {
        next(a for a, b in zip(one, other) if a != b)
    }
    return [*dict.fromkeys(name for names, form in [*other, *one] if (names, form) in more for name in names)]


class _Live:
    """The live code of one version."""

    def __init__(self, module: Module, statements: Sequence[ast.stmt], root: str) -> None:
        self._module = module
        self._root = root
        self._pieces = [piece for each in statements for piece in module.pieces[each]]
        self.uses = Uses({root.partition(".")[0], *reach.IMPLICIT} - READS_TEXTS, {*root.split(".")})
        self.uses.reads_members = module.has_hooks
        self._live: set[Piece] = set()
        self._find()
        found = self.uses.variables | self.uses.attributes
        self.reads_texts = self.uses.is_whole or self.uses.reads_members or bool(READS_TEXTS & found)
        self.reads_places = bool(READS_PLACES & found)

    def _find(self) -> None:
        """Adds pieces until live code names no further ones."""
        for each in self._pieces:
            self.uses.add(self._module.uses_of_parts(each))
            if each.acts:
                self.uses.variables |= {each.home} if each.home else each.names
        waiting = self._pieces
        while more := {each for each in waiting if self._is_live(each)}:
            waiting = [each for each in waiting if each not in more]
            self._live |= more
            for each in more:
                # A function, like the constructors of its arguments, receives objects of the classes in its types.
                is_given = bool(each.names & {self._root.rpartition(".")[2], "__init__", "__new__"})
                self.uses.add(self._module.uses_of(each, is_given or self._module.keeps_types))

    def _is_live(self, piece: Piece) -> bool:
        uses, module, names = self.uses, self._module, piece.names
        if uses.is_whole:
            return True
        is_class = isinstance(piece.node, ast.ClassDef)
        if piece.home is None:
            return not piece.is_plain or bool(names & uses.variables) or (module.has_hooks and is_class)
        if piece.home not in uses.variables and not module.has_hooks:
            return False
        is_function = isinstance(piece.node, FUNCTIONS)
        if not is_function and (piece.parts or not is_assignment(piece.node)):
            return True
        if uses.reads_members or names & uses.attributes or piece.home in module.open:
            return True
        if module.is_generic(piece.node):
            return piece.home in uses.indexed
        if is_function and names <= unread.COPYING:
            return uses.copies
        return any("__" in each or each in _of_library() for each in names)

    def code(self, has_texts: bool, has_places: bool) -> list[tuple[tuple[str, ...], str]]:
        """The live code in its normal form, in its order, with its names."""
        return [
            (piece.shown, form)
            for piece in self._pieces
            if not isinstance(piece.node, ast.Pass) and (has_texts or not is_empty(piece.node))
            for form in self._forms(piece, has_texts, has_places)
        ]

    def _forms(self, piece: Piece, has_texts: bool, has_places: bool) -> list[str]:
        is_live = piece in self._live
        known = piece.forms.get((is_live, has_texts, has_places))
        if known is None:
            normal = Normal(has_texts, self._module.has_object)
            nodes = [piece.node] if is_live else piece.parts
            known = [ast.dump(normal.of(each), include_attributes=has_places) for each in nodes]
            piece.forms[is_live, has_texts, has_places] = known
        return known


@functools.lru_cache(maxsize=1)
def _of_library() -> frozenset[str]:
    """The names of methods of Python's classes: Python's functions call such methods on any object."""
    modules = [each for name, each in sys.modules.copy().items() if top(name) in sys.stdlib_module_names]
    classes = {each for module in modules for each in [*vars(module).values()] if isinstance(each, type)}
    return frozenset(name for each in classes for one in each.__mro__ for name in vars(one))
