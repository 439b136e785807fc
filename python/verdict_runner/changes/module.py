"""Divides a module into statements and members of classes, and finds what each of them uses."""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import itertools
import sys
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple, TypeGuard

from verdict_runner.changes.functions import copied
from verdict_runner.changes.normal import Asked, bare, is_assignment, is_empty
from verdict_runner.changes.references import References
from verdict_runner.changes.risks import Risks, attributes_in, reads_by_text, risks_in, text_of
from verdict_runner.symbolic.code import reach, unread
from verdict_runner.symbolic.code.loading import Loading, names_in
from verdict_runner.symbolic.code.mentions import (
    BY_TEXT,
    CLASS_METHODS,
    FUNCTIONS,
    OF_GLOBALS,
    STORING,
    Mentions,
    arguments_of,
    binding,
    imported,
    named,
    named_in_frame,
    root_of,
    top,
)

IMPORTS = (ast.Import, ast.ImportFrom)
COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)

# Names through which code reads docstrings and annotations, or the text of code.
READS_TEXTS = frozenset(
    "__doc__ __annotations__ get_type_hints get_annotations getdoc signature getfullargspec __signature__ getsource "
    "getsourcelines getcomments __code__ co_consts singledispatch singledispatchmethod __kwdefaults__ help f_code gi_code cr_code "
    "ag_code".split()
)

# Names through which code reads code. What else shows its form, the names of variables, or when one loses its value.
READS_CODE = frozenset(
    "__code__ getsource getsourcelines getcomments f_code gi_code cr_code ag_code co_consts co_varnames co_cellvars "
    "co_freevars co_names co_name".split()
)
NOTICING = READS_CODE | frozenset(
    "__del__ weakref finalize gc getrefcount capture_locals f_locals tb_frame gi_frame cr_frame ag_frame _getframe "
    "currentframe inspect builtins cgitb settrace setprofile dis traceback format_exc print_exc exc_info stack_info "
    "linecache".split()
)

# Names through which code reads line numbers.
READS_PLACES = frozenset(
    "lineno tb_lineno f_lineno co_firstlineno co_lines co_positions co_linetable co_lnotab findCaller getframeinfo".split()
)

# Names through which code reads class members by strings.
BY_ATTRIBUTE = frozenset(
    "vars dir __dict__ __getattribute__ getmembers getmembers_static getattr_static __annotations__ get_type_hints get_annotations".split()
)

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

# Modules that can copy any object, and so use the methods with which a class decides how it is copied.
COPYING = unread.COPIERS | frozenset("argparse concurrent configparser logging optparse queue shutil tempfile".split())

METACLASSES = frozenset("type ABCMeta EnumMeta EnumType new_class".split())


class Shown(NamedTuple):
    """What of code counts, since other code can read it."""

    # Docstrings and annotations.
    texts: bool
    # How it is written, if another form does the same.
    forms: bool
    # Line numbers.
    places: bool


@dataclass(eq=False)
class Piece:
    """A statement of the module without the members of a class, or a member."""

    node: ast.stmt
    # The class of a member, and the code that runs while the module is loaded.
    home: str | None = None
    parts: list[ast.AST] = field(default_factory=list)
    # Whether that code can use the variables of a class.
    acts: bool = False
    # Its normal forms, and what it uses.
    forms: dict[tuple[bool, Shown], list[str]] = field(default_factory=dict)
    uses: dict[bool, Uses] = field(default_factory=dict)
    uses_of_parts: Uses | None = None

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
        is_plain = isinstance(node, (*FUNCTIONS, ast.ClassDef, *IMPORTS)) or is_assignment(node)
        is_plain |= isinstance(node, (ast.If, ast.Try)) and not self.parts and bool(self.names)
        return is_plain and "*" not in self.names and not _is_future(node) and not _sets_globals(node)


@dataclass
class Uses:
    """What code uses: the module's variables and the attributes that it names, and the variables whose brackets it can use."""

    variables: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    indexed: set[str] = field(default_factory=set)
    # Whether it can reach all of its module, copy objects, and read members of classes that it does not name.
    is_whole: bool = False
    copies: bool = False
    reads_members: bool = False

    def add(self, other: Uses) -> None:
        self.variables |= other.variables
        self.attributes |= other.attributes
        self.indexed |= other.indexed
        self.is_whole |= other.is_whole
        self.copies |= other.copies
        self.reads_members |= other.reads_members


class Module:
    """One version of a module, or of what a function reaches of it and of other modules."""

    def __init__(self, statements: Sequence[ast.stmt], others: Sequence[Risks] = ()) -> None:
        """`others` are the risks in code of this version that is left out."""
        ordered = [Asked().visit(copied(each)) for each in _in_any_order(statements)]
        self._split = reach.Split(ast.Module(ordered, []))
        self.statements = self._split.nodes
        self.tree = ast.Module(self.statements, [])
        self._loading = Loading(self.tree)
        self.classes = {each.name: each for each in self.statements if isinstance(each, ast.ClassDef)}
        nodes = [*ast.walk(self.tree)]
        self._globals = {name for each in nodes if isinstance(each, ast.Global) for name in each.names}
        self.bound = self._globals | {name for each in self.statements for name in binding(each)}
        self._pure = {*MAKING - self.bound, *_of_modules(self.tree, reach.PURE)} - self._globals
        self._own = {name for each in self.statements if not isinstance(each, IMPORTS) for name in binding(each)}
        self._imported = {name for each in self.statements if isinstance(each, IMPORTS) for name in binding(each)}
        self._leading = LEADING - ({"cast"} if _imports_cast(nodes) else set())
        self._systems = {
            name for each in nodes if isinstance(each, IMPORTS) for name, home in imported(each) if home == "sys"
        }
        # With hooks, code of one class can run while another one is created.
        self.has_hooks = reach.has_hooks(self.tree, self._loading) or any(map(_is_of_type, nodes))
        asks_modules = any(isinstance(each, ast.Attribute) and each.attr == "modules" for each in nodes)
        self.is_hidden = self.has_hooks or self._reads_classes() or asks_modules
        # A base class `object` means nothing, unless any code that can contain a class binds this name.
        harmless = {one for each in nodes if isinstance(each, ast.Lambda) for one in arguments_of(each)}
        tables = [each for each in nodes if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "dict"]
        harmless |= {one for each in tables for one in each.keywords}
        self.has_object = not self.has_hooks and not any(
            "object" in (*named(each), text_of(each))
            for each in nodes
            if each not in harmless and not isinstance(getattr(each, "ctx", None), ast.Load)
        )
        self.open = {*self._opened()}
        words = {name for each in nodes for name in (*attributes_in(each), *named(each))}
        self.keeps_types = bool(words & READS_TEXTS)
        self.reads_places = bool(words & READS_PLACES)
        self.pieces = {each: [*self._divided(each)] for each in self.statements}
        acting = {each for each, pieces in self.pieces.items() if any(piece.parts for piece in pieces)}
        self.risks = risks_in(nodes).with_those_of(others)
        references = References(self.statements, acting.__contains__, self.risks)
        self.references = None if self.risks.words & NOTICING else references

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

    def _divided(self, node: ast.stmt) -> Iterator[Piece]:
        if not isinstance(node, ast.ClassDef) or node.decorator_list or node.keywords or _sets_globals(node):
            yield self._piece(node, None, node.body if isinstance(node, ast.ClassDef) else [])
            return
        head = copy.copy(node)
        head.body = [ast.copy_location(ast.Pass(), node)]
        yield Piece(head, None, [*self._acting(head)])
        yield from (self._piece(each, node.name, node.body) for each in node.body)

    def _piece(self, node: ast.stmt, home: str | None, body: Sequence[ast.stmt]) -> Piece:
        """A statement with the class that it is in, and this or its own body."""
        parts = [*self._acting(node)]
        if not parts:
            return Piece(node, home)
        is_other = any(isinstance(each, COMPOUND) for each in (body if home is None else [node]))
        inner = [one for each in ast.walk(node) if isinstance(each, ast.ClassDef) for one in each.body]
        bound = {name for each in [*body, *inner] for name in binding(each)}
        return Piece(node, home, parts, is_other or bool(names_in(parts) & bound))

    def _acting(self, node: ast.stmt) -> Iterator[ast.AST]:
        """The code that runs while a statement is loaded and that can use or change other objects."""
        for each in () if is_empty(node) else self._loading.parts(node):
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

    def uses_of_parts(self, piece: Piece) -> Uses:
        """What the code of a piece uses that runs while the module is loaded."""
        if piece.uses_of_parts is None:
            piece.uses_of_parts = Uses()
            for each in piece.parts:
                piece.uses_of_parts.add(self._uses(each, is_outside=True))
        return piece.uses_of_parts

    def uses_of(self, piece: Piece, keeps_types: bool) -> Uses:
        """What a live piece uses."""
        known = piece.uses.get(keeps_types)
        if known is None:
            code = bare(piece.node, keeps_types=keeps_types)
            is_function = isinstance(piece.node, FUNCTIONS)
            known = Uses() if is_empty(piece.node) else self._uses(code, not is_function, bool(piece.home))
            known.attributes |= piece.names if piece.home in self.open else set()
            piece.uses[keeps_types] = known
        return known

    def _uses(self, code: ast.AST, is_outside: bool, is_method: bool = False) -> Uses:
        """What code uses. Outside of functions, a class's code can name its members as variables."""
        mentions = Mentions([code])
        held = {*_harmless(code, is_method)}
        nodes = [each for each in ast.walk(code) if each not in held]
        found = {name for each in nodes for name in attributes_in(each)}
        if isinstance(code, FUNCTIONS):
            outside = [*code.decorator_list, *code.args.defaults, *filter(None, code.args.kw_defaults)]
            found |= Mentions(outside).names
        classes = [each for each in nodes if isinstance(each, ast.ClassDef)]
        found |= {name for each in classes for one in each.body for name in binding(one)}
        brackets = {name for each in nodes if isinstance(each, ast.Subscript) and (name := root_of(each))}
        bases = {name for each in classes for base in each.bases if (name := root_of(base))}
        names = {name for each in nodes for name in _texts(each)} | {name for name in found if name[:2] == "__"}
        modules = {top(module) for _, module in mentions.imports}
        # Whether a module is loaded can depend on any import.
        asks_modules = any(isinstance(each, ast.Attribute) and each.attr == "modules" for each in held)
        return Uses(
            mentions.names | (self._imported if asks_modules else set()),
            found | (mentions.names if is_outside else set()),
            bases | brackets | mentions.bare | (self.classes.keys() if mentions.asks_class else set()),
            bool(names & self._leading or modules - TAME - COPYING or mentions.bare & self._systems)
            or _names_variables_by_text(nodes),
            bool(modules & COPYING or names & unread.COPYING),
            bool(names & BY_ATTRIBUTE) or reads_by_text(nodes),
        )


def _in_any_order(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements; neighbouring imports of Python's own modules that bind different names have a fixed order, unless
    code can list variables.
    """
    nodes = [one for each in statements for one in ast.walk(each)]
    if _names_variables_by_text(nodes) or LEADING & {name for each in nodes for name in _texts(each)}:
        yield from statements
        return
    for is_free, group in itertools.groupby(statements, _imports_python):
        each = [*group]
        names = [name for one in each for name in binding(one)]
        yield from sorted(each, key=ast.dump) if is_free and len({*names}) == len(names) else each


def _imports_python(node: ast.stmt) -> bool:
    if not isinstance(node, IMPORTS) or getattr(node, "level", 0) or _is_future(node):
        return False
    homes = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
    return "*" not in binding(node) and {*map(top, homes)} <= sys.stdlib_module_names


def _imports_cast(nodes: Sequence[ast.AST]) -> bool:
    """Whether `cast` can only mean that of `typing`, which does nothing, and not that of `ctypes`."""
    imports = [each for each in nodes if isinstance(each, ast.ImportFrom)]
    typing = {each for each in imports if each.module == "typing" and not each.level}
    return all(
        isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) or each in typing
        for each in nodes
        if _names_cast(each)
    ) and all(one.name == "cast" for each in typing for one in each.names if one.asname == "cast")


def _names_cast(node: ast.AST) -> bool:
    """Whether a node names, binds, or imports `cast`."""
    if isinstance(node, ast.ImportFrom):
        return any("cast" in (each.name, each.asname) for each in node.names)
    return not isinstance(node, ast.alias) and "cast" in (*named(node), *_texts(node))


def _sets_globals(node: ast.AST) -> bool:
    """Whether a class binds variables of the module."""
    return isinstance(node, ast.ClassDef) and any(
        isinstance(each, ast.Global) or _sets_globals(each) for each in node.body
    )


def _is_of_type(node: ast.AST) -> bool:
    """Whether a class is a metaclass."""
    return isinstance(node, ast.ClassDef) and any(map(_is_type, node.bases))


def _has_base(node: ast.AST) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef) and not all(_is_builtin(ast.unparse(each)) for each in node.bases)


def _is_type(node: ast.expr) -> bool:
    return getattr(node, "attr", getattr(node, "id", None)) in METACLASSES


def _harmless(code: ast.AST, is_method: bool) -> Iterator[ast.AST]:
    """The parts that read no more than they name: one of Python's own names in a frame, whether a module is loaded,
    and the fields of a method's object.
    """
    # Whether `self` is an object, and not a class.
    has_self = is_method and isinstance(code, FUNCTIONS) and not code.decorator_list and code.name not in CLASS_METHODS
    has_self = has_self and not any(
        isinstance(each, ast.Name) and each.id == "self" and not isinstance(each.ctx, ast.Load)
        for each in ast.walk(code)
    )
    for each in ast.walk(code):
        if isinstance(each, ast.Call):
            yield from named_in_frame(each)
        elif isinstance(each, ast.Compare) and all(isinstance(one, (ast.In, ast.NotIn)) for one in each.ops):
            yield from (one for one in each.comparators if isinstance(one, ast.Attribute) and one.attr == "modules")
        elif has_self and isinstance(each, ast.Attribute) and ast.unparse(each) == "self.__dict__":
            yield each


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
    yield text_of(node)


def _of_modules(tree: ast.Module, homes: Set[str]) -> Iterator[str]:
    """The names that only imports from these modules bind."""
    known: dict[str, set[str | None]] = {}
    for node in tree.body:
        pairs = imported(node) if isinstance(node, IMPORTS) else {(name, None) for name in binding(node)}
        for name, module in pairs:
            known.setdefault(name, set()).add(module and top(module))
    return (name for name, each in known.items() if each <= homes)


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_builtin(name: str) -> bool:
    """Whether the class has this name in Python and calls only methods with names of Python's own classes."""
    return isinstance(getattr(builtins, name, None), type) and name != "type"
