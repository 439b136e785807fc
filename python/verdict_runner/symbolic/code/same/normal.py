"""Rewrites a function into a normal form that does the same for all arguments of Python's own types.

No rewrite may depend on what an argument is: the types that `Kinds` knows follow from the function's text, or from
the annotation of a parameter that only the caller passes.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
NEGATIVE = (ast.NotEq, ast.NotIn, ast.IsNot)
JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# The kinds of more variables are not worked out.
NAMES_MAX = 60
IMMUTABLE, LIST = "immutable", "list"
ANNOTATED = {"int": IMMUTABLE, "float": IMMUTABLE, "str": IMMUTABLE, "bool": IMMUTABLE, "list": LIST}
# Builtin functions by the kinds of their results, whatever the arguments are.
RESULTS = {"len": IMMUTABLE, "int": IMMUTABLE, "float": IMMUTABLE, "ord": IMMUTABLE, "list": LIST, "sorted": LIST}
TRUTHS = frozenset(("bool", "isinstance", "any", "all"))
# A constant message can't change the class of these exceptions.
ODD_EXCEPTIONS = frozenset(("StopIteration", "StopAsyncIteration", "SystemExit"))


def names_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yields every name in these nodes, however they use it."""
    for root in nodes:
        for each in ast.walk(root):
            if isinstance(each, ast.Name):
                yield each.id
            elif isinstance(each, ast.arg):
                yield each.arg
            elif isinstance(each, (ast.Nonlocal, ast.Global)):
                yield from each.names
            elif isinstance(each, (ast.FunctionDef, ast.ExceptHandler)) and each.name:
                yield each.name


def bound_in(function: ast.FunctionDef) -> set[str]:
    """Returns the names that a function or something in it binds."""
    bound = {
        each.id for each in ast.walk(function) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    }
    others = [each for each in ast.walk(function) if not isinstance(each, (ast.Name, ast.Load))]
    for each in others:
        if isinstance(each, ast.arg):
            bound.add(each.arg)
        elif isinstance(each, (ast.Nonlocal, ast.Global)):
            bound.update(each.names)
        elif isinstance(each, (ast.FunctionDef, ast.ExceptHandler)) and each.name:
            bound.add(each.name)
    return bound


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    """Returns all parameters, in a fixed order."""
    args = function.args
    more = [each for each in (args.vararg, args.kwarg) if each]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *more]


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yields the nodes that run in a function's own scope; of a function in it, only its definition."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*SCOPES, *COMPREHENSIONS)):
            waiting += ast.iter_child_nodes(node)


def locals_of(function: ast.FunctionDef) -> set[str]:
    """Returns the names of a function's local variables."""
    found = {each.arg for each in parameters(function)}
    for each in own_nodes(function):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, (ast.FunctionDef, ast.ExceptHandler)) and each.name:
            found.add(each.name)
    outer = {name for each in own_nodes(function) if isinstance(each, ast.Nonlocal) for name in each.names}
    return found - outer


class Kinds:
    """What follows from a function's text about its variables: which are always numbers or texts, or lists."""

    def __init__(self, function: ast.FunctionDef, is_builtin: Callable[[str], bool], trusted: Collection[str]) -> None:
        """`trusted` contains the parameters whose annotations hold for all arguments."""
        self._is_builtin = is_builtin
        self._names: dict[str, str] = {}
        bound: dict[str, list[ast.AST]] = {}
        lost: set[str] = set()
        args = function.args
        positional = [*args.posonlyargs, *args.args]
        sure = {each.arg for each in positional[: len(positional) - len(args.defaults)]}
        for each in parameters(function):
            annotation = each.annotation.value if isinstance(each.annotation, ast.Subscript) else each.annotation
            name = annotation.id if isinstance(annotation, ast.Name) else ""
            if each.arg in trusted and each.arg in sure and name in ANNOTATED and is_builtin(name):
                self._names[each.arg] = ANNOTATED[name]
            else:
                lost.add(each.arg)
        simple: set[ast.AST] = set()
        for each in ast.walk(function):
            if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value:
                for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                    if isinstance(target, ast.Name):
                        bound.setdefault(target.id, []).append(each.value)
                        simple.add(target)
            elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
                bound.setdefault(each.target.id, []).append(each)
                simple.add(each.target)
            elif isinstance(each, ast.For) and isinstance(each.target, ast.Name) and self._calls(each.iter, "range"):
                bound.setdefault(each.target.id, []).append(ast.Constant(0))
                simple.add(each.target)
        for each in ast.walk(function):
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load) and each not in simple:
                lost.add(each.id)
            elif isinstance(each, SCOPES) and each is not function:
                lost.update(one.arg for one in parameters(each))
                lost.update([each.name] if not isinstance(each, ast.Lambda) else [])
            elif isinstance(each, (ast.Nonlocal, ast.Global)):
                lost.update(each.names)
            elif isinstance(each, ast.ExceptHandler) and each.name:
                lost.add(each.name)
        if len(bound) > NAMES_MAX:
            lost |= bound.keys() | self._names.keys()
        # A function inside of this one can have a variable with the name of one that is free here.
        lost |= bound.keys() - locals_of(function)
        for name in lost:
            self._names.pop(name, None)
        open_names = bound.keys() - lost - self._names.keys()
        while known := {
            name: kind for name in open_names for each in bound[name] if (kind := self._bound(name, each)) is not None
        }:
            self._names.update(known)
            open_names -= known.keys()
        # What was assumed about the variables must hold for everything that is assigned to them.
        while wrong := [
            name
            for name, kind in self._names.items()
            if any(self._bound(name, each) != kind for each in bound.get(name, ()))
        ]:
            for name in wrong:
                del self._names[name]

    def _bound(self, name: str, value: ast.AST) -> str | None:
        if not isinstance(value, ast.AugAssign):
            return self.of(value)
        if self._names.get(name) == LIST:
            return LIST if isinstance(value.op, ast.Add) else None
        return IMMUTABLE if self.of(value.value) == IMMUTABLE else None

    def _calls(self, node: ast.AST, *names: str) -> bool:
        called = node.func if isinstance(node, ast.Call) else None
        return isinstance(called, ast.Name) and called.id in names and self._is_builtin(called.id)

    def of(self, node: ast.AST) -> str | None:
        """Returns the kind of all values of an expression, if it is known."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id)
        if isinstance(node, (ast.Constant, ast.JoinedStr, ast.Compare)):
            return None if isinstance(node, ast.Constant) and node.value is ... else IMMUTABLE
        if isinstance(node, (ast.List, ast.ListComp)):
            return LIST
        if isinstance(node, ast.UnaryOp):
            return IMMUTABLE if isinstance(node.op, ast.Not) or self.of(node.operand) == IMMUTABLE else None
        if isinstance(node, ast.IfExp):
            body = self.of(node.body)
            return body if body is not None and body == self.of(node.orelse) else None
        if isinstance(node, ast.BinOp):
            return self._of_operation(node)
        if isinstance(node, ast.Subscript):
            return LIST if isinstance(node.slice, ast.Slice) and self.of(node.value) == LIST else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and self._is_builtin(node.func.id):
            return RESULTS.get(node.func.id)
        return None

    def _of_operation(self, node: ast.BinOp) -> str | None:
        left, right = self.of(node.left), self.of(node.right)
        if left == right == LIST:
            return LIST if isinstance(node.op, ast.Add) else None
        if {left, right} == {LIST, IMMUTABLE}:
            return LIST if isinstance(node.op, ast.Mult) else None
        return left if left == right else None


class Normal(ast.NodeTransformer):
    """Rewrites one function, whose variables have these kinds."""

    def __init__(self, function: ast.FunctionDef, kinds: Kinds, is_builtin: Callable[[str], bool]) -> None:
        self._kinds = kinds
        self._is_builtin = is_builtin
        nodes = [*ast.walk(function)]
        self._read = {each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Store)}
        self._read |= {
            each.target.id for each in nodes if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)
        }
        self._read |= {name for each in nodes if isinstance(each, (ast.Nonlocal, ast.Global)) for name in each.names}
        self._read |= {each.target.id for each in nodes if isinstance(each, ast.NamedExpr)}
        self._shared = {
            name
            for each in nodes
            if isinstance(each, SCOPES) and each is not function
            for name in names_in(ast.iter_child_nodes(each))
        }
        self._locals = locals_of(function)
        # A variable of a comprehension can have the name of a local variable, but fails in another way.
        self._in_comprehensions = {
            name for each in nodes if isinstance(each, ast.comprehension) for name in names_in([each.target])
        }

    def body(self, function: ast.FunctionDef) -> list[ast.stmt]:
        """Returns the rewritten body; the function itself remains as it is."""
        return self._tail(self._block(copy.deepcopy(function.body), False))

    # ---- Statements.

    def _block(self, statements: Sequence[ast.stmt], is_guarded: bool) -> list[ast.stmt]:
        flat = [part for each in statements for part in self._statement(each, is_guarded)]
        done: list[ast.stmt] = []
        waiting = flat[::-1]
        while waiting:
            each = waiting.pop()
            if isinstance(each, ast.If) and each.orelse and _ends(each.body):
                waiting += each.orelse[::-1]
                each.orelse = []
            done.append(each)
        return self._joined(done, is_guarded)

    def _joined(self, block: list[ast.stmt], is_guarded: bool) -> list[ast.stmt]:
        """Joins the last statements of a block."""
        match block:
            case [*first, ast.Assign([ast.Name(name)], value), ast.Return(ast.Name(other))] if (
                name == other and not is_guarded and name in self._locals - self._shared
            ):
                return self._joined([*first, ast.Return(value)], is_guarded)
            case [*first, ast.If(test, [ast.Return(value)], []), ast.Return(other)]:
                chosen = ast.IfExp(test, value or ast.Constant(None), other or ast.Constant(None))
                return self._joined([*first, ast.Return(self._choice(chosen))], is_guarded)
            case _:
                return block

    def _tail(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """Shortens the end of a function, where None is returned."""
        match block:
            case [*first, ast.Return(None | ast.Constant(None))]:
                return self._tail(first)
            case [*first, ast.If(test, [ast.Return(ast.expr() as value)], [])]:
                return self._tail([*first, ast.Return(self._choice(ast.IfExp(test, value, ast.Constant(None))))])
            case _:
                return block

    def _statement(self, node: ast.stmt, is_guarded: bool) -> list[ast.stmt]:
        match node:
            case ast.Pass() | ast.Expr(ast.Constant()):
                return []
            case ast.AnnAssign(ast.Name() as target, _, value, 1):
                return self._statement(ast.Assign([target], value), is_guarded) if value else []
            case ast.Assign([ast.Name(name)], ast.Constant() as value):
                return self._assigned(name, value)
            case ast.Assert(test, None | ast.Constant()):
                return [ast.Assert(each, None) for each in _parts(self._test(test))]
            case ast.If():
                return self._condition(node, is_guarded)
            case ast.For():
                node.iter = _as_tuple(self._value(node.iter))
                node.target = self._value(node.target)
                node.body, node.orelse = self._whole(node.body, is_guarded), self._block(node.orelse, is_guarded)
            case ast.While():
                node.test = self._test(node.test)
                node.body, node.orelse = self._whole(node.body, is_guarded), self._block(node.orelse, is_guarded)
            case ast.Try():
                for handler in node.handlers:
                    handler.body = self._whole(handler.body, True)
                    handler.name = handler.name if handler.name in self._read else None
                node.body, node.orelse = self._whole(node.body, True), self._block(node.orelse, True)
                node.finalbody = self._block(node.finalbody, True)
            case ast.AugAssign(ast.Name(name), op, value) if self._kinds.of(node.target) == IMMUTABLE:
                changed = ast.BinOp(ast.Name(name, ast.Load()), op, value)
                return [ast.Assign([ast.Name(name, ast.Store())], self._value(changed))]
            case ast.Raise(ast.Call(ast.Name(name), [ast.Constant(str())], []) as made, None) if self._raises(name):
                made.args = [ast.Constant("")]
            case ast.Return(ast.Constant(None)):
                node.value = None
            case ast.FunctionDef():
                return [node]
            case _:
                self.generic_visit(node)
        return [node]

    def _assigned(self, name: str, value: ast.expr) -> list[ast.stmt]:
        """Assigns a value in normal form, unless it is a constant that nothing reads."""
        is_idle = isinstance(value, ast.Constant) and name in self._locals and name not in self._read
        return [] if is_idle else [ast.Assign([ast.Name(name, ast.Store())], value)]

    def _raises(self, name: str) -> bool:
        made = getattr(builtins, name, None)
        is_exception = isinstance(made, type) and issubclass(made, Exception) and name not in ODD_EXCEPTIONS
        return is_exception and self._is_builtin(name)

    def _whole(self, statements: Sequence[ast.stmt], is_guarded: bool) -> list[ast.stmt]:
        return self._block(statements, is_guarded) or [ast.Pass()]

    def _condition(self, node: ast.If, is_guarded: bool) -> list[ast.stmt]:
        before: list[ast.stmt] = []
        node.test, named = _without_first_name(node.test)
        if named is not None:
            before = self._statement(ast.Assign([ast.Name(named.target.id, ast.Store())], named.value), is_guarded)
        test = self._test(node.test)
        body, orelse = self._block(node.body, is_guarded), self._block(node.orelse, is_guarded)
        if body and orelse and (_ends(orelse) > _ends(body) or (_is_negative(test) and _ends(orelse) == _ends(body))):
            test, body, orelse = self._negated(test), orelse, body
        match body, orelse:
            case [ast.Assign([ast.Name(name)], one)], [ast.Assign([ast.Name(other)], two)] if name == other:
                # The parts are in normal form: another visit would make the time quadratic.
                return [*before, *self._assigned(name, self._choice(ast.IfExp(test, one, two)))]
            case [ast.Return(one)], [ast.Return(two)]:
                made = ast.IfExp(test, one or ast.Constant(None), two or ast.Constant(None))
                return [*before, ast.Return(self._choice(made))]
            case [ast.If(inner, block, [])], []:
                return [*before, ast.If(_joined(ast.And(), [test, inner]), block, [])]
            case _:
                return [*before, ast.If(test, body or [ast.Pass()], orelse)]

    # ---- Expressions.

    def _value(self, node: ast.expr) -> ast.expr:
        made = self.visit(node)
        assert isinstance(made, ast.expr)
        return made

    def _test(self, node: ast.expr) -> ast.expr:
        """Rewrites an expression of which only the truth is used."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                return self._negated(self._test(operand))
            case ast.BoolOp(op, values):
                return _joined(op, [self._test(each) for each in values])
            case ast.IfExp(test, body, orelse):
                return ast.IfExp(self._test(test), self._test(body), self._test(orelse))
            case ast.Call(ast.Name("bool"), [ast.expr() as given], []) if self._is_builtin("bool"):
                return self._test(given) if not isinstance(given, ast.Starred) else self._value(node)
            case ast.Call(ast.Name("len"), [ast.expr() as given], []) if self._is_builtin("len"):
                return self._value(given if self._kinds.of(given) == LIST else node)
            case _:
                made = self._value(node)
                # A rewritten expression can have another form of the same truth.
                return self._test(made) if isinstance(made, ast.UnaryOp) and isinstance(made.op, ast.Not) else made

    def _negated(self, node: ast.expr) -> ast.expr:
        """Negates an expression of which only the truth is used."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                return operand
            case ast.Compare(left, [op], comparators) if type(op) in FLIPPED:
                return ast.Compare(left, [FLIPPED[type(op)]()], comparators)
            case ast.BoolOp(op, values):
                other = ast.Or() if isinstance(op, ast.And) else ast.And()
                return _joined(other, [self._negated(each) for each in values])
            case _:
                return ast.UnaryOp(ast.Not(), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if not isinstance(node.op, ast.Not):
            self.generic_visit(node)
            return node
        return self._not(self._test(node.operand))

    def _not(self, test: ast.expr) -> ast.expr:
        """Negates an expression of which only the truth is used, so that the result is True or False."""
        flips = isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in FLIPPED
        return self._negated(test) if flips else ast.UnaryOp(ast.Not(), test)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return self._choice(ast.IfExp(self._test(node.test), self._value(node.body), self._value(node.orelse)))

    def _choice(self, node: ast.IfExp) -> ast.expr:
        """Simplifies a choice whose parts are in normal form."""
        if _is_negative(node.test):
            node = ast.IfExp(self._negated(node.test), node.orelse, node.body)
        match node:
            case ast.IfExp(test, ast.Constant(True), ast.Constant(False)) if self._is_truth(test):
                return test
            case ast.IfExp(test, ast.Constant(True), ast.Constant(False)):
                return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), test))
            case ast.IfExp(test, ast.Constant(False), ast.Constant(True)):
                return self._not(test)
            case _:
                return node

    def _is_truth(self, node: ast.expr) -> bool:
        if isinstance(node, ast.BoolOp):
            return all(self._is_truth(each) for each in node.values)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node.func.id in TRUTHS and self._is_builtin(node.func.id)
        return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        return _joined(node.op, [self._value(each) for each in node.values])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        operands = [node.left, *node.comparators]
        pairs = [self._comparison(left, op, right) for left, op, right in zip(operands, node.ops, operands[1:])]
        if len(pairs) == 1:
            return pairs[0]
        # An operand in the middle is read once in a chain, and twice in a conjunction.
        if all(self._is_simple(each) for each in operands[1:-1]):
            return _joined(ast.And(), pairs)
        return node

    def _comparison(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
        if isinstance(op, (ast.In, ast.NotIn)):
            right = _as_tuple(right)
        if isinstance(op, (ast.Eq, ast.NotEq)) and self._is_empty(left, right):
            given = left.args[0] if isinstance(left, ast.Call) else left
            truth = ast.UnaryOp(ast.Not(), given)
            return truth if isinstance(op, ast.Eq) else ast.UnaryOp(ast.Not(), truth)
        # A Counter compares the counts of its own keys first, and stops at the first that is larger.
        is_ordered = IMMUTABLE in (self._kinds.of(left), self._kinds.of(right))
        if type(op) in MIRRORED and is_ordered and self._is_simple(left) and self._is_simple(right):
            return ast.Compare(right, [MIRRORED[type(op)]()], [left])
        return ast.Compare(left, [op], [right])

    def _is_empty(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether a comparison with the second expression asks if a list, the first one, is empty."""
        match left, right:
            case ast.Call(ast.Name("len"), [given], []), ast.Constant(0) if self._is_builtin("len"):
                return type(right.value) is int and self._kinds.of(given) == LIST
            case _, ast.List([]):
                return self._kinds.of(left) == LIST
            case _:
                return False

    def _is_simple(self, node: ast.expr) -> bool:
        """Whether reading an expression changes nothing, and fails only for a local variable without a value."""
        return isinstance(node, ast.Constant) or (
            isinstance(node, ast.Name) and node.id in self._locals - self._in_comprehensions
        )

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Add) or not self._kinds.of(node.left) == self._kinds.of(node.right) == LIST:
            return node
        if not isinstance(node.left, ast.List) and not isinstance(node.right, ast.List):
            return node
        items = node.right.elts if isinstance(node.right, ast.List) else [ast.Starred(node.right, ast.Load())]
        if isinstance(node.left, ast.List):
            return ast.List([*node.left.elts, *items], ast.Load())
        # The items are evaluated before the lists are joined, and must not change the first one.
        if not all(self._is_simple(each) for each in items):
            return node
        return ast.List([ast.Starred(node.left, ast.Load()), *items], ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) and self._is_builtin(node.func.id) else ""
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            return node
        match name, node.args:
            case "range", [ast.Constant(0), end] | [ast.Constant(0), end, ast.Constant(1)]:
                whole = all(type(each.value) is int for each in node.args if isinstance(each, ast.Constant))
                node.args = [end] if whole else node.args
            case "range", [begin, end, ast.Constant(1) as step]:
                node.args = [begin, end] if type(step.value) is int else node.args
            case "list", [ast.List() | ast.ListComp() as made]:
                return made
            case "list", [ast.Call(ast.Name("sorted")) as made] if self._is_builtin("sorted"):
                return made
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = _as_tuple(self._value(node.iter))
        node.target = self._value(node.target)
        node.ifs = [part for each in node.ifs for part in _parts(self._test(each))]
        return node


def _ends(block: Sequence[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], JUMPS)


def _joined(op: ast.boolop, values: Sequence[ast.expr]) -> ast.BoolOp:
    """Joins conditions by `and` or `or`; parts that are joined by the same word become parts of the whole."""
    parts = [
        part
        for each in values
        for part in (each.values if isinstance(each, ast.BoolOp) and type(each.op) is type(op) else [each])
    ]
    return ast.BoolOp(op, parts)


def _parts(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _is_negative(test: ast.expr) -> bool:
    if isinstance(test, ast.Compare):
        return len(test.ops) == 1 and isinstance(test.ops[0], NEGATIVE)
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _as_tuple(node: ast.expr) -> ast.expr:
    """Writes a list that is only read once as a tuple."""
    return ast.Tuple(node.elts, ast.Load()) if isinstance(node, ast.List) else node


def _without_first_name(test: ast.expr) -> tuple[ast.expr, ast.NamedExpr | None]:
    """Takes out the assignment with which the evaluation of a condition begins."""
    match test:
        case ast.NamedExpr(target, _):
            return ast.Name(target.id, ast.Load()), test
        case ast.UnaryOp(ast.Not() as op, operand):
            inner, named = _without_first_name(operand)
            return ast.UnaryOp(op, inner), named
        case ast.Compare(left, ops, comparators):
            inner, named = _without_first_name(left)
            # The variable is read only after the other operands.
            return (ast.Compare(inner, ops, comparators), named) if not {*names_in(comparators)} else (test, None)
        case ast.BoolOp(op, [first, *rest]):
            inner, named = _without_first_name(first)
            return ast.BoolOp(op, [inner, *rest]), named
        case _:
            return test, None
