"""Selects the part of a module visible to a program: its public names, without the modules that it uses itself."""

from __future__ import annotations

import functools
import importlib
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from verdict_runner.sandbox import allowed, classes, guards, tables
from verdict_runner.sandbox.stand_ins import MODULES, namespace

if TYPE_CHECKING:
    from verdict_runner.languages.profile import LanguageProfile


# The types of a module's names with two underscores that a program can read.
PLAIN = (str, types.BuiltinFunctionType)


def facades(profile: LanguageProfile, extra: Mapping[str, Mapping[str, object]]) -> dict[str, types.ModuleType]:
    """Creates a module object for each name that a program can import; `extra` are modules provided by Verdict.

    The module objects are created once, before the first program; jobs inherit them.
    """
    known = {}
    own = {"pandas": tables.MODULE, **extra}
    for name in profile.modules:
        if name in own:
            known[name] = namespace(name, own[name])
            continue
        try:
            real = importlib.import_module(name)
        except (ImportError, AssertionError):
            continue  # This part of an engine lacks its dependencies; some parts assert that these are installed.
        shown = (
            chosen_names(real, profile.chosen[name])
            if name in profile.chosen
            else public_names(real, profile.withheld(name), profile.only_its_own)
        )
        stand_ins = MODULES.get(name, {})
        chosen = profile.chosen.get(name, stand_ins)
        of_ours = {
            "__getattr__": _explained(real, profile.author),
            **{each: vars(real)[each] for each in allowed.HARMLESS_DUNDERS if isinstance(vars(real).get(each), PLAIN)},
            **{each: value for each, value in stand_ins.items() if each in chosen},
        }
        known[name] = namespace(name, {**shown, **of_ours})
    vars(known["functools"]).update(wraps=guards.wraps, lru_cache=guards.lru_cache, cache=guards.cache)
    vars(known["functools"])["total_ordering"] = classes.own_classes_only(functools.total_ordering)
    vars(known["typing"])["TypedDict"] = classes.typed_dict
    vars(known["dataclasses"])["dataclass"] = classes.dataclass
    profile.complete(known)
    for name in known.keys() - own.keys():
        _disguise(known[name], sys.modules[name])
    classes.tame_enumerations()
    classes.tame_copies()
    for name, module in known.items():
        parent, _, child = name.rpartition(".")
        if parent in known:
            setattr(known[parent], child, module)
    return known


def _disguise(module: types.ModuleType, real: types.ModuleType) -> None:
    """Makes the functions that replace a module's own look like these."""
    for name, value in vars(module).items():
        original = getattr(real, name, value)
        if type(value) is types.FunctionType and value is not original and not guards.is_class(original):
            vars(module)[name] = value if name == "__getattr__" else guards.stand_in(original, value)


def chosen_names(module: types.ModuleType, names: Iterable[str]) -> dict[str, object]:
    """Returns the module's listed names; not every version of Python has all of them."""
    return {name: getattr(module, name) for name in names if hasattr(module, name)}


def public_names(
    module: types.ModuleType, withheld: Iterable[str] = (), only_its_own: Sequence[str] = ()
) -> dict[str, object]:
    """Returns a module's public names, without modules and withheld names."""
    names = getattr(module, "__all__", vars(module))
    members = {
        name: getattr(module, name, module) for name in names if not name.startswith("_") and name not in withheld
    }
    return {
        name: value
        for name, value in members.items()
        if not isinstance(value, types.ModuleType) and _belongs(module, value, only_its_own)
    }


def _belongs(module: types.ModuleType, value: object, packages: Sequence[str]) -> bool:
    """Whether the package itself defines a value; some packages also expose what they import."""
    package = module.__name__.partition(".")[0]
    if package not in packages:
        return True
    home = getattr(value, "__module__", None) or package
    return home.startswith(package) and not home.startswith(f"{package}._")


def _explained(module: types.ModuleType, whom: str) -> Callable[[str], NoReturn]:
    """Creates the `__getattr__` for names that a facade does not show.

    A name that exists in the real module is rejected with a message, so that the program does not treat it as missing.
    """
    home = module.__name__
    real = frozenset(dir(module))
    withheld = frozenset(name for name in real if not name.startswith("_"))
    # The function uses local variables only, because other code in this process could change globals.
    stopped, unlike, missing, why = guards.stopped, guards.unlike, AttributeError, allowed.WHY_WITHHELD

    def __getattr__(name: str) -> NoReturn:
        if name in withheld:
            raise stopped(missing, f"the name {name} of {home} is not available to {whom}: {why}")
        # Only the star of an import asks for the last of these: code reads no such name itself.
        if name in real and name != "__all__":
            unlike(f"the name {name} of {home}")
        # Python itself adds the name and the module to the exception.
        raise missing(f"module '{home}' has no attribute '{name}'")

    return __getattr__
