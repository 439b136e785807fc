"""Represents a function of the code under test: its signature, its contract, and how to call it."""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards, program
from verdict_runner.symbolic.code import annotations, hazards
from verdict_runner.symbolic.code.annotations import Annotation, guessed, unsupported
from verdict_runner.symbolic.code.annotations.concrete import Concrete
from verdict_runner.symbolic.code.annotations.keeping import Keeping
from verdict_runner.symbolic.code.makers import Arguments, Maker, is_made, split
from verdict_runner.symbolic.code.targets import Target, last, not_a_function
from verdict_runner.symbolic.contracts import styles

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.subject import Subject

__all__ = ["Arguments", "Function"]

PARAMETERS_MAX = 50
LIBRARIES = ("icontract", "deal")


class Function:
    """A function of the code, its contract, and how to call it."""

    def __init__(self, subject: Subject, name: str, target: Target) -> None:
        self.name = name
        # The name shown to readers; beside a newer version, the older one gets a different name.
        self.shown = re.sub(r"^[^.]*", r"\g<0>_base", name, count=1) if subject.is_older else name
        self.subject = subject
        self.target = target
        self.decorated = target.decorated
        self.plain = _without_contracts(self.decorated)
        self.innermost = _innermost(name, self.decorated)
        self.node = self._definition()
        self.lines = (self.node.lineno, self.node.end_lineno or self.node.lineno)
        if self.node not in subject.tree.body and self.node.name != last(name):
            raise unsupported(
                f"{name} is hidden by its decorator.",
                "decorate the inner function of the decorator with functools.wraps",
                line=self.lines[0],
            )
        self._refuse_what_waits()
        if self.node.type_comment:
            raise unsupported(
                f"{self.node.type_comment} of {name} can't be read.",
                "write the bounds as asserts at the beginning, or as `pre:` in the docstring",
                line=self.lines[0],
            )
        # The result of a generator is its items, read to the end, and the exception that ends it.
        self.is_generator = inspect.isgeneratorfunction(self.innermost)
        self._doubts: list[str] = [f"{name} is a generator, which is run to its end"] if self.is_generator else []
        # The guesses made, in words.
        self.guesses: list[str] = []
        # The parameters whose annotations do not state the types of the values that are passed, with the reasons.
        self.assumed: dict[str, list[str]] = {}
        self.narrowed: dict[str, list[str]] = {}
        # The parameters whose types are guesses.
        self.guessed: frozenset[str] = frozenset()
        # The makers of objects, by parameter name, and other argument values that are not inputs.
        self.makers: dict[str, Maker] = {}
        self._values: dict[str, Callable[[], object]] = {}
        # The function's own parameters, and its inputs, in which constructor arguments replace objects.
        self.signature, self.inputs = self._signatures()
        self.returns, self.keeping = self._returned()
        self.contract = styles.read(self)

    @functools.cached_property
    def hazards(self) -> list[str]:
        """The reasons against a proof, which only an inspection needs: the code is loaded anew for many other runs."""
        contract = self.contract
        of_called = self.subject.called.hazards(bool(contract.documented or contract.allowed))
        is_partial = self.keeping and self.keeping.partial
        partial = [f"whether a result is a {self.returns} can be checked only in part"] if is_partial else []
        return [*self._doubts, *contract.notes, *of_called, *hazards.of(self), *partial]

    def _definition(self) -> ast.FunctionDef | ast.AsyncFunctionDef:
        first = self.innermost.__code__.co_firstlineno
        for node in ast.walk(self.subject.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if first in (node.lineno, *(each.lineno for each in node.decorator_list)):
                    return node
        raise not_a_function(self.name, "a lambda", f"write def {last(self.name)}(…) with annotated parameters")

    def _refuse_what_waits(self) -> None:
        line = self.node.lineno
        if isinstance(self.node, ast.AsyncFunctionDef):
            raise unsupported(
                f"{self.name} is async: its behaviour depends on the event loop that runs it.",
                "write the computation as a plain function",
                line=line,
            )

    # ---- The signature.

    def _signatures(self) -> tuple[inspect.Signature, inspect.Signature]:
        line = self.node.lineno
        named = annotations.of(self.innermost, line)
        written = inspect.signature(self.innermost).replace(return_annotation=inspect.Signature.empty)
        guesses: dict[str, Callable[[str], str]] = {}
        makes = Concrete(self.subject.namespace, lambda name: guesses[name](name))
        taken = {*written.parameters}

        def concretely(name: str, annotation: Annotation, guess: Callable[[str], str]) -> Annotation:
            guesses[name] = guess
            return self._concrete(makes, name, annotation)

        parameters, placed, inputs = [], [], []
        for place, each in enumerate(written.parameters.values()):
            kind = self._made_kind(each, place == 0, named)
            if kind is None and each.name not in self._values:
                kind = concretely(
                    each.name,
                    named.get(each.name, typing.Any),
                    lambda name: guessed.types_of([(self.node, name)], self.subject.whole),
                )
                placed.append(each.replace(annotation=kind))
            elif kind is not None:
                prefix = "" if place == 0 and self.target.first else f"{each.name}_"
                maker = self.makers[each.name] = Maker(kind, prefix, taken, concretely, self.subject)
                inputs += maker.inputs
            parameters.append(each.replace(annotation=kind))
        if len(placed) + len(inputs) > PARAMETERS_MAX:
            raise unsupported(
                f"{self.name} has {len(placed) + len(inputs)} parameters; the maximum is {PARAMETERS_MAX}.",
                "take a dataclass or a list instead",
                line=line,
            )
        self.guesses += [f"{name} as {kinds}" for name, kinds in makes.guesses.items()]
        for name, parts in makes.narrowed.items():
            self.narrowed[name] = [f"{whole} was treated only as {part}" for whole, part in parts.items()]
            self.assumed[name] = [*self.narrowed[name]]
        for name in (each.partition(" ")[0] for each in self.guesses):
            self.assumed.setdefault(name, []).append(f"the type of {name} is a guess")
        self.guessed = frozenset(makes.guesses)
        # The prover can't assume types for other parameters, or for parts of a type that its name does not show.
        own = {each.name for each in placed if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)}
        self._doubts += [why for name in self.assumed.keys() - (own - makes.hidden) for why in self.assumed.pop(name)]
        many = [each for each in placed if each.kind is each.VAR_KEYWORD]
        ordered = [*(each for each in placed if each not in many), *inputs, *many]
        return written.replace(parameters=parameters), written.replace(parameters=ordered)

    def _made_kind(self, parameter: inspect.Parameter, is_first: bool, named: Mapping[str, Annotation]) -> type | None:
        """Returns the class whose constructor creates a parameter's objects; None for other parameters."""
        owner, first = self.target.owner, self.target.first
        if owner is None or not first or not is_first:
            meant = annotations.resolved(named.get(parameter.name, typing.Any), self.subject.namespace)
            if parameter.name == "other" and first == "object" and meant in (typing.Any, object):
                meant = owner
                self.guesses.append(f"other as {getattr(owner, '__name__', '')}")
            is_one = parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            has_default = parameter.default is not parameter.empty
            with_records = id(meant) in self.subject.versioned
            return meant if is_one and not has_default and is_made(meant, with_records) else None
        if parameter.kind is parameter.VAR_POSITIONAL:
            raise unsupported(f"{self.name} takes its object through {parameter}.", "write self as the first parameter")
        if first == "object" and not issubclass(owner, enum.Enum):
            return owner
        if first == "class":
            self._values[parameter.name] = lambda: owner
        elif first == "new object":
            self._values[parameter.name] = lambda: _bare(owner)
        return None

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
        """Returns the result annotation's source text and its check; both are None without an annotation."""
        if self.node.returns is None or self.is_generator or self.target.first == "new object":
            return None, None
        written = self.node.returns
        quoted = written.value if isinstance(written, ast.Constant) else None
        annotation = annotations.resolved(annotations.of(self.innermost)["return"], self.subject.namespace)
        return quoted if isinstance(quoted, str) else ast.unparse(written), Keeping(annotation, self.subject.namespace)

    # ---- Calling the function.

    def split(self, arguments: Arguments) -> tuple[list[object], dict[str, object]]:
        """Splits arguments by name into positional and keyword arguments."""
        return split(self.signature, arguments)

    def made(self, inputs: Arguments) -> Arguments:
        """Returns a call's arguments, with new objects; raises whatever their constructors raise."""
        if not self.makers and not self._values:
            return inputs
        made: dict[str, object] = {}
        for name in self.signature.parameters:
            if name in self.makers:
                made[name] = self.makers[name].make(inputs)
            elif name in self._values:
                made[name] = self._values[name]()
            elif name in inputs:
                made[name] = inputs[name]
        return made

    def of_constructors(self, inputs: Arguments) -> Arguments:
        """Returns the inputs that are passed only to constructors."""
        return {name: value for name, value in inputs.items() if name not in self.signature.parameters}

    @property
    def kinds(self) -> list[type]:
        """The code's classes to which the function belongs or whose objects it receives."""
        made = [each for maker in self.makers.values() for each in maker.kinds]
        return [*dict.fromkeys([*([self.target.owner] if self.target.owner else []), *made])]

    def complete(self, arguments: Arguments) -> dict[str, object]:
        """Completes arguments with the defaults of omitted ones."""
        values = {}
        for each in self.signature.parameters.values():
            if each.name in arguments:
                values[each.name] = arguments[each.name]
            elif each.default is not each.empty:
                values[each.name] = each.default
                if type(each.default) is guards.Unusable:
                    # Only the record counts: the call itself ends as its code decides.
                    guards.stopped(AttributeError, each.default.message)
            elif each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
                values[each.name] = () if each.kind is each.VAR_POSITIONAL else {}
        return values


def _bare(kind: Any) -> object:  # noqa: ANN401
    """Creates an object without initialising it."""
    return kind.__new__(kind)


def _of_library(function: object) -> bool:
    """Whether this is a contract library's wrapper around a function."""
    if type(function) is not types.FunctionType or function.__code__.co_filename == program.CODE:
        return False
    home = function.__globals__.get("__name__")
    return isinstance(home, str) and home.partition(".")[0] in LIBRARIES and hasattr(function, "__wrapped__")


def _without_contracts(function: Callable[..., object]) -> Callable[..., object]:
    """Removes a function's outermost contract decorators; other decorators, and contracts below them, stay."""
    while _of_library(function):
        function = getattr(function, "__wrapped__", function)
    return function


def _innermost(name: str, function: Callable[..., object]) -> types.FunctionType:
    """Returns the undecorated function."""
    seen = 0
    while (wrapped := getattr(function, "__wrapped__", None)) is not None and seen < 100:
        function, seen = wrapped, seen + 1
    if type(function) is not types.FunctionType:
        raise not_a_function(name, f"an object of type {type(function).__name__}", f"write def {last(name)}(…)")
    if function.__code__.co_filename != program.CODE:
        raise not_a_function(name, "a function of a library", "write your own function that calls it")
    return function
