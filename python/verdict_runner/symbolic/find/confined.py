"""Decides from a text alone, before any of it runs, whether loading it can run anything other than definitions.

An exploration runs the code in the same process that reports the result. The report is a proof only if no code that ran
there could have written it. For a proof, a module can therefore only define functions, constants and plain classes, and
import allowed modules. Any code that calls something is reported here. Function bodies run later, and `claims` reads
them.
"""

from __future__ import annotations

import ast
import builtins

from verdict_runner.sandbox import allowed
from verdict_runner.symbolic.code.construct_names import named, quoted

CONSTANTS = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.Slice,
    ast.Starred,
)
OPERATIONS = (ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp)
GRAMMAR = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
# Decorators that only store their arguments, by module.
DECORATORS = {
    "icontract": frozenset({"require", "ensure"}),
    "deal": frozenset("pre post ensure raises safe pure has".split()),
    "functools": frozenset({"lru_cache", "cache"}),
    "dataclasses": frozenset({"dataclass"}),
    "builtins": frozenset({"property", "staticmethod", "classmethod"}),
}
# Double-underscore names that Python does not call while it creates classes and modules.
QUIET = allowed.HARMLESS_DUNDERS | {
    "__slots__",
    "__match_args__",
    "__all__",
    "__author__",
    "__version__",
    "__bool__",
    "__neg__",
}
# Library classes that build a class from its fields without calling its methods.
BASES = {
    "enum": frozenset("Enum IntEnum StrEnum Flag IntFlag".split()),
    "typing": frozenset({"NamedTuple", "TypedDict"}),
}


def against(tree: ast.Module) -> list[str]:
    """Returns messages about the parts that run while the module is loaded and could do more than define names."""
    return [*_Reader(tree).reasons]


class _Reader:
    def __init__(self, tree: ast.Module) -> None:
        self.reasons: dict[str, None] = {}
        # What each name is bound to: "module", "module.name", or None if the text defines it.
        self._names: dict[str, str | None] = {}
        for each in tree.body:
            self._bind(each)
        for each in tree.body:
            self._statement(each)

    def _against(self, node: ast.AST, what: str) -> None:
        # Every node that is passed to this method has a position.
        line = getattr(node, "lineno", 0)
        self.reasons.setdefault(
            f"line {line}: code can run while the module is loaded, in the process that explores it: {what}"
        )

    def _bind(self, statement: ast.stmt) -> None:
        """Records the meaning of imported names; a name that is bound again has no known meaning."""
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            for each in statement.names:
                name = each.asname or each.name.partition(".")[0]
                home = each.name if isinstance(statement, ast.Import) else f"{statement.module}.{each.name}"
                self._names[name] = home if name not in self._names else None
            return
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self._defines(node, node.id)
            elif (
                isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)) and node.name
            ):
                self._defines(node, node.name)
            elif isinstance(node, (ast.Global, ast.Import, ast.ImportFrom)):
                bound = (
                    node.names if isinstance(node, ast.Global) else [each.asname or each.name for each in node.names]
                )
                self._names.update(dict.fromkeys(bound))

    def _defines(self, node: ast.AST, name: str) -> None:
        self._names[name] = None
        if allowed.is_dunder(name) and name not in QUIET:
            self._against(node, name)

    def _meaning(self, node: ast.AST) -> tuple[str, str]:
        """Returns the module, and the name in it, to which an expression refers; empty if it refers to no library."""
        if isinstance(node, ast.Name):
            known = self._names.get(node.id, f"builtins.{node.id}") or ""
            module, _, name = known.rpartition(".")
            return module, name
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return self._names.get(node.value.id) or "", node.attr
        return "", ""

    # ---- Statements.

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)):
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, ast.Assign) and all(isinstance(each, ast.Name) for each in node.targets):
            self._value(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            self._annotation(node.annotation)
            if node.value:
                self._value(node.value)
        elif isinstance(node, ast.Expr):
            self._value(node.value)
        else:
            self._against(node, named(node))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for each in node.decorator_list:
            self._decorator(each)
        arguments = node.args
        for each in [*arguments.defaults, *filter(None, arguments.kw_defaults)]:
            self._value(each)
        for each in ast.walk(arguments):
            if isinstance(each, ast.arg) and each.annotation:
                self._annotation(each.annotation)
        if node.returns:
            self._annotation(node.returns)
        if getattr(node, "type_params", None):
            self._against(node, "type parameters")

    def _decorator(self, node: ast.expr) -> None:
        call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
        module, name = self._meaning(call.func)
        if name not in DECORATORS.get(module, ()):
            self._against(node, f"the decorator {ast.unparse(call.func)}")
        for each in [*call.args, *(keyword.value for keyword in call.keywords)]:
            if isinstance(each, ast.Lambda) and module in ("icontract", "deal") and name not in ("raises", "has"):
                self._condition(each)
            else:
                self._value(each)

    def _condition(self, node: ast.Lambda) -> None:
        """Accepts a contract's condition, whose body `claims` reads."""
        if node.args.defaults or any(node.args.kw_defaults):
            self._against(node, "the defaults of a condition")

    def _class(self, node: ast.ClassDef) -> None:
        bases = [self._meaning(each) for each in node.bases]
        are_known = [module in BASES and name in BASES[module] for module, name in bases]
        if (
            not all(one or _is_error(base) for one, base in zip(are_known, bases))
            or node.keywords
            or getattr(node, "type_params", None)
        ):
            self._against(node, f"the base classes of {node.name}")
        for each in node.decorator_list:
            self._decorator(each)
        for each in node.body:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(are_known):
                self._against(each, f"a method of {node.name}")
            elif isinstance(each, (ast.Import, ast.ImportFrom, ast.ClassDef)):
                self._against(each, named(each))
            else:
                self._statement(each)

    # ---- Expressions.

    def _value(self, node: ast.AST) -> None:
        for each in ast.walk(node):
            if not isinstance(each, (*CONSTANTS, *OPERATIONS, *GRAMMAR)):
                self._against(each if hasattr(each, "lineno") else node, quoted(each))
                return

    def _annotation(self, node: ast.AST) -> None:
        """Checks an annotation, and the strings in it, which libraries evaluate."""
        self._value(node)
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                try:
                    inner = ast.parse(each.value.strip(), mode="eval").body
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    # A string that is not an expression is not evaluated.
                    continue
                if any(not isinstance(part, (*CONSTANTS, *OPERATIONS, *GRAMMAR)) for part in ast.walk(inner)):
                    self._against(node, f"the annotation `{each.value[:60]}`")


def _is_error(meaning: tuple[str, str]) -> bool:
    """Whether a meaning is a builtin exception."""
    module, name = meaning
    kind = getattr(builtins, name, None) if module == "builtins" else None
    return isinstance(kind, type) and issubclass(kind, BaseException)
