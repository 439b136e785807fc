"""Finds the exception classes that a question can name."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from verdict_runner.refusal import Refused

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.subject import Subject


def find(subject: Subject, name: str) -> type[BaseException]:
    """Finds the class with this name in the code, in Python, or in a module that code can import; raises `Refused`."""
    value = subject.named(name) or _anywhere(subject, name)
    if isinstance(value, type) and issubclass(value, BaseException):
        return value
    known = _known(subject)
    near = difflib.get_close_matches(name.rpartition(".")[2], known, 2, 0.75)
    steps = [f"write {' or '.join(near)} instead of {name}"] if near else []
    message = f"{name} is not an exception" if value is None else f"{name} is not an exception class"
    raise Refused(
        f"{message} that Python, the code or a module of the standard library defines.",
        [
            *steps,
            "name a class such as ValueError, one that the code defines, or one of a module, such as decimal.InvalidOperation",
        ],
        error_type="ValueError",
    )


def hazards(kind: type[BaseException]) -> list[str]:
    """Why nothing can be claimed about an exception class."""
    return ["memory is limited here, so nothing is claimed about MemoryError"] if kind is MemoryError else []


def _anywhere(subject: Subject, name: str) -> object:
    """Returns the value with this name in the modules, if all modules that define the name agree."""
    types_of_name = {
        id(value): value for module in subject.modules.values() for key, value in vars(module).items() if key == name
    }
    return next(iter(types_of_name.values())) if len(types_of_name) == 1 else None


def _known(subject: Subject) -> list[str]:
    places = (subject.namespace, subject.namespace["__builtins__"])
    names = [
        name
        for place in places
        for name, value in place.items()
        if isinstance(value, type) and issubclass(value, BaseException)
    ]
    return [each for each in names if not each.startswith("_")]
