"""What code under test may not use, and may contain, as long as no run uses it.

A module often imports what only some of its functions use. Each read of such a name becomes a recorded violation, so a run
that reaches one has no result. A local variable of the same name is treated alike, which only loses answers. The methods with
which a class decides how it is copied are left out, unless the code imports a module that copies.
"""

from __future__ import annotations

import ast
import sys
from typing import NoReturn

from verdict_runner.sandbox import guards
from verdict_runner.symbolic.code.mentions import imported, top
from verdict_runner.symbolic.profile import PROFILE

# The function that a read calls; no code can have a name with a space.
READ = "read unusable"
# With these, code can find names without reading them.
LISTING = frozenset(("dir", "globals", "locals", "vars"))
COPYING = frozenset("__getnewargs__ __getnewargs_ex__ __getstate__ __reduce__ __reduce_ex__ __setstate__".split())
COPIERS = frozenset(("copy", "dataclasses"))


def rewritten(tree: ast.Module) -> ast.Module:
    """The tree without these imports, and with violations for reads of their names; in place."""
    if any(isinstance(node, ast.Name) and node.id in LISTING for node in ast.walk(tree)):
        return tree
    reads = _Reads()
    return ast.fix_missing_locations(reads.visit(reads.visit(tree)))


def stop(home: str, name: str) -> NoReturn:
    """Raises and records the violation of a read."""
    raise guards.stopped(ImportError, f"the name {name} of {home} is not for {PROFILE.author}: {PROFILE.reason(home)}")


class _Reads(ast.NodeTransformer):
    """The first visit finds most imports, and the second one replaces the reads before them."""

    def __init__(self) -> None:
        # The module and the name in it that an import binds to a name.
        self._homes: dict[str, tuple[str, str]] = {}
        self._copies = False

    def visit_Module(self, node: ast.Module) -> ast.Module:
        imports = [each for each in ast.walk(node) if isinstance(each, (ast.Import, ast.ImportFrom))]
        self._copies = any(top(home) in COPIERS for each in imports for _, home in imported(each))
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        if not self._copies:
            node.body = [each for each in node.body if getattr(each, "name", "") not in COPYING] or [ast.Pass()]
        self.generic_visit(node)
        return node

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        unusable = [each for each in node.names if _is_unusable(each.name)]
        self._homes.update((each.asname or top(each.name), (each.name, each.name)) for each in unusable)
        node.names = [each for each in node.names if each not in unusable]
        return node if node.names else ast.copy_location(ast.Pass(), node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        home = node.module or ""
        if node.level or not _is_unusable(home) or any(each.name == "*" for each in node.names):
            return node
        self._homes.update((each.asname or each.name, (home, each.name)) for each in node.names)
        return ast.copy_location(ast.Pass(), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and node.value.id in self._homes:
            return _stopping(node, self._homes[node.value.id][0], node.attr)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        is_read = isinstance(node.ctx, ast.Load) and node.id in self._homes
        return _stopping(node, *self._homes[node.id]) if is_read else node


def _is_unusable(module: str) -> bool:
    first = top(module)
    return first in sys.stdlib_module_names and first not in PROFILE.modules


def _stopping(node: ast.expr, home: str, name: str) -> ast.expr:
    call = ast.Call(ast.Name(READ, ast.Load()), [ast.Constant(home), ast.Constant(name)], [])
    return ast.copy_location(call, node)
