"""Compiles some constructs of an item differently from how they are written.

Two silent effects of Python are made explicit here. An expression statement is passed to Verdict. A value that Python
uses as a truth value must have one. Z3 itself raises for `x > 3 or y`, but evaluates `x == 3 or y` by comparing texts,
which silently drops a part of the constraint.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeGuard, TypeVar

import z3

from verdict_runner.languages.truth import of_constraint
from verdict_runner.refusal import Refused

_Node = TypeVar("_Node", bound=ast.AST)
_Tested = TypeVar("_Tested", ast.If, ast.While, ast.IfExp, ast.Assert)

# An operand of an operator.
Operand: TypeAlias = Any

# Calls that only return a constraint; as statements in a function, they have no effect.
CONSTRAINT_CALLS = frozenset(
    "And Or Not Xor Implies Distinct AtMost AtLeast PbEq PbLe PbGe ForAll Exists ULT ULE UGT UGE".split()
)
# Methods that return an element of a collection; the returned value is not meant as a constraint.
TAKING_OUT = frozenset("pop popleft setdefault get".split())

BARE, STRAY, TRUTH, COMPARE = "__bare__", "__stray__", "__truth__", "__compare__"

_IN_PLACE_OF = [
    "a constraint has no truth value in Python: use And(…), Or(…), Not(…), If(c, a, b) instead of and, or, not, if",
    "write And(a == b, b == c) instead of a == b == c, and Or([x == v for v in values]) instead of x in values",
    "to test whether two expressions have the same text, write a.eq(b)",
]


def rewritten(tree: ast.Module, item: int) -> ast.Module:
    """Returns an item's syntax tree in the form in which it is compiled."""
    return ast.fix_missing_locations(_Rewriter(item).visit(tree))


class _Rewriter(ast.NodeTransformer):
    def __init__(self, item: int) -> None:
        self._item = item
        self._inside = 0

    def _scope(self, node: _Node) -> _Node:
        self._inside += 1
        self.generic_visit(node)
        self._inside -= 1
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _scope

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        written = node.value
        self.generic_visit(node)
        if isinstance(written, ast.Constant) and not isinstance(written.value, bool):
            return node
        if self._inside:
            return self._told(node, STRAY) if _states(written) else node
        if isinstance(written, ast.Call) and _called(written) in TAKING_OUT:
            return node
        return self._told(node, BARE, not isinstance(written, (ast.Call, ast.Await)))

    def _told(self, node: ast.Expr, name: str, *more: bool) -> ast.Expr:
        constants = [ast.Constant(value) for value in (self._item, node.lineno, *more)]
        node.value = _call(name, node.value, [node.value, *constants])
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "bool":
            node.args = [_truth(each) for each in node.args]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        self.generic_visit(node)
        node.values = [*map(_truth, node.values[:-1]), node.values[-1]]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.UnaryOp:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = _truth(node.operand)
        return node

    def _tested(self, node: _Tested) -> _Tested:
        self.generic_visit(node)
        node.test = _truth(node.test)
        return node

    visit_If = visit_While = visit_IfExp = visit_Assert = _tested

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.ifs = [_truth(each) for each in node.ifs]
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        self.generic_visit(node)
        node.guard = node.guard and _truth(node.guard)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        signs = [type(each).__name__ for each in node.ops]
        # In a chain of comparisons, Z3 itself rejects the truth value of every part except `==`.
        if not (signs[0] in SIGNS if len(signs) == 1 else "Eq" in signs[:-1]):
            return node
        return _call(COMPARE, node, [ast.Tuple([*map(ast.Constant, signs)], ast.Load()), node.left, *node.comparators])


def _states(value: ast.expr) -> bool:
    """Whether an expression can only be meant as a constraint."""
    return isinstance(value, (ast.Compare, ast.BoolOp)) or (
        isinstance(value, ast.Call) and _called(value) in CONSTRAINT_CALLS
    )


def _called(call: ast.Call) -> str | None:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)


def _truth(node: ast.expr) -> ast.expr:
    return node if isinstance(node, ast.Constant) else _call(TRUTH, node, [node])


def _call(name: str, place: ast.expr | ast.stmt, arguments: list[ast.expr]) -> ast.Call:
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), place), arguments, []), place)


# ---- What the compiled program calls.


def truth(value: object) -> object:
    """Returns a value that is about to be used as a truth value; rejects undetermined constraints, which have none."""
    if not isinstance(value, z3.BoolRef):
        return value
    decided = z3.simplify(value)
    if z3.is_true(decided) or z3.is_false(decided):
        return z3.is_true(decided)
    raise Refused(
        f"Python needs the truth value of the constraint `{_short(value)}`, which has none before it is solved.",
        _IN_PLACE_OF,
    )


def as_condition(original: Callable[[z3.AstRef], bool]) -> Callable[[z3.AstRef], bool]:
    """Wraps `__bool__` for implicit uses of truth values, such as comparing tuples or counting numbers in a list."""

    @functools.wraps(original)
    def truth_of(self: z3.AstRef) -> bool:
        if not isinstance(self, z3.BoolRef) or not z3.is_eq(self) or self.num_args() != 2:
            return original(self)
        told = original(self)
        finds = all(map(is_open, self.children()))
        return of_constraint(told, told, finds, lambda: _short(self), "And(…), Or(…), Not(…), If(c, a, b)")

    return truth_of


def compare(signs: Sequence[str], *operands: object) -> object:
    """Evaluates a comparison or a chain; rejects undetermined constraints whose truth value Python would use."""
    for sign, left, right in zip(signs[:-1], operands, operands[1:]):
        result = SIGNS_OF_CHAINS[sign](left, right)
        if not truth(result):
            return result
    return SIGNS_OF_CHAINS[signs[-1]](operands[-2], operands[-1])


def all_of(values: Iterable[object]) -> bool:
    """Replaces Python's `all`; rejects undetermined constraints."""
    return all(truth(each) for each in values)


def any_of(values: Iterable[object]) -> bool:
    """Replaces Python's `any`; rejects undetermined constraints."""
    return any(truth(each) for each in values)


def filter_of(function: Callable[[Any], object] | None, values: Iterable[object]) -> Iterator[object]:
    """Replaces Python's `filter`; refuses undetermined constraints."""
    return (each for each in values if truth(each if function is None else function(each)))


def _equal(left: object, right: object) -> object:
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)) and type(left) is type(right):
        return len(left) == len(right) and all(a is b or truth(_equal(a, b)) for a, b in zip(left, right))
    return left == right


def _different(left: object, right: object) -> object:
    return not _equal(left, right) if isinstance(left, (list, tuple)) else left != right


def _member(left: object, right: Operand) -> bool:
    if is_open(left) and isinstance(right, (list, tuple, set, frozenset, dict, range)):
        _refuse_values(left, right)
    elif (
        isinstance(left, (bool, int, float)) and isinstance(right, (list, tuple)) and right and all(map(is_open, right))
    ):
        raise Refused(
            f"Python compares {left} with expressions that have no value yet, so `in` never finds it.",
            [f"write Or([each == {left} for each in …])"],
        )
    return left in right


def _refuse_values(expression: z3.ExprRef, collection: Iterable[object]) -> None:
    """Rejects to search for an expression among plain values, since it is never found; other searches compare texts."""
    for each in collection:
        if isinstance(each, (bool, int, float, str)) or (isinstance(each, z3.ExprRef) and not is_open(each)):
            raise Refused(
                f"Python compares the expression `{_short(expression)}`, which has no value yet, with values, so `in` never finds it.",
                [f"write Or([{_short(expression)} == v for v in values])", "a range is And(low <= x, x < high)"],
            )


def is_open(value: object) -> TypeGuard[z3.ExprRef]:
    """Whether a value is an expression whose value is only known after solving."""
    if not isinstance(value, z3.ExprRef):
        return False
    return not z3.is_app(value) or value.num_args() > 0 or value.decl().kind() == z3.Z3_OP_UNINTERPRETED


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 80 else f"{text[:79]}…"


SIGNS = {
    "Eq": _equal,
    "NotEq": _different,
    "In": _member,
    "NotIn": lambda left, right: not _member(left, right),
}

SIGNS_OF_CHAINS = {
    **SIGNS,
    "Lt": lambda left, right: left < right,
    "LtE": lambda left, right: left <= right,
    "Gt": lambda left, right: left > right,
    "GtE": lambda left, right: left >= right,
    "Is": lambda left, right: left is right,
    "IsNot": lambda left, right: left is not right,
}

# Functions that compiled items call under names that no item can use, and replacements for builtins.
HIDDEN = {TRUTH: truth, COMPARE: compare}
IN_PLACE = {"any": any_of, "all": all_of, "filter": filter_of}
