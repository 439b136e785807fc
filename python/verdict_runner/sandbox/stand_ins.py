"""Replaces modules that access the machine with constants and with functions that print or exit.

Nothing here refers to the real modules; each replacement is an object of Verdict's own, with the names listed in
`allowed.CHOSEN`.
"""

from __future__ import annotations

import argparse
import io
import json
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


def leave(code: object = None, /) -> NoReturn:
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


def _loaded(file: object, /) -> object:
    """Replaces `json.load`, for a file from `open` or a text in memory."""
    if type(file) is not io.StringIO:
        raise TypeError("json.load reads what open() or io.StringIO returns")
    return json.loads(file.read())


class NullTranslations:
    """Replaces `gettext.NullTranslations` without a file or a fallback; returns texts unchanged."""

    def gettext(self, message: object) -> object:
        return message

    def ngettext(self, msgid1: object, msgid2: object, n: object) -> object:
        return msgid1 if n == 1 else msgid2

    def pgettext(self, context: object, message: object) -> object:  # noqa: ARG002
        return message

    def npgettext(self, context: object, msgid1: object, msgid2: object, n: object) -> object:  # noqa: ARG002
        return msgid1 if n == 1 else msgid2

    def __getattr__(self, name: str) -> NoReturn:
        raise guards.stopped(
            AttributeError,
            f"{name} of NullTranslations is not available to a model: it reads or changes more than texts",
        )


NullTranslations.__module__ = "gettext"


class local(classes.SimpleNamespace):
    """Replaces `threading.local`; there is only one thread."""


local.__module__ = "threading"

MODULES: Mapping[str, Mapping[str, object]] = {
    "gettext": {"NullTranslations": NullTranslations},
    "threading": {"local": local},
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
    "json": {"load": _loaded},
    "argparse": {
        "ArgumentParser": _parser,
        "BooleanOptionalAction": "store_true",
        **dict.fromkeys(name for name in CHOSEN["argparse"] if name.endswith("Formatter")),
    },
}
