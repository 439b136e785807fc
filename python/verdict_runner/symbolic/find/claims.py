"""Defines the part of Python for which an exhausted exploration is a proof.

CrossHair replaces Python's operations with its own, most of which differ from Python in some case. For example, the
length of a symbolic range never overflows, and a string can be repeated any number of times. The constructs listed here
behave the same in both. An exploration of any other code can find counterexamples, but proves nothing.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import types
import typing
from collections.abc import Iterable, Sequence, Set
from typing import TYPE_CHECKING, TypeAlias

from verdict_runner.symbolic.code.annotations import Annotation
from verdict_runner.symbolic.code.construct_names import named, quoted
from verdict_runner.symbolic.find import kinds

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function

# Names of local variables.
Local: TypeAlias = "Set[str]"

ATOMS = (int, bool, str, type(None))
BUILTINS = frozenset("abs bool divmod isinstance len max min".split())
# Exceptions that a handler can name. A symbolic value never raises one of these merely because it is symbolic.
CAUGHT = frozenset("ArithmeticError AssertionError IndexError LookupError OverflowError ZeroDivisionError".split())
STATEMENTS = (
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.If, ast.While, ast.For, ast.Assert, ast.Raise, ast.Try),
    *(ast.Pass, ast.Expr, ast.Break, ast.Continue, ast.Match, ast.match_case, ast.ExceptHandler),
    *(ast.MatchValue, ast.MatchSingleton, ast.MatchAs, ast.MatchOr),
)
EXPRESSIONS = (
    *(ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.NamedExpr, ast.Tuple),
    *(ast.Subscript, ast.Slice, ast.Call, ast.keyword),
)
GRAMMAR = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
# Operators that allow any right operand, and operators whose right operand must be a constant up to a given number.
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor)
BY_CONSTANT = {ast.LShift: 64, ast.RShift: 64, ast.Pow: 3}
# Kinds of values for which `*` and `%` are exact; strings and tuples would be repeated or formatted.
PLAIN = kinds.NUMBERS | {"None"}
ANY_BUT_TEXT = kinds.ANYTHING.names - {"str"}


def parameters_against(function_signature: inspect.Signature, lists: bool = False) -> list[str]:
    """Returns the reasons against a proof that lie in the parameters' types."""
    reasons = []
    for each in function_signature.parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            reasons.append(f"the parameter {each.name} takes any number of arguments")
        elif not _is_exact(each.annotation, lists):
            reasons.append(f"the exploration is not exact for the type of the parameter {each.name}")
    return reasons


def _is_exact(annotation: Annotation, lists: bool) -> bool:
    if annotation in ATOMS or annotation is None:
        return True
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return all(type(each) in ATOMS for each in arguments)
    if origin in (typing.Union, types.UnionType):
        return all(_is_exact(each, lists) for each in arguments)
    if origin is tuple:
        return bool(arguments) and Ellipsis not in arguments and all(_is_exact(each, lists) for each in arguments)
    return lists and origin is list and len(arguments) == 1 and arguments[0] in ATOMS


def code_against(tree: ast.Module, functions: Sequence[Function], conditions: Iterable[str]) -> list[str]:
    """Returns the reasons against a proof in the code of these functions and their callees, and in their conditions."""
    reader = _Reader(tree)
    parsed = [each for each in map(reader.parsed, conditions) if each is not None]
    reader.infer(functions, parsed)
    for each in functions:
        reader.analysed(each)
    for index, each in enumerate(parsed):
        reader.condition(index, each)
    return [*reader.reasons]


class _Reader:
    """Reads the code that a function runs. Each reason is kept only once, in order."""

    def __init__(self, tree: ast.Module) -> None:
        self.reasons: dict[str, None] = {}
        self._functions: dict[str, ast.FunctionDef] = {}
        self._constants: dict[str, ast.expr] = {}
        self._others: set[str] = set()
        self._read: set[str] = set()
        for node in tree.body:
            self._define(node)
        for node in ast.walk(tree):
            if isinstance(node, ast.Global):
                self._others.update(node.names)
            if isinstance(node, ast.alias) and node.name == "*":
                self._against(node, "`from … import *` can rebind any name")

    def _define(self, node: ast.stmt) -> None:
        """Records the meaning of a module-level name; a name that is bound twice can mean anything."""
        if isinstance(node, ast.FunctionDef) and node.name not in self._functions:
            self._functions[node.name] = node
        elif (
            isinstance(node, ast.Assign)
            and _is_plain(node.value)
            and all(isinstance(each, ast.Name) for each in node.targets)
        ):
            for name in (each.id for each in node.targets if isinstance(each, ast.Name)):
                if name in self._constants:
                    self._others.add(name)
                self._constants[name] = node.value
        else:
            for each in ast.walk(node):
                self._others.update(_bound(each))

    def _against(self, node: ast.AST, what: str) -> None:
        line = getattr(node, "lineno", None)
        self.reasons.setdefault(what if line is None else f"line {line}: {what}")

    def infer(self, functions: Sequence[Function], conditions: Sequence[ast.expr]) -> None:
        """Infers the kinds of values in all code that the functions and conditions reach."""
        waiting = [*(each.node for each in functions), *conditions]
        reached = {}
        while waiting:
            used = {each.id for each in ast.walk(waiting.pop()) if isinstance(each, ast.Name)}
            new = used & self._functions.keys() - reached.keys()
            reached.update({name: self._functions[name] for name in new})
            waiting += [self._functions[name] for name in new]
        reached.update({each.name: each.node for each in functions})
        self._kinds = kinds.Inference(reached, self._constants)
        for each in functions:
            for parameter in each.signature.parameters.values():
                self._kinds.give(each.name, parameter.name, kinds.of_annotation(parameter.annotation))
            for name, default in self._kinds.defaults(each.node):
                self._kinds.give(each.name, name, default)
        for index, each in enumerate(conditions):
            self._kinds.condition(f"condition {index}", each, {function.name for function in functions})
        self._kinds.run()

    def analysed(self, function: Function) -> None:
        """Reads one of the question's functions. A decorator that can run other code is a reason against a proof."""
        node = function.node
        if function.kinds:
            self._against(
                node,
                f"objects of classes ({function.kinds[0].__name__}) are explored, but nothing is proved about them",
            )
            return
        if (
            function.plain is not function.innermost
            or node.name != function.name
            or self._functions.get(node.name) is not node
        ):
            self._against(node, f"a decorator of {function.name} can run other code")
        self.function(function.name, True)

    def function(self, name: str, is_analysed: bool) -> None:
        """Reads a function; the conditions of the question's functions are read separately."""
        if name in self._read:
            return
        self._read.add(name)
        node = self._functions.get(name)
        if node is None or name in self._others:
            self._against(node or ast.Pass(), f"{name} is not a function with one definition")
            return
        arguments = node.args
        if not is_analysed and (node.decorator_list or arguments.vararg or arguments.kwarg):
            self._against(node, f"{name} has decorators, or takes any number of arguments")
        if not is_analysed and not all(
            _is_plain(each) for each in [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        ):
            self._against(node, f"{name} has defaults that are not constants")
        local = {each.arg for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
        local |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        local |= {
            each.name for each in ast.walk(node) if isinstance(each, (ast.MatchAs, ast.ExceptHandler)) and each.name
        }
        self._function = name
        for statement in node.body:
            if not _is_docstring(statement):
                self._statement(statement, local)

    def parsed(self, text: str) -> ast.expr | None:
        """Parses a contract's condition from its source; None if it can't be parsed."""
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except SyntaxError:
            self._against(ast.Pass(), f"the condition {text} can't be parsed")
            return None
        return tree.body if isinstance(tree, ast.Lambda) else tree

    def condition(self, index: int, tree: ast.expr) -> None:
        """Reads a contract's condition."""
        for each in ast.walk(tree):
            if isinstance(each, ast.NamedExpr):
                # CrossHair calls the function with a parameter's new value.
                self.reasons.setdefault(f"{named(each)} in conditions are not explored exactly")
        local = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} - BUILTINS - self._functions.keys()
        self._function = f"condition {index}"
        self._node(tree, local - self._others)

    # ---- Tree nodes.

    def _statement(self, node: ast.AST, local: Local) -> None:
        if not isinstance(node, STATEMENTS):
            self._against(node, f"{named(node)} are not explored exactly")
            return
        self._checked(node)
        for field, value in ast.iter_fields(node):
            if field == "annotation":
                continue
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    self._part(node, field, each, local)

    def _part(self, node: ast.AST, field: str, part: ast.AST, local: Local) -> None:
        if isinstance(part, STATEMENTS):
            self._statement(part, local)
        elif isinstance(node, ast.For) and field == "iter":
            self._iterable(part, local)
        elif isinstance(node, ast.ExceptHandler) and isinstance(part, ast.expr):
            self._caught(part)
        elif isinstance(node, ast.Raise) and isinstance(part, ast.expr):
            self._raised(part, local)
        elif isinstance(node, ast.Assert) and field == "msg":
            self._message(part, local)
        else:
            self._node(part, local)

    def _checked(self, node: ast.AST) -> None:
        """Records the reasons in a node itself, not in its parts."""
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            if not all(each is None or isinstance(each, ast.Name) for each in names):
                self._against(node, "an assignment has a target that is not a variable")
        if isinstance(node, ast.Try) and node.finalbody:
            # CrossHair abandons a path by raising an exception. If `finally` replaces that exception, the path seems to
            # have ended normally.
            self._against(node, "`finally` can replace the raised exception")
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            self._against(node, "`except:` catches every exception")
        if isinstance(node, ast.AugAssign):
            self._operator(node, node.op, node.target, node.value)

    def _iterable(self, node: ast.AST, local: Local) -> None:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "range"
            and not node.keywords
        ):
            for each in node.args:
                self._node(each, local)
                if self._may_be(each, {"bool", "tuple", "other"}):
                    # `range` raises TypeError for a symbolic bool, although Python accepts a bool as a number.
                    self._against(
                        each, f"{quoted(node)} is not explored exactly unless all its arguments are of type int"
                    )
        elif isinstance(node, ast.Name) and node.id in local:
            pass
        else:
            self._node(node, local)

    def _caught(self, node: ast.expr) -> None:
        for each in node.elts if isinstance(node, ast.Tuple) else [node]:
            if not isinstance(each, ast.Name) or each.id not in CAUGHT or each.id in self._others:
                self._against(node, f"catching {ast.unparse(each)} is not explored exactly")

    def _raised(self, node: ast.expr, local: Local) -> None:
        call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
        name = call.func.id if isinstance(call.func, ast.Name) else None
        kind = None if name is None else getattr(builtins, name, None)
        if (
            not (isinstance(kind, type) and issubclass(kind, Exception))
            or name in local | self._others | self._functions.keys()
        ):
            self._against(node, f"the raised exception {ast.unparse(call.func)} is not a builtin one")
        for each in call.args:
            self._message(each, local)
        if call.keywords:
            self._against(node, "an exception is created with keyword arguments")

    def _message(self, node: ast.AST, local: Local) -> None:
        """Reads an exception's message: a constant, an f-string, or any other expression, which is read as usual."""
        if isinstance(node, ast.JoinedStr):
            for each in node.values:
                if isinstance(each, ast.FormattedValue):
                    self._node(each.value, local)
                    if each.format_spec:
                        self._message(each.format_spec, local)
        else:
            self._node(node, local)

    def _node(self, node: ast.AST, local: Local) -> None:
        if isinstance(node, GRAMMAR):
            return
        if not isinstance(node, EXPRESSIONS):
            self._against(node, f"{named(node)} are not explored exactly")
            return
        if isinstance(node, ast.Constant) and type(node.value) not in (*ATOMS, type(Ellipsis)):
            self._against(node, f"the literal {quoted(node)} is not explored exactly")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self._named(node, local)
        if isinstance(node, ast.BinOp):
            self._operator(node, node.op, node.left, node.right)
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.UAdd)
            and self._may_be(node.operand, {"bool", "other"})
        ):
            # `+` with a symbolic bool yields a bool, but in Python an int.
            self._against(node, f"{quoted(node)} is not explored exactly where it converts a bool to an int")
        if isinstance(node, ast.Compare):
            self._compared(node)
        if isinstance(node, ast.Call):
            self._called(node, local)
            return
        for each in ast.iter_child_nodes(node):
            self._node(each, local)

    def _named(self, node: ast.Name, local: Local) -> None:
        if node.id not in local and (node.id not in self._constants or node.id in self._others):
            self._against(node, f"{node.id} is neither a local variable nor a constant of the module")

    def _called(self, node: ast.Call, local: Local) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name is None or name in local:
            self._against(node, f"the call of {quoted(node.func)} is not explored exactly")
        elif name in self._functions:
            function, _ = self._function, self.function(name, False)
            self._function = function
        elif name not in BUILTINS or name in self._others | self._constants.keys():
            self._against(node, f"the call of `{name}` is not explored exactly")
        elif any(each.arg != "default" for each in node.keywords):
            self._against(node, f"the call of `{name}` with keyword arguments is not explored exactly")
        arguments = [*node.args, *(each.value for each in node.keywords)]
        # The second argument of `isinstance` is checked below.
        for each in arguments[:1] if name == "isinstance" else arguments:
            self._node(each, local)
        if name == "isinstance" and not (len(arguments) == 2 and _are_kinds(arguments[1])):
            self._against(node, "isinstance tests for classes other than int, str and tuple")

    def _may_be(self, node: ast.expr, names: Set[str]) -> bool:
        return bool(self._kinds.of(self._function, node).names & names)

    def _operator(self, node: ast.AST, operator: ast.operator, left: ast.expr, right: ast.expr) -> None:
        if isinstance(operator, ast.Div):
            self._against(node, "`/` computes floats, which are not explored exactly")
        elif type(operator) in BY_CONSTANT:
            small = (
                isinstance(right, ast.Constant)
                and type(right.value) is int
                and 0 <= right.value <= BY_CONSTANT[type(operator)]
            )
            if not small:
                self._against(
                    node, f"{quoted(node)} is not explored exactly unless its right operand is a small constant"
                )
        elif not isinstance(operator, OPERATORS):
            self._against(node, f"the operator in {quoted(node)} is not explored exactly")
        elif isinstance(operator, (ast.Mult, ast.Mod)) and not all(
            self._kinds.of(self._function, each).within(PLAIN) for each in (left, right)
        ):
            self._against(node, f"{quoted(node)} can repeat or format a string")

    def _compared(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for index, operator in enumerate(node.ops):
            if (
                isinstance(operator, (ast.In, ast.NotIn))
                and self._may_be(sides[index + 1], {"str"})
                and self._may_be(sides[index], ANY_BUT_TEXT)
            ):
                # An empty tuple is `in` every symbolic string; Python raises TypeError.
                self._against(node, "the left operand of `in` might not be a string")
            none = [each for each in sides[index : index + 2] if isinstance(each, ast.Constant) and each.value is None]
            if isinstance(operator, (ast.Is, ast.IsNot)) and not none:
                self._against(node, "`is` compares identities")


def _are_kinds(node: ast.AST) -> bool:
    kinds = node.elts if isinstance(node, ast.Tuple) else [node]
    # `bool` is not listed: a bool is an int, but no explored int is a bool.
    return all(isinstance(each, ast.Name) and each.id in ("int", "str", "tuple") for each in kinds)


def _bound(node: ast.AST) -> Sequence[str]:
    """Returns the names that a tree node binds or deletes."""
    if isinstance(node, ast.Name):
        return () if isinstance(node.ctx, ast.Load) else (node.id,)
    if isinstance(node, ast.alias):
        return (node.asname or node.name.partition(".")[0],)
    return [getattr(node, field) for field in ("name", "rest") if isinstance(getattr(node, field, None), str)]


def _is_plain(node: ast.AST) -> bool:
    """Whether an expression is a constant or a tuple of constants."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    if isinstance(node, ast.Tuple):
        return all(_is_plain(each) for each in node.elts)
    return isinstance(node, ast.Constant) and type(node.value) in ATOMS


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
