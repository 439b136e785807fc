"""A function of the code under test: its signature, its contract, and how to call it."""

from __future__ import annotations

import ast
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program
from verdict_runner.symbolic.code import annotations, hazards
from verdict_runner.symbolic.code.annotations import Annotation, guessed, unsupported
from verdict_runner.symbolic.code.annotations.concrete import Concrete
from verdict_runner.symbolic.code.annotations.keeping import Keeping
from verdict_runner.symbolic.contracts import styles

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.subject import Subject

# Values by parameter name.
Arguments: TypeAlias = "Mapping[str, Any]"

PARAMETERS_MAX = 50
LIBRARIES = ("icontract", "deal")


def not_a_function(name: str, what: str, step: str) -> Refused:
    """The refusal of a name that is not a function."""
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
        # What a generator gives are its items, read to the end, and the exception that ends it.
        self.is_generator = inspect.isgeneratorfunction(self.innermost)
        self.hazards: list[str] = [f"{name} is a generator, which is read to its end"] if self.is_generator else []
        self.signature = self._signature()
        self.returns, self.keeping = self._returned()
        self.contract = styles.read(self)
        declares = bool(self.contract.documented or self.contract.allowed)
        self.hazards += [*self.contract.notes, *subject.called.hazards(declares), *hazards.of(self)]
        if self.keeping and self.keeping.partial:
            self.hazards.append(f"whether a result is a {self.returns} can only be seen in part")

    def _definition(self) -> ast.FunctionDef | ast.AsyncFunctionDef:
        first = self.innermost.__code__.co_firstlineno
        for node in ast.walk(self.subject.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if first in (node.lineno, *(each.lineno for each in node.decorator_list)):
                    return node
        raise not_a_function(self.name, "a lambda", f"write def {self.name}(…) with annotated parameters")

    def _refuse_what_waits(self) -> None:
        line = self.node.lineno
        if isinstance(self.node, ast.AsyncFunctionDef):
            raise unsupported(
                f"{self.name} is async: what it does depends on a loop that runs it.",
                "write its computation as a plain function",
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
        makes = Concrete(self.subject.namespace, lambda name: guessed.types_of([(self.node, name)]))
        parameters = [
            each.replace(annotation=self._concrete(makes, each.name, named.get(each.name, typing.Any)))
            for each in written.parameters.values()
        ]
        self.guesses = [f"{name} as {kinds}" for name, kinds in makes.guesses.items()]
        self.hazards += [f"{whole} was taken as {part} only" for whole, part in makes.narrowed.items()]
        self.hazards += [f"the type of {each.partition(' ')[0]} is a guess" for each in self.guesses]
        return written.replace(parameters=parameters, return_annotation=inspect.Signature.empty)

    def _concrete(self, makes: Concrete, name: str, annotation: object) -> Annotation:
        try:
            return makes.made(annotations.resolved(annotation, self.subject.namespace), name)
        except Refused as refused:
            raise Refused(
                f"Parameter {name} of {self.name}: {refused.message}",
                refused.steps,
                error_type=refused.error_type,
                line=self.node.lineno,
            ) from None

    def _returned(self) -> tuple[str | None, Keeping | None]:
        """The source text of the result annotation, and its check; both None without an annotation."""
        if self.node.returns is None or self.is_generator:
            return None, None
        written = self.node.returns
        quoted = written.value if isinstance(written, ast.Constant) else None
        annotation = annotations.resolved(annotations.of(self.innermost)["return"], self.subject.namespace)
        return quoted if isinstance(quoted, str) else ast.unparse(written), Keeping(annotation, self.subject.namespace)

    # ---- Calling it.

    def split(self, arguments: Arguments) -> tuple[list[object], dict[str, object]]:
        """Arguments by name, split into positional and keyword arguments."""
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
        """The arguments, with the defaults of omitted ones."""
        values = {}
        for each in self.signature.parameters.values():
            if each.name in arguments:
                values[each.name] = arguments[each.name]
            elif each.default is not each.empty:
                values[each.name] = each.default
            elif each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
                values[each.name] = () if each.kind is each.VAR_POSITIONAL else {}
        return values


def _of_library(function: object) -> bool:
    """Whether this is the wrapper of a contract library around a function."""
    if type(function) is not types.FunctionType or function.__code__.co_filename == program.CODE:
        return False
    home = function.__globals__.get("__name__")
    return isinstance(home, str) and home.partition(".")[0] in LIBRARIES and hasattr(function, "__wrapped__")


def _without_contracts(function: Callable[..., object]) -> Callable[..., object]:
    """The function without its outermost contract decorators; other decorators, and contracts below them, stay."""
    while _of_library(function):
        function = getattr(function, "__wrapped__", function)
    return function


def _innermost(name: str, function: Callable[..., object]) -> types.FunctionType:
    """The undecorated function."""
    seen = 0
    while (wrapped := getattr(function, "__wrapped__", None)) is not None and seen < 100:
        function, seen = wrapped, seen + 1
    if type(function) is not types.FunctionType:
        raise not_a_function(
            name, f"an object of type {type(function).__name__}", f"write def {name}(…) at the top level"
        )
    if function.__code__.co_filename != program.CODE:
        raise not_a_function(name, "a function of a library", "write a function of your own that calls it")
    return function
