"""Finds code that does more with the values of a program's own solutions than a listing does.

A search is answered by its solutions only if the program shows their values, keeps and counts whole solutions, states
constraints, reads the parts of one solution, and keeps the best one. Everything else may reject solutions.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from verdict_runner import kinds, taken
from verdict_runner.cases import SOLVING, called_name, calls, searching
from verdict_runner.kinds import FORMULA, MIXED, PLAIN, SEVERAL, VALUE, VALUES, WHOLE, WHOLES, Kind, joined, scalar
from verdict_runner.sandbox import program
from verdict_runner.taken import named

# The maximum number of times that the program is read before its names have their kinds.
PASSES_MAX = 60

_Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Function: TypeAlias = "ast.FunctionDef | ast.Lambda"


class Mode(enum.Enum):
    """When code runs: for each solution, for the best one so far, or only for some values."""

    ALWAYS = enum.auto()
    BEST = enum.auto()
    PARTLY = enum.auto()


@dataclass(frozen=True)
class _At:
    """Where code is."""

    # The innermost loop over solutions, or function: what is made there is about one solution.
    region: ast.AST
    # The name of the function, and the innermost loop.
    name: str = ""
    loop: ast.AST | None = None
    mode: Mode = Mode.ALWAYS
    # The names of a part of one solution, such as `i` in `for i in range(n): print(m[x[i]])`.
    parts: frozenset[str] = frozenset()
    # Whether the code states a constraint. Whether one excludes only the last solution is checked when it is added.
    is_stated: bool = False


def place(items: Sequence[str], first: tuple[int, int]) -> tuple[int, int] | None:
    """Returns the item and line of code that can reject a solution of a search because of its values.

    `first` is the item and line of a solve of the search. Statements before it have run, so only their functions count.
    """
    try:
        with program.recursion_up_to(program.REWRITING_DEPTH_MAX):
            return min(_Program([_scoped(ast.parse(each)) for each in items], first).choices(), default=None)
    except RecursionError:
        return first


def _scoped(tree: ast.Module) -> ast.Module:
    """Makes the names in functions and comprehensions differ from those outside, in place."""
    waiting: list[tuple[ast.AST, dict[str, str]]] = [(tree, {})]
    while waiting:
        node, names = waiting.pop()
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.Lambda, *_Comprehension)):
            inside = [*ast.walk(node)]
            own = {each.id for each in inside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            own |= {each.arg for each in inside if isinstance(each, ast.arg)}
            shared = {name for each in inside if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names}
            names = {**names, **{each: f"{each} {node.lineno}:{node.col_offset}" for each in own - shared}}
        waiting += ((each, names) for each in ast.iter_child_nodes(node))
    return tree


class _Program:
    """The kinds of a program's names, found by reading it until they no longer change."""

    def __init__(self, trees: Sequence[ast.Module], first: tuple[int, int]) -> None:
        self._trees, self._first = trees, first
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self._functions = [(n, *each) for n, tree in enumerate(trees) for each in _functions(tree)]
        self._named = {
            name: [each for _, own, each in self._functions if own == name] for _, name, _ in self._functions
        }
        self._classes = {each.name: each for each in nodes if isinstance(each, ast.ClassDef)}
        self._searching = set[str]()
        self._solving = searching(nodes, self._searching)
        called = {each.func: each for each in nodes if isinstance(each, ast.Call)}
        self._called = called
        solves = [(each, func) for func, each in called.items() if called_name(each) in SOLVING]
        self._solvers = {name for each, func in solves for name in named([getattr(func, "value", func), *each.args])}
        self._solvers -= {*self._named, "self", "cls"}
        imports = [each for each in nodes if isinstance(each, (ast.Import, ast.ImportFrom))]
        self._modules = {name.asname or name.name for each in imports for name in each.names}
        types = [each.type for each in nodes if isinstance(each, ast.ExceptHandler)]
        caught = {name for each in types for name in ([""] if each is None else _mentioned(each))}
        self._catches = bool(caught & {"", "AssertionError", "Exception", "BaseException"})
        self._aims, self._searches = {*taken.made(nodes, taken.AIMS)}, {*taken.made(nodes, taken.SEARCHES)}
        self._assigned = _assigned(nodes)
        self._collections = {name for name, values in self._assigned.items() if any(map(_is_collection, values))}
        # Collections that can have several names: parameters, and what is assigned a name.
        arguments = {each.arg for each in nodes if isinstance(each, ast.arg)}
        assigns = [
            each for each in nodes if isinstance(each, ast.Assign) and isinstance(each.value, (ast.Name, ast.Attribute))
        ]
        self._shared = arguments.union(
            *(named(one for one in each.targets if not isinstance(one, ast.Subscript)) for each in assigns)
        )
        self._given = dict.fromkeys(self._open(nodes), MIXED)
        self._kinds: dict[str, Kind] = {}
        # The kinds of what functions return, and of the parts of a tuple that they return.
        self._returned: dict[str, Kind] = {}
        # The regions in which a name gets new values, as read last and as being read.
        self._regions: dict[str, set[ast.AST]] = {}
        self._reading: dict[str, set[ast.AST]] = {}
        # Tables with values as keys, and functions that add to what they do not make, or can fail because of values.
        self._keyed, self._changing, self._touching = set[str](), set[str](), set[str]()
        # Loops and functions that end because of values.
        self._left = set[ast.AST]()
        self._found = set[tuple[int, int]]()
        self._number, self._is_later, self._tainted = 0, True, 0

    def choices(self) -> set[tuple[int, int]]:
        """Returns the items and lines that can reject a solution."""
        for _ in range(2):
            # Kinds of the first reading are based on regions that were not known yet.
            self._kinds, self._returned = {**self._given}, {}
            before: object = None
            for _ in range(PASSES_MAX):
                self._read()
                sets = (self._keyed, self._changing, self._touching, self._left, self._solvers)
                state = {**self._kinds}, {**self._returned}, self._regions, [len(each) for each in sets]
                if state == before:
                    break
                before = state
            else:
                return {self._first}
        return self._found

    def _read(self) -> None:
        self._found.clear()
        self._reading = {}
        for number, tree in enumerate(self._trees):
            self._number = number
            for each in tree.body:
                self._is_later = (number, each.end_lineno or 0) >= self._first
                self._block([each], _At(self._trees[0]))
        self._is_later = True
        for number, name, function in self._functions:
            self._number = number
            self._function(name, function)
        self._regions = self._reading

    def _function(self, name: str, function: _Function) -> None:
        at = _At(function, name, mode=Mode.PARTLY if function in self._left else Mode.ALWAYS)
        for each in _arguments(function):
            self._reading.setdefault(each, set()).add(function)
        own = [*function.args.posonlyargs, *function.args.args]
        pairs = [*zip(reversed(own), reversed(function.args.defaults))]
        for each, value in [*pairs, *zip(function.args.kwonlyargs, function.args.kw_defaults)]:
            self._bind(each.arg, self._of(value, at))
        before = self._tainted
        if isinstance(function, ast.Lambda):
            self._return(function.body, at)
        else:
            self._block(function.body, at)
        if self._tainted > before and name not in self._searching:
            self._touching.add(name)
        if name[:2] == "__" and name not in kinds.SHOWN and self._returned.get(name, PLAIN) is not PLAIN:
            self._flag(function, at)

    def _open(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        """Yields the parameters of functions that are called in other ways than by their names."""
        uses = [each for each in nodes if isinstance(each, (ast.Attribute, ast.Name)) and each not in self._called]
        passed = {name.lstrip(".") for each in uses if isinstance(each.ctx, ast.Load) for name in named([each])}
        for _, name, function in self._functions:
            decorators = {ast.unparse(each) for each in getattr(function, "decorator_list", ())}
            is_special = name[:2] == "__" and name not in kinds.SHOWN
            if name in passed or is_special or decorators - kinds.PLAIN_DECORATORS:
                yield from (each for each in _arguments(function) if each.split()[0] not in ("self", "cls"))

    def _flag(self, node: ast.stmt | ast.expr, at: _At) -> None:
        if self._is_later and not at.is_stated:
            self._found.add((self._number, node.lineno))

    # ---- Names.

    def _bind(self, name: str, kind: Kind) -> None:
        self._kinds[name] = joined(self._kinds.get(name, PLAIN), kind)

    def _is_fresh(self, name: str, at: _At) -> bool:
        """Whether a name gets a new value for each solution."""
        return at.region in self._regions.get(name, {at.region})

    def _store(self, target: ast.expr, kind: Kind, at: _At, is_new: bool = True) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for each in target.elts:
                self._store(each, kinds.item(kind), at)
        elif isinstance(target, ast.Subscript):
            self._add(target, kind, at, target)
        elif isinstance(target, ast.Starred):
            self._store(target.value, MIXED if kind is not PLAIN else kind, at)
        else:
            kind = joined(kind, VALUE) if at.mode is Mode.PARTLY else kind
            for name in named([target]):
                if at.mode is Mode.PARTLY and not self._is_fresh(name, at):
                    self._flag(target, at)
                # The names in a class are its attributes.
                for each in (name, f".{name}") if isinstance(at.region, ast.ClassDef) else (name,):
                    self._bind(each, kind)
                    if is_new and at.mode is Mode.ALWAYS:
                        self._reading.setdefault(each, set()).add(at.region)

    def _add(
        self,
        to: ast.expr,
        kind: Kind,
        at: _At,
        node: ast.stmt | ast.expr,
        key: ast.expr | None = None,
        is_all: bool = False,
    ) -> None:
        """Adds an item, or all items of what has this kind, to a collection."""
        keyed = self._of(to.slice if isinstance(to, ast.Subscript) else key, at)
        self._made(node, keyed, at)
        while isinstance(to, ast.Call) and isinstance(to.func, ast.Attribute):
            to = to.func.value
        for name in {*named([to])} - self._solvers:
            is_fresh, is_several = self._is_fresh(name, at), is_all and kind in (VALUE, MIXED)
            if not is_fresh:
                self._changing.add(at.name)
                self._keyed.update([name] if keyed is not PLAIN else ())
            is_unknown = kind not in (PLAIN, FORMULA) and name in self._shared
            if is_unknown or (not is_fresh and (at.mode is Mode.PARTLY or is_several)):
                self._flag(node, at)
            is_set = any(map(_is_set, self._assigned.get(name, ())))
            is_open = keyed is not PLAIN or is_several or (kind in (VALUE, MIXED) and is_set)
            self._bind(name, kinds.added(kind, is_all, is_open or at.mode is not Mode.ALWAYS, is_fresh))

    # ---- Statements.

    def _block(self, body: Iterable[ast.stmt], at: _At) -> None:
        for each in body:
            at = self._statement(each, at)

    def _statement(self, node: ast.stmt, at: _At) -> _At:
        """Reads a statement; returns where the next one is."""
        match node:
            case ast.Expr():
                self._of(node.value, at)
            case ast.Assign(targets=targets, value=value) | ast.AnnAssign(target=targets, value=value) if (
                value is not None
            ):
                return self._assign(targets if isinstance(targets, list) else [targets], value, at)
            case ast.AugAssign():
                self._augment(node, at)
            case ast.If():
                self._if(node, at)
            case ast.For() | ast.While():
                self._loop(node, at)
            case ast.Return():
                self._leave(node, at)
                self._return(node.value, at)
            case ast.Break() | ast.Continue() | ast.Raise():
                self._leave(node, at)
            case ast.Try():
                self._guarded(node, bool(node.handlers), at)
                for each in [*(one.body for one in node.handlers), node.orelse, node.finalbody]:
                    self._block(each, at)
            case ast.With():
                for each in node.items:
                    kind = self._of(each.context_expr, at)
                    if each.optional_vars is not None:
                        self._store(each.optional_vars, kind, at)
                hiding = {*self._named, *self._classes, "suppress", "ExitStack"}
                self._guarded(node, any(called_name(each.context_expr) in hiding for each in node.items), at)
            case ast.ClassDef():
                self._block(node.body, _At(node))
            case ast.Assert():
                # An assertion about values stops the program, unless it is caught.
                if self._of(node.test, replace(at, is_stated=True)) is not PLAIN and self._catches:
                    self._flag(node, at)
            case ast.FunctionDef() | ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal() | ast.Pass():
                # Functions are read by themselves.
                pass
            case _:
                if any(self._of(each, at) is not PLAIN for each in ast.walk(node) if isinstance(each, ast.Name)):
                    self._flag(node, at)
                for each in ast.walk(node):
                    if isinstance(each, ast.match_case):
                        self._block(each.body, at)
        return at

    def _leave(self, node: ast.stmt, at: _At) -> None:
        """Notes that a loop or function can end because of values."""
        is_in_loop = isinstance(node, (ast.Break, ast.Continue)) and at.loop is not at.region
        is_in_function = isinstance(node, ast.Return) and isinstance(at.region, ast.FunctionDef)
        if at.mode is Mode.ALWAYS:
            return
        if is_in_loop and at.loop is not None:
            self._left.add(at.loop)
        elif is_in_function and at.name not in self._searching:
            self._left.add(at.region)
        else:
            self._flag(node, at)

    def _return(self, value: ast.expr | None, at: _At) -> None:
        parts = value.elts if isinstance(value, ast.Tuple) else []
        for name, each in [(at.name, value), *((f"{at.name} {i}", each) for i, each in enumerate(parts))]:
            self._result(name, self._of(each, at), at)

    def _result(self, name: str, kind: Kind, at: _At) -> None:
        kind = joined(kind, VALUE) if at.mode is Mode.PARTLY else kind
        self._returned[name] = joined(self._returned.get(name, PLAIN), kind)

    def _guarded(self, node: ast.Try | ast.With, is_hidden: bool, at: _At) -> None:
        """Reads code whose failures, which can be due to values, may be hidden."""
        before = self._tainted
        self._block(node.body, at)
        if is_hidden and self._tainted > before:
            self._flag(node, at)

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr, at: _At) -> _At:
        if isinstance(value, ast.Lambda):
            return at
        kind = self._of(value, at)
        if at.mode is Mode.PARTLY and isinstance(value, ast.Constant) and isinstance(value.value, bool):
            # The name answers a question about the solution.
            kind = FORMULA
        for target in targets:
            if isinstance(target, ast.Tuple):
                own = self._unpacked(value, kind, len(target.elts), at)
                for each, part in zip(target.elts, own):
                    self._store(each, part, at)
                continue
            is_again = bool({*named([target])} & _mentioned(value)) and not isinstance(target, ast.Subscript)
            if is_again and kind is not PLAIN and not all(self._is_fresh(each, at) for each in named([target])):
                kind = self._accumulated(target, value, kind, at)
            self._store(target, kind, at, is_new=not is_again)
            # What is read of a part is one.
            if at.parts and isinstance(target, ast.Name) and self._is_part(value, at, is_key=True):
                at = replace(at, parts=at.parts | {target.id})
        return at

    def _unpacked(self, value: ast.expr, kind: Kind, count: int, at: _At) -> list[Kind]:
        """The kinds of a tuple's parts."""
        if isinstance(value, ast.Tuple) and len(value.elts) == count:
            return [self._of(each, at) for each in value.elts]
        return [self._returned.get(f"{called_name(value)} {i}", kinds.item(kind)) for i in range(count)]

    def _augment(self, node: ast.AugAssign, at: _At) -> None:
        names, value = {*named([node.target])}, node.value
        if names & self._solvers:
            self._of(value, replace(at, is_stated=True))
            return
        kind, is_display = self._of(value, at), isinstance(value, (ast.List, ast.Tuple))
        if names & self._collections or kind is FORMULA or isinstance(node.target, ast.Subscript):
            if not isinstance(node.op, (ast.Add, ast.BitOr)) and kind is not PLAIN:
                self._flag(node, at)
            if isinstance(value, (ast.List, ast.Tuple)):
                kind = joined(*(self._of(each, at) for each in value.elts))
            self._add(node.target, kind, at, node, is_all=not is_display and not isinstance(node.target, ast.Subscript))
        elif kind is not PLAIN or at.mode is not Mode.ALWAYS:
            if at.mode is Mode.PARTLY or kind is not PLAIN:
                if not all(self._is_fresh(each, at) for each in names):
                    self._accumulated(node.target, value, kind, at)
            self._store(node.target, MIXED if at.mode is Mode.BEST else scalar(kind), at, is_new=False)

    def _accumulated(self, node: ast.expr, value: ast.expr, kind: Kind, at: _At) -> Kind:
        """Values of several solutions are combined only as text, as lists, or in the best one of them."""
        texts = (ast.JoinedStr, ast.List, ast.Tuple)
        is_text = any(
            isinstance(each, texts) or isinstance(getattr(each, "value", None), str) or called_name(each) == "str"
            for each in _terms(value)
        )
        if at.mode is Mode.PARTLY or not (is_text or called_name(value) in ("min", "max")):
            self._flag(node, at)
        return kind if kind in SEVERAL else MIXED

    def _if(self, node: ast.If, at: _At) -> None:
        inside = [one for each in node.body for one in ast.walk(each) if isinstance(one, ast.Assign)]
        is_better = self._is_better(node.test, {name for each in inside for name in named(each.targets)}, at)
        partly = replace(at, mode=Mode.PARTLY)
        if at.mode is not Mode.PARTLY and is_better:
            self._block(node.body, replace(at, mode=Mode.BEST))
            self._block(node.orelse, partly)
            return
        at = at if self._truth(node.test, at) is PLAIN else partly
        self._block(node.body, at)
        self._block(node.orelse, at)

    def _is_better(self, test: ast.expr, stored: set[str], at: _At) -> bool:
        """Whether a condition compares a value with the best one so far, which it replaces, and holds for a first value."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) and len(test.values) == 2:
            first, rest = test.values
            own = first.operand if isinstance(first, ast.UnaryOp) else getattr(first, "left", first)
            is_none = ast.unparse(first) in (f"not {ast.unparse(own)}", f"{ast.unparse(own)} is None")
            return is_none and bool({*named([own])} & stored) and self._is_better(rest, stored, at)
        if not isinstance(test, ast.Compare) or len(test.ops) > 1:
            return False
        [op], left, [right] = test.ops, test.left, test.comparators
        bests = [{*named([each])} & stored for each in (left, right)]
        is_order = isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) and len(bests[0]) + len(bests[1]) == 1
        if not is_order or self._of(right if bests[0] else left, at) is not VALUE:
            return False
        is_below = isinstance(op, (ast.Lt, ast.LtE)) is bool(bests[1])
        known = [each for name in bests[0] | bests[1] for each in self._assigned.get(name, ())]
        firsts = [each for each in known if self._of(each, at) is PLAIN]
        return all(taken.is_nothing(each) or kinds.UNLIMITED.get(ast.unparse(each)) is is_below for each in firsts)

    def _loop(self, node: ast.For | ast.While, at: _At) -> None:
        kind = self._of(node.iter, at) if isinstance(node, ast.For) else self._truth(node.test, at)
        if isinstance(node, ast.While) and kind is not PLAIN:
            self._flag(node, at)
        is_partly = kind in (VALUE, MIXED, FORMULA) or node in self._left
        inside = replace(at, loop=node, mode=Mode.PARTLY if is_partly else at.mode)
        if kind in SEVERAL or calls(node, self._solving):
            inside = replace(inside, region=node, parts=frozenset())
        elif isinstance(node, ast.For) and kind not in (MIXED, FORMULA):
            inside = replace(inside, parts=at.parts | _mentioned(node.target))
        if isinstance(node, ast.For):
            self._unpack(node.target, node.iter, replace(inside, mode=at.mode))
        self._block(node.body, inside)
        if node.orelse and node in self._left:
            self._flag(node, at)
        self._block(node.orelse, at)

    def _unpack(self, target: ast.expr, value: ast.expr, at: _At) -> None:
        """Gives a loop's names their kinds; the first name of `enumerate` is a number."""
        if isinstance(target, ast.Tuple) and len(target.elts) == 2 and called_name(value) == "enumerate":
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.args:
                self._store(target.elts[0], PLAIN, at)
                target, value = target.elts[1], value.args[0]
        self._store(target, kinds.item(self._of(value, at)), at)

    # ---- Expressions.

    def _truth(self, test: ast.expr, at: _At) -> Kind:
        """Reads a condition; it may only be about whether there is a solution, or about a truth value of a part."""
        if isinstance(test, ast.BoolOp):
            truths = [self._truth(each, at) for each in test.values]
            if truths.count(VALUE) > 1:
                # Whether parts are in conflict is a question about the solution.
                self._flag(test, at)
            return joined(*truths)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._truth(test.operand, at)
        kind = self._of(test, at)
        if kind in (PLAIN, WHOLE, *SEVERAL) and not self._is_answer(test, at):
            return PLAIN
        if not (kind is VALUE and self._is_part(test, at)):
            self._flag(test, at)
        return VALUE

    def _is_answer(self, node: ast.expr, at: _At) -> bool:
        """Whether an expression has what a function of the program returns about a solution, such as `None`."""
        values = [node, *(each for name in named([node]) for each in self._assigned.get(name, ()))]
        own = {*self._named} - self._searching
        return any(called_name(each) in own and self._of(each, at) is not PLAIN for each in values)

    def _is_part(self, node: ast.expr, at: _At, is_key: bool = False) -> bool:
        """Whether an expression is the value of a part of one solution, or, with `is_key`, also the part itself."""
        match node:
            case ast.Name(id=name):
                return name in at.parts
            case ast.Subscript(value=value, slice=key):
                is_one = is_key or self._of(value, at) in (WHOLE, VALUE)
                return is_one and (bool(_mentioned(key) & at.parts) or self._is_part(value, at, is_key))
            case ast.Call(func=called, args=args):
                is_read = is_key or called_name(node) in kinds.SOURCES | kinds.SCALARS
                inside = [getattr(called, "value", called), *args]
                return is_read and any(_mentioned(each) & at.parts for each in inside)
            case ast.UnaryOp(operand=value) | ast.Attribute(value=value) | ast.NamedExpr(value=value):
                return self._is_part(value, at, is_key)
            case ast.Compare():
                return self._of(node, at) is VALUE
        return is_key and isinstance(node, ast.Tuple) and any(self._is_part(each, at, is_key) for each in node.elts)

    def _of(self, node: ast.AST | None, at: _At) -> Kind:
        """The kind of an expression's value."""
        kind = PLAIN if node is None or isinstance(node, ast.Constant) else self._kind(node, at)
        self._tainted += kind is not PLAIN
        return kind

    def _kind(self, node: ast.AST, at: _At) -> Kind:
        match node:
            case ast.Name(id=name):
                return self._kinds.get(name, PLAIN)
            case ast.Attribute():
                return self._attribute(node, at)
            case ast.Call():
                return self._call(node, at)
            case ast.Subscript():
                return self._subscript(node, at)
            case ast.Compare():
                return self._compared(node, at)
            case ast.BoolOp(values=values):
                for each in values[:-1]:
                    self._truth(each, at)
                return self._made(node, joined(*[self._of(each, at) for each in values]), at)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return joined(self._truth(test, at), self._of(body, at), self._of(orelse, at))
            case ast.UnaryOp(op=ast.Not(), operand=value):
                return self._truth(value, at)
            case ast.BinOp():
                return self._operation(node, at)
            case ast.NamedExpr(target=target, value=value):
                kind = self._of(value, at)
                self._store(target, kind, at)
                return kind
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                keys = joined(*[self._of(each, at) for each in getattr(node, "keys", ())])
                parts = node.values if isinstance(node, ast.Dict) else node.elts
                return kinds.display(
                    [keys, *[self._of(each, at) for each in parts]], keys is not PLAIN or isinstance(node, ast.Set)
                )
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._comprehended(node, at)
            case ast.Lambda():
                return self._lambda(node, MIXED, at)
            case ast.Yield() | ast.YieldFrom():
                return self._yield(node, at)
            case ast.UnaryOp() | ast.JoinedStr() | ast.FormattedValue() | ast.Starred() | ast.Slice():
                own = joined(*[self._of(each, at) for each in ast.iter_child_nodes(node)])
                return self._made(node, own if isinstance(node, (ast.Starred, ast.Slice)) else scalar(own), at)
        kind = joined(*[self._of(each, at) for each in ast.iter_child_nodes(node)])
        if kind is not PLAIN and isinstance(node, ast.expr):
            self._flag(node, at)
        return kind

    def _made(self, node: ast.stmt | ast.expr, kind: Kind, at: _At) -> Kind:
        """A formula is only stated: nothing else can be made of it."""
        if kind is FORMULA:
            self._flag(node, at)
        return kind

    def _yield(self, node: ast.Yield | ast.YieldFrom, at: _At) -> Kind:
        kind = self._of(node.value, at)
        if at.mode is not Mode.ALWAYS and (at.name in self._searching or at.loop is at.region):
            self._flag(node, at)
        if isinstance(node, ast.Yield):
            if at.name in self._searching:
                kind = kinds.added(kind, False, False, False)
            elif kind is VALUE and at.mode is Mode.ALWAYS:
                kind = WHOLE
        self._result(at.name, kind, at)
        return PLAIN

    def _operation(self, node: ast.BinOp, at: _At) -> Kind:
        parts = [self._of(each, at) for each in _terms(node)]
        kind = joined(*parts)
        if kind in (*SEVERAL, MIXED) and isinstance(node.op, (ast.BitAnd, ast.BitXor, ast.Sub)):
            self._flag(node, at)
        is_list = isinstance(node.op, ast.Add) and {*parts} <= {PLAIN, WHOLE, *SEVERAL}
        return self._made(node, kind if is_list else scalar(kind), at)

    def _subscript(self, node: ast.Subscript, at: _At) -> Kind:
        kind, index = self._of(node.value, at), self._of(node.slice, at)
        self._made(node, index, at)
        # In a table by values, a key that is not one of them is known beforehand.
        if index is PLAIN and isinstance(node.ctx, ast.Load) and {*named([node.value])} & self._keyed:
            self._flag(node, at)
        is_slice = isinstance(node.slice, ast.Slice) and index is PLAIN
        return kind if is_slice else joined(kinds.item(kind), scalar(index))

    def _attribute(self, node: ast.Attribute, at: _At) -> Kind:
        own, name = self._of(node.value, at), node.attr
        is_called = node in self._called
        if name in kinds.SOURCES and not is_called and taken.is_source(node, None, self._aims, self._searches):
            return VALUE if name not in kinds.READING else WHOLE
        result = self._returned.get(name, PLAIN) if name in self._named else PLAIN
        return joined(self._kinds.get(f".{name}", PLAIN), result, kinds.item(own))

    def _compared(self, node: ast.Compare, at: _At) -> Kind:
        sides, op = [node.left, *node.comparators], node.ops[0]
        all_ = [self._of(each, at) for each in sides]
        kind, is_in, is_single = joined(*all_), isinstance(op, (ast.In, ast.NotIn)), len(sides) == 2
        if kind is PLAIN:
            return PLAIN
        if is_single and not is_in and taken.is_nothing(sides[1]):
            if isinstance(sides[1], ast.Constant) or kind in (WHOLE, *SEVERAL):
                return FORMULA if self._is_answer(sides[0], at) else PLAIN
        if is_single and is_in:
            is_known = all_[0] is PLAIN and all_[1] in (WHOLE, VALUE)
            return VALUE if is_known and self._is_part(sides[0], at, is_key=True) else FORMULA
        parts = [each for each, one in zip(sides, all_) if one is not PLAIN]
        others = [each for each, one in zip(sides, all_) if one is PLAIN]
        is_truth = any(isinstance(each, ast.Constant) and each.value in kinds.TRUTHS for each in others)
        is_equality = is_single and isinstance(op, (ast.Eq, ast.NotEq))
        is_same = is_equality and any(self._is_part(each, at, is_key=True) for each in others)
        is_part = len(parts) == 1 and kind is VALUE and self._is_part(parts[0], at)
        return VALUE if is_part and (is_truth or is_same) else FORMULA

    def _comprehended(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, at: _At) -> Kind:
        over, truths, inside = PLAIN, PLAIN, at
        for each in node.generators:
            kind = self._of(each.iter, inside)
            self._unpack(each.target, each.iter, replace(inside, mode=Mode.ALWAYS))
            if kind in SEVERAL:
                inside = replace(inside, region=node, parts=frozenset())
            elif kind not in (MIXED, FORMULA):
                inside = replace(inside, parts=inside.parts | _mentioned(each.target))
            over = joined(over, kind)
            truths = joined(truths, *[self._truth(one, inside) for one in each.ifs])
        inside = replace(inside, region=at.region)
        key = self._of(getattr(node, "key", None), inside)
        kind = joined(key, self._of(node.value if isinstance(node, ast.DictComp) else node.elt, inside))
        is_set = isinstance(node, ast.SetComp) and kind in (VALUE, MIXED)
        is_partly = over in (VALUE, MIXED) or joined(truths, key) is not PLAIN or is_set
        if FORMULA in (kind, over):
            return FORMULA
        if over in SEVERAL and not is_partly:
            return WHOLES if kind is WHOLE else VALUES
        if over in (*SEVERAL, MIXED) or kind in (*SEVERAL, MIXED):
            return MIXED
        return VALUE if is_partly else PLAIN if kind is PLAIN else WHOLE

    # ---- Calls.

    def _call(self, node: ast.Call, at: _At) -> Kind:
        name, called = called_name(node), node.func
        if name in self._named or name in self._classes:
            return self._own_call(node, name, at)
        receiver = called.value if isinstance(called, ast.Attribute) else None
        values = [*node.args, *(each.value for each in node.keywords)]
        root = next((each.id for each in ast.walk(called) if isinstance(each, ast.Name)), "")
        is_end = name in kinds.ENDING and at.mode is not Mode.ALWAYS
        if is_end or (name in SOLVING and at.mode is Mode.PARTLY):
            self._flag(node, at)
        is_owner = receiver is not None and not self._is_collection(receiver) and name not in kinds.SOURCES
        is_of_solver = root in self._solvers - self._modules
        if name == "add" and not is_of_solver:
            # `add` of what is not known to be a solver: a formula is stated, a value is collected.
            stated = replace(at, is_stated=True)
            is_owner = is_owner and joined(*[self._of(each, stated) for each in values]) in (PLAIN, FORMULA)
        is_statement = is_owner and (is_of_solver or name.startswith(kinds.STATING))
        if is_statement or (name in SOLVING and name not in kinds.READING):
            for each in values:
                self._of(each, replace(at, is_stated=True))
            return PLAIN
        own = [self._of(each, at) for each in values if not isinstance(each, ast.Lambda)]
        of = self._of(called if receiver is None and not isinstance(called, ast.Name) else receiver, at)
        kind = joined(of, *own)
        for each in values:
            if isinstance(each, ast.Lambda):
                self._made(each, self._lambda(each, PLAIN if kind is PLAIN else MIXED, at), at)
        if isinstance(called, ast.Name) and called.id not in at.parts and self._of(called, at) is not PLAIN:
            self._flag(node, at)
        if self._is_reading(node, name, values):
            if any(self._asks(each) for each in [*values, called]):
                self._flag(node, at)
            return WHOLE if name in kinds.READING or name == "argvals" else WHOLES if name in kinds.LISTING else VALUE
        if name in kinds.HEAPS and node.args:
            self._add(node.args[0], joined(*own[1:]), at, node)
            return PLAIN
        if receiver is not None and name in kinds.ADDING:
            self._add(receiver, joined(*own), at, node, is_all=name in kinds.EXTENDING)
            return PLAIN
        if name == "setdefault" and receiver is not None and node.args:
            self._add(receiver, PLAIN, at, node, node.args[0])
            return kind
        if kind is PLAIN or (name in kinds.DECLARING and receiver is not None):
            return PLAIN
        if name in kinds.FORMULAS or (root in self._modules and name in kinds.MODULE_FORMULAS):
            return FORMULA
        is_known = {*named([receiver] if receiver is not None else [])} & self._keyed
        is_asked = name == "get" and (of in (PLAIN, MIXED) or joined(*own) is not PLAIN or bool(is_known))
        if is_asked or name not in kinds.ALLOWED:
            self._flag(node, at)
        return kinds.computed(name, self._made(node, kind, at))

    def _is_reading(self, node: ast.Call, name: str, values: Sequence[ast.expr]) -> bool:
        """Whether a call returns values of a solution."""
        called = node.func
        if not isinstance(called, ast.Attribute) or name not in kinds.SOURCES or (name == "values" and not values):
            return name in ("argval", "argvals")
        return taken.is_source(called, node, self._aims, self._searches)

    def _asks(self, node: ast.expr) -> bool:
        """Whether an expression has formulas, whose truth in a solution answers a question about it."""
        waiting, seen = list[ast.AST]([node]), set[str]()
        while waiting:
            each = waiting.pop()
            if isinstance(each, ast.Compare) or called_name(each) in kinds.QUESTIONS:
                return True
            if isinstance(each, ast.Call):
                waiting += [each.func, *each.args] if called_name(each) in kinds.KEEPING else []
            elif isinstance(each, ast.Name):
                waiting += self._assigned.get(each.id, ()) if each.id not in seen else ()
                seen.add(each.id)
            elif isinstance(each, _Comprehension):
                waiting.append(each.value if isinstance(each, ast.DictComp) else each.elt)
            elif not isinstance(each, ast.BinOp):
                waiting += ast.iter_child_nodes(each)
        return False

    def _is_collection(self, node: ast.expr) -> bool:
        """Whether `add` of this is that of a collection."""
        return isinstance(node, ast.Call) or bool({*named([node])} & (self._collections | self._shared) - self._solvers)

    def _own_call(self, node: ast.Call, name: str, at: _At) -> Kind:
        self._of(getattr(node.func, "value", None), at)
        self._tainted += name in self._touching
        if at.mode is Mode.PARTLY and (name in self._searching or name in self._changing):
            self._flag(node, at)
        values = [*node.args, *(each.value for each in node.keywords)]
        kind = joined(*[self._of(each, at) for each in values])
        for function in self._named.get("__init__" if name in self._classes else name, ()):
            for each, value in taken.passed(node, function):
                self._bind(each, self._of(value, at))
                self._solvers |= {each} if {*named([value])} & self._solvers else set()
        if name not in self._classes:
            return self._returned.get(name, PLAIN)
        own = self._classes[name]
        for each in own.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                self._bind(f".{each.target.id}", kind)
        # Only some values belong to a member of an enumeration.
        if kind is not PLAIN and any("Enum" in ast.unparse(each) for each in own.bases):
            self._flag(node, at)
        return WHOLE if kind is VALUE else self._made(node, kind, at)

    def _lambda(self, node: ast.Lambda, kind: Kind, at: _At) -> Kind:
        for each in _arguments(node):
            self._bind(each, kind)
        return self._of(node.body, _At(node, is_stated=at.is_stated))


def _functions(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    for each in ast.walk(tree):
        if isinstance(each, ast.FunctionDef):
            yield each.name, each
        elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Lambda):
            yield from ((name, each.value) for name in named(each.targets))


def _arguments(function: _Function) -> list[str]:
    return [each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)]


def _mentioned(node: ast.AST) -> frozenset[str]:
    inside = (each for each in ast.walk(node) if isinstance(each, (ast.Name, ast.Attribute)))
    return frozenset(name for each in inside for name in named([each]))


def _terms(value: ast.expr) -> Iterator[ast.expr]:
    """Yields the operands of a sum, or of a similar operation, which can be a deep tree."""
    while isinstance(value, ast.BinOp):
        yield value.right
        value = value.left
    yield value


def _is_collection(value: ast.expr) -> bool:
    displays = (ast.List, ast.Tuple, ast.Set, ast.Dict, *_Comprehension)
    return isinstance(value, displays) or called_name(value) in kinds.COLLECTIONS


def _is_set(value: ast.expr) -> bool:
    return isinstance(value, (ast.Set, ast.SetComp)) or called_name(value) in ("set", "frozenset")


def _assigned(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    """The values that names and attributes are assigned; for those of a loop, what it is over."""
    values: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, (ast.For, ast.comprehension)):
            pairs = [(node.target, node.iter)]
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            pairs = [pair for each in targets for pair in _pairs(each, node.value)]
        else:
            continue
        for target, value in pairs:
            for name in named([target]):
                values.setdefault(name, []).append(value)
    return values


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return [*zip(target.elts, value.elts)]
    return [(target, value)]
