"""What a model sees of a module: its public names, and none of the modules that it uses itself."""

import functools
import importlib
import types

from verdict_runner.sandbox import classes, guards


def facades(profile, extra):
    """A module of its own for each name that a model may import; `extra` gives those that we write.

    Made once, before the first program: jobs inherit them.
    """
    known = {}
    for name in profile.modules:
        if name in extra:
            known[name] = _module(name, extra[name])
            continue
        try:
            real = importlib.import_module(name)
        except (ImportError, AssertionError):
            continue  # A part of an engine whose own needs are not installed; some assert that.
        known[name] = _module(
            name,
            chosen_names(real, profile.chosen[name])
            if name in profile.chosen
            else public_names(real, profile.withheld(name), profile.only_its_own),
        )
    known["functools"].wraps = guards.wraps
    known["functools"].total_ordering = classes.own_classes_only(functools.total_ordering)
    known["dataclasses"].dataclass = classes.own_classes_only(classes.dataclass)
    profile.complete(known)
    classes.tame_enumerations()
    for name, module in known.items():
        parent, _, child = name.rpartition(".")
        if parent in known:
            setattr(known[parent], child, module)
    return known


def chosen_names(module, names):
    """The names of a module that are listed; not every version of Python has them all."""
    return {name: getattr(module, name) for name in names if hasattr(module, name)}


def public_names(module, withheld=(), only_its_own=()):
    """The names of a module that are meant for its users, but for modules and what is withheld."""
    names = getattr(module, "__all__", vars(module))
    found = {name: getattr(module, name, module) for name in names if not name.startswith("_") and name not in withheld}
    return {
        name: value
        for name, value in found.items()
        if not isinstance(value, types.ModuleType) and _belongs(module, value, only_its_own)
    }


def _belongs(module, value, packages):
    """Whether it is a package's own: some packages show in their modules what they import themselves, too."""
    package = module.__name__.partition(".")[0]
    if package not in packages:
        return True
    home = getattr(value, "__module__", None) or package
    return home.startswith(package) and not home.startswith(f"{package}._")


def _module(name, names):
    module = types.ModuleType(name)
    vars(module).pop("__loader__", None)
    vars(module).pop("__spec__", None)
    vars(module).update(names)
    return module
