"""Finds code that can reject solutions of a program's own search, which then may not list all that it found.

A search lists its solutions if the program only prints, collects, counts and excludes them.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from verdict_runner import taken
from verdict_runner.taken import called_name, has

# Methods that solve, that return a solution, and that return several solutions or a single value.
SOLVING = frozenset("check solve Solve solve_limited".split())
READING = frozenset("model get_model variable_values decls".split())
LISTING = frozenset(("enum_models", "enumerate"))
EVALUATING = taken.SOURCES | {"eval", "evaluate"}
# Methods and functions that add to a collection, and functions that select from one.
COLLECTING = taken.COLLECTING | frozenset("add update setdefault put push send".split())
INSERTING = frozenset("heappush insort insort_left insort_right".split())
SELECTING = frozenset(
    "any all filter next filterfalse takewhile dropwhile compress islice groupby reduce bisect nlargest nsmallest".split()
)
# Methods of a collection that select nothing from it, and functions whose result has all items of their argument.
KEEPING = COLLECTING | frozenset("items keys values sort copy reverse".split())
WHOLE = frozenset("list tuple set sorted reversed enumerate zip map range len".split())
# Methods and functions that answer a question about a value, or look for it.
ASKING = frozenset(
    "startswith endswith count index find isdisjoint issubset issuperset intersection difference eq ne lt le gt ge contains "
    "isclose pop remove discard".split()
)
# Formulas, whose truth in a solution is the answer to a question.
FORMULAS = frozenset("And Or Not Implies Xor Distinct".split())
# What a sum of read values consists of.
SUMMED = (
    EVALUATING | READING | frozenset("as_long as_fraction as_decimal as_string int float abs round sum len".split())
)
# Numbers that every value is better than, and whether lower values are.
UNLIMITED = {"float('inf')": True, "math.inf": True, "float('-inf')": False, "-float('inf')": False, "-math.inf": False}
# Methods of a declaration in a solution that say nothing about its value.
DECLARING = frozenset("arity name sort".split())
# Decorators that leave the calls of a function as they are.
PLAIN_DECORATORS = frozenset(("staticmethod", "classmethod", "property"))

_Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Scope = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
_Display = (ast.List, ast.Tuple, ast.Set, ast.Dict)
_Loop = (ast.For, ast.While)
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
        classes = [each for each in nodes if isinstance(each, ast.ClassDef)]
        # A call of a class is one of its constructor.
        members = [(each.name, one) for each in classes for one in each.body]
        functions.update(
            (name, each) for name, each in members if isinstance(each, ast.FunctionDef) and each.name == "__init__"
        )
        own = set[str]()
        self._functions, self._searching = functions, own
        # Collections to which only solutions, or parts of them, are added that meet a condition.
        self._partial = set[str]()
        loops = [each for each in nodes if isinstance(each, (ast.For, ast.comprehension))]
        self._parts = {name for each in loops for name in taken.named([each.target])}
        self._own = {*functions, *(each.name for each in classes)}
        # A function of the program that is named `check` may test solutions.
        self._solving = SOLVING
        taken.grow(own, lambda: [name for name, each in functions.items() if self._is_search(each, own)])
        self._solving = (SOLVING - {*functions}) | own
        # What is added to a solver or a model is a constraint.
        self._solvers = {each.id for node in nodes if called_name(node) in SOLVING for each in _names_in(node)}
        assigned = self._assigned = _assigned(nodes)
        # Names whose truth only says whether there is a solution.
        self._wholes = {name for name, each in assigned.items() if all(map(self._is_whole, each))}
        # Names that are None or infinite as long as there is no solution.
        self._least = {
            n for n, each in assigned.items() if any(taken.is_nothing(v) or ast.unparse(v) in UNLIMITED for v in each)
        }
        # Other names, such as those of what the program's own functions return.
        self._results = {*assigned} - self._wholes - self._least
        self._collections = {
            n for n, each in assigned.items() if any(isinstance(v, (*_Display, *_Comprehension)) for v in each)
        } | {n for n, each in assigned.items() if any(called_name(v) in ("list", "set", "dict", "deque") for v in each)}
        # Names that get another value with each solution.
        self._fresh = {*self._renewed(nodes)}
        self._wholes -= self._collections & self._fresh
        # Names of values of solutions, and among them those of several solutions.
        self._values, self._several = {*_unknown(nodes, functions)}, {*own}
        # Tables in which values of solutions are the keys.
        self._keyed = set[str]()
        taken.grow(
            self._values,
            lambda: (
                name
                for node in nodes
                if not self._counts(getattr(node, "value", node))
                for names in (
                    self._taking(node, self._values),
                    self._collecting(node),
                    self._deciding(node),
                    self._keying(node),
                )
                for name in names
            ),
        )
        # Functions that can fail because of a solution.
        self._testing = {n for n, each in functions.items() if has(self._values, taken.SOURCES, *each.body)} - own
        collected = {*own, *(name for node in nodes for name in self._collecting(node))}
        # Collections of single solutions, over which a loop has one solution at a time.
        self._flat = set[str]()
        for _ in range(3):
            self._several = {*collected}
            taken.grow(
                self._several,
                lambda: (
                    name
                    for node in nodes
                    if not self._lists(node)
                    for name in self._taking(node, self._several, LISTING)
                ),
            )
            self._flat = (self._several & {*assigned}) - {*self._nested(nodes)} - self._fresh

    def choices(self, tree: ast.stmt) -> Iterator[int]:
        """Yields the lines in a statement that can reject a solution."""
        # With each node: the names with values of a part of one solution, such as `i` in `for i in range(n): print(m[x[i]])`,
        # and whether the node is stated in a constraint, or in a condition that has already been looked at.
        waiting: list[tuple[ast.AST, set[str], bool]] = [(tree, set(), False)]
        stated = set[ast.AST]()
        while waiting:
            node, outer, is_stated = waiting.pop()
            if isinstance(node, ast.Assert):
                continue
            parts = self._parts_of(node, outer)
            if isinstance(node, (ast.stmt, ast.expr)) and node not in stated and self._rejects(node, parts, is_stated):
                yield node.lineno
            called = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
            added_to = node.target if isinstance(node, ast.AugAssign) else called
            is_of_solver = added_to is not None and any(each.id in self._solvers for each in _names_in(added_to))
            states = is_of_solver or (called is not None and called.attr not in taken.COLLECTING)
            # Whether a constraint excludes exactly the last solution is checked when it is added.
            if is_of_solver:
                stated.update(each for each in ast.walk(node) if isinstance(each, ast.IfExp))
            tests = _tests(node)
            waiting += ((each, parts, is_stated or states or each in tests) for each in ast.iter_child_nodes(node))

    def _parts_of(self, node: ast.AST, parts: set[str]) -> set[str]:
        """The names of parts in a node: in a loop, except in one that solves, also those of its own parts."""
        if isinstance(node, _Scope) or (isinstance(node, _Loop) and (self._lists(node) or self._is_search(node))):
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
            return self._decides(node.test, set() if _leaves(node) or self._keeps(node) else parts, best)
        if isinstance(node, (ast.While, ast.IfExp, *_Comprehension)):
            return any(self._decides(each, parts) for each in _tests(node)) or (
                isinstance(node, _Comprehension) and self._keeps(node)
            )
        if isinstance(node, ast.Match):
            return self._is_about(node.subject, parts)
        if isinstance(node, (ast.Try, ast.With)):
            return self._hides(node) and (
                has(self._values, taken.SOURCES, *node.body)
                or any(called_name(each) in self._testing for one in node.body for each in ast.walk(one))
            )
        if isinstance(node, ast.For):
            return self._leaves_out(node)
        if isinstance(node, (ast.AugAssign, ast.Delete)) or called_name(node) in ("extend", "update"):
            return self._adds_some(node) or (isinstance(node, ast.AugAssign) and self._tallies(node))
        if isinstance(node, ast.Assign):
            return self._updates(node)
        if is_stated:
            return False
        if self._asks(node):
            return True
        if isinstance(node, ast.BinOp):
            is_made = any(isinstance(each, (*_Display, *_Comprehension)) for each in (node.left, node.right))
            return (is_made and not isinstance(node.op, (ast.Add, ast.Mod)) and self._is_about(node, parts)) or (
                isinstance(node.op, (ast.BitAnd, ast.Sub, ast.BitXor)) and self._has_found(node)
            )
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            # The first few solutions are some if there are any.
            is_first = node.slice.lower is None and isinstance(node.slice.upper, ast.Constant) and not node.slice.step
            return not is_first and self._has_found(node.value)
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            is_known = any(isinstance(each, ast.Constant) for each in sides) or all(
                self._is_about(each, parts) for each in sides
            )
            return (is_known or isinstance(node.ops[0], (ast.In, ast.NotIn))) and self._decides(node, parts)
        if isinstance(node, ast.Call):
            called, is_method = node.func, isinstance(node.func, ast.Attribute)
            if isinstance(called, ast.Attribute) and self._has_found(called.value) and called.attr not in KEEPING:
                return isinstance(called.value, ast.Name)
            if (
                isinstance(called, ast.Attribute)
                and called.attr in COLLECTING
                and called_name(called.value) in self._own
            ):
                return self._is_about(called.value, parts)
            if called_name(node) in SELECTING:
                return any(self._is_about(each, parts) for each in node.args)
            return not is_method and not isinstance(called, ast.Name) and self._is_about(called, parts)
        return isinstance(node, ast.BoolOp) and self._decides(node, parts)

    def _decides(self, test: ast.expr, parts: set[str], best: Collection[str] = ()) -> bool:
        """Whether a condition depends on a solution's values, not only on whether there is a solution or on a count.

        A comparison with the `best` value so far, which the solution then replaces, rejects no solution.
        """
        if isinstance(test, ast.BoolOp):
            best = best if isinstance(test.op, ast.Or) else ()
            return any(self._decides(each, parts, best) for each in test.values)
        if isinstance(test, (ast.UnaryOp, ast.NamedExpr)):
            return self._decides(test.operand if isinstance(test, ast.UnaryOp) else test.value, parts)
        if isinstance(test, ast.Compare):
            if taken.is_nothing(test.comparators[0]):
                is_known = isinstance(test.left, ast.Name) and test.left.id not in self._results
                return not is_known and self._decides(test.left, parts)
            if self._is_better(test, best):
                return False
        return not _reads(test) and self._is_about(test, parts | self._wholes if isinstance(test, ast.Name) else parts)

    def _is_better(self, test: ast.Compare, best: Collection[str]) -> bool:
        """Whether a condition compares a value with the best one so far, and holds for a first value."""
        [op, *more], left, right = test.ops, test.left, test.comparators[0]
        name = next((each.id for each in (left, right) if isinstance(each, ast.Name) and each.id in best), None)
        if name is None or more or not isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            return False
        is_below = isinstance(op, (ast.Lt, ast.LtE)) is (isinstance(right, ast.Name) and right.id == name)
        firsts = (each for each in self._assigned[name] if not has(self._values, taken.SOURCES, each))
        return all(taken.is_nothing(each) or UNLIMITED.get(ast.unparse(each)) is is_below for each in firsts)

    def _renewed(self, nodes: Sequence[ast.AST]) -> Iterator[str]:
        """Yields the names that are assigned in an innermost loop that solves, or in a function that does not solve."""
        for node in nodes:
            if not isinstance(node, (*_Loop, ast.FunctionDef)):
                continue
            inner = [each for each in ast.walk(node) if each is not node and isinstance(each, _Loop)]
            is_loop = isinstance(node, _Loop) and self._is_search(node) and not any(map(self._is_search, inner))
            if is_loop or (isinstance(node, ast.FunctionDef) and not self._is_search(node)):
                yield from _assigned(ast.walk(node))

    def _taking(self, node: ast.AST, names: Collection[str], sources: Collection[str] = taken.SOURCES) -> Iterator[str]:
        """Yields the names that are assigned a solution's value in this node; the first name of `enumerate` is a count."""
        own = taken.taking(node, self._functions, names, sources)
        called = getattr(getattr(node, "iter", None), "func", None)
        is_pair = isinstance(getattr(node, "target", None), ast.Tuple)
        is_counted = is_pair and isinstance(called, ast.Name) and called.id == "enumerate"
        yield from itertools.islice(own, 1 if is_counted else 0, None)

    def _nested(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        """Yields the names of collections to which more than single solutions can be added."""
        for name, values in self._assigned.items():
            if not all(_is_empty(each) or self._is_list(each) for each in values):
                yield name
        for node in nodes:
            called, added = (node.func, node.args) if isinstance(node, ast.Call) else (None, [])
            is_named = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name)
            if not is_named or called_name(node) not in ("append", "add") or has(self._several, (), *added):
                yield from self._added_to(node)

    def _lists(self, node: ast.AST) -> bool:
        """Whether a loop has one solution at a time, from an engine or from a collection."""
        return isinstance(node, (ast.For, ast.comprehension)) and self._is_list(node.iter)

    def _is_list(self, value: ast.AST) -> bool:
        """Whether a value is a collection of single solutions."""
        while (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in WHOLE and value.args
        ):
            value = value.args[0]
        if isinstance(value, ast.Name):
            return value.id in self._flat
        function = self._functions.get(called_name(value))
        inside = ast.walk(function) if function is not None else ()
        returned = [each.value for each in inside if isinstance(each, ast.Return)]
        return called_name(value) in LISTING or (
            bool(returned) and all(isinstance(each, ast.Name) and each.id in self._flat for each in returned)
        )

    def _counts(self, node: ast.AST) -> bool:
        """Whether an expression is the number of solutions so far."""
        arguments = node.args if isinstance(node, ast.Call) and called_name(node) == "len" else []
        return any(isinstance(each, (ast.Name, ast.Attribute)) for each in arguments) and not any(
            each.id in self._fresh for one in arguments for each in _names_in(one)
        )

    def _has_found(self, node: ast.AST) -> bool:
        """Whether an expression depends on a collection of several solutions."""
        return any(each.id in self._several - self._fresh - self._own for each in _names_in(node))

    def _keeps(self, node: ast.AST) -> bool:
        """Whether code adds to a collection of several solutions."""
        return any(
            name in self._several - self._fresh
            for each in ast.walk(node)
            for name in self._added_to(each)
            if name not in self._solvers
        )

    def _hides(self, node: ast.Try | ast.With) -> bool:
        """Whether a statement can catch an exception."""
        if isinstance(node, ast.Try):
            return bool(node.handlers)
        return any(called_name(each.context_expr) in {*self._own, "suppress", "ExitStack"} for each in node.items)

    def _leaves_out(self, node: ast.For) -> bool:
        """Whether a loop over parts of a solution keeps it only if its values meet a condition."""
        if self._is_search(node):
            return False
        tests = (each.test for one in node.body for each in ast.walk(one) if isinstance(each, ast.If))
        return (bool(node.orelse) and any(self._decides(each, set()) for each in tests)) or (
            self._keeps(node) and not self._is_all(node.iter)
        )

    def _tallies(self, node: ast.AugAssign) -> bool:
        """Whether a statement adds a number that a solution's values determine in another way than as terms of a sum."""
        return any(
            self._is_about(each, set())
            for each in ast.walk(node.value)
            if (isinstance(each, ast.BinOp) and not isinstance(each.op, (ast.Add, ast.Sub, ast.Mult)))
            or (isinstance(each, ast.Call) and called_name(each) not in SUMMED | COLLECTING)
        ) and not any(each.id in self._solvers | self._collections for each in _names_in(node.target))

    def _updates(self, node: ast.Assign) -> bool:
        """Whether a name keeps its value, or gets another one, depending on a solution's values."""
        own = {name for name in taken.named(node.targets) if has((name,), (), node.value)}
        value = node.value
        is_chosen = isinstance(value, ast.Subscript) or (
            isinstance(value, ast.Call) and called_name(value) not in ("min", "max", *WHOLE)
        )
        is_table = any(isinstance(each, ast.Subscript) for each in node.targets)
        return bool(own - self._solvers) and is_chosen and not is_table and self._is_about(value, set())

    def _asks(self, node: ast.AST) -> bool:
        """Whether an expression asks a question about a solution's values, or looks for what is known in them."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return isinstance(node.operand, ast.BinOp) and self._is_about(node.operand, set())
        name = called_name(node)
        if isinstance(node, ast.Call) and name in EVALUATING:
            return any(isinstance(each, ast.Compare) or called_name(each) in FORMULAS for each in node.args)
        receiver = getattr(node.func, "value", node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and receiver is not None and name in ASKING and node.args:
            is_own = any(each.id in self._solvers for each in _names_in(receiver))
            return not is_own and any(self._is_about(each, set()) for each in (receiver, *node.args))
        # In a table by values, a key that is not one of them is known beforehand.
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            table, key = node.value, node.slice
        elif isinstance(node, ast.Call) and name == "get" and node.args and receiver is not None:
            table, key = receiver, node.args[0]
        else:
            return False
        return isinstance(table, ast.Name) and table.id in self._keyed and not self._is_about(key, set())

    def _keying(self, node: ast.AST) -> Iterator[str]:
        """Yields the names of tables in which a node stores something under a solution's value."""
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for each in targets:
            if isinstance(each, ast.Subscript) and has(self._values, taken.SOURCES, each.slice):
                self._keyed.update(taken.named([each]))
                yield from taken.named([each])

    def _adds_some(self, node: ast.AST) -> bool:
        """Whether a statement adds a number of items to a collection that can depend on a solution's values, or removes some."""
        if isinstance(node, ast.Delete):
            return any(self._has_found(each) for each in node.targets)
        target: ast.AST = node
        values: list[ast.expr] = []
        if isinstance(node, ast.AugAssign):
            target, values = node.target, [node.value]
            if self._has_found(target) and not isinstance(node.op, (ast.Add, ast.BitOr)):
                return any(each.id in self._collections for each in _names_in(target))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            target, values = node.func.value, node.args
        return any(
            each.id in self._collections - self._fresh - self._solvers for each in _names_in(target)
        ) and not all(map(self._is_all, values))

    def _is_all(self, value: ast.AST | None) -> bool:
        """Whether the number of a value's items does not depend on a solution's values."""
        waiting: list[ast.AST | None] = [value]
        seen = set[str]()
        while waiting:
            node = waiting.pop()
            if node is None or not has(self._values, taken.SOURCES, node) or isinstance(node, _Display):
                continue
            name, called = called_name(node), getattr(node, "func", None)
            if isinstance(node, ast.Name):
                if node.id in self._partial | self._parts:
                    return False
                waiting += self._assigned.get(node.id, ()) if node.id not in seen else ()
                seen.add(node.id)
            elif isinstance(node, _Comprehension):
                if any(self._is_about(each, set()) for each in _tests(node)):
                    return False
                waiting += [each.iter for each in node.generators]
            elif name in self._functions and name not in self._searching:
                inside = [*ast.walk(self._functions[name])]
                if any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in inside):
                    return False
                waiting += [each.value for each in inside if isinstance(each, ast.Return) and name not in seen]
                seen.add(name)
            elif isinstance(node, ast.Call) and name in WHOLE:
                bounds = [each for each in node.args if name == "range" and called_name(each) != "len"]
                if any(self._is_about(each, set()) for each in bounds):
                    return False
                waiting += node.args
            elif isinstance(called, ast.Attribute) and called.attr in KEEPING:
                waiting.append(called.value)
            elif name not in READING | LISTING | self._searching and not isinstance(node, ast.Attribute):
                return False
        return True

    def _is_about(self, expression: ast.AST, parts: set[str]) -> bool:
        """Whether an expression depends on a solution's values, other than those of a part."""
        waiting = [expression]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id in self._values - parts:
                return True
            if (
                self._solves(node)
                or self._counts(node)
                or called_name(node) in DECLARING
                or self._is_of_part(node, parts)
            ):
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
        added = node.args if isinstance(node, ast.Call) else [node.value] if isinstance(node, ast.AugAssign) else ()
        if has(self._values, taken.SOURCES, *added):
            yield from (each for each in self._added_to(node) if each not in self._solvers)

    def _added_to(self, node: ast.AST) -> Iterator[str]:
        """Yields the names of collections, and of sums, to which a node adds something."""
        if isinstance(node, ast.AugAssign):
            yield from taken.named([node.target])
        elif isinstance(node, ast.Call) and called_name(node) in INSERTING:
            yield from taken.named(node.args[:1])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in COLLECTING:
            yield from taken.named([node.func.value])

    def _deciding(self, node: ast.AST) -> Iterator[str]:
        """Yields the names whose values depend on a condition about a solution, and other names that can have its values."""
        if isinstance(node, ast.If) and self._decides(node.test, set()):
            inside = [*node.body, *node.orelse]
            added = {name for one in inside for each in ast.walk(one) for name in self._added_to(each)} - self._solvers
            self._partial |= added
            yield from _stored(inside) | added
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
            kinds = node.args
            own = [*kinds.posonlyargs, *kinds.args]
            pairs = [
                *zip(own[len(own) - len(kinds.defaults) :], kinds.defaults),
                *zip(kinds.kwonlyargs, kinds.kw_defaults),
            ]
            yield from (each.arg for each, value in pairs if has(self._values, taken.SOURCES, value))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Yield):
            yield from taken.named(node.targets)


def _unknown(nodes: Sequence[ast.AST], functions: Mapping[str, ast.FunctionDef]) -> Iterator[str]:
    """Yields the parameters of functions that are called in other ways than by their names."""
    called = {each.func for each in nodes if isinstance(each, ast.Call)}
    passed = {getattr(each, "attr", getattr(each, "id", None)) for each in nodes if each not in called}
    for node in nodes:
        is_open = isinstance(node, ast.Lambda) or (
            isinstance(node, ast.FunctionDef)
            and (
                node.name in passed
                or (node.name[:2] == "__" and node.name != "__init__")
                or any(ast.unparse(each) not in PLAIN_DECORATORS for each in node.decorator_list)
            )
        )
        if is_open and isinstance(node, (ast.Lambda, ast.FunctionDef)):
            every = [each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)]
            yield from (each for each in every if each.split()[0] not in ("self", "cls"))


def _is_empty(value: ast.expr) -> bool:
    return taken.is_nothing(value) or ast.unparse(value) in ("list()", "set()")


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
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    is_whole = len(target.elts) == len(node.value.elts)
                    pairs = [*zip(target.elts, node.value.elts)] if is_whole else pairs
                for each, value in pairs:
                    for name in taken.named([each]):
                        values.setdefault(name, []).append(value)
    return values
