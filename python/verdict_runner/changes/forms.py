"""Replaces forms of code by others that do the same for all objects, whatever methods their classes define."""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Sequence

from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    # `not a == b` is not one of these: a class can define both operators.
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
CONVERSIONS = {None: -1, "r": ord("r"), "s": ord("s"), "a": ord("a")}


class Forms(ast.NodeTransformer):
    """Rewrites the code of functions, in place."""

    def __init__(self, has_texts: bool, is_builtin: Callable[[str], bool]) -> None:
        self._has_texts = has_texts
        self._is_builtin = is_builtin
        # How many functions are around a node.
        self._depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: FunctionNode) -> ast.AST:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        documented = self._has_texts and ast.get_docstring(node, clean=False) is not None
        node.body = [*node.body[:documented], *_tail(_block(node.body[documented:]))]
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        is_plain = self._depth and not isinstance(node, (*FUNCTIONS, ast.ClassDef))
        for name in ("body", "orelse", "finalbody") if is_plain else ():
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                setattr(node, name, _block(block) or ([ast.Pass()] if name == "body" else []))
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        match node.body, node.orelse:
            case [ast.If(test, body, [])], [] if self._depth:
                parts = [*_conjuncts(node.test), *_conjuncts(test)]
                return ast.If(ast.BoolOp(ast.And(), parts), body, [])
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.Not(), ast.Compare(left, [op], right)) if type(op) in FLIPPED:
                return ast.Compare(left, [FLIPPED[type(op)]()], right)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(node.value)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Attribute(ast.Constant(str() as text), "format"), args, []):
                return self._formatted(text, args) or node
        return node

    def _formatted(self, text: str, args: Sequence[ast.expr]) -> ast.JoinedStr | None:
        """The f-string that does the same as `text.format(*args)`; None if there may be no such string.

        An f-string formats each value before it evaluates the next one.
        """
        shown = [self._converted(each) for each in args]
        has_values = not all(isinstance(each, ast.Constant) for each in args[1:])
        if any(isinstance(each, ast.Starred) for each in args) or (has_values and not all(shown)):
            return None
        parts: list[ast.expr] = []
        waiting = [*zip(args, shown)]
        try:
            for literal, place, form, conversion in string.Formatter().parse(text):
                parts += [ast.Constant(literal)] if literal else []
                if place is None:
                    continue
                if (
                    place
                    or not waiting
                    or "{" in (form or "")
                    or conversion not in CONVERSIONS
                    or (form and has_values)
                ):
                    return None
                value, made = waiting.pop(0)
                spec = ast.JoinedStr([ast.Constant(form)]) if form else None
                shown_value, how = made if made is not None and conversion is None else (value, CONVERSIONS[conversion])
                parts.append(ast.FormattedValue(shown_value, how, spec))
        except ValueError:
            return None
        # A string of nothing but one value can be an object of another class.
        whole = _merged(parts)
        return ast.JoinedStr(whole) if not waiting and args and len(whole) > 1 else None

    def _converted(self, node: ast.expr) -> tuple[ast.expr, int] | None:
        """The value and the conversion of a text that Python makes of a value before it formats the text."""
        match node:
            case ast.Constant():
                return node, -1
            case ast.Call(ast.Name("repr" | "ascii" as name), [ast.expr() as value], []) if self._is_builtin(name):
                return None if isinstance(value, ast.Starred) else (value, ord(name[0]))
            case _:
                return None


def _merged(parts: Sequence[ast.expr]) -> list[ast.expr]:
    """Joins neighbouring texts."""
    made: list[ast.expr] = []
    for each in parts:
        last = made[-1] if made else None
        if isinstance(each, ast.Constant) and isinstance(last, ast.Constant):
            made[-1] = ast.Constant(f"{last.value}{each.value}")
        else:
            made.append(each)
    return made


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _block(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements without those that do nothing, and without choices that can be an `if` without `else`."""
    done: list[ast.stmt] = []
    waiting = [*statements][::-1]
    while waiting:
        match waiting.pop():
            case ast.Pass() | ast.Expr(ast.Constant()):
                pass
            case ast.Return(ast.IfExp(test, chosen, other)):
                waiting += [ast.Return(other), ast.If(test, _block([ast.Return(chosen)]), [])]
            case ast.If(
                test, [*_, ast.Return() | ast.Raise() | ast.Break() | ast.Continue()] as body, [_, *_] as orelse
            ):
                waiting += [*orelse[::-1], ast.If(test, body, [])]
            case ast.Return(ast.Constant(None)):
                done.append(ast.Return(None))
            case each:
                done.append(each)
    return done


def _tail(block: list[ast.stmt]) -> list[ast.stmt]:
    """A function's block without a last `return None`."""
    end = len(block)
    while end and isinstance(last := block[end - 1], ast.Return) and _is_none(last.value):
        end -= 1
    return block[:end]


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)
