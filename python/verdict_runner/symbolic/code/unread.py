"""What code under test must not use, but may contain as long as no run uses it.

A module often contains what only some of its functions use. Each read of such a name, or of an attribute that leads
out of the code, becomes a recorded violation, so a run that reaches one has no result. Reads of builtins that the code
lacks are found at run time (`Builtins`), where Python itself finds no variable of that name. An import that can fail is
also a violation if code can catch its exception. The same holds for special methods that a class must not have, for defaults of parameters, and
for names that a statement of the module would bind if it could run (`unrun`). The methods with which a class decides
how it is copied are left out, unless the code imports a module that copies, or can find these methods.
"""

from __future__ import annotations

import ast
import builtins
import functools
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from typing import NoReturn, Union

from verdict_runner.sandbox import allowed, guards, program
from verdict_runner.sandbox.classes import COMPILED
from verdict_runner.symbolic.code.loading import TYPE_PARTS, Loading
from verdict_runner.symbolic.code.mentions import (
    DEFINITIONS,
    FUNCTIONS,
    FunctionNode,
    arguments_of,
    binding,
    imported,
    locals_of,
    top,
)
from verdict_runner.symbolic.profile import PROFILE

# The functions that rewritten code calls; no code can have a name with a space.
READ, HELD, GIVEN, BEGIN = "read unusable", "hold unusable", "given unusable", "begin statement"
MAKE, MADE = "make object", "made by"
NEW = "__new__"
# With these, code can find variables without reading them by name; with the latter two, only without an argument.
LISTING = frozenset(("globals", "locals", "dir", "vars"))
OF_VALUES = ("dir", "vars")
# Builtins that code under test lacks.
MISSING = allowed.REFUSED.keys() | vars(builtins).keys() - program.restricted_builtins({}, {}).keys() - allowed.NAMEABLE
COPYING = frozenset("__getnewargs_ex__ __getstate__ __reduce__ __reduce_ex__ __setstate__".split())
COPIERS = frozenset(("copy", "dataclasses"))
# Methods that Python 3 calls under no circumstances.
OF_PYTHON_2 = frozenset(
    "__cmp__ __coerce__ __delslice__ __div__ __getslice__ __hex__ __idiv__ __long__ __nonzero__ __oct__ __rdiv__ __setslice__ "
    "__unicode__".split()
)
# Names that no object can replace: Python calls the first at any time, and reads the value of the second.
IRREPLACEABLE = frozenset(("__del__", "__order__"))
Comprehension = Union[ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp]
# In these, a failing import does not stop the module from loading.
CATCHING = (*FUNCTIONS, ast.Try, getattr(ast, "TryStar", ast.Try), ast.With, ast.AsyncWith)


def rewritten(
    tree: ast.Module, kept: Collection[str] = (), unrun: Mapping[int, Mapping[str, str]] | None = None
) -> ast.Module:
    """Turns what the tree must not use into violations, in place, and marks the beginning of each statement.

    `kept` are names of Verdict's own; `unrun` holds the places of statements that can't run, and why
    the names that they bind have no value.
    """
    reads = _Reads(tree, kept)
    for at, why in (unrun or {}).items():
        reads.stopped.update(why)
        tree.body[at] = ast.copy_location(ast.Pass(), tree.body[at])
    for _ in range(2):
        reads.visit(tree)
    tree.body = [one for at, each in enumerate(tree.body) for one in _marked(at, each)]
    return ast.fix_missing_locations(tree)


def hidden(begin: Callable[[int], object]) -> dict[str, object]:
    """The functions that a rewritten tree calls; `begin` receives the place of the statement that runs next."""
    return {READ: stop, HELD: _held, GIVEN: _given, BEGIN: begin, MAKE: guards.maker, MADE: guards.Maker}


def stop(message: str) -> NoReturn:
    """Raises and records the violation of a read."""
    raise guards.stopped(AttributeError, message)


def _held(message: str, value: object = ...) -> guards.Unusable:
    """Stands for a value that only its presence shows, unlike None or an abstract method."""
    if value is None or getattr(value, "__isabstractmethod__", False):
        stop(message)
    return guards.Unusable(message)


def _given(value: object) -> None:
    """Stops a call that needs a default without a value."""
    if type(value) is guards.Unusable:
        stop(value.message)


def _marked(at: int, node: ast.stmt) -> list[ast.stmt]:
    is_first = isinstance(node, (ast.Expr, ast.ImportFrom)) and at == 0
    if is_first or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
        return [node]
    return [_run(node, _call(node, BEGIN, at)), node]


class Builtins(dict[str, object]):
    """The builtins of code under test, among which Python looks for a name for which the code has no variable."""

    def __missing__(self, name: str) -> NoReturn:
        if name in MISSING:
            stop(_of_code(name))
        raise KeyError(name)


class _Maker(ast.FunctionDef):
    """The method `__new__` of a class, which `safety` accepts."""


class _Held(ast.Name):
    """A name that a class must not have, with an object for which Python has no use; `safety` accepts it."""


class _Reads(ast.NodeTransformer):
    """The first visit finds most imports, and the second one replaces the reads before them."""

    def __init__(self, tree: ast.Module, kept: Collection[str]) -> None:
        self._kept = kept
        # Names that have no value, with the reasons.
        self.stopped: dict[str, str] = {}
        self._tree = tree
        # The module, and the name in it, that an import binds to a name.
        self._homes: dict[str, tuple[str, str]] = {}
        self._copies = self._lists = self._names_methods = False
        self._around: list[ast.AST] = []
        # The local variables of the function whose body is visited, and of functions around it.
        self._local: frozenset[str] = frozenset()
        self._defined: set[str] = set()

    @functools.cached_property
    def _loading(self) -> Loading:
        return Loading(self._tree)

    def visit(self, node: ast.AST) -> ast.AST:
        self._around.append(node)
        try:
            return super().visit(node)
        finally:
            self._around.pop()

    def visit_Module(self, node: ast.Module) -> ast.Module:
        imports = [each for each in ast.walk(node) if isinstance(each, (ast.Import, ast.ImportFrom))]
        self._copies = any(top(home) in COPIERS for each in imports for _, home in imported(each))
        self._names_methods = any(
            getattr(each, "value", getattr(each, "id", None)) in ("dir", *COPYING, *OF_PYTHON_2)
            for each in ast.walk(node)
            if isinstance(each, (ast.Constant, ast.Name))
        )
        calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call) and has_argument(each)]
        harmless = [each for each in calls if isinstance(each, ast.Name) and each.id in OF_VALUES]
        names = [each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id in LISTING]
        self._lists = len(names) > len(harmless)
        self._defined = {each.name for each in ast.walk(node) if isinstance(each, DEFINITIONS)}
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt | list[ast.stmt]:
        is_idle = node.name in OF_PYTHON_2 or (node.name in COPYING and not self._copies)
        if is_idle and not node.decorator_list and not self._names_methods:
            self._empty(node)
        elif node.name == NEW and self._is_in_class() and not node.decorator_list:
            maker = _Maker(**vars(node))
            maker.decorator_list = [ast.copy_location(ast.Name(MADE, ast.Load()), node)]
            self._define(maker)
            return maker
        elif self._is_held(node.name) and all(map(self._is_quiet, node.decorator_list)):
            name = node.name
            self._empty(node)
            self._define(node)
            ends: list[ast.stmt] = [node, ast.copy_location(ast.Delete([ast.Name(node.name, ast.Del())]), node)]
            return [*ends, self._held(node, name)]
        self._define(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        self._define(node)
        return node

    def visit__Maker(self, node: _Maker) -> ast.stmt:
        self._define(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        around = self._local
        # A class reads a name that it binds from the module, whatever the function around it binds.
        self._local -= {name for each in node.body for name in binding(each)}
        self.generic_visit(node)
        self._local = around
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        # The defaults are evaluated outside. Each part is visited once: such expressions can be nested deeply.
        self.visit(node.args)
        around = self._local
        self._local |= {each.arg for each in arguments_of(node)}
        node.body = self._expression(node.body)
        self._local = around
        return node

    def _comprehension(self, node: Comprehension) -> ast.expr:
        first = node.generators[0]
        # Python evaluates the first collection outside.
        outer, first.iter = self._expression(first.iter), ast.copy_location(ast.Constant(None), first.iter)
        around = self._local
        self._local |= {name for each in node.generators for name in binding(each.target)}
        self.generic_visit(node)
        first.iter, self._local = outer, around
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _is_quiet(self, decorator: ast.expr) -> bool:
        """Whether a decorator only stores the method, and Python does not ask whether it is abstract."""
        return "abstract" not in ast.unparse(decorator) and self._loading.only_stores(decorator)

    def _empty(self, node: ast.FunctionDef) -> None:
        """Leaves a definition without its name and body: its defaults and annotations can bind names."""
        node.body = [_run(node, _stopping(node, _of_code(node.name)))]
        node.name = f"{guards.LEFT_OUT}{node.name}"

    def _define(self, node: FunctionNode) -> None:
        """Visits a function, which is defined without the defaults that have no value."""
        node.returns = self._annotation(node.returns)
        around, body, node.body = self._local, ast.Module(node.body, []), []
        self.generic_visit(node)
        shared = {
            name
            for each in ast.walk(body)
            if isinstance(each, (ast.Import, ast.ImportFrom, ast.Global))
            for name in (each.names if isinstance(each, ast.Global) else (one for one, _ in imported(each)))
        }
        node.body = body.body
        self._local = (around | locals_of(node)) - shared
        self.generic_visit(body)
        node.body, self._local = body.body, around
        places = [*node.args.posonlyargs, *node.args.args]
        left: list[ast.stmt] = []
        for names, values in ((places[::-1], node.args.defaults[::-1]), (node.args.kwonlyargs, node.args.kw_defaults)):
            for name, value in zip(names, values):
                # A decorator such as one of a contract could read the default before the function runs.
                is_seen = any(isinstance(each, ast.Call) for each in node.decorator_list)
                if isinstance(value, ast.Call) and getattr(value.func, "id", "") == READ and not is_seen:
                    value.func = ast.copy_location(ast.Name(HELD, ast.Load()), value)
                    left.append(_run(node, _call(node, GIVEN, ast.Name(name.arg, ast.Load()))))
        place = int(ast.get_docstring(node, clean=False) is not None)
        node.body[place:place] = left

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        target = node.targets[0]
        is_held = len(node.targets) == 1 and isinstance(target, ast.Name) and self._is_held(target.id)
        self.generic_visit(node)
        if not is_held or (isinstance(node.value, ast.Call) and getattr(node.value.func, "id", None) == HELD):
            return node
        return self._held(node, target.id, node.value) if isinstance(target, ast.Name) else node

    def _is_held(self, name: str) -> bool:
        """Whether a class must not have this name, which an object without a use for Python can replace."""
        return self._is_in_class() and name not in IRREPLACEABLE and _is_special(name) and name not in COMPILED

    def _held(self, node: ast.stmt, name: str, *values: ast.expr, why: str | None = None) -> ast.stmt:
        value = _call(node, HELD, why or _of_code(name), *values)
        return ast.copy_location(ast.Assign([_Held(name, ast.Store())], value), node)

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        self.generic_visit(node)
        if node.arg is None or not _is_special(node.arg):
            return node
        # Any text can be a keyword.
        return ast.copy_location(ast.keyword(None, ast.Dict([ast.Constant(node.arg)], [node.value])), node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = self._annotation(node.annotation)
        return node

    def _annotation(self, node: ast.expr | None) -> ast.expr | None:
        """An annotation of a function, or its text if it can't be evaluated: no code reads it."""
        if node is None or not all(isinstance(each, TYPE_PARTS) for each in ast.walk(node)):
            return node and self._expression(node)
        text, kind = ast.unparse(node), self._expression(node)
        has_value = not any(isinstance(each, ast.Name) and each.id in (READ, *MISSING) for each in ast.walk(kind))
        return kind if has_value else ast.copy_location(ast.Constant(text), node)

    def _expression(self, node: ast.expr) -> ast.expr:
        visited = self.visit(node)
        return visited if isinstance(visited, ast.expr) else node

    def visit_Import(self, node: ast.Import) -> ast.stmt | list[ast.stmt]:
        unusable = [each for each in node.names if _is_unusable(each.name) and not self._is_found_otherwise(each)]
        homes = {each.asname or top(each.name): (each.name, each.name) for each in unusable}
        return self._importing(node, unusable, homes, all(_is_found(each.name) for each in unusable))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | list[ast.stmt]:
        home = node.module or ""
        if node.names[0].name == "*":
            # These names are not among those that the import binds.
            missing = [each for each in dir(sys.modules.get(home)) if each[:1] != "_" and _is_withheld(home, each)]
            self._homes.update((each, (home, each)) for each in missing)
        unusable = [] if node.level else [each for each in node.names if _is_withheld(home, each.name)]
        if any(map(self._is_found_otherwise, unusable)):
            return node
        homes = {each.asname or each.name: (home, each.name) for each in unusable}
        is_found = all(hasattr(sys.modules.get(home), each.name) for each in unusable)
        return self._importing(node, unusable, homes, is_found)

    def _importing(
        self,
        node: ast.Import | ast.ImportFrom,
        unusable: Sequence[ast.alias],
        homes: Mapping[str, tuple[str, str]],
        is_found: bool,
    ) -> ast.stmt | list[ast.stmt]:
        """The import without the names that must not be used; a definition of such a name must not take its place."""
        self._homes.update(homes)
        if unusable and self._is_caught() and not is_found:
            return _run(node, _stopping(node, _of_module(*next(iter(homes.values())))))
        node.names = [each for each in node.names if each not in unusable]
        held = [self._held(node, name, why=_of_module(*home)) for name, home in homes.items() if name in self._defined]
        return [*([node] if node.names else []), *held] or ast.copy_location(ast.Pass(), node)

    def visit_Match(self, node: ast.Match) -> ast.stmt | list[ast.stmt]:
        patterns = [one for case in node.cases for one in ast.walk(case.pattern)]
        whys = [self._why(each.id) for each in patterns if isinstance(each, ast.Name)]
        whys += [
            _of_code(each.attr)
            for each in patterns
            if isinstance(each, ast.Attribute) and allowed.attribute_refused(each.attr)
        ]
        why = next(filter(None, whys), None)
        if why is None:
            self.generic_visit(node)
            return node
        # A pattern can't contain a call. Code that never runs binds the same names.
        bound = [
            name for each in patterns for name in (getattr(each, "name", None), getattr(each, "rest", None)) if name
        ]
        own: list[ast.stmt] = [
            ast.copy_location(ast.Assign([ast.Name(each, ast.Store())], ast.Constant(None)), node) for each in bound
        ]
        inside = [one for case in node.cases for one in case.body]
        dead = ast.copy_location(ast.If(ast.Constant(False), own + inside, []), node)
        self.generic_visit(dead)
        return [_run(node, _stopping(node, why)), dead]

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        return self._changing(node, [node.target])

    def visit_Delete(self, node: ast.Delete) -> ast.stmt:
        return self._changing(node, node.targets)

    def _changing(self, node: ast.stmt, targets: list[ast.expr]) -> ast.stmt:
        """The statement, or a violation if it needs a name to have a value that it has not."""
        reasons = [why for each in targets if isinstance(each, ast.Name) and (why := self._why(each.id))]
        self.generic_visit(node)
        return _run(node, _stopping(node, reasons[0])) if reasons else node

    def _is_in_class(self) -> bool:
        scopes = [each for each in self._around[:-1] if isinstance(each, DEFINITIONS)]
        return bool(scopes) and isinstance(scopes[-1], ast.ClassDef)

    def _is_found_otherwise(self, bound: ast.alias) -> bool:
        """Whether code can find what an import binds here without its name."""
        return self._lists or self._is_in_class() or bound.name == "*"

    def _is_caught(self) -> bool:
        return any(isinstance(each, CATCHING) for each in self._around)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Attribute) and node.func.attr == NEW:
            node.func = _call(node, MAKE, node.func.value)
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        is_read = isinstance(node.ctx, ast.Load)
        home = self._home(node.value.id) if isinstance(node.value, ast.Name) else None
        if is_read and home:
            return _stopping(node, _of_module(home[0], node.attr))
        if allowed.attribute_refused(node.attr):
            stopping = _stopping(
                node,
                f"the attribute {node.attr} is not available to {PROFILE.author}: it gives access to more than its own values",
            )
            # Its object is evaluated before it is set or deleted.
            return stopping if is_read else ast.copy_location(ast.Attribute(stopping, "unusable", node.ctx), node)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            why = self._why(node.id)
            return _stopping(node, why) if why else node
        if _is_special(node.id) and node.id not in self._kept and not self._lists and not self._is_in_class():
            node.id = f"{guards.LEFT_OUT}{node.id}"
        return node

    def _why(self, name: str) -> str | None:
        """Why a name has no value here."""
        if name in self._kept:
            return None
        home = self._home(name)
        stopped = None if name in self._local else self.stopped.get(name)
        return _of_module(*home) if home else stopped or (_of_code(name) if _is_special(name) else None)

    def _home(self, name: str) -> tuple[str, str] | None:
        return None if name in self._local else self._homes.get(name)


def _is_special(name: str) -> bool:
    return allowed.is_dunder(name) and name not in allowed.NAMEABLE


def _is_unusable(module: str) -> bool:
    return top(module) in sys.stdlib_module_names and module not in PROFILE.modules


def _is_withheld(module: str, name: str) -> bool:
    """Whether code must not import this name of a module."""
    if f"{module}.{name}" in PROFILE.modules or module == "__future__":
        return False
    return _is_unusable(module) or allowed.attribute_refused(name) or PROFILE.is_withheld(module, name)


def _is_found(module: str) -> bool:
    """Whether an import of this module certainly succeeds."""
    return module in sys.modules or ("." not in module and find_spec(module) is not None)


def has_argument(call: ast.Call) -> bool:
    return bool(call.args) and not isinstance(call.args[0], ast.Starred)


def _of_module(home: str, name: str) -> str:
    reason = allowed.WHY_WITHHELD if home in PROFILE.modules else PROFILE.reason(home)
    return f"the name {name} of {home} is not available to {PROFILE.author}: {reason}"


def _of_code(name: str) -> str:
    return f"the name {name} is not available to {PROFILE.author}"


def _stopping(node: ast.AST, message: str) -> ast.expr:
    return _call(node, READ, message)


def _call(node: ast.AST, function: str, *arguments: ast.expr | str | int) -> ast.Call:
    values = [each if isinstance(each, ast.expr) else ast.Constant(each) for each in arguments]
    return ast.copy_location(ast.Call(ast.Name(function, ast.Load()), values, []), node)


def _run(node: ast.AST, value: ast.expr) -> ast.stmt:
    return ast.copy_location(ast.Expr(value), node)
