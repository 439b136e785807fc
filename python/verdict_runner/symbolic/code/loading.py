"""Finds the parts of a module that run when it is loaded and that can run the module's own code."""

from __future__ import annotations

import ast
import builtins
import collections
from collections.abc import Collection, Iterable, Iterator

from verdict_runner.symbolic.code.mentions import (
    FUNCTIONS,
    FunctionNode,
    arguments_of,
    binding,
    imported,
    named,
    root_of,
    top,
)

# Nodes in a written type. Evaluating such nodes runs no code unless one of them is an object defined in the module.
TYPE_PARTS = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.BinOp,
    ast.BitOr,
    ast.expr_context,
)
# Nodes of a value that can be created without running the module's own code.
VALUE_PARTS = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.expr_context)
# The `__class_getitem__` of classes for which brackets after the class name only create a type.
GENERIC = ("classmethod(GenericAlias)", "classmethod(types.GenericAlias)")
# Functions that create types.
TYPE_MAKERS = frozenset("TypeVar TypeVarTuple ParamSpec NewType namedtuple NamedTuple".split())
# Packages whose decorators only state conditions.
CONTRACTS = {"icontract", "deal"}
# Decorators that do not call the decorated function. A property's accessor decorators have the property's name.
ACCESSORS = frozenset("setter getter deleter".split())
PATIENT = frozenset(
    "property staticmethod classmethod cache lru_cache cached_property wraps total_ordering singledispatch singledispatchmethod contextmanager "
    "asynccontextmanager abstractmethod overload override final no_type_check runtime_checkable dataclass unique".split()
)


# Statements and expressions that run other code, or change variables of the module.
NOT_KEEPING = (
    *(
        ast.Global,
        ast.Nonlocal,
        ast.With,
        ast.AsyncWith,
        ast.For,
        ast.AsyncFor,
        ast.Yield,
        ast.YieldFrom,
        ast.Await,
        ast.AugAssign,
        ast.BinOp,
        ast.Subscript,
    ),
    *(ast.Import, ast.ImportFrom, ast.ClassDef, ast.Delete, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
# Functions that call none of their arguments, as decorators and in decorators.
KEEPING = frozenset(
    "getattr hasattr isinstance issubclass callable type partial wraps update_wrapper property staticmethod classmethod super".split()
)


class Loading:
    """Records which of a module's names can run code."""

    def __init__(self, tree: ast.Module) -> None:
        # The origins of imported names, the names that are bound in other ways, and the latter without names of
        # functions.
        self._tree = tree
        self._imports: dict[str, set[str]] = {}
        self._bound: set[str] = set()
        self._variables: set[str] = set()
        # The module's names that may refer to objects with methods.
        self._objects = {
            name for each in tree.body if not isinstance(each, (ast.Import, ast.ImportFrom)) for name in binding(each)
        }
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for name, module in imported(node):
                    self._imports.setdefault(name, set()).add(top(module))
            elif not isinstance(node, (ast.alias, ast.keyword)) and not isinstance(
                getattr(node, "ctx", None), ast.Load
            ):
                self._bound.update(named(node))
                if not isinstance(node, (*FUNCTIONS, ast.arg)):
                    self._variables.update(named(node))
        self._top = {*self._imports, *self._objects}
        # How often anything but a parameter gets a name.
        # Whether calls of definitions only store their arguments: by name, and whether the result is a decorator.
        self._kept: dict[tuple[str, bool], bool] = {}
        self._counts = collections.Counter(
            name
            for node in ast.walk(tree)
            if not isinstance(node, (ast.arg, ast.keyword)) and not isinstance(getattr(node, "ctx", None), ast.Load)
            for name in named(node)
        )
        self._objects -= self._types_of(tree)

    def _types_of(self, tree: ast.Module) -> set[str]:
        """Returns the names that refer only to classes and types."""
        types, makers = set(), {}
        for node in tree.body:
            for name in binding(node):
                makers.setdefault(name, []).append(node)
        while more := {
            name
            for name, each in makers.items()
            if name not in types and all(self._is_type(node, types) for node in each)
        }:
            types |= more
        return types

    def _is_type(self, node: ast.AST, types: set[str]) -> bool:
        """Whether a statement only binds names to classes, imports, or types composed of types."""
        if isinstance(node, (ast.ClassDef, ast.Import, ast.ImportFrom)):
            return True
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            return False
        value = node.value
        if isinstance(value, ast.Call):
            function = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", None)
            return function in TYPE_MAKERS
        names = {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
        return _is_made_of(TYPE_PARTS, value) and all(name in types or name not in self._objects for name in names)

    def parts(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yields the parts of a statement that run with it.

        Function bodies do not run, unless a decorator can call the function.
        """
        if isinstance(node, FUNCTIONS):
            arguments = node.args
            yield from node.decorator_list
            yield from _values([*arguments.defaults, *arguments.kw_defaults])
            yield from self._running([node.returns, *(each.annotation for each in arguments_of(node))])
            if not all(map(self.only_stores, node.decorator_list)):
                yield node
        elif isinstance(node, ast.ClassDef):
            yield from [*node.decorator_list, *node.keywords]
            yield from self._running(node.bases)
            inner = [one for each in node.body for one in self.parts(each)]
            yield from inner
            # A variable of the class can name an object that this code changes.
            if names_in(inner) & {name for each in node.body for name in binding(each)}:
                yield from (
                    each.value for each in node.body if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value
                )
            if not all(map(self._is_patient, node.decorator_list)):
                yield node
        elif isinstance(node, ast.Assign) and all(isinstance(each, ast.Name) for each in node.targets):
            yield from () if self._is_tame(node.value) or self.is_generic(node) else _values([node.value])
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield from self._running([node.annotation])
            yield from () if node.value and self._is_tame(node.value) else _values([node.value])
        elif not isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)):
            yield from self._of_block(node)

    def is_generic(self, node: ast.AST) -> bool:
        """Whether a statement makes brackets after a class name create a type, using Python's own code."""
        if not isinstance(node, ast.Assign) or ast.unparse(node.value) not in GENERIC or "classmethod" in self._bound:
            return False
        names = {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)} - {"classmethod"}
        return all(self._imports.get(each) == {"types"} and each not in self._bound for each in names)

    def _of_block(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yields a compound statement's own expressions and the parts of its inner statements that run.

        Yields any other statement unchanged.
        """
        inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, (ast.stmt, ast.ExceptHandler))]
        if not inner:
            yield node
            return
        yield from (each for each in ast.iter_child_nodes(node) if each not in inner)
        for each in inner:
            yield from self._of_block(each) if isinstance(each, ast.ExceptHandler) else self.parts(each)

    def _running(self, types: Iterable[ast.expr | None]) -> list[ast.expr]:
        """Returns the types whose evaluation can run code.

        Brackets, dots and `|` run methods of the module's own objects.
        """
        return [each for each in types if each and not isinstance(each, ast.Name) and not self._is_tame(each)]

    def _is_tame(self, kind: ast.expr) -> bool:
        return _is_made_of(TYPE_PARTS, kind) and not any(
            isinstance(each, ast.Name) and each.id in self._objects for each in ast.walk(kind)
        )

    def only_stores(self, decorator: ast.expr) -> bool:
        """Whether a decorator does not call the decorated function, and stores it only in its result."""
        return self._is_patient(decorator) or self._is_keeper(decorator)

    def _is_patient(self, decorator: ast.expr) -> bool:
        """Whether a decorator does not call the decorated function."""
        if isinstance(decorator, ast.Call):
            decorator = decorator.func
        root = root_of(decorator)
        last = decorator.attr if isinstance(decorator, ast.Attribute) else root
        if isinstance(decorator, ast.Attribute) and last in ACCESSORS:
            return isinstance(decorator.value, ast.Name) and root not in self._top | self._variables
        if root is None or root in self._bound:
            return False
        homes = self._imports.get(root, set())
        return (last in PATIENT and (bool(homes) or hasattr(builtins, root))) or (bool(homes) and homes <= CONTRACTS)

    def _is_keeper(self, decorator: ast.expr) -> bool:
        """Whether a decorator is defined in the module, only stores the function, and calls none of it."""
        is_made = isinstance(decorator, ast.Call)
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        return isinstance(called, ast.Name) and self._keeps(called.id, is_made)

    def _keeps(self, name: str, is_made: bool) -> bool:
        """Whether a call of a definition only stores its arguments in what it returns. If the result is the decorator
        (`is_made`), the same must hold for the result.
        """
        known = self._kept.get((name, is_made))
        if known is None:
            # A definition that calls itself does more.
            self._kept[name, is_made] = False
            known = self._kept[name, is_made] = self._is_kept_by(name, is_made)
        return known

    def _is_kept_by(self, name: str, is_made: bool) -> bool:
        binders = [each for each in self._tree.body if name in binding(each)]
        node = binders[0] if len(binders) == 1 and self._counts[name] == 1 else None
        if isinstance(node, ast.ClassDef) and not is_made:
            methods = {each.name: each for each in node.body if isinstance(each, FUNCTIONS)}
            members = {each for one in node.body for each in binding(one)}
            return (
                not (node.keywords or node.decorator_list or members & {"__setattr__", "__new__", "__call__"})
                and all(ast.unparse(each) in ("object", "property") for each in node.bases)
                and not {"object", "property"} & self._counts.keys()
                and ("__init__" not in methods or self._only_keeps(methods["__init__"], members))
            )
        if not isinstance(node, FUNCTIONS) or node.decorator_list or not self._only_keeps(node, ()):
            return False
        returned = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
        return not is_made or all(isinstance(each, ast.Call) and self._takes_function(each, name) for each in returned)

    def _takes_function(self, made: ast.Call, name: str) -> bool:
        """Whether a call makes `name` with more arguments, or an object of a class that keeps its arguments."""
        called = made.func.id if isinstance(made.func, ast.Name) else ""
        is_own = bool(made.args) and isinstance(made.args[0], ast.Name) and made.args[0].id == name
        is_class = any(isinstance(each, ast.ClassDef) and each.name == called for each in self._tree.body)
        return is_class or (called == "partial" and is_own)

    def _only_keeps(self, function: FunctionNode, members: Collection[str]) -> bool:
        """Whether a function calls only what stores its arguments, and sets only new fields of its first parameter."""
        own = [each.arg for each in [*function.args.posonlyargs, *function.args.args][:1]]
        parameters = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
        waiting: list[ast.AST] = [*function.body]
        while waiting:
            each = waiting.pop()
            place = isinstance(each, (ast.Attribute, ast.Subscript)) and not isinstance(each.ctx, ast.Load)
            is_field = isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and [each.value.id] == own
            if isinstance(each, NOT_KEEPING) or (
                isinstance(each, ast.Compare) and not all(isinstance(one, (ast.Is, ast.IsNot)) for one in each.ops)
            ):
                return False
            if isinstance(each, FUNCTIONS) and not all(
                isinstance(one, ast.Call) and ast.unparse(one.func) in ("wraps", "functools.wraps")
                for one in each.decorator_list
            ):
                return False
            if isinstance(each, ast.Call) and not self._is_keeping(each.func, parameters):
                return False
            if place and not (members and is_field and isinstance(each, ast.Attribute) and each.attr not in members):
                return False
            body = getattr(each, "body", []) if isinstance(each, (*FUNCTIONS, ast.Lambda)) else []
            inner = body if isinstance(body, list) else [body]
            waiting += [one for one in ast.iter_child_nodes(each) if one not in inner]
        return True

    def _is_keeping(self, called: ast.expr, parameters: Collection[str]) -> bool:
        if not isinstance(called, ast.Name):
            return ast.unparse(called) in ("property.__init__", "super().__init__") and not {"property", "super"} & {
                *parameters
            }
        if called.id in parameters:
            return False
        if called.id in self._counts:
            return self._keeps(called.id, False)
        return called.id in KEEPING and self._imports.get(called.id, {"functools"}) == {"functools"}


def names_in(parts: Iterable[ast.AST]) -> set[str]:
    """The names in code that runs with a class, apart from decorators such as `@size.setter`."""
    acting = (each for each in parts if not (isinstance(each, ast.Attribute) and each.attr in ACCESSORS))
    return {one.id for each in acting for one in ast.walk(each) if isinstance(one, ast.Name)}


def _values(nodes: Iterable[ast.expr | None]) -> list[ast.expr]:
    """Returns the values that consist of more than names and constants."""
    return [each for each in nodes if each and not _is_made_of(VALUE_PARTS, each)]


def _is_made_of(parts: tuple[type, ...], node: ast.AST) -> bool:
    return all(isinstance(each, parts) for each in ast.walk(node))
