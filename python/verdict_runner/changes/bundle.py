"""Combines a function and everything it uses from its repository's own modules into one module.

Each module of the repository keeps its statements and their order; an import from another of these modules is
replaced by the imported definition. If two modules define the same name, one definition is renamed (`renaming`).
Code that can't be combined in this way is rejected, for example a module that is used as a value.
"""

from __future__ import annotations

import ast
import copy
import functools
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verdict_runner.changes import renaming
from verdict_runner.changes.files import Files
from verdict_runner.changes.functions import copied
from verdict_runner.changes.reading import PACKAGES, parsed
from verdict_runner.changes.unfit import Unfit
from verdict_runner.symbolic.code import reach
from verdict_runner.symbolic.code.mentions import FUNCTIONS, Mentions, binding, named, top

IDENTIFIER = re.compile(r"[^\W\d]\w*")
FAILED_IMPORTS = frozenset(("ImportError", "ModuleNotFoundError"))
# The maximum number of the repository's modules that one function may reach.
MODULES_MAX = 60
# The maximum number of cached modules, each of up to a few megabytes: the functions of a module need the same ones.
READ_MAX = 16


def bundled(
    text: str, path: str, root: str, files: Files
) -> tuple[list[ast.stmt], list[str], list[str], Mapping[str, tuple[str, str]]]:
    """Returns the statements that a function reaches, the paths of the other modules they come from, notes, and the
    module and the name there of each definition from another module.

    Raises `Unfit`, or `Missing` if a file has to be read first.
    """
    bundle = _Bundle(text, path, files)
    return *bundle.made(root), bundle.notes, bundle.origins


@dataclass(frozen=True)
class _Use:
    """A local name that an import binds to another module's definition, or to the module itself."""

    local: str
    path: str
    name: str | None


class _Read:
    """A module as it was read, for all functions that need a part of it."""

    def __init__(self, tree: ast.Module) -> None:
        self.bound = frozenset(name for node in tree.body for name in binding(node))
        self._split = reach.Split(tree)

    def reached(self, names: Iterable[str]) -> list[ast.stmt]:
        """Copies of the statements that these names reach."""
        return copied(ast.Module(self._split.of(names)[0], [])).body


@functools.lru_cache(maxsize=READ_MAX)
def _read(text: str) -> _Read:
    return _Read(parsed(text))


class _Module:
    """A module of the repository, with the names and statements that are needed from it."""

    def __init__(self, path: str, read: _Read) -> None:
        self.path = path
        self.read = read
        self.bound = read.bound
        self.needed: set[str] = set()
        self.statements: list[ast.stmt] = []
        # For each import of one of the repository's modules: the names that it binds.
        self.uses: dict[ast.stmt, list[_Use]] = {}

    @property
    def stem(self) -> str:
        parts = self.path.removesuffix(".py").split("/")
        return parts[-1] if parts[-1] != "__init__" else "".join(parts[-2:-1]) or "package"

    def everything(self) -> list[_Use]:
        return [each for uses in self.uses.values() for each in uses]


class _Bundle:
    """The modules that a function reaches."""

    def __init__(self, text: str, path: str, files: Files) -> None:
        self._files = files
        self.notes: list[str] = []
        self.origins: dict[str, tuple[str, str]] = {}
        # Package imports inside a `try`; the comparison assumes that they fail, since packages can't be included.
        self._without: dict[str, None] = {}
        self._modules: dict[str, _Module] = {}
        self._main = _Module(path, self._read_with_tried_imports(path, text))
        self._modules[path] = self._main

    def made(self, root: str) -> tuple[list[ast.stmt], list[str]]:
        self._reach(root)
        self.notes = [f"Compared without packages: `{each}` fails here." for each in self._without]
        if not self._main.uses:
            return self._main.statements, []
        others = [path for path, each in self._modules.items() if each is not self._main and each.statements]
        flat = self._flat_names()
        self.origins = {new: each for each, new in flat.items()}
        statements = [each for module in self._in_order() for each in self._rewritten(module, flat)]
        futures = {ast.dump(each): each for each in statements if is_future(each)}
        return [*futures.values(), *(each for each in statements if not is_future(each))], others or [self._main.path]

    # ---- Finding what the function reaches.

    def _reach(self, root: str) -> None:
        """Follows imports until nothing new is needed."""
        self._main.needed = {root}
        waiting = [self._main]
        while waiting:
            module = waiting.pop()
            module.statements = module.read.reached(sorted(module.needed))
            module.uses = self._uses_of(module)
            for path, names in self._needed_by(module).items():
                other = self._module(path)
                if not names <= other.needed or (not other.statements and other is not module):
                    other.needed |= names
                    waiting.append(other)
        self._files.settle()

    def _module(self, path: str) -> _Module:
        known = self._modules.get(path)
        if known is None:
            if len(self._modules) >= MODULES_MAX:
                raise Unfit(f"it depends on more than {MODULES_MAX} modules of this repository")
            read = self._read_with_tried_imports(path, self._files.text(path))
            known = self._modules[path] = _Module(path, read)
        return known

    def _read_with_tried_imports(self, path: str, text: str) -> _Read:
        """Replaces a `try` around an import with the branch that runs with the repository's modules but no packages."""
        tree, is_changed = parsed(text), False
        for node in [each for each in tree.body if isinstance(each, ast.Try)]:
            caught = {getattr(each.type, "id", None) for each in node.handlers}
            imports = [each for each in node.body if isinstance(each, (ast.Import, ast.ImportFrom))]
            found = [self._is_there(path, each) for each in imports]
            if not caught <= FAILED_IMPORTS or not found or None in found:
                continue
            runs = [*node.body, *node.orelse, *node.finalbody]
            if False in found:
                failed = imports[found.index(False)]
                runs = [*node.body[: node.body.index(failed)], *node.handlers[0].body, *node.finalbody]
                self._without[ast.unparse(failed)] = None
            place = tree.body.index(node)
            tree.body[place : place + 1] = runs or [ast.Pass()]
            is_changed = True
        return _Read(tree) if is_changed else _read(text)

    def _is_there(self, path: str, node: ast.Import | ast.ImportFrom) -> bool | None:
        """Whether an import finds its module in the repository; None if that is unknown or Python provides it."""
        if isinstance(node, ast.Import) or not (node.level or self._files.is_own(node.module or "")):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            is_package = not any(
                self._files.is_own(each) or top(each) in sys.stdlib_module_names or top(each) in PACKAGES
                for each in names
            )
            return False if is_package else None
        home = (
            self._files.relative(path, node.level, node.module or "")
            if node.level
            else self._files.absolute(node.module or "")
        )
        if self._files.is_open or (home is None and not node.module):
            return None
        if home is not None and self._needs_package(home):
            return None
        return home is not None

    def _needs_package(self, path: str) -> bool:
        """Whether a module of the repository imports packages; it is unknown whether such a module can be imported."""
        if path in self._modules:
            return False
        return any(
            isinstance(node, (ast.Import, ast.ImportFrom))
            and not getattr(node, "level", 0)
            and self._is_there(path, node) is False
            for node in parsed(self._files.text(path)).body
        )

    def _uses_of(self, module: _Module) -> dict[ast.stmt, list[_Use]]:
        uses: dict[ast.stmt, list[_Use]] = {}
        for statement in module.statements:
            for node in ast.walk(statement):
                if isinstance(node, ast.ImportFrom) and (node.level or self._files.is_own(node.module or "")):
                    uses[node] = [*self._from(module, node)]
                elif isinstance(node, ast.Import) and any(self._files.is_own(each.name) for each in node.names):
                    uses[node] = [*self._whole(node)]
        return uses

    def _from(self, module: _Module, node: ast.ImportFrom) -> Iterator[_Use]:
        shown = f"{'.' * node.level}{node.module or ''}"
        if node.level:
            path = self._files.relative(module.path, node.level, node.module or "")
        else:
            path = self._files.absolute(node.module or "")
        if path is None and self._files.is_open:
            return
        for each in node.names:
            if each.name == "*":
                raise Unfit(f"it uses all names of {shown}, a module of this repository (`import *`)")
            local = each.asname or each.name
            if path is not None and each.name in self._module(path).bound:
                yield _Use(local, path, each.name)
                continue
            inner = self._files.inside(path, each.name) if path else self._beside(module, node, each.name)
            if inner is not None:
                yield _Use(local, inner, None)
            elif not self._files.is_open:
                raise Unfit(f"it uses {each.name} of {shown}, which no file of this repository defines")

    def _beside(self, module: _Module, node: ast.ImportFrom, name: str) -> str | None:
        whole = f"{node.module}.{name}" if node.module else name
        return self._files.relative(module.path, node.level, whole) if node.level else self._files.absolute(whole)

    def _whole(self, node: ast.Import) -> Iterator[_Use]:
        for each in node.names:
            if not self._files.is_own(each.name):
                raise Unfit(
                    f"one import names a module of this repository together with another module: `{ast.unparse(node)}`"
                )
            path = self._files.absolute(each.name)
            if path is None and self._files.is_open:
                continue
            if path is None or ("." in each.name and not each.asname):
                raise Unfit(f"it imports {each.name}, which is, or can be, a module of this repository")
            yield _Use(each.asname or each.name, path, None)

    def _needed_by(self, module: _Module) -> dict[str, set[str]]:
        """For each other module, the names in it that this module's statements use."""
        needed: dict[str, set[str]] = {}
        for use in module.everything():
            names = needed.setdefault(use.path, set())
            if use.name is not None:
                names.add(use.name)
                continue
            other = self._module(use.path)
            for statement in module.statements:
                for node in ast.walk(statement):
                    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                        if node.value.id == use.local and node.attr in other.bound:
                            names.add(node.attr)
        return needed

    # ---- Names.

    def _flat_names(self) -> dict[tuple[str, str], str]:
        """Each definition's name in the combined module; definitions of the function's own module keep theirs."""
        binders = {
            path: {name for node in each.statements for name in binding(node)} for path, each in self._modules.items()
        }
        # The names under which a module imports another module's definitions.
        known = {
            path: {(use.path, use.name): use.local for use in module.everything()}
            for path, module in self._modules.items()
        }
        mentioned = {path: binders[path] | Mentions(module.statements).names for path, module in self._modules.items()}
        taken = {
            name
            for module in self._modules.values()
            for node in module.statements
            for name in IDENTIFIER.findall(ast.unparse(node))
        }
        # A function that imports a name makes it a local variable, so the definition needs another name.
        local = {
            use.name
            for module in self._modules.values()
            for node, uses in module.uses.items()
            if node not in module.statements
            for use in uses
        }
        flat: dict[tuple[str, str], str] = {}
        used: set[str] = set()
        imports = {(path, use.local) for path, module in self._modules.items() for use in module.everything()}
        for name in binders[self._main.path]:
            if (self._main.path, name) not in imports:
                flat[self._main.path, name] = name
                used.add(name)
        for path in sorted(self._modules):
            if path == self._main.path:
                continue
            for name in sorted(binders[path]):
                if (path, name) in imports:
                    continue
                is_free = name not in used | local and all(
                    other == path or name not in mentioned[other] or known[other].get((path, name)) == name
                    for other in self._modules
                )
                flat[path, name] = name if is_free else _fresh(name, self._modules[path].stem, taken | used)
                used.add(flat[path, name])
        return flat

    def _meaning(self, use: _Use, flat: Mapping[tuple[str, str], str], name: str | None = None) -> str:
        """An imported definition's name in the combined module; follows modules that only re-export it."""
        path, wanted = use.path, name if name is not None else use.name
        for _ in range(len(self._modules) + 1):
            passed = [each for each in self._modules[path].everything() if each.local == wanted]
            if not passed:
                break
            if len({(each.path, each.name) for each in passed}) > 1 or passed[0].name is None:
                raise Unfit(f"{wanted} of {path} is a module, or has more than one meaning")
            path, wanted = passed[0].path, passed[0].name
        new_name = flat.get((path, wanted or ""))
        if new_name is None:
            raise Unfit(f"it uses {wanted} of {path}, which can't be included")
        return new_name

    # ---- The statements.

    def _in_order(self) -> list[_Module]:
        """The modules in Python's loading order: each follows the modules that it imports."""
        order: list[_Module] = []
        seen: set[str] = set()

        def visit(module: _Module) -> None:
            seen.add(module.path)
            for use in module.everything():
                if use.path not in seen:
                    visit(self._modules[use.path])
            order.append(module)

        visit(self._main)
        return order

    def _rewritten(self, module: _Module, flat: Mapping[tuple[str, str], str]) -> list[ast.stmt]:
        """A module's statements with the combined module's names, and without imports of the repository's modules."""
        self._refuse_blocks(module)
        own = [each for each in module.statements if each not in module.uses]
        inner = _LocalImports(
            {
                node: [(use.local, self._meaning(use, flat)) for use in uses if use.name is not None]
                for node, uses in module.uses.items()
                if node not in module.statements and all(use.name is not None for use in uses)
            }
        )
        names = {name: flat[module.path, name] for name in module.bound if (module.path, name) in flat}
        of_modules: dict[str, _Use] = {}
        for node, uses in module.uses.items():
            if node not in module.statements:
                continue
            for use in uses:
                if use.local in names and use.local in {name for each in own for name in binding(each)}:
                    raise Unfit(f"{use.local} is imported from this repository, and redefined")
                if use.name is not None:
                    names[use.local] = self._meaning(use, flat)
                else:
                    of_modules[use.local] = use
                    names[use.local] = f"{use.local}_as_module_of_{module.stem}"
        changed = {name: new for name, new in names.items() if name != new}
        rewritten = renaming.renamed(own, changed) if changed else [copy.deepcopy(each) for each in own]
        if of_modules:
            by_name = {names[local]: use for local, use in of_modules.items()}
            rewritten = [
                _Attributes(by_name, lambda use, name: self._meaning(use, flat, name)).of(each) for each in rewritten
            ]
        if inner.imports:
            # The copied imports have the same positions as the originals.
            inner.by_place = {(node.lineno, node.col_offset): pairs for node, pairs in inner.imports.items()}
            rewritten = [inner.visit(each) for each in rewritten]
        return [ast.fix_missing_locations(each) for each in rewritten]

    def _refuse_blocks(self, module: _Module) -> None:
        """Rejects imports that can't be replaced: in a block of the module, or of a whole module in a function."""
        inside = {
            node
            for statement in module.statements
            for function in ast.walk(statement)
            if isinstance(function, FUNCTIONS)
            for node in ast.walk(function)
        }
        for node, uses in module.uses.items():
            if node in module.statements:
                continue
            if node not in inside:
                raise Unfit(f"it imports a module of this repository inside a block: `{ast.unparse(node)}`")
            if any(use.name is None for use in uses):
                raise Unfit(f"a function imports a whole module of this repository: `{ast.unparse(node)}`")


class _LocalImports(ast.NodeTransformer):
    """Replaces imports in functions with assignments of the imported definitions."""

    def __init__(self, imports: Mapping[ast.stmt, Sequence[tuple[str, str]]]) -> None:
        self.imports = imports
        self.by_place: dict[tuple[int, int], Sequence[tuple[str, str]]] = {}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.AST]:
        pairs = self.by_place.get((node.lineno, node.col_offset))
        if pairs is None:
            return node
        if any(local == name for local, name in pairs):
            raise Unfit(f"a function imports a name that its module also defines: `{ast.unparse(node)}`")
        return [
            ast.copy_location(ast.Assign([ast.Name(local, ast.Store())], ast.Name(name, ast.Load())), node)
            for local, name in pairs
        ]


class _Attributes(ast.NodeTransformer):
    """Replaces a module's attributes with the names of their definitions; rejects a module that is used as a value."""

    def __init__(self, modules: Mapping[str, _Use], meaning: Callable[[_Use, str], str]) -> None:
        self._modules = modules
        self._meaning = meaning
        # Names that are, or may be, local to a function in the statement.
        self._local: set[str] = set()

    def of(self, statement: ast.stmt) -> ast.stmt:
        self._local = {
            name
            for node in ast.walk(statement)
            if node is not statement and not isinstance(getattr(node, "ctx", None), ast.Load)
            for name in named(node)
        }
        return self.visit(statement)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        use = self._modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if use is None:
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            raise Unfit(f"it changes {use.local}, a module of this repository")
        name = self._meaning(use, node.attr)
        if name in self._local:
            raise Unfit(f"{use.local}.{node.attr} has the name of a local variable")
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self._modules:
            raise Unfit(f"it uses {self._modules[node.id].local}, a module of this repository, as a value")
        return node


def is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _fresh(name: str, stem: str, taken: Iterable[str]) -> str:
    fresh, number = f"{name}_of_{stem}", 2
    while fresh in taken:
        fresh, number = f"{name}_of_{stem}{number}", number + 1
    return fresh
