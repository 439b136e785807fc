"""Represents code under test: one text, loaded as a module, and its functions."""

from __future__ import annotations

import ast
import functools
import linecache
import re
import sys
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING

from verdict_runner.protocol.runner import Modules
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards, program, safety
from verdict_runner.symbolic.code import limits, reach, source, targets, unread
from verdict_runner.symbolic.code.annotations import LEFT_OUT, Namespace
from verdict_runner.symbolic.code.function import Function
from verdict_runner.symbolic.contracts import called, exceptions, recompute
from verdict_runner.symbolic.profile import PROFILE

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.instrument import Sites

# The code is imported as a module, not run as a script: the body of `if __name__ == "__main__"` is left out.
MODULE = PROFILE.module
CODE_BYTES_MAX = 256 * 1024
# CPython's limit on digits in conversions between integers and strings. Verdict's own code runs without this limit.
DIGITS_MAX = getattr(sys.int_info, "default_max_str_digits", 0)
# The address of an object differs from run to run.
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# Exceptions with which a call of the code can end; others control the code that runs it.
ENDINGS = (Exception, SystemExit, KeyboardInterrupt, GeneratorExit)


class _Read:
    """The statements of a text that some names reach, as they are before anything is added to them for a run."""

    def __init__(self, text: str, roots: Sequence[str], checked: str | None) -> None:
        self.whole = _parsed(text)
        statements, self.left_out = reach.split(self.whole, roots)
        self.tree = ast.Module(statements, [])
        # The tree that is compiled, without what `unread` changes.
        self.run = source.copied(self.tree)
        self.conditions = called.enforce(self.tree, checked) if checked else called.Called()
        self.rewritten = unread.rewritten(source.copied(self.run))
        for each in safety.findings(self.rewritten, PROFILE, unread.MISSING)[:1]:
            kind = "SandboxViolation" if each.code == "forbidden" else "UnsupportedConstruct"
            raise Refused(each.message, each.steps, each.code, kind, each.line, each.column + 1)
        recompute.checked(self.tree)
        self.names = _names(self.run)


# One job prepares the same texts several times: for each run with other sites, and for runs without any.
_read = functools.lru_cache(maxsize=4)(_Read)


class Prepared:
    """The part of the code that the names `roots` reach, parsed and compiled; `load` runs it as a new module.

    Only these statements are analysed and run. `instrument` rewrites the syntax tree (`rewrite`, `names`). If the
    contract of the function `checked` is in question, the contracts of the functions that it calls count, too. An older
    version's line numbers follow those of the newer version (`newer`). Raises `Refused` for every error in the text.
    """

    def __init__(
        self,
        code: str,
        roots: Sequence[str],
        instrument: Sites | None = None,
        checked: str | None = None,
        newer: str = "",
    ) -> None:
        self.is_older = newer != ""
        text = source.below(newer, code)
        self._shown = source.both(newer, text)
        roots = (*map(targets.root, roots),)
        read = _read(text, roots, checked)
        self.whole, self.tree, self.left_out, self.conditions = read.whole, read.tree, read.left_out, read.conditions
        self._tree = read.run if instrument is None else source.copied(read.run)
        self._roots = {*roots}
        self._checked = checked
        # The places of statements that ran, each with the number of violations before it.
        self._begun: list[tuple[int, int]] = []
        # The places of statements that can't run, and why the names that they bind have no value.
        self._unrun: dict[int, dict[str, str]] = {}
        self._left_out: dict[str, str] = {}
        self._hidden = unread.hidden(lambda place: self._begun.append((place, len(guards.hits))))
        self._hidden.update({LEFT_OUT: self._left_out, limits.LOOK: limits.look, limits.WATCH: limits.watch})
        self._lacks_builtins = not unread.MISSING.isdisjoint(read.names)
        if instrument:
            self._hidden.update(instrument.names)
            instrument.rewrite(self._tree)
        # Names that only Verdict uses.
        self._kept = _names(self._tree) - read.names if instrument else set()
        self._compiled = self._compile(None if instrument else source.copied(read.rewritten))

    def _compile(self, tree: ast.Module | None = None) -> types.CodeType:
        tree = tree or unread.rewritten(source.copied(self._tree), self._kept, self._unrun)
        if self._checked:
            called.enforce(tree, self._checked)
        return program.compiled(tree, program.CODE, limits.watched)

    def load(self, modules: Modules, contracts: bool = True) -> Subject:
        """Runs the code; raises `Refused` for an exception at module level.

        Without `contracts`, the function's contract decorators are parsed but have no effect.
        """
        lines = self._shown.splitlines(keepends=True)
        linecache.cache[program.CODE] = (len(self._shown), None, lines, program.CODE)
        while True:
            guards.hits.clear()
            self._begun.clear()
            limits.begin()
            namespace = program.fresh_namespace({}, modules, self._hidden, new_module())
            if self._lacks_builtins:
                # Python finds all global names more slowly with such builtins.
                namespace["__builtins__"] = unread.Builtins(namespace["__builtins__"])
            try:
                with own_limits():
                    exec(self._compiled, namespace)
            except Refused:
                raise
            except ENDINGS as error:
                if not self._leaves_out_unrun():
                    raise failed(error) from None
            else:
                if not self._leaves_out_unrun():
                    return Subject(self, namespace, modules, contracts)

    def _leaves_out_unrun(self) -> bool:
        """Whether the first statement with a violation can be left out, so that only reads of its names are violations.

        Raises `Refused` if it can't.
        """
        place = next((place for place, hits in reversed(self._begun) if hits == 0), None)
        if not guards.hits:
            return False
        names = None if place is None or place in self._unrun else reach.separate(self.tree, place, self._roots)
        if place is None or not names:
            stop_at_walls()
        else:
            self._unrun[place] = dict.fromkeys(names, guards.hits[0][0])
            self._left_out.update(self._unrun[place])
            self._compiled = self._compile()
        return True


def _names(tree: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}


def new_module() -> Namespace:
    """Returns the variables of a new module, in which libraries look up the names in annotations."""
    module = sys.modules[MODULE] = types.ModuleType(MODULE)
    vars(module).clear()
    vars(module)["__doc__"] = None
    return vars(module)


def _parsed(text: str) -> ast.Module:
    if not text.strip():
        raise Refused(
            "The code is empty.", ["send the function and what it calls, as one text"], error_type="ValueError"
        )
    if len(text.encode(errors="surrogatepass")) > CODE_BYTES_MAX:
        raise Refused(
            f"The code is longer than {CODE_BYTES_MAX} bytes.",
            ["send only the function and what it calls"],
            error_type="ValueError",
        )
    try:
        tree = source.parsed(text, program.CODE)
        compile(text, program.CODE, "exec", dont_inherit=True)
        return tree
    except SyntaxError as error:
        message = f"{error.msg or 'invalid syntax'}{f', in `{error.text.strip()[:80]}`' if error.text else ''}"
        steps = [
            "correct this line and send the code again",
            "send plain Python, without Markdown around it",
            f"this Python is version {sys.version_info[0]}.{sys.version_info[1]}: write the code for it",
        ]
        raise Refused(
            message, steps, "input_rejected", "SyntaxError", error.lineno or 1, max(1, error.offset or 1)
        ) from None
    except (RecursionError, MemoryError):
        raise Refused(
            "The code is nested too deeply for Python.",
            ["split long expressions into statements"],
            error_type="SyntaxError",
        ) from None
    except (ValueError, OverflowError) as error:
        raise Refused(
            f"Python can't read the code: {error}.",
            ["write plain text without null characters"],
            error_type="SyntaxError",
            line=1,
        ) from None


def failed(error: BaseException, line: int | None = None) -> Refused:
    """Creates the refusal for an exception raised at module level, at this line."""
    kind, line = type(error).__name__, line or line_of(error)
    if isinstance(error, SystemExit):
        return Refused(
            "The module level calls exit().",
            ["remove the call: only functions are examined"],
            error_type=kind,
            line=line,
        )
    message = f"The module level raises {kind}: {text_of_error(error)}"
    return Refused(
        message.rstrip(": ") + ".",
        [*_instead(error), "or remove what the function does not need"],
        error_type=kind,
        line=line,
    )


def _instead(error: BaseException) -> list[str]:
    """Returns the step that corrects an exception raised at module level."""
    name = getattr(error, "name", None) if type(error) is NameError else None
    if type(name) is str:
        is_module = name in PROFILE.own_modules or name in sys.stdlib_module_names
        return [f"add the line: import {name}" if is_module else f"define or import {name[:80]} before this line"]
    if isinstance(error, ImportError):
        return [f"this Python is version {sys.version_info[0]}.{sys.version_info[1]}: write the code for it"]
    return ["correct this line"]


def line_of(error: BaseException) -> int | None:
    """Returns the innermost line of the code through which the error passed."""
    line, trace = None, error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == program.CODE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def text_of_error(error: object) -> str:
    """Returns an exception's message, shortened; the code's own exception class may fail even here."""
    try:
        return ADDRESS.sub("", str.__str__(str(error)))[:500]
    except BaseException as second:
        if not is_the_codes(second):
            raise
        return f"(its message failed with {type(second).__name__})"


def is_the_codes(error: BaseException) -> bool:
    """Whether a call of the code can end with this exception; other exceptions control the code that runs it."""
    return isinstance(error, ENDINGS) or guards.is_own(type(error))


def stop_at_walls() -> None:
    """Raises `Refused` if the code tried something forbidden, even if it caught the exception."""
    if guards.hits:
        message, _, line = guards.hits[0]
        steps = ["remove it: code under test may only compute, and can't access anything outside itself"]
        raise Refused(f"{message[:1].upper()}{message[1:]}.", steps, "forbidden", "SandboxViolation", line)


class own_limits:
    """Applies Python's default limit on digits while code under test runs."""

    def __enter__(self) -> None:
        if DIGITS_MAX:
            sys.set_int_max_str_digits(DIGITS_MAX)

    def __exit__(self, *_: object) -> None:
        if DIGITS_MAX:
            sys.set_int_max_str_digits(0)


class Subject:
    """A loaded module."""

    def __init__(self, prepared: Prepared, namespace: Namespace, modules: Modules, enforced: bool) -> None:
        # The whole text, and the statements that the question reaches.
        self.whole = prepared.whole
        self.tree = prepared.tree
        self._left_out = prepared.left_out
        self.namespace = namespace
        self._module = sys.modules[MODULE]
        self.modules = modules
        # Whether the module went on after a limit of the machine when it was loaded.
        self.met_limit = limits.is_met()
        # Whether the module's contracts are checked when it runs.
        self.enforced = enforced
        # What was done with the docstring conditions of called functions.
        self.called = prepared.conditions
        # Whether this is the older of two versions; the ids of the classes that differ between the versions.
        self.is_older = prepared.is_older
        self.versioned: frozenset[int] = frozenset()

    def enter(self) -> None:
        """Makes this the module that Python's libraries find by its name, since both versions have the same name."""
        sys.modules[MODULE] = self._module

    @property
    def left_out(self) -> list[str]:
        """Returns labels for the statements that the question does not reach, except plain definitions."""
        return reach.notes(self._left_out, self.modules)

    def function(self, name: str) -> Function:
        """Returns the function or method with this name; raises `Refused`."""
        return Function(self, name, targets.find(self, name))

    def named(self, name: str) -> object:
        """Looks up a name, possibly with dots, in the code, in Python or in an allowed module; None if not found."""
        first, _, rest = name.partition(".")
        value = self.namespace.get(first, self.namespace["__builtins__"].get(first, self.modules.get(first)))
        while rest and value is not None:
            first, _, rest = rest.partition(".")
            value = vars(value).get(first) if isinstance(value, (types.ModuleType, type)) else None
        return value

    def exception(self, name: str) -> type[BaseException]:
        """Returns the exception class that a question names; raises `Refused`."""
        return exceptions.find(self, name)
