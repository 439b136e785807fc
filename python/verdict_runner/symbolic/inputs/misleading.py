"""Whether code can make a run of all inputs misleading: by accessing or detecting what runs it, or by values that
differ between runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from verdict_runner.sandbox import allowed
from verdict_runner.sandbox.bases import BASES
from verdict_runner.symbolic.code.loading import CONTRACTS, names_in
from verdict_runner.symbolic.code.mentions import imported, root_of, top

# Modules that access nothing except the values passed to them.
MODULES = frozenset("__future__ dataclasses enum fractions itertools math typing".split())
REACHING = frozenset((*allowed.GUARDED, "dir", "format", "format_map", "super"))
# Exceptions whose texts name places on this machine.
IMPORT_ERRORS = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))
# Builtins whose objects are shown by their address, builtins that consume such iterators immediately, and methods of
# values.
ADDRESSED = frozenset("classmethod enumerate filter iter map property reversed staticmethod zip".split())
CONSUMERS = frozenset("all any dict frozenset list max min next set sorted sum tuple".split())
# Functions of `dataclasses` whose results show addresses.
OF_FIELDS = frozenset(("field", "fields"))
OF_VALUES = frozenset(
    name
    for each in (*(one for one in BASES if isinstance(one, type)), BaseException, bool, slice)
    for name, value in vars(each).items()
    if callable(value)
)


def can_mislead(tree: ast.Module) -> bool:
    """Whether running this text's functions proves nothing.

    The functions could reach the code that runs them and report something false.
    """
    nodes = [*ast.walk(tree)]
    for node in nodes:
        name, attribute = getattr(node, "id", ""), getattr(node, "attr", "")
        # Unlike the method of strings, the builtin `format` reaches no attributes.
        if name in REACHING - {"format"} or attribute in REACHING or name.startswith("__") or attribute.startswith("_"):
            return True
        modules = (
            [each.name for each in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None)]
        )
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not {*filter(None, modules)} <= MODULES | CONTRACTS:
            return True
        if isinstance(node, ast.ExceptHandler) and node.name and names_in([node.type or node]) & IMPORT_ERRORS:
            return True
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and allowed.is_dunder(node.name):
            return True
    return _uses_contracts(tree) or _compares_identities(tree) or _shows_addresses(tree)


def _shows_addresses(tree: ast.Module) -> bool:
    """Whether the code can produce a string with an object's address, which differs between runs.

    The object can be a function, or an instance of a class that does not define how it is shown.
    """
    nodes = [*ast.walk(tree)]
    apart = {*_consumed(nodes)}
    own = [each for each in nodes if isinstance(each, ast.FunctionDef)]
    names = {each.name for each in own if not any(_last_name(one) == "property" for one in each.decorator_list)}
    classes = {each.name for each in nodes if isinstance(each, ast.ClassDef)}
    # A class gives the property itself.
    read = [each for each in nodes if isinstance(each, ast.Attribute) and getattr(each.value, "id", "") in classes]
    names |= {each.attr for each in read} & {each.name for each in own}
    has_address = any(
        (isinstance(each, ast.ClassDef) and _is_shown_by_address(each))
        or (isinstance(each, ast.GeneratorExp) and each not in apart)
        or isinstance(each, (ast.AsyncFunctionDef, ast.Lambda, ast.Yield, ast.YieldFrom))
        or (isinstance(each, ast.Name) and each.id in ADDRESSED and each not in apart)
        or getattr(each, "id", "") == "object"
        or getattr(each, "arg", "") == "repr"
        or (isinstance(each, ast.Name) and each.id in names and each not in apart)
        or (isinstance(each, ast.Attribute) and each.attr in names | OF_VALUES and each not in apart)
        or any(name in names | OF_VALUES for name in getattr(each, "kwd_attrs", ()))
        or "itertools" in (getattr(each, "module", ""), getattr(each, "name", ""))
        for each in nodes
    )
    has_address |= any(each not in apart or _last_name(each) in OF_FIELDS for each in _foreign(nodes))
    texts = {each.value for each in nodes if isinstance(each, ast.Expr)}
    return has_address and any(_writes_text(each) for each in nodes if each not in texts)


def _foreign(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yields the objects of modules that code reads, except constants of `math`, types, bases and decorators."""
    statements = [each for each in nodes if isinstance(each, (ast.Import, ast.ImportFrom))]
    known = {name for each in statements for name, home in imported(each) if top(home) != "math"}
    types = [getattr(each, field, None) for each in nodes for field in ("annotation", "returns")]
    types += [one for each in nodes for one in (*getattr(each, "decorator_list", ()), *getattr(each, "bases", ()))]
    apart = {one for each in types if each for one in ast.walk(each)}
    apart |= {each.value for each in nodes if isinstance(each, ast.Attribute)}
    for each in nodes:
        if isinstance(each, (ast.Name, ast.Attribute)) and each not in apart and root_of(each) in known:
            yield each


def _consumed(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yields functions that are called and iterators that are read immediately, so that no variable refers to them."""
    own = {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
    for each in nodes:
        given: list[ast.expr] = []
        if isinstance(each, ast.Call):
            name = getattr(each.func, "id", "")
            if name not in ADDRESSED:
                yield each.func
            reads = name in CONSUMERS - own and len(each.args) == 1 or getattr(each.func, "attr", "") == "join"
            given = each.args if reads or name in ADDRESSED - own else []
        elif isinstance(each, (ast.For, ast.comprehension)):
            given = [each.iter]
        elif isinstance(each, ast.FunctionDef):
            yield from (one for one in each.decorator_list if getattr(one, "id", "") in ADDRESSED)
        for one in given:
            # A function that is passed on can create such objects.
            if not isinstance(one, ast.Name):
                yield one
            if isinstance(one, ast.Call):
                yield one.func


def _is_shown_by_address(node: ast.ClassDef) -> bool:
    """Whether neither a decorator nor a base of a class defines how its objects are shown."""
    bases = {_last_name(each.value if isinstance(each, ast.Subscript) else each) for each in node.bases}
    decorators = {_last_name(part) for each in node.decorator_list for part in ast.walk(each)}
    return "dataclass" not in decorators and bases <= {"Generic", "Protocol", "object"}


def _last_name(node: ast.AST) -> str:
    return getattr(node, "id", "") or getattr(node, "attr", "")


def _writes_text(node: ast.AST) -> bool:
    """Whether a node converts an arbitrary object to a string; exception messages can also contain one."""
    is_filled = isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Mod)
    left, right = (getattr(node, name, None) for name in ("left", "right" if isinstance(node, ast.BinOp) else "value"))
    # Text computed at run time can contain `%`; a number or a text in its place shows no object.
    is_plain = isinstance(right, ast.Constant) or isinstance(getattr(left, "value", None), (int, float))
    is_asked = getattr(node, "id", "") in ("str", "repr", "ascii", "print", "format") or "args" in (
        getattr(node, "attr", ""),
        *getattr(node, "kwd_attrs", ()),
    )
    return isinstance(node, ast.JoinedStr) or (is_filled and not is_plain) or is_asked


def _compares_identities(tree: ast.Module) -> bool:
    """Whether the code can observe objects' identities or hashes, which differ between callers.

    None, truth values and enumeration members are the same objects everywhere.
    """
    enums = {
        each.name
        for each in ast.walk(tree)
        if isinstance(each, ast.ClassDef) and any(ast.unparse(base).endswith("Enum") for base in each.bases)
    }

    def is_one(node: ast.expr) -> bool:
        known = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in enums
        return known or isinstance(node, ast.Constant) and node.value in (None, True, False)

    for node in ast.walk(tree):
        if getattr(node, "id", "") in ("id", "hash"):
            return True
        if isinstance(node, ast.Compare):
            values = [node.left, *node.comparators]
            for op, *sides in zip(node.ops, values, values[1:]):
                if isinstance(op, (ast.Is, ast.IsNot)) and not any(map(is_one, sides)):
                    return True
    return False


def _uses_contracts(tree: ast.Module) -> bool:
    """Whether the code uses a contract library other than by its decorators, which `confined` handles."""
    imports = (each for each in ast.walk(tree) if isinstance(each, (ast.Import, ast.ImportFrom)))
    names = {name for each in imports for name, module in imported(each) if top(module) in CONTRACTS}
    decorators = (one for each in ast.walk(tree) for one in getattr(each, "decorator_list", ()))
    called = (each.func if isinstance(each, ast.Call) else each for each in decorators)
    known = {part for each in called for part in ast.walk(each)}
    return "*" in names or any(getattr(each, "id", "") in names and each not in known for each in ast.walk(tree))
