"""Decides whether two versions of a function are the same code, including all code that a call can run.

A definition of the module is live if live code contains its name. A member of a class is live if the class is, and live code
contains the member's name or Python can use the member by itself. What runs while the module is loaded is always live. Two
versions are the same code if what is live is equal, apart from forms with the same meaning (`_Normal`).
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import sys
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeGuard

from verdict_runner.changes.functions import copied, without_docstring
from verdict_runner.changes.reading import parsed
from verdict_runner.sandbox.allowed import FORMATTING
from verdict_runner.symbolic.code import reach, unread
from verdict_runner.symbolic.code.loading import TYPE_PARTS, Loading
from verdict_runner.symbolic.code.mentions import (
    BY_TEXT,
    FUNCTIONS,
    IDENTIFIER,
    STORING,
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
    "getsourcelines getcomments __code__ co_consts singledispatch singledispatchmethod __kwdefaults__ help f_code gi_code cr_code "
    "ag_code".split()
)
# Names through which code reads class members by strings.
BY_ATTRIBUTE = frozenset(
    "vars dir __dict__ __getattribute__ getmembers getmembers_static getattr_static __annotations__ get_type_hints get_annotations".split()
)
# Names through which code accesses definitions that it does not name.
OF_GLOBALS = frozenset("f_globals __globals__".split())
LEADING = OF_GLOBALS | frozenset(
    "f_locals f_builtins __closure__ __subclasses__ modules import_module getmodule getclosurevars get_objects get_referrers "
    "py_object pythonapi from_address cast __builtins__".split()
)
# Modules of Python that reach the module's objects only through their arguments.
TAME = reach.CONTAINED - unread.COPIERS - {"timeit"} | frozenset(
    "_thread codecs concurrent errno gettext gzip importlib io linecache locale select signal socket ssl stat sys "
    "sysconfig threading types typing warnings weakref".split()
)
# Parts of values, and functions of Python that change nothing.
INERT = (*reach.FIXED, ast.List, ast.Dict, ast.Set, ast.Name, ast.Attribute, ast.Call, ast.keyword)
MAKING = frozenset(
    "object frozenset set dict list tuple str bytes int float bool len range min max sorted sum abs property staticmethod "
    "classmethod".split()
)
GETTERS = frozenset("attrgetter methodcaller".split())
READERS = frozenset("getattr hasattr".split())
# Methods that read attributes named in a string of fields.
OF_FIELDS = frozenset((*FORMATTING, "vformat", "get_field"))
# Modules that can copy any object, and so use the methods with which a class decides how it is copied.
COPYING = unread.COPIERS | frozenset("argparse concurrent configparser logging optparse queue shutil tempfile".split())
# The maximum number of cached modules.
MODULES_MAX = 4
METACLASSES = frozenset("type ABCMeta EnumMeta EnumType new_class".split())


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
    has_texts = any(each.reads_texts for each in sides)
    one, other = (each.code(has_texts) for each in sides)
    if one == other:
        return None
    # If only the order differs, the names are those of the first code that has another place.
    more = {*one} ^ {*other} or [(a, b) for a, b in zip(one, other) if a != b][0]
    return [*dict.fromkeys(name for names, _ in [*other, *one] if (names, _) in more for name in names)]


@dataclass(eq=False)
class _Piece:
    """A statement of the module without the members of a class, or a member."""

    node: ast.stmt
    # The class of a member, and the code that runs while the module is loaded.
    home: str | None = None
    parts: list[ast.AST] = field(default_factory=list)
    # Its normal form, with and without texts, and what it uses.
    forms: dict[tuple[bool, bool], list[str]] = field(default_factory=dict)
    uses: dict[bool, _Uses] = field(default_factory=dict)
    uses_of_parts: _Uses | None = None

    @functools.cached_property
    def names(self) -> set[str]:
        return {*binding(self.node)}

    @functools.cached_property
    def shown(self) -> tuple[str, ...]:
        """The names of what it defines or changes."""
        names = sorted(self.names or Mentions([self.node]).names)
        return tuple(f"{self.home}.{each}" if self.home else each for each in names)

    @functools.cached_property
    def is_plain(self) -> bool:
        """Whether a statement of the module only binds names, so that it is live if a name is."""
        node = self.node
        is_plain = isinstance(node, (*FUNCTIONS, ast.ClassDef, *IMPORTS)) or _is_assignment(node)
        is_plain |= isinstance(node, (ast.If, ast.Try)) and not self.parts and bool(self.names)
        return is_plain and "*" not in self.names and not _is_future(node)


@dataclass
class _Uses:
    """What code uses: the module's variables and the attributes that it names, and the variables whose brackets it can use."""

    variables: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    indexed: set[str] = field(default_factory=set)
    # Whether it can reach all of its module, copy objects, and read members of classes that it does not name.
    is_whole: bool = False
    copies: bool = False
    reads_members: bool = False

    def add(self, other: _Uses) -> None:
        self.variables |= other.variables
        self.attributes |= other.attributes
        self.indexed |= other.indexed
        self.is_whole |= other.is_whole
        self.copies |= other.copies
        self.reads_members |= other.reads_members


class Module:
    """One version of a module, or of what a function reaches of it and of other modules."""

    def __init__(self, statements: Sequence[ast.stmt]) -> None:
        self._split = reach.Split(ast.Module([_Asked().visit(copied(each)) for each in statements], []))
        self.statements = self._split.nodes
        self.tree = ast.Module(self.statements, [])
        self._loading = Loading(self.tree)
        self.classes = {each.name: each for each in self.statements if isinstance(each, ast.ClassDef)}
        nodes = [*ast.walk(self.tree)]
        self._globals = {name for each in nodes if isinstance(each, ast.Global) for name in each.names}
        self.bound = self._globals | {name for each in self.statements for name in binding(each)}
        self._pure = {*MAKING - self.bound, *_of_modules(self.tree, reach.PURE)} - self._globals
        self._own = {name for each in self.statements if not isinstance(each, IMPORTS) for name in binding(each)}
        self._systems = {
            name for each in nodes if isinstance(each, IMPORTS) for name, home in imported(each) if home == "sys"
        }
        # All names that any code binds.
        self.names = {
            name for each in nodes if not isinstance(getattr(each, "ctx", None), ast.Load) for name in named(each)
        }
        # With hooks, code of one class can run while another one is created.
        self.has_hooks = reach.has_hooks(self.tree, self._loading) or any(map(_is_of_type, nodes))
        self.is_hidden = self.has_hooks or self._reads_classes()
        self.open = {*self._opened()}
        self.keeps_types = any({*_attributes(each), *named(each)} & READS_TEXTS for each in nodes)
        self.pieces = {each: [*self._divided(each)] for each in self.statements}

    def reached(self, root: str) -> Sequence[ast.stmt]:
        return self._split.of([root.partition(".")[0]])[0]

    def is_generic(self, node: ast.AST) -> bool:
        return self._loading.is_generic(node)

    def _reads_classes(self) -> bool:
        """Whether an attribute of a class can run code while the module is loaded."""
        values = [
            each.value for each in self.statements if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value
        ]
        reads = {root_of(each) for value in values for each in ast.walk(value) if isinstance(each, ast.Attribute)}
        return bool(self.classes.keys() & reads)

    def _divided(self, node: ast.stmt) -> Iterator[_Piece]:
        if not isinstance(node, ast.ClassDef) or node.decorator_list or node.keywords:
            yield _Piece(node, None, [*self._acting(node)])
            return
        head = copy.copy(node)
        head.body = [ast.copy_location(ast.Pass(), node)]
        yield _Piece(head, None, [*self._acting(head)])
        for each in node.body:
            yield _Piece(each, node.name, [*self._acting(each)])

    def _acting(self, node: ast.stmt) -> Iterator[ast.AST]:
        """The code that runs while a statement is loaded and that can use or change other objects."""
        for each in () if _is_empty(node) else self._loading.parts(node):
            nodes = [*ast.walk(each)]
            names = {one.id for one in nodes if isinstance(one, ast.Name)}
            attributes = {one.attr for one in nodes if isinstance(one, ast.Attribute)}
            is_inert = all(isinstance(one, INERT) for one in nodes) and names <= self._pure
            if not is_inert or attributes & (STORING | {"register"}):
                yield each
        # Attributes and items of a class can be created by its descriptors and its metaclass.
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if value and any(
            isinstance(each, (ast.Attribute, ast.Subscript)) and root_of(each) in self._own for each in ast.walk(value)
        ):
            yield value

    def _opened(self) -> set[str]:
        """The classes of which code that is not here can call any member: it is, or it can be, a base or a subclass."""
        bases = {name: {ast.unparse(base) for base in each.bases} for name, each in self.classes.items()}
        binders = [name for each in self.tree.body for name in binding(each)]
        found = {
            name
            for name, each in self.classes.items()
            if each.keywords
            or binders.count(name) > 1
            or each in self._loading.parts(each)
            or any(base in self.bound or not _is_builtin(base) for base in bases[name] - self.classes.keys())
        }
        # Classes created in functions can have any base that code names.
        nodes = [*ast.walk(self.tree)]
        inner = {each for one in nodes if isinstance(one, FUNCTIONS) for each in ast.walk(one) if _has_base(each)}
        if inner or any(isinstance(each, ast.Call) and len(each.args) > 2 and _is_type(each.func) for each in nodes):
            made = {name for each in inner for base in each.bases if (name := root_of(base))}
            found |= (Mentions([self.tree]).bare | made) & self.classes.keys()
        while more := {
            name
            for name in self.classes.keys() - found
            if bases[name] & found or any(name in bases[other] for other in found)
        }:
            found |= more
        return found

    def uses_of_parts(self, piece: _Piece) -> _Uses:
        """What the code of a piece uses that runs while the module is loaded."""
        if piece.uses_of_parts is None:
            piece.uses_of_parts = _Uses()
            for each in piece.parts:
                piece.uses_of_parts.add(self._uses(each, is_outside=True))
        return piece.uses_of_parts

    def uses_of(self, piece: _Piece, keeps_types: bool) -> _Uses:
        """What a live piece uses."""
        known = piece.uses.get(keeps_types)
        if known is None:
            code = _bare(piece.node, keeps_types=keeps_types)
            is_function = isinstance(piece.node, FUNCTIONS)
            known = _Uses() if _is_empty(piece.node) else self._uses(code, not is_function, bool(piece.home))
            known.attributes |= piece.names if piece.home in self.open else set()
            piece.uses[keeps_types] = known
        return known

    def _uses(self, code: ast.AST, is_outside: bool, is_method: bool = False) -> _Uses:
        """What code uses. Outside of functions, a class's code can name its members as variables."""
        mentions = Mentions([code])
        held = {*_harmless(code, is_method)}
        nodes = [each for each in ast.walk(code) if each not in held]
        found = {name for each in nodes for name in _attributes(each)}
        if isinstance(code, FUNCTIONS):
            outside = [*code.decorator_list, *code.args.defaults, *filter(None, code.args.kw_defaults)]
            found |= Mentions(outside).names
        classes = [each for each in nodes if isinstance(each, ast.ClassDef)]
        found |= {name for each in classes for one in each.body for name in binding(one)}
        brackets = {name for each in nodes if isinstance(each, ast.Subscript) and (name := root_of(each))}
        bases = {name for each in classes for base in each.bases if (name := root_of(base))}
        names = {name for each in nodes for name in _texts(each)} | {name for name in found if name[:2] == "__"}
        modules = {top(module) for _, module in mentions.imports}
        return _Uses(
            mentions.names,
            found | (mentions.names if is_outside else set()),
            bases | brackets | mentions.bare | (self.classes.keys() if mentions.asks_class else set()),
            bool(names & LEADING or modules - TAME - COPYING or mentions.bare & self._systems)
            or _names_variables_by_text(nodes),
            bool(modules & COPYING or names & unread.COPYING),
            bool(names & BY_ATTRIBUTE) or _reads_by_text(nodes),
        )


class _Live:
    """The live code of one version."""

    def __init__(self, module: Module, statements: Sequence[ast.stmt], root: str) -> None:
        self._module = module
        self._root = root
        self._pieces = [piece for each in statements for piece in module.pieces[each]]
        self.uses = _Uses({root.partition(".")[0], *reach.IMPLICIT} - READS_TEXTS, {*root.split(".")})
        self.uses.reads_members = module.has_hooks
        self._live: set[_Piece] = set()
        self._find()
        found = READS_TEXTS & (self.uses.variables | self.uses.attributes)
        self.reads_texts = self.uses.is_whole or self.uses.reads_members or bool(found)

    def _find(self) -> None:
        """Adds pieces until live code names no further ones."""
        for each in self._pieces:
            self.uses.add(self._module.uses_of_parts(each))
        waiting = self._pieces
        while more := {each for each in waiting if self._is_live(each)}:
            waiting = [each for each in waiting if each not in more]
            self._live |= more
            for each in more:
                # A function, like the constructors of its arguments, receives objects of the classes in its types.
                is_given = bool(each.names & {self._root.rpartition(".")[2], "__init__", "__new__"})
                self.uses.add(self._module.uses_of(each, is_given or self._module.keeps_types))

    def _is_live(self, piece: _Piece) -> bool:
        uses, module, names = self.uses, self._module, piece.names
        if uses.is_whole:
            return True
        is_class = isinstance(piece.node, ast.ClassDef)
        if piece.home is None:
            return not piece.is_plain or bool(names & uses.variables) or (module.has_hooks and is_class)
        if piece.home not in uses.variables and not module.has_hooks:
            return False
        is_function = isinstance(piece.node, FUNCTIONS)
        if not is_function and (piece.parts or not _is_assignment(piece.node)):
            return True
        if uses.reads_members or names & uses.attributes or piece.home in module.open:
            return True
        if module.is_generic(piece.node):
            return piece.home in uses.indexed
        if is_function and names <= unread.COPYING:
            return uses.copies
        return any(each[:2] == "__" or each in _of_library() for each in names)

    def code(self, has_texts: bool) -> list[tuple[tuple[str, ...], str]]:
        """The live code in its normal form, in its order, with its names."""
        return [
            (piece.shown, form)
            for piece in self._pieces
            if not isinstance(piece.node, ast.Pass) and (has_texts or not _is_empty(piece.node))
            for form in self._forms(piece, has_texts)
        ]

    def _forms(self, piece: _Piece, has_texts: bool) -> list[str]:
        is_live = piece in self._live
        known = piece.forms.get((is_live, has_texts))
        if known is None:
            normal = _Normal(self._module, has_texts)
            known = [ast.dump(normal.of(each)) for each in ([piece.node] if is_live else piece.parts)]
            piece.forms[is_live, has_texts] = known
        return known


class _Normal(ast.NodeTransformer):
    """Converts code to a form that depends only on its meaning: without texts."""

    def __init__(self, module: Module, has_texts: bool) -> None:
        self._has_texts = has_texts
        self._has_object = not module.has_hooks and "object" not in module.names
        self._is_local = False

    def of(self, node: ast.AST) -> ast.AST:
        """The normal form of a member of a class or of a statement."""
        return self.visit(copied(node) if self._has_texts else _bare(node))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._inside(node, True)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._inside(node, True)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._inside(node, False)
        if self._has_object and not node.keywords:
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


class _Asked(ast.NodeTransformer):
    """Restores `x.__class__`, which can be something other than `type(x)`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Attribute(node.args[0], "__class__", ast.Load()) if hasattr(node, "was_attribute") else node


def _bare(node: ast.AST, keeps_types: bool = False) -> ast.AST:
    """A copy without docstrings and, unless it `keeps_types`, without the annotations of functions that nothing decorates."""
    bare = copied(node)
    for each in ast.walk(bare):
        if isinstance(each, (*FUNCTIONS, ast.ClassDef)):
            without_docstring(each)
        if isinstance(each, FUNCTIONS) and not each.decorator_list and not keeps_types:
            each.returns = _acting_type(each.returns)
            for argument in arguments_of(each):
                argument.annotation = _acting_type(argument.annotation)
    return bare


def _acting_type(annotation: ast.expr | None) -> ast.expr | None:
    """An annotation that does more than name a type; None for others."""
    is_type = annotation is None or all(isinstance(each, TYPE_PARTS) for each in ast.walk(annotation))
    return None if is_type else annotation


def _is_of_type(node: ast.AST) -> bool:
    """Whether a class is a metaclass."""
    return isinstance(node, ast.ClassDef) and any(map(_is_type, node.bases))


def _has_base(node: ast.AST) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef) and not all(_is_builtin(ast.unparse(each)) for each in node.bases)


def _is_type(node: ast.expr) -> bool:
    return getattr(node, "attr", getattr(node, "id", None)) in METACLASSES


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


def _harmless(code: ast.AST, is_method: bool) -> Iterator[ast.AST]:
    """The parts that read no more than they name: one of Python's own names in a frame, whether a module is loaded,
    and the fields of a method's object.
    """
    for each in ast.walk(code):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "get":
            place, key = each.func.value, _text(each.args[0]) if each.args else None
            if isinstance(place, ast.Attribute) and place.attr in OF_GLOBALS and key in ("__name__", "__package__"):
                yield place
        elif isinstance(each, ast.Compare) and all(isinstance(one, (ast.In, ast.NotIn)) for one in each.ops):
            yield from (one for one in each.comparators if isinstance(one, ast.Attribute) and one.attr == "modules")
        elif is_method and isinstance(each, ast.Attribute) and ast.unparse(each) == "self.__dict__":
            yield each


def _reads_by_text(nodes: Sequence[ast.AST]) -> bool:
    """Whether code can read attributes whose names it does not contain."""
    calls = [each for each in nodes if isinstance(each, ast.Call) and each.args]
    names = {each.func: getattr(each.func, "attr", getattr(each.func, "id", None)) for each in calls}
    plain = {
        each.func
        for each in calls
        if all(_text(one) is not None for one in (each.args[1:2] if names[each.func] in READERS else each.args))
    }
    return any(
        (getattr(each, "attr", getattr(each, "id", None)) in READERS | GETTERS and each not in plain)
        or (isinstance(each, ast.Attribute) and each.attr in OF_FIELDS and not isinstance(each.value, ast.Constant))
        or (isinstance(each, ast.alias) and each.name in READERS | GETTERS and each.asname is not None)
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


def _texts(node: ast.AST) -> Iterator[str | None]:
    """The names in a node, and its text."""
    yield from (getattr(node, each, None) for each in ("attr", "id", "name"))
    yield _text(node)


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
    """The names of methods of Python's classes: Python's functions call such methods on any object."""
    modules = [each for name, each in sys.modules.copy().items() if top(name) in sys.stdlib_module_names]
    classes = {each for module in modules for each in [*vars(module).values()] if isinstance(each, type)}
    return frozenset(name for each in classes for one in each.__mro__ for name in vars(one))
