"""Decides whether two versions of a function are the same code, including all code that a call can run.

A definition of the module is live if live code contains its name. A member of a class is live if the class is, and live code
contains the member's name or Python can use the member by itself. What runs while the module is loaded is always live. Two
versions are the same code if what is live is equal, apart from forms with the same meaning (`normal.py`).
"""

from __future__ import annotations

import ast
import functools
import pickle
import sys
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from verdict_runner.changes.module import READS_CODE, READS_PLACES, READS_TEXTS, Module, Piece, Shown, Uses
from verdict_runner.changes.normal import Normal, is_assignment, is_empty
from verdict_runner.changes.reading import parsed
from verdict_runner.changes.risks import Risks, risks_in
from verdict_runner.symbolic.code import reach, unread
from verdict_runner.symbolic.code.mentions import FUNCTIONS, arguments_of, top

# Types whose equal values can replace each other, and the parts of annotations made of them.
IMMUTABLE = frozenset("int str bool float complex bytes Optional Union".split())
IMMUTABLE_TYPE = (ast.Name, ast.Subscript, ast.BinOp, ast.BitOr, ast.Tuple, ast.Constant, ast.Load)
# The maximum number of cached modules.
MODULES_MAX = 4
# The maximum number of files of which the risks are cached.
FILES_MAX = 100


@dataclass(frozen=True)
class Use:
    """A function that differs, and that a function with the same code uses: `Use` in `changes.ts`."""

    name: str
    # Whether a proof that both versions are equivalent also decides about its callers: it has the same parameters, of
    # immutable types, and the same `raise` statements, and no code reads its text.
    by_value: bool
    # The path of its module; empty for the module of the function that uses it.
    path: str = ""


@functools.lru_cache(maxsize=MODULES_MAX)
def module_of(text: str) -> Module:
    """The module of a text, which is asked about again for each of its functions; raises what `parsed` raises."""
    return Module(parsed(text).body)


def reached_of(tree: ast.Module, texts: Sequence[str]) -> Module:
    """What a function reaches, which is often the same for others; `texts` are those of all files of the version."""
    return _reached_of(pickle.dumps(tree, pickle.HIGHEST_PROTOCOL), tuple(texts))


@functools.lru_cache(maxsize=MODULES_MAX)
def _reached_of(pickled: bytes, texts: Sequence[str]) -> Module:
    return Module(pickle.loads(pickled).body, [*map(risks_of, texts)])


@functools.lru_cache(maxsize=FILES_MAX)
def risks_of(text: str) -> Risks:
    """The risks in a file."""
    return risks_in([*ast.walk(parsed(text))])


def difference(reached: Sequence[Module], modules: Sequence[Module], root: str) -> Difference | None:
    """What differs in the live code of two versions of a module, of which a function reaches a part; None if no call can
    run other code. All of the module is compared if code can find definitions that it does not name.
    """
    difference = Difference(reached, modules, root)
    return difference if difference.is_real else None


class Difference:
    """What differs in the live code of two versions."""

    def __init__(self, reached: Sequence[Module], modules: Sequence[Module], root: str) -> None:
        self._modules = modules
        self._root = root
        self._is_hidden = any(each.is_hidden for each in modules)
        self._reached = _Comparison([_Live(each, each.reached(root), root) for each in reached])
        shown = self._reached
        if not shown.differing and (self._is_hidden or shown.is_whole):
            shown = self._whole
        self.is_real = bool(shown.differing)
        self.names = shown.names

    @functools.cached_property
    def _whole(self) -> _Comparison:
        return _Comparison([_Live(each, each.statements, self._root) for each in self._modules])

    @functools.cached_property
    def uses(self) -> list[Use] | None:
        """The functions that differ and that other code calls; None if other code can notice a difference without them."""
        uses, is_whole = self._reached.as_written().uses
        if uses is not None and (is_whole or self._is_hidden):
            others = self._whole.as_written().uses[0]
            uses = None if others is None else [*dict.fromkeys((*uses, *others))]
        return uses


class _Comparison:
    """Two versions of live code."""

    def __init__(self, sides: Sequence[_Live], as_written: bool = False) -> None:
        self._sides = sides
        self.is_whole = any(each.uses.is_whole for each in sides)
        has_places = any(each.reads_places for each in sides)
        self._shown = Shown(
            texts=has_places or any(each.reads_texts for each in sides),
            forms=as_written or has_places or any(each.reads_code for each in sides),
            places=has_places,
        )
        one, other = ([(piece.shown, form) for piece, form in each.code(self._shown)] for each in sides)
        # If only the order differs, the names are those of the first code that has another place.
        more = {*(Counter(one) - Counter(other)), *(Counter(other) - Counter(one))}
        self.differing = more or {*[a for a, b in zip(one, other) if a != b][:1]}
        found = [names for names, form in [*other, *one] if (names, form) in self.differing]
        self.names = [*dict.fromkeys(each for names in found for each in names)]

    def as_written(self) -> _Comparison:
        """The comparison of the code as it is written, in which a function's form does not depend on the imports."""
        return self if self._shown.forms else _Comparison(self._sides, as_written=True)

    @functools.cached_property
    def uses(self) -> tuple[list[Use] | None, bool]:
        """`Difference.uses`, and whether code outside of the functions that differ can reach all of its module."""
        outside = [each.outside(self._changed(each)) for each in self._sides]
        is_whole = any(each.uses.is_whole for each in outside)
        befores, afters = ({each.shown: each for each in side.used} for side in outside)
        # Functions that only one version has, and that do nothing while they are loaded.
        alone = {each for shown, each in (befores | afters).items() if (shown in befores) != (shown in afters)}
        alone = {each for each in alone if not each.parts}
        one, other = (
            [(piece.shown, form) for piece, form in each.code(self._shown) if piece not in alone] for each in outside
        )
        if one != other:
            return None, is_whole
        raised, raised_now = (
            Counter(form for each in self._changed(side) for form in _raised(each)) for side in self._sides
        )
        is_by_value = not self._shown.texts and raised == raised_now
        names = dict.fromkeys((*afters, *befores))
        return [
            Use(each[0], is_by_value and _has_one_header(befores.get(each), afters.get(each))) for each in names
        ], is_whole

    def _changed(self, side: _Live) -> set[Piece]:
        code = side.code(self._shown)
        return {
            each for each, form in code if (each.shown, form) in self.differing and isinstance(each.node, FUNCTIONS)
        }


def _has_one_header(before: Piece | None, after: Piece | None) -> bool:
    """Whether two versions have the same parameters and result, of immutable types."""
    header = before and _header(before)
    return header is not None and after is not None and header == _header(after)


def _header(piece: Piece) -> str | None:
    """The parameters and types of a function; None if they are not all immutable, or depend on other code."""
    if not isinstance(piece.node, FUNCTIONS):
        return None
    arguments = piece.node.args
    types = [piece.node.returns, *(each.annotation for each in arguments_of(piece.node))]
    nodes = [one for each in types for one in ast.walk(each or ast.Pass())]
    defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
    is_plain = all(
        isinstance(each, IMMUTABLE_TYPE)
        and getattr(each, "id", "int") in IMMUTABLE
        and not (isinstance(each, ast.Constant) and isinstance(each.value, str))
        for each in nodes
    )
    is_fixed = all(isinstance(one, reach.FIXED) for each in defaults for one in ast.walk(each))
    return (
        f"{ast.dump(arguments)} {piece.node.returns and ast.dump(piece.node.returns)}"
        if is_plain and is_fixed
        else None
    )


def _raised(piece: Piece) -> list[str]:
    return [ast.dump(each) for each in ast.walk(piece.node) if isinstance(each, (ast.Raise, ast.Assert))]


class _Live:
    """The live code of one version."""

    def __init__(
        self, module: Module, statements: Sequence[ast.stmt], root: str, ends: Set[Piece] = frozenset()
    ) -> None:
        """What the functions in `ends` use is left out, as is their code."""
        self._module = module
        self._statements = statements
        self._root = root
        self._ends = ends
        self._pieces = [piece for each in statements for piece in module.pieces[each]]
        self.uses = Uses({root.partition(".")[0], *reach.IMPLICIT} - READS_TEXTS, {*root.split(".")})
        self.uses.reads_members = module.has_hooks
        self._live: set[Piece] = set()
        self._find()
        found = self.uses.variables | self.uses.attributes
        self.reads_texts = self.uses.is_whole or self.uses.reads_members or bool(READS_TEXTS & found)
        self.reads_code = self.uses.is_whole or self.uses.reads_members or bool(READS_CODE & found)
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
            for each in more - self._ends:
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

    def outside(self, ends: Set[Piece]) -> _Live:
        """The code that is live without these functions' code."""
        return _Live(self._module, self._statements, self._root, ends & self._live)

    @property
    def used(self) -> list[Piece]:
        """Those of the functions without code that are live, in their order."""
        return [each for each in self._pieces if each in self._ends & self._live]

    def code(self, shown: Shown) -> list[tuple[Piece, str]]:
        """The live code in its normal form, in its order."""
        return [
            (piece, form)
            for piece in self._pieces
            if not isinstance(piece.node, ast.Pass) and (shown.texts or not is_empty(piece.node))
            for form in self._forms(piece, shown)
        ]

    def _forms(self, piece: Piece, shown: Shown) -> list[str]:
        is_live = piece in self._live
        if is_live and piece in self._ends and isinstance(piece.node, FUNCTIONS):
            decorators = [ast.dump(each) for each in (*piece.node.decorator_list, *piece.parts)]
            return [" ".join((type(piece.node).__name__, *decorators))]
        known = piece.forms.get((is_live, shown))
        if known is None:
            references = None if shown.forms else self._module.references
            normal = Normal(shown.texts, self._module.has_object, references)
            nodes = [piece.node] if is_live else piece.parts
            made = [normal.of(each) for each in nodes]
            known = [ast.dump(each, include_attributes=shown.places) for each in made if each is not None]
            piece.forms[is_live, shown] = known
        return known


@functools.lru_cache(maxsize=1)
def _of_library() -> frozenset[str]:
    """The names of methods of Python's classes: Python's functions call such methods on any object."""
    modules = [each for name, each in sys.modules.copy().items() if top(name) in sys.stdlib_module_names]
    classes = {each for module in modules for each in [*vars(module).values()] if isinstance(each, type)}
    return frozenset(name for each in classes for one in each.__mro__ for name in vars(one))
