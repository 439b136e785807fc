"""Writes the docstring conditions of called functions as asserts into their bodies.

A caller has to meet the preconditions of the functions it calls, in whatever style they are written. Conditions of
icontract and deal are active in each call, and leading asserts are code, but Python itself ignores docstrings.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Sequence
from dataclasses import dataclass, field

from verdict_runner.symbolic.code import targets
from verdict_runner.symbolic.code.flow import ends
from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode, named, own_nodes, top
from verdict_runner.symbolic.contracts import asserts, pep316
from verdict_runner.symbolic.contracts.pep316 import RENAMED


@dataclass
class Called:
    """What was done with the conditions of called functions."""

    # The functions into which conditions were written as asserts.
    owners: set[str] = field(default_factory=set)
    # Conditions that nothing checks.
    notes: list[str] = field(default_factory=list)
    # Lines of statements that could hide a broken condition from the caller.
    hiding: list[int] = field(default_factory=list)

    def hazards(self, declares: bool) -> list[str]:
        """Why nothing is proved about a function that calls these; `declares` says whether it declares exceptions."""
        hides = bool(self.owners) and (declares or bool(self.hiding))
        where = f"line {self.hiding[0]}" if self.hiding else "a declared exception"
        broken = f"{where} can hide that a called function's contract is violated"
        return [*self.notes, *([broken] if hides else [])]


def enforce(tree: ast.Module, checked: str, and_own: bool = True) -> Called:
    """Writes the conditions into the functions of a tree, in place.

    The checked function's own postconditions are not written and, without `and_own`, neither are its preconditions.
    """
    called = Called()
    nodes = [*ast.walk(tree)]
    known = {*dir(builtins), *(name for each in nodes for name in named(each))}
    known |= {top(each.name) for each in nodes if isinstance(each, ast.alias)}
    target = targets.definition(tree, checked)
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            is_own = node is target or (node in tree.body and node.name == checked)
            if not is_own or and_own:
                _write(node, called, known, is_own)
        elif isinstance(node, (ast.Try, ast.With)):
            called.hiding.append(node.lineno)
    own = targets.last(checked)
    if not any(getattr(each, "id", getattr(each, "attr", None)) == own for each in nodes):
        called.owners.discard(own)
    return called


def is_stated(statement: ast.stmt) -> bool:
    """Whether an assert comes from a docstring; the code's own asserts are indented."""
    return isinstance(statement, ast.Assert) and statement.col_offset == 0


def _write(node: FunctionNode, called: Called, known: set[str], is_own: bool) -> None:
    before: list[ast.stmt] = []
    promises: list[ast.Assert] = []
    own = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    result = next(each for each in ("_", "returned", "returned_", "returned__") if each not in own)
    for what, condition, line, _ in pep316.conditions(node):
        names = {each.id for each in ast.walk(condition) if isinstance(each, ast.Name)} if condition else set()
        bound = (
            {name for each in ast.walk(condition) if not _is_read(each) for name in named(each)} if condition else ()
        )
        if names.difference(known, bound, RENAMED) or (what == "post" and is_own):
            continue
        written = None if condition is None else asserts.placed(_Result(result).visit(copy.deepcopy(condition)), line)
        if written is None or not _can_be_written(node, what, names):
            kind = "precondition" if what == "pre" else "postcondition"
            called.notes.append(f"line {line}: nothing checks this {kind} of {node.name} where it is called")
            continue
        (promises if what == "post" else before).append(_assert(written, line))
    if before or promises:
        called.owners.add(node.name)
    if promises:
        node.body = [*_Promising(promises, result).block(node.body)]
    node.body[1:1] = before


def _is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _assert(condition: ast.expr, line: int) -> ast.Assert:
    return ast.Assert(condition, None, lineno=line, end_lineno=line, col_offset=0, end_col_offset=0)


def _can_be_written(node: FunctionNode, what: str, names: set[str]) -> bool:
    """Whether a condition can be written as an assert.

    A condition can't be written in a generator, which runs later. Nor can it be written if it uses values from before
    the call, or variables that change during the call, or if other code on the same line could raise an exception.
    """
    if len(node.body) > 1 and node.body[1].lineno <= (node.body[0].end_lineno or 0):
        return False
    inside = [*own_nodes(node)]
    if isinstance(node, ast.AsyncFunctionDef) or any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in inside):
        return False
    changed = {each.id for each in inside if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    return "__old__" not in names and not (names & (changed if what == "post" else RENAMED.keys()))


class _Result(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._name, node.ctx) if node.id in ("_", "__return__") else node


class _Promising(ast.NodeTransformer):
    """Inserts asserts before each return of a function."""

    def __init__(self, promises: Sequence[ast.Assert], result: str) -> None:
        self._promises = promises
        self._result = result

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrites the function's body; a run that reaches the end of the body returns None."""
        if not ends(body):
            body = [*body, ast.copy_location(ast.Return(None), body[-1])]
        return self.visit(ast.Module(body, [])).body

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        value = node.value or ast.copy_location(ast.Constant(None), node)
        kept = ast.copy_location(ast.Assign([ast.Name(self._result, ast.Store())], value), node)
        given = ast.copy_location(ast.Return(ast.Name(self._result, ast.Load())), node)
        return [*map(ast.fix_missing_locations, (kept, *copy.deepcopy(self._promises), given))]

    def _left(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _left
