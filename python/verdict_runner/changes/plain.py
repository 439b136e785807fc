"""Rewrites rare forms of code into equivalent ordinary ones, which the analysis can follow."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence

from verdict_runner.changes.functions import without_annotations, without_docstring
from verdict_runner.symbolic.code.loading import TYPE_MAKERS
from verdict_runner.symbolic.code.mentions import FUNCTIONS, Mentions, binding, bound_at, root_of, top

# Words whose presence means that a text may be rewritten, apart from imports of the repository's modules.
RARE = ("TYPE_CHECKING", "version_info", "__import__", "__class__")
TYPE_CHECKING = ("TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING")
VERSION = re.compile(r"sys\.version_info (<|>=) (\(\d+(?:, \d+)*,?\))")
OF_TYPES = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.Assign, ast.AnnAssign)


def with_plain_forms(tree: ast.Module) -> ast.Module:
    """Rewrites a tree so that it has fewer kinds of blocks, imports and class queries."""
    if _means_module(tree, "sys"):
        tree.body = [*_chosen(tree.body)]
        tree = _Chosen().visit(tree)
    return _with_types_of_values(_with_dotted_as_names(_with_calls_as_imports(_with_types(tree))))


def _means_module(tree: ast.AST, name: str) -> bool:
    """Whether nothing binds a name except imports of the module with this name."""
    nodes = [*ast.walk(tree)]
    aliases = {each: top(each.name) for node in nodes if isinstance(node, ast.Import) for each in node.names}
    own = {each for each, module in aliases.items() if module == name and each.asname in (None, each.name)}
    return all(each in own for each in nodes if name in bound_at(each))


# ---- A block that depends on the Python version is replaced by the branch for this version.


def _chosen(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        condition = VERSION.fullmatch(ast.unparse(node.test)) if isinstance(node, ast.If) else None
        if condition is not None and isinstance(node, ast.If):
            is_newer = sys.version_info >= ast.literal_eval(condition[2])
            yield from _chosen(node.body if is_newer is (condition[1] == ">=") else node.orelse)
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) in TYPE_CHECKING:
            node.body = [*_chosen(node.body)] or [ast.Pass()]
        yield node


class _Chosen(ast.NodeTransformer):
    """Replaces a conditional expression that depends on the Python version with the operand for this version."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        condition = VERSION.fullmatch(ast.unparse(node.test)) if isinstance(node.test, ast.Compare) else None
        if condition is None:
            return node
        is_newer = sys.version_info >= ast.literal_eval(condition[2])
        return node.body if is_newer is (condition[1] == ">=") else node.orelse


# ---- Definitions under `TYPE_CHECKING` that only annotations use become ordinary code.


def _with_types(tree: ast.Module) -> ast.Module:
    blocks = [
        each
        for each in tree.body
        if isinstance(each, ast.If) and not each.orelse and ast.unparse(each.test) in TYPE_CHECKING
    ]
    if blocks:
        used = _used_outside_of_annotations([each for each in tree.body if each not in blocks])
        for each in blocks:
            plain = [part for part in each.body if _is_of_types(part) and not used & {*binding(part)}]
            each.body = [part for part in each.body if part not in plain]
            place = tree.body.index(each)
            tree.body[place : place + (0 if each.body else 1)] = plain
    return tree


def _is_of_types(node: ast.stmt) -> bool:
    """Whether a statement only defines names for types."""
    parts = [*ast.walk(node)]
    calls = [each.func for each in parts if isinstance(each, ast.Call)]
    places = [each for each in parts if isinstance(each, (ast.Attribute, ast.Subscript))]
    return (
        isinstance(node, OF_TYPES)
        and all(isinstance(each.ctx, ast.Load) for each in places)
        and all(getattr(each, "attr", getattr(each, "id", None)) in TYPE_MAKERS for each in calls)
    )


def _used_outside_of_annotations(statements: list[ast.stmt]) -> set[str]:
    """The module's variables, but no local ones, that are used outside annotations and docstrings."""
    copy = ast.parse(ast.unparse(ast.Module(statements, [])))
    without_annotations(copy)
    for each in ast.walk(copy):
        if isinstance(each, ast.AnnAssign):
            each.annotation = ast.Constant(None)
        elif isinstance(each, FUNCTIONS):
            without_docstring(each)
    return Mentions([copy]).names


# ---- `__import__("a.b")` becomes the name `a`, with an `import a.b` at the top.


def _with_calls_as_imports(tree: ast.Module) -> ast.Module:
    """Replaces `__import__` calls for standard modules with a name, with an import at the top.

    A call stays if this module uses the name for something else.
    """
    calls = {each: name for each in ast.walk(tree) if (name := _called(each))}
    modules = {
        name for name in calls.values() if top(name) in sys.stdlib_module_names and _means_module(tree, top(name))
    }
    if not modules or not _means_module(tree, "__import__"):
        return tree
    _Replaced({call: top(name) for call, name in calls.items() if name in modules}).visit(tree)
    place = sum(1 for each in tree.body[:1] if ast.get_docstring(tree) is not None)
    while isinstance(each := tree.body[place], ast.ImportFrom) and each.module == "__future__":
        place += 1
    tree.body[place:place] = [ast.Import([ast.alias(name)]) for name in sorted(modules)]
    return ast.fix_missing_locations(tree)


def _called(node: ast.AST) -> str | None:
    """The module that a call of `__import__` imports by a constant name; None for other nodes."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "__import__" or len(node.args) != 1 or node.keywords:
        return None
    name = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
    return name if isinstance(name, str) else None


class _Replaced(ast.NodeTransformer):
    """Replaces expressions with names."""

    def __init__(self, names: dict[ast.AST, str]) -> None:
        self._names = names

    def visit(self, node: ast.AST) -> ast.AST:
        name = self._names.get(node)
        return self.generic_visit(node) if name is None else ast.copy_location(ast.Name(name, ast.Load()), node)


# ---- `import a.b`, used as `a.b.f`, becomes `import a.b as a_b`.


def _with_dotted_as_names(tree: ast.Module) -> ast.Module:
    """Gives an imported submodule an alias if all code refers to it by its full name."""
    aliases = [each for node in tree.body if isinstance(node, ast.Import) for each in node.names if not each.asname]
    packages = {top(each.name) for each in aliases if "." in each.name}
    for package in sorted(packages - sys.stdlib_module_names):
        _give_name(tree, package, [each for each in aliases if top(each.name) == package])
    return tree


def _give_name(tree: ast.Module, package: str, aliases: Sequence[ast.alias]) -> None:
    """Replaces one package's modules with aliases, unless something binds or uses the package itself."""
    nodes = [*ast.walk(tree)]
    known = {each.name: each.name.replace(".", "_") for each in aliases}
    bound = [each for node in nodes for each in bound_at(node)]
    uses = [each.id for each in nodes if isinstance(each, ast.Name)]
    chains: dict[ast.AST, str] = {
        each: known[ast.unparse(each)]
        for each in nodes
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Load) and root_of(each) == package
        if ast.unparse(each) in known
    }
    # If both `a.b` and `a.b.c` are imported, `a.b.c` is ambiguous.
    is_sure = uses.count(package) == len(chains) and bound.count(package) == len(aliases)
    if not is_sure or {*uses, *bound} & {*known.values()}:
        return
    for each in aliases:
        each.asname = known[each.name]
    _Replaced(chains).visit(tree)


# ---- `x.__class__` becomes `type(x)`.


def _with_types_of_values(tree: ast.Module) -> ast.Module:
    names = {getattr(each, "attr", None) for each in ast.walk(tree)}
    if "__class__" in names and not {"type", "__class__"} & {
        name for each in ast.walk(tree) for name in bound_at(each)
    }:
        _TypesOfValues().visit(tree)
    return tree


class _TypesOfValues(ast.NodeTransformer):
    """Replaces `x.__class__` with `type(x)`."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr != "__class__" or not isinstance(node.ctx, ast.Load):
            return node
        made = ast.copy_location(ast.Call(ast.Name("type", ast.Load()), [node.value], []), node)
        vars(made)["was_attribute"] = True
        return made
