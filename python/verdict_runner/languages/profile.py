"""The description of a language for the sandbox, the check of items and the runner."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from types import ModuleType

from verdict_runner.protocol.messages import Fault
from verdict_runner.sandbox import allowed

# What to write in a model in place of modules for arguments, tables, pictures and clocks.
INSTEAD_OF_MODULES = {
    "pathlib": "write the data into an item; there are no files",
    "numpy": "write arrays as lists, read a handed file as data['staff'] or with csv, or use the language cpmpy, which has numpy",
    "matplotlib": "the answer has the values; a page can draw them (the argument view)",
    "networkx": "write a graph as a list of pairs (i, j)",
    "cpmpy.tools": "the answer to an unsat model names the lines that conflict (unsat_items), and the option why finds what to drop",
    "pypblib": "write PBEnc.atmost(lits=…, weights=…, bound=…) of pysat.pb",
    "requests": "write the data into an item; there is no network",
    "logging": "use print; the answer has what was printed",
    "timeit": "the answer has solve_time",
    "threading": "a solver runs by itself; timeout_ms bounds it",
    "multiprocessing": "a solver runs by itself; timeout_ms bounds it",
}


def no_calls(calls: Set[str]) -> Iterator[str]:
    """For a language in which no call is missed."""
    return iter(())


def no_fault(tree: ast.Module) -> Fault | None:
    """For a language whose items can be any program."""
    return None


def no_steps(name: str, kind: type) -> list[str]:
    """For a language without advice on an attribute that a class does not have."""
    return []


def unchanged(known: Mapping[str, ModuleType]) -> None:
    """For a language whose modules are shown as they are."""


@dataclass(frozen=True)
class LanguageProfile:
    """A language whose items, or code, are Python.

    Creating one imports no engine: the process that checks items has none.
    """

    id: str
    # The processes that run it, by name: for each the module with `solve`, `warm`, `rehearse`, `modules`, `versions`.
    programs: Mapping[str, str]

    # Formats of files (`files`) that it reads, too: the text of one is the whole model.
    files: tuple[str, ...] = ()

    # ---- What a program may import.
    # Modules besides those of the standard library in `allowed.STANDARD`.
    own_modules: tuple[str, ...] = ()
    # Modules of the standard library that this language does not offer.
    without: tuple[str, ...] = ()
    # More modules, besides those of `allowed.CHOSEN`, each with the names that are shown; what is not listed is kept back.
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Names of `own_modules` that look public and are kept back.
    kept_back: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Packages whose modules show only what they define themselves: they import more than they offer.
    only_its_own: tuple[str, ...] = ()
    # Changes the modules that programs see, once, before the first program.
    complete: Callable[[Mapping[str, ModuleType]], None] = unchanged

    # ---- Which names there are without an import.
    present: Set[str] = frozenset()
    # How the names of the engine's constants begin, which are there, too.
    constants: str | None = None
    # Modules of which `from … import *` brings no name that is not in `present`.
    starred: tuple[str, ...] = ()

    # ---- What a program may do with objects.
    # The module that a program is.
    module: str = "__main__"
    # Packages that are engines: no class of a program can inherit from theirs.
    engines: tuple[str, ...] = ()
    # Modules whose instances a program can change, besides its own ones.
    changeable: tuple[str, ...] = ("decimal",)
    # Modules, and single classes as (module, name), that `type()` gives to no program.
    hidden_modules: tuple[str, ...] = ()
    hidden_classes: tuple[tuple[str, str], ...] = ()

    # ---- What a program's author reads.
    # Who is refused something, in words.
    author: str = "a model"
    # The step with the refusal of an import.
    instead: str = "write data into an item instead of reading it from a file, the network or the environment"
    # The step with the refusal of a particular package.
    instead_of_modules: Mapping[str, str] = field(default_factory=INSTEAD_OF_MODULES.copy)
    # Why a module is refused, other than that it reaches the machine.
    reasons: Mapping[str, str] = field(default_factory=dict)
    # Operators of other languages, with their replacements.
    foreign: Mapping[str, str] = field(default_factory=dict)
    # Signs of logic, as typesetting has them, with their replacements.
    signs: Mapping[str, str] = field(default_factory=dict)
    # The step for an item that is nested too deeply.
    instead_of_nesting: str = "write sum(…) over a list instead of hundreds of operands"
    # Names of other libraries and styles, with what stands for them here.
    methods: Mapping[str, str] = field(default_factory=dict)
    # Names of the library that are withheld, with the way round.
    not_offered: Mapping[str, str] = field(default_factory=dict)
    # The steps where an expression is the index of a list or the key of a dictionary.
    lookups: tuple[str, ...] = ()
    # Steps for an attribute that a class of an engine does not have, if no similar name exists.
    missing: Callable[[str, type], list[str]] = no_steps
    # The fault in an item that Python accepts, and this language does not.
    fault_in: Callable[[ast.Module], Fault | None] = no_fault
    # Sentences about what solving will miss, from the names that all items call.
    missed: Callable[[Set[str]], Iterator[str]] = no_calls

    # Every module that a program can import.
    modules: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        standard = (name for name in allowed.STANDARD if name not in self.without)
        chosen = {name: names for name, names in allowed.CHOSEN.items() if name not in self.without}
        object.__setattr__(self, "chosen", {**chosen, **self.chosen})
        object.__setattr__(self, "modules", (*standard, *self.own_modules, *self.chosen))

    def withheld(self, module: str) -> tuple[str, ...]:
        """Names of a module that look public and are kept back."""
        return allowed.STANDARD.get(module, self.kept_back.get(module, ()))

    def is_withheld(self, module: str, name: str) -> bool:
        """Whether a module keeps a name back, by naming it or by not choosing it."""
        return name in self.withheld(module) or (
            module in self.chosen
            and name != "*"
            and name not in self.chosen[module]
            and f"{module}.{name}" not in self.modules
        )

    def is_standard(self, module: str) -> bool:
        """Whether a module is of the standard library."""
        return module in allowed.STANDARD or module in self.chosen

    def is_of_library(self, module: str) -> bool:
        """Whether a module belongs to a package that this language is about."""
        return module.partition(".")[0] in {each.partition(".")[0] for each in self.own_modules}

    def is_of_engine(self, kind: type) -> bool:
        """Whether a class is an engine's of this language."""
        return str(kind.__module__).startswith(self.engines)
