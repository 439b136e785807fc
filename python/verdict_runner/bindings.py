"""Which names an item binds, uses and calls, read off its syntax tree."""

import ast

# Calls that make one value of a solver's: overwriting a dictionary by one is a slip.
SCALAR_CALLS = frozenset(
    "Int Bool Real BitVec String Const FP IntVal RealVal BoolVal BitVecVal StringVal int float bool str len sum min max abs".split()
)


class Summary:
    """What other items need to know of this one."""

    def __init__(self):
        self.bound = set()
        self.used = {}
        self.calls = set()
        self.star_imports = set()
        # (name, "dict" | "scalar" | "other", line, column) in the order of the module's statements.
        self.module_bindings = []
        # (name, line of the dictionary, line, column) inside of functions.
        self.local_misuses = []


def summarise(tree):
    """The summary of a parsed item."""
    summary = Summary()
    for node in ast.walk(tree):
        _collect(node, summary)
    summary.module_bindings = list(_assignments(tree.body))
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            summary.local_misuses += _misuses(node)
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
    elif isinstance(node, ast.ExceptHandler):
        summary.bound.add(node.name)
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)):
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
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else None


def _misuses(function):
    held = {}
    for name, kind, line, column in _assignments(function.body):
        if kind == "dict":
            held.setdefault(name, line)
        elif kind == "scalar" and name in held:
            yield name, held[name], line, column
        elif kind == "other":
            held.pop(name, None)


def _assignments(body):
    """The plain assignments of a block and of the blocks in it, but not of functions and classes."""
    for statement in body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    yield target.id, _kind(statement.value), statement.lineno, statement.col_offset
        elif isinstance(statement, ast.AnnAssign) and statement.value and isinstance(statement.target, ast.Name):
            yield statement.target.id, _kind(statement.value), statement.lineno, statement.col_offset
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for field in ("body", "orelse", "finalbody"):
                yield from _assignments(getattr(statement, field, None) or [])
            for handler in getattr(statement, "handlers", []):
                yield from _assignments(handler.body)


def _kind(value):
    if isinstance(value, (ast.Dict, ast.DictComp)):
        return "dict"
    if isinstance(value, ast.Call):
        called = _called(value)
        return "dict" if called in ("dict", "defaultdict", "OrderedDict") else "scalar" if called in SCALAR_CALLS else "other"
    if isinstance(value, ast.Constant):
        return "other" if value.value is None else "scalar"
    if isinstance(value, (ast.BinOp, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.JoinedStr)):
        return "other" if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr) else "scalar"
    return "other"
