"""Gives the variables of a function names that depend only on how the code uses them."""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from verdict_runner.symbolic.code.mentions import (
    COMPREHENSIONS,
    DEFINITIONS,
    FUNCTIONS,
    IDENTIFIER,
    FunctionNode,
    arguments_of,
)

LAMBDAS = (*FUNCTIONS, ast.Lambda)
# What has variables that are not found by looking for names in functions around the code.
OTHERS = ("ClassDef", "TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple")


def renamed(function: FunctionNode) -> None:
    """Renames the variables in place: then functions are equal that differ only in the names of variables.

    Names of parameters, of definitions and of imports stay, as do names in a text of the function.
    """
    nodes = [*ast.walk(function)]
    if any(type(each).__name__ in OTHERS for each in nodes):
        return
    shared = _Shared()
    shared.visit(function)
    _Renaming(_fixed(nodes), shared.names).visit(function)


def _fixed(nodes: Sequence[ast.AST]) -> set[str]:
    """The names that do not only mean a plain variable, or that a text contains."""
    found: set[str] = set()
    for each in nodes:
        if isinstance(each, (ast.Global, ast.Nonlocal)):
            found.update(each.names)
        elif isinstance(each, ast.arg):
            found.add(each.arg)
        elif isinstance(each, ast.alias):
            found.add(each.asname or each.name.partition(".")[0])
        elif isinstance(each, DEFINITIONS):
            found.add(each.name)
        elif isinstance(each, (ast.MatchAs, ast.MatchStar)):
            found.add(each.name or "")
        elif isinstance(each, ast.MatchMapping):
            found.add(each.rest or "")
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            found.update(IDENTIFIER.findall(each.value))
        elif isinstance(each, ast.Name) and each.id.startswith("__"):
            found.add(each.id)
    return found


class _Scoped(ast.NodeVisitor):
    """Visits the names of a function with the scopes around them."""

    def __init__(self) -> None:
        # The variables of each scope, with their new names; "" for those that have none yet.
        self.scopes: list[dict[str, str]] = []

    def visit(self, node: ast.AST) -> None:
        if not isinstance(node, (*LAMBDAS, *COMPREHENSIONS)):
            super().visit(node)
            return
        around, inside = _parts(node)
        for each in around:
            self.visit(each)
        self.scopes.append(dict.fromkeys(_bound(node), ""))
        for each in inside:
            self.visit(each)
        self.scopes.pop()

    def visit_Name(self, node: ast.Name) -> None:
        node.id = self.named(node.id)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        node.name = node.name and self.named(node.name)
        self.generic_visit(node)

    def named(self, name: str) -> str:
        raise NotImplementedError


class _Shared(_Scoped):
    """Finds the variables that functions inside of theirs use: Python keeps these in the order of their names."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def named(self, name: str) -> str:
        if any(name in each for each in self.scopes[:-1]) and name not in self.scopes[-1]:
            self.names.add(name)
        return name


class _Renaming(_Scoped):
    def __init__(self, fixed: Set[str], shared: Set[str]) -> None:
        super().__init__()
        self._fixed = fixed
        self._ranks = {name: f"#{i}" for i, name in enumerate(sorted(shared))}
        self._count = 0

    def named(self, name: str) -> str:
        for scope in reversed(self.scopes):
            if name in scope and name not in self._fixed:
                if not scope[name]:
                    self._count += 1
                    # No program can contain this name.
                    scope[name] = f"<{self._count}{self._ranks.get(name, '')}>"
                return scope[name]
        return name


def _parts(node: ast.AST) -> tuple[list[ast.AST], list[ast.AST]]:
    """The parts of a node with variables that run in the scope around it, and those that run in its own."""
    if isinstance(node, (*FUNCTIONS, ast.Lambda)):
        around: list[ast.AST | None] = [*node.args.defaults, *node.args.kw_defaults]
        if isinstance(node, ast.Lambda):
            return [*filter(None, around)], [node.body]
        around += [*node.decorator_list, node.returns, *(each.annotation for each in arguments_of(node))]
        return [*filter(None, around)], [*node.body]
    assert isinstance(node, COMPREHENSIONS)
    first, *others = node.generators
    results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    return [first.iter], [first.target, *first.ifs, *others, *results]


def _bound(node: ast.AST) -> set[str]:
    """The names of the variables of a function, a lambda expression or a comprehension."""
    if isinstance(node, COMPREHENSIONS):
        targets = [one for each in node.generators for one in ast.walk(each.target)]
        return {each.id for each in targets if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    found = {each.arg for each in arguments_of(node)} if isinstance(node, (*FUNCTIONS, ast.Lambda)) else set[str]()
    waiting = _parts(node)[1]
    while waiting:
        each = waiting.pop()
        if isinstance(each, LAMBDAS):
            waiting += _parts(each)[0]
        elif isinstance(each, COMPREHENSIONS):
            # An assignment expression in a comprehension binds a variable of the function.
            around, inside = _parts(each)
            waiting += around + [one for one in inside if one is not each.generators[0].target]
        elif isinstance(each, ast.comprehension):
            waiting += [each.iter, *each.ifs]
        else:
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
                found.add(each.id)
            elif isinstance(each, ast.ExceptHandler) and each.name:
                found.add(each.name)
            waiting += ast.iter_child_nodes(each)
    return found
