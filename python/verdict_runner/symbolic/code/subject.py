"""Code under test: one text, loaded as a module of its own, and the functions that can be asked about."""

from __future__ import annotations

import ast
import difflib
import inspect
import linecache
import re
import sys
import textwrap
import types
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from verdict_runner.protocol.runner import Modules
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import allowed, guards, program, safety
from verdict_runner.symbolic.code import annotations, hazards, reach, source
from verdict_runner.symbolic.code.annotations import Annotation, Concrete, Keeping, Namespace, unsupported
from verdict_runner.symbolic.contracts import exceptions, recompute, styles
from verdict_runner.symbolic.profile import PROFILE

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.instrument import Sites

# Values by the names of parameters.
Arguments: TypeAlias = "Mapping[str, Any]"

# Code under test is a module that is imported: what stands under `if __name__ == "__main__"` does not run, and is not looked at.
MODULE = PROFILE.module
CODE_BYTES_MAX = 64 * 1024
PARAMETERS_MAX = 50
# What CPython lets integers and texts be turned into each other by; our own side works without a bound.
DIGITS_MAX = getattr(sys.int_info, "default_max_str_digits", 0)
LIBRARIES = ("icontract", "deal")
# Where an object lies in memory is different each time.
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# What a call of the code may end with; the rest belongs to whoever runs it.
ENDINGS = (Exception, SystemExit, KeyboardInterrupt, GeneratorExit)


def load(
    code: str, modules: Modules, roots: Sequence[str], instrument: Sites | None = None, contracts: bool = True
) -> Subject:
    """The code, run as a module; raises `Refused` for all that is wrong with it.

    Only what the functions and classes of the names `roots` reach is looked at, and run. `instrument` rewrites its syntax tree (`rewrite`, `names`). Without `contracts`, decorators of the
    function that is asked about are only read: in a process where they do nothing.
    """
    guards.hits.clear()
    text = textwrap.dedent(code)
    whole = _parsed(text)
    kept, left_out = reach.split(whole, roots)
    tree = ast.Module(kept, [])
    for each in safety.findings(tree, PROFILE)[:1]:
        kind = "SandboxViolation" if each.code == "forbidden" else "UnsupportedConstruct"
        raise Refused(each.message, each.steps, each.code, kind, each.line, each.column + 1)
    recompute.checked(tree)
    linecache.cache[program.CODE] = (len(text), None, text.splitlines(keepends=True), program.CODE)
    namespace = program.fresh_namespace({}, modules, instrument.names if instrument else {}, _module())
    namespace["__builtins__"].update(exit=_exit, quit=_exit)
    fresh = source.reached(source.parsed(text, program.CODE), roots)
    rewritten = instrument.rewrite(fresh) if instrument else fresh
    try:
        with own_limits():
            exec(program.compiled(rewritten, program.CODE), namespace)
    except Refused:
        raise
    except ENDINGS as error:
        stop_at_walls()
        raise _failed(error) from None
    stop_at_walls()
    return Subject(whole, tree, left_out, namespace, modules, contracts)


def _module() -> Namespace:
    """The variables of a new module: libraries look there for what annotations name."""
    module = sys.modules[MODULE] = types.ModuleType(MODULE)
    vars(module).clear()
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
            f"this Python is {sys.version_info[0]}.{sys.version_info[1]}: write for it",
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


def _failed(error: BaseException) -> Refused:
    """The module level raised something."""
    kind, line = type(error).__name__, line_of(error)
    if isinstance(error, SystemExit):
        return Refused(
            "The module level calls exit().",
            ["leave the call out: only functions are looked at"],
            error_type=kind,
            line=line,
        )
    message = f"The module level raises {kind}: {said(error)}"
    instead = [step for name, step in allowed.INSTEAD_OF.items() if f"'{name}'" in message]
    return Refused(
        message.rstrip(": ") + ".",
        [*instead, "correct it, or leave out what is not needed for the function"],
        error_type=kind,
        line=line,
    )


def _exit(code: object = None) -> NoReturn:
    raise SystemExit(code)


def line_of(error: BaseException) -> int | None:
    """The innermost line of the code that the error passed through."""
    line, trace = None, error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == program.CODE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def said(error: object) -> str:
    """The message of an exception, shortened; one of the code's own may fail at that, too."""
    try:
        return ADDRESS.sub("", str.__str__(str(error)))[:500]
    except BaseException as second:
        if not is_the_codes(second):
            raise
        return f"(its message failed with {type(second).__name__})"


def is_the_codes(error: BaseException) -> bool:
    """Whether a call of the code may end with it; other exceptions steer who runs the code."""
    return isinstance(error, ENDINGS) or guards.is_own(type(error))


def stop_at_walls() -> None:
    """Raises `Refused` when the code went where it may not, whatever it made of the exception."""
    if guards.hits:
        message, _, line = guards.hits[0]
        steps = ["leave it out: code under test computes, and reaches nothing outside of it"]
        raise Refused(f"{message[:1].upper()}{message[1:]}.", steps, "forbidden", "SandboxViolation", line)


class own_limits:
    """While code under test runs, Python's own bound on digits is in force, as in any other program."""

    def __enter__(self) -> None:
        if DIGITS_MAX:
            sys.set_int_max_str_digits(DIGITS_MAX)

    def __exit__(self, *_: object) -> None:
        if DIGITS_MAX:
            sys.set_int_max_str_digits(0)


class Subject:
    """A loaded module."""

    def __init__(
        self,
        whole: ast.Module,
        tree: ast.Module,
        left_out: Sequence[ast.stmt],
        namespace: Namespace,
        modules: Modules,
        enforced: bool,
    ) -> None:
        # All of the text, and what of it a question reaches.
        self.whole = whole
        self.tree = tree
        self._left_out = left_out
        self.namespace = namespace
        self.modules = modules
        # Whether its contracts are in force when it runs.
        self.enforced = enforced

    @property
    def left_out(self) -> list[str]:
        """Labels of what no question reaches, where it is more than a plain definition."""
        return reach.told(self._left_out, self.modules)

    def function(self, name: str) -> Function:
        """What is known of the function of this name; raises `Refused`."""
        return Function(self, name, self._object(name))

    def named(self, name: str) -> object:
        """What a name, with dots or without, means in the code, in Python, or in a module that it may import; or None."""
        first, _, rest = name.partition(".")
        value = self.namespace.get(first, self.namespace["__builtins__"].get(first, self.modules.get(first)))
        while rest and value is not None:
            first, _, rest = rest.partition(".")
            value = vars(value).get(first) if isinstance(value, (types.ModuleType, type)) else None
        return value

    def exception(self, name: str) -> type[BaseException]:
        """The class of exceptions that a question names; raises `Refused`."""
        return exceptions.find(self, name)

    def _object(self, name: str) -> Callable[..., object]:
        value = self.namespace.get(name)
        if name not in self.namespace or name.startswith("__"):
            raise self._missing(name)
        if isinstance(value, type):
            raise _not_a_function(name, "a class", "write a function that makes an instance and calls its methods")
        if not callable(value):
            raise _not_a_function(
                name, f"of type {type(value).__name__}", "name a function that is defined by def at the top level"
            )
        return value

    def _missing(self, name: str) -> Refused:
        defined = [node.name for node in self.whole.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        near = difflib.get_close_matches(name, defined, 3, 0.6)
        steps = (
            [f"name one of: {', '.join([*near, *(each for each in defined if each not in near)][:20])}"]
            if defined
            else []
        )
        where = self._elsewhere(name.rpartition(".")[2])
        if where:
            steps = [*where, *steps]
        elif near:
            steps = [f"did you mean {near[0]}?", *steps]
        message = f"The code has no function {name} at its top level."
        return Refused(message, steps or ["send the definition of the function, too"], error_type="NameError")

    def _elsewhere(self, name: str) -> list[str]:
        """What to do about a function of this name that stands inside of a definition."""
        for outer in ast.walk(self.whole):
            if isinstance(outer, (ast.ClassDef, ast.FunctionDef)):
                for node in ast.walk(outer):
                    if node is not outer and isinstance(node, ast.FunctionDef) and node.name == name:
                        what = "the class" if isinstance(outer, ast.ClassDef) else "the function"
                        wrapper = [_wrapper(outer, node)] if isinstance(outer, ast.ClassDef) else []
                        return [
                            *wrapper,
                            f"{name} stands inside of {what} {outer.name}: move it to the top level, as a function of its own",
                        ]
        return []


def _wrapper(owner: ast.ClassDef, method: ast.FunctionDef) -> str:
    """The advice to ask about a function that makes an object and calls its method."""
    named = method.args.kwonlyargs
    placed = method.args.args[1:]
    given = ", ".join([*(each.arg for each in placed), *(f"{each.arg}={each.arg}" for each in named)])
    taken = ", ".join(ast.unparse(each) for each in [*placed, *named])
    return f"ask about a function that makes the object, such as def call_{method.name}({taken}): return {owner.name}(…).{method.name}({given})"


def _not_a_function(name: str, what: str, step: str) -> Refused:
    return Refused(f"{name} is {what}, not a function that is defined by def.", [step], error_type="TypeError")


class Function:
    """A function of the code, its contract, and how to call it."""

    def __init__(self, subject: Subject, name: str, decorated: Callable[..., object]) -> None:
        self.name = name
        self.subject = subject
        self.decorated = decorated
        self.plain = _without_contracts(decorated)
        self.innermost = _innermost(name, decorated)
        self.node = self._definition()
        self.lines = (self.node.lineno, self.node.end_lineno or self.node.lineno)
        if self.node not in subject.tree.body and self.node.name != name:
            raise unsupported(
                f"{name} is hidden by its decorator.",
                "decorate the inner function of the decorator with functools.wraps",
                line=self.lines[0],
            )
        self._refuse_what_waits()
        self.hazards: list[str] = []
        self.signature = self._signature()
        self.returns, self.keeping = self._returned()
        self.contract = styles.read(self)
        self.hazards += [*self.contract.notes, *hazards.of(self)]
        if self.keeping and self.keeping.partial:
            self.hazards.append(f"whether a result is a {self.returns} can only be seen in part")

    def _definition(self) -> ast.FunctionDef | ast.AsyncFunctionDef:
        first = self.innermost.__code__.co_firstlineno
        for node in ast.walk(self.subject.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if first in (node.lineno, *(each.lineno for each in node.decorator_list)):
                    return node
        raise _not_a_function(self.name, "a lambda", f"write def {self.name}(…) with annotated parameters")

    def _refuse_what_waits(self) -> None:
        line = self.node.lineno
        if isinstance(self.node, ast.AsyncFunctionDef):
            raise unsupported(
                f"{self.name} is async: what it does depends on a loop that runs it.",
                "write its computation as a plain function",
                line=line,
            )
        if inspect.isgeneratorfunction(self.innermost):
            raise unsupported(
                f"{self.name} is a generator: it runs only as far as it is asked.",
                "return a list instead of yielding, in a function of its own",
                line=line,
            )

    # ---- Its signature.

    def _signature(self) -> inspect.Signature:
        line = self.node.lineno
        named = annotations.of(self.innermost, line)
        written = inspect.signature(self.innermost)
        if len(written.parameters) > PARAMETERS_MAX:
            raise unsupported(
                f"{self.name} has {len(written.parameters)} parameters; {PARAMETERS_MAX} is the most.",
                "take a dataclass or a list instead",
                line=line,
            )
        bare = [each for each in written.parameters.values() if each.name not in named]
        if bare:
            raise unsupported(
                f"{', '.join(each.name for each in bare)} of {self.name} {'has' if len(bare) == 1 else 'have'} no annotation, so no values can be made.",
                f"annotate each parameter, as in def {self.name}({_example(written, named)})",
                line=line,
            )
        makes = Concrete(self.subject.namespace)
        made = [
            each.replace(annotation=self._concrete(makes, each.name, named[each.name]))
            for each in written.parameters.values()
        ]
        self.hazards += [f"{whole} was taken as {part} only" for whole, part in makes.narrowed.items()]
        return written.replace(parameters=made, return_annotation=inspect.Signature.empty)

    def _concrete(self, makes: Concrete, name: str, annotation: object) -> Annotation:
        try:
            return makes.made(annotations.resolved(annotation, self.subject.namespace))
        except Refused as refused:
            raise Refused(
                f"Parameter {name} of {self.name}: {refused.message}",
                refused.steps,
                error_type=refused.error_type,
                line=self.node.lineno,
            ) from None

    def _returned(self) -> tuple[str | None, Keeping | None]:
        """The annotation of the result as it is written, and what checks it; both None without one."""
        if self.node.returns is None:
            return None, None
        written = self.node.returns
        quoted = written.value if isinstance(written, ast.Constant) else None
        annotation = annotations.resolved(annotations.of(self.innermost)["return"], self.subject.namespace)
        return quoted if isinstance(quoted, str) else ast.unparse(written), Keeping(annotation)

    # ---- Calling it.

    def split(self, arguments: Arguments) -> tuple[list[object], dict[str, object]]:
        """Named arguments as those by place and those by name."""
        places, names, gap = [], {}, False
        for each in self.signature.parameters.values():
            if each.name not in arguments:
                gap = True
                continue
            value = arguments[each.name]
            if each.kind is each.VAR_POSITIONAL:
                places.extend(value)
            elif each.kind is each.VAR_KEYWORD:
                names.update(value)
            elif each.kind is each.KEYWORD_ONLY or (gap and each.kind is each.POSITIONAL_OR_KEYWORD):
                names[each.name] = value
            else:
                places.append(value)
        return places, names

    def complete(self, arguments: Arguments) -> dict[str, object]:
        """The arguments, with the defaults of those that are left out."""
        made = {}
        for each in self.signature.parameters.values():
            if each.name in arguments:
                made[each.name] = arguments[each.name]
            elif each.default is not each.empty:
                made[each.name] = each.default
            elif each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
                made[each.name] = () if each.kind is each.VAR_POSITIONAL else {}
        return made


STARS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def _example(signature: inspect.Signature, named: Mapping[str, Annotation]) -> str:
    return ", ".join(
        f"{STARS.get(each.kind, '')}{each.name}: {annotations.shown(named.get(each.name, int))}"
        for each in signature.parameters.values()
    )


def _of_library(function: object) -> bool:
    """Whether this is a contract's wrapper around a function."""
    if type(function) is not types.FunctionType or function.__code__.co_filename == program.CODE:
        return False
    home = function.__globals__.get("__name__")
    return isinstance(home, str) and home.partition(".")[0] in LIBRARIES and hasattr(function, "__wrapped__")


def _without_contracts(function: Callable[..., object]) -> Callable[..., object]:
    """The function without the contracts around it; other decorators, and contracts within those, stay."""
    while _of_library(function):
        function = getattr(function, "__wrapped__", function)
    return function


def _innermost(name: str, function: Callable[..., object]) -> types.FunctionType:
    """The function of the code that all decorators stand around."""
    seen = 0
    while (wrapped := getattr(function, "__wrapped__", None)) is not None and seen < 100:
        function, seen = wrapped, seen + 1
    if type(function) is not types.FunctionType:
        raise _not_a_function(
            name, f"an object of type {type(function).__name__}", f"write def {name}(…) at the top level"
        )
    if function.__code__.co_filename != program.CODE:
        raise _not_a_function(name, "a function of a library", "write a function of your own that calls it")
    return function
