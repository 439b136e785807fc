"""Finds the lines of a program that use values taken from a solution, such as a constraint that excludes it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from verdict_runner.cases import lines_of

# Methods and properties that return a solution or its values.
SOURCES = frozenset(
    "model get_model compute enum_models enumerate lower upper cost value Value boolean_value BooleanValue "
    "variable_values objective_value ObjectiveValue BestObjectiveBound best_objective_bound".split()
)
# Sources that are only methods, and those of an objective or of a search, which one of these calls returns. An author's
# own attributes often have the same names.
CALLED = frozenset("model get_model compute enum_models enumerate value Value".split())
OF_AIMS, OF_SEARCHES = frozenset(("lower", "upper")), frozenset(("cost",))
AIMS, SEARCHES = frozenset(("minimize", "maximize")), frozenset(("RC2", "RC2Stratified"))
# The fields with the names in a program.
NAME_FIELDS: Mapping[type[ast.AST], str] = {
    ast.Attribute: "attr",
    ast.FunctionDef: "name",
    ast.Name: "id",
    ast.arg: "arg",
}
# Methods that add a value to a list.
COLLECTING = frozenset(("append", "extend", "insert", "appendleft"))

# The names of variables, attributes (with a dot) and functions with values of a solution, in all items so far, and
# which of them also have other values.
_names: set[str] = set()
_mixed: set[str] = set()
_lines: dict[str, set[int]] = {}
# The names of what a model's objectives and PySAT's searches are bound to.
_aims: set[str] = set()
_searches: set[str] = set()
# The number of constraints stated without values of a solution.
_rules = 0


def begin() -> None:
    """Clears the record, since a waiting process has already run a program to load its memory."""
    global _rules
    for each in (_names, _mixed, _lines, _aims, _searches):
        each.clear()
    _rules = 0


def note(tree: ast.Module, name: str) -> None:
    """Records an item's lines before its tree is rewritten."""
    nodes = [*ast.walk(tree)]
    renamed = [*_not_sources(nodes)]
    for node, field, own in renamed:
        # No name in a program has a space.
        setattr(node, field, f"{own} of the author")
    _note(nodes, name)
    for node, field, own in renamed:
        setattr(node, field, own)


def _note(nodes: Sequence[ast.AST], name: str) -> None:
    functions = {each.name: each for each in nodes if isinstance(each, ast.FunctionDef)}
    before, mixed = {*_names}, None
    # A name that also has other values proves nothing, nor does anything derived from it.
    while mixed != len(_mixed):
        mixed = len(_mixed)
        _names.clear()
        _names.update(before - _mixed)
        grow(_names, lambda: (each for node in nodes for each in taking(node, functions, _names) if each not in _mixed))
        _mixed.update(each for node in nodes for each in _having_others(node, functions) if each in _names)
    statements = [each for each in nodes if isinstance(each, ast.stmt) and not hasattr(each, "body")]
    _lines[name] = {line for each in statements if _has(each) for line in lines_of(each)}
    # On a line with another statement that may state a constraint, it is not known which one did.
    _lines[name] -= {line for each in statements if not _has(each) and _may_state(each) for line in lines_of(each)}


def _not_sources(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.AST, str, str]]:
    """Yields the nodes, with the field and the name, that have a source's name, but mean something of the author's.

    An example is a member of an enumeration: `Room.A.value`.
    """
    called = {each.func: each for each in nodes if isinstance(each, ast.Call)}
    own = SOURCES & {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
    _aims.update(_made(nodes, AIMS))
    _searches.update(_made(nodes, SEARCHES))
    for each in nodes:
        field = NAME_FIELDS.get(type(each), "")
        name = getattr(each, field, "")
        is_other = isinstance(each, ast.Attribute) and name in SOURCES and not _is_source(each, called.get(each))
        if name in own or is_other:
            yield each, field, name


def _is_source(node: ast.Attribute, call: ast.Call | None) -> bool:
    """Whether an attribute with a source's name can return a solution's value."""
    of = {*named([node.value])}
    if of & _searches:
        return True
    if node.attr in OF_AIMS:
        return call is not None and (bool(call.args) or bool(of & _aims))
    return call is not None or node.attr not in CALLED | OF_SEARCHES


def _made(nodes: Iterable[ast.AST], makers: Collection[str]) -> Iterator[str]:
    """Yields the names that are bound to what one of these functions returns."""
    for each in nodes:
        if isinstance(each, ast.Assign) and called_name(each.value) in makers:
            yield from named(each.targets)
        elif isinstance(each, ast.withitem) and each.optional_vars and called_name(each.context_expr) in makers:
            yield from named([each.optional_vars])


def _may_state(node: ast.stmt) -> bool:
    """Whether a statement can add to a model: `s.add(…)`, `m += …`."""
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and called_name(node.value) != "print"
    return is_call or (isinstance(node, ast.AugAssign) and not isinstance(node.value, ast.Constant))


def grow(names: set[str], more: Callable[[], Iterable[str]]) -> None:
    """Adds names that depend on these until there are no more."""
    known = -1
    while known < len(names):
        known = len(names)
        names.update([*more()])


def count(name: str, line: int) -> None:
    """Counts a constraint stated on this line of an item."""
    global _rules
    _rules += line not in _lines.get(name, ())


def rules() -> int:
    """Returns the number of constraints stated without values of a solution."""
    return _rules


def has(names: Collection[str], sources: Collection[str], *parts: ast.AST | None) -> bool:
    """Whether code reads one of these names or sources."""
    return any(
        each.id in names
        if isinstance(each, ast.Name)
        else isinstance(each, ast.Attribute) and (each.attr in sources or f".{each.attr}" in names)
        for part in parts
        if part is not None
        for each in ast.walk(part)
    )


def _has(*parts: ast.AST | None) -> bool:
    return has(_names, SOURCES, *parts)


def taking(
    node: ast.AST,
    functions: Mapping[str, ast.FunctionDef],
    names: Collection[str],
    sources: Collection[str] = SOURCES,
) -> Iterator[str]:
    """Yields the names that are assigned a solution's value in this node, by these sources or names."""
    if isinstance(node, ast.Assign) and has(names, sources, node.value):
        yield from named(node.targets)
    elif (
        isinstance(node, (ast.AnnAssign, ast.NamedExpr))
        and has(names, sources, node.value)
        or isinstance(node, (ast.For, ast.comprehension))
        and has(names, sources, node.iter)
    ):
        yield from named([node.target])
    elif isinstance(node, ast.FunctionDef):
        if any(
            isinstance(each, (ast.Return, ast.Yield)) and has(names, sources, each.value) for each in ast.walk(node)
        ):
            yield from (node.name, f".{node.name}")
    elif isinstance(node, ast.Call):
        called, name = node.func, called_name(node)
        if isinstance(called, ast.Attribute) and name in COLLECTING and has(names, sources, *node.args):
            yield from named([called.value])
        if name in functions:
            yield from (each for each, value in _passed(node, functions[name]) if has(names, sources, value))


def called_name(node: ast.AST) -> str:
    """The name of the function or method that a node calls; an empty string for any other node."""
    called = node.func if isinstance(node, ast.Call) else None
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def _passed(call: ast.Call, function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """Yields the arguments of a call by the names of the function's parameters."""
    kinds, values = function.args, [*call.args, *(each.value for each in call.keywords)]
    own = [each.arg for each in [*kinds.posonlyargs, *kinds.args] if each.arg.split()[0] != "self"]
    named = [*own, *(each.arg for each in kinds.kwonlyargs)]
    rest = [each.arg for each in (kinds.vararg, kinds.kwarg) if each]
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        # Each parameter can have any of the values.
        yield from ((name, value) for name in [*named, *rest] for value in values)
        return
    yield from zip(own, call.args)
    by_name = {each.split()[0]: each for each in named}
    yield from ((by_name[each.arg], each.value) for each in call.keywords if each.arg in by_name)
    yield from ((name, value) for name in rest for value in values)


def _having_others(node: ast.AST, functions: dict[str, ast.FunctionDef]) -> Iterator[str]:
    """Yields the names that are assigned any other value in this node, except placeholders for a missing value."""
    if isinstance(node, (ast.For, ast.comprehension)) and not _has(node.iter):
        yield from named([node.target])
    elif isinstance(node, ast.Assign) and not _has(node.value) and not is_nothing(node.value):
        yield from named(node.targets)
    elif isinstance(node, ast.Call) and (function := functions.get(called_name(node))) is not None:
        yield from (each for each, value in _passed(node, function) if not _has(value) and not is_nothing(value))


def is_nothing(value: ast.expr) -> bool:
    """Whether a value is None or an empty collection."""
    if isinstance(value, ast.Constant):
        return value.value is None
    return not any(isinstance(each, (ast.Name, ast.Constant)) for each in ast.walk(value))


def named(targets: Iterable[ast.expr]) -> Iterator[str]:
    """Yields the names of the variables and attributes (with a dot) that these targets change."""
    for each in targets:
        if isinstance(each, (ast.Tuple, ast.List)):
            yield from named(each.elts)
        elif isinstance(each, (ast.Subscript, ast.Starred)):
            yield from named([each.value])
        elif isinstance(each, (ast.Name, ast.Attribute)):
            yield each.id if isinstance(each, ast.Name) else f".{each.attr}"
