"""Applies the rules for code under test to what icontract evaluates in order to report a violation.

icontract finds a lambda's text by its lines, parses the text again, and evaluates each part with Python's own builtins
and attributes. The text could be inside a string, and its parts need not be those that ran.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

import icontract._recompute
import icontract._represent

from verdict_runner.sandbox import allowed, guards

_Comprehension: TypeAlias = "ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp"
_Node = TypeVar("_Node", bound=ast.AST)

# The checked lambdas of the code under test, as dumps of their syntax trees.
_checked: set[str] = set()


def checked(tree: ast.AST) -> None:
    """Records the lambdas in a syntax tree that contains nothing forbidden."""
    _checked.update(ast.dump(node) for node in ast.walk(tree) if isinstance(node, ast.Lambda))


def confine() -> None:
    """Makes icontract evaluate conditions according to Verdict's rules.

    Called once, before any code under test runs.
    """
    icontract._recompute.Visitor = _Visitor
    inspect = icontract._represent.inspect_lambda_condition

    @functools.wraps(inspect)
    def inspect_checked(condition: Callable[..., object]) -> icontract._represent.ConditionLambdaInspection | None:
        inspection = inspect(condition=condition)
        if inspection is not None and ast.dump(inspection.node) not in _checked:
            raise guards.stopped(
                RuntimeError,
                "the library icontract would read a different text for a condition than the checked one: no line "
                "of a "
                "decorator begin with @, def or class, not even in a string, and give the condition as a lambda",
            )
        return inspection

    icontract._represent.inspect_lambda_condition = inspect_checked


class _Visitor(icontract._recompute.Visitor):
    """Evaluates a condition's parts with the same builtins and guards as the code under test."""

    def __init__(self, variable_lookup: list[Mapping[str, Any]]) -> None:
        super().__init__(variable_lookup)
        own = vars(sys.modules[guards.MODULE])["__builtins__"]
        # Names that only statements need, and constants, are not variables of an expression.
        self._builtins = {
            name: value
            for name, value in own.items()
            if name not in ("None", "True", "False", "__import__", "__build_class__")
        }

    def visit_Name(self, node: ast.Name) -> object:
        if self._name_to_value.get(node.id) is not None or node.id not in self._builtins:
            self._refuse_foreign(node)
            return super().visit_Name(node)
        value = self.recomputed_values[node] = self._builtins[node.id]
        return value

    def visit_Attribute(self, node: ast.Attribute) -> object:
        value = self.visit(node.value)
        if value is icontract._recompute.PLACEHOLDER:
            return value
        attribute = guards.read(value, node.attr)
        # icontract does not show methods, and Verdict's replacement for a string method does not look like one.
        if node.attr not in allowed.FORMATTING:
            self.recomputed_values[node] = attribute
        return attribute

    def visit_FormattedValue(self, node: ast.FormattedValue) -> object:
        format_spec = self.visit(node.format_spec) if node.format_spec else ""
        value = self.visit(node.value)
        placeholder = icontract._recompute.PLACEHOLDER
        if format_spec is placeholder or value is placeholder:
            return placeholder
        convert = {115: str, 114: repr, 97: ascii}.get(node.conversion, lambda value: value)
        return format(convert(value), format_spec)

    def _execute_comprehension(self, node: _Comprehension) -> object:
        return self._with_builtins(super()._execute_comprehension, self._guarded(node))

    def _trace_all_with_generator(self, func: Callable[..., object], node: ast.Call) -> object:
        return self._with_builtins(super()._trace_all_with_generator, func, self._guarded(node))

    def _with_builtins(self, evaluate: Callable[..., object], *arguments: object) -> object:
        """Evaluates a comprehension, compiled as a function whose parameters are all variables and builtins."""
        variables = self._name_to_value
        known = {name: value for name, value in variables.items() if value is not None or name not in self._builtins}
        self._name_to_value = {**self._builtins, **known}
        try:
            return evaluate(*arguments)
        finally:
            self._name_to_value = variables

    def _guarded(self, node: _Node) -> _Node:
        parts = list(ast.walk(node))
        for each in parts:
            if isinstance(each, ast.Name):
                self._refuse_foreign(each)
        needs_guards = any(isinstance(each, ast.Attribute) and guards.guard_of(each.attr) for each in parts)
        return guards.rewrite(copy.deepcopy(node)) if needs_guards else node

    def _refuse_foreign(self, node: ast.Name) -> None:
        """Rejects Python's builtins that the code under test does not have."""
        is_known = node.id in self._builtins or self._name_to_value.get(node.id) is not None
        if hasattr(builtins, node.id) and not is_known:
            raise NameError(f"name {node.id!r} is not defined")
