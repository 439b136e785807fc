"""Finds a module's functions in its syntax tree, without running it, and fingerprints each function's code."""

from __future__ import annotations

import ast
import functools
import hashlib
import pickle
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from verdict_runner.symbolic.code.mentions import FUNCTIONS, Definition, FunctionNode, arguments_of, own_nodes, root_of

# Docstring text that states conditions, as `contracts/pep316.py` reads them.
STATED = re.compile(r"(?m)^\s*:?(pre|post)\s*(\[[^\]]*\])?\s*:")
# Replaces a function's own name in its code; no variable can have this name.
SELF = "<own>"
CONTRACT_PACKAGES = frozenset(("icontract", "deal"))
# Decorators that mark a definition as a type description only.
OVERLOADS = frozenset(("overload", "typing.overload", "t.overload", "typing_extensions.overload"))

Node = TypeVar("Node", bound=ast.AST)


@dataclass(frozen=True)
class Found:
    """A function or method of a module."""

    # The name, such as `f` or `Class.method`.
    name: str
    nodes: Sequence[FunctionNode]
    # Whether it is defined at the top level or in a top-level class, and not inside a block such as `if` or `try`.
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

    @functools.cached_property
    def code(self) -> str:
        """A hash of all that can affect a call; it ignores comments, docstrings, positions and the name."""
        return _hash([ast.dump(code_of(each)) for each in self.nodes])

    @functools.cached_property
    def text(self) -> str:
        """A hash of the whole definition, including its docstring and annotations."""
        return _hash([ast.dump(each) for each in self.nodes])


def found_in(tree: ast.Module) -> dict[str, Found]:
    """A module's functions and methods by name; several definitions with the same name count as one function."""
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


def copied(node: Node) -> Node:
    """A copy of code; `copy.deepcopy` takes five times as long."""
    return pickle.loads(pickle.dumps(node, pickle.HIGHEST_PROTOCOL))


def code_of(node: FunctionNode) -> FunctionNode:
    """Copies a function without its docstring, and without annotations if no decorator can read them.

    The function's own name is replaced, so that renaming a function does not change its code.
    """
    bare = copied(node)
    without_docstring(bare)
    if not bare.decorator_list:
        without_annotations(bare)
    own = bare.name
    for each in ast.walk(bare):
        if isinstance(each, ast.Name) and each.id == own:
            each.id = SELF
    bare.name = SELF
    return bare


def without_docstring(node: Definition) -> None:
    if ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:] or [ast.Pass()]


def without_annotations(node: ast.AST) -> None:
    """Removes all function annotations in this code; class annotations stay, since they can define fields."""
    for each in ast.walk(node):
        if isinstance(each, FUNCTIONS):
            each.returns = None
            for argument in arguments_of(each):
                argument.annotation = None


def has_contract(node: FunctionNode) -> bool:
    """Whether a function states conditions in decorators, in its docstring or by asserts."""
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
