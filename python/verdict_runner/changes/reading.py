"""Parses a version's text into a syntax tree, in the form from which functions are extracted."""

from __future__ import annotations

import ast
import functools
import pickle
import re
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence

from verdict_runner.changes.plain import with_plain_forms
from verdict_runner.changes.unfit import Unfit
from verdict_runner.symbolic.code import source
from verdict_runner.symbolic.code.mentions import top

# The maximum number of cached trees, each of up to a few megabytes; the same module is requested many times.
TREES_MAX = 16
# The declaration of an encoding in one of the first two lines (PEP 263).
ENCODING = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
READ_AS = frozenset(("utf-8", "utf8", "utf-8-sig", "utf_8", "ascii", "us-ascii"))
# Encodings in which ASCII text has the same meaning.
LIKE_ASCII = frozenset(("latin-1", "latin1", "iso-8859-1", "iso-8859-15", "cp1252", "windows-1252"))
# Names through which code reads docstrings.
READS_DOCUMENTATION = frozenset("__doc__ getdoc help vars __dict__ getmembers pydoc".split())
# Packages that the code under analysis can import besides the standard library.
PACKAGES = ("icontract", "deal", "typing_extensions")


def parsed(text: str) -> ast.Module:
    """Returns a fresh tree of a text without its `__main__` block; raises whatever Python's parser raises."""
    return pickle.loads(_pickled(text))


@functools.lru_cache(maxsize=TREES_MAX)
def _pickled(text: str) -> bytes:
    text = text.removeprefix("\ufeff")
    _refuse_encoding(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = source.parsed(text, "code", reads_bounds=False)
    return pickle.dumps(ast.fix_missing_locations(with_plain_forms(tree)))


def _refuse_encoding(text: str) -> None:
    if "\ufffd" in text:
        raise ValueError("it is not UTF-8 text")
    for line in text.split("\n", 2)[:2]:
        declared = ENCODING.match(line)
        if declared is None:
            continue
        name = declared[1].lower().replace("_", "-")
        if name not in READ_AS and not (name in LIKE_ASCII and text.isascii()):
            raise ValueError(f"it is declared to be encoded in {declared[1]}, but is read as UTF-8")


def without_documentation(parts: Mapping[str, Sequence[ast.stmt]]) -> dict[str, list[ast.stmt]]:
    """Removes statements that only set a docstring (`f.__doc__ = ...`) from all versions, unless some code reads it."""
    nodes = [each for statements in parts.values() for node in statements for each in ast.walk(node)]
    set_only = {id(each) for node in nodes if _documents(node) for each in ast.walk(node)}
    if any(_mentions_documentation(each) and id(each) not in set_only for each in nodes):
        return {side: [*statements] for side, statements in parts.items()}
    return {
        side: [_WithoutDocumentation().visit(each) for each in statements if not _documents(each)]
        for side, statements in parts.items()
    }


def _documents(node: ast.AST) -> bool:
    """Whether a statement only sets a docstring."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    target, value = node.targets[0], node.value
    return (
        isinstance(target, ast.Attribute)
        and target.attr == "__doc__"
        and isinstance(target.value, ast.Name)
        and (
            isinstance(value, ast.Constant)
            or (isinstance(value, ast.Attribute) and value.attr == "__doc__" and isinstance(value.value, ast.Name))
        )
    )


def _mentions_documentation(node: ast.AST) -> bool:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and "__doc__" in node.value
    return is_text or getattr(node, "attr", getattr(node, "id", None)) in READS_DOCUMENTATION


class _WithoutDocumentation(ast.NodeTransformer):
    """Replaces statements that only set a docstring with `pass` in the module's blocks."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        return ast.copy_location(ast.Pass(), node) if _documents(node) else node


def refuse_imports(statements: Iterable[ast.stmt], own_modules: Sequence[str]) -> None:
    """Raises `Unfit` for imports that can't be included: modules of the repository, and packages."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.ImportFrom) and node.level:
                raise Unfit(f"it uses {'.' * node.level}{node.module or ''}, a module of its package")
            if isinstance(node, ast.ImportFrom):
                _refuse_module(node.module or "", own_modules)
            elif isinstance(node, ast.Import):
                for each in node.names:
                    _refuse_module(each.name, own_modules)


def _refuse_module(name: str, own_modules: Sequence[str]) -> None:
    if top(name) in own_modules:
        raise Unfit(f"it imports {name}, which is, or can be, a module of this repository")
    if top(name) not in sys.stdlib_module_names and top(name) not in PACKAGES:
        raise Unfit(f"it uses the package {top(name)}, and only the standard library can be included")
