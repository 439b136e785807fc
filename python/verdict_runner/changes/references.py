"""Finds the names of a module that always mean one of Python's own objects, and replaces them by that object's name."""

from __future__ import annotations

import ast
import builtins
import importlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set

from verdict_runner.changes.risks import IMPORTS, STEADY, Risks
from verdict_runner.sandbox.allowed import BUILTINS
from verdict_runner.symbolic.code.loading import TYPE_PARTS
from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode, arguments_of, bound_at, top

# `super()` means something only by this name.
RENAMEABLE = frozenset(BUILTINS).intersection(dir(builtins)) - {"super"}


class References(ast.NodeTransformer):
    """Replaces the names of a module that mean Python's own objects, and leaves out what binds them.

    A name is replaced only if nothing in the module binds it to anything else, in any scope.
    """

    def __init__(self, statements: Sequence[ast.stmt], acts: Callable[[ast.stmt], bool], risks: Risks) -> None:
        """`acts` says whether a statement runs code while the module is loaded that can use other definitions."""
        nodes = [one for each in statements for one in ast.walk(each)]
        self._is_open = risks.replaces or any(isinstance(each, ast.alias) and each.name == "*" for each in nodes)
        self._bound = Counter(name for each in nodes for name in bound_at(each))
        types = {one for each in _types(statements) for one in ast.walk(each)}
        read = [each for each in nodes if isinstance(each, ast.Name) and each not in types]
        self._read = {each.id for each in read if isinstance(each.ctx, ast.Load)}
        # For each name the objects that it can mean, one for each place that binds it.
        found: dict[str, list[str]] = {}
        inside = _Inside(nodes, types)
        # Names that are bound before any code can call a function of the module.
        early: set[str] = set()
        for name, full, is_early in self._of_module(statements, acts):
            found.setdefault(name, []).append(full)
            early |= {name} if is_early else set()
        for name, full in inside.found:
            found.setdefault(name, []).append(full)
        unknown = inside.early | ({each.id for each in read if each not in inside.covered} - early)
        touched = risks.touched
        # What code can set by name: variables, and members of modules.
        self._set = risks.rebound | risks.written
        parts = {name: {name, *fulls, *(each.rpartition(".")[2] for each in fulls)} for name, fulls in found.items()}
        unknown |= {name for name, each in parts.items() if self._set & each}
        self._known = {
            name: fulls[0]
            for name, fulls in found.items()
            if len({*fulls}) == 1 and len(fulls) == self._bound[name] and name not in unknown
            if not self._is_open and not any(f"{fulls[0]}.".startswith(f"{each}.") for each in touched)
        }
        self._aliases = {
            each.target.id
            for each in statements
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and not acts(each)
            if self._is_alias(each.annotation) and each.target.id not in self._set
        }

    def _of_module(
        self, statements: Sequence[ast.stmt], acts: Callable[[ast.stmt], bool]
    ) -> Iterator[tuple[str, str, bool]]:
        """The names that statements bind to objects of Python, and whether no code can call a function before."""
        has_functions = has_acted = False
        for each in statements:
            has_functions = has_functions or any(isinstance(one, (*FUNCTIONS, ast.Lambda)) for one in ast.walk(each))
            has_acted |= has_functions and acts(each)
            match each:
                case ast.Assign([ast.Name(name)], ast.Name(full)) if full in RENAMEABLE and not self._bound[full]:
                    yield name, full, not has_acted
                case ast.Import() | ast.ImportFrom():
                    yield from ((name, full, not has_acted) for name, full in _imported(each))

    def is_type_alias(self, node: ast.AnnAssign) -> bool:
        """Whether a statement of the module names a type for annotations, and nothing else reads the name."""
        name = node.target.id if isinstance(node.target, ast.Name) else ""
        is_type = all(isinstance(each, (*TYPE_PARTS, ast.Store)) for each in ast.walk(node.value or node))
        return is_type and name in self._aliases - self._read and self._bound[name] == 1 and not self._is_open

    def is_builtin(self, name: str) -> bool:
        """Whether a name means an object of Python wherever the module uses it."""
        return not self._bound[name] and not self._is_open and name not in self._set

    def _is_alias(self, annotation: ast.expr) -> bool:
        return isinstance(annotation, ast.Name) and self._known.get(annotation.id) == "typing.TypeAlias"

    def visit_Name(self, node: ast.Name) -> ast.AST:
        full = self._known.get(node.id)
        return ast.Name(full if full in RENAMEABLE else f"<{full}>", ast.Load()) if full else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        full = self._known.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if full in STEADY and node.attr not in self._set:
            return ast.Name(f"<{full}.{node.attr}>", ast.Load())
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        match node.targets:
            case [ast.Name(name)] if name in self._known:
                return None
        self.generic_visit(node)
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return self._rest(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return self._rest(node)

    def _rest(self, node: ast.Import | ast.ImportFrom) -> ast.AST | None:
        node.names = [each for each in node.names if _name_of(each) not in self._known]
        return node if node.names else None


class _Inside:
    """The names that functions import for themselves, with what the code after these imports reads."""

    def __init__(self, nodes: Sequence[ast.AST], types: Set[ast.AST]) -> None:
        self._types = types
        self.found: list[tuple[str, str]] = []
        # Names that can be read before the import.
        self.early: set[str] = set()
        self.covered: set[ast.AST] = set()
        for each in nodes:
            if isinstance(each, FUNCTIONS):
                self._look(each)

    def _look(self, function: FunctionNode) -> None:
        own = {name for each in function.body if isinstance(each, IMPORTS) for name, _ in _imported(each)}
        if not own:
            return
        body = {*function.body}
        known: set[str] = set()
        for part in (function.args, *function.decorator_list, *filter(None, [function.returns]), *function.body):
            names = [each for each in ast.walk(part) if isinstance(each, ast.Name) and each not in self._types]
            read = [each for each in names if each.id in own]
            self.covered.update(each for each in read if each.id in known)
            self.early.update(each.id for each in read if each.id not in known)
            if part in body and isinstance(part, IMPORTS):
                self.found += _imported(part)
                known.update(name for name, _ in _imported(part))


def _types(statements: Sequence[ast.stmt]) -> Iterator[ast.expr]:
    """The annotations that are evaluated while the module is loaded, if at all."""
    for each in statements:
        if isinstance(each, ast.ClassDef):
            yield from _types(each.body)
        elif isinstance(each, ast.AnnAssign):
            yield each.annotation
        elif isinstance(each, FUNCTIONS):
            yield from filter(None, [each.returns, *(one.annotation for one in arguments_of(each))])


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import binds to steady modules and their members."""
    for each in node.names:
        if isinstance(node, ast.Import):
            if each.name in STEADY and (each.asname or "." not in each.name):
                yield _name_of(each), each.name
        elif node.module in STEADY and not node.level and hasattr(importlib.import_module(node.module), each.name):
            yield _name_of(each), f"{node.module}.{each.name}"


def _name_of(alias: ast.alias) -> str:
    return alias.asname or top(alias.name)
