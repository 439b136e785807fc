"""Converts code to a form that depends only on its meaning, so that equal forms are the same code."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verdict_runner.changes.forms import Forms
from verdict_runner.changes.functions import copied, without_docstring
from verdict_runner.changes.references import References
from verdict_runner.changes.variables import renamed
from verdict_runner.symbolic.code.loading import TYPE_PARTS
from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode, arguments_of


class Asked(ast.NodeTransformer):
    """Restores `x.__class__`, which can be something other than `type(x)`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Attribute(node.args[0], "__class__", ast.Load()) if hasattr(node, "was_attribute") else node


class Normal(ast.NodeTransformer):
    """Converts code to a form that depends only on its meaning: without texts."""

    def __init__(self, has_texts: bool, has_object: bool, references: References | None) -> None:
        """`has_object` says whether a base class `object` means nothing. Without `references`, code keeps its form."""
        self._has_texts = has_texts
        self._has_object = has_object
        self._references = references
        self._is_local = False

    def of(self, node: ast.AST) -> ast.AST | None:
        """The normal form of a member of a class or of a statement; None if it only names objects of Python."""
        try:
            return self._without_texts(node) if self._references is None else self._formed(node, self._references)
        except RecursionError:
            # The other form takes more of Python's stack.
            return self._without_texts(node)

    def _without_texts(self, node: ast.AST) -> ast.AST | None:
        return self.visit(copied(node) if self._has_texts else bare(node))

    def _formed(self, node: ast.AST, references: References) -> ast.AST | None:
        made = self._without_texts(node)
        known = made and references.visit(made)
        if known is None:
            return None
        formed = Forms(self._has_texts, references.is_builtin).visit(known)
        for each in _outermost(formed):
            renamed(each)
        return formed

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._inside(node, True)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._inside(node, True)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._inside(node, False)
        if self._has_object and not node.keywords:
            node.bases = [each for each in node.bases if ast.unparse(each) != "object" or len(node.bases) > 1]
        return node

    def _inside(self, node: ast.AST, is_local: bool) -> ast.AST:
        was_local, self._is_local = self._is_local, is_local
        self.generic_visit(node)
        self._is_local = was_local
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if self._references and not self._has_texts and not self._is_local and self._references.is_type_alias(node):
            return None
        self.generic_visit(node)
        is_plain = self._is_local and not self._has_texts and is_assignment(node)
        return ast.Assign([node.target], node.value) if is_plain and node.value else node


def _outermost(node: ast.AST) -> Iterator[FunctionNode]:
    """The functions in a node that are in no other function."""
    if isinstance(node, FUNCTIONS):
        yield node
    else:
        for each in ast.iter_child_nodes(node):
            yield from _outermost(each)


def bare(node: ast.AST, keeps_types: bool = False) -> ast.AST:
    """A copy without docstrings and, unless it `keeps_types`, without the annotations of functions that nothing decorates."""
    bare = copied(node)
    for each in ast.walk(bare):
        if isinstance(each, (*FUNCTIONS, ast.ClassDef)):
            without_docstring(each)
        if isinstance(each, FUNCTIONS) and not each.decorator_list and not keeps_types:
            each.returns = _acting_type(each.returns)
            for argument in arguments_of(each):
                argument.annotation = _acting_type(argument.annotation)
    return bare


def _acting_type(annotation: ast.expr | None) -> ast.expr | None:
    """An annotation that does more than name a type; None for others."""
    is_type = annotation is None or all(isinstance(each, TYPE_PARTS) for each in ast.walk(annotation))
    return None if is_type else annotation


def is_assignment(node: ast.stmt) -> bool:
    """Whether a statement only assigns to names."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return bool(targets) and all(isinstance(each, ast.Name) for each in targets)


def is_empty(node: ast.stmt) -> bool:
    """Whether a statement does nothing."""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
