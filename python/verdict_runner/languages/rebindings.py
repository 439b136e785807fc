"""Finds names of dictionaries or solver variables that are rebound while the first value is still meant."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

# Calls that declare one or more Z3 variables.
DECLARING = frozenset("Int Bool Real BitVec String Const FP Array FreshInt FreshBool FreshReal FreshConst".split())
DECLARING_SEVERAL = frozenset("Ints Bools Reals BitVecs Strings Consts FPs".split())
# Other calls that return a single value; the last ones return the number of a PySAT variable.
SCALAR_CALLS = frozenset(
    "IntVal RealVal BoolVal BitVecVal StringVal int float bool str len sum min max abs "
    "id get_id create_var new_var next_var fresh_var make_var get_var add_var mk_var".split()
)
# Calls that build an expression from expressions.
BUILDING = frozenset(
    "And Or Not Xor Implies If Sum Product Distinct Abs ToReal ToInt ZeroExt SignExt Extract Concat Select Store".split()
)
OPERATIONS = (ast.BinOp, ast.Compare, ast.BoolOp, ast.UnaryOp)

# For each `if` that encloses a statement: the position of the `if`, and the number of the branch.
Branch: TypeAlias = "tuple[tuple[tuple[int, int], int], ...]"


# A binding. `kind` is dict, constant, variable, name, scalar, built, augmented or other. `detail` is the value's source
# text or name, and `uses` contains the names in it. `branch` lists the branches of the enclosing ifs.
class Binding(NamedTuple):
    name: str
    kind: str
    detail: str
    uses: frozenset[str]
    line: int
    column: int
    branch: Branch


def bindings(body: Iterable[ast.stmt], branch: Branch = ()) -> Iterator[Binding]:
    """Yields the bindings in a block and its inner blocks, but not in functions and classes."""
    for statement in body:
        yield from _of_statement(statement, branch)
        place = (statement.lineno, statement.col_offset)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for field, side in (("body", 0), ("orelse", 1), ("finalbody", 0)):
            inner = (*branch, (place, side)) if isinstance(statement, (ast.If, ast.Try)) else branch
            yield from bindings(getattr(statement, field, None) or [], inner)
        for number, part in enumerate([*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]):
            yield from bindings(part.body, (*branch, (place, number + 2)))


def _of_statement(statement: ast.stmt, branch: Branch) -> Iterator[Binding]:
    def bound(name: str, kind: str, detail: str = "", uses: frozenset[str] = frozenset()) -> Binding:
        return Binding(name, kind, detail, uses, statement.lineno, statement.col_offset, branch)

    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            for name, value in _pairs(target, statement.value):
                yield bound(name, *_kind(value))
    elif isinstance(statement, ast.AnnAssign) and statement.value and isinstance(statement.target, ast.Name):
        yield bound(statement.target.id, *_kind(statement.value))
    elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        yield bound(statement.target.id, "augmented", _shown(statement), frozenset([statement.target.id]))
    elif isinstance(statement, (ast.For, ast.AsyncFor)):
        counts = isinstance(statement.iter, ast.Call) and called(statement.iter) == "range"
        for name in _names(statement.target):
            yield bound(name, "scalar" if counts else "other", "a loop")
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        for name in (name for each in statement.items if each.optional_vars for name in _names(each.optional_vars)):
            yield bound(name, "other", "a with block")
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield bound(statement.name, "other", f"a definition of {statement.name}")
    if isinstance(statement, (ast.Expr, ast.Assign, ast.If, ast.While)):
        for node in ast.walk(getattr(statement, "test", None) or getattr(statement, "value", statement)):
            if isinstance(node, ast.NamedExpr):
                yield bound(node.target.id, *_kind(node.value))


def _pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    """Yields the names in an assignment with their values; None if a name gets only a part of a value."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts = (
            value.elts
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
            else [None] * len(target.elts)
        )
        several = isinstance(value, ast.Call) and called(value) in DECLARING_SEVERAL
        for each, part in zip(target.elts, parts):
            yield from _pairs(each, value if several else part)


def _names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _shown(node: ast.AST) -> str:
    """The beginning of a node's source text; a sum of a thousand terms nests too deeply for `ast.unparse`."""
    try:
        return ast.unparse(node)[:60]
    except RecursionError:
        return "…"


def _kind(value: ast.expr | None) -> tuple[str, str, frozenset[str]]:
    """Returns an assigned value's kind, detail and names."""
    if value is None:
        return "other", "a part of a value", frozenset()
    uses = frozenset(node.id for node in ast.walk(value) if isinstance(node, ast.Name))
    text = _shown(value)
    if isinstance(value, (ast.Dict, ast.DictComp)):
        return "dict", text, uses
    if isinstance(value, ast.Constant):
        return ("other" if value.value is None else "constant"), text, uses
    if isinstance(value, ast.UnaryOp) and isinstance(value.operand, ast.Constant):
        return "constant", text, uses
    if isinstance(value, ast.Name):
        return "name", text, uses
    if isinstance(value, ast.Call):
        return _kind_of_call(called(value)), text, uses
    if isinstance(value, (*OPERATIONS, ast.JoinedStr)):
        return ("other" if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr) else "built"), text, uses
    return "other", text, uses


def _kind_of_call(name: str | None) -> str:
    if name in ("dict", "defaultdict", "OrderedDict"):
        return "dict"
    if name in DECLARING or name in DECLARING_SEVERAL:
        return "variable"
    if name in BUILDING:
        return "built"
    return "scalar" if name in SCALAR_CALLS else "call"


def called(call: ast.Call) -> str | None:
    """The name of the called function or method."""
    function = call.func
    return (
        function.id
        if isinstance(function, ast.Name)
        else function.attr
        if isinstance(function, ast.Attribute)
        else None
    )


def gives_scalar(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function always returns a number or an arithmetic expression, as one that numbers variables does."""
    numbers = {each.name for each in bindings(function.body) if each.kind in ("constant", "scalar", "augmented")}
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(returned) and all(
        isinstance(each, (ast.Constant, *OPERATIONS))
        and getattr(each, "value", 0) is not None
        or (isinstance(each, ast.Name) and each.id in numbers)
        for each in returned
    )


# ---- One scope, from its first statement to its last.


class Slip(NamedTuple):
    is_fault: bool
    message: str
    steps: list[str]
    item: int
    line: int
    column: int


class _Held(NamedTuple):
    kind: str
    item: int
    binding: Binding


def slips(parts: Iterable[tuple[int, Sequence[Binding]]], scalar_functions: AbstractSet[str]) -> Iterator[Slip]:
    """Finds names that lose a value still in use; `parts` are pairs of an item's index and its ordered bindings.

    A variable is not lost if another name refers to it. Once there is a model, a name can be rebound freely.
    """
    by_name: dict[str, _Held] = {}
    kept: set[str] = set()
    has_model = False
    for item, each in ((item, each) for item, all_of in parts for each in all_of):
        kind = _resolved(each, by_name, scalar_functions)
        before = by_name.get(each.name)
        is_kept = has_model or (each.name in kept and each.kind != "constant")
        has_model = has_model or each.detail.endswith(".model()")
        kept = (kept | each.uses) - {each.name}
        if before and is_kept and before.kind == "variable":
            before = None
        if before and not (before.item == item and _are_alternatives(before.binding.branch, each.branch)):
            yield from _slip(before, kind, each, item)
            if (before.kind, kind) in (("dict", "scalar"), ("dict", "variable"), ("variable", "variable")):
                continue
        by_name[each.name] = _Held(kind, item, each)


def _resolved(each: Binding, by_name: Mapping[str, _Held], scalar_functions: AbstractSet[str]) -> str:
    """The kind of value that the name has after this binding: dict, variable, expression, scalar or other."""
    if each.kind == "constant":
        return "scalar"
    if each.kind == "name":
        held = by_name[each.detail].kind if each.detail in by_name else "other"
        # The binding only adds another name for a variable, which keeps its own name.
        return "expression" if held == "variable" else held
    if each.kind == "call":
        return "scalar" if each.detail.partition("(")[0] in scalar_functions else "other"
    if each.kind in ("built", "augmented"):
        is_open = any(
            name in DECLARING or (name in by_name and by_name[name].kind in ("variable", "expression"))
            for name in each.uses
        )
        return (
            "expression"
            if is_open
            else "scalar"
            if each.kind == "built" or each.name not in by_name
            else by_name[each.name].kind
        )
    return each.kind


def _are_alternatives(one: Branch, other: Branch) -> bool:
    """Whether two positions are in different branches of one `if`."""
    sides = dict(one)
    return any(sides.get(statement, side) != side for statement, side in other)


def _slip(before: _Held, kind: str, each: Binding, item: int) -> Iterator[Slip]:
    first = f"item {before.item}, line {before.binding.line}"
    place = (item, each.line, each.column)
    if before.kind == "dict" and kind in ("scalar", "variable", "expression") and each.kind != "augmented":
        message = f"{each.name} has been a dictionary since {first}; here a single value overwrites it, and all its entries are lost."
        yield Slip(
            True,
            message,
            [f"add an entry: {each.name}[key] = …", "or choose another name for the single value"],
            *place,
        )
    elif before.kind == "variable":
        yield from _of_variable(before, kind, each, first, place)
    elif before.kind == "expression" and each.kind == "constant":
        message = f"{each.name} held a constraint or an expression of Z3 since {first}, and is the plain value {each.detail} from here on; write {each.name} == {each.detail} if a constraint was meant."
        yield Slip(False, message, [], *place)


def _of_variable(before: _Held, kind: str, each: Binding, first: str, place: tuple[int, int, int]) -> Iterator[Slip]:
    if each.kind == "constant":
        yield Slip(
            True,
            f"{each.name} has been a Z3 variable since {first}; here the name is rebound to the plain value {each.detail}, which is not a constraint.",
            [
                f"write {each.name} == {each.detail} for a constraint, as its own statement or in s.add(…)",
                "or choose another name for the plain value",
            ],
            *place,
        )
    elif each.kind == "augmented" or (each.kind == "built" and each.name in each.uses):
        message = f"{each.name} has been a Z3 variable since {first}; from here on, the name refers to another expression ({each.detail}), and the variable no longer has a name."
        yield Slip(False, message, [], *place)
    elif each.name not in each.uses and (kind != "variable" or each.detail != before.binding.detail):
        message = f"{each.name} has been a Z3 variable since {first}, and the name is rebound to another value here ({each.detail}); write {each.name} == … if a constraint was meant, or choose another name."
        yield Slip(False, message, [], *place)
