"""Generators as plain functions, which give the items that a generator gives when it is read to its end."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

from verdict_runner.changes.functions import arguments_of, own_nodes
from verdict_runner.symbolic.code.mentions import FunctionNode
from verdict_runner.symbolic.code.reach import is_fixed

SUFFIX = "_read_to_end"
# Names of Python that the function uses.
USED = frozenset(("Exception", "type"))
NOTE = (
    "They are generators: compared is the list of their items when they are read to the end, and the exception that "
    "ends them."
)


def is_generator(node: FunctionNode) -> bool:
    """Whether a call of the function gives a generator."""
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return False
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in own_nodes(node.body))


def can_be_read_out(node: FunctionNode, bound: set[str]) -> bool:
    """Whether a function with the same parameters can call it: with defaults that keep nothing, in a module that leaves
    the names of Python alone.
    """
    defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    return all(map(is_fixed, defaults)) and not (bound & USED) and node.name not in _names(node)


def read_out(node: FunctionNode, fresh: Callable[[str], str]) -> ast.FunctionDef:
    """A function that reads the generator to its end. An exception before the first item is raised as it is."""
    names = _names(node)
    items, item, error = (_free(each, names) for each in ("items", "item", "error"))
    function = ast.parse(
        f"def {fresh(node.name + SUFFIX)}():\n"
        f"    {items} = []\n"
        "    try:\n"
        f"        for {item} in {ast.unparse(_call(node))}:\n"
        f"            {items}.append({item})\n"
        f"    except Exception as {error}:\n"
        f"        if not {items}:\n"
        "            raise\n"
        f"        return {items}, type({error}).__name__\n"
        f"    return {items}, ''\n"
    ).body[0]
    assert isinstance(function, ast.FunctionDef)
    function.args = copy.deepcopy(node.args)
    return function


def _call(node: FunctionNode) -> ast.Call:
    """A call with the parameters as arguments."""
    parameters = node.args
    places: list[ast.expr] = [ast.Name(each.arg, ast.Load()) for each in (*parameters.posonlyargs, *parameters.args)]
    if parameters.vararg:
        places.append(ast.Starred(ast.Name(parameters.vararg.arg, ast.Load()), ast.Load()))
    names = [ast.keyword(each.arg, ast.Name(each.arg, ast.Load())) for each in parameters.kwonlyargs]
    if parameters.kwarg:
        names.append(ast.keyword(None, ast.Name(parameters.kwarg.arg, ast.Load())))
    return ast.Call(ast.Name(node.name, ast.Load()), places, names)


def _names(node: FunctionNode) -> set[str]:
    return {each.arg for each in arguments_of(node)}


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
