"""Collects the names that an item binds, uses and calls from its syntax tree."""

from __future__ import annotations

import ast

from verdict_runner.languages import rebindings


class Summary:
    """The facts about one item that are needed to check other items."""

    def __init__(self) -> None:
        self.bound: set[str] = set()
        self.used: dict[str, int] = {}
        self.calls: set[str] = set()
        self.star_imports: set[str] = set()
        # The bindings made by the module's statements, in order, and by the statements of each function.
        self.module_bindings: list[rebindings.Binding] = []
        self.function_bindings: list[list[rebindings.Binding]] = []
        # Functions that return a single value.
        self.scalar_functions: set[str] = set()


def summarise(tree: ast.Module) -> Summary:
    """Summarises a parsed item."""
    summary = Summary()
    for node in ast.walk(tree):
        _collect(node, summary)
    summary.module_bindings = list(rebindings.bindings(tree.body))
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            summary.function_bindings.append(list(rebindings.bindings(node.body)))
            if rebindings.gives_scalar(node):
                summary.scalar_functions.add(node.name)
    return summary


def _collect(node: ast.AST, summary: Summary) -> None:
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load):
            summary.used.setdefault(node.id, node.lineno)
        else:
            summary.bound.add(node.id)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        summary.bound.add(node.name)
    elif isinstance(node, ast.arg):
        summary.bound.add(node.arg)
    elif isinstance(node, ast.alias):
        if node.name != "*":
            summary.bound.add(node.asname or node.name.partition(".")[0])
    elif isinstance(node, ast.ImportFrom):
        if any(each.name == "*" for each in node.names):
            summary.star_imports.add(node.module or "")
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        summary.bound.update([node.name] if node.name else [])
    elif isinstance(node, ast.MatchMapping):
        summary.bound.update([node.rest] if node.rest else [])
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        summary.bound.update(node.names)
    elif isinstance(node, ast.Call):
        called = rebindings.called(node)
        # Unlike the method with this name, the builtin `enumerate` does not call a solver.
        if called and not (isinstance(node.func, ast.Name) and called == "enumerate"):
            summary.calls.add(called)
        # Bindings made by `globals()['x'] = …` can't be read from the source.
        if called == "globals":
            summary.star_imports.add("globals()")
