"""What a model sees of a module: its public names, and none of the modules that it uses itself."""

import functools
import importlib
import types

from verdict_runner.sandbox import allowed, bases, classes, guards


def facades(language, extra):
    """A module of its own for each name that a model may import; `extra` gives those that we write.

    Made once, before the first program: jobs inherit them.
    """
    known = {}
    for name in allowed.modules(language):
        if name in extra:
            known[name] = _module(name, extra[name])
            continue
        try:
            real = importlib.import_module(name)
        except (ImportError, AssertionError):
            continue  # A part of an engine whose own needs are not installed; PySAT asserts that.
        known[name] = _module(
            name, chosen_names(real) if name in allowed.COMPUTING else public_names(real, allowed.withheld(name))
        )
    known["functools"].wraps = guards.wraps
    known["functools"].total_ordering = classes.own_classes_only(functools.total_ordering)
    known["dataclasses"].dataclass = classes.own_classes_only(classes.dataclass)
    if "typing_extensions" in known:
        extensions = known["typing_extensions"]
        bases.allow(extensions.Protocol, *types.resolve_bases((extensions.NamedTuple,)))
    if "icontract" in known:
        bases.allow(known["icontract"].DBC)
        known["icontract"].invariant = classes.invariant_of_own_class(known["icontract"].invariant)
    if "deal" in known:
        known["deal"].inv = classes.own_class_decorators(known["deal"].inv)
    classes.tame_enumerations()
    for name, module in known.items():
        parent, _, child = name.rpartition(".")
        if parent in known:
            setattr(known[parent], child, module)
    return known


def chosen_names(module):
    """The names of a module that are listed; not every version of Python has them all."""
    return {name: getattr(module, name) for name in allowed.COMPUTING[module.__name__] if hasattr(module, name)}


def public_names(module, withheld=()):
    """The names of a module that are meant for its users, but for modules and what is withheld."""
    names = getattr(module, "__all__", vars(module))
    found = {name: getattr(module, name, module) for name in names if not name.startswith("_") and name not in withheld}
    return {
        name: value
        for name, value in found.items()
        if not isinstance(value, types.ModuleType) and _belongs(module, value)
    }


def _belongs(module, value):
    """Whether it is an engine's own: PySAT's modules show what they import themselves, too."""
    home = getattr(value, "__module__", None) or "pysat"
    return not module.__name__.startswith("pysat") or (home.startswith("pysat") and not home.startswith("pysat._"))


def _module(name, names):
    module = types.ModuleType(name)
    vars(module).pop("__loader__", None)
    vars(module).pop("__spec__", None)
    vars(module).update(names)
    return module
