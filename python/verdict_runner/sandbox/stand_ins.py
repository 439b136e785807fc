"""Replaces modules that access the machine with constants and with functions that print or exit.

Nothing here refers to the real modules; each replacement is an object of Verdict's own, with the names listed in
`allowed.CHOSEN`.
"""

from __future__ import annotations

import argparse
import gettext
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from verdict_runner.sandbox import classes, guards
from verdict_runner.sandbox.allowed import CHOSEN

# The arguments that a program passes to an argument parser.
Option: TypeAlias = Any
# The maximum recursion limit that a program can set; a Python frame is small, but the process's stack is limited.
RECURSION_MAX = 10_000


def namespace(name: str, members: Mapping[str, object]) -> types.ModuleType:
    """Creates a module object with only these members."""
    module = types.ModuleType(name)
    vars(module).pop("__loader__", None)
    vars(module).pop("__spec__", None)
    vars(module).update(members)
    return module


def leave(code: object = None) -> NoReturn:
    """Replaces `exit` and `sys.exit`, with which a program exits on purpose."""
    raise SystemExit(code)


def _stream(name: str) -> types.ModuleType:
    def write(text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"{name}.write takes text")
        # `sys.stdout` is the job's stream, which does not exist yet when this module is loaded.
        return sys.stdout.write(str.__str__(text))

    return namespace(name, {"write": write, "flush": lambda: None})


def _limit_recursion(depth: int, /) -> None:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), min(int(depth), RECURSION_MAX)))


def _no_input(*_: object) -> str:
    return ""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise TypeError(f"a model gets no arguments, so each one needs a default; {message}")


def _parser(*_: object, **__: object) -> types.ModuleType:
    """Replaces `ArgumentParser`; only returns the defaults."""
    real = _Parser(add_help=False)

    def add(*names: str, **options: Option) -> None:
        if not isinstance(options.get("action", ""), str):
            raise guards.stopped(TypeError, "an action must be text such as 'store_true' in a model")
        real.add_argument(*names, **options)

    def parsed(given: Sequence[str] = (), /) -> types.SimpleNamespace:
        if given:
            raise TypeError("a model parses no arguments; assign the values")
        return classes.SimpleNamespace(**vars(real.parse_args([])))

    def group(*_: object, **__: object) -> types.ModuleType:
        return parser

    members = {"add_argument": add, "parse_args": parsed, "set_defaults": lambda **values: real.set_defaults(**values)}
    groups = {"add_argument_group": group, "add_mutually_exclusive_group": group}
    parser = namespace("ArgumentParser", {**members, **groups, "parse_known_args": lambda *given: (parsed(*given), [])})
    return parser


class NullTranslations(gettext.NullTranslations):
    """Replaces `gettext.NullTranslations`, which can change Python's builtins."""

    install = guards.Unusable("the name install of NullTranslations is not available to a model: it changes builtins")


guards.named_after(gettext.NullTranslations, NullTranslations)

MODULES: Mapping[str, Mapping[str, object]] = {
    "gettext": {"NullTranslations": NullTranslations},
    "sys": {
        "argv": ["model.py"],
        "path": [],
        "exit": leave,
        "setrecursionlimit": _limit_recursion,
        "stdin": namespace("sys.stdin", {"read": _no_input, "readline": _no_input}),
        "stdout": _stream("sys.stdout"),
        "stderr": _stream("sys.stderr"),
    },
    "os": {"cpu_count": lambda: 1},
    "argparse": {
        "ArgumentParser": _parser,
        "BooleanOptionalAction": "store_true",
        **dict.fromkeys(name for name in CHOSEN["argparse"] if name.endswith("Formatter")),
    },
}
