"""Finds the functions that a question names, at the top level (`f`) or in a class (`Account.withdraw`)."""

from __future__ import annotations

import ast
import difflib
import functools
import inspect
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards
from verdict_runner.symbolic.code.annotations import unsupported
from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.subject import Subject

# The maximum number of names that a message lists.
NAMES_MAX = 20
# The maximum number of base classes that are followed in a text; programs have fewer.
BASES_MAX = 50


@dataclass(frozen=True)
class Target:
    """What a name refers to, and what a call of it receives as its first argument."""

    decorated: Callable[..., object]
    # The class in which the name was looked up; None for a function of the module.
    owner: type | None = None
    # "object", "new object" (for `__init__`), "class", or empty.
    first: str = ""
    is_property: bool = False


def not_a_function(name: str, what: str, *steps: str) -> Refused:
    """Rejects a name that does not refer to a function."""
    return Refused(f"{name} is {what}, not a function defined by def.", steps, error_type="TypeError")


def root(name: str) -> str:
    """Returns the first part of a dotted name: the name at module level."""
    return name.partition(".")[0]


def last(name: str) -> str:
    """Returns the last part of a dotted name, the function itself."""
    return name.rpartition(".")[2]


def owner_of(name: str) -> str:
    """Returns the class part of a method's name."""
    return name.rpartition(".")[0]


def mangled(name: str, owner: str) -> str:
    """Mangles a name in a class body as Python does: `__name` becomes `_Class__name`."""
    is_private = name.startswith("__") and not name.endswith("__") and "." not in name
    return f"_{owner.lstrip('_')}{name}" if is_private and owner.strip("_") else name


# ---- In the text.


def definition(tree: ast.Module, name: str) -> FunctionNode | None:
    """Finds the definition of a function or method; None if the text has none.

    Base classes are found by their names.
    """
    *owners, own = name.split(".")
    if not owners:
        found = [each for each in tree.body if isinstance(each, FUNCTIONS) and each.name == own]
        return found[-1] if found else None
    waiting = [class_named(tree.body, owners)]
    for _ in range(BASES_MAX):
        node = waiting.pop(0) if waiting else None
        if node is None:
            return None
        found = [each for each in node.body if isinstance(each, FUNCTIONS) and each.name == own]
        # A property's setters have the property's name, too.
        plain = [each for each in found if not any(isinstance(one, ast.Attribute) for one in each.decorator_list)]
        if found:
            return (plain or found)[-1]
        bases = (class_named(tree.body, ast.unparse(each).split(".")) for each in node.bases)
        waiting += [each for each in bases if each]
    return None


def class_named(body: Sequence[ast.stmt], names: Sequence[str]) -> ast.ClassDef | None:
    """Finds the class for a name in parts; follows other names for a class (`Name = Class`)."""
    node: ast.ClassDef | None = None
    for name in names:
        found = None
        for place, each in enumerate(body):
            if isinstance(each, ast.ClassDef) and each.name == name:
                found = each
            elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Name):
                if any(isinstance(target, ast.Name) and target.id == name for target in each.targets):
                    found = class_named(body[:place], [each.value.id])
        if found is None:
            return None
        node, body = found, found.body
    return node


def methods_of(node: ast.ClassDef) -> list[str]:
    return [*dict.fromkeys(each.name for each in node.body if isinstance(each, FUNCTIONS))]


# ---- In the loaded module.


def find(subject: Subject, name: str) -> Target:
    """Finds what a name in a question refers to; raises `Refused`."""
    if "." in name:
        return _in_class(subject, name)
    value = subject.namespace.get(name)
    # Names such as `__builtins__` are not the code's own.
    is_own = not name.startswith("__") or definition(subject.whole, name) is not None
    if name not in subject.namespace or not is_own:
        raise _missing(subject.whole, name)
    if isinstance(value, guards.Unusable):
        raise Refused(f"{value.message[:1].upper()}{value.message[1:]}.", ["ask about another function"], "forbidden")
    if isinstance(value, type):
        node = class_named(subject.whole.body, [name])
        named = [f"{name}.{each}" for each in methods_of(node)] if node else []
        step = f"name one of its methods: {', '.join(named[:NAMES_MAX])}" if named else "name a function"
        raise not_a_function(name, "a class", step)
    if not callable(value):
        raise not_a_function(name, f"of type {type(value).__name__}", "name a function defined by def at the top level")
    return Target(value)


def _missing(whole: ast.Module, name: str) -> Refused:
    defined = [node.name for node in whole.body if isinstance(node, FUNCTIONS)]
    near = difflib.get_close_matches(name, defined, 3, 0.6)
    steps = [f"name one of: {', '.join(dict.fromkeys([*near, *defined][:NAMES_MAX]))}"] if defined else []
    elsewhere = _elsewhere(whole, name)
    if elsewhere:
        steps = [elsewhere, *steps]
    elif near:
        steps = [f"name {near[0]} if you meant that", *steps]
    return Refused(
        f"The code has no function {name} at its top level.",
        steps or ["send the function's definition, too"],
        error_type="NameError",
    )


def _elsewhere(whole: ast.Module, name: str) -> str | None:
    """Returns the step for a function with this name that is nested in a class or function."""
    for path, node in _nested(whole.body, ""):
        if isinstance(node, ast.ClassDef) and name in methods_of(node):
            return f"name {path}.{name} if you meant that"
        if isinstance(node, FUNCTIONS):
            for each in ast.walk(node):
                if each is not node and isinstance(each, FUNCTIONS) and each.name == name:
                    return (
                        f"{name} is inside the function {node.name}: move it to the top level, as a separate function"
                    )
    return None


def _nested(body: Sequence[ast.stmt], prefix: str) -> list[tuple[str, ast.stmt]]:
    found: list[tuple[str, ast.stmt]] = []
    for node in body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            found.append((f"{prefix}{node.name}", node))
        if isinstance(node, ast.ClassDef):
            found += _nested(node.body, f"{prefix}{node.name}.")
    return found


def _in_class(subject: Subject, name: str) -> Target:
    owner = _owner(subject, owner_of(name))
    own = mangled(last(name), owner.__name__)
    home = next((each for each in owner.__mro__ if own in vars(each)), None)
    if home is None:
        raise _no_method(owner, name)
    if not guards.is_own(home):
        raise not_a_function(
            name,
            f"a method that {owner.__name__} inherits from {home.__name__}",
            "name a method that the code defines itself",
        )
    return _bound(name, owner, vars(home)[own])


def _owner(subject: Subject, path: str) -> type:
    """Returns the class with this name; raises `Refused`."""
    value: object = None
    for place, part in enumerate(path.split(".")):
        value = (
            subject.namespace.get(part) if place == 0 else vars(value).get(part) if isinstance(value, type) else None
        )
        if guards.is_own(type(value)):
            raise not_a_function(
                path, f"an object of the class {type(value).__name__}", f"name its class: {type(value).__name__}.method"
            )
        if not isinstance(value, type):
            known = [found for found, node in _nested(subject.whole.body, "") if isinstance(node, ast.ClassDef)]
            near = difflib.get_close_matches(path, known, 1, 0.6)
            raise Refused(
                f"The code has no class {path}.",
                [
                    *(f"write {each} instead of {path}" for each in near),
                    f"name one of: {', '.join(known[:NAMES_MAX])}" if known else "send the class, too",
                ],
                error_type="NameError",
            )
    if not isinstance(value, type) or not guards.is_own(value):
        raise not_a_function(path, "a class of a library", "write your own class or function that uses it")
    return value


def _no_method(owner: type, name: str) -> Refused:
    kinds = [kind for kind in owner.__mro__ if guards.is_own(kind)]
    own = [
        each.replace(f"_{kind.__name__.lstrip('_')}__", "__")
        for kind in kinds
        for each, one in vars(kind).items()
        if _is_method(one)
    ]
    near = difflib.get_close_matches(last(name), own, 1, 0.6)
    prefix = owner_of(name)
    listed = ", ".join(f"{prefix}.{each}" for each in dict.fromkeys(own[:NAMES_MAX]))
    return Refused(
        f"{prefix} has no method {last(name)}.",
        [
            *(f"name {prefix}.{each} if you meant that" for each in near),
            f"name one of: {listed}" if listed else "name a function: this class has no methods of its own",
        ],
        error_type="NameError",
    )


def _is_method(value: object) -> bool:
    kinds = (types.FunctionType, staticmethod, classmethod, property, functools.cached_property)
    return isinstance(value, kinds) and getattr(value, "__name__", "") != "__annotate__"


def _bound(name: str, owner: type, value: object) -> Target:
    if isinstance(value, guards.Unusable):
        raise Refused(
            f"{value.message}.", ["ask about a method that Python calls by name"], "forbidden", "SandboxViolation"
        )
    if isinstance(value, staticmethod):
        return Target(value.__func__, owner)
    if isinstance(value, classmethod):
        return Target(value.__func__, owner, "class")
    read = value.fget if isinstance(value, property) else getattr(value, "func", None)
    if isinstance(value, (property, functools.cached_property)) and callable(read):
        _refuse_abstract(name, owner)
        return Target(read, owner, "object", is_property=True)
    if not isinstance(value, types.FunctionType):
        step = f"ask about a method that uses it: {owner_of(name)}.method"
        raise not_a_function(name, f"of type {type(value).__name__}", step)
    if last(name) == "__init__":
        if any(guards.is_own(each) and "__new__" in vars(each) for each in owner.__mro__):
            raise unsupported(f"{owner.__name__} creates its objects with `__new__`.", "ask about a method")
        return Target(value, owner, "new object")
    if last(name) in ("__new__", "__init_subclass__", "__class_getitem__"):
        raise unsupported(f"Python calls {name} while it creates an object or a class.", "ask about a method")
    _refuse_abstract(name, owner)
    return Target(value, owner, "object")


def _refuse_abstract(name: str, owner: type) -> None:
    if inspect.isabstract(owner) or getattr(owner, "_is_protocol", False):
        missing = ", ".join(sorted(getattr(owner, "__abstractmethods__", ()))) or "its methods"
        raise unsupported(
            f"{owner.__name__} is abstract, so {name} can't be called on one of its objects: {missing} is not implemented.",
            f"name a class that implements it: Subclass.{last(name)}",
            "or write a small subclass in the code, and ask about its method",
        )
