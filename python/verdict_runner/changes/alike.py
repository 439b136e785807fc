"""Decides whether two versions of a function are the same code apart from the names of its parameters.

Only the function's own definition is rewritten; everything else must be the same code (`live.py`). The rewritten function does
what the function does in each call that passes the renamed parameters by position.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from verdict_runner.changes import functions, live
from verdict_runner.changes.functions import copied
from verdict_runner.changes.normal import is_empty
from verdict_runner.symbolic.code.mentions import SCOPES, FunctionNode, arguments_of, binding, named, top

# Names through which code can read the names of variables, messages with them, or the text of code.
READERS = frozenset("locals vars dir eval exec globals compile breakpoint".split())
READING = frozenset(
    "signature getfullargspec getargspec getcallargs _getframe currentframe stack f_locals f_code tb_frame gi_frame gi_code "
    "__code__ co_varnames __kwdefaults__ __globals__ __annotations__ get_type_hints __signature__ __dict__ __getattribute__ "
    "__getattr__ attrgetter methodcaller traceback format_exc format_exception format_tb format_stack extract_tb extract_stack "
    "print_exc TracebackException StackSummary exc_info __exit__ __context__ __cause__ __traceback__".split()
)
ASKING = frozenset(("isinstance", "issubclass"))
TYPES = frozenset("bool bytearray bytes complex dict float frozenset int list object range set slice str tuple".split())


def renames(modules: Sequence[ast.Module], whole: Sequence[live.Module], name: str) -> list[tuple[str, str]] | None:
    """Returns the renamed parameters that a call can pass by name, with the older name first, if both versions are the same
    code apart from names and variables for types; None if they are not.
    """
    try:
        return _renames(modules, whole, name)
    except RecursionError:
        return None


def _renames(modules: Sequence[ast.Module], whole: Sequence[live.Module], name: str) -> list[tuple[str, str]] | None:
    found = [functions.found_in(each)[name] for each in modules]
    nodes = [each.last for each in found]
    if not all(each.plain and len(each.nodes) == 1 for each in found):
        return None
    if not _can_be_alike(nodes) or any(map(_reads_names, modules)):
        return None
    # Python's own code can call a method of a class that, or of which a subclass, has a base of Python's.
    if any(name.partition(".")[0] in each.open for each in whole):
        return None
    # Only the statement that is rewritten is copied.
    own = [[_with_copy(each, node) for each in module.body] for module, node in zip(modules, nodes)]
    copies = [ast.Module(each, []) for each in own]
    nodes = [functions.found_in(each)[name].last for each in copies]
    pairs = _renamed(copies, nodes, name)
    if pairs is None:
        return None
    for module, node in zip(copies, nodes):
        _write_types_in_place(module, node)
    reached = [live.Module(each.body) for each in copies]
    return pairs if live.difference(reached, whole, name) is None else None


def _with_copy(statement: ast.stmt, node: FunctionNode) -> ast.stmt:
    return copied(statement) if any(each is node for each in ast.walk(statement)) else statement


def _can_be_alike(nodes: Sequence[FunctionNode]) -> bool:
    """Whether a look at the two functions finds a form that can be rewritten."""
    if any(node.decorator_list or isinstance(node, ast.AsyncFunctionDef) for node in nodes):
        return False
    parameters = [[each.arg for each in arguments_of(node)] for node in nodes]
    is_renamed = len(parameters[0]) == len(parameters[1]) and parameters[0] != parameters[1]
    return is_renamed or any(_types_in(node) for node in nodes)


def _reads_names(module: ast.Module) -> bool:
    """Whether code can read the names of variables or messages, or find attributes by computed names."""
    calls = {each.func: each for each in ast.walk(module) if isinstance(each, ast.Call)}
    for each in ast.walk(module):
        text = each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else ""
        if READING & {*_named(each), getattr(each, "attr", ""), text} or READERS & {*_named(each), text}:
            return True
        if isinstance(each, ast.ExceptHandler) and each.name:
            return True
        if isinstance(each, ast.Name) and each.id == "getattr":
            given = calls[each].args if each in calls else []
            if len(given) < 2 or not isinstance(given[1], ast.Constant):
                return True
    return False


def _named(node: ast.AST) -> list[str]:
    """The names that a node itself binds or looks up, including the first name of `import a.b`."""
    return [node.name, node.asname or top(node.name)] if isinstance(node, ast.alias) else [*named(node)]


# ---- Parameters.


def _renamed(modules: Sequence[ast.Module], nodes: Sequence[FunctionNode], name: str) -> list[tuple[str, str]] | None:
    """Gives the newer version's parameters the older names; None if that could change what a call does."""
    one, other = (node.args for node in nodes)
    places = [[*each.posonlyargs, *each.args, each.vararg, each.kwarg] for each in (one, other)]
    if len(places[0]) != len(places[1]) or len(one.posonlyargs) != len(other.posonlyargs):
        return None
    if any((a is None) != (b is None) for a, b in zip(*places)):
        return None
    pairs = [(a, b) for a, b in zip(*places) if a is not None and b is not None and a.arg != b.arg]
    by_name = [(a.arg, b.arg) for a, b in pairs if a in one.args]
    older, newer = {a.arg for a, _ in pairs}, {b.arg for _, b in pairs}
    if older & newer or any(each.startswith("__") for each in older | newer) or (by_name and one.kwarg):
        return None
    if any(_can_pass_by_name(each, older | newer, name) for each in modules if pairs):
        return None
    if _binds_elsewhere(nodes[1], older | newer) or any(older & {*_named(each)} for each in _inside(nodes[1])):
        return None
    names = {b.arg: a.arg for a, b in pairs}
    for a, b in pairs:
        b.arg = a.arg
    for each in nodes[1].body:
        for inner in ast.walk(each):
            if isinstance(inner, ast.Name):
                inner.id = names.get(inner.id, inner.id)
    return by_name


def _can_pass_by_name(module: ast.Module, names: set[str], function: str) -> bool:
    """Whether code could pass one of these parameters by its name, or uses the function as a value."""
    last = function.rpartition(".")[2]
    calls = {each.func for each in ast.walk(module) if isinstance(each, ast.Call)}
    for each in ast.walk(module):
        if isinstance(each, ast.keyword) and (each.arg is None or each.arg in names):
            return True
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value in names | {last}:
            return True
        is_function = isinstance(each, (ast.Name, ast.Attribute)) and last == getattr(
            each, "id", getattr(each, "attr", "")
        )
        if is_function and each not in calls:
            return True
    return "." in function and (last.startswith("__") or _has_classes_of_others(module))


def _has_classes_of_others(module: ast.Module) -> bool:
    """Whether Python's own code could call a method, since a class has another base, a metaclass or a decorator."""
    classes = [each for each in ast.walk(module) if isinstance(each, ast.ClassDef)]
    known = {"object", *(each.name for each in classes)}
    return any(
        each.keywords
        or each.decorator_list
        or not all(isinstance(base, ast.Name) and base.id in known for base in each.bases)
        for each in classes
    )


def _binds_elsewhere(node: FunctionNode, names: set[str]) -> bool:
    """Whether anything but a plain use of a variable has one of these names: in another scope, or outside of the body."""
    outside = [*node.args.defaults, *filter(None, node.args.kw_defaults), *filter(None, [node.returns])]
    outside += [each.annotation for each in arguments_of(node) if each.annotation]
    if any(names & {*_named(each)} for root in outside for each in ast.walk(root)):
        return True
    for each in _inside(node):
        if not isinstance(each, ast.Name) and (isinstance(each, ast.ClassDef) or names & {*_named(each)}):
            return bool(names)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Del) and each.id in names:
            return True
        for inner in _inside(each) if isinstance(each, SCOPES) else ():
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load) and inner.id in names:
                return True
    return False


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes inside a function, a class or a comprehension, apart from its own parameters."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.arguments):
            yield from ast.walk(child)


# ---- Variables for types.


def _types_in(node: FunctionNode) -> ast.Assign | None:
    """The first statement if it assigns a tuple of names to a variable."""
    first = next((each for each in node.body if not is_empty(each)), None)
    match first:
        case ast.Assign([ast.Name()], ast.Tuple([*items])) if all(isinstance(each, ast.Name) for each in items):
            return first
        case _:
            return None


def _write_types_in_place(module: ast.Module, node: FunctionNode) -> None:
    """Writes a variable that only names some of Python's types where `isinstance` uses it."""
    statement = _types_in(node)
    if statement is None or not isinstance(statement.value, ast.Tuple):
        return
    (target,) = statement.targets
    name, types = getattr(target, "id", ""), {getattr(each, "id", "") for each in statement.value.elts}
    bound = [
        one
        for each in ast.walk(node)
        if not isinstance(each, ast.keyword) and not isinstance(getattr(each, "ctx", None), ast.Load)
        for one in _named(each)
    ]
    stated = [one for each in ast.walk(module) if isinstance(each, (ast.Global, ast.Nonlocal)) for one in each.names]
    others = {*bound, *stated, *(one for each in module.body for one in binding(each)), "*"}
    inside = [each for root in node.body for each in ast.walk(root)]
    used = {each for each in inside if isinstance(each, ast.Name) and each.id == name}
    asked = [
        each
        for each in inside
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in ASKING
        if len(each.args) == 2 and not each.keywords and each.args[1] in used
    ]
    has_stars = any(isinstance(each, ast.alias) and each.name == "*" for each in ast.walk(module))
    if (TYPES | ASKING) & others or not types <= TYPES or bound.count(name) != 1 or has_stars:
        return
    mentioned = sum(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))
    if len(asked) + 1 != mentioned:
        return
    for each in asked:
        each.args[1] = copied(statement.value)
    node.body.remove(statement)
