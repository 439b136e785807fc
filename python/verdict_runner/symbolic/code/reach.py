"""Finds the statements of a module that a question reaches.

The other statements are left out, since they can't change the functions' behaviour.

A statement is reached if it binds a name that is reached, or if it could change an object that such a name refers to.
Code reaches objects through names, so the names in a statement, and in the definitions to which they refer, determine
what the statement can change. Some code reaches further: through `exec`, through `sys.modules`, or through a module
that is unknown here. A statement that runs such code while the module is loaded is always kept.
"""

from __future__ import annotations

import ast
import builtins
import functools
import sys
import types
from collections.abc import Collection, Iterable, Iterator, Sequence, Set

from verdict_runner.sandbox import allowed
from verdict_runner.symbolic.code.loading import CONTRACTS, Loading
from verdict_runner.symbolic.code.mentions import (
    FUNCTIONS,
    STORING,
    Definition,
    Mentions,
    arguments_of,
    binding,
    imported,
    root_of,
    together,
    top,
)
from verdict_runner.symbolic.profile import PROFILE

# Modules without mutable contents such as lists, and modules whose functions change only the module's own state.
STATELESS = frozenset(
    "__future__ abc base64 binascii bisect cmath collections colorsys contextlib dataclasses datetime difflib enum fractions functools heapq "
    "icontract itertools math numbers operator re statistics string struct typing typing_extensions unicodedata".split()
)
# Modules whose functions only return values and change nothing if they are called while a module is loaded.
PURE = STATELESS | {"array", "copy", "datetime", "string"}
CONTAINED = STATELESS | frozenset(
    "argparse array calendar configparser contextlib copy csv datetime deal errno getopt getpass glob graphlib hashlib html io ipaddress json keyword "
    "logging optparse os pathlib platform pprint queue random reprlib secrets select shutil socket stat subprocess tempfile textwrap time timeit traceback urllib uuid zlib".split()
)
# Functions and attributes that change the clock's time zone, which `datetime` reads.
CLOCKS = frozenset("tzset environ environb putenv unsetenv".split())
# Exception names with which code can notice the recursion limit, by handling or checking for RecursionError.
DEPTH_NOTICED = frozenset("RecursionError RuntimeError Exception BaseException".split())
# Modules whose decorators only add methods to a class.
MAKERS = CONTRACTS | {"dataclasses", "functools", "enum", "typing"}
# Names of other modules that can be read or called without affecting a computation that does not use the module.
TAME = {
    "sys": frozenset(
        "_getframe argv byteorder executable exit float_info flags hexversion implementation int_info maxsize maxunicode path platform "
        "setrecursionlimit getrecursionlimit getsizeof stderr stdin stdout version version_info".split()
    ),
    "contextvars": frozenset(("ContextVar",)),
    "decimal": frozenset("Context Decimal ROUND_DOWN ROUND_HALF_EVEN ROUND_HALF_UP".split()),
    "gettext": frozenset(("NullTranslations",)),
    "importlib": frozenset("metadata.version metadata.PackageNotFoundError".split()),
    "threading": frozenset("BoundedSemaphore Condition Event Lock RLock Semaphore local".split()),
    "weakref": frozenset("WeakKeyDictionary WeakSet WeakValueDictionary".split()),
}
# Module variables that Python itself reads, for example to record where a class was defined.
IMPLICIT = (
    "__name__",
    "__builtins__",
    "__annotations__",
    "__file__",
    "__package__",
    "__spec__",
    "__loader__",
    "__path__",
)
# Methods through which classes influence how other classes are created, or what brackets after the class name do.
HOOKS = frozenset("__init_subclass__ __set_name__ __class_getitem__ __mro_entries__ __prepare__".split())
# Nodes of immutable values: constants, and operators and tuples over constants.
FIXED = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.operator, ast.unaryop, ast.expr_context)
# Nodes of expressions that run no code of the module if all names in them are Python's.
READING = (*FIXED, ast.List, ast.Set, ast.Dict, ast.Name, ast.Attribute)


def split(tree: ast.Module, roots: Iterable[str]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Splits a module's statements into those that functions and classes with these names reach, and the others."""
    return Split(tree).of(roots)


class Split:
    """Splits the statements of one module, for any roots."""

    def __init__(self, tree: ast.Module) -> None:
        loading = Loading(tree)
        first = tree.body[0] if ast.get_docstring(tree, clean=False) is not None else None
        self._statements = [_Statement(node, loading, node is first) for each in tree.body for node in separated(each)]
        self._module = _Module(tree, self._statements, loading)
        self.nodes = [each.node for each in self._statements]

    def of(self, roots: Iterable[str]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """The statements that these names reach, and the others."""
        reached = self._module.reached(roots)
        return [each.node for each in self._statements if each in reached], [
            each.node for each in self._statements if each not in reached
        ]


def separate(tree: ast.Module, place: int, roots: Set[str]) -> set[str] | None:
    """The names that a statement binds, if it does nothing else, so that code that reads none of them behaves as if the
    statement had run; None otherwise, or if it binds one of the `roots`. The tree is what these reach of a module.
    """
    statements, module = _read(tree)
    return statements[place].binds if module.is_separate(statements[place], roots) else None


# Several statements of the same tree are asked about.
@functools.lru_cache(maxsize=4)
def _read(tree: ast.Module) -> tuple[Sequence[_Statement], _Module]:
    loading = Loading(tree)
    statements = [_Statement(each, loading, False) for each in tree.body]
    return statements, _Module(tree, statements, loading)


def changing(
    statements: Sequence[ast.stmt], loading: Loading, names: Set[str], in_doubt: bool = False
) -> dict[ast.stmt, set[str]]:
    """Returns the statements that could change an imported module or the objects to which these names refer.

    Each statement is returned with the names through which it could change such objects. With `in_doubt`, a statement
    that could reach objects it does not name is returned with all names.
    """
    found = [_Statement(each, loading, False) for each in statements]
    module = _Module(ast.Module([*statements], []), found, loading)
    return module.changing(names, in_doubt)


def separated(node: ast.stmt) -> list[ast.stmt]:
    """Splits an import of several names into one import per name."""
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return [node]
    fields = {} if isinstance(node, ast.Import) else {"module": node.module, "level": node.level}
    return [ast.copy_location(type(node)(names=[each], **fields), node) for each in node.names]


class _Statement:
    """A statement of the module.

    A statement records the names that it binds, all its mentions, and the mentions in code that runs while the module
    is loaded.
    """

    def __init__(self, node: ast.stmt, loading: Loading, is_docstring: bool) -> None:
        self.node = node
        self.whole = Mentions([node])
        parts = [*loading.parts(node)]
        self.loading = Mentions(parts)
        # The mentions in code that can run if the module has class hooks: the whole of a class, and everything before a
        # function's body.
        is_patient = isinstance(node, FUNCTIONS) and node not in parts
        self.hooked = Mentions(_header(node)) if is_patient else self.whole
        self.binds = {*binding(node), *_declared(node), *(["__doc__"] if is_docstring else [])}

    @property
    def stays(self) -> bool:
        """Whether the statement is always kept, because its bindings are unknown or it affects how the text is read."""
        return "*" in self.binds or (isinstance(self.node, ast.ImportFrom) and self.node.module == "__future__")


def _header(node: ast.AST) -> Iterator[ast.AST]:
    """Yields everything that precedes a function's body."""
    if isinstance(node, FUNCTIONS):
        yield from node.decorator_list
        yield from (each for each in [*node.args.defaults, *node.args.kw_defaults] if each)
        yield from (each for each in [node.returns, *(one.annotation for one in arguments_of(node))] if each)


def _declared(node: ast.AST) -> Iterator[str]:
    """Yields names that parts of a statement bind outside their own scope.

    Such bindings are made by `:=` in a comprehension or by `global` in a class.
    """
    for each in ast.walk(node):
        if isinstance(each, ast.NamedExpr):
            yield each.target.id
        elif isinstance(each, ast.Global) and not isinstance(node, FUNCTIONS):
            yield from each.names


class _Module:
    """A module's statements, and how they reach each other."""

    def __init__(self, tree: ast.Module, statements: Sequence[_Statement], loading: Loading) -> None:
        self._statements = statements
        self._binders: dict[str | None, list[_Statement]] = {}
        for each in statements:
            for name in each.binds:
                self._binders.setdefault(name, []).append(each)
        self._runs: dict[_Statement, tuple[set[str], Mentions]] = {}
        self._reading: dict[_Statement, bool] = {}
        nodes = [*ast.walk(tree)]
        self._globals = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        self._has_hooks = has_hooks(tree, loading)
        everything = together([each.whole for each in statements])
        # Names through which attributes are set or can be set.
        self._extended = everything.store_roots | (everything.bare if everything.stores else set())
        self._stars = {
            top(node.module or "") for node in nodes if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        }

    def reached(self, roots: Iterable[str]) -> set[_Statement]:
        """Returns the statements that these names reach."""
        names, reached = {*roots, *IMPLICIT}, {each for each in self._statements if each.stays}
        while True:
            names, reached = self._closure(names, reached)
            code = together([each.whole for each in reached])
            if code.by_text:
                return {*self._statements}
            more = {each for each in self._statements if each not in reached and self._may_change(each, names, code)}
            if not more:
                return reached
            reached |= more

    def changing(self, names: Set[str], in_doubt: bool) -> dict[ast.stmt, set[str]]:
        everything = together([each.whole for each in self._statements])
        return {
            each.node: {*names} if in_doubt and self._is_open(each) else self._changed_by(each)
            for each in self._statements
            if self._may_change(each, names, everything)
        }

    def is_separate(self, statement: _Statement, roots: Set[str]) -> bool:
        everything = together([each.whole for each in self._statements])
        # No code can read the state of modules that it must not use, or change that of `sys`.
        usable = {*PROFILE.modules} - {"sys"}
        everything.imports = {each for each in everything.imports if _is_importable(each[1], usable)}
        names = {name for name in self._binders if name} - statement.binds
        return (
            bool(statement.binds)
            and not statement.binds & {*roots, *IMPLICIT}
            and not everything.by_text
            and not self._may_change(statement, names, everything)
        )

    def _is_open(self, statement: _Statement) -> bool:
        """Whether it is impossible to say what a statement changes."""
        code = self._run_by(statement)[1]
        return code.by_text or code.is_wild or code.shallow or self._gets_further(code)

    def _changed_by(self, statement: _Statement) -> set[str]:
        """Returns the names whose objects a statement can change, including names from modules that keep state."""
        touched, code = self._run_by(statement)
        modules = {top(module) for _, module in code.imports} - PURE
        of_modules = {name for name in self._binders if name and self._homes(name) & modules}
        return of_modules | {each for each in touched if self._is_changeable(each, code)}

    def _closure(self, names: Iterable[str], statements: Iterable[_Statement]) -> tuple[set[str], set[_Statement]]:
        """Returns all names to which these names and statements lead, and the statements that bind them."""
        reached, waiting = (
            set(statements),
            [*names, *(name for each in statements for name in (*each.whole.names, *each.binds))],
        )
        known = set()
        while waiting:
            name = waiting.pop()
            if name in known:
                continue
            known.add(name)
            for each in self._binders.get(name, ()):
                if each not in reached:
                    reached.add(each)
                    waiting += [*each.whole.names, *each.binds]
        return known, reached

    def _may_change(self, statement: _Statement, names: Set[str], reached: Mentions) -> bool:
        """Whether this statement could change an object to which one of the names refers."""
        touched, code = self._run_by(statement)
        if statement not in self._reading:
            self._reading[statement] = self._only_reads(statement.node)
        if (not code.names and not code.is_wild) or self._reading[statement]:
            return False
        if self._is_open(statement):
            return True
        if code.sets_depth and names & DEPTH_NOTICED:
            return True
        if "datetime" in {top(module) for _, module in reached.imports} and _sets_clock(code):
            return True
        shared = {top(module) for _, module in code.imports} & {top(module) for _, module in reached.imports}
        if shared and (code.stores or shared - STATELESS):
            return True
        return any(self._is_changeable(name, code) for name in touched & names)

    def _run_by(self, statement: _Statement) -> tuple[set[str], Mentions]:
        """Returns the names to which a statement leads while the module is loaded, and all the code that it can run."""
        known = self._runs.get(statement)
        if known is None:
            own = statement.hooked if self._has_hooks else statement.loading
            touched, statements = self._closure(own.names, ())
            code = together([own, *(each.whole for each in statements)])
            code.imports.update(("*", each) for each in self._stars)
            known = self._runs[statement] = touched, code
        return known

    def _gets_further(self, code: Mentions) -> bool:
        """Whether code can reach objects that it does not name, through modules or inside them."""
        imported_names = {name for name, _ in code.imports}
        if self._stars - STATELESS and any(
            name not in self._binders and not hasattr(builtins, name) for name in code.names
        ):
            return True
        if any(top(module) not in CONTAINED | TAME.keys() for name, module in code.imports if name != "*"):
            return True
        if code.store_roots & imported_names or any(
            root in imported_names and attribute in STORING for root, attribute in code.attributes
        ):
            return True
        # Registering a class with an abstract class changes the results of `isinstance`; translations install a builtin.
        if code.imports and any(attribute in ("register", "install") for _, attribute in code.attributes):
            return True
        # A module or a class is passed to code that sets attributes.
        parts = {root for root, attribute in code.bare_parts if not _is_fixed_part(root, attribute, code)}
        if code.stores and (code.bare | parts) & imported_names:
            return True
        through = {module for root, module in code.through if root in imported_names or code.bare & imported_names}
        if (through and code.stores) or any(top(module) not in CONTAINED | TAME.keys() for module in through):
            return True
        return any(not self._is_tame(module, through, code) for module in TAME)

    @staticmethod
    def _is_tame(home: str, through: Set[str], code: Mentions) -> bool:
        """Whether the code uses nothing of a module but its tame names."""
        used = {(name, module.partition(".")[2]) for name, module in code.imports if top(module) == home}
        used |= {("", module.partition(".")[2]) for module in through if top(module) == home}
        modules = {name for name, part in used if not part}
        parts = {part for _, part in used if part} | {part for name, part in code.parts if name in modules}
        return parts <= TAME[home] and not code.bare & modules

    def _is_changeable(self, name: str, code: Mentions) -> bool:
        """Whether this code can change the object to which a reached name refers."""
        binders = self._binders.get(name, [])
        if len(binders) > 1 or name in self._globals:
            return True
        if not binders:
            return False
        node = binders[0].node
        if name in self._extended and (
            isinstance(node, ast.ClassDef) or (isinstance(node, FUNCTIONS) and _is_in_sight(name, code))
        ):
            return True
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            return not is_fixed(node.value)
        if isinstance(node, FUNCTIONS):
            return self._is_held(name, code) or not _has_fixed_defaults(node) or not self._are_from(CONTRACTS, node)
        if isinstance(node, ast.ClassDef):
            return (
                self._is_held(name, code)
                or (code.stores and code.asks_class)
                or not (_is_plain(node) and self._are_from(MAKERS, node))
            )
        # The contents of modules are checked separately.
        return not isinstance(node, (ast.Import, ast.ImportFrom))

    def _only_reads(self, node: ast.stmt) -> bool:
        """Whether a statement only gives names to Python's own values, and to displays of them."""
        if not isinstance(node, ast.Assign) or not all(isinstance(each, ast.Name) for each in node.targets):
            return False
        nodes = [*ast.walk(node.value)]
        asked = [each for each in nodes if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "type"]
        return (
            all(isinstance(each, READING) or each in asked for each in nodes)
            and all(len(each.args) == 1 and not each.keywords for each in asked)
            and all(self._is_of_python(each.id) for each in nodes if isinstance(each, ast.Name))
        )

    def _is_of_python(self, name: str) -> bool:
        """Whether a name can only mean a builtin, or what Python's own modules contain."""
        binders = [each.node for each in self._binders.get(name, ())]
        imports = [each for each in binders if isinstance(each, (ast.Import, ast.ImportFrom))]
        homes = {top(module) for each in imports for _, module in imported(each)}
        is_known = bool(binders) or (hasattr(builtins, name) and not self._stars)
        return (
            is_known
            and name not in self._globals
            and len(imports) == len(binders)
            and not any(getattr(each, "level", 0) for each in imports)
            and homes <= sys.stdlib_module_names
        )

    def _is_held(self, name: str, code: Mentions) -> bool:
        """Whether code that can set attributes refers to a function or a class without calling it."""
        return _is_in_sight(name, code) and (code.stores or bool(code.imports))

    def _are_from(self, modules: Set[str], node: Definition) -> bool:
        """Whether all decorators of a definition come from these modules, which keep no state between calls."""
        roots = [root_of(each.func if isinstance(each, ast.Call) else each) for each in node.decorator_list]
        return all(homes and homes <= modules for homes in map(self._homes, roots))

    def _homes(self, name: str | None) -> set[str | None]:
        """Returns the modules from which a name is imported, and None if the name also has another meaning."""
        meanings = [
            (each, {top(module) for own, module in each.whole.imports if own == name})
            for each in self._binders.get(name, ())
        ]
        return {
            home
            for each, homes in meanings
            for home in (homes if isinstance(each.node, (ast.Import, ast.ImportFrom)) else {None})
        }


def has_hooks(tree: ast.AST, loading: Loading) -> bool:
    """Whether a class's code can run while another class is created, or because of brackets after the class name."""
    nodes = [*ast.walk(tree)]
    tame = {target for node in nodes if loading.is_generic(node) for target in getattr(node, "targets", ())}
    return any((node not in tame and _is_hook(node)) or _is_metaclass(node) for node in nodes)


def _is_in_sight(name: str, code: Mentions) -> bool:
    """Whether code refers to a function or a class without calling it."""
    return name in code.bare or name in code.store_roots or any(root == name for root, _ in code.attributes)


def _sets_clock(code: Mentions) -> bool:
    return any(attribute in CLOCKS for _, attribute in code.attributes) or any(
        module.rpartition(".")[2] in CLOCKS for _, module in code.imports
    )


def _is_fixed_part(root: str | None, attribute: str, code: Mentions) -> bool:
    """Whether an attribute of a module is a builtin function, whose attributes can't be set."""
    homes = [module for name, module in code.imports if name == root]
    values = [None if "." in each else getattr(sys.modules.get(each), attribute, None) for each in homes]
    return bool(values) and all(type(each) is types.BuiltinFunctionType for each in values)


def _is_hook(node: ast.AST) -> bool:
    """Whether a node names one of the `HOOKS`, as a function, a variable, an attribute or a string."""
    return any(getattr(node, field, None) in HOOKS for field in ("name", "id", "attr", "value"))


def _is_metaclass(node: ast.AST) -> bool:
    """Whether a class has a metaclass that could be the code's own."""
    return (
        isinstance(node, ast.keyword)
        and node.arg == "metaclass"
        and root_of(node.value) not in ("ABCMeta", "abc", "EnumMeta", "enum")
    )


def is_fixed(node: ast.AST) -> bool:
    """Whether the value of an expression is immutable."""
    return all(isinstance(each, FIXED) for each in ast.walk(node))


def _has_fixed_defaults(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return all(is_fixed(each) for each in [*function.args.defaults, *function.args.kw_defaults] if each)


def _is_plain(node: ast.ClassDef) -> bool:
    """Whether a class contains only fixed values and methods."""
    return not node.keywords and all(
        isinstance(each, ast.Pass)
        or (isinstance(each, FUNCTIONS) and _has_fixed_defaults(each))
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        or (isinstance(each, ast.AnnAssign) and (each.value is None or is_fixed(each.value)))
        or (isinstance(each, ast.Assign) and is_fixed(each.value))
        for each in node.body
    )


# ---- Labels for what is left out.


def notes(statements: Iterable[ast.stmt], importable: Collection[str]) -> list[str]:
    """Returns labels for the statements that are left out.

    Plain functions, constants, and imports that are allowed anyway get no label.
    """
    labels = [(_label(node, importable), node.lineno) for node in statements]
    return [f"{label} (line {line})" for label, line in dict.fromkeys(labels) if label]


def _label(node: ast.stmt, importable: Collection[str]) -> str | None:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        refused = [module for _, module in imported(node) if not _is_importable(module, importable)]
        return f"the import of {top(refused[0])}" if refused else None
    if isinstance(node, FUNCTIONS):
        return f"the decorated function {node.name}" if node.decorator_list else None
    if isinstance(node, ast.ClassDef):
        return f"the class {node.name}"
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        names = [each for each in binding(node) if not allowed.is_dunder(each)]
        return ", ".join(names) if names and not (node.value is None or is_fixed(node.value)) else None
    if isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return None
    return f"`{ast.unparse(node).splitlines()[0][:60]}`"


def _is_importable(module: str, importable: Collection[str]) -> bool:
    return module in importable or module.rpartition(".")[0] in importable
