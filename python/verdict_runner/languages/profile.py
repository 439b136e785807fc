"""Describes a language to the sandbox, the checker and the runner."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from types import ModuleType

from verdict_runner.protocol.messages import Fault
from verdict_runner.sandbox import allowed

# What to write instead of modules for arguments, tables, plots and clocks.
INSTEAD_OF_MODULES = {
    "pathlib": "put the data into an item; there are no files",
    "numpy": "write arrays as lists, read a file of data_files as data['staff'] or with csv, or use the language cpmpy, which has numpy",
    "matplotlib": "the answer contains the values, and a page can draw them (the argument view)",
    "networkx": "write a graph as a list of pairs (i, j)",
    "cpmpy.tools": "the answer to an unsat model names the lines that conflict (unsat_items), and the option why finds what to drop",
    "pypblib": "write PBEnc.atmost(lits=…, weights=…, bound=…) of pysat.pb",
    "requests": "put the data into an item; there is no network",
    "logging": "use print; the answer contains the printed output",
    "timeit": "the answer has solve_time",
    "threading": "a solver runs automatically; timeout_ms limits it",
    "multiprocessing": "a solver runs automatically; timeout_ms limits it",
}


def no_calls(calls: Set[str]) -> Iterator[str]:
    """The default for a language in which no call can be missing."""
    return iter(())


def no_fault(tree: ast.Module) -> Fault | None:
    """The default for a language without restrictions on its items."""
    return None


def no_steps(name: str, kind: type) -> list[str]:
    """The default for a language without advice on missing attributes."""
    return []


def unchanged(known: Mapping[str, ModuleType]) -> None:
    """The default for a language whose modules are shown unchanged."""


@dataclass(frozen=True)
class LanguageProfile:
    """A language whose items, or whose code under analysis, are Python.

    Creating a profile imports no engine, since the process that checks items has none.
    """

    id: str
    # The programs that run the language, each with the module that defines `solve`, `warm`, `rehearse`, `modules` and
    # `versions`.
    programs: Mapping[str, str]

    # File formats (`files`) that the language also reads; such a file is the whole model.
    files: tuple[str, ...] = ()

    # ---- What a program may import.
    # Modules in addition to those of the standard library in `allowed.STANDARD`.
    own_modules: tuple[str, ...] = ()
    # Standard library modules that this language does not offer.
    without: tuple[str, ...] = ()
    # Modules in addition to `allowed.CHOSEN`, each with its visible names; all other names are withheld.
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Public names in `own_modules` that are withheld.
    kept_back: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Packages whose modules show only their own definitions, since they import more than they offer.
    only_its_own: tuple[str, ...] = ()
    # Modifies the modules visible to programs; called once, before the first program.
    complete: Callable[[Mapping[str, ModuleType]], None] = unchanged

    # ---- The names available without an import.
    present: Set[str] = frozenset()
    # The prefix of the engine's constants, which are also available.
    constants: str | None = None
    # Modules for which `from … import *` imports only names in `present`.
    starred: tuple[str, ...] = ()

    # ---- What a program may do with objects.
    # The module name of a program.
    module: str = "__main__"
    # Engine packages; a program's classes can't inherit from their classes.
    engines: tuple[str, ...] = ()
    # Modules whose objects a program can change, besides instances of the program's own classes.
    changeable: tuple[str, ...] = ("decimal",)
    # Modules whose classes `type()` does not return to programs, and single such classes as (module, name).
    hidden_modules: tuple[str, ...] = ()
    hidden_classes: tuple[tuple[str, str], ...] = ()

    # Whether a program's own behaviour is in question, so that it must not see what replaces objects of Python.
    is_exact: bool = False

    # ---- Messages for a program's author.
    # The subject of refusals.
    author: str = "a model"
    # The step shown when an import is rejected.
    instead: str = "put the data into an item instead of reading it from a file, the network or the environment"
    # The step shown when a particular package is rejected.
    instead_of_modules: Mapping[str, str] = field(default_factory=INSTEAD_OF_MODULES.copy)
    # Why a module is rejected, if the reason is not access to the machine.
    reasons: Mapping[str, str] = field(default_factory=dict)
    # Operators from other languages, with their replacements.
    foreign: Mapping[str, str] = field(default_factory=dict)
    # Typographic logic symbols, with their replacements.
    signs: Mapping[str, str] = field(default_factory=dict)
    # The step shown for an item that is nested too deeply.
    instead_of_nesting: str = "write sum(…) over a list instead of hundreds of operands"
    # Names from other libraries and styles, with their equivalents in this language.
    methods: Mapping[str, str] = field(default_factory=dict)
    # The library's withheld names, with their alternatives.
    not_offered: Mapping[str, str] = field(default_factory=dict)
    # The steps shown if an expression is used as a list index or a dictionary key.
    lookups: tuple[str, ...] = ()
    # The steps shown for an attribute that an engine's class lacks, if no similar name exists.
    missing: Callable[[str, type], list[str]] = no_steps
    # Finds a fault in an item that Python accepts but this language does not.
    fault_in: Callable[[ast.Module], Fault | None] = no_fault
    # Warns about missing calls that a solution requires, given the names that all items call.
    missed: Callable[[Set[str]], Iterator[str]] = no_calls

    # Every module that a program can import.
    modules: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        standard = (name for name in allowed.STANDARD if name not in self.without)
        chosen = {name: names for name, names in allowed.CHOSEN.items() if name not in self.without}
        object.__setattr__(self, "chosen", {**chosen, **self.chosen})
        object.__setattr__(self, "modules", (*standard, *self.own_modules, *self.chosen))

    def withheld(self, module: str) -> tuple[str, ...]:
        """Returns a module's withheld public names."""
        return allowed.STANDARD.get(module, self.kept_back.get(module, ()))

    def is_withheld(self, module: str, name: str) -> bool:
        """Whether one of a module's names is withheld, either explicitly or because it was not chosen."""
        return name in self.withheld(module) or (
            module in self.chosen
            and name != "*"
            and name not in self.chosen[module]
            and f"{module}.{name}" not in self.modules
        )

    def is_standard(self, module: str) -> bool:
        """Whether a module belongs to the standard library."""
        return module in allowed.STANDARD or module in self.chosen

    def reason(self, module: str) -> str:
        """Why a program can't import a module of the standard library."""
        special = self.reasons.get(module.partition(".")[0])
        return special or f"{self.author} may import modules that only compute, not modules that access the machine"

    def is_of_library(self, module: str) -> bool:
        """Whether a module belongs to one of this language's packages."""
        return module.partition(".")[0] in {each.partition(".")[0] for each in self.own_modules}

    def is_of_engine(self, kind: type) -> bool:
        """Whether a class belongs to one of this language's engines."""
        return str(kind.__module__).startswith(self.engines)
