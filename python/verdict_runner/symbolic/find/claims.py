"""Which code an exhausted exploration is a proof for: a small part of Python, listed here.

CrossHair stands in for Python's own operations, and most of them differ somewhere: a symbolic range
has no length that is too large for its machine, a text can be repeated any number of times. What is
listed behaves alike in both; about anything else an exploration may find much, and proves nothing.
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
from verdict_runner.symbolic.find import kinds

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.subject import Function

# Names of variables.
Local: TypeAlias = "Set[str]"

ATOMS = (int, bool, str, type(None))
BUILTINS = frozenset("abs bool divmod isinstance len max min".split())
# Errors that can be caught here: none of them is one that a symbolic value raises by not being a real one.
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
# Operators for any right operand, and those for a small constant one.
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor)
BY_CONSTANT = {ast.LShift: 64, ast.RShift: 64, ast.Pow: 3}
# Kinds of values that `*` and `%` are exact on; of a text or a tuple they make another one.
PLAIN = kinds.NUMBERS | {"None"}
ANY_BUT_TEXT = kinds.ANYTHING.names - {"str"}


def parameters_against(function_signature: inspect.Signature, lists: bool = False) -> list[str]:
    """What speaks against a proof in the types of the parameters: texts."""
    found = []
    for each in function_signature.parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            found.append(f"the parameter {each.name} takes any number of arguments")
        elif not _is_exact(each.annotation, lists):
            found.append(f"the type of the parameter {each.name} is not explored exactly")
    return found


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
    """What speaks against a proof in the code of these functions, of all they call, and in conditions on them."""
    reader = _Reader(tree)
    parsed = [each for each in map(reader.parsed, conditions) if each is not None]
    reader.infer(functions, parsed)
    for each in functions:
        reader.asked(each)
    for index, each in enumerate(parsed):
        reader.condition(index, each)
    return [*reader.found]


class _Reader:
    """Walks what a function runs; reasons are kept once each, in their order."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: dict[str, None] = {}
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
                self._against(node, "an import of everything may give any name another meaning")

    def _define(self, node: ast.stmt) -> None:
        """What a name of the module stands for; one that is bound twice stands for anything."""
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
        self.found.setdefault(what if line is None else f"line {line}: {what}")

    def infer(self, functions: Sequence[Function], conditions: Sequence[ast.expr]) -> None:
        """Works out the kinds of values in what the functions and conditions reach."""
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

    def asked(self, function: Function) -> None:
        """Reads a function that is asked about, unless a decorator runs more than its body, or something else."""
        node = function.node
        if (
            function.plain is not function.innermost
            or node.name != function.name
            or self._functions.get(node.name) is not node
        ):
            self._against(node, f"a decorator of {function.name} may do anything")
        self.function(function.name, True)

    def function(self, name: str, asked: bool) -> None:
        """Reads a function; conditions on the one that was asked for are read by themselves."""
        if name in self._read:
            return
        self._read.add(name)
        node = self._functions.get(name)
        if node is None or name in self._others:
            self._against(node or ast.Pass(), f"{name} is not an ordinary function")
            return
        arguments = node.args
        if not asked and (node.decorator_list or arguments.vararg or arguments.kwarg):
            self._against(node, f"{name} has decorators, or takes any number of arguments")
        if not asked and not all(
            _is_plain(each) for each in [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        ):
            self._against(node, f"{name} has defaults that are no constants")
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
        """A condition of a contract as an expression, from its source; None when it can't be read."""
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except SyntaxError:
            self._against(ast.Pass(), f"the condition {text} can't be read")
            return None
        return tree.body if isinstance(tree, ast.Lambda) else tree

    def condition(self, index: int, tree: ast.expr) -> None:
        """Reads a condition of a contract."""
        local = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} - BUILTINS - self._functions.keys()
        self._function = f"condition {index}"
        self._node(tree, local - self._others)

    # ---- Nodes of the tree.

    def _statement(self, node: ast.AST, local: Local) -> None:
        if not isinstance(node, STATEMENTS):
            self._against(node, f"{_name(node)} is not explored exactly")
            return
        self._annotated(node)
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

    def _annotated(self, node: ast.AST) -> None:
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            if not all(each is None or isinstance(each, ast.Name) for each in names):
                self._against(node, "something other than a variable is changed")
        if isinstance(node, ast.Try) and node.finalbody:
            # Also of what CrossHair raises to give a path up: the path would look like one that ended.
            self._against(node, "`finally` may take the place of what was raised")
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            self._against(node, "any exception is caught")
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
                    # The range of a symbolic truth is a TypeError; Python takes a truth for a number.
                    self._against(
                        each, f"{ast.unparse(node)} is not explored exactly unless it counts with whole numbers"
                    )
        elif isinstance(node, ast.Name) and node.id in local:
            pass
        else:
            self._node(node, local)

    def _caught(self, node: ast.expr) -> None:
        for each in node.elts if isinstance(node, ast.Tuple) else [node]:
            if not isinstance(each, ast.Name) or each.id not in CAUGHT or each.id in self._others:
                self._against(node, f"{ast.unparse(each)} is caught")

    def _raised(self, node: ast.expr, local: Local) -> None:
        call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
        name = call.func.id if isinstance(call.func, ast.Name) else None
        kind = None if name is None else getattr(builtins, name, None)
        if (
            not (isinstance(kind, type) and issubclass(kind, Exception))
            or name in local | self._others | self._functions.keys()
        ):
            self._against(node, f"what is raised, {ast.unparse(call.func)}, is not an exception of Python's own")
        for each in call.args:
            self._message(each, local)
        if call.keywords:
            self._against(node, "an exception is made with keywords")

    def _message(self, node: ast.AST, local: Local) -> None:
        """A text for people: constants, and values put into one; those that need more are tried one by one."""
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
            self._against(node, f"{_name(node)} is not explored exactly")
            return
        if isinstance(node, ast.Constant) and type(node.value) not in (*ATOMS, type(Ellipsis)):
            self._against(node, f"the value {node.value!r} is not explored exactly")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self._named(node, local)
        if isinstance(node, ast.BinOp):
            self._operator(node, node.op, node.left, node.right)
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.UAdd)
            and self._may_be(node.operand, {"bool", "other"})
        ):
            # A symbolic truth answers with a truth, and Python with a whole number.
            self._against(node, f"{ast.unparse(node)} is not explored exactly where it makes a truth a number")
        if isinstance(node, ast.Compare):
            self._compared(node)
        if isinstance(node, ast.Call):
            self._called(node, local)
            return
        for each in ast.iter_child_nodes(node):
            self._node(each, local)

    def _named(self, node: ast.Name, local: Local) -> None:
        if node.id not in local and (node.id not in self._constants or node.id in self._others):
            self._against(node, f"{node.id} is not a variable of the function or a constant")

    def _called(self, node: ast.Call, local: Local) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name is None or name in local:
            self._against(node, f"the call of {ast.unparse(node.func)} is not explored exactly")
        elif name in self._functions:
            function, _ = self._function, self.function(name, False)
            self._function = function
        elif name not in BUILTINS or name in self._others | self._constants.keys():
            self._against(node, f"the call of {name} is not explored exactly")
        elif any(each.arg != "default" for each in node.keywords):
            self._against(node, f"the call of {name} with keywords is not explored exactly")
        arguments = [*node.args, *(each.value for each in node.keywords)]
        # The kinds that `isinstance` asks for are no values.
        for each in arguments[:1] if name == "isinstance" else arguments:
            self._node(each, local)
        if name == "isinstance" and not (len(arguments) == 2 and _are_kinds(arguments[1])):
            self._against(node, "isinstance asks for more than int, str or tuple")

    def _may_be(self, node: ast.expr, names: Set[str]) -> bool:
        return bool(self._kinds.of(self._function, node).names & names)

    def _operator(self, node: ast.AST, operator: ast.operator, left: ast.expr, right: ast.expr) -> None:
        if isinstance(operator, ast.Div):
            self._against(node, "/ makes floats, which are not exact in the exploration")
        elif type(operator) in BY_CONSTANT:
            small = (
                isinstance(right, ast.Constant)
                and type(right.value) is int
                and 0 <= right.value <= BY_CONSTANT[type(operator)]
            )
            if not small:
                self._against(node, f"{ast.unparse(node)} is not explored exactly")
        elif not isinstance(operator, OPERATORS):
            self._against(node, f"the operator in {ast.unparse(node)} is not explored exactly")
        elif isinstance(operator, (ast.Mult, ast.Mod)) and not all(
            self._kinds.of(self._function, each).within(PLAIN) for each in (left, right)
        ):
            self._against(node, f"{ast.unparse(node)} may repeat or format a text")

    def _compared(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for index, operator in enumerate(node.ops):
            if (
                isinstance(operator, (ast.In, ast.NotIn))
                and self._may_be(sides[index + 1], {"str"})
                and self._may_be(sides[index], ANY_BUT_TEXT)
            ):
                # An empty tuple is in every symbolic text, and Python raises TypeError.
                self._against(node, "what is asked to be in a text may be no text")
            none = [each for each in sides[index : index + 2] if isinstance(each, ast.Constant) and each.value is None]
            if isinstance(operator, (ast.Is, ast.IsNot)) and not none:
                self._against(node, "`is` asks for the same object")


def _are_kinds(node: ast.AST) -> bool:
    kinds = node.elts if isinstance(node, ast.Tuple) else [node]
    # Not for bool: a truth passes for an int, and no int is explored that is one.
    return all(isinstance(each, ast.Name) and each.id in ("int", "str", "tuple") for each in kinds)


def _bound(node: ast.AST) -> Sequence[str]:
    """The names that a node of the tree binds, or takes away."""
    if isinstance(node, ast.Name):
        return () if isinstance(node.ctx, ast.Load) else (node.id,)
    if isinstance(node, ast.alias):
        return (node.asname or node.name.partition(".")[0],)
    return [getattr(node, field) for field in ("name", "rest") if isinstance(getattr(node, field, None), str)]


def _is_plain(node: ast.AST) -> bool:
    """Whether an expression is a constant, or a tuple of them."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    if isinstance(node, ast.Tuple):
        return all(_is_plain(each) for each in node.elts)
    return isinstance(node, ast.Constant) and type(node.value) in ATOMS


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _name(node: ast.AST) -> str:
    names = {
        ast.Attribute: "an attribute",
        ast.ListComp: "a comprehension",
        ast.GeneratorExp: "a generator",
        ast.List: "a list",
    }
    return names.get(type(node), f"`{type(node).__name__}`")
