"""Handles functions with few inputs, for which running all inputs is a proof."""

from __future__ import annotations

import ast
import builtins
import enum
import itertools
import math
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import reduce
from inspect import Parameter
from typing import TYPE_CHECKING, NamedTuple

from verdict_runner.sandbox import allowed
from verdict_runner.symbolic.code import annotations
from verdict_runner.symbolic.code.annotations import Annotation, Namespace
from verdict_runner.symbolic.code.annotations.concrete import Concrete
from verdict_runner.symbolic.code.loading import CONTRACTS
from verdict_runner.symbolic.code.mentions import imported, named, top
from verdict_runner.symbolic.code.reach import DEPTH_NOTICED
from verdict_runner.symbolic.contracts.contracts import Condition
from verdict_runner.symbolic.contracts.same import Value

if TYPE_CHECKING:
    from verdict_runner.symbolic.run.questions import Question

INPUTS_MAX = 4096
# The maximum nesting depth of types.
DEPTH_MAX = 8
# Modules that access nothing except the values passed to them.
MODULES = frozenset("__future__ dataclasses enum fractions itertools math typing".split())
EXCEPTIONS = frozenset(
    name for name, each in vars(builtins).items() if isinstance(each, type) and issubclass(each, BaseException)
)
REACHING = frozenset((*allowed.GUARDED, "dir", "format", "format_map", "super"))
# Functions that Verdict replaces, and exceptions whose texts or occurrence depend on the sandbox.
REPLACED = frozenset(("dataclass", "TypedDict"))
NOTICED = DEPTH_NOTICED | {"NameError", "UnboundLocalError", "MemoryError"}
IMPORT_ERRORS = frozenset(("ImportError", "ModuleNotFoundError"))
# Dictionary methods that change the dictionary.
CHANGING = frozenset("clear pop popitem setdefault update".split())
# Builtins whose objects are shown by their address, builtins that consume such iterators immediately, and methods of
# values.
ADDRESSED = frozenset("classmethod enumerate filter iter map property reversed staticmethod zip".split())
CONSUMERS = frozenset("all any dict frozenset list max min next set sorted sum tuple".split())
OF_VALUES = frozenset(name for each in (bytes, dict, float, list, set, str) for name in vars(each))


class Domain(NamedTuple):
    """What preconditions state about a parameter: its smallest and largest number, and the constants that it can equal."""

    low: float = -math.inf
    high: float = math.inf
    equal: frozenset[int | str | bytes] | None = None

    def meet(self, other: Domain) -> Domain:
        one, two = self.equal, other.equal
        equal = two if one is None else one if two is None else one & two
        return Domain(max(self.low, other.low), min(self.high, other.high), equal)

    def join(self, other: Domain) -> Domain:
        equal = None if self.equal is None or other.equal is None else self.equal | other.equal
        return Domain(min(self.low, other.low), max(self.high, other.high), equal)


OPEN = Domain()


def can_mislead(tree: ast.Module) -> bool:
    """Whether running this text's functions proves nothing.

    The functions could reach the code that runs them and report something false, or notice how deep the stack is.
    """
    nodes = [*ast.walk(tree)]
    bound = {name for each in _binding(nodes) if not isinstance(each, ast.ClassDef) for name in named(each)}
    named_errors = ({each.name for each in nodes if isinstance(each, ast.ClassDef)} | EXCEPTIONS) - bound
    for node in nodes:
        name, attribute = getattr(node, "id", ""), getattr(node, "attr", "")
        if {name, attribute} & REACHING or name.startswith("__") or attribute.startswith("_"):
            return True
        modules = (
            [each.name for each in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None)]
        )
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not {*filter(None, modules)} <= MODULES | CONTRACTS:
            return True
        if isinstance(node, ast.ExceptHandler):
            caught = (
                {getattr(each, "id", "") for each in getattr(node.type, "elts", [node.type])} if node.type else NOTICED
            )
            if caught & NOTICED or not caught <= named_errors or (node.name and caught & IMPORT_ERRORS):
                return True
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and allowed.is_dunder(node.name):
            return True
        # The end of such a block drops the exception that ends a call at its limit of time or depth.
        ends = (each for last in getattr(node, "finalbody", ()) for each in ast.walk(last))
        if any(isinstance(each, (ast.Return, ast.Break, ast.Continue)) for each in ends):
            return True
    return _uses_contracts(tree) or _compares_identities(tree) or _shows_addresses(tree) or _notices_sandbox(tree)


def _binding(nodes: Iterable[ast.AST]) -> list[ast.AST]:
    """The nodes that bind the names that they have."""
    return [
        each
        for each in nodes
        if not isinstance(each, ast.keyword) and not isinstance(getattr(each, "ctx", None), ast.Load)
    ]


def _notices_sandbox(tree: ast.Module) -> bool:
    """Whether the code can tell the sandbox from Python: by a name that it lacks, or by what it replaces."""
    nodes = [*ast.walk(tree)]
    statements = [each for each in nodes if isinstance(each, (ast.Import, ast.ImportFrom))]
    imports = [alias for each in statements for alias in each.names]
    modules = {each.asname or top(each.name) for node in nodes if isinstance(node, ast.Import) for each in node.names}
    replaced = REPLACED | {each.asname for each in imports if each.name in REPLACED and each.asname}
    decorators = [one for each in nodes for one in getattr(each, "decorator_list", ())]
    harmless = {each.func if isinstance(each, ast.Call) and not each.args else each for each in decorators}
    harmless.update(base for each in nodes if isinstance(each, ast.ClassDef) for base in each.bases)
    harmless.update(
        each.value for each in nodes if isinstance(each, ast.Attribute) and _last_name(each.value) in modules
    )
    shown = [each for each in nodes if each not in harmless and _last_name(each) in replaced | modules]
    known = {name for each in _binding(nodes) for name in named(each)}
    known.update(name for each in statements for name, _ in imported(each))
    read = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    unknown = read - known - set(allowed.BUILTINS) - EXCEPTIONS
    return bool(shown or unknown) or any(each.name.startswith(("_", "*")) for each in imports)


def _shows_addresses(tree: ast.Module) -> bool:
    """Whether the code can produce a string with an object's address, which differs between runs.

    The object can be a function, or an instance of a class that does not define how it is shown.
    """
    nodes = [*ast.walk(tree)]
    apart = {*_consumed(nodes)}
    own = [each for each in nodes if isinstance(each, ast.FunctionDef)]
    names = {each.name for each in own if not any(_last_name(one) == "property" for one in each.decorator_list)}
    has_address = any(
        (isinstance(each, ast.ClassDef) and _is_shown_by_address(each))
        or (isinstance(each, ast.GeneratorExp) and each not in apart)
        or isinstance(each, (ast.Lambda, ast.Yield, ast.YieldFrom))
        or (isinstance(each, ast.Name) and each.id in ADDRESSED and each not in apart)
        or getattr(each, "id", "") == "object"
        or getattr(each, "arg", "") == "repr"
        or (isinstance(each, ast.Name) and each.id in names and each not in apart)
        or (isinstance(each, ast.Attribute) and each.attr in names | OF_VALUES and each not in apart)
        or "itertools" in (getattr(each, "module", ""), getattr(each, "name", ""))
        for each in nodes
    )
    texts = {each.value for each in nodes if isinstance(each, ast.Expr)}
    return has_address and any(_writes_text(each) for each in nodes if each not in texts)


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
    value = node.value if isinstance(node, ast.Constant) else ""
    fills = "%" in value if isinstance(value, str) else isinstance(value, bytes) and b"%" in value
    is_asked = getattr(node, "id", "") in ("str", "repr", "ascii", "print") or getattr(node, "attr", "") == "args"
    return isinstance(node, ast.JoinedStr) or fills or is_asked


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


def inputs(question: Question, preconditions: Sequence[Condition]) -> list[dict[str, object]] | None:
    """Returns all inputs, as arguments by name; None if there are too many to try."""
    if _can_share(question):
        return None
    columns: list[list[dict[str, object]]] = []
    own = question.function.signature.parameters
    numbers = {each.name for each in own.values() if each.annotation is int}
    domains = _domains(preconditions, numbers)
    for each in question.signature.parameters.values():
        if each.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            return None
        values = _values(
            each.annotation, question.subject.namespace, domains.get(each.name, OPEN) if each.name in own else OPEN
        )
        if values is None:
            return None
        columns.append([*({each.name: value} for value in values), *([{}] if each.name in question.omittable else [])])
    rows = _product(columns)
    if rows is None:
        return None
    return [{name: value for part in row for name, value in part.items()} for row in rows]


def _can_share(question: Question) -> bool:
    """Whether a caller can pass the same object twice and the code can notice it; such inputs are not tried."""
    namespace = question.subject.namespace
    kinds = [
        *(kind for each in question.signature.parameters.values() for kind in _objects(each.annotation, namespace)),
        *(kind for maker in question.function.makers.values() for kind in maker.kinds),
    ]
    twice = {each for each in kinds if kinds.count(each) > 1}
    by_identity = any(each.__eq__ is object.__eq__ for each in twice)
    return bool(twice) and (
        by_identity or any(_changes(node) for each in question.subjects for node in ast.walk(each.tree))
    )


def _objects(annotation: Annotation, namespace: Namespace, depth: int = 0) -> Iterator[type]:
    """Yields the classes of the changeable objects in a value, once per place.

    All dictionaries count as one class.
    """
    origin, parts = typing.get_origin(annotation) or annotation, annotations.parts_of(annotation)
    if origin is typing.Literal or depth == DEPTH_MAX:
        return
    if annotations.is_record(origin):
        if not issubclass(origin, tuple):
            yield dict if annotations.is_typed_dict(origin) else origin
        parts = [*annotations.fields_of(origin, namespace).values()]
    for each in parts:
        yield from _objects(each, namespace, depth + 1)


def _changes(node: ast.AST) -> bool:
    """Whether a node can change a dictionary or an object of one of the code's classes."""
    is_written = isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)
    merges = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitOr)
    return is_written or merges or getattr(node, "attr", "") in CHANGING


def _product(columns: Sequence[Sequence[Value]]) -> list[tuple[Value, ...]] | None:
    return [*itertools.product(*columns)] if math.prod(map(len, columns)) <= INPUTS_MAX else None


def _values(
    annotation: Annotation, namespace: Namespace, domain: Domain = OPEN, depth: int = 0
) -> Sequence[Value] | None:
    """Returns all values of a type; None if there are many or they are unknown."""
    origin, parts = typing.get_origin(annotation) or annotation, annotations.parts_of(annotation)
    if origin is bool:
        return (False, True)
    if origin is type(None):
        return (None,)
    if origin is typing.Literal:
        return parts
    if isinstance(origin, type) and issubclass(origin, enum.Enum) and not issubclass(origin, enum.Flag):
        return [*origin]
    low, high = domain.low, domain.high
    # A whole number can be too large to be subtracted from an infinite one.
    if origin is int and isinstance(low, int) and isinstance(high, int) and high - low < INPUTS_MAX:
        return range(low, high + 1)
    if origin in (int, str, bytes) and domain.equal is not None:
        return sorted((each for each in domain.equal if isinstance(each, origin)), key=repr)
    if annotations.is_record(origin) and not parts and depth < DEPTH_MAX:
        return _records(origin, namespace, depth)
    if origin not in (typing.Union, types.UnionType, tuple) or Ellipsis in parts:
        return None
    # Preconditions apply only to a parameter itself, not to items of a tuple.
    known = _known(parts, namespace, depth, OPEN if origin is tuple else domain)
    if known is None:
        return None
    return _product(known) if origin is tuple else [value for each in known for value in each]


def _known(
    kinds: Iterable[Annotation], namespace: Namespace, depth: int, domain: Domain = OPEN
) -> list[Sequence[Value]] | None:
    """Returns all values of each type; None if the values of one type are unknown."""
    columns = [_values(each, namespace, domain, depth + 1) for each in kinds]
    known = [each for each in columns if each is not None]
    return known if len(known) == len(columns) else None


def _records(kind: type, namespace: Namespace, depth: int) -> Sequence[Value] | None:
    fields = annotations.fields_of(kind, namespace)
    concrete = Concrete(namespace)
    columns = _known(map(concrete.of, fields.values()), namespace, depth)
    if columns is None or concrete.narrowed or annotations.optional_fields(kind, namespace):
        return None
    rows = _product(columns)
    return None if rows is None else [kind(**dict(zip(fields, row))) for row in rows]


def _domains(preconditions: Sequence[Condition], numbers: Set[str]) -> dict[str, Domain]:
    """Returns what the preconditions state about each parameter.

    Parameters that are compared with each other limit each other if both are in `numbers`.
    """
    conditions = [each.expression for each in preconditions if each.expression and not _binds(each.expression)]
    stated = ast.BoolOp(ast.And(), conditions)
    known: dict[str, Domain] = {}
    for _ in range(len(numbers) + 1):
        known = _stated(stated, {name: each for name, each in known.items() if name in numbers})
    return known


def _binds(condition: ast.expr) -> bool:
    """Whether a condition can give a parameter another value (`:=`), so that it states nothing about the argument."""
    return any(isinstance(each, ast.NamedExpr) for each in ast.walk(condition))


def _stated(node: ast.expr, known: Mapping[str, Domain]) -> dict[str, Domain]:
    """Returns the domains of parameters in a condition that must hold; `known` are domains that hold, too."""
    if isinstance(node, ast.BoolOp):
        parts = [_stated(each, known) for each in node.values]
        if isinstance(node.op, ast.And):
            names = {name for each in parts for name in each}
            return {name: reduce(Domain.meet, (each.get(name, OPEN) for each in parts)) for name in names}
        return {name: reduce(Domain.join, (each.get(name, OPEN) for each in parts)) for name in parts[0]}
    domains: dict[str, Domain] = {}
    if isinstance(node, ast.Compare):
        for one, op, other in zip([node.left, *node.comparators], node.ops, node.comparators):
            kind = type(op)
            sides = ((one, kind, other), (other, MIRRORED.get(kind, ast.NotEq), one))
            for name, each, value in sides:
                if isinstance(name, ast.Name):
                    domains[name.id] = domains.get(name.id, OPEN).meet(_compared(each, value, known))
    return domains


MIRRORED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
}


def _compared(op: type[ast.cmpop], value: ast.expr, known: Mapping[str, Domain]) -> Domain:
    """Returns the domain of a parameter for which a comparison with this value holds."""
    if op is ast.In and isinstance(value, (ast.Tuple, ast.List, ast.Set)) and value.elts:
        return reduce(Domain.join, (_domain(each, known) for each in value.elts))
    domain = _domain(value, known)
    if op is ast.Eq:
        return domain
    if op in (ast.Lt, ast.LtE):
        return Domain(high=domain.high - (op is ast.Lt))
    return Domain(low=domain.low + (op is ast.Gt)) if op in (ast.Gt, ast.GtE) else OPEN


def _domain(node: ast.expr, known: Mapping[str, Domain]) -> Domain:
    """Returns the domain of a constant, or the known one of a parameter."""
    if isinstance(node, ast.Name):
        return known.get(node.id, OPEN)
    try:
        value = ast.literal_eval(node)
    except (SyntaxError, TypeError, ValueError):
        return OPEN
    if isinstance(value, int):
        # A truth value equals a whole number.
        return Domain(value, value, frozenset((int(value),)))
    return Domain(equal=frozenset((value,))) if isinstance(value, (str, bytes)) else OPEN
