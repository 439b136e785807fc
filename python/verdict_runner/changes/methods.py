"""Methods as functions: taken out of their class, where that changes nothing else."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from verdict_runner.changes.unfit import Unfit
from verdict_runner.sandbox import allowed
from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode

RECORDS = ("dataclass", "dataclasses.dataclass")
OF_CLASS = ("super", "__class__")


def lift(trees: Mapping[str, ast.Module], names: Mapping[str, str]) -> dict[str, str]:
    """Makes a method of both modules a function at the top level, and gives its names; raises `Unfit`."""
    names_by_side = {}
    for side, tree in trees.items():
        owner, _, method = names[side].rpartition(".")
        if not owner:
            raise Unfit("it is a method in one version, and a function in the other")
        if "." in owner:
            raise Unfit("it is a method of a class inside of another one")
        name = f"{owner}_{method}"
        if any(getattr(each, "id", getattr(each, "name", None)) == name for each in ast.walk(tree)):
            raise Unfit(f"its module has the name {name} already")
        _lift(tree, owner, method, name)
        names_by_side[side] = name
    return names_by_side


def refuse_callers(parts: Mapping[str, Sequence[ast.stmt]], method: str) -> None:
    """Code of other modules that calls a method which was taken out of its class would not find it."""
    for statements in parts.values():
        if any(
            isinstance(each, ast.Attribute) and each.attr == method for node in statements for each in ast.walk(node)
        ):
            raise Unfit(f"other code of its repository calls a method {method}, too")


def _lift(tree: ast.Module, owner: str, method: str, name: str) -> None:
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == owner]
    if len(classes) != 1:
        raise Unfit(f"the class {owner} is not defined once at the top level of its module")
    of = classes[0]
    nodes = [each for each in of.body if isinstance(each, FUNCTIONS) and each.name == method]
    if len(nodes) != 1:
        raise Unfit(f"{owner}.{method} is not defined once in its class")
    node = nodes[0]
    decorators = [ast.unparse(each) for each in node.decorator_list]
    _refuse(node, owner, decorators)
    node.decorator_list = []
    node.name = name
    if decorators != ["staticmethod"]:
        _without_self(node) if not _uses_first(node) else _as_record(tree, of, node, method)
    of.body = [each for each in of.body if each is not node] or [ast.Pass()]
    tree.body.insert(tree.body.index(of) + 1, node)


def _refuse(node: FunctionNode, owner: str, decorators: list[str]) -> None:
    if decorators not in ([], ["staticmethod"], ["classmethod"], ["property"]):
        raise Unfit(f"it is a method of {owner} with decorators ({', '.join(decorators)})")
    for each in ast.walk(node):
        text = getattr(each, "id", None) or getattr(each, "attr", None) or ""
        if text in OF_CLASS:
            raise Unfit(f"it is a method of {owner} that uses {text}")
        if text.startswith("__") and not allowed.is_dunder(text):
            raise Unfit(f"it is a method of {owner} that uses the private name {text}")


def _first(node: FunctionNode) -> ast.arg:
    parameters = [*node.args.posonlyargs, *node.args.args]
    if not parameters:
        raise Unfit("it is a method without a first parameter")
    return parameters[0]


def _uses_first(node: FunctionNode) -> bool:
    name = _first(node).arg
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _without_self(node: FunctionNode) -> None:
    parameters = node.args.posonlyargs or node.args.args
    if len(node.args.defaults) == len([*node.args.posonlyargs, *node.args.args]):
        node.args.defaults = node.args.defaults[1:]
    del parameters[0]


def _as_record(tree: ast.Module, of: ast.ClassDef, node: FunctionNode, method: str) -> None:
    """The object becomes a parameter, for classes whose objects are made of their fields."""
    decorators = {ast.unparse(each.func if isinstance(each, ast.Call) else each) for each in of.decorator_list}
    bases = {ast.unparse(each) for each in of.bases}
    if not decorators & {*RECORDS} and not bases & {"NamedTuple", "typing.NamedTuple"}:
        raise Unfit(
            f"it is a method of {of.name}, whose objects can't be made from their types: only those of dataclasses and named tuples can"
        )
    if allowed.is_dunder(method):
        raise Unfit(f"it is a method of {of.name} that Python itself calls")
    if any(isinstance(each, ast.Attribute) and each.attr == method for each in ast.walk(tree)):
        raise Unfit(f"it is a method of {of.name} that other code of its module calls, too")
    first = _first(node)
    if first.annotation is None:
        first.annotation = ast.Name(of.name, ast.Load())
