"""Determines the condition on the arguments under which a call takes the same path as a run.

The rewritten function reports its moments: what it binds, changes and returns, its loops' items, and the sides of its
decisions. Read in order, the moments turn each decision into an expression over the arguments. If no expression gives a
name's value, the name is unknown, and so is every condition that needs it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from verdict_runner.symbolic.code import failing, mentions
from verdict_runner.symbolic.code.failing import Unknown

# The names whose value differs from the argument's, with the value as an expression; None if no expression gives the
# value.
Values: TypeAlias = "Mapping[str, ast.expr | None]"
MOMENTS_MAX = 400
NODES_MAX = 60
RESULT = "__return__"
# In conditions, the names for the result, and the names for values before the call.
RESULTS, BEFORE = (RESULT, "_", "result"), ("__old__", "OLD")
# Methods that change their own object.
CHANGING = frozenset("add append clear discard extend insert pop popitem remove reverse setdefault sort update".split())
# Functions that can return a different value each time.
FLEETING = frozenset("next input open iter".split())


class Moment(NamedTuple):
    """A step of a run.

    The run bound a name to an expression (or took a loop item), changed a value, or began a loop or a function.
    """

    kind: str
    name: str
    expression: ast.expr | None = None


class Path:
    """The moments of the last run."""

    def __init__(self) -> None:
        self._moments: list[Moment] = []
        # Keyed by the moment at which a function begins, since two versions of a function have the same name.
        self._unknown: dict[int, frozenset[str]] = {}
        self._run: list[Moment | tuple[ast.expr | None, bool]] = []

    def clear(self) -> None:
        self._run.clear()

    # ---- What a function can report.

    def enter(self, function: mentions.FunctionNode) -> int:
        simple = [name for each in ast.walk(function) for name in _simply(each)]
        every = [name for each in function.body for name in mentions.binding(each)]
        begins = Moment("enter", function.name)
        self._unknown[id(begins)] = frozenset(name for name in every if every.count(name) > simple.count(name))
        return self._number(begins)

    def before(self, statement: ast.stmt) -> list[int]:
        if isinstance(statement, ast.Return) and statement.value is not None:
            return [self._number(Moment("bind", RESULT, copy.deepcopy(statement.value)))]
        return []

    def after(self, statement: ast.stmt) -> list[int]:
        return [self._number(each) for each in _effects(statement)]

    def loop(self, node: ast.For) -> tuple[int, int, int]:
        """Returns the moments at which a loop begins, takes an item, and is over."""
        target, items = ast.unparse(node.target), copy.deepcopy(node.iter)
        begins, takes, ends = (self._number(Moment(kind, target, items)) for kind in ("loop", "item", "over"))
        return begins, takes, ends

    def _number(self, moment: Moment) -> int:
        self._moments.append(moment)
        return len(self._moments) - 1

    # ---- What a run reports.

    def reach(self, number: int) -> None:
        if len(self._run) <= MOMENTS_MAX:
            self._run.append(self._moments[number])

    def decide(self, text: str | None, side: bool) -> None:
        if text != "" and len(self._run) <= MOMENTS_MAX:
            self._run.append((None if text is None else ast.parse(text, mode="eval").body, side))

    # ---- What the moments mean.

    def condition(self, ends: Mapping[str, failing.End], conditions_max: int) -> str | None:
        """Joins all decisions and failure reasons; None if one can't be expressed, or if there are none or too many."""
        if len(self._run) > MOMENTS_MAX:
            return None
        try:
            parts = dict.fromkeys(_text(each) for each in self._parts(ends))
        except Unknown:
            return None
        return " and ".join(parts) if 0 < len(parts) <= conditions_max else None

    def _parts(self, ends: Mapping[str, failing.End]) -> list[ast.expr]:
        parts, entered = [], set()
        values: dict[str, ast.expr | None] = {}
        # For each loop: its items, the number of items taken, and the condition under which it continued.
        loops: dict[str, tuple[_Items, int, ast.expr | None]] = {}
        current = None
        for each in [*self._run, Moment("enter", "")]:
            if not isinstance(each, Moment):
                test, side = each
                parts += _decided(test, side, values)
                continue
            kind, name, expression = each
            if kind == "enter":
                if current:
                    parts += _why(ends.get(current), values)
                if id(each) in entered:
                    raise Unknown
                entered.add(id(each))
                current, values = name, dict.fromkeys(self._unknown.get(id(each), ()))
            elif kind == "bind":
                values[name] = _value(expression, values)
            elif kind == "change":
                _change(name, values)
            elif expression is not None:
                key = f"{name} in {ast.unparse(expression)}"
                if kind == "loop":
                    loops[key] = _Items(expression, values), 0, None
                    continue
                items, taken, last = loops[key]
                parts = [part for part in parts if part is not last]
                bound = items.longer_than(taken) if kind == "item" else items.ended_at(taken)
                parts += [bound] if bound else []
                if kind == "item":
                    values.update(items.bound(ast.parse(name, mode="eval").body, taken))
                    loops[key] = items, taken + 1, bound
        return [part for part in parts if any(isinstance(node, ast.Name) for node in ast.walk(part))]


def _why(end: failing.End | None, values: Values) -> list[ast.expr]:
    # A postcondition is about the arguments themselves, even if their names are later bound to other values.
    changed = {name: None for name, value in values.items() if value is None}
    result = values.get(RESULT, ast.Constant(None))
    after = {**changed, **dict.fromkeys(RESULTS, result), **dict.fromkeys(BEFORE)}
    return failing.why(end, lambda node: substituted(node, values), lambda node: substituted(node, after))


class _Items:
    """A loop's items as expressions: the items of one value, or of several values in parallel."""

    def __init__(self, iterated: ast.expr, values: Values) -> None:
        name = iterated.func.id if isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) else ""
        arguments = iterated.args if isinstance(iterated, ast.Call) and not iterated.keywords else []
        self.is_counted = name == "enumerate" and len(arguments) == 1
        self.is_zip = name == "zip" and len(arguments) > 1
        self.is_range = name == "range" and len(arguments) == 1
        sources = arguments if self.is_counted or self.is_zip or self.is_range else [iterated]
        self._sources = [substituted(each, values) for each in sources]

    def _length(self) -> ast.expr:
        if self.is_range:
            return self._sources[0]
        lengths = ", ".join(f"len({ast.unparse(each)})" for each in self._sources)
        return _expression(f"min({lengths})" if self.is_zip else lengths)

    def longer_than(self, taken: int) -> ast.expr:
        return _expression(f"{ast.unparse(self._length())} > {taken}")

    def ended_at(self, taken: int) -> ast.expr:
        return _expression(f"{ast.unparse(self._length())} {'==' if taken or not self.is_range else '<='} {taken}")

    def bound(self, target: ast.expr, taken: int) -> Iterator[tuple[str, ast.expr | None]]:
        items: list[ast.expr] = [
            ast.Constant(taken) if self.is_range else ast.Subscript(each, ast.Constant(taken), ast.Load())
            for each in self._sources
        ]
        if self.is_counted:
            items.insert(0, ast.Constant(taken))
        if len(items) == 1:
            yield from _bound(target, items[0])
        elif isinstance(target, ast.Tuple) and len(target.elts) == len(items):
            for each, item in zip(target.elts, items):
                yield from _bound(each, item)
        else:
            yield from ((name, None) for name in _names(target))


def _bound(target: ast.expr, item: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    """Yields what a target's names are bound to if the value is a single expression."""
    if isinstance(target, ast.Name):
        yield target.id, item
    elif isinstance(target, ast.Tuple):
        for place, each in enumerate(target.elts):
            yield from _bound(each, ast.Subscript(item, ast.Constant(place), ast.Load()))
    else:
        yield from ((name, None) for name in _names(target))


def _text(part: ast.expr) -> str:
    """Returns a condition's text in a form that can be joined with others by `and`."""
    if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not) and not isinstance(part.operand, ast.Name):
        return f"not ({ast.unparse(part.operand)})"
    text = ast.unparse(part)
    return f"({text})" if isinstance(part, (ast.BoolOp, ast.IfExp, ast.Lambda)) else text


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _names(node: ast.AST) -> Iterator[str]:
    return (each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _decided(test: ast.expr | None, side: bool, values: Values) -> list[ast.expr]:
    if test is None:
        raise Unknown
    held = substituted(test, values)
    return [held if side else ast.UnaryOp(ast.Not(), held)]


def _value(expression: ast.expr | None, values: Values) -> ast.expr | None:
    try:
        return None if expression is None else substituted(expression, values)
    except Unknown:
        return None


def _change(name: str, values: dict[str, ast.expr | None]) -> None:
    """Records that a name's value, and everything that may be the same object, is changed in place."""
    before = values.get(name, ast.Name(name, ast.Load()))
    roots = set(_names(before)) if before is not None else {name}
    text = "" if before is None else ast.dump(before)
    for each, known in [*values.items()]:
        dump = known and ast.dump(known)
        # An expression that contains the changed value may refer to the same object.
        if dump and (dump == text or (not roots and text in dump)):
            values[each] = None
    values.update(dict.fromkeys({name, *roots}))


# ---- Statements.


def _simply(node: ast.AST) -> list[str]:
    """The names that a statement binds in a form that `_effects` and loops report."""
    targets: Sequence[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.For)):
        targets = [node.target]
    return [name for each in targets for name in mentions.binding(each)]


def _effects(statement: ast.stmt) -> Iterator[Moment]:
    """Yields what a statement has bound and changed when it is done."""
    whole = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Delete))
    parts = [statement] if whole else [each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.expr)]
    for node in (node for part in parts for node in ast.walk(part)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            yield Moment("change", mentions.root_of(node.func) or "")
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            yield Moment("change", mentions.root_of(node) or "")
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = [statement.value.func, *statement.value.args]
        yield from (Moment("change", root) for root in map(mentions.root_of, called) if root)
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from _assigned(target, statement.value)
    elif isinstance(statement, ast.AnnAssign) and statement.value:
        yield from _assigned(statement.target, statement.value)
    elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        name = statement.target.id
        yield Moment("bind", name, ast.BinOp(ast.Name(name, ast.Load()), statement.op, copy.deepcopy(statement.value)))


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[Moment]:
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        # All values are evaluated before any name is bound.
        fresh = set(_names(target)).isdisjoint(_names(value)) and len(target.elts) == len(value.elts)
        pairs = [*zip(target.elts, value.elts)] if fresh else []
        for each, part in pairs:
            yield from _assigned(each, part)
        if not fresh:
            yield from (Moment("bind", name) for name in _names(target))
    elif isinstance(target, ast.Name):
        yield Moment("bind", target.id, None if isinstance(value, ast.GeneratorExp) else copy.deepcopy(value))
    else:
        yield from (Moment("bind", name) for name in mentions.binding(target))


# ---- Expressions.


def substituted(node: ast.expr, values: Values) -> ast.expr:
    """Replaces the names in an expression with their values. Raises `Unknown`."""
    tree = _Substituted(values).visit(copy.deepcopy(node))
    if sum(1 for _ in ast.walk(tree)) > 2 * NODES_MAX:
        raise Unknown
    return tree


class _Substituted(ast.NodeTransformer):
    def __init__(self, values: Values) -> None:
        self._values = values
        # The names bound by the comprehensions and lambda expressions that enclose a name.
        self._bound: frozenset[str] = frozenset()

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._bound or node.id not in self._values:
            return node
        value = self._values[node.id]
        if value is None or self._bound.intersection(_names(value)):
            raise Unknown
        return copy.deepcopy(value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        return self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in CHANGING:
            raise Unknown
        if isinstance(function, ast.Name) and function.id in FLEETING:
            raise Unknown
        return self.generic_visit(node)

    def _scope(self, node: ast.AST) -> ast.AST:
        own = (each for each in ast.walk(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load))
        arguments = (each.arg for each in ast.walk(node) if isinstance(each, ast.arg))
        outer = self._bound
        self._bound = outer.union((each.id for each in own), arguments)
        try:
            return self.generic_visit(node)
        finally:
            self._bound = outer

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda = _scope

    def _unknown(self, node: ast.AST) -> ast.AST:
        raise Unknown

    visit_Yield = visit_YieldFrom = visit_Await = _unknown
