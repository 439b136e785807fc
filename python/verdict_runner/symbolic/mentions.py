"""The names in a piece of code, and the ways by which it may change things: read off its syntax tree."""

import ast
import re
import sys

from .. import allowed, safety

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
SCOPES = (*DEFINITIONS, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Names that hand out the variables of a module, or run a text: with one of them in sight, anything may be meant.
BY_TEXT = frozenset("globals locals vars eval exec compile __import__ __builtins__ __loader__ __spec__".split())
STORING = frozenset("setattr delattr __setattr__ __delattr__ __dict__ update_wrapper".split())
# Double-underscore attributes that lead to nothing but the object's own class and texts about it.
TAME_DUNDERS = allowed.NAMEABLE | STORING | frozenset("__class__ __module__ __qualname__ __file__ __new__ __wrapped__".split())
# Names by which code gets hold of a class that it does not name, and functions that ask for an attribute by a text.
CLASS_NAMES = frozenset("type cls __class__".split())
GETTERS = frozenset("attrgetter methodcaller".split())
IDENTIFIER = re.compile(r"[^\W\d]\w*")
# A docstring that may hold conditions, which name what they speak of.
CONDITIONS = re.compile(r"(?mi)^\s*:?(pre|post|raises?)\b")
# Parts of a type as it is written: to evaluate them runs nothing of the code's own.
TYPE_PARTS = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.expr_context)
# Parts of a value whose making runs nothing of the code's own.
VALUE_PARTS = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.expr_context)


class Mentions:
    """What pieces of code name, and what they do that could change things."""

    def __init__(self, nodes=()):
        # Names that are not local to a function, and those of them, and of the others, that stand alone: neither called nor asked for a part.
        self.names, self.bare = set(), set()
        # (name, where it comes from) for what imports bind, and those names among them that are modules.
        self.imports, self.modules = set(), set()
        # (name, attribute): of the name itself, and at any depth behind it. The names behind which something is set.
        self.parts, self.attributes, self.store_roots = set(), set(), set()
        # Whether it sets attributes, asks for classes, means names by texts, or comes to what it does not name.
        self.stores = self.asks_class = self.by_text = self.is_wild = False
        self._held = set()
        waiting = [(node, frozenset()) for node in nodes]
        while waiting:
            node, local = waiting.pop()
            self._look(node, local)
            inner = local | _locals(node) if isinstance(node, FUNCTIONS) else local
            body = {*node.body} if isinstance(node, FUNCTIONS) else ()
            waiting += [(each, inner if each in body else local) for each in ast.iter_child_nodes(node)]

    def _look(self, node, local):
        if isinstance(node, ast.Name):
            self._name(node, local)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self.names.update(node.names)
        elif isinstance(node, ast.Attribute):
            self._attribute(node)
        elif isinstance(node, ast.Subscript):
            self._held.add(node.value)
            # Variables of the environment are no part of what is computed.
            if not isinstance(node.ctx, ast.Load) and ast.unparse(node.value) != "os.environ":
                self.store_roots.add(root_of(node))
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.ExceptHandler) and node.type:
            self._held.update(ast.walk(node.type))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imports.update(imported(node))
            self.modules.update(each.asname or top(each.name) for each in node.names if isinstance(node, ast.Import) or each.name in sys.stdlib_module_names)
        self._types(node)
        self._text(node)

    def _call(self, node):
        self._held.add(node.func)
        if isinstance(node.func, ast.Name) and node.func.id == "getattr":
            name = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else None
            self.is_wild |= not isinstance(name, str) or _is_wild(name)

    def _name(self, node, local):
        if node.id not in local:
            self.names.add(node.id)
            self.by_text |= node.id in BY_TEXT
        self.asks_class |= node.id in CLASS_NAMES
        self.is_wild |= node.id in GETTERS or (node.id == "getattr" and node not in self._held)
        self.stores |= node.id in STORING
        if node not in self._held:
            self.bare.add(node.id)

    def _attribute(self, node):
        self._held.add(node.value)
        root = root_of(node)
        self.attributes.add((root, node.attr))
        if isinstance(node.value, ast.Name):
            self.parts.add((root, node.attr))
        self.stores |= node.attr in STORING or not isinstance(node.ctx, ast.Load)
        self.asks_class |= node.attr == "__class__"
        self.is_wild |= node.attr in GETTERS or _is_wild(node.attr)
        if not isinstance(node.ctx, ast.Load):
            self.store_roots.add(root)

    def _types(self, node):
        """What stands for a type is held by nobody; texts in it are read as types later."""
        types = [getattr(node, field, None) for field in ("annotation", "returns")]
        if isinstance(node, ast.ClassDef):
            types += [*node.bases, *node.decorator_list]
        if isinstance(node, FUNCTIONS):
            types += node.decorator_list
        for each in types:
            if isinstance(each, ast.AST):
                self._held.update([each] if isinstance(node, DEFINITIONS) and each is not getattr(node, "returns", None) else ast.walk(each))
                self._quoted(each)

    def _text(self, node):
        if isinstance(node, DEFINITIONS):
            text = ast.get_docstring(node, clean=False)
            if text and CONDITIONS.search(text):
                self.names.update(IDENTIFIER.findall(text))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, (ast.Subscript, ast.Call)):
            # An alias of a type, or a variable for types, may name one in a text.
            self._quoted(node.value)

    def _quoted(self, node):
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                self.names.update(_named_in(each.value))


def together(parts):
    """The mentions of several pieces of code in one."""
    made = Mentions()
    for each in parts:
        for field in ("names", "bare", "imports", "modules", "parts", "attributes", "store_roots"):
            getattr(made, field).update(getattr(each, field))
        made.stores |= each.stores
        made.asks_class |= each.asks_class
        made.by_text |= each.by_text
        made.is_wild |= each.is_wild
    return made


def _is_wild(attribute):
    """Whether an attribute leads to more than the object and its class."""
    return attribute in allowed.REFUSED_ATTRIBUTES or (allowed.is_dunder(attribute) and attribute not in TAME_DUNDERS)


def top(module):
    return module.partition(".")[0]


def root_of(node):
    """The name that a chain of attributes and subscripts begins with; None for a value that has none."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def imported(node):
    """(name, where it comes from) for each name that an import binds."""
    if isinstance(node, ast.ImportFrom):
        return {(each.asname or each.name, f"{node.module or ''}.{each.name}") for each in node.names}
    return {(each.asname or top(each.name), each.name) for each in node.names}


def _named_in(text):
    try:
        return [each.id for each in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(each, ast.Name)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _locals(function):
    """Names that are the function's own variables, at least."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    own = {each.arg for each in every if each}
    shared = {name for node in ast.walk(function) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    return frozenset(own | {name for each in function.body for name in binding(each)}) - shared


def binding(node):
    """The names that a statement binds, or takes away, in its own scope."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.alias):
            yield each.asname or top(each.name)
        elif not isinstance(each, (ast.arg, ast.keyword)) and not (isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)):
            for field in safety.DEFINING.get(type(each), ()):
                value = getattr(each, field)
                yield from (name for name in (value if isinstance(value, list) else [value]) if name)
        if not isinstance(each, SCOPES):
            waiting += ast.iter_child_nodes(each)


def loading(node):
    """The parts of a statement that run when it does, and may run code of the module; not the bodies of functions."""
    if isinstance(node, FUNCTIONS):
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        yield from node.decorator_list
        yield from _but(VALUE_PARTS, [*arguments.defaults, *arguments.kw_defaults])
        yield from _but(TYPE_PARTS, [node.returns, *(each.annotation for each in every if each)])
    elif isinstance(node, ast.ClassDef):
        yield from [*node.decorator_list, *node.keywords]
        yield from _but(TYPE_PARTS, node.bases)
        for each in node.body:
            yield from loading(each)
    elif isinstance(node, ast.Assign) and all(isinstance(each, ast.Name) for each in node.targets):
        yield from _but(VALUE_PARTS, [node.value])
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield from _but(TYPE_PARTS, [node.annotation])
        yield from _but(VALUE_PARTS, [node.value])
    elif not isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)):
        yield from _of_block(node)


def _of_block(node):
    """Of a statement with others in it, its own expressions and what of the others runs; any other one as it is."""
    inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, (ast.stmt, ast.ExceptHandler))]
    if not inner:
        yield node
        return
    yield from (each for each in ast.iter_child_nodes(node) if each not in inner)
    for each in inner:
        yield from _of_block(each) if isinstance(each, ast.ExceptHandler) else loading(each)


def _but(harmless, nodes):
    """Those expressions that are made of more than such parts."""
    return [each for each in nodes if each and not all(isinstance(part, harmless) for part in ast.walk(each))]
