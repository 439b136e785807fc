"""The functions of a module, each with a fingerprint of its code: found in the syntax tree, without running it."""

from __future__ import annotations

import ast
import copy
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode, arguments_of, own_nodes, root_of

# Text in a docstring that states conditions, as `contracts/pep316.py` reads them.
STATED = re.compile(r"(?m)^\s*:?(pre|post)\s*(\[[^\]]*\])?\s*:")
# What stands for a function's own name in its code: no name of a variable.
SELF = "<own>"
CONTRACT_PACKAGES = frozenset(("icontract", "deal"))
# Decorators of definitions that only describe types.
OVERLOADS = frozenset(("overload", "typing.overload", "t.overload", "typing_extensions.overload"))


@dataclass(frozen=True)
class Found:
    """A function or method of a module."""

    # Such as `f` or `Class.method`.
    name: str
    nodes: Sequence[FunctionNode]
    # Whether it is defined at the top level, or in a class there: not inside of an `if` or `try`.
    plain: bool

    @property
    def last(self) -> FunctionNode:
        return self.nodes[-1]

    @property
    def line(self) -> int:
        return self.last.lineno

    @property
    def end_line(self) -> int:
        return self.last.end_lineno or self.line

    @property
    def is_method(self) -> bool:
        return "." in self.name

    def code(self) -> str:
        """A hash of all that can change what a call does: no comments, docstrings or positions, and no name."""
        return _hash([ast.dump(code_of(each)) for each in self.nodes])

    def text(self) -> str:
        """A hash of the whole definition, with docstring and annotations."""
        return _hash([ast.dump(each) for each in self.nodes])


def found_in(tree: ast.Module) -> dict[str, Found]:
    """The functions and methods of a module by their names; several definitions of one name are one function."""
    nodes: dict[str, list[FunctionNode]] = {}
    plain: dict[str, bool] = {}
    for name, node, is_plain in _definitions(tree.body, "", True):
        if any(ast.unparse(each) in OVERLOADS for each in node.decorator_list):
            continue
        nodes.setdefault(name, []).append(node)
        plain[name] = plain.get(name, True) and is_plain
    return {name: Found(name, each, plain[name]) for name, each in nodes.items()}


def _definitions(body: Sequence[ast.AST], prefix: str, is_plain: bool) -> Iterator[tuple[str, FunctionNode, bool]]:
    for node in body:
        if isinstance(node, FUNCTIONS):
            yield f"{prefix}{node.name}", node, is_plain
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, f"{prefix}{node.name}.", is_plain)
        elif isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _definitions([*ast.iter_child_nodes(node)], prefix, False)


def code_of(node: FunctionNode) -> FunctionNode:
    """A copy of a function without its docstring, and without annotations where no decorator can read them; its own
    name is replaced, so that a function with another name has the same code.
    """
    bare = copy.deepcopy(node)
    without_docstring(bare)
    if not bare.decorator_list:
        without_annotations(bare)
    own = bare.name
    for each in ast.walk(bare):
        if isinstance(each, ast.Name) and each.id == own:
            each.id = SELF
    bare.name = SELF
    return bare


def without_docstring(node: FunctionNode) -> None:
    if ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:] or [ast.Pass()]


def without_annotations(node: ast.AST) -> None:
    """Takes away the annotations of all functions in this code; those of classes stay, which can make fields of them."""
    for each in ast.walk(node):
        if isinstance(each, FUNCTIONS):
            each.returns = None
            for argument in arguments_of(each):
                argument.annotation = None


def has_contract(node: FunctionNode) -> bool:
    """Whether a function states what must hold: by decorators, in its docstring, or by asserts."""
    for each in node.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        if root_of(called) in CONTRACT_PACKAGES or (
            isinstance(called, ast.Name) and called.id in ("require", "ensure")
        ):
            return True
    return bool(STATED.search(ast.get_docstring(node, clean=False) or "")) or any(
        isinstance(each, ast.Assert) for each in own_nodes(node)
    )


def _hash(texts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode(errors="surrogatepass")).hexdigest()[:32]
