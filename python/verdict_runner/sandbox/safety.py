"""Checks an item's syntax tree for forbidden constructs: the first of several layers."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from verdict_runner.sandbox import allowed, guards

if TYPE_CHECKING:
    from verdict_runner.languages.profile import LanguageProfile


class Finding:
    """A forbidden construct at a position in an item, with the steps to correct it."""

    def __init__(self, code: str, message: str, steps: Sequence[str], line: int, column: int = 0) -> None:
        self.code = code
        self.message = message
        self.steps = steps
        self.line = line
        self.column = column


def findings(tree: ast.AST, profile: LanguageProfile, bound: Container[str] = frozenset()) -> list[Finding]:
    """Lists the forbidden constructs in an item of this language, in line order.

    `bound` contains names that other items define; such a name does not refer to Python's builtin.
    """
    looker = _Looker(profile, bound, Counter(bound_in(tree)), _plain_classes(tree))
    # A recursive visitor would not work: a sum of a thousand terms is a tree a thousand levels deep.
    for node in ast.walk(tree):
        looker.look(node)
    return sorted(looker.findings, key=lambda each: (each.line, each.column))


class _Looker:
    def __init__(
        self, profile: LanguageProfile, bound: Container[str], bound_here: Mapping[str, int], classes: Set[str]
    ) -> None:
        self.findings: list[Finding] = []
        self._bound, self._bound_here = bound, bound_here
        self._plain = {name for name in classes if bound_here[name] == 1}
        self._profile = profile
        self._modules = frozenset(profile.modules)
        standard = (name for name in self._modules if profile.is_standard(name) and not name.startswith("_"))
        self._standard = ", ".join(sorted(standard))
        self._own = ", ".join(name for name in profile.own_modules if not allowed.is_of_original(name))
        self._whom = profile.author
        self._looks: Mapping[type[ast.AST], Callable[[Any], None]] = {
            ast.Import: self._imports,
            ast.ImportFrom: self._imports_from,
            ast.Name: self._names,
            ast.Attribute: self._attributes,
            ast.MatchClass: self._patterns,
        }

    def look(self, node: ast.AST) -> None:
        if type(node) in self._looks:
            self._looks[type(node)](node)
        self._defines(node)

    def _refuse(self, node: ast.AST, message: str, *steps: str) -> None:
        # Every node passed here has a position.
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        self.findings.append(Finding("forbidden", message, steps, line, column))

    def _import(self, node: ast.AST, name: str) -> None:
        if name in self._modules:
            return
        if name.partition(".")[0] not in sys.stdlib_module_names:
            why = f"{self._whom} has no packages here" + (f" but {self._own}" if self._own else "")
            self._refuse(
                node,
                f"The import of {name} is not allowed: {why}.",
                *(self._instead_of(name) or ["write what it does in plain Python, for example on lists of numbers"]),
            )
            return
        self._refuse(
            node,
            f"The import of {name} is not allowed: {self._profile.reason(name)}.",
            *self._instead_of(name),
            f"use one of: {', '.join(filter(None, (self._own, self._standard)))}",
            self._profile.instead,
        )

    def _instead_of(self, name: str) -> list[str]:
        """Returns the step for a module, or for a package around it, that programs often import for auxiliary tasks."""
        parts, instead = name.split("."), self._profile.instead_of_modules
        step = next(filter(None, (instead.get(".".join(parts[:end])) for end in range(len(parts), 0, -1))), None)
        return [] if step is None else [f"delete the import of {name}: {step}"]

    def _imports(self, node: ast.Import) -> None:
        for each in node.names:
            self._import(node, each.name)

    def _imports_from(self, node: ast.ImportFrom) -> None:
        if node.level:
            self._refuse(
                node, f"A relative import is not possible: {self._whom} has no package.", "import by the full name"
            )
            return
        module = node.module or ""
        for each in node.names:
            whole = f"{module}.{each.name}"
            self._import(node, whole if whole in self._modules else module)
            if allowed.attribute_refused(each.name) or self._profile.is_withheld(module, each.name):
                self._refuse(
                    node,
                    f"{each.name} of {module} is not available to {self._whom}: {allowed.WHY_WITHHELD}.",
                    self._profile.not_offered.get(each.name, "compute it in the code instead"),
                )

    def _names(self, node: ast.Name) -> None:
        is_own = not allowed.is_dunder(node.id) and (node.id in self._bound or node.id in self._bound_here)
        if node.id in allowed.REFUSED and not is_own:
            reads = [self._profile.instead] if node.id in ("open", "input") else []
            self._refuse(node, f"{node.id} is not available to {self._whom}.", allowed.REFUSED[node.id], *reads)

    def _attributes(self, node: ast.Attribute) -> None:
        self._attribute(node, node.attr)

    def _attribute(self, node: ast.AST, name: str) -> None:
        if not allowed.attribute_refused(name):
            return
        if name.endswith(("_file", "_fp", "_log")):
            self._refuse(
                node,
                f".{name} reads or writes files, which {self._whom} can't do.",
                self._profile.instead,
            )
        else:
            self._refuse(
                node,
                f"The attribute {name} is not available to {self._whom}: it gives access to more than its own values.",
                "leave it out",
            )

    def _patterns(self, node: ast.MatchClass) -> None:
        """Rejects positional class patterns, since a class itself decides their attributes, and attributes with a guard.

        Objects of the text's own plain classes have no memory to guard.
        """
        for name in node.kwd_attrs:
            self._attribute(node, name)
            is_plain = isinstance(node.cls, ast.Name) and node.cls.id in self._plain
            guard = guards.guard_of(name)
            if allowed.is_dunder(name) or (guard and not (is_plain and guard == "__memory__")):
                self._refuse(
                    node, f"The attribute {name} is not allowed in a pattern.", "read it in the body of the case"
                )
        if node.patterns:
            self._refuse(
                node,
                f"A class pattern with positional parts is not available to {self._whom}.",
                "name the attributes, as in `case Point(x=a, y=b)`",
                "or name the whole, as in `case int() as n`",
            )

    def _defines(self, node: ast.AST) -> None:
        """Rejects to define unknown double-underscore names, since such names control Python itself."""
        for name in _names_of(node):
            if name and allowed.is_dunder(name) and name not in allowed.NAMEABLE:
                self._refuse(node, f"{name} is not available to {self._whom}.", "remove it")


def _plain_classes(tree: ast.AST) -> Set[str]:
    """The classes without a base and a metaclass, which have no instances but their own."""
    classes = (each for each in ast.walk(tree) if isinstance(each, ast.ClassDef))
    return {each.name for each in classes if not each.bases and not each.keywords}


def _names_of(node: ast.AST) -> Iterator[str | None]:
    for field in DEFINING.get(type(node), ()):
        value = getattr(node, field)
        yield from value if isinstance(value, list) else [value]


def bound_in(tree: ast.AST) -> Iterator[str]:
    """Yields the names defined anywhere in a source text."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.keyword) and not isinstance(getattr(node, "ctx", None), ast.Load):
            yield from filter(None, _names_of(node))


# The syntax tree fields that contain a bound or referenced name.
DEFINING: Mapping[type[ast.AST], tuple[str, ...]] = {
    ast.Name: ("id",),
    ast.FunctionDef: ("name",),
    ast.AsyncFunctionDef: ("name",),
    ast.ClassDef: ("name",),
    ast.arg: ("arg",),
    ast.keyword: ("arg",),
    ast.alias: ("asname",),
    ast.ExceptHandler: ("name",),
    ast.Global: ("names",),
    ast.Nonlocal: ("names",),
    ast.MatchAs: ("name",),
    ast.MatchStar: ("name",),
    ast.MatchMapping: ("rest",),
    **{getattr(ast, kind): ("name",) for kind in ("TypeVar", "ParamSpec", "TypeVarTuple") if hasattr(ast, kind)},
}
