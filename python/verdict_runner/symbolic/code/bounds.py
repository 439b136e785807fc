"""Reads bounds on parameters that are stated with libraries, from the syntax alone.

The bounds are Hypothesis strategies (`@given`), and constraints of pydantic and annotated_types. They become `pre:` in
the docstring and plain annotations, so the libraries need not be installed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode, arguments_of, binding, top

LIBRARIES = frozenset("hypothesis pydantic annotated_types".split())
TYPING = frozenset("typing typing_extensions".split())
# The names in a text with their origins, such as `hypothesis.strategies` for `st`.
Origins: TypeAlias = "Mapping[str, str]"
# Returns the conditions on the value that an expression denotes.
Conditions: TypeAlias = "Callable[[str], list[str]]"


class Unread(Exception):
    """Raised for code that no rule here can read; the message names the code."""


class Kind(NamedTuple):
    """A parameter's values: a type and conditions."""

    annotation: str
    conditions: Conditions = lambda _: []


def read(tree: ast.Module) -> ast.Module:
    """Writes the bounds as preconditions, in place. A function's `type_comment` says what can't be read."""
    origins = {name: origin for each in tree.body for name, origin in _imported(each)}
    if not any(top(origin) in LIBRARIES for origin in origins.values()):
        return tree
    reader = _Reader(origins, _aliases(tree))
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            reader.function(node)
    for is_of_library in (reader.is_alias, _is_import):
        _without(tree, is_of_library)
    return ast.fix_missing_locations(tree)


def _imported(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    if isinstance(statement, ast.Import):
        for each in statement.names:
            yield (each.asname, each.name) if each.asname else (top(each.name), top(each.name))
    elif isinstance(statement, ast.ImportFrom) and not statement.level:
        yield from ((each.asname or each.name, f"{statement.module}.{each.name}") for each in statement.names)


def _aliases(tree: ast.Module) -> dict[str, ast.expr]:
    """The module's names for types and strategies, as in `Percent = Annotated[int, Field(ge=0, le=100)]`."""
    bound = [each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)]
    return {
        each.targets[0].id: each.value
        for each in tree.body
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name)
        # A name that is assigned again may have a different value when a definition reads it.
        if bound.count(each.targets[0].id) == 1
    }


def _is_import(statement: ast.stmt) -> bool:
    names = [*_imported(statement)]
    return bool(names) and all(top(origin) in LIBRARIES for _, origin in names)


def _without(tree: ast.Module, is_of_library: Callable[[ast.stmt], bool]) -> None:
    """Removes library imports and aliases that nothing uses any more."""
    used = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    for place, statement in enumerate(tree.body):
        if is_of_library(statement) and used.isdisjoint(binding(statement)):
            tree.body[place] = ast.copy_location(ast.Pass(), statement)


class _Reader:
    def __init__(self, origins: Origins, aliases: Mapping[str, ast.expr]) -> None:
        self._origins = origins
        self._aliases = aliases

    def function(self, node: FunctionNode) -> None:
        kinds: dict[str, Kind] = {}
        for each in arguments_of(node):
            try:
                kind = each.annotation and self._type(each.annotation)
                kinds |= {each.arg: kind} if kind else {}
            except Unread as unread:
                node.type_comment, each.annotation = str(unread), None
        try:
            kinds |= self._decorated(node)
        except Unread as unread:
            node.type_comment = str(unread)
        for each in arguments_of(node):
            if each.arg in kinds:
                each.annotation = _placed(kinds[each.arg].annotation, each)
        _state(node, [text for name, kind in kinds.items() for text in kind.conditions(name)])

    def _origin(self, node: ast.expr) -> str:
        """Returns the dotted origin of a name or a call; empty if it does not come from a module."""
        if isinstance(node, ast.Call):
            return self._origin(node.func)
        if isinstance(node, ast.Attribute):
            owner = self._origin(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        return self._origins.get(node.id, "") if isinstance(node, ast.Name) else ""

    def is_alias(self, statement: ast.stmt) -> bool:
        """Whether a statement defines a name for a library's type or strategy."""
        parts = ast.walk(statement.value) if isinstance(statement, ast.Assign) else ()
        return any(isinstance(each, ast.expr) and top(self._origin(each)) in LIBRARIES for each in parts)

    def _own(self, node: ast.expr) -> ast.expr:
        """Replaces one of the module's aliases with its value."""
        return self._aliases.get(node.id, node) if isinstance(node, ast.Name) else node

    # ---- Annotations.

    def _type(self, written: ast.expr) -> Kind | None:
        """Returns the kind of an annotation that states bounds; None for all others."""
        node = self._own(written)
        origin = self._origin(node)
        name = origin.rpartition(".")[2]
        if top(origin) == "pydantic" and name in NAMED:
            kind, bound = NAMED[name]
            return Kind(kind, _bounded({bound: "0"}))
        if isinstance(node, ast.Call) and top(origin) == "pydantic":
            return self._constrained(node, name)
        if isinstance(node, ast.Subscript):
            return self._parts(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._optional([node.left, node.right], f"{ast.unparse(node)}")
        return None

    def _constrained(self, node: ast.Call, name: str) -> Kind:
        if name == "conlist" and node.args:
            item = self._type(node.args[0]) or Kind(ast.unparse(node.args[0]))
            return _listed("list", item, _bounds_of(node, skip=1))
        if name not in CONSTRAINED:
            raise Unread(_quoted(node))
        bounds = _bounds_of(node)
        if "multiple_of" in bounds and name != "conint":
            raise Unread(_quoted(node))
        return Kind(CONSTRAINED[name], _bounded(bounds))

    def _parts(self, node: ast.Subscript) -> Kind | None:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        origin, name = self._origin(node.value), self._origin(node.value).rpartition(".")[2]
        if name == "Annotated" and top(origin) in TYPING:
            return self._metadata(parts[0], parts[1:])
        if name == "Optional":
            return self._optional([parts[0], ast.Constant(None)], ast.unparse(node))
        container = ast.unparse(node.value)
        if container in ("list", "List", "typing.List", "set", "Sequence") and len(parts) == 1:
            item = self._type(parts[0])
            return item and Kind(f"{container}[{item.annotation}]", _each(item))
        if any(self._type(each) for each in parts):
            raise Unread(_quoted(node))
        return None

    def _metadata(self, written: ast.expr, metadata: Sequence[ast.expr]) -> Kind | None:
        kind = self._type(written) or Kind(ast.unparse(written))
        stated = [each for each in metadata if top(self._origin(each)) in LIBRARIES]
        if not stated and not kind.conditions("_"):
            return None
        bounds: dict[str, str] = {}
        for each in stated:
            name = self._origin(each).rpartition(".")[2]
            if not isinstance(each, ast.Call) or (name not in MARKS and name not in ("Field", "Interval", "Len")):
                raise Unread(_quoted(each))
            marks = MARKS.get(name) or (("min_length", "max_length") if name == "Len" else ())
            bounds |= _bounds_of(each, marks, skip=1 if name == "Field" else 0)
        # Multiples of floats are only approximate, and bounds on an optional value do not apply to None.
        is_optional = "None" in kind.annotation or "Optional" in kind.annotation
        if is_optional or ("multiple_of" in bounds and kind.annotation != "int"):
            raise Unread(_quoted(stated[-1]) if stated else f"`{kind.annotation}`")
        both = _bounded(bounds)
        return Kind(kind.annotation, lambda value: [*kind.conditions(value), *both(value)])

    def _optional(self, parts: Sequence[ast.expr], whole: str) -> Kind | None:
        kinds = [self._type(each) for each in parts]
        bounded = [each for each in kinds if each]
        if not bounded:
            return None
        others = [ast.unparse(part) for part, kind in zip(parts, kinds) if not kind]
        if len(bounded) > 1 or others != ["None"]:
            raise Unread(f"`{whole}`")
        return _or_none(bounded[0])

    # ---- Decorators.

    def _decorated(self, node: FunctionNode) -> dict[str, Kind]:
        kinds: dict[str, Kind] = {}
        # Pydantic's decorators (`validate_call`) change what a call does, so they stay.
        own = [each for each in node.decorator_list if top(self._origin(each)) == "hypothesis"]
        node.decorator_list = [each for each in node.decorator_list if each not in own]
        for each in own:
            name = self._origin(each).rpartition(".")[2]
            if name == "given" and isinstance(each, ast.Call):
                kinds |= self._given(node, each)
                _as_test(node, lambda call: self._origin(call) == "hypothesis.assume")
            elif name not in HARMLESS:
                raise Unread(f"the decorator {_quoted(each)}")
        return kinds

    def _given(self, node: FunctionNode, call: ast.Call) -> dict[str, Kind]:
        names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        if len(call.args) > len(names) or any(isinstance(each, ast.Starred) for each in call.args):
            raise Unread(_quoted(call))
        # Positional strategies are for the last parameters.
        named = [*zip(names[len(names) - len(call.args) :], call.args)]
        named += [(each.arg or "", each.value) for each in call.keywords]
        return {name: self._strategy(each) for name, each in named}

    def _strategy(self, written: ast.expr) -> Kind:
        node = self._own(written)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._one_of([node.left, node.right], node)
        origin = self._origin(node)
        name = origin.rpartition(".")[2]
        if not isinstance(node, ast.Call) or not origin.startswith("hypothesis.strategies."):
            raise Unread(f"the strategy {_quoted(node)}")
        if name in SCALARS and not (node.args or node.keywords):
            return Kind(SCALARS[name])
        if name in SIZES:
            kind, places = SIZES[name]
            return Kind(kind, _bounded(_bounds_of(node, places, kind=kind)))
        if name in ("just", "sampled_from") and len(node.args) == 1:
            return _sampled(node.args[0], is_many=name == "sampled_from")
        if name in ("lists", "sets") and node.args:
            return _listed(name[:-1], self._strategy(node.args[0]), _bounds_of(node, skip=1))
        if name == "tuples" and not node.keywords:
            return _together([self._strategy(each) for each in node.args])
        if name == "one_of" and len(node.args) > 1:
            return self._one_of(node.args, node)
        raise Unread(f"the strategy {_quoted(node)}")

    def _one_of(self, parts: Sequence[ast.expr], whole: ast.expr) -> Kind:
        kinds = [self._strategy(each) for each in parts]
        present = [each for each in kinds if each.annotation != "None"]
        if len(present) == 1 and len(kinds) == 2:
            return _or_none(present[0])
        if any(each.conditions("_") for each in kinds):
            raise Unread(f"the strategy {_quoted(whole)}")
        return Kind(" | ".join(each.annotation for each in kinds))


# ---- Kinds.

# Pydantic's types whose names contain bounds.
NAMED = {
    f"{sign}{kind.title()}": (kind, bound)
    for sign, bound in {"Positive": "gt", "NonNegative": "ge", "Negative": "lt", "NonPositive": "le"}.items()
    for kind in ("int", "float")
}
CONSTRAINED = {"conint": "int", "confloat": "float", "constr": "str", "conbytes": "bytes"}
# The constraints of annotated_types, with the bounds that their arguments state.
MARKS = {
    **{each.title(): (each,) for each in ("gt", "ge", "lt", "le")},
    "MinLen": ("min_length",),
    "MaxLen": ("max_length",),
    "MultipleOf": ("multiple_of",),
}
SCALARS = {"booleans": "bool", "none": "None"}
# Strategies with the names of their positional arguments.
SIZES: Mapping[str, tuple[str, Sequence[str]]] = {
    "integers": ("int", ("min_value", "max_value")),
    "floats": ("float", ("min_value", "max_value")),
    "text": ("str", ("alphabet",)),
    "binary": ("bytes", ()),
}
HARMLESS = frozenset("settings seed example reproduce_failure".split())
# The names of bounds in all libraries, and the arguments that state no bound.
COMPARED = {"gt": ">", "ge": ">=", "min_value": ">=", "lt": "<", "le": "<=", "max_value": "<="}
LENGTHS = {
    "min_length": ">=",
    "min_size": ">=",
    "min_items": ">=",
    "max_length": "<=",
    "max_size": "<=",
    "max_items": "<=",
}
WITHOUT = frozenset("description title alias examples deprecated default strict repr".split())
LARGEST = "1.7976931348623157e+308"


def _bounds_of(call: ast.Call, places: Sequence[str] = (), skip: int = 0, kind: str = "") -> dict[str, str]:
    """Returns the bounds among a call's arguments, by name, as texts."""
    arguments = call.args[skip:]
    if len(arguments) > len(places) or any(each.arg is None for each in call.keywords):
        raise Unread(_quoted(call))
    named = [*zip(places, arguments), *((each.arg or "", each.value) for each in call.keywords)]
    bounds = {name: each for name, each in named if name not in WITHOUT and ast.unparse(each) != "None"}
    for name, each in bounds.items():
        known = name in COMPARED or name in LENGTHS or name in ("multiple_of", "unique")
        is_about_floats = kind == "float" and name in ("allow_nan", "allow_infinity")
        try:
            value = ast.literal_eval(each)
        except (ValueError, TypeError, SyntaxError):
            value = None
        if not (known or is_about_floats) or not isinstance(value, (int, float)):
            raise Unread(_quoted(call))
    return {name: ast.unparse(each) for name, each in bounds.items()} | ({kind: ""} if kind in ("float", "str") else {})


def _bounded(bounds: Mapping[str, str]) -> Conditions:
    def conditions(value: str) -> Iterator[str]:
        yield from (f"{value} {COMPARED[name]} {bound}" for name, bound in bounds.items() if name in COMPARED)
        yield from (f"len({value}) {LENGTHS[name]} {bound}" for name, bound in bounds.items() if name in LENGTHS)
        if "multiple_of" in bounds:
            yield f"{value} % {bounds['multiple_of']} == 0"
        if bounds.get("unique") == "True":
            yield f"len(set({value})) == len({value})"
        if "str" in bounds:
            # Hypothesis generates no surrogates.
            yield f"all(not 0xd800 <= ord(each) <= 0xdfff for each in {value})"
        if "float" in bounds:
            yield from _of_floats(value, bounds)

    return lambda value: [*conditions(value)]


def _of_floats(value: str, bounds: Mapping[str, str]) -> Iterator[str]:
    """Unless allowed, Hypothesis generates no infinity between two bounds, and no NaN if there is a bound."""
    sides = sum(name in bounds for name in ("min_value", "max_value"))
    if bounds.get("allow_infinity", "False" if sides == 2 else "True") == "False":
        nan = bounds.get("allow_nan", "False" if sides else "True") == "True"
        yield f"-{LARGEST} <= {value} <= {LARGEST}" + (f" or {value} != {value}" if nan else "")
    elif bounds.get("allow_nan") == "False":
        yield f"{value} == {value}"


def _each(item: Kind) -> Conditions:
    def conditions(value: str) -> list[str]:
        name = "each" if value != "each" else "each_item"
        return [f"all({condition} for {name} in {value})" for condition in item.conditions(name)]

    return conditions


def _listed(container: str, item: Kind, bounds: Mapping[str, str]) -> Kind:
    of_all, of_each = _bounded(bounds), _each(item)
    return Kind(f"{container}[{item.annotation}]", lambda value: [*of_all(value), *of_each(value)])


def _together(parts: Sequence[Kind]) -> Kind:
    if not parts:
        raise Unread("an empty tuple")
    return Kind(
        f"tuple[{', '.join(each.annotation for each in parts)}]",
        lambda value: [text for place, each in enumerate(parts) for text in each.conditions(f"{value}[{place}]")],
    )


def _or_none(kind: Kind) -> Kind:
    return Kind(
        f"{kind.annotation} | None", lambda value: [f"{value} is None or ({each})" for each in kind.conditions(value)]
    )


def _sampled(values: ast.expr, is_many: bool) -> Kind:
    items = (values.elts if isinstance(values, (ast.List, ast.Tuple)) else []) if is_many else [values]
    constants = [each.value for each in items if isinstance(each, ast.Constant)]
    # The exact types matter: True equals 1, so a choice between them is a choice of types.
    kinds = {type(each) for each in constants}
    if not constants or len(constants) < len(items) or len(kinds) > 1 or not kinds & {int, str, bool, bytes}:
        raise Unread(f"the values {_quoted(values)}")
    (kind,) = kinds
    written = ", ".join(ast.unparse(each) for each in items)
    return Kind(kind.__name__, lambda value: [f"{value} in ({written},)"])


# ---- In the tree.


def _quoted(node: ast.expr) -> str:
    return f"`{ast.unparse(node)[:80]}`"


def _placed(text: str, where: ast.arg) -> ast.expr:
    node = ast.parse(text, mode="eval").body
    for each in ast.walk(node):
        ast.copy_location(each, where)
    return node


def _state(node: FunctionNode, conditions: Sequence[str]) -> None:
    """Adds preconditions to the docstring."""
    if not conditions:
        return
    first, text = node.body[0], _text_of(node)
    lines = "\n".join(f"pre: {each}" for each in dict.fromkeys(conditions))
    statement = ast.Expr(ast.Constant(f"{text}\n\n{lines}" if text else lines))
    for each in ast.walk(statement):
        ast.copy_location(each, first if text else node)
    if not text:
        statement.end_lineno = statement.lineno
    node.body = [statement, *(node.body[1:] if text else node.body)]


def _text_of(node: FunctionNode) -> str | None:
    return ast.get_docstring(node, clean=False)


def _as_test(node: FunctionNode, is_assumption: Callable[[ast.expr], bool]) -> None:
    """Treats all asserts of a test as obligations, even at its beginning; assumptions exclude inputs."""
    for owner in ast.walk(node):
        body = getattr(owner, "body", None)
        if isinstance(body, list):
            body[:] = [_assumed(each, is_assumption) for each in body]
    node.body.insert(1 if _text_of(node) else 0, ast.copy_location(ast.Pass(), node.body[0]))


def _assumed(statement: ast.stmt, is_assumption: Callable[[ast.expr], bool]) -> ast.stmt:
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not is_assumption(call) or len(call.args) != 1:
        return statement
    left = ast.copy_location(ast.Return(None), statement)
    return ast.copy_location(ast.If(ast.UnaryOp(ast.Not(), call.args[0]), [left], []), statement)
