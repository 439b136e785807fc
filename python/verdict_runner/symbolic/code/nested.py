"""Moves functions that are defined inside a function out of it, with the outer variables that they read as parameters.

`def f(n): … def g(a): return a + n … g(1)` becomes `def f.<locals>.g(n, a, /)` and a call `f.<locals>.g(n, 1)`. This
is the same program if the inner function is only called, can't rebind an outer variable, and every name has one meaning
in the whole outer function. A function for which this is not certain stays where it is, and the prover rejects it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from verdict_runner.symbolic.code.mentions import FUNCTIONS, arguments_of, bound_at, locals_of

# The outer variables that one inner function may read.
OUTER_MAX = 12
# Annotations of an inner function are evaluated in each call of the outer one; these raise nothing.
PLAIN_TYPES = frozenset("int bool float str bytes object list tuple dict set frozenset".split())
GENERIC_TYPES = frozenset("list tuple dict set frozenset".split())
# What gives a name a second meaning, or makes a call something else than a run of the body.
UNCLEAR = (ast.Global, ast.Nonlocal, ast.NamedExpr, ast.ClassDef, ast.AsyncFunctionDef, ast.Await)
RESUMABLE = (ast.Yield, ast.YieldFrom)


def lift(tree: ast.Module) -> None:
    """Moves inner functions out of the functions of a module, and names bound to lambda expressions, in place."""
    postponed = any(
        isinstance(each, ast.ImportFrom) and each.module == "__future__" and _imports(each, "annotations")
        for each in tree.body
    )
    taken = {name for each in ast.walk(tree) for name in bound_at(each)}
    body: list[ast.stmt] = []
    for each in tree.body:
        statement = _as_function(each) or each
        if isinstance(statement, ast.FunctionDef) and not isinstance(each, ast.Assign):
            body += _Outer(statement, None if postponed else taken).inner()
        body.append(statement)
    tree.body = body


def _imports(node: ast.ImportFrom, name: str) -> bool:
    return any(each.name == name for each in node.names)


def _as_function(node: ast.stmt) -> ast.FunctionDef | None:
    """A function definition; also one for a lambda expression that gets a name."""
    if isinstance(node, ast.FunctionDef):
        return node
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Lambda) or len(node.targets) > 1:
        return None
    (target,) = node.targets
    if not isinstance(target, ast.Name):
        return None
    # The parser knows the fields of its Python version.
    (function,) = ast.parse(f"def {target.id}(): pass").body
    if not isinstance(function, ast.FunctionDef):
        return None
    function.args = node.value.args
    function.body = [ast.copy_location(ast.Return(node.value.body), node)]
    return ast.copy_location(function, node)


@dataclass
class _Inner:
    """A function that can be moved out, and the outer variables that it reads."""

    node: ast.FunctionDef
    name: str
    reads: list[str]


class _Outer:
    """One function of a module. `taken` are the names that mean something else than the builtins, if that matters."""

    def __init__(self, function: ast.FunctionDef, taken: Set[str] | None) -> None:
        self._function = function
        self._taken = taken
        nodes = [each for each in ast.walk(function) if each is not function]
        self._is_unclear = any(isinstance(each, UNCLEAR) for each in nodes)
        self._bound = Counter(name for each in nodes for name in bound_at(each))
        called = {each.func for each in nodes if isinstance(each, ast.Call)}
        # The names that are used other than by a call.
        self._used = {
            each.id
            for each in nodes
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each not in called
        }
        # The names that comprehensions and lambda expressions bind.
        self._elsewhere = {name for each in nodes for name in _bound_inside(each)}
        self._locals = locals_of(function)

    def inner(self) -> list[ast.FunctionDef]:
        """Moves the inner functions out. Returns them in their order."""
        found: dict[str, _Inner] = {}
        if self._is_unclear:
            return []
        seen: set[str] = set()
        for i, statement in enumerate(self._function.body):
            node = _as_function(statement)
            name = node.name if node else ""
            inner = self._inner(node, found) if node and name not in seen else None
            seen |= {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)}
            if inner is None:
                _redirect(statement, found)
            else:
                found[name] = inner
                self._function.body[i] = ast.copy_location(ast.Pass(), statement)
        return [each.node for each in found.values()]

    def _inner(self, node: ast.FunctionDef, found: dict[str, _Inner]) -> _Inner | None:
        """Returns the function to move out; None if its calls could mean something else than a run of its body."""
        if not self._is_simple(node):
            return None
        nodes = [each for each in ast.walk(node) if each is not node]
        own = locals_of(node)
        called = [found[each.id] for each in nodes if isinstance(each, ast.Name) and each.id in found]
        if any({*each.reads} & own for each in called):
            return None
        names = {each.id for each in nodes if isinstance(each, ast.Name)} - own - found.keys() - {node.name}
        reads = sorted((names & self._locals) | {name for each in called for name in each.reads})
        if len(reads) > OUTER_MAX or self._elsewhere & {*reads}:
            return None
        inner = _Inner(node, f"{self._function.name}.<locals>.{node.name}", reads)
        for part in node.body:
            _redirect(part, {**found, node.name: inner})
        node.name = inner.name
        node.args.posonlyargs = [ast.copy_location(ast.arg(each), node) for each in reads]
        return inner

    def _is_simple(self, node: ast.FunctionDef) -> bool:
        """Whether a call of this name runs the body of this function, and defining the function raises nothing."""
        nodes = [each for each in ast.walk(node) if each is not node]
        # A name that is bound once, is bound by this statement.
        return (
            not node.name.startswith("__")
            and self._bound[node.name] == 1
            and node.name not in self._used
            and not (node.decorator_list or getattr(node, "type_params", None))
            and not (node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.posonlyargs)
            and all(_is_constant(each) for each in node.args.defaults)
            and all(self._is_plain(each.annotation) for each in arguments_of(node))
            and self._is_plain(node.returns)
            and not any(isinstance(each, (*FUNCTIONS, *RESUMABLE)) for each in nodes)
        )

    def _is_plain(self, annotation: ast.expr | None) -> bool:
        """Whether the evaluation of an annotation raises nothing."""
        if annotation is None or self._taken is None or isinstance(annotation, ast.Constant):
            return True
        if isinstance(annotation, ast.Name):
            return annotation.id in PLAIN_TYPES - self._taken
        if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
            left, right = annotation.left, annotation.right
            is_type = not isinstance(right, ast.Constant) or right.value is None
            return not isinstance(left, ast.Constant) and is_type and self._is_plain(left) and self._is_plain(right)
        if not isinstance(annotation, ast.Subscript) or not isinstance(annotation.value, ast.Name):
            return False
        parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        return annotation.value.id in GENERIC_TYPES - self._taken and all(self._is_plain(each) for each in parts)


def _is_constant(node: ast.expr) -> bool:
    """Whether an expression is a literal, or the negative of a number; its evaluation raises nothing."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return isinstance(node.operand, ast.Constant) and type(node.operand.value) in (int, float)
    return isinstance(node, ast.Constant)


def _bound_inside(node: ast.AST) -> Iterator[str]:
    """Yields the names that a comprehension's clause or a lambda expression binds for itself."""
    parts: Iterable[ast.AST] = ()
    if isinstance(node, ast.comprehension):
        parts = ast.walk(node.target)
    elif isinstance(node, ast.Lambda):
        parts = arguments_of(node)
    for each in parts:
        yield from bound_at(each)


def _redirect(part: ast.AST, found: dict[str, _Inner]) -> None:
    """Lets the calls of functions that are moved out pass the outer variables."""
    for each in ast.walk(part):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in found:
            inner = found[each.func.id]
            each.func.id = inner.name
            each.args[:0] = [ast.copy_location(ast.Name(name, ast.Load()), each.func) for name in inner.reads]
