"""Finds code that can reject solutions of a program's own search, which then may not list all that it found.

A search lists its solutions if the program only prints, collects, counts and excludes them.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from verdict_runner import taken
from verdict_runner.taken import called_name, has

# Methods that solve, that return a solution, and that return several solutions or a single value.
SOLVING = frozenset("check solve Solve solve_limited".split())
READING = frozenset("model get_model variable_values decls".split())
LISTING = frozenset(("enum_models", "enumerate"))
EVALUATING = taken.SOURCES | {"eval", "evaluate"}
# Methods that add to a collection, and functions that select from one.
COLLECTING = taken.COLLECTING | {"add", "update", "setdefault"}
SELECTING = frozenset("any all filter next".split())

_Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Scope = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
_Leaving = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)


def place(items: Sequence[str], first: tuple[int, int]) -> tuple[int, int] | None:
    """Returns the item and line of code that can reject a solution of a search because of its values.

    `first` is the item and line of a solve of the search. Statements before it have run, so only their functions count.
    """
    trees = [_scoped(ast.parse(each)) for each in items]
    program = _Program([node for tree in trees for node in ast.walk(tree)])
    parts = [(item, each) for item, tree in enumerate(trees) for each in tree.body]
    later = [(item, each) for item, each in parts if (item, each.end_lineno or 0) >= first or _defines(each)]
    return min(((item, line) for item, each in later for line in program.choices(each)), default=None)


def _scoped(tree: ast.Module) -> ast.Module:
    """Makes the names in functions and comprehensions differ from those outside, in place."""
    waiting: list[tuple[ast.AST, Mapping[str, str]]] = [(tree, {})]
    while waiting:
        node, names = waiting.pop()
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.Lambda, *_Comprehension)):
            inside = [*ast.walk(node)]
            own = _stored([node]) | {each.arg for each in inside if isinstance(each, ast.arg)}
            shared = {name for each in inside if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names}
            names = {**names, **{each: f"{each} {node.lineno}:{node.col_offset}" for each in own - shared}}
        waiting += ((each, names) for each in ast.iter_child_nodes(node))
    return tree


class _Program:
    """The names in a program that have values of solutions."""

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        functions = {each.name: each for each in nodes if isinstance(each, ast.FunctionDef)}
        own = set[str]()
        # A function of the program that is named `check` may test solutions.
        self._solving = SOLVING
        taken.grow(own, lambda: [name for name, each in functions.items() if self._is_search(each, own)])
        self._solving = (SOLVING - {*functions}) | own
        # What is added to a solver or a model is a constraint.
        self._solvers = {each.id for node in nodes if called_name(node) in SOLVING for each in _names_in(node)}
        assigned = _assigned(nodes)
        # Names whose truth only says whether there is a solution.
        self._wholes = {name for name, each in assigned.items() if all(map(self._is_whole, each))}
        # Names that are None or float("inf") as long as there is no solution.
        self._least = {
            n for n, each in assigned.items() if any(taken.is_nothing(v) or called_name(v) == "float" for v in each)
        }
        # Other names, such as those of what the program's own functions return.
        self._results = {*assigned} - self._wholes - self._least
        # Names of values of solutions, and among them those of several solutions.
        self._values, self._several = set[str](), {*own}
        taken.grow(
            self._values,
            lambda: (
                name
                for node in nodes
                if called_name(getattr(node, "value", node)) != "len"
                for names in (taken.taking(node, functions, self._values), self._collecting(node), self._deciding(node))
                for name in names
            ),
        )
        self._several.update(name for node in nodes for name in self._collecting(node))
        taken.grow(
            self._several,
            lambda: (name for node in nodes for name in taken.taking(node, functions, self._several, LISTING)),
        )

    def choices(self, tree: ast.stmt) -> Iterator[int]:
        """Yields the lines in a statement that can reject a solution."""
        # With each node: the names with values of a part of one solution, such as `i` in `for i in range(n): print(m[x[i]])`,
        # and whether the node is stated in a constraint, or in a condition that has already been looked at.
        waiting: list[tuple[ast.AST, set[str], bool]] = [(tree, set(), False)]
        while waiting:
            node, outer, is_stated = waiting.pop()
            if isinstance(node, ast.Assert):
                continue
            parts = self._parts_of(node, outer)
            if isinstance(node, (ast.stmt, ast.expr)) and self._rejects(node, parts, is_stated):
                yield node.lineno
            is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            states = isinstance(node, ast.AugAssign) or (is_method and called_name(node) not in taken.COLLECTING)
            tests = _tests(node)
            waiting += ((each, parts, is_stated or states or each in tests) for each in ast.iter_child_nodes(node))

    def _parts_of(self, node: ast.AST, parts: set[str]) -> set[str]:
        """The names of parts in a node: in a loop, except in one that solves, also those of its own parts."""
        if isinstance(node, _Scope) or (isinstance(node, (ast.For, ast.While)) and self._is_search(node)):
            return set()
        loops = node.generators if isinstance(node, _Comprehension) else [node] if isinstance(node, ast.For) else []
        if not loops:
            return parts
        names = {*parts}
        for each in loops:
            names.update(() if has(self._several, LISTING, each.iter) else taken.named([each.target]))
        for name, values in _assigned(ast.walk(node)).items():
            names.update(() if any(self._is_about(each, names) for each in values) else (name,))
        return names - self._several

    def _rejects(self, node: ast.stmt | ast.expr, parts: set[str], is_stated: bool) -> bool:
        if isinstance(node, ast.If):
            best = self._least & _stored(node.body)
            return self._decides(node.test, set() if _leaves(node) else parts, best)
        if isinstance(node, (ast.While, ast.IfExp, *_Comprehension)):
            return any(self._decides(each, parts) for each in _tests(node))
        if isinstance(node, ast.Match):
            return self._is_about(node.subject, parts)
        if isinstance(node, ast.Try):
            return bool(node.handlers) and has(self._values, taken.SOURCES, *node.body)
        if is_stated:
            return False
        if isinstance(node, ast.Compare):
            is_known = any(isinstance(each, ast.Constant) for each in (node.left, *node.comparators))
            return (is_known or isinstance(node.ops[0], (ast.In, ast.NotIn))) and self._decides(node, parts)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SELECTING:
            return any(self._is_about(each, parts) for each in node.args)
        return isinstance(node, ast.BoolOp) and self._decides(node, parts)

    def _decides(self, test: ast.expr, parts: set[str], best: Collection[str] = ()) -> bool:
        """Whether a condition depends on a solution's values, not only on whether there is a solution or on a count.

        A comparison with the `best` value so far, which the solution then replaces, rejects no solution.
        """
        if isinstance(test, ast.BoolOp):
            return any(self._decides(each, parts, best) for each in test.values)
        if isinstance(test, (ast.UnaryOp, ast.NamedExpr)):
            return self._decides(test.operand if isinstance(test, ast.UnaryOp) else test.value, parts)
        if isinstance(test, ast.Compare):
            if taken.is_nothing(test.comparators[0]):
                is_known = isinstance(test.left, ast.Name) and test.left.id not in self._results
                return not is_known and self._decides(test.left, parts)
            if any(each.id in best for each in (test.left, *test.comparators) if isinstance(each, ast.Name)):
                return False
        return not _reads(test) and self._is_about(test, parts | self._wholes if isinstance(test, ast.Name) else parts)

    def _is_about(self, expression: ast.AST, parts: set[str]) -> bool:
        """Whether an expression depends on a solution's values, other than those of a part."""
        waiting = [expression]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id in self._values - parts:
                return True
            if self._solves(node) or called_name(node) == "len" or self._is_of_part(node, parts):
                continue
            if isinstance(node, ast.Attribute) and (node.attr in taken.SOURCES or f".{node.attr}" in self._values):
                return True
            waiting += ast.iter_child_nodes(node)
        return False

    def _is_of_part(self, node: ast.AST, parts: set[str]) -> bool:
        """Whether a node is the value of a part of one solution."""
        over, key = None, node
        if isinstance(node, ast.Subscript):
            over = node.value
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            over, key = node.comparators[0], node.left
        is_value = called_name(node) in EVALUATING or (over is not None and not has(self._several, (), over))
        return is_value and any(each.id in parts for each in _names_in(key))

    def _solves(self, node: ast.AST) -> bool:
        return called_name(node) in self._solving

    def _is_search(self, node: ast.AST, own: Collection[str] = ()) -> bool:
        return any(self._solves(each) or called_name(each) in own for each in ast.walk(node))

    def _is_whole(self, value: ast.expr) -> bool:
        return taken.is_nothing(value) or _reads(value) or self._solves(value)

    def _collecting(self, node: ast.AST) -> Iterator[str]:
        """Yields the names of collections, and of sums, to which a node adds values."""
        added, target = [], None
        if isinstance(node, ast.AugAssign):
            added, target = [node.value], node.target
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in COLLECTING:
            added, target = node.args, node.func.value
        if target is not None and has(self._values, taken.SOURCES, *added):
            yield from (each for each in taken.named([target]) if each not in self._solvers)

    def _deciding(self, node: ast.AST) -> Iterator[str]:
        """Yields the names whose values depend on a condition about a solution."""
        if isinstance(node, ast.If) and self._decides(node.test, set()):
            yield from _stored([*node.body, *node.orelse])


def _tests(node: ast.AST) -> list[ast.expr]:
    """The conditions of a statement, an expression or a comprehension's generator."""
    if isinstance(node, _Comprehension):
        return [test for each in node.generators for test in each.ifs]
    if isinstance(node, ast.comprehension):
        return node.ifs
    return [node.test] if isinstance(node, (ast.If, ast.While, ast.IfExp)) else []


def _defines(node: ast.AST) -> bool:
    return any(isinstance(each, _Scope) for each in ast.walk(node))


def _reads(value: ast.expr) -> bool:
    return called_name(value) in READING


def _leaves(node: ast.If) -> bool:
    return any(isinstance(each, _Leaving) or called_name(each) in ("exit", "quit") for each in ast.walk(node))


def _names_in(node: ast.AST) -> Iterator[ast.Name]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Name))


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    return {each.id for node in nodes for each in _names_in(node) if isinstance(each.ctx, ast.Store)}


def _assigned(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    """The values that names and attributes are assigned."""
    values: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            for name in taken.named(node.targets if isinstance(node, ast.Assign) else [node.target]):
                values.setdefault(name, []).append(node.value)
    return values
