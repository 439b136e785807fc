"""Gives variables of a module other names, and proves on the compiled code that nothing else became different."""

from __future__ import annotations

import ast
import copy
import dis
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence

from verdict_runner.changes.functions import without_annotations, without_docstring
from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode, arguments_of, binding, own_nodes, top

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Instructions that look a name up in the module, or bind it there.
OF_MODULE = frozenset(
    "LOAD_GLOBAL STORE_GLOBAL DELETE_GLOBAL LOAD_NAME STORE_NAME DELETE_NAME LOAD_FROM_DICT_OR_GLOBALS".split()
)


class Failed(Exception):
    """The renamed code is not the same program."""


def renamed(statements: Sequence[ast.stmt], names: Mapping[str, str]) -> list[ast.stmt]:
    """Copies of statements of a module with other names for these variables of the module; raises `Failed`."""
    if not names:
        return [*statements]
    copies = [_Renamer(names).visit(copy.deepcopy(each)) for each in statements]
    _prove_same(statements, copies, names)
    for own, copied in zip(statements, copies):
        _keep_class_names(own, copied)
    return copies


def _keep_class_names(own: ast.stmt, copied: ast.stmt) -> None:
    """Classes inside of a renamed function keep their full names, which texts about their objects show."""
    if not isinstance(own, FUNCTIONS) or not isinstance(copied, FUNCTIONS) or own.name == copied.name:
        return
    for node, full in [*_classes(copied, f"{own.name}.<locals>")]:
        place = 0 if ast.get_docstring(node, clean=False) is None else 1
        node.body.insert(place, ast.Assign([ast.Name("__qualname__", ast.Store())], ast.Constant(full)))
        ast.fix_missing_locations(ast.copy_location(node.body[place], node))


def _classes(node: ast.AST, prefix: str) -> Iterator[tuple[ast.ClassDef, str]]:
    """The classes inside of a function, with their full names."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.ClassDef):
            yield each, f"{prefix}.{each.name}"
            yield from _classes(each, f"{prefix}.{each.name}")
        elif isinstance(each, FUNCTIONS):
            yield from _classes(each, f"{prefix}.{each.name}.<locals>")
        else:
            yield from _classes(each, prefix)


class _Renamer(ast.NodeTransformer):
    """Renames where a name means the module's variable, and leaves local variables of that name alone."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        # The names that are local here, and those that functions inside of this scope see as local.
        self._here: frozenset[str] = frozenset()
        self._inherited: frozenset[str] = frozenset()

    def _new(self, name: str) -> str:
        return name if name in self._here else self._names.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._new(node.id)
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self._names.get(each, each) for each in node.names]
        return node

    def _named(self, node: ast.ExceptHandler | ast.MatchAs | ast.MatchStar) -> ast.AST:
        if node.name is not None:
            node.name = self._new(node.name)
        return self.generic_visit(node)

    visit_ExceptHandler = visit_MatchAs = visit_MatchStar = _named

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        if node.rest is not None:
            node.rest = self._new(node.rest)
        return self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for each in node.names:
            bound = each.asname or top(each.name)
            if self._new(bound) != bound:
                if each.asname is None and "." in each.name:
                    raise Failed(f"import {each.name}")
                each.asname = self._new(bound)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        for each in node.names:
            bound = each.asname or each.name
            if self._new(bound) != bound:
                each.asname = self._new(bound)
        return node

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.name = self._new(node.name)
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        if node.returns is not None:
            node.returns = self._annotation(node.returns)
        self._signature(node)
        locals_, globals_ = _locals(node)
        with _Scope(self, (self._inherited | locals_) - globals_, True):
            node.body = [self.visit(each) for each in node.body]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._signature(node)
        names = {each.arg for each in arguments_of(node)}
        with _Scope(self, self._inherited | names, True):
            node.body = self.visit(node.body)
        return node

    def _signature(self, node: FunctionNode | ast.Lambda) -> None:
        signature = node.args
        signature.defaults = [self.visit(each) for each in signature.defaults]
        signature.kw_defaults = [each and self.visit(each) for each in signature.kw_defaults]
        for each in arguments_of(node):
            if each.annotation is not None:
                each.annotation = self._annotation(each.annotation)

    def _annotation(self, node: ast.expr) -> ast.expr:
        """An annotation, in which quoted types are renamed, too. The texts of `Literal` are none."""
        node = self.visit(node)
        if any(isinstance(each, ast.Name) and each.id == "Literal" for each in ast.walk(node)):
            return node
        return _Quoted(self._new).visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._new(node.name)
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.bases = [self.visit(each) for each in node.bases]
        node.keywords = [self.visit(each) for each in node.keywords]
        bound = {name for each in node.body for name in binding(each)}
        # What a class binds is not seen by its methods.
        with _Scope(self, self._here | bound, False):
            node.body = [self.visit(each) for each in node.body]
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, COMPREHENSIONS):
            return super().generic_visit(node)
        targets = {each.id for part in node.generators for each in ast.walk(part.target) if isinstance(each, ast.Name)}
        # The first iterable belongs to the scope outside.
        node.generators[0].iter = self.visit(node.generators[0].iter)
        first, node.generators[0].iter = node.generators[0].iter, ast.Constant(0)
        with _Scope(self, self._here | targets, True):
            super().generic_visit(node)
        node.generators[0].iter = first
        return node


class _Quoted(ast.NodeTransformer):
    """Renames in types that are written as texts."""

    def __init__(self, new: Callable[[str], str]) -> None:
        self._new = new

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, str):
            return node
        try:
            kind = ast.parse(node.value.strip(), mode="eval")
        except SyntaxError:
            return node
        for each in ast.walk(kind):
            if isinstance(each, ast.Name):
                each.id = self._new(each.id)
        return ast.copy_location(ast.Constant(ast.unparse(kind)), node)


class _Scope:
    """A scope with these local names; functions inside of it see them too, unless it is a class."""

    def __init__(self, renamer: _Renamer, local: frozenset[str] | set[str], is_inherited: bool) -> None:
        self._renamer = renamer
        self._local = frozenset(local)
        self._is_inherited = is_inherited
        self._before = (renamer._here, renamer._inherited)

    def __enter__(self) -> None:
        self._renamer._here = self._local
        if self._is_inherited:
            self._renamer._inherited = self._local

    def __exit__(self, *_: object) -> None:
        self._renamer._here, self._renamer._inherited = self._before


def _locals(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[set[str], set[str]]:
    """The local names of a function, and those that it declares to be the module's."""
    bound = {each.arg for each in arguments_of(node)}
    declared: set[str] = set()
    for each in node.body:
        bound.update(binding(each))
    for each in own_nodes(node):
        if isinstance(each, ast.Global):
            declared.update(each.names)
        elif isinstance(each, ast.NamedExpr):
            bound.add(each.target.id)
    return bound - declared, declared


# ---- The proof on the compiled code.


def _prove_same(before: Sequence[ast.stmt], after: Sequence[ast.stmt], names: Mapping[str, str]) -> None:
    """Both must compile to the same instructions, with the new names exactly where the module's variables are meant."""
    _compare(_compiled(before), _compiled(after), names, True)


def _compiled(statements: Sequence[ast.stmt]) -> types.CodeType:
    """The code of statements without annotations, which are texts or types, and without docstrings."""
    copies = [copy.deepcopy(each) for each in statements]
    for statement in copies:
        without_annotations(statement)
        for each in ast.walk(statement):
            if isinstance(each, FUNCTIONS):
                without_docstring(each)
    module = ast.fix_missing_locations(ast.Module([_assigned(each) for each in copies], []))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(module, "code", "exec", dont_inherit=True, optimize=0)


def _assigned(node: ast.stmt) -> ast.stmt:
    """An assignment of a module without its annotation."""
    if not isinstance(node, ast.AnnAssign):
        return node
    value = node.value if node.value is not None else ast.Constant(None)
    return ast.copy_location(ast.Assign([node.target], value), node)


def _compare(one: types.CodeType, other: types.CodeType, names: Mapping[str, str], is_module: bool) -> None:
    own = [_Instruction(each) for each in dis.get_instructions(one)]
    new = [_Instruction(each) for each in dis.get_instructions(other)]
    if len(own) != len(new):
        raise Failed("the number of instructions")
    # Names that a class binds are its own: no class binds one of these.
    for a, b in zip(own, new):
        expected = names.get(a.name, a.name) if a.name is not None and a.operation in OF_MODULE else a.name
        if a.operation != b.operation or expected != b.name or a.argument != b.argument:
            raise Failed(f"{a.operation} {a.name}")
    inner, renamed_inner = _parts(one), _parts(other)
    if len(inner) != len(renamed_inner) or _plain(one) != _plain(other):
        raise Failed("the constants")
    for a, b in zip(inner, renamed_inner):
        if a.co_varnames != b.co_varnames or a.co_freevars != b.co_freevars or a.co_cellvars != b.co_cellvars:
            raise Failed("local variables")
        if b.co_name != a.co_name and not (is_module and names.get(a.co_name) == b.co_name):
            raise Failed("the name of a function")
        _compare(a, b, names, False)


class _Instruction:
    """An instruction, with its name if it has one and otherwise with its argument."""

    def __init__(self, instruction: dis.Instruction) -> None:
        self.operation = instruction.opname
        has_name = instruction.opcode in dis.hasname
        self.name: str | None = instruction.argval if has_name else None
        has_constant = instruction.opcode in dis.hasconst
        self.argument = None if has_name or has_constant else instruction.arg


def _parts(code: types.CodeType) -> list[types.CodeType]:
    return [each for each in code.co_consts if isinstance(each, types.CodeType)]


def _plain(code: types.CodeType) -> list[str]:
    """The constants but code, but the names of that code, which are beside it up to Python 3.10, and but the full name
    that Python gives a class, which `_keep_class_names` restores.
    """
    inner = {each.co_name for each in _parts(code)}
    full_name = _full_name(code)
    others = [
        "<full name>" if isinstance(each, str) and each == full_name else each
        for each in code.co_consts
        if not isinstance(each, types.CodeType)
    ]
    return [repr(each) for each in others if not (isinstance(each, str) and each.rpartition(".")[2] in inner)]


def _full_name(code: types.CodeType) -> object:
    """The full name that the code of a class begins with; None for other code."""
    loaded: object = None
    for each in dis.get_instructions(code):
        if each.opname == "STORE_NAME" and each.argval == "__qualname__":
            return loaded
        loaded = each.argval if each.opname == "LOAD_CONST" else None
    return None
