"""Decides whether two versions of a function are the same code, including all code that a call can run.

A definition of the module is live if live code contains its name. A member of a class is live if the class is, and live code
contains the member's name or Python can use the member by itself. What runs while the module is loaded is always live. Two
versions are the same code if what is live is equal, apart from forms with the same meaning (`_Normal`).
"""

from __future__ import annotations

import ast
import builtins
import collections
import copy
import functools
import sys
import types
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from verdict_runner.changes.functions import without_docstring
from verdict_runner.sandbox.allowed import FORMATTING
from verdict_runner.symbolic.code import reach, unread
from verdict_runner.symbolic.code.loading import Loading
from verdict_runner.symbolic.code.mentions import (
    BY_TEXT,
    FUNCTIONS,
    IDENTIFIER,
    STORING,
    FunctionNode,
    Mentions,
    arguments_of,
    binding,
    imported,
    named,
    root_of,
    top,
)

IMPORTS = (ast.Import, ast.ImportFrom)
# Names through which code reads docstrings and annotations, or the text of code.
READS_TEXTS = frozenset(
    "__doc__ __annotations__ get_type_hints get_annotations getdoc signature getfullargspec __signature__ getsource "
    "getsourcelines getcomments __code__ co_consts singledispatch singledispatchmethod".split()
)
# Names through which code reads members of classes by texts.
BY_ATTRIBUTE = frozenset(
    "vars dir __dict__ __getattribute__ getmembers getmembers_static getattr_static __annotations__ get_type_hints get_annotations".split()
)
# Names through which code reaches definitions that it does not name.
OF_GLOBALS = frozenset("f_globals __globals__".split())
LEADING = OF_GLOBALS | frozenset(
    "f_locals f_builtins __closure__ __subclasses__ modules import_module getmodule getclosurevars get_objects get_referrers "
    "py_object pythonapi from_address cast".split()
)
# Modules of Python that reach the module's objects only through their arguments.
TAME = reach.CONTAINED - unread.COPIERS | frozenset(
    "_thread builtins codecs ctypes concurrent errno gettext gzip importlib inspect io linecache locale select signal socket ssl stat sys "
    "sysconfig threading types typing warnings weakref".split()
)
# Parts of values, and functions of Python that change nothing.
INERT = (*reach.FIXED, ast.List, ast.Dict, ast.Set, ast.Name, ast.Attribute, ast.Call, ast.keyword)
MAKING = frozenset(
    "object frozenset set dict list tuple str bytes int float bool len range min max sorted sum abs property staticmethod "
    "classmethod".split()
)
GETTERS = frozenset("attrgetter methodcaller".split())
# Modules that can copy any object, and so use the methods with which a class decides how it is copied.
COPYING = unread.COPIERS | frozenset(
    "argparse concurrent configparser logging optparse queue shutil tempfile timeit".split()
)


def same(older: Sequence[ast.stmt], newer: Sequence[ast.stmt], root: str) -> bool:
    """Whether a function and all code that its calls can run are the same in two versions of a module."""
    if [*map(ast.dump, older)] == [*map(ast.dump, newer)]:
        return True
    sides = [_Live(each, root) for each in (older, newer)]
    has_texts = any(each.reads_texts for each in sides)
    one, other = (each.code(has_texts) for each in sides)
    return one == other


@dataclass(eq=False)
class _Piece:
    """A statement of the module without the members of a class, or a member."""

    node: ast.stmt
    # The class of a member, and the code that runs while the module is loaded.
    home: str | None = None
    parts: list[ast.AST] = field(default_factory=list)

    @functools.cached_property
    def names(self) -> set[str]:
        return {*binding(self.node)}


class _Live:
    """The live code of one version."""

    def __init__(self, statements: Sequence[ast.stmt], root: str) -> None:
        self.tree = ast.Module([*statements], [])
        self._loading = Loading(self.tree)
        self._root = root
        self._classes = {each.name: each for each in statements if isinstance(each, ast.ClassDef)}
        nodes = [*ast.walk(self.tree)]
        self._globals = {name for each in nodes if isinstance(each, ast.Global) for name in each.names}
        self.bound = self._globals | {name for each in statements for name in binding(each)}
        self._pure = {*MAKING - self.bound, *_of_modules(self.tree, reach.PURE)}
        self._pieces = [piece for each in statements if not _is_empty(each) for piece in self._divided(each)]
        # The module's variables, and the attributes, that live code names; the variables whose brackets it can use.
        self._indexed: set[str] = set()
        self._variables, self._attributes = {root.partition(".")[0]}, {*root.split(".")}
        # Names by which code can pass arguments.
        self._keywords: set[str] = set()
        # With hooks, code of one class can run while another one is created.
        self._has_hooks = reach.has_hooks(self.tree, self._loading)
        self._is_whole = self._reads_members = self._copies = False
        self._live: set[_Piece] = set()
        self._find()
        self.reads_texts = bool(READS_TEXTS & (self._variables | self._attributes))

    def _divided(self, node: ast.stmt) -> Iterator[_Piece]:
        if not isinstance(node, ast.ClassDef) or node.decorator_list or node.keywords:
            yield _Piece(node, None, [*self._acting(node)])
            return
        head = copy.copy(node)
        head.body = [ast.copy_location(ast.Pass(), node)]
        yield _Piece(head, None, [*self._acting(head)])
        for each in node.body:
            if not _is_empty(each):
                yield _Piece(each, node.name, [*self._acting(each)])

    def _acting(self, node: ast.stmt) -> Iterator[ast.AST]:
        """The code that runs while a statement is loaded and that can use or change other objects."""
        for each in self._loading.parts(node):
            nodes = [*ast.walk(each)]
            names = {one.id for one in nodes if isinstance(one, ast.Name)}
            attributes = {one.attr for one in nodes if isinstance(one, ast.Attribute)}
            is_inert = all(isinstance(one, INERT) for one in nodes) and names <= self._pure
            if not is_inert or attributes & (STORING | {"register"}):
                yield each

    def _find(self) -> None:
        """Adds pieces until live code names no further ones."""
        for each in self._pieces:
            for part in each.parts:
                self._add(part, is_outside=True)
        while more := [each for each in self._pieces if each not in self._live and self._is_live(each)]:
            for each in more:
                self._live.add(each)
                # A function, like the constructors of what it is given, receives objects of the classes in its types.
                is_given = bool(each.names & {self._root.rpartition(".")[2], "__init__"})
                self._add(_bare(each.node, keeps_types=is_given), is_outside=not isinstance(each.node, FUNCTIONS))

    def _is_live(self, piece: _Piece) -> bool:
        if self._is_whole:
            return True
        node, names = piece.node, piece.names
        if piece.home is None:
            is_plain = isinstance(node, (*FUNCTIONS, ast.ClassDef, *IMPORTS)) or _is_assignment(node)
            is_plain |= isinstance(node, (ast.If, ast.Try)) and not piece.parts and bool(names)
            return (
                not is_plain
                or "*" in names
                or bool(names & self._variables)
                or _is_future(node)
                or (self._has_hooks and isinstance(node, ast.ClassDef))
            )
        if piece.home not in self._variables and not self._has_hooks:
            return False
        if not isinstance(node, FUNCTIONS) and (piece.parts or not _is_assignment(node)):
            return True
        if self._loading.is_generic(node) and not self._is_whole:
            return piece.home in self._indexed
        if self._reads_members or names & self._attributes or self._is_open(piece.home):
            return True
        if names <= unread.COPYING and isinstance(node, FUNCTIONS):
            return self._copies
        return any(each[:2] == "__" or each in _of_library() for each in names)

    def _is_open(self, name: str) -> bool:
        """Whether a class inherits from code that can call any of its members."""
        bases = [ast.unparse(each) for each in self._classes[name].bases]
        return any(
            self._is_open(each)
            if each in self._classes and each != name
            else each in self.bound or not _is_builtin(each)
            for each in bases
        )

    def _add(self, code: ast.AST, is_outside: bool) -> None:
        """Adds what code names. Outside of functions, a class's code can name its members as variables."""
        mentions = Mentions([code])
        held = {*_harmless(code)}
        nodes = [each for each in ast.walk(code) if each not in held]
        found = {name for each in nodes for name in _attributes(each)}
        if isinstance(code, FUNCTIONS):
            outside = [*code.decorator_list, *code.args.defaults, *filter(None, code.args.kw_defaults)]
            found |= Mentions(outside).names
        self._variables |= mentions.names
        brackets = {name for each in nodes if isinstance(each, ast.Subscript) and (name := root_of(each))}
        self._indexed |= brackets | mentions.bare | (self._classes.keys() if mentions.asks_class else set())
        self._attributes |= found | (mentions.names if is_outside else set())
        self._keywords |= found | {each.arg or "**" for each in nodes if isinstance(each, ast.keyword)}
        names = {
            name
            for each in nodes
            for name in (getattr(each, "attr", None), getattr(each, "id", None), getattr(each, "name", None))
        }
        modules = {top(module) for _, module in mentions.imports}
        self._is_whole |= bool(names & LEADING) or bool(modules - TAME - COPYING) or _names_variables_by_text(nodes)
        self._copies |= bool(modules & COPYING)
        self._reads_members |= bool(names & BY_ATTRIBUTE) or _reads_by_text(nodes)

    def code(self, has_texts: bool) -> list[str]:
        """The live code in its normal form. Only code that runs, and what is bound more than once, has an order."""
        normal = _Normal(self, has_texts)
        binders = collections.Counter((piece.home, name) for piece in self._pieces for name in piece.names)
        ordered, others = [], []
        for piece in self._pieces:
            nodes = [piece.node] if piece in self._live else piece.parts
            is_free = (
                not piece.parts and not self._globals and all(binders[piece.home, name] == 1 for name in piece.names)
            )
            if piece.home:
                is_free &= isinstance(piece.node, FUNCTIONS) and not (self._reads_members or self._is_open(piece.home))
            texts = [ast.dump(made) for each in nodes if (made := normal.of(each, piece.home)) is not None]
            (others if is_free else ordered).extend(f"{piece.home} {each}" for each in texts)
        return [*ordered, *sorted(others)]

    def locals_of(self, function: FunctionNode) -> dict[str, str]:
        """Names for a function's local variables that depend only on their places, as far as no code can read the names."""
        nodes = [*ast.walk(function)]
        if (
            self._is_whole
            or "*" in self.bound
            or any(isinstance(each, (ast.ClassDef, ast.Global, ast.Nonlocal)) for each in nodes)
        ):
            return {}
        bound = [each.arg for each in arguments_of(function)] + [
            each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
        ]
        fixed = self.bound | self._keywords | {*vars(builtins)}
        fixed |= {name for each in nodes if not isinstance(each, (ast.Name, ast.arg)) for name in named(each)}
        fixed |= {
            each.arg
            for one in nodes
            if one is not function and isinstance(one, (*FUNCTIONS, ast.Lambda))
            for each in arguments_of(one)
        }
        fixed |= {each.arg for each in arguments_of(function)} if "**" in self._keywords else {"self", "cls"}
        return {name: f"local {place}" for place, name in enumerate(dict.fromkeys(bound)) if name not in fixed}


class _Normal(ast.NodeTransformer):
    """Gives code a form that depends only on its meaning: without texts, and with the full names of imported objects."""

    def __init__(self, live: _Live, has_texts: bool) -> None:
        self._side = live
        self._has_texts = has_texts
        self._has_object = "object" not in live.bound
        self._origins = {} if has_texts else _origins(live.tree)
        self._is_local = False
        self._locals: dict[str, str] = {}

    def of(self, node: ast.AST, home: str | None) -> ast.AST | None:
        """The normal form of a member of a class or of a statement; None for an import whose names are replaced."""
        if isinstance(node, IMPORTS) and home is None and all(name in self._origins for name, _ in imported(node)):
            return None
        made = copy.deepcopy(node if self._has_texts else _bare(node))
        self._locals = self._side.locals_of(made) if isinstance(made, FUNCTIONS) and not self._has_texts else {}
        return self.visit(made)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        self.generic_visit(node)
        node.arg = self._locals.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._inside(node, True)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._inside(node, True)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._inside(node, False)
        if self._has_object:
            node.bases = [each for each in node.bases if ast.unparse(each) != "object" or len(node.bases) > 1]
        return node

    def _inside(self, node: ast.AST, is_local: bool) -> ast.AST:
        was_local, self._is_local = self._is_local, is_local
        self.generic_visit(node)
        self._is_local = was_local
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        is_plain = self._is_local and not self._has_texts and _is_assignment(node)
        return ast.Assign([node.target], node.value) if is_plain and node.value else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        origin = self._origins.get(node.id)
        name = self._locals.get(node.id, node.id) if origin is None else f"import {origin}"
        return ast.Name(name, node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        is_imported = isinstance(node.value, ast.Name) and node.value.id.startswith("import ")
        return ast.Name(f"{ast.unparse(node.value)}.{node.attr}", node.ctx) if is_imported else node


def _bare(node: ast.AST, keeps_types: bool = False) -> ast.AST:
    """Code without docstrings and, unless it `keeps_types`, without the annotations of functions that nothing decorates."""
    if not any(isinstance(each, (*FUNCTIONS, ast.ClassDef)) for each in ast.walk(node)):
        return node
    bare = copy.deepcopy(node)
    for each in ast.walk(bare):
        if isinstance(each, (*FUNCTIONS, ast.ClassDef)):
            without_docstring(each)
        if isinstance(each, FUNCTIONS) and not each.decorator_list and not keeps_types:
            each.returns = None
            for argument in arguments_of(each):
                argument.annotation = None
    return bare


def _origins(tree: ast.Module) -> dict[str, str]:
    """The full names of objects of Python's library, for the names that nothing but one import binds."""
    nodes = [*ast.walk(tree)]
    top_level = [each for each in tree.body if isinstance(each, IMPORTS)]
    origins: dict[str, list[str]] = {}
    for node in top_level:
        for each in node.names if isinstance(node, ast.Import) or not node.level else []:
            whole = each.asname or isinstance(node, ast.ImportFrom)
            home = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            origin = f"{home}{each.name}" if whole else top(each.name)
            origins.setdefault(each.asname or top(each.name), []).append(origin)
    inner = {alias for node in nodes if isinstance(node, IMPORTS) and node not in top_level for alias in node.names}
    others = {
        name
        for node in nodes
        if not isinstance(node, ast.keyword) and not isinstance(getattr(node, "ctx", None), ast.Load)
        for name in ([node.asname or top(node.name)] if isinstance(node, ast.alias) and node in inner else named(node))
        if not isinstance(node, ast.alias) or node in inner
    }
    code = Mentions([tree])
    if code.store_roots & origins.keys() or (
        code.bare & origins.keys() and STORING & (code.names | {name for _, name in code.attributes})
    ):
        return {}
    return {
        name: each[0]
        for name, each in origins.items()
        if len({*each}) == 1 and name not in others and _is_there(each[0])
    }


def _is_there(origin: str) -> bool:
    """Whether Python's library certainly has an object of this name."""
    first, *rest = origin.split(".")
    value: object = sys.modules.get(first) if first in sys.stdlib_module_names else None
    for each in rest:
        value = vars(value).get(each) if isinstance(value, types.ModuleType) else None
    return value is not None


def _attributes(node: ast.AST) -> Iterator[str]:
    """The names of attributes in a node, also in its texts."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from IDENTIFIER.findall(node.value)
    elif isinstance(node, ast.MatchClass):
        yield from node.kwd_attrs
    elif isinstance(node, ast.alias):
        yield from node.name.split(".")


def _harmless(code: ast.AST) -> Iterator[ast.AST]:
    """The parts that read no more than they name: a name of Python's in a frame, whether a module is loaded, and the fields
    of the object of a method.
    """
    for each in ast.walk(code):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "get":
            place, key = each.func.value, _text(each.args[0]) if each.args else None
            if isinstance(place, ast.Attribute) and place.attr in OF_GLOBALS and key in ("__name__", "__package__"):
                yield place
        elif isinstance(each, ast.Compare) and all(isinstance(one, (ast.In, ast.NotIn)) for one in each.ops):
            yield from (one for one in each.comparators if isinstance(one, ast.Attribute) and one.attr == "modules")
        elif isinstance(each, ast.Attribute) and ast.unparse(each) == "self.__dict__":
            yield each


def _reads_by_text(nodes: Sequence[ast.AST]) -> bool:
    """Whether code can read attributes whose names it does not contain."""
    calls = [each for each in nodes if isinstance(each, ast.Call) and each.args]
    plain = {each.func for each in calls if _text(each.args[-1 if len(each.args) < 2 else 1]) is not None}
    return any(
        (isinstance(each, ast.Name) and each.id in ("getattr", "hasattr", *GETTERS) and each not in plain)
        or (isinstance(each, ast.Attribute) and each.attr in GETTERS and each not in plain)
        or (isinstance(each, ast.Attribute) and each.attr in FORMATTING and not isinstance(each.value, ast.Constant))
        or (isinstance(each, ast.alias) and each.name in GETTERS and each.asname is not None)
        for each in nodes
    )


def _names_variables_by_text(nodes: Sequence[ast.AST]) -> bool:
    """Whether code can read variables of the module whose names it does not contain; `dir(x)` reads attributes only."""
    calls = {each.func for each in nodes if isinstance(each, ast.Call) and unread.has_argument(each)}
    return any(
        isinstance(each, ast.Name)
        and (each.id in BY_TEXT or (each.id[:2] == "__" and each.id[-2:] != "__"))
        and not (each in calls and each.id in unread.OF_VALUES)
        or (isinstance(each, ast.Attribute) and each.attr in ("eval", "exec", "globals", "locals", "__import__"))
        for each in nodes
    )


def _text(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _of_modules(tree: ast.Module, homes: Set[str]) -> Iterator[str]:
    """The names that only imports from these modules bind."""
    known: dict[str, set[str | None]] = {}
    for node in tree.body:
        pairs = imported(node) if isinstance(node, IMPORTS) else {(name, None) for name in binding(node)}
        for name, module in pairs:
            known.setdefault(name, set()).add(module and top(module))
    return (name for name, each in known.items() if each <= homes)


def _is_assignment(node: ast.stmt) -> bool:
    """Whether a statement only assigns to names."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return bool(targets) and all(isinstance(each, ast.Name) for each in targets)


def _is_empty(node: ast.stmt) -> bool:
    """Whether a statement does nothing."""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_builtin(name: str) -> bool:
    """Whether the class has this name in Python and calls only methods with names of Python's own classes."""
    return isinstance(getattr(builtins, name, None), type) and name != "type"


@functools.lru_cache(maxsize=1)
def _of_library() -> frozenset[str]:
    """The names of methods of Python's classes: Python's functions call such methods of any object."""
    modules = [each for name, each in sys.modules.copy().items() if top(name) in sys.stdlib_module_names]
    classes = {each for module in modules for each in [*vars(module).values()] if isinstance(each, type)}
    return frozenset(name for each in classes for one in each.__mro__ for name in vars(one))
