"""Interprets annotations."""

from __future__ import annotations

import ast
import collections
import collections.abc
import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeAlias, TypeGuard

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards, program

# A type as written in the code: a class, a union, a string, and more, for which Python has no common class.
Annotation: TypeAlias = Any
# A module's variables.
Namespace: TypeAlias = "dict[str, Any]"
# Names of types that an annotation written as a string can always use.
ABSTRACT = {"Callable": collections.abc.Callable, "Iterator": collections.abc.Iterator}
# The maximum depth of a type; a deeper one refers to itself.
DEPTH_MAX = 20
# Under this name, a namespace's builtins hold the reasons why names have no value; no code can have a name with a space.
LEFT_OUT = "names left out"
MARKS = ("Annotated", "Required", "NotRequired", "ReadOnly")
# The nodes allowed in an annotation written as a string, which is evaluated without the guards for the code.
WRITTEN = (
    *(ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.BinOp),
    *(ast.BitOr, ast.Load, ast.UnaryOp, ast.USub),
)


def unsupported(message: str, *steps: str, line: int | None = None) -> Refused:
    """Rejects a type for which neither boundary values nor symbolic values can be created."""
    return Refused(message, steps, error_type="UnsupportedConstruct", line=line)


def of(holder: object, line: int | None = None) -> Mapping[str, Annotation]:
    """Returns a function's or class's annotations by name; some versions of Python evaluate them only now."""
    try:
        return getattr(holder, "__annotations__", {})
    except Exception as error:
        message = f"The annotations of {getattr(holder, '__name__', holder)} can't be read: {type(error).__name__}: {str(error)[:200]}."
        raise Refused(
            message, ["define or import what they name"], error_type=type(error).__name__, line=line
        ) from None


def resolved(annotation: Annotation, namespace: Namespace, depth: int = 0) -> Annotation:
    """Replaces every string in an annotation with the type that it names; raises `Refused`."""
    if depth > DEPTH_MAX:
        raise unsupported(
            "The annotation refers to itself endlessly.",
            "write the type out to the necessary depth, such as list[int] | int",
        )
    if isinstance(annotation, str):
        return resolved(_evaluated(annotation, namespace), namespace, depth + 1)
    if isinstance(annotation, typing.ForwardRef):
        return resolved(annotation.__forward_arg__, namespace, depth + 1)
    if type(annotation).__name__ == "TypeAliasType":
        return resolved(annotation.__value__, namespace, depth + 1)
    parts = parts_of(annotation)
    if annotation is None:
        return type(None)
    # The parameters and results of a Callable are ignored.
    if not parts or typing.get_origin(annotation) in (typing.Literal, collections.abc.Callable):
        return annotation
    if _mark(annotation):
        return resolved(parts[0], namespace, depth + 1)
    new = tuple(each if each is Ellipsis else resolved(each, namespace, depth + 1) for each in parts)
    return annotation if all(a is b for a, b in zip(new, parts)) else _rebuilt(annotation, new)


def parts_of(annotation: Annotation) -> tuple[Annotation, ...]:
    """Returns a type's arguments in brackets; Python 3.10 represents those of an empty tuple as one empty tuple."""
    parts = typing.get_args(annotation)
    return () if parts == ((),) else parts


def members_of(annotation: Annotation) -> tuple[Annotation, ...]:
    """Returns the members of a union; any other type is its own only member."""
    return parts_of(annotation) if typing.get_origin(annotation) is typing.Union else (annotation,)


def _mark(annotation: Annotation) -> str:
    """Returns the marker around a type that is meant for type checkers; empty if there is none."""
    origin = typing.get_origin(annotation)
    name = "Annotated" if origin is typing.Annotated else getattr(origin, "_name", "")
    return name if name in MARKS else ""


def _rebuilt(annotation: Annotation, parts: tuple[Annotation, ...]) -> Annotation:
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        return typing.Union[parts]
    if isinstance(annotation, types.GenericAlias):
        return types.GenericAlias(typing.get_origin(annotation), parts)
    return annotation.copy_with(parts)


def _evaluated(text: str, namespace: Namespace) -> Annotation:
    try:
        tree = ast.parse(text.strip(), program.CODE, "eval")
    except SyntaxError:
        raise unsupported(
            f"The annotation {text[:80]!r} is not a type.", "write a type, such as int or list[int]"
        ) from None
    for node in ast.walk(tree):
        if not isinstance(node, WRITTEN) or (isinstance(node, ast.Attribute) and node.attr.startswith("_")):
            raise unsupported(
                f"The annotation {text[:80]!r} computes something.", "write a type, such as int or list[int]"
            )
    try:
        return eval(program.compiled(tree, program.CODE), {**ABSTRACT, **namespace})
    except Exception as error:
        left_out = _left_out(namespace).get(getattr(error, "name", None))
        if isinstance(error, NameError) and left_out is not None:
            why = f"The annotation {text[:80]!r} can't be read: {left_out}."
            raise Refused(why, ["write a type, such as int or list[int]"], "forbidden", "SandboxViolation") from None
        raise Refused(
            f"The annotation {text[:80]!r} can't be read: {type(error).__name__}: {str(error)[:200]}.",
            ["define or import what it names", "or write a type, such as int or list[int]"],
            error_type=type(error).__name__,
        ) from None


def _left_out(namespace: Namespace) -> Mapping[object, object]:
    """Returns the names whose statements could not run, with the reasons."""
    builtins_of = namespace.get("__builtins__")
    names = builtins_of.get(LEFT_OUT) if isinstance(builtins_of, dict) else None
    return names if isinstance(names, dict) else {}


def is_record(kind: Annotation) -> TypeGuard[type]:
    """Whether a class's instances consist of named fields."""
    return isinstance(kind, type) and (
        dataclasses.is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields")) or is_typed_dict(kind)
    )


def is_typed_dict(kind: type) -> bool:
    """Whether a class is a `TypedDict`, whose instances are dictionaries."""
    return issubclass(kind, dict) and hasattr(kind, "__total__")


def fields_of(kind: type, namespace: Namespace) -> dict[str, Annotation]:
    """Returns the fields with which a record is created, with their types; raises `Refused`."""
    if dataclasses.is_dataclass(kind):
        named = {each.name: each.type for each in dataclasses.fields(kind) if each.init}
    elif is_typed_dict(kind):
        named = of(kind)
    else:
        annotations = of(kind)
        named = {name: annotations.get(name, typing.Any) for name in kind._fields}
    return {name: resolved(each, namespace) for name, each in named.items()}


def optional_fields(kind: type, namespace: Namespace) -> set[str]:
    """Returns the fields that an instance need not have."""
    if not is_typed_dict(kind):
        return set()
    optional = set(vars(kind)["__optional_keys__"])
    for name, each in of(kind).items():
        # Python does not look into strings.
        if isinstance(each, typing.ForwardRef):
            mark = _mark(_evaluated(each.__forward_arg__, namespace))
            optional = (
                optional - {name} if mark == "Required" else optional | ({name} if mark == "NotRequired" else set())
            )
    return optional


def shown(annotation: Annotation) -> str:
    """Writes an annotation as source text."""
    if isinstance(annotation, type) and not parts_of(annotation):
        return "None" if annotation is type(None) else annotation.__name__
    text = str(annotation)
    for prefix in ("typing.", "collections.abc.", f"{guards.MODULE}."):
        text = text.replace(prefix, "")
    return text.lstrip("~")
