"""What a model sees of a module: its public names, and none of the modules that it uses itself."""

import functools
import importlib
import types

from . import allowed


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
        known[name] = _module(name, public_names(real, allowed.STANDARD.get(name, ())))
    if "functools" in known:
        known["functools"].wraps = wraps
    for name, module in known.items():
        parent, _, child = name.rpartition(".")
        if parent in known:
            setattr(known[parent], child, module)
    return known


def public_names(module, withheld=()):
    """The names of a module that are meant for its users, but for modules and what is withheld."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and name not in withheld and not isinstance(value, types.ModuleType)
    }


def _module(name, names):
    module = types.ModuleType(name)
    vars(module).pop("__loader__", None)
    vars(module).pop("__spec__", None)
    vars(module).update(names)
    return module


def wraps(wrapped):
    """`functools.wraps` for functions, without the choice of attributes."""

    def decorate(wrapper):
        return functools.wraps(wrapped)(wrapper) if isinstance(wrapper, types.FunctionType) else wrapper

    return decorate
