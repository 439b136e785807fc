"""Finds the names in a piece of code, and its ways to change objects, in the syntax tree."""

from __future__ import annotations

import ast
import operator
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from verdict_runner.sandbox import allowed, safety

FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
Definition: TypeAlias = "FunctionNode | ast.ClassDef"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Names that give access to a module's variables or run text; code that uses one can refer to any name.
BY_TEXT = frozenset(
    "globals locals vars dir eval exec compile __import__ __builtins__ __loader__ __spec__ __annotations__".split()
)
# All modules by name, including the code's own.
LOADED = "sys.modules"
# Attributes of `__spec__` that are strings.
TEXTS_OF_SPEC = frozenset("name parent".split())
STORING = frozenset("setattr delattr __setattr__ __delattr__ __dict__ update_wrapper".split())
# Double-underscore attributes that lead only to the object's own class and to strings about it.
TAME_DUNDERS = (
    allowed.NAMEABLE | STORING | frozenset("__class__ __module__ __qualname__ __file__ __new__ __wrapped__".split())
)
# Names through which code gets a class that it does not name.
CLASS_NAMES = frozenset("type cls __class__ classmethod".split())
# Methods to which Python passes a class, whatever the parameter's name.
CLASS_METHODS = frozenset("__new__ __get__ __set_name__ __init_subclass__ __class_getitem__".split())
# Functions that inspect an object without keeping a reference to it; `hasattr` does so if its text is a constant.
ASKING = frozenset("isinstance issubclass hasattr".split())
# Parts of an expression that only names objects.
NAMING = (ast.Name, ast.Attribute, ast.Tuple, ast.Constant, ast.expr_context)
# Names through which code accesses definitions that it does not name.
OF_GLOBALS = frozenset("f_globals __globals__".split())
GETTERS = frozenset("attrgetter methodcaller".split())
# An attribute with a module's name may be that module, since many modules contain the modules that they use.
MODULES = sys.stdlib_module_names
# Python's default recursion limit; a lower limit changes the behaviour of ordinary code.
USUAL_DEPTH = 1000
SETS_DEPTH = "setrecursionlimit"
BITS_MAX = 64
ARITHMETIC = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: pow,
    ast.LShift: operator.lshift,
}
IDENTIFIER = re.compile(r"[^\W\d]\w*")
# Matches a docstring that can contain conditions, which mention names.
CONDITIONS = re.compile(r"(?mi)^\s*:?(pre|post|raises?)\b")


class Mentions:
    """The names in pieces of code, and the operations that could change objects."""

    def __init__(self, nodes: Iterable[ast.AST] = ()) -> None:
        # Names that are not local to a function, and names that occur alone, neither called nor followed by an
        # attribute.
        self.names: set[str] = set()
        self.bare: set[str] = set()
        # (name, origin) for names that imports bind.
        self.imports: set[tuple[str, str]] = set()
        # (name, attribute), first for direct attributes of the name, then for attributes at any depth; then names
        # through which something is set.
        self.parts: set[tuple[str | None, str]] = set()
        self.attributes: set[tuple[str | None, str]] = set()
        self.store_roots: set[str | None] = set()
        # (name, attribute) for attributes that may be classes and are used alone, neither called nor followed by another
        # attribute; the attribute is "" if it is not one of the named object itself.
        self.bare_parts: set[tuple[str | None, str]] = set()
        # (name, module) for attributes of names that may be modules.
        self.through: set[tuple[str | None, str]] = set()
        # Whether the recursion limit is set, possibly below the default.
        self.sets_depth = self.shallow = False
        # Whether the code sets attributes, gets classes, refers to names by strings, or reaches objects that it does
        # not name.
        self.stores = self.asks_class = self.by_text = self.is_wild = False
        self._held: set[ast.AST | None] = set()
        # Names from which only a string is read.
        self._texts: set[ast.AST] = set()
        waiting = [(node, frozenset()) for node in nodes]
        while waiting:
            node, local = waiting.pop()
            self._look(node, local)
            inner = local | locals_of(node) if isinstance(node, FUNCTIONS) else local
            if isinstance(node, ast.ClassDef):
                # A class reads a name that it binds from the module, whatever the function around it binds.
                inner = local - {name for each in node.body for name in binding(each)}
            body = {*node.body} if isinstance(node, DEFINITIONS) else ()
            waiting += [(each, inner if each in body else local) for each in ast.iter_child_nodes(node)]

    def _look(self, node: ast.AST, local: frozenset[str]) -> None:
        if isinstance(node, ast.Name):
            self._name(node, local)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self.names.update(node.names)
        elif isinstance(node, ast.Attribute):
            self._attribute(node)
        elif isinstance(node, ast.Subscript):
            self._held.add(node.value)
            # Environment variables are not part of a computation.
            if not isinstance(node.ctx, ast.Load) and ast.unparse(node.value) != "os.environ":
                self.store_roots.add(root_of(node))
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.ExceptHandler) and node.type:
            self._held.update(ast.walk(node.type))
        elif isinstance(node, ast.ExceptHandler):
            self.names.add("BaseException")
        elif isinstance(node, ast.Raise):
            self._held.add(node.exc)
        elif isinstance(node, ast.Compare) and all(isinstance(each, (ast.In, ast.NotIn)) for each in node.ops):
            # Whether a module is loaded.
            self._texts.update(node.comparators)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imports.update(imported(node))
            self.by_text |= any(module == LOADED for _, module in imported(node))
            self.shallow |= any(each.name == SETS_DEPTH and each.asname for each in node.names)
        elif isinstance(node, FUNCTIONS):
            self.asks_class |= node.name in CLASS_METHODS
        elif isinstance(node, ast.ClassDef):
            # In a class, `__name` means `_Class__name`.
            self.by_text |= any(_is_mangled(name) for each in ast.walk(node) for name in named(each))
        # If the code rebinds a function that counts as harmless, any name can be meant.
        is_bound = not isinstance(node, ast.keyword) and not isinstance(getattr(node, "ctx", None), ast.Load)
        self.by_text |= is_bound and any(name in ASKING for name in named(node))
        self._types(node)
        self._text(node)

    def _call(self, node: ast.Call) -> None:
        self._held.add(node.func)
        function = node.func.id if isinstance(node.func, ast.Name) else None
        self._texts.update(named_in_frame(node))
        if function == "dir" and node.args and not isinstance(node.args[0], ast.Starred):
            self._texts.add(node.func)
        if SETS_DEPTH in (function, getattr(node.func, "attr", None)):
            self._depth(node)
        name = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else None
        if function in ASKING and (function != "hasattr" or isinstance(name, str)):
            parts = [[*ast.walk(each)] for each in node.args]
            self._held.update(one for each in parts if all(isinstance(one, NAMING) for one in each) for one in each)
        if function in ("getattr", "hasattr"):
            self.is_wild |= function == "getattr" and not isinstance(name, str)
            if isinstance(name, str):
                self._part(root_of(node.args[0]), name)

    def _depth(self, node: ast.Call) -> None:
        """Records a call that sets the recursion limit."""
        depth = whole(node.args[0]) if len(node.args) == 1 else None
        self.sets_depth = True
        self.shallow |= depth is None or depth < USUAL_DEPTH

    def _name(self, node: ast.Name, local: frozenset[str]) -> None:
        self.shallow |= node.id == SETS_DEPTH and node not in self._held
        if node.id not in local:
            self.names.add(node.id)
            self.by_text |= node.id in BY_TEXT and node not in self._texts
        self.asks_class |= node.id in CLASS_NAMES
        self.is_wild |= node.id in GETTERS or (node.id == "getattr" and node not in self._held)
        self.stores |= node.id in STORING
        if node not in self._held:
            self.bare.add(node.id)

    def _attribute(self, node: ast.Attribute) -> None:
        self._held.add(node.value)
        root = root_of(node)
        if isinstance(node.value, ast.Name) and node.value.id == "__spec__" and node.attr in TEXTS_OF_SPEC:
            self._texts.add(node.value)
        is_loaded = node.attr == "modules" and isinstance(node.value, ast.Name) and node.value.id == "sys"
        if node in self._texts and (is_loaded or node.attr in OF_GLOBALS):
            return
        self.by_text |= is_loaded
        self._part(root, node.attr)
        stands_alone = node not in self._held
        self.shallow |= node.attr == SETS_DEPTH and stands_alone
        if isinstance(node.value, ast.Name):
            self.parts.add((root, node.attr))
        # Attributes in capital letters are constants, not classes.
        if stands_alone and not node.attr.isupper():
            self.bare_parts.add((root, node.attr if isinstance(node.value, ast.Name) else ""))
        if stands_alone and node.attr in MODULES:
            self.through.add((root, f"{node.attr}.*"))
        if isinstance(node.value, ast.Attribute) and node.value.attr in MODULES:
            self.through.add((root, f"{node.value.attr}.{node.attr}"))
        if not isinstance(node.ctx, ast.Load):
            self.stores = True
            self.store_roots.add(root)

    def _part(self, root: str | None, attribute: str) -> None:
        self.attributes.add((root, attribute))
        self.stores |= attribute in STORING
        self.asks_class |= attribute == "__class__"
        self.is_wild |= attribute in GETTERS or _is_wild(attribute)

    def _types(self, node: ast.AST) -> None:
        """Records types.

        An expression used as a type gives no code access to its objects; strings in it are later read as types.
        """
        types = [getattr(node, field, None) for field in ("annotation", "returns")]
        if isinstance(node, ast.ClassDef):
            types += [*node.bases, *node.decorator_list]
        if isinstance(node, FUNCTIONS):
            types += node.decorator_list
        for each in types:
            if isinstance(each, ast.AST):
                self._held.update(
                    [each]
                    if isinstance(node, DEFINITIONS) and each is not getattr(node, "returns", None)
                    else ast.walk(each)
                )
                self._quoted(each)

    def _text(self, node: ast.AST) -> None:
        if isinstance(node, DEFINITIONS):
            text = ast.get_docstring(node, clean=False)
            if text and CONDITIONS.search(text):
                self.names.update(IDENTIFIER.findall(text))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, (ast.Subscript, ast.Call)):
            # A type alias or a type variable can name a type in a string.
            self._quoted(node.value)

    def _quoted(self, node: ast.AST) -> None:
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                self.names.update(_named_in(each.value))


def named_in_frame(call: ast.Call) -> Iterator[ast.expr]:
    """The variables of a frame or a function, if a call only reads the name of their module or package."""
    place = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "get" else None
    key = call.args[0] if call.args else None
    if isinstance(place, ast.Attribute) and place.attr in OF_GLOBALS and isinstance(key, ast.Constant):
        if key.value in ("__name__", "__package__"):
            yield place


def together(parts: Iterable[Mentions]) -> Mentions:
    """Combines the mentions of several pieces of code."""
    union = Mentions()
    for each in parts:
        for field in ("names", "bare", "imports", "parts", "attributes", "store_roots", "bare_parts", "through"):
            getattr(union, field).update(getattr(each, field))
        union.stores |= each.stores
        union.asks_class |= each.asks_class
        union.by_text |= each.by_text
        union.is_wild |= each.is_wild
        union.sets_depth |= each.sets_depth
        union.shallow |= each.shallow
    return union


def whole(node: ast.expr) -> int | None:
    """The integer value of a constant expression such as `10**6`; None for other expressions and very large values."""
    value = node.value if isinstance(node, ast.Constant) else None
    if (type(value) is int or type(value) is float) and abs(value) < 2**BITS_MAX:
        return int(value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int" and len(node.args) == 1:
        return whole(node.args[0])
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        left, right = whole(node.left), whole(node.right)
        if (
            left is not None
            and right is not None
            and right >= 0
            and (right <= BITS_MAX or isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)))
        ):
            value = ARITHMETIC[type(node.op)](left, right)
            return value if abs(value) < 2**BITS_MAX else None
    return None


def _is_wild(attribute: str) -> bool:
    """Whether an attribute leads to more than the object and its class."""
    return attribute in allowed.REFUSED_ATTRIBUTES or (allowed.is_dunder(attribute) and attribute not in TAME_DUNDERS)


def _is_mangled(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def named(node: ast.AST) -> Iterator[str]:
    """Yields the names that a node itself, without its children, binds or looks up."""
    for field in safety.DEFINING.get(type(node), ()):
        value = getattr(node, field)
        yield from (name for name in (value if isinstance(value, list) else [value]) if name)


def top(module: str) -> str:
    return module.partition(".")[0]


def root_of(node: ast.AST) -> str | None:
    """Returns the name at the beginning of a chain of attributes and subscripts; None for any other value."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def imported(node: ast.Import | ast.ImportFrom) -> set[tuple[str, str]]:
    """Returns (name, origin) for each name that an import binds."""
    if isinstance(node, ast.ImportFrom):
        return {(each.asname or each.name, f"{node.module or ''}.{each.name}") for each in node.names}
    return {(each.asname or top(each.name), each.name) for each in node.names}


def _named_in(text: str) -> list[str]:
    try:
        return [each.id for each in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(each, ast.Name)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def locals_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Returns the names that are certainly local variables of the function."""
    own = {each.arg for each in arguments_of(function)}
    shared = {
        name for node in ast.walk(function) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names
    }
    return frozenset(own | {name for each in function.body for name in binding(each)}) - shared


def arguments_of(function: FunctionNode | ast.Lambda) -> list[ast.arg]:
    """All parameters of a function."""
    places = function.args
    every = [*places.posonlyargs, *places.args, places.vararg, *places.kwonlyargs, places.kwarg]
    return [each for each in every if each is not None]


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """Yields the nodes of a function's body, except those inside inner functions and classes."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        each = waiting.pop(0)
        yield each
        if not isinstance(each, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(each)


def bound_at(node: ast.AST) -> Iterator[str]:
    """Yields the names that a node itself binds, in whatever scope."""
    is_read = isinstance(node, ast.keyword) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    if isinstance(node, ast.alias):
        yield node.asname or top(node.name)
    elif not is_read:
        yield from named(node)


def binding(node: ast.AST) -> Iterator[str]:
    """Yields the names that a statement binds or deletes in its own scope."""
    waiting = [(node, False)]
    while waiting:
        each, is_inner = waiting.pop()
        if isinstance(each, ast.AnnAssign) and not (each.simple or each.value):
            # `(name): kind` binds nothing.
            waiting.append((each.annotation, is_inner))
            continue
        if is_inner and isinstance(each, ast.NamedExpr):
            # In a comprehension, it binds a variable of the function around it.
            yield each.target.id
        elif not is_inner and not isinstance(each, ast.arg):
            yield from bound_at(each)
        waiting += ((one, is_inner or isinstance(each, COMPREHENSIONS)) for one in _outside(each))


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the parts of a node that are evaluated in the scope around it, and those in which `:=` binds there."""
    if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
        yield from ast.iter_child_nodes(node)
        return
    body = vars(node)["body"]
    inside = {*body} if isinstance(body, list) else {body}
    inside |= {*getattr(node, "type_params", ())}
    yield from (each for each in ast.iter_child_nodes(node) if each not in inside)
