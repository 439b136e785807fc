"""Finds the repository file that an import refers to. Files that have not been sent yet are requested."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from verdict_runner.changes.messages import Version
from verdict_runner.symbolic.code.mentions import top

# Directories of a repository that contain packages.
ROOTS = ("", "src", "lib")


class Missing(Exception):
    """Raised if files have to be read before the comparison can continue."""


class Files:
    """The files of one version of a repository that have been sent so far."""

    def __init__(self, version: Version) -> None:
        self._texts = version.files
        self._own = frozenset(version.own_modules)
        self._main = version.path
        # Unread paths that may hold a module, and whether the last lookup depended on one of them.
        self.wanted: dict[str, None] = {}
        self.is_open = False

    def settle(self) -> None:
        """Raises `Missing` if a lookup needed a file that was not sent."""
        if self.wanted:
            raise Missing

    def text(self, path: str) -> str:
        return self._texts.get(path) or ""

    def is_own(self, module: str) -> bool:
        """Whether an absolute import can find a module of the repository."""
        name = top(module)
        return name in self._own or (name in self._main.split("/")[:-1] and name not in sys.stdlib_module_names)

    def absolute(self, module: str) -> str | None:
        """Finds a module's file by its full name."""
        name = top(module)
        parts = self._main.split("/")[:-1]
        above = ["/".join(parts[:place]) for place, part in enumerate(parts) if part == name]
        # A package inside another package can't be imported by its last name alone.
        outside = [each for each in above if not each or self._first([f"{each}/__init__.py"]) is None]
        return self._found(module, [*outside, *ROOTS, "/".join(parts)])

    def relative(self, path: str, level: int, module: str) -> str | None:
        """Finds the file of a module imported relative to the module at a path."""
        parts = path.split("/")[:-1]
        if level - 1 > len(parts):
            return None
        directory = "/".join(parts[: len(parts) - (level - 1)])
        return self._found(module, [directory]) if module else self._first([_joined(directory, "__init__.py")])

    def inside(self, path: str, name: str) -> str | None:
        """Finds the module with this name in the package whose `__init__.py` is at the path."""
        directory, _, file = path.rpartition("/")
        return self._found(name, [directory]) if file == "__init__.py" else None

    def _found(self, module: str, directories: Iterable[str]) -> str | None:
        stem = module.replace(".", "/")
        paths = [
            _joined(directory, f"{stem}{end}")
            for directory in dict.fromkeys(directories)
            for end in ("/__init__.py", ".py")
        ]
        return self._first(paths)

    def _first(self, paths: Sequence[str]) -> str | None:
        unknown = [each for each in paths if each not in self._texts and each != self._main]
        self.wanted.update(dict.fromkeys(unknown))
        self.is_open = bool(unknown)
        return next((each for each in paths if each == self._main or self._texts.get(each) is not None), None)


def _joined(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name
