"""Compares two functions in normal form, statement by statement."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from verdict_runner.symbolic.code.same.known import (
    BUILTINS,
    FIELDS,
    GENERIC,
    ITERATORS,
    METHODS,
    MODULES,
    PLAIN_TYPES,
    SET_METHODS,
    TYPING,
    consumes,
)
from verdict_runner.symbolic.code.same.module import LOADED_ODDLY, Apart, Module, is_constant, is_exception, is_odd
from verdict_runner.symbolic.code.same.normal import (
    COMPREHENSIONS,
    Kinds,
    Normal,
    bound_in,
    locals_of,
    names_in,
    parameters,
)
from verdict_runner.symbolic.code.same.sets import hold_only_integers

SET_OPERATIONS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
# Exceptions of the machine's limits, and those with which code catches the recursion limit.
LIMITS = frozenset(("MemoryError", "RecursionError"))
DEPTH_CAUGHT = frozenset(("BaseException", "Exception", "RuntimeError"))
LOCALS_MAX, NODES_MAX, STEPS_MAX, PAIRS_PER_STEP = 40, 5_000, 20_000, 50

# Pairs of variables of the two functions that hold the same object, or no object. None where no run comes.
Same = frozenset[tuple[object, object]] | None


def same(tree: ast.Module, a: str, b: str) -> bool:
    """Whether a call of one function does the same as a call of the other, whatever the arguments are."""
    try:
        module = Module.read(tree)
        if sum(1 for _ in ast.walk(tree)) > NODES_MAX:
            return False
        if a not in module.functions or b not in module.functions:
            return False
        Comparison(tree, module, (a, b)).run()
    except (Apart, RecursionError):
        return False
    return True


class Scope(NamedTuple):
    """The variables of a function on one side: of the innermost comprehensions first, and of functions around it."""

    locals: frozenset[str]
    # Names that functions inside of this one can mention.
    shared: frozenset[str]
    # Functions inside of this one, which no other statement binds.
    functions: frozenset[str]


@dataclass
class State:
    """Where the comparison is in a pair of functions."""

    scopes: list[tuple[Scope, Scope]]
    same: Same
    inner: list[tuple[dict[str, object], dict[str, object]]] = field(default_factory=list)
    breaks: list[Same] = field(default_factory=list)
    continues: list[Same] = field(default_factory=list)
    # For each `try` around this place, what has been the same everywhere in it.
    guarded: list[Same] = field(default_factory=list)


def _meet(*all_same: Same) -> Same:
    known = [each for each in all_same if each is not None]
    return frozenset.intersection(*known) if known else None


class Comparison:
    """Compares a pair of functions, and all pairs of functions that they call in the same places."""

    def __init__(self, tree: ast.Module, module: Module, roots: tuple[str, str]) -> None:
        self._module = module
        self._roots = roots
        self._waiting = [roots]
        self._pairs: set[tuple[str, str]] = set()
        nodes = [*ast.walk(tree)]
        self._called = {
            each.func.id for each in nodes if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
        }
        own = {name for each in module.functions.values() for name in bound_in(each)} | module.functions.keys()
        self._has_keywords = any(
            isinstance(each, ast.Call) and each.keywords and isinstance(each.func, ast.Name) and each.func.id in own
            for each in nodes
        )
        self._has_views = any(isinstance(each, ast.Attribute) and each.attr in ("keys", "items") for each in nodes)
        self._steps = 0
        # The order of other values in a set can depend on the process, or on their addresses.
        self._allows_sets = hold_only_integers(module, roots, nodes)
        self._changed_variables = module.changed_variables(tree, "len" in own or module.binds("len"))

    def run(self) -> None:
        """Raises `Apart` unless the functions are the same."""
        self._load()
        while self._waiting:
            pair = self._waiting.pop()
            if pair in self._pairs:
                continue
            self._pairs.add(pair)
            a, b = (self._module.functions[name] for name in pair)
            self._functions(a, b, [], pair == self._roots)

    def _load(self) -> None:
        """Raises `Apart` if loading the module could change what a name refers to, or what a function does."""
        module = self._module
        for value in module.variables.values():
            called = value.func if isinstance(value, ast.Call) else None
            if isinstance(called, ast.Name) and module.imports.get(called.id) == "typing.TypeVar":
                if any(isinstance(each, LOADED_ODDLY) and each is not value for each in ast.walk(value)):
                    raise Apart
            else:
                self._expression(value, value, State([], frozenset()))
        for function in module.functions.values():
            arguments = function.args
            evaluated = [*arguments.defaults, *arguments.kw_defaults, function.returns]
            evaluated += [each.annotation for each in parameters(function)]
            if any(each is not None and is_odd(each) for each in evaluated):
                raise Apart

    # ---- Functions.

    def _functions(
        self, a: ast.FunctionDef, b: ast.FunctionDef, around: list[tuple[Scope, Scope]], is_root: bool = False
    ) -> None:
        if (
            a.decorator_list
            or b.decorator_list
            or any(isinstance(each, UNREAD) for f in (a, b) for each in ast.walk(f))
        ):
            raise Apart
        is_nested = bool(around)
        documents = [ast.get_docstring(each) or "" for each in (a, b)]
        # Conditions in the docstrings of called functions are checked at each call.
        if (
            not is_root
            and documents[0] != documents[1]
            and any("pre:" in each or "post:" in each for each in documents)
        ):
            raise Apart
        self._parameters(a, b, State([], frozenset()), is_nested)
        scopes = _scope(a), _scope(b)
        if max(len(each.locals) for each in scopes) > LOCALS_MAX:
            raise Apart
        given = [(one.arg, other.arg) for one, other in zip(parameters(a), parameters(b))]
        own = [each.locals - {pair[i] for pair in given} for i, each in enumerate(scopes)]
        # A function inside of this one can bind a shared variable at any time.
        unbound = [
            (x, y) for x in own[0] for y in own[1] if x == y or not (x in scopes[0].shared or y in scopes[1].shared)
        ]
        known: Same = frozenset([*given, *unbound])
        # Functions inside of this one read these variables at any time, by the same names.
        for name in (scopes[0].shared & scopes[0].locals) | (scopes[1].shared & scopes[1].locals):
            if (name, name) not in known:
                raise Apart
        state = State([*around, scopes], known)
        agreed: list[set[str]] = [set(), set()]
        if is_root and not self._called & {*self._roots}:
            for x, y in zip(parameters(a), parameters(b)):
                if x.annotation and y.annotation and ast.dump(x.annotation) == ast.dump(y.annotation):
                    agreed[0].add(x.arg)
                    agreed[1].add(y.arg)
        bodies = [self._normal(each, state, i, agreed[i]) for i, each in enumerate((a, b))]
        self._block(bodies[0], bodies[1], state)

    def _normal(self, function: ast.FunctionDef, state: State, side: int, trusted: set[str]) -> list[ast.stmt]:
        known = {name for pair in state.scopes for name in pair[side].locals} | bound_in(function)

        def is_builtin(name: str) -> bool:
            return name not in known and not self._module.binds(name) and hasattr(builtins, name)

        return Normal(function, Kinds(function, is_builtin, trusted), is_builtin).body(function)

    def _parameters(
        self, a: ast.FunctionDef | ast.Lambda, b: ast.FunctionDef | ast.Lambda, state: State, is_nested: bool
    ) -> None:
        """Compares parameters and their defaults, which are evaluated in this state."""
        one, other = a.args, b.args
        names = [[each.arg for each in parameters(f)] for f in (a, b)]
        keywords = [[each.arg for each in args.kwonlyargs] for args in (one, other)]
        shapes = [(len(args.posonlyargs), len(args.args), bool(args.vararg), bool(args.kwarg)) for args in (one, other)]
        by_name = self._has_keywords or one.kwarg is not None
        if shapes[0] != shapes[1] or keywords[0] != keywords[1] or (by_name and names[0] != names[1]):
            raise Apart
        defaults = [[*args.defaults, *args.kw_defaults] for args in (one, other)]
        if len(one.defaults) != len(other.defaults):
            raise Apart
        for x, y in zip(*defaults):
            if (x is None) != (y is None):
                raise Apart
            if x is None or y is None:
                continue
            # A call could change the default of a later one.
            if not is_nested and not (is_constant(x) and is_constant(y)):
                raise Apart
            self._expression(x, y, state)

    def _nested(self, a: ast.FunctionDef, b: ast.FunctionDef, state: State) -> None:
        self._parameters(a, b, state, True)
        annotations = [[each.annotation for each in parameters(f)] + [f.returns] for f in (a, b)]
        # These annotations are evaluated with the definition.
        for x, y in zip(*annotations):
            for each in (x, y):
                if each is not None and not self._is_plain_type(each, state):
                    raise Apart
        if a.name != b.name or a.name not in state.scopes[-1][0].functions & state.scopes[-1][1].functions:
            raise Apart
        self._functions(a, b, state.scopes)
        self._bind_names(a.name, b.name, state)

    def _is_plain_type(self, node: ast.expr, state: State) -> bool:
        """Whether the evaluation of an annotation surely raises nothing."""
        match node:
            case ast.Constant(None):
                return True
            case ast.Name(name):
                local = any(name in scope.locals for pair in state.scopes for scope in pair)
                imported = self._module.imports.get(name, "").partition(".")[0] in TYPING
                return not local and (imported or (name in PLAIN_TYPES and not self._module.binds(name)))
            case ast.Subscript(ast.Name(name) as base, inside):
                parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
                is_generic = name in GENERIC and self._is_plain_type(base, state)
                return is_generic and all(self._is_plain_type(each, state) for each in parts)
            case _:
                return False

    # ---- Statements.

    def _block(self, a: Sequence[ast.stmt], b: Sequence[ast.stmt], state: State) -> None:
        if len(a) != len(b):
            raise Apart
        for one, other in zip(a, b):
            self._statement(one, other, state)

    def _statement(self, a: ast.stmt, b: ast.stmt, state: State) -> None:
        self._steps += 1
        if type(a) is not type(b) or self._steps > STEPS_MAX:
            raise Apart
        match a, b:
            case ast.Expr(x), ast.Expr(y):
                self._expression(x, y, state)
            case ast.Assign(targets, x), ast.Assign(others, y):
                if len(targets) != len(others):
                    raise Apart
                self._expression(x, y, state)
                for one, other in zip(targets, others):
                    self._bind(one, other, state)
            case ast.AugAssign(), ast.AugAssign():
                self._changed(a, b, state)
            case ast.If(x, body, orelse), ast.If(y, other_body, other_orelse):
                self._expression(x, y, state)
                before = state.same
                self._block(body, other_body, state)
                after, state.same = state.same, before
                self._block(orelse, other_orelse, state)
                state.same = _meet(after, state.same)
            case ast.While(x, _, _), ast.While(y, _, _):
                self._loop(a, b, state, lambda: self._expression(x, y, state), None)
            case ast.For(target, x, _, _), ast.For(other, y, _, _):
                if any(isinstance(each, ast.GeneratorExp) for one in (x, y) for each in ast.walk(one)):
                    raise Apart
                self._expression(x, y, state, True)
                self._loop(a, b, state, lambda: None, lambda: self._bind(target, other, state))
            case ast.Return(x), ast.Return(y):
                self._optional(x, y, state)
                state.same = None
            case ast.Raise(x, cause), ast.Raise(y, other):
                self._raised(x, y, state)
                self._raised(cause, other, state)
                state.same = None
            case ast.Assert(x, message), ast.Assert(y, other):
                self._expression(x, y, state)
                self._optional(message, other, state)
            case ast.Try(), ast.Try():
                self._try(a, b, state)
            case ast.Break(), ast.Break():
                state.breaks.append(state.same)
                state.same = None
            case ast.Continue(), ast.Continue():
                state.continues.append(state.same)
                state.same = None
            case ast.Pass(), ast.Pass():
                pass
            case ast.Delete(targets), ast.Delete(others) if len(targets) == len(others):
                for x, y in zip(targets, others):
                    if not isinstance(x, ast.Subscript):
                        raise Apart
                    self._bind(x, y, state)
            case ast.FunctionDef(), ast.FunctionDef():
                self._nested(a, b, state)
            case ast.Nonlocal(names), ast.Nonlocal(others) if sorted(names) == sorted(others):
                pass
            case _:
                raise Apart

    def _changed(self, a: ast.AugAssign, b: ast.AugAssign, state: State) -> None:
        if type(a.op) is not type(b.op) or type(a.target) is not type(b.target):
            raise Apart
        self._sets(a.op)
        if isinstance(a.target, ast.Name) and isinstance(b.target, ast.Name):
            self._expression(_loaded(a.target), _loaded(b.target), state)
        self._expression(a.value, b.value, state)
        self._bind(a.target, b.target, state)

    def _loop(
        self,
        a: ast.For | ast.While,
        b: ast.For | ast.While,
        state: State,
        test: Callable[[], None],
        bind: Callable[[], None] | None,
    ) -> None:
        outer = state.breaks, state.continues
        while True:
            head = state.same
            state.breaks, state.continues = [], []
            test()
            tested = state.same
            if bind:
                bind()
            self._block(a.body, b.body, state)
            again = _meet(head, state.same, *state.continues)
            if again == head:
                break
            state.same = again
        breaks = state.breaks
        state.breaks, state.continues = outer
        state.same = tested
        self._block(a.orelse, b.orelse, state)
        state.same = _meet(state.same, *breaks)

    def _try(self, a: ast.Try, b: ast.Try, state: State) -> None:
        if a.finalbody or b.finalbody or len(a.handlers) != len(b.handlers):
            raise Apart
        state.guarded.append(state.same)
        self._block(a.body, b.body, state)
        raised = state.guarded.pop()
        self._block(a.orelse, b.orelse, state)
        ends = [state.same]
        for one, other in zip(a.handlers, b.handlers):
            # An exception's text can name variables and functions.
            if one.name or other.name:
                raise Apart
            state.same = raised
            # Two forms of one expression can reach the recursion limit at different depths.
            if self._module.recurses and (one.type is None or DEPTH_CAUGHT.intersection(names_in([one.type]))):
                raise Apart
            self._classes(one.type, other.type, state)
            self._block(one.body, other.body, state)
            ends.append(state.same)
        state.same = _meet(*ends)

    def _raised(self, a: ast.expr | None, b: ast.expr | None, state: State) -> None:
        """Compares what is raised. Elsewhere an exception is rejected, since sets can show its address."""
        if isinstance(a, ast.Call) and isinstance(b, ast.Call) and not a.keywords and not b.keywords:
            self._classes(a.func, b.func, state)
            self._all(a.args, b.args, state)
        elif not (isinstance(a, ast.Constant) and isinstance(b, ast.Constant) and a.value is b.value is None):
            self._classes(a, b, state)

    def _classes(self, a: ast.expr | None, b: ast.expr | None, state: State) -> None:
        """Compares an exception class, or a tuple of them."""
        match a, b:
            case None, None:
                pass
            case ast.Tuple(items), ast.Tuple(others) if len(items) == len(others):
                for x, y in zip(items, others):
                    self._classes(x, y, state)
            case ast.Name(x), ast.Name(y) if x == y and not self._bound(x, state):
                if not (x in self._module.exceptions or (not self._module.binds(x) and is_exception(x))) or x in LIMITS:
                    raise Apart
            case _:
                raise Apart

    # ---- Variables.

    def _bind(self, a: ast.expr, b: ast.expr, state: State) -> None:
        match a, b:
            case ast.Name(x), ast.Name(y):
                self._bind_names(x, y, state)
            case ((ast.Tuple(items) | ast.List(items)), (ast.Tuple(others) | ast.List(others))) if len(items) == len(
                others
            ):
                for one, other in zip(items, others):
                    self._bind(one, other, state)
            case ast.Starred(x), ast.Starred(y):
                self._bind(x, y, state)
            case ast.Subscript(x, at), ast.Subscript(y, other):
                self._expression(x, y, state)
                self._expression(at, other, state)
            case _:
                raise Apart

    def _bind_names(self, x: str, y: str, state: State) -> None:
        one, other = state.scopes[-1]
        if x not in one.locals or y not in other.locals:
            # A variable of a function around this one.
            if x != y or x in one.locals or y in other.locals:
                raise Apart
            self._outer(x, state)
            return
        if x != y and (x in one.shared or y in other.shared):
            raise Apart
        if state.same is not None:
            self._steps += len(state.same) * (1 + len(state.guarded)) // PAIRS_PER_STEP
            kept = frozenset(pair for pair in state.same if pair[0] != x and pair[1] != y)
            state.same = kept | {(x, y)}
        state.guarded = [_meet(each, state.same) for each in state.guarded]

    def _outer(self, name: str, state: State) -> tuple[Scope, Scope]:
        """Returns the scopes around the current one in which a name is a variable."""
        for one, other in reversed(state.scopes[:-1]):
            if name in one.locals and name in other.locals:
                return one, other
            if name in one.locals or name in other.locals:
                break
        raise Apart

    # ---- Expressions.

    def _optional(self, a: ast.expr | None, b: ast.expr | None, state: State) -> None:
        if (a is None) != (b is None):
            raise Apart
        if a is not None and b is not None:
            self._expression(a, b, state)

    def _all(
        self, a: Sequence[ast.expr | None], b: Sequence[ast.expr | None], state: State, consumed: bool = False
    ) -> None:
        if len(a) != len(b):
            raise Apart
        for x, y in zip(a, b):
            if (x is None) != (y is None):
                raise Apart
            if x is not None and y is not None:
                self._expression(x, y, state, consumed)

    def _expression(self, a: ast.expr, b: ast.expr, state: State, consumed: bool = False) -> None:
        """Compares two expressions; with `consumed`, only something that iterates at once receives the value."""
        self._steps += 1
        if type(a) is not type(b) or self._steps > STEPS_MAX:
            raise Apart
        match a, b:
            case ast.Constant(x), ast.Constant(y):
                if type(x) is not type(y) or x != y or (isinstance(x, (float, complex)) and repr(x) != repr(y)):
                    raise Apart
            case ast.Name(x), ast.Name(y):
                self._name(x, y, state, False)
            case ast.Call(), ast.Call():
                self._call(a, b, state, consumed)
            case ast.Attribute(), ast.Attribute():
                self._attribute(a, b, state)
            case ast.Compare(), ast.Compare():
                self._comparison(a, b, state)
            case ast.BinOp(x, op, z), ast.BinOp(y, other, w) if type(op) is type(other):
                self._sets(op)
                self._all([x, z], [y, w], state)
            case ast.UnaryOp(op, x), ast.UnaryOp(other, y) if type(op) is type(other):
                self._expression(x, y, state)
            case ast.BoolOp(op, values), ast.BoolOp(other, others) if type(op) is type(other):
                self._all(values, others, state)
            case ast.IfExp(x, y, z), ast.IfExp(u, v, w):
                self._all([x, y, z], [u, v, w], state)
            case ast.Subscript(x, at), ast.Subscript(y, other):
                self._all([x, at], [y, other], state)
            case ast.Slice(), ast.Slice():
                self._all([a.lower, a.upper, a.step], [b.lower, b.upper, b.step], state)
            case (ast.List(items), ast.List(others)) | (ast.Tuple(items), ast.Tuple(others)):
                self._all(items, others, state)
            case ast.Set(items), ast.Set(others):
                self._sets(None)
                self._all(items, others, state)
            case ast.Dict(keys, values), ast.Dict(others, other_values):
                self._all([*chain(*zip(keys, values))], [*chain(*zip(others, other_values))], state)
            case ast.Starred(x), ast.Starred(y):
                self._expression(x, y, state, True)
            case ast.JoinedStr(values), ast.JoinedStr(others):
                self._all(values, others, state)
            case ast.FormattedValue(x, shown, form), ast.FormattedValue(y, other, other_form) if shown == other:
                self._expression(x, y, state)
                self._optional(form, other_form, state)
            case ((ast.ListComp() | ast.SetComp() | ast.DictComp()), _):
                if isinstance(a, ast.SetComp):
                    self._sets(None)
                self._comprehension(a, b, state)
            case ast.GeneratorExp(), ast.GeneratorExp() if consumed:
                self._comprehension(a, b, state)
            case _:
                raise Apart

    def _sets(self, op: ast.operator | None) -> None:
        """Refuses what creates a set whose order can depend on more than its items. Views of dicts are sets for operators."""
        if not self._allows_sets and (op is None or (self._has_views and isinstance(op, SET_OPERATIONS))):
            raise Apart

    def _name(self, x: str, y: str, state: State, is_called: bool) -> None:
        for one, other in reversed(state.inner):
            if x in one or y in other:
                if one.get(x) is None or one.get(x) != other.get(y):
                    raise Apart
                return
        scopes = state.scopes[-1] if state.scopes else None
        if scopes and (x in scopes[0].locals or y in scopes[1].locals):
            is_function = x in scopes[0].functions and y in scopes[1].functions
            if state.same is not None and (x, y) not in state.same:
                raise Apart
            if is_called != is_function or (x in scopes[0].functions) != (y in scopes[1].functions):
                raise Apart
            return
        if any(name in scope.locals for pair in state.scopes[:-1] for scope in pair for name in (x, y)):
            around = self._outer(x, state)
            if x != y or is_called != all(x in scope.functions for scope in around):
                raise Apart
            return
        self._global(x, y, is_called)

    def _global(self, x: str, y: str, is_called: bool) -> None:
        module = self._module
        if x in module.functions and y in module.functions:
            if not is_called:
                raise Apart
            self._waiting.append((x, y))
            return
        if x != y:
            raise Apart
        if x in module.variables:
            if is_called or x in self._changed_variables:
                raise Apart
        elif x in module.imports:
            self._imported(module.imports[x], is_called)
        elif x in ("set", "frozenset"):
            self._sets(None)
        elif module.binds(x) or x not in BUILTINS:
            raise Apart

    def _imported(self, full: str, is_called: bool) -> None:
        module, _, name = full.rpartition(".")
        known = MODULES.get(module, frozenset())
        if name.startswith("_") or module not in MODULES or (known is not None and name not in known):
            raise Apart
        # As values, these could show their addresses, or those of the iterators that they return.
        if not is_called and (module in ("copy", "heapq", "itertools", "re") or name == "capwords"):
            raise Apart

    def _attribute(self, a: ast.Attribute, b: ast.Attribute, state: State) -> None:
        if a.attr != b.attr:
            raise Apart
        full = self._member(a, state, 0)
        if full != self._member(b, state, 1):
            raise Apart
        if full is not None:
            self._imported(full, False)
        elif a.attr in FIELDS:
            self._expression(a.value, b.value, state)
        else:
            raise Apart

    def _member(self, node: ast.expr, state: State, side: int) -> str | None:
        """Returns the full name of a module's member; None for an attribute of anything else."""
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            return None
        name = node.value.id
        if any(name in each[side] for each in state.inner) or any(name in pair[side].locals for pair in state.scopes):
            return None
        module = self._module.imports.get(name)
        return f"{module}.{node.attr}" if module is not None and module in MODULES else None

    def _call(self, a: ast.Call, b: ast.Call, state: State, consumed: bool) -> None:
        name = self._called_name(a.func, b.func, state, consumed)
        if len(a.args) != len(b.args):
            raise Apart
        for i, (x, y) in enumerate(zip(a.args, b.args)):
            self._expression(x, y, state, consumes(name, i, len(a.args)))
        if [each.arg for each in a.keywords] != [each.arg for each in b.keywords]:
            raise Apart
        for one, other in zip(a.keywords, b.keywords):
            is_key = one.arg == "key" and name in ("max", "min", "sort", "sorted")
            if is_key and isinstance(one.value, ast.Lambda) and isinstance(other.value, ast.Lambda):
                self._lambda(one.value, other.value, state)
            else:
                self._expression(one.value, other.value, state)

    def _called_name(self, a: ast.expr, b: ast.expr, state: State, consumed: bool) -> str:
        """Compares what is called, and returns the name of a function of Python or of a method, otherwise ""."""
        if isinstance(a, ast.Attribute) and isinstance(b, ast.Attribute):
            full = self._member(a, state, 0)
            if full != self._member(b, state, 1) or a.attr != b.attr:
                raise Apart
            return self._method(a, b, state) if full is None else self._function(full, consumed)
        if not isinstance(a, ast.Name) or not isinstance(b, ast.Name):
            raise Apart
        if a.id == b.id and self._is_builtin(a.id, state) and a.id in ITERATORS:
            if not consumed:
                raise Apart
            return a.id
        is_free = not self._bound(a.id, state) and not self._bound(b.id, state)
        if is_free and a.id == b.id and a.id in self._module.imports:
            return self._function(self._module.imports[a.id], consumed)
        self._name(a.id, b.id, state, self._is_own(a.id, b.id, state))
        if self._is_variable(a.id, state):
            raise Apart
        return a.id if self._is_builtin(a.id, state) else ""

    def _method(self, a: ast.Attribute, b: ast.Attribute, state: State) -> str:
        if a.attr not in METHODS:
            raise Apart
        if a.attr == "format":
            # A form can read attributes that it names.
            form = a.value.value if isinstance(a.value, ast.Constant) else None
            if not isinstance(form, str) or {*".["} & {*form}:
                raise Apart
        if a.attr in SET_METHODS:
            self._sets(None)
        self._expression(a.value, b.value, state)
        return a.attr

    def _function(self, full: str, consumed: bool) -> str:
        """Returns the name of a function in a module."""
        self._imported(full, True)
        module, _, name = full.rpartition(".")
        if module != "itertools":
            return ""
        if not consumed:
            raise Apart
        return name

    def _bound(self, name: str, state: State) -> bool:
        inner = any(name in each for pair in state.inner for each in pair)
        return inner or any(name in scope.locals for pair in state.scopes for scope in pair)

    def _is_builtin(self, name: str, state: State) -> bool:
        return not self._bound(name, state) and not self._module.binds(name) and hasattr(builtins, name)

    def _is_variable(self, name: str, state: State) -> bool:
        """Whether a name refers to a variable that could hold any object."""
        if any(name in each for pair in state.inner for each in pair):
            return True
        for pair in reversed(state.scopes):
            if any(name in scope.locals for scope in pair):
                return not all(name in scope.functions for scope in pair)
        return name in self._module.variables

    def _is_own(self, x: str, y: str, state: State) -> bool:
        """Whether names refer to functions of the program."""
        if any(name in each for pair in state.inner for each in pair for name in (x, y)):
            return False
        for one, other in reversed(state.scopes):
            if x in one.locals or y in other.locals:
                return x in one.functions and y in other.functions
        return x in self._module.functions and y in self._module.functions

    def _comparison(self, a: ast.Compare, b: ast.Compare, state: State) -> None:
        if [type(each) for each in a.ops] != [type(each) for each in b.ops]:
            raise Apart
        self._expression(a.left, b.left, state)
        for op, x, y in zip(a.ops, a.comparators, b.comparators):
            is_one = isinstance(x, ast.Constant) and (x.value is None or isinstance(x.value, bool))
            if isinstance(op, (ast.Is, ast.IsNot)) and not is_one:
                raise Apart
            if isinstance(op, (ast.In, ast.NotIn)) and isinstance(x, ast.Set) and isinstance(y, ast.Set):
                self._all(x.elts, y.elts, state)
            else:
                self._expression(x, y, state)

    def _lambda(self, a: ast.Lambda, b: ast.Lambda, state: State) -> None:
        if a.args.defaults or a.args.kw_defaults or b.args.defaults or b.args.kw_defaults:
            raise Apart
        self._parameters(a, b, state, True)
        with self._inside(state, [each.arg for each in parameters(a)], [each.arg for each in parameters(b)]):
            self._expression(a.body, b.body, state)

    def _comprehension(self, a: ast.expr, b: ast.expr, state: State) -> None:
        assert isinstance(a, COMPREHENSIONS) and isinstance(b, COMPREHENSIONS)
        generators, others = a.generators, b.generators
        if len(generators) != len(others):
            raise Apart
        self._expression(generators[0].iter, others[0].iter, state, True)
        names = [_targets(each) for each in (generators, others)]
        with self._inside(state, *names):
            for i, (one, other) in enumerate(zip(generators, others)):
                if one.is_async or other.is_async:
                    raise Apart
                if i > 0:
                    self._expression(one.iter, other.iter, state, True)
                if ast.dump(_anonymous(one.target)) != ast.dump(_anonymous(other.target)):
                    raise Apart
                self._all(one.ifs, other.ifs, state)
            if isinstance(a, ast.DictComp) and isinstance(b, ast.DictComp):
                self._all([a.key, a.value], [b.key, b.value], state)
            elif not isinstance(a, ast.DictComp) and not isinstance(b, ast.DictComp):
                self._expression(a.elt, b.elt, state)

    @contextmanager
    def _inside(self, state: State, a: Sequence[str], b: Sequence[str]) -> Iterator[None]:
        """Adds variables of a comprehension or lambda expression. Names in the same places are the same variable."""
        if len(a) != len(b) or len({*zip(a, b)}) != len({*a}) or len({*a}) != len({*b}):
            raise Apart
        state.inner.append(({x: (len(state.inner), x) for x in a}, {y: (len(state.inner), x) for x, y in zip(a, b)}))
        yield
        state.inner.pop()


UNREAD = (
    ast.AsyncFor,
    ast.AsyncFunctionDef,
    ast.AsyncWith,
    ast.Await,
    ast.ClassDef,
    ast.Global,
    ast.Import,
    ast.ImportFrom,
    ast.Match,
    ast.With,
    ast.Yield,
    ast.YieldFrom,
)


def _scope(function: ast.FunctionDef) -> Scope:
    own = locals_of(function)
    inner = [each for each in ast.walk(function) if isinstance(each, ast.FunctionDef) and each is not function]
    shared = {name for each in inner for name in names_in([each])}
    bound = [
        each.name if isinstance(each, ast.FunctionDef) else each.id
        for each in ast.walk(function)
        if (isinstance(each, ast.FunctionDef) and each is not function)
        or (isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load))
    ]
    given = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    direct = {each.name for each in inner} & own
    functions = {name for name in direct if bound.count(name) == 1 and name not in given}
    return Scope(frozenset(own), frozenset(shared), frozenset(functions))


def _targets(generators: Sequence[ast.comprehension]) -> list[str]:
    return [each.id for one in generators for each in ast.walk(one.target) if isinstance(each, ast.Name)]


def _anonymous(target: ast.expr) -> ast.expr:
    """Returns the form of a target without its names; other targets than names and tuples of them are refused."""
    match target:
        case ast.Name():
            return ast.Name("", ast.Store())
        case ast.Tuple(items) | ast.List(items):
            return ast.Tuple([_anonymous(each) for each in items], ast.Store())
        case _:
            raise Apart


def _loaded(name: ast.Name) -> ast.Name:
    return ast.Name(name.id, ast.Load())
