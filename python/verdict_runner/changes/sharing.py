"""What two versions of a module have in common, so that one copy of it serves both.

Only what keeps no state is shared: a call of one version could leave something in it that the other version finds, and
a difference between them would be hidden. Classes have to be shared: an instance of one is no instance of another.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from verdict_runner.symbolic.code import reach
from verdict_runner.symbolic.code.loading import TYPE_MAKERS, Loading
from verdict_runner.symbolic.code.mentions import FUNCTIONS, Mentions, binding, imported, root_of, top
from verdict_runner.symbolic.code.reach import PURE, STATELESS, is_fixed

IMPORTS = (ast.Import, ast.ImportFrom)
# Calls that make a class, as an assignment of a module.
CLASS_MAKERS = frozenset(
    "namedtuple NamedTuple NewType TypedDict Enum IntEnum StrEnum Flag IntFlag make_dataclass type".split()
)
# Calls whose value never changes.
FIXED_MAKERS = (
    frozenset("frozenset compile object Decimal Fraction Literal classmethod staticmethod timedelta".split())
    | TYPE_MAKERS
)
# Decorators of classes that keep nothing from one call to the next.
CLASS_DECORATORS = frozenset("dataclass total_ordering unique final runtime_checkable".split())
# What the value of a field of a class may call.
FIELD_MAKERS = frozenset("field auto factory frozenset".split())
# Classes of modules, with names that do not begin with a capital letter.
LOWER_CASE_CLASSES = frozenset(
    (
        *("threading.local", "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta"),
        *("datetime.timezone", "collections.deque", "collections.defaultdict", "collections.namedtuple"),
        *("itertools.count", "itertools.repeat", "operator.attrgetter", "operator.itemgetter", "re.compile"),
    )
)
BY_TEXT = frozenset("globals locals vars dir eval exec compile __import__".split())
# Variables that Python gives a module: one module for both versions has others.
OF_MODULE = frozenset(
    "__name__ __doc__ __file__ __package__ __spec__ __loader__ __path__ __annotations__ __dict__".split()
)


class Side:
    """The statements of one version that a function reaches."""

    def __init__(self, statements: Sequence[ast.stmt]) -> None:
        self.statements = [each for each in statements if not is_empty(each)]
        self._loading = Loading(ast.Module([*self.statements], []))
        self.binders: dict[str, list[ast.stmt]] = {}
        self.mentions: dict[ast.stmt, Mentions] = {}
        self.dumps: dict[ast.stmt, str] = {}
        for node in self.statements:
            self.mentions[node] = Mentions([node])
            self.dumps[node] = ast.dump(node)
            for name in self.bound(node):
                self.binders.setdefault(name, []).append(node)
        nodes = [each for node in self.statements for each in ast.walk(node)]
        # Names that a function binds anew, or through which something is set.
        self.rebound = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        self.rebound |= {name for each in self.mentions.values() for name in each.store_roots if name}

    @staticmethod
    def bound(node: ast.stmt) -> set[str]:
        """The names that a statement of the module binds there."""
        named = {each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr)}
        return {*binding(node)} | (set() if isinstance(node, FUNCTIONS) else named)

    def names_of(self, node: ast.stmt) -> set[str]:
        """The names of variables of the module, or of Python, that a statement mentions."""
        return {*self.mentions[node].names, *self.bound(node)}

    def key(self, name: str) -> object:
        """What gives a name its meaning: equal keys are equal code."""
        nodes = self.binders.get(name, [])
        imports = [each for each in nodes if isinstance(each, ast.Import)]
        if imports and len(imports) == len(nodes):
            origins = sorted({origin for each in imports for own, origin in imported(each) if own == name})
            # `import a.b` and `import a.c` both bind the package `a`; with `as`, a name is that of the module.
            renames = any(alias.asname for each in imports for alias in each.names)
            return "import", origins if renames else name
        return [self.dumps[each] for each in nodes]

    def makes_class(self, name: str) -> bool:
        """Whether a name is a class that this module makes."""
        return any(_makes_class(each) for each in self.binders.get(name, ()))

    def changing(self, names: Set[str]) -> list[ast.stmt]:
        """The statements that can change what these names refer to, or a module: by what they call while they are
        loaded, too. Left out are those that only make values.
        """
        rest = {name for each in self.mentions.values() for name in each.names} - self.binders.keys()
        found = reach.changing(self.statements, self._loading, {*names, *rest})
        return [
            each
            for each in found
            # A class can run code of its bases and of its metaclass.
            if any(isinstance(part, ast.ClassDef) for part in ast.walk(each))
            or not all(map(self._only_makes, self._loading.parts(each)))
        ]

    def runs(self, node: ast.stmt) -> bool:
        """Whether more runs with a statement, while the module is loaded, than what gives a constant its value."""
        return not all(isinstance(each, ast.expr) and is_fixed(each) for each in self._loading.parts(node))

    def _only_makes(self, node: ast.AST) -> bool:
        """Whether code that runs only makes a value: of constants of imported modules (`os.O_RDWR`), and of calls of
        their classes (`random.Random()`), which change nothing of these modules.
        """
        if not isinstance(node, (ast.expr, ast.Expr)):
            return False
        parts = [*ast.walk(node)]
        calls = [each for each in parts if isinstance(each, ast.Call)]
        called = {id(each.func) for each in calls}
        inner = {id(each.value) for each in parts if isinstance(each, ast.Attribute)}
        ends = [each for each in parts if isinstance(each, (ast.Name, ast.Attribute)) and id(each) not in inner]
        return (
            not any(isinstance(each, (ast.NamedExpr, ast.Await)) for each in parts)
            and all(isinstance(each, ast.Name) or isinstance(each.ctx, ast.Load) for each in ends)
            and all(isinstance(each.func, (ast.Name, ast.Attribute)) for each in calls)
            and all(self._is_harmless(each, id(each) in called, bool(calls)) for each in ends)
        )

    def _is_harmless(self, node: ast.Name | ast.Attribute, is_called: bool, is_given: bool) -> bool:
        """Whether the use of a name, or of an attribute, gives nobody access to what both versions have; `is_given` if a call
        can be given it.
        """
        root = root_of(node)
        if root is None:
            # A part of a value that was just made; a call of it could do anything.
            return not is_called and isinstance(_beginning(node), ast.Call)
        if not self.imports(root):
            return not is_called and root not in self.binders
        # What was imported under another name keeps its own.
        end = f".{node.attr}" if isinstance(node, ast.Attribute) else ""
        origins = {f"{each}{end}" for each in self.origins([root])}
        last = [each.rpartition(".")[2] for each in origins]
        is_class = origins <= LOWER_CASE_CLASSES or all(each[:1].isupper() for each in last)
        if self.tops([root]) <= PURE:
            return is_class or not is_called
        return is_class if is_called else not is_given or all(map(str.isupper, last))

    def imports(self, name: str) -> bool:
        nodes = self.binders.get(name, [])
        return bool(nodes) and name not in self.rebound and all(isinstance(each, IMPORTS) for each in nodes)

    def tops(self, names: Iterable[str]) -> set[str]:
        """The modules that these names are imported from."""
        return {top(each) for each in self.origins(names)}

    def origins(self, names: Iterable[str]) -> set[str]:
        """What these names were before they were imported."""
        nodes = {each for name in names for each in self.binders.get(name, ()) if isinstance(each, IMPORTS)}
        return {origin for each in nodes for own, origin in imported(each) if own in names}


def is_empty(node: ast.stmt) -> bool:
    """Whether a statement does nothing: a text, or `pass`."""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _makes_class(node: ast.stmt) -> bool:
    if isinstance(node, ast.ClassDef):
        return True
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return _maker(node.value) in CLASS_MAKERS
    return any(isinstance(each, ast.ClassDef) for each in ast.walk(node)) and not isinstance(node, FUNCTIONS)


def _beginning(node: ast.expr) -> ast.expr:
    """The value of which an expression takes a part."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node


def _maker(value: ast.expr | None) -> str | None:
    """The last name of a called function."""
    if not isinstance(value, ast.Call):
        return None
    return value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", None)


def shared(old: Side, new: Side) -> set[str]:
    """The names that mean the same in both versions, with all that they reach, and keep no state."""
    rebound = old.rebound | new.rebound
    both = {
        name
        for name in old.binders.keys() & new.binders.keys()
        if name not in rebound
        and old.key(name) == new.key(name)
        and all(_keeps_nothing(each) for side in (old, new) for each in side.binders[name])
    }
    while True:
        known = old.binders.keys() | new.binders.keys()
        lost = {
            name
            for name in both
            for side in (old, new)
            for node in side.binders[name]
            if any(each in known and each not in both for each in side.names_of(node))
        }
        if not lost:
            return both
        both -= lost


def _keeps_nothing(node: ast.AST) -> bool:
    """Whether what a statement makes is the same before and after any call."""
    if isinstance(node, IMPORTS):
        return not any(each.name == "*" for each in node.names) or top(getattr(node, "module", "") or "") in STATELESS
    if isinstance(node, FUNCTIONS):
        defaults = [*node.args.defaults, *(each for each in node.args.kw_defaults if each)]
        return not node.decorator_list and all(map(_is_constant, defaults))
    if isinstance(node, ast.ClassDef):
        return _is_plain_class(node)
    if isinstance(node, ast.Assign):
        return all(isinstance(each, ast.Name) for each in node.targets) and _is_constant(node.value)
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.target, ast.Name) and (node.value is None or _is_constant(node.value))
    if isinstance(node, (ast.If, ast.Try)):
        return all(is_empty(each) or _keeps_nothing(each) for each in _statements(node))
    return False


def _statements(node: ast.If | ast.Try) -> Iterator[ast.stmt]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.stmt):
            yield each
        elif isinstance(each, ast.ExceptHandler):
            yield from each.body


def _is_constant(value: ast.AST) -> bool:
    """Whether a value can't be changed: a number, a text, a tuple of such, a type, or another name for something."""
    if is_fixed(value) or isinstance(value, ast.Name):
        return True
    if isinstance(value, ast.Attribute):
        return _is_constant(value.value)
    if isinstance(value, ast.Subscript):
        return _is_constant(value.value)
    if isinstance(value, (ast.BinOp, ast.UnaryOp)):
        return all(_is_constant(each) for each in ast.iter_child_nodes(value) if isinstance(each, ast.expr))
    if isinstance(value, ast.Tuple):
        return all(map(_is_constant, value.elts))
    return isinstance(value, ast.Call) and _maker(value) in FIXED_MAKERS | CLASS_MAKERS


def _is_plain_class(node: ast.ClassDef) -> bool:
    """Whether a class keeps nothing but methods and fixed values."""
    decorators = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    last = [each.attr if isinstance(each, ast.Attribute) else root_of(each) for each in decorators]
    if any(each not in CLASS_DECORATORS for each in last) or any(each.arg != "metaclass" for each in node.keywords):
        return False
    return all(map(_is_plain_member, node.body))


def _is_plain_member(node: ast.stmt) -> bool:
    if isinstance(node, FUNCTIONS):
        defaults = [*node.args.defaults, *(each for each in node.args.kw_defaults if each)]
        decorators = {ast.unparse(each) for each in node.decorator_list}
        return decorators <= {"property", "staticmethod", "classmethod", "abstractmethod", "override"} and all(
            map(_is_constant, defaults)
        )
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return node.value is None or _is_constant(node.value) or _maker(node.value) in FIELD_MAKERS
    return is_empty(node) or (isinstance(node, ast.ClassDef) and _is_plain_class(node))


def by_text(sides: Mapping[str, Side]) -> str | None:
    """A name by which code reaches variables through texts, or reads what Python knows of its module; None if there is
    none. In the body of a class with a docstring, `__doc__` is that of the class.
    """
    for side in sides.values():
        for node in side.statements:
            parts = [*ast.walk(node)]
            documented = [
                each for each in parts if isinstance(each, ast.ClassDef) and ast.get_docstring(each, clean=False)
            ]
            own = {part for each in documented for inner in each.body for part in _of_scope(inner)}
            for each in parts:
                if isinstance(each, ast.Name) and each.id in BY_TEXT | OF_MODULE:
                    if each.id != "__doc__" or each not in own:
                        return each.id
    return None


def _of_scope(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a statement that run in the scope around it."""
    yield node
    inner = [*node.decorator_list] if isinstance(node, (*FUNCTIONS, ast.ClassDef)) else [*ast.iter_child_nodes(node)]
    for each in (
        inner if not isinstance(node, (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)) else ()
    ):
        yield from _of_scope(each)
