"""Loads the whole module once, because a module that raises while it is loaded has no function to ask about.

A question loads only what it reaches; this module also loads the rest, as far as it can run here. A statement that is
not allowed, or that uses a name from such a statement, does not run, so it is unknown whether it raises an exception.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import signal
import sys
from collections.abc import Sequence

from verdict_runner.protocol.runner import Modules
from verdict_runner.sandbox import guards, program, safety
from verdict_runner.symbolic.code import reach, source, subject, targets
from verdict_runner.symbolic.code.mentions import FUNCTIONS, binding, top
from verdict_runner.symbolic.profile import PROFILE
from verdict_runner.symbolic.run.bounded import TooLong, bounded

# The maximum processor time; code that the question does not reach is not worth a longer wait.
SECONDS = 0.5
# Exceptions that depend on this machine and not on the code.
OF_MACHINE = (MemoryError, RecursionError)


def load(code: str, modules: Modules, roots: Sequence[str] | None) -> list[int]:
    """Runs a module's statements and returns the lines of those that did not run.

    Raises `Refused` for the first exception. With `roots`, a module is not run again if these names reach all of it.
    """
    tree = source.parsed(code, program.CODE)
    statements = [each for node in tree.body for each in reach.separated(node)]
    left_out = {
        each.lineno for each in (statements if roots is None else reach.split(tree, [*map(targets.root, roots)])[1])
    }
    if not left_out:
        return []
    loading = _Loading(statements, modules)
    if hasattr(signal, "setitimer"):
        with contextlib.suppress(TooLong), contextlib.redirect_stdout(io.StringIO()), bounded(SECONDS):
            loading.run()
    guards.hits.clear()
    return sorted(left_out.intersection(each.lineno for each in loading.unrun))


class _Loading:
    """One pass over the statements of a module."""

    def __init__(self, statements: Sequence[ast.stmt], modules: Modules) -> None:
        self.unrun = [*statements]
        self._modules = modules
        self._futures = [
            each for each in statements if isinstance(each, ast.ImportFrom) and each.module == "__future__"
        ]
        self._namespace = program.fresh_namespace({}, modules, {}, subject.new_module())
        # Names whose objects are unknown or incomplete.
        self._unknown: set[str] = set()

    def run(self) -> None:
        for node in [*self.unrun]:
            is_emptied = self._empty(node)
            has_run = self._has_run(node)
            if has_run:
                self.unrun.remove(node)
            if is_emptied or not has_run:
                self._unknown.update(binding(node))

    def _has_run(self, node: ast.stmt) -> bool:
        """Whether the statement ran to its end; raises `Refused` for an exception raised by the code."""
        if self._is_unfit(node):
            self._refuse_missing(node)
            return False
        guards.hits.clear()
        try:
            with subject.own_limits():
                exec(program.compiled(ast.Module([*self._futures, node], []), program.CODE), self._namespace)
        except subject.ENDINGS as error:
            is_withheld = isinstance(error, NameError) and hasattr(builtins, str(error.name))
            if not (guards.hits or is_withheld or isinstance(error, OF_MACHINE)):
                raise subject.failed(error) from None
            return False
        return not guards.hits

    def _empty(self, node: ast.stmt) -> bool:
        """Empties functions whose bodies can't run here, so that the rest is evaluated; returns whether any was."""
        if isinstance(node, ast.ClassDef):
            return max(map(self._empty, node.body))
        # Python itself calls methods such as `__new__` while a class is created.
        is_called = isinstance(node, FUNCTIONS) and node.name.startswith("_") and node.name.endswith("_")
        if not isinstance(node, FUNCTIONS) or (is_called and node.name != "__init__"):
            return False
        if not any(map(self._is_unfit, node.body)):
            return False
        self._unknown.add(node.name)
        node.body = [ast.copy_location(ast.Pass(), node)]
        return True

    def _is_unfit(self, node: ast.stmt) -> bool:
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        return bool(names & self._unknown or safety.findings(node, PROFILE))

    def _refuse_missing(self, node: ast.stmt) -> None:
        """Rejects imports from inside a Python module that is not a package, since such a part can't exist."""
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None)]
        for name in filter(None, names):
            home = sys.modules.get(name.rpartition(".")[0])
            if home and top(name) in sys.stdlib_module_names and not hasattr(home, "__path__"):
                if name not in sys.modules:
                    missing = ModuleNotFoundError(f"No module named {name!r}; {home.__name__!r} is not a package")
                    raise subject.failed(missing, node.lineno)
