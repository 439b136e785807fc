"""Finds the intended name for a name that does not exist."""

from __future__ import annotations

import builtins
import difflib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import ModuleType

from verdict_runner.sandbox import allowed, guards

# The maximum number of names of one dict that are compared, that a step lists, and the maximum length of each.
NAMES_MAX, SHOWN_MAX, NAME_CHARS_MAX = 500, 20, 100


def names(error: BaseException) -> list[str]:
    """Returns the name that does not exist, if it is known."""
    # Only built-in exception types are examined, because a program's class could run any code here.
    name = getattr(error, "name", None) if type(error) in (NameError, AttributeError) else None
    return [name] if isinstance(name, str) else []


def steps(error: BaseException, modules: Mapping[str, ModuleType], given: Mapping[str, object]) -> list[str]:
    """Returns steps for a built-in NameError, AttributeError or KeyError; none for any other exception.

    `given` holds the program's `data`, and a checker's `values`.
    """
    if _looks_up_expression(error):
        # The last of these steps is about pairs as keys.
        lookups = guards.language().lookups
        has_pair = type(error) is KeyError and type(error.args[0]) is tuple
        return list(lookups if has_pair else lookups[:-1])
    if type(error) is KeyError:
        return _of_key(error, given)
    name = getattr(error, "name", None) if type(error) in (NameError, AttributeError) else None
    if type(name) is not str:
        return []
    name = name[:NAME_CHARS_MAX]
    if not isinstance(error, AttributeError):
        return _of_own(name, error) or _of_name(name, modules)
    if type(error.obj) is ModuleType:
        return _of_module(name, error.obj)
    return _of_attribute(name, type(error.obj))


def _looks_up_expression(error: BaseException) -> bool:
    """Whether an expression was used as the index of a list, a dictionary or an array of plain values."""
    if type(error) is KeyError and error.args:
        key = error.args[0]
        parts = key if type(key) is tuple else (key,)
        return any(guards.language().is_of_library(str(type(each).__module__)) for each in parts)
    message = str(error) if type(error) in (TypeError, IndexError) else ""
    index = re.search(r"^(?:list|tuple|string) indices must be integers(?: or slices)?, not '?(\w+)", message)
    return message.startswith("only integers, slices") or (index is not None and not hasattr(builtins, index[1]))


def _of_own(name: str, error: BaseException) -> list[str]:
    """Suggests the nearest variable of the program where the error was raised."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    frame = trace and trace.tb_frame
    own = {**frame.f_globals, **frame.f_locals} if frame else {}
    known = [each for each, value in own.items() if type(each) is str and not callable(value)]
    near = difflib.get_close_matches(name, [each for each in known if type(own[each]) is not ModuleType], 1, 0.75)
    return [f"write {near[0]} instead of {name}"] if near else []


def _of_name(name: str, modules: Mapping[str, ModuleType]) -> list[str]:
    """Suggests the import of a name that a module has, or the method with this name."""
    if name in modules:
        return [f"add the line: import {name}"]
    homes = [
        (module, vars(each)[name])
        for module, each in modules.items()
        if name in vars(each) and not name.startswith("_")
    ]
    if homes:
        home = min(
            homes, key=lambda pair: (getattr(pair[1], "__module__", None) != pair[0], allowed.is_of_original(pair[0]))
        )[0]
        return [f"add the line: from {home} import {name}"]
    known = _cure(name)
    if known:
        return known
    language = guards.language()
    of_engine = [
        each for module in modules if language.is_of_library(module) for each in _public(vars(modules[module]))
    ]
    alike = next((each for each in of_engine if _folded(each) == _folded(name)), None)
    if alike is None:
        return []
    # Variables are often named after their class: `model = Model()`.
    if alike == name.capitalize() and any(isinstance(vars(each).get(alike), type) for each in modules.values()):
        return [f"define {name} in this item or an earlier one, or write {alike} for the class of that name"]
    return [f"write {alike} instead of {name}"]


def _cure(name: str) -> list[str]:
    """Suggests the equivalent of another library's name, or says why there is none."""
    language = guards.language()
    if name in language.not_offered:
        return [f"{name} is not available here: {language.not_offered[name]}"]
    return [f"write {language.methods[name]}"] if name in language.methods else []


def _of_module(name: str, module: ModuleType) -> list[str]:
    """Suggests the nearest name in a library's module."""
    if not guards.language().is_of_library(module.__name__):
        return []
    known = _public(vars(module))
    alike = [each for each in known if _folded(each) == _folded(name)]
    near = alike or _cure(name) or difflib.get_close_matches(name, known, 1, 0.75)
    return [f"write {near[0]} instead of {name}"] if near and near[0] in known else near


def _of_attribute(name: str, kind: type) -> list[str]:
    """Suggests the nearest attribute of a library's class."""
    language = guards.language()
    if not language.is_of_library(str(kind.__module__)):
        return []
    known = _public(dir(kind))
    near = nearest(name, known)
    return [f"write .{near[0]} instead of .{name}"] if near else language.missing(name, kind) or _cure(name)


def _of_key(error: KeyError, given: Mapping[str, object]) -> list[str]:
    """Suggests the nearest name of the data, of a table's column, or of a checker's values."""
    key = error.args[0] if error.args else None
    if type(key) is not str:
        return []
    key, groups = key[:NAME_CHARS_MAX], dict(_names_in(given))
    near = nearest(key, [each for names in groups.values() for each in names if each != key])
    if not near:
        of_values = groups.get("names in values", [])
        return [f"use one of the names in values: {_listed(of_values)}"] if of_values else []
    title = next(title for title, names in groups.items() if near[0] in names)
    return [f"write {near[0]!r} instead of {key!r}; the {title} are: {_listed(groups[title])}"]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN_MAX])


def _names_in(given: Mapping[str, object]) -> Iterator[tuple[str, list[str]]]:
    """Returns the names in each dict, and in the first row of each table, and what they refer to."""
    for whole, parts in given.items():
        if type(parts) is not dict:
            continue
        yield f"names in {whole}", _texts(parts)
        # No look-up: a key of the program's own class would run its code here.
        tables = ((each[:NAME_CHARS_MAX], part) for each, part in parts.items() if type(each) is str)
        for name, part in itertools.islice(tables, NAMES_MAX):
            if type(part) is list and part and type(part[0]) is dict:
                yield f"columns of {name}", _texts(part[0])
            elif type(part) is dict:
                yield f"keys of {name}", _texts(part)


def _texts(names: Iterable[object]) -> list[str]:
    texts = (each[:NAME_CHARS_MAX] for each in names if type(each) is str)
    return [*itertools.islice(texts, NAMES_MAX)]


def nearest(name: str, known: Sequence[str]) -> Sequence[str]:
    """Returns known names near to a misspelt one, the nearest first."""
    alike = [each for each in known if _folded(each) == _folded(name)]
    return alike or difflib.get_close_matches(name, known, 1, 0.75)


def _public(names: Iterable[str]) -> list[str]:
    return [each for each in names if not each.startswith("_")]


def _folded(name: str) -> str:
    """Normalises a name's style, so that addClause, AddClause and add_clause are equal."""
    return name.replace("_", "").lower()
