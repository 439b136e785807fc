"""Which names an item binds, uses and calls, read off its syntax tree."""

import ast

from verdict_runner.languages import rebindings


class Summary:
    """What other items need to know of this one."""

    def __init__(self):
        self.bound = set()
        self.used = {}
        self.calls = set()
        self.star_imports = set()
        # What the module's statements bind, in their order, and what each function does.
        self.module_bindings = []
        self.function_bindings = []
        # Functions that give a single value.
        self.scalar_functions = set()


def summarise(tree):
    """The summary of a parsed item."""
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


def _collect(node, summary):
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
            summary.star_imports.add(node.module)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        summary.bound.add(node.name)
    elif isinstance(node, ast.MatchMapping):
        summary.bound.add(node.rest)
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        summary.bound.update(node.names)
    elif isinstance(node, ast.Call):
        # The builtin is no question to a solver, as the method of this name is.
        if not (isinstance(node.func, ast.Name) and node.func.id == "enumerate"):
            summary.calls.add(_called(node))
        # globals()['x'] = … binds what can't be read off here.
        if _called(node) == "globals":
            summary.star_imports.add("globals()")


def _called(node):
    function = node.func
    return (
        function.id
        if isinstance(function, ast.Name)
        else function.attr
        if isinstance(function, ast.Attribute)
        else None
    )
