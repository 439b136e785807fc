"""What code under test must not use, but may contain as long as no run uses it.

A module often imports what only some of its functions use. Each read of such a name, or of an attribute that leads
out of the code, becomes a recorded violation, so a run that reaches one has no result. A local variable of the same
name is treated in the same way, which can only lose answers. An import that can fail is also a violation if code
can catch its exception. The methods with which a class decides how it is copied are left out, unless the code
imports a module that copies, or can find these methods.
"""

from __future__ import annotations

import ast
import sys
from importlib.util import find_spec
from typing import NoReturn

from verdict_runner.sandbox import allowed, guards
from verdict_runner.symbolic.code.mentions import DEFINITIONS, FUNCTIONS, imported, top
from verdict_runner.symbolic.profile import PROFILE

# The function that a read calls; no code can have a name with a space.
READ = "read unusable"
# With these, code can find variables without reading them by name; with the latter two, only without an argument.
LISTING = frozenset(("globals", "locals", "dir", "vars"))
OF_VALUES = ("dir", "vars")
COPYING = frozenset("__getnewargs__ __getnewargs_ex__ __getstate__ __reduce__ __reduce_ex__ __setstate__".split())
COPIERS = frozenset(("copy", "dataclasses"))
# Methods that Python 3 calls under no circumstances.
OF_PYTHON_2 = frozenset(
    "__cmp__ __coerce__ __delslice__ __div__ __getslice__ __hex__ __idiv__ __long__ __nonzero__ __oct__ __rdiv__ __setslice__ "
    "__unicode__".split()
)
# In these, a failing import does not stop the module from loading.
CATCHING = (*FUNCTIONS, ast.Try, getattr(ast, "TryStar", ast.Try), ast.With, ast.AsyncWith)


def rewritten(tree: ast.Module) -> ast.Module:
    """Removes these imports from the tree, and turns reads of their names into violations, in place."""
    reads = _Reads()
    for _ in range(2):
        reads.visit(tree)
    return ast.fix_missing_locations(tree)


def stop(message: str) -> NoReturn:
    """Raises and records the violation of a read."""
    raise guards.stopped(AttributeError, message)


class _Reads(ast.NodeTransformer):
    """The first visit finds most imports, and the second one replaces the reads before them."""

    def __init__(self) -> None:
        # The module, and the name in it, that an import binds to a name.
        self._homes: dict[str, tuple[str, str]] = {}
        self._copies = self._lists = self._names_methods = False
        self._around: list[ast.AST] = []
        self._defined: set[str] = set()

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

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        is_idle = node.name in OF_PYTHON_2 or (node.name in COPYING and not self._copies)
        if is_idle and not node.decorator_list and not self._names_methods:
            # Its defaults and annotations are evaluated, and can bind names.
            node.name, node.body = f"{guards.LEFT_OUT}{node.name}", [ast.Pass()]
        self.generic_visit(node)
        return node

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        unusable = [each for each in node.names if _is_unusable(each.name) and not self._is_kept(each)]
        self._homes.update((each.asname or top(each.name), (each.name, each.name)) for each in unusable)
        if self._is_caught() and not all(_is_found(each.name) for each in unusable):
            return ast.copy_location(ast.Expr(_stopping(node, _of_module(unusable[0].name, unusable[0].name))), node)
        node.names = [each for each in node.names if each not in unusable]
        return node if node.names else ast.copy_location(ast.Pass(), node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        home = node.module or ""
        if node.level or not _is_unusable(home) or any(map(self._is_kept, node.names)):
            return node
        self._homes.update((each.asname or each.name, (home, each.name)) for each in node.names)
        if self._is_caught() and not all(hasattr(sys.modules.get(home), each.name) for each in node.names):
            return ast.copy_location(ast.Expr(_stopping(node, _of_module(home, node.names[0].name))), node)
        return ast.copy_location(ast.Pass(), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        return self._changing(node, [node.target])

    def visit_Delete(self, node: ast.Delete) -> ast.stmt:
        return self._changing(node, node.targets)

    def _changing(self, node: ast.stmt, targets: list[ast.expr]) -> ast.stmt:
        """The statement, or a violation if it needs a name to have a value that it has not."""
        self.generic_visit(node)
        homes = [self._homes[each.id] for each in targets if isinstance(each, ast.Name) and each.id in self._homes]
        return ast.copy_location(ast.Expr(_stopping(node, _of_module(*homes[0]))), node) if homes else node

    def _is_kept(self, bound: ast.alias) -> bool:
        """Whether code can find what an import binds here without its name, or by the name of a definition."""
        scopes = [each for each in self._around if isinstance(each, DEFINITIONS)]
        in_class = bool(scopes) and isinstance(scopes[-1], ast.ClassDef)
        return self._lists or in_class or bound.name == "*" or (bound.asname or top(bound.name)) in self._defined

    def _is_caught(self) -> bool:
        return any(isinstance(each, CATCHING) for each in self._around)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        is_read = isinstance(node.ctx, ast.Load)
        if is_read and isinstance(node.value, ast.Name) and node.value.id in self._homes:
            return _stopping(node, _of_module(self._homes[node.value.id][0], node.attr))
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
        is_read = isinstance(node.ctx, ast.Load) and node.id in self._homes
        return _stopping(node, _of_module(*self._homes[node.id])) if is_read else node


def _is_unusable(module: str) -> bool:
    first = top(module)
    return first in sys.stdlib_module_names and first not in PROFILE.modules


def _is_found(module: str) -> bool:
    """Whether an import of this module certainly succeeds."""
    return module in sys.modules or ("." not in module and find_spec(module) is not None)


def has_argument(call: ast.Call) -> bool:
    return bool(call.args) and not isinstance(call.args[0], ast.Starred)


def _of_module(home: str, name: str) -> str:
    return f"the name {name} of {home} is not available to {PROFILE.author}: {PROFILE.reason(home)}"


def _stopping(node: ast.AST, message: str) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(READ, ast.Load()), [ast.Constant(message)], []), node)
