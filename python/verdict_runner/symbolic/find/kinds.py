"""Infers the kinds of values that an expression can have, since some operators are exact only for some kinds.

Each variable of each function has one set of kinds, independent of the order of statements: the kinds of all values
that the variable ever gets. An unknown value can have any kind.
"""

from __future__ import annotations

import ast
import types
import typing
from collections.abc import Collection, Iterable, Mapping, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.annotations import Annotation
    from verdict_runner.symbolic.code.mentions import FunctionNode

NUMBERS = frozenset({"int", "bool"})
# The maximum depth to which items of nested tuples are tracked, so that code that nests tuples in a loop reaches a
# fixed point.
DEPTH_MAX = 4
ROUNDS_MAX = 60
NAMES = {int: "int", bool: "bool", str: "str", type(None): "None"}


class Kinds:
    """A set of kinds; `items` contains the kinds of the parts if a tuple is among them."""

    __slots__ = ("names", "items")

    def __init__(self, names: Iterable[str], items: Kinds | None = None) -> None:
        self.names = frozenset(names)
        self.items: Kinds | None = items

    def __eq__(self, other: object) -> bool:
        # The items may be None, which Python also passes to this method.
        return isinstance(other, Kinds) and self.names == other.names and self.items == other.items

    def __or__(self, other: Kinds) -> Kinds:
        if self == other:
            return self
        parts = [each.items for each in (self, other) if each.items is not None]
        return Kinds(self.names | other.names, parts[0] | parts[-1] if parts else None)

    def within(self, names: Set[str]) -> bool:
        return self.names <= names

    def parts(self) -> Kinds:
        """The kinds of a value's subscripts, and of the items in a loop over the value."""
        parts = self.items or NOTHING
        return parts | TEXT if "str" in self.names else parts

    def depth(self) -> int:
        return 0 if self.items is None else 1 + self.items.depth()


def tuple_of(parts: Kinds) -> Kinds:
    """Returns the kind of a tuple with parts of these kinds."""
    whole = Kinds({"tuple"}, parts)
    return whole if whole.depth() <= DEPTH_MAX else ANYTHING


NOTHING = Kinds(())
NO_ARGUMENTS = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
TRUTH, NUMBER, TEXT, NONE = Kinds({"bool"}), Kinds({"int"}), Kinds({"str"}), Kinds({"None"})
# The kinds of an unknown value, whose parts are also unknown.
ANYTHING = Kinds({"bool", "int", "str", "None", "tuple", "other"})
ANYTHING.items = Kinds(ANYTHING.names, Kinds(ANYTHING.names))
RESULTS = {"abs": NUMBER, "len": NUMBER, "bool": TRUTH, "isinstance": TRUTH, "divmod": tuple_of(NUMBER)}


def of_annotation(annotation: Annotation) -> Kinds:
    """Returns the kinds of the values that a parameter with this type receives."""
    if annotation is None or annotation in NAMES:
        return Kinds({NAMES.get(annotation, "None")})
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return _joined(Kinds({NAMES[type(each)]}) if type(each) in NAMES else ANYTHING for each in arguments)
    if origin in (typing.Union, types.UnionType):
        return _joined(of_annotation(each) for each in arguments)
    if origin is tuple and Ellipsis not in arguments:
        return tuple_of(_joined(of_annotation(each) for each in arguments))
    if origin is list and len(arguments) == 1:
        return Kinds({"other"}, of_annotation(arguments[0]))
    return ANYTHING


def _joined(kinds: Iterable[Kinds]) -> Kinds:
    joined = NOTHING
    for each in kinds:
        joined = joined | each
    return joined


class Inference:
    """The kinds of all expressions in a set of functions that call each other."""

    def __init__(self, functions: dict[str, FunctionNode], constants: Mapping[str, ast.expr]) -> None:
        self._functions = functions
        self._constants = constants
        # For each condition: its names, and the functions to whose arguments and results the names refer.
        self._conditions: dict[str, tuple[set[str], Collection[str]]] = {}
        # The kinds by function and variable; a function's result has the key None.
        self._known: dict[tuple[str | None, str | None], Kinds] = {}
        self._changed = False

    def give(self, function: str | None, name: str | None, kinds: Kinds) -> None:
        """Records that a variable of a function can have values of these kinds."""
        before = self._known.get((function, name), NOTHING)
        after = before | kinds
        if after.depth() > DEPTH_MAX:
            after = ANYTHING
        if after != before:
            self._known[function, name] = after
            self._changed = True

    def condition(self, name: str, expression: ast.expr, about: Collection[str]) -> None:
        """Adds a condition on calls of some functions; it is unknown to which value each name in it refers."""
        self._functions[name] = ast.FunctionDef(
            name, args=NO_ARGUMENTS, body=[ast.Return(expression)], decorator_list=[]
        )
        self._conditions[name] = {each.id for each in ast.walk(expression) if isinstance(each, ast.Name)}, about

    def _follow_conditions(self) -> None:
        for condition, (names, about) in self._conditions.items():
            values = _joined(kinds for (function, _), kinds in self._known.items() if function in about)
            for name in names:
                self.give(condition, name, values)

    def run(self) -> None:
        """Follows all assignments until nothing new is found."""
        for _ in range(ROUNDS_MAX):
            self._changed = False
            self._follow_conditions()
            for name, node in self._functions.items():
                for statement in node.body:
                    self._follow(name, statement)
            if not self._changed:
                return
        self._known.clear()
        self._functions = {}

    def of(self, function: str | None, node: ast.expr) -> Kinds:
        """Returns the kinds of an expression in a function."""
        if isinstance(node, ast.Constant):
            return Kinds({NAMES[type(node.value)]}) if type(node.value) in NAMES else ANYTHING
        handler = getattr(self, f"_{type(node).__name__}", None)
        return handler(function, node) if handler else ANYTHING

    # ---- Statements.

    def _follow(self, function: str | None, node: ast.stmt) -> None:
        for each in ast.walk(node):
            if isinstance(each, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and each.value is not None:
                for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                    self._bind(function, target, self.of(function, each.value))
            elif isinstance(each, ast.AugAssign):
                self._bind(
                    function,
                    each.target,
                    self.combined(each.op, self.of(function, each.target), self.of(function, each.value)),
                )
            elif isinstance(each, ast.For):
                self._bind(function, each.target, self._iterated(function, each.iter))
            elif isinstance(each, ast.Return):
                self.give(function, None, NONE if each.value is None else self.of(function, each.value))
            elif isinstance(each, ast.Match):
                for pattern in (
                    inner
                    for case in each.cases
                    for inner in ast.walk(case.pattern)
                    if isinstance(inner, ast.MatchAs) and inner.name
                ):
                    self.give(function, pattern.name, self.of(function, each.subject))
            elif isinstance(each, ast.ExceptHandler) and each.name:
                self.give(function, each.name, ANYTHING)
            elif isinstance(each, ast.Call):
                self._pass(function, each)

    def _bind(self, function: str | None, target: ast.expr, kinds: Kinds) -> None:
        if isinstance(target, ast.Name):
            self.give(function, target.id, kinds)
        elif isinstance(target, ast.Tuple):
            for each in target.elts:
                self._bind(function, each, kinds.parts())

    def _iterated(self, function: str | None, node: ast.expr) -> Kinds:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            return NUMBER
        return self.of(function, node).parts()

    def _pass(self, function: str | None, call: ast.Call) -> None:
        """Passes a call's arguments to the parameters of one of the code's functions."""
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        called = self._functions.get(name)
        if called is None:
            return
        arguments = called.args
        for parameter, value in zip([*arguments.posonlyargs, *arguments.args], call.args):
            self.give(name, parameter.arg, self.of(function, value))
        for each in call.keywords:
            if each.arg:
                self.give(name, each.arg, self.of(function, each.value))
        for each in self.defaults(called):
            self.give(name, *each)

    def defaults(self, node: FunctionNode) -> list[tuple[str, Kinds]]:
        """Returns a function's parameters with defaults, and the kinds of the defaults."""
        places = [*node.args.posonlyargs, *node.args.args]
        by_place = zip(places[len(places) - len(node.args.defaults) :], node.args.defaults)
        by_name = (
            (each, value) for each, value in zip(node.args.kwonlyargs, node.args.kw_defaults) if value is not None
        )
        return [(each.arg, self.of(None, value)) for each, value in [*by_place, *by_name]]

    # ---- Expressions, by the names of their nodes.

    def _Name(self, function: str | None, node: ast.Name) -> Kinds:
        if (function, node.id) in self._known:
            return self._known[function, node.id]
        if node.id in self._constants:
            return self.of(None, self._constants[node.id])
        # The variable has not received a value yet, or, at the end, never receives one.
        return NOTHING if function in self._functions else ANYTHING

    def _Tuple(self, function: str | None, node: ast.Tuple) -> Kinds:
        return tuple_of(_joined(self.of(function, each) for each in node.elts))

    def _UnaryOp(self, function: str | None, node: ast.UnaryOp) -> Kinds:
        if isinstance(node.op, ast.Not):
            return TRUTH
        return ANYTHING if "other" in self.of(function, node.operand).names else NUMBER

    def _BinOp(self, function: str | None, node: ast.BinOp) -> Kinds:
        return self.combined(node.op, self.of(function, node.left), self.of(function, node.right))

    def _BoolOp(self, function: str | None, node: ast.BoolOp) -> Kinds:
        return _joined(self.of(function, each) for each in node.values)

    def _Compare(self, function: str | None, node: ast.Compare) -> Kinds:
        return TRUTH

    def _IfExp(self, function: str | None, node: ast.IfExp) -> Kinds:
        return self.of(function, node.body) | self.of(function, node.orelse)

    def _NamedExpr(self, function: str | None, node: ast.NamedExpr) -> Kinds:
        return self.of(function, node.value)

    def _Subscript(self, function: str | None, node: ast.Subscript) -> Kinds:
        whole = self.of(function, node.value)
        return whole if isinstance(node.slice, ast.Slice) else whole.parts()

    def _Call(self, function: str | None, node: ast.Call) -> Kinds:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name in self._functions:
            # The function's end can be reached without a return.
            return self._known.get((name, None), NOTHING) | NONE
        if name in RESULTS:
            return RESULTS[name]
        if name not in ("max", "min"):
            return ANYTHING
        kinds = [self.of(function, each) for each in node.args]
        more = [self.of(function, each.value) for each in node.keywords]
        return _joined([*(each.parts() for each in kinds), *more] if len(kinds) == 1 else kinds)

    @staticmethod
    def combined(operator: ast.operator, left: Kinds, right: Kinds) -> Kinds:
        """The kinds of an operator's results for operands of these kinds, if it does not raise."""
        if not left.names or not right.names:
            return NOTHING
        if "other" in left.names | right.names:
            return ANYTHING
        numbers = NUMBER if left.names & NUMBERS and right.names & NUMBERS else NOTHING
        if isinstance(operator, (ast.BitAnd, ast.BitOr, ast.BitXor)):
            both = TRUTH if "bool" in left.names & right.names else NOTHING
            return numbers | both
        if isinstance(operator, ast.Add):
            texts = TEXT if "str" in left.names & right.names else NOTHING
            tuples = Kinds({"tuple"}, left.parts() | right.parts()) if "tuple" in left.names & right.names else NOTHING
            return numbers | texts | tuples
        exact = left.within(NUMBERS | {"None"}) and right.within(NUMBERS | {"None"})
        return (
            numbers
            if exact or isinstance(operator, (ast.Sub, ast.FloorDiv, ast.Pow, ast.LShift, ast.RShift))
            else ANYTHING
        )
