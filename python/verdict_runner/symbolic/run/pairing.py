"""Calls two functions with the same values: parameters at the same position get the same value."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verdict_runner.sandbox import guards
from verdict_runner.symbolic.code.annotations import Annotation, unsupported
from verdict_runner.symbolic.contracts.same import same

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function
    from verdict_runner.symbolic.code.versions import Versions

NAMED = (inspect.Parameter.KEYWORD_ONLY,)
KINDS = {
    "": "a function without an object",
    "object": "a method",
    "new object": "a method",
    "class": "a class method",
}
MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Pair:
    """Two functions; arguments are named after the first one's parameters. Raises `Refused` if no call fits both."""

    def __init__(self, first: Function, second: Function, versions: Versions | None = None) -> None:
        self.first, self.second = first, second
        self._versions = versions
        # The parameters whose values contain objects of a class that differs in the second function's version.
        self._carried: set[str] = set()
        # The classes to which the functions belong, or whose objects they receive, also count as versions of each
        # other.
        self.twins: dict[int, object] = dict(versions.twins if versions else {})
        for one, other in self._classes():
            if one is not other:
                self.twins.update({id(one): other, id(other): one})
        # For each parameter that both functions have: its name in the second one.
        self.names: dict[str, str] = {}
        # The reasons against a proof, in addition to each function's own.
        self.hazards: list[str] = []
        # The parameters whose values have types that the annotation of one of the functions does not state.
        self.assumed: dict[str, list[str]] = {}
        # The parameters that both calls can omit, if omitting them is a separate case.
        self.omittable: list[str] = []
        alike = [
            f"{one.__name__} and {other.__name__}" for one, other in self._classes() if one.__name__ != other.__name__
        ]
        self.hazards += [f"objects of {each} count as equal if their fields are" for each in dict.fromkeys(alike)]
        kinds = ["a property" if each.target.is_property else KINDS[each.target.first] for each in (first, second)]
        if versions and kinds[0] != kinds[1]:
            raise unsupported(
                f"{second.name} was {kinds[0]} and is now {kinds[1]}: no call fits both versions.",
                "compare two functions that call it",
                line=second.lines[0],
            )
        self.hazards += (
            [f"{name} has other bases or options in each version" for name in versions.changed] if versions else []
        )
        for one, other in self._places():
            self._match(one, other)
        parameters = [self._typed(each) for each in first.inputs.parameters.values() if each.name in self.names]
        self.signature = first.inputs.replace(parameters=parameters)

    def _classes(self) -> Iterator[tuple[type, type]]:
        """Yields pairs of corresponding classes: those of the methods, and those of objects passed to the functions."""
        owners = [each.target.owner for each in (self.first, self.second)]
        if owners[0] and owners[1]:
            yield owners[0], owners[1]
        makers = [
            [
                maker
                for name, maker in each.makers.items()
                if not each.target.first or name != next(iter(each.signature.parameters))
            ]
            for each in (self.first, self.second)
        ]
        for one, other in zip(*makers):
            yield from zip(one.kinds, other.kinds)

    def for_second(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Converts arguments to the second function's names and to values of its version; raises `Uncomparable`."""
        return {self.names[name]: value for name, value in self.carried(arguments).items()}

    @property
    def is_by_place(self) -> bool:
        """Whether parameters at the same position have different names, so that calls by name can differ."""
        kinds = [
            {name: each.kind for name, each in function.signature.parameters.items()}
            for function in (self.first, self.second)
        ]
        pairs = (
            (name, {kinds[0].get(name), kinds[1].get(other)}) for name, other in self.names.items() if name != other
        )
        return any(not both & {*MANY} and both != {inspect.Parameter.POSITIONAL_ONLY} for _, both in pairs)

    @property
    def is_renamed(self) -> bool:
        """Whether the two versions of a plain function give a value that is passed by name to different parameters."""
        places = inspect.signature(self.second.decorated).parameters
        named = {name for name, each in places.items() if each.kind is not each.POSITIONAL_ONLY}
        own = (each for each in self.first.signature.parameters.values() if each.kind not in MANY)
        passed = {each.name for each in own if each.kind is not each.POSITIONAL_ONLY}
        is_plain = not any(each.makers or each.target.first for each in (self.first, self.second))
        is_one = all(each in named and self.names.get(each, each) == each for each in passed)
        return self._versions is not None and is_plain and not is_one

    def by_name(self, arguments: Mapping[str, object]) -> tuple[list[object], dict[str, object]] | None:
        """Splits arguments so that all that have a name are passed by it; None if the older version can't take them so."""
        places: list[object] = []
        names: dict[str, object] = {}
        for each in self.first.signature.parameters.values():
            if each.kind is each.POSITIONAL_ONLY and each.name in arguments:
                places.append(arguments[each.name])
            elif each.kind not in MANY and each.name in arguments:
                names[each.name] = arguments[each.name]
            elif arguments.get(each.name):
                return None
        return places, names

    def carried(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Converts arguments to values of the second function's version; raises `Uncomparable`."""
        return {
            name: self._versions.carry(value) if self._versions and name in self._carried else value
            for name, value in arguments.items()
        }

    def _places(self) -> Iterator[tuple[inspect.Parameter, inspect.Parameter]]:
        """Yields pairs of corresponding parameters: positional ones in order, keyword-only ones by name."""
        ones, others = (_sorted(each.inputs) for each in (self.first, self.second))
        for kind in ("by place", "by name", *MANY):
            yield from self._of_kind(kind, ones[kind], others[kind])

    def _of_kind(
        self, kind: object, ones: Mapping[str, inspect.Parameter], others: Mapping[str, inspect.Parameter]
    ) -> Iterator[tuple[inspect.Parameter, inspect.Parameter]]:
        if kind == "by name":
            names = {**ones, **others}
            pairs = [(ones.get(name), others.get(name)) for name in names]
        else:
            one, other = list(ones.values()), list(others.values())
            length = max(len(one), len(other))
            pairs = zip(one + [None] * (length - len(one)), other + [None] * (length - len(other)))
        for one, other in pairs:
            if one is not None and other is not None:
                yield one, other
            elif one is not None:
                self._only_one(one, self.first)
            elif other is not None:
                self._only_one(other, self.second)

    def _only_one(self, parameter: inspect.Parameter, owner: Function) -> None:
        """Omits a parameter that the other function lacks from all calls, if possible.

        A call that fits the older version is a call of the newer one, even if that one needs another parameter of its own.
        An object that its class makes from other arguments is no call.
        """
        is_own = parameter.name in inspect.signature(owner.decorated).parameters
        is_new = self._versions is not None and owner is self.second and is_own
        if parameter.default is parameter.empty and parameter.kind not in MANY and not is_new:
            raise unsupported(
                f"{self.first.name} and {self.second.name} can't be called in the same way: only {owner.name} takes {parameter.name}.",
                "give both functions the same number of parameters",
                "give the parameter a default, or write a wrapper that fixes its value",
                line=owner.lines[0],
            )
        self.hazards.append(f"only {owner.name} has the parameter {parameter.name}: it is omitted in all calls")

    def _typed(self, one: inspect.Parameter) -> inspect.Parameter:
        """Gives a parameter the types that are guessed for either function, or that the other function annotates."""
        other = self.second.inputs.parameters[self.names[one.name]]
        is_open, other_open = one.name in self.first.guessed, other.name in self.second.guessed
        if is_open and other_open:
            return one.replace(annotation=typing.Union[one.annotation, other.annotation])
        return one.replace(annotation=other.annotation) if is_open else one

    def _match(self, one: inspect.Parameter, other: inspect.Parameter) -> None:
        self.names[one.name] = other.name
        own = [each for each in _classes_in(one.annotation) if guards.is_own(each)] if self._versions else []
        for each in own:
            if self._versions and not self._versions.is_carried(each):
                raise unsupported(
                    f"Each version of {self.second.name} has its own version of the class {each.__name__}, in the "
                    f"type of {one.name}.",
                    "take the parts of the object as parameters",
                    line=self.first.lines[0],
                )
            self._carried.add(one.name)
        reasons = [*self.first.assumed.get(one.name, ()), *self.second.assumed.get(other.name, ())]
        if reasons:
            self.assumed[one.name] = reasons
        is_guessed = one.name in self.first.guessed or other.name in self.second.guessed
        if not is_guessed and not self._is_one_type(one.annotation, other.annotation):
            self.hazards.append(f"the types of {one.name} and {other.name} differ: values of the first are used")
        has = [each.default is not each.empty for each in (one, other)]
        if all(has):
            # A default that can't be passed as an argument (`_marker = object()`) can't be compared, and need not be.
            if not is_kept(one) or not same(one.default, other.default, twins=self.twins):
                self.omittable.append(one.name)
        elif any(has):
            self.hazards.append(f"{one.name} can be omitted in only one of the two functions: it is always passed")

    def _is_one_type(self, one: Annotation, other: Annotation) -> bool:
        """Whether two annotations are the same, apart from different versions of classes."""
        if one == other or self.twins.get(id(one)) is other:
            return True
        parts, others = typing.get_args(one), typing.get_args(other)
        is_one = typing.get_origin(one) == typing.get_origin(other) and 0 < len(parts) == len(others)
        return is_one and all(map(self._is_one_type, parts, others))


def _classes_in(annotation: Annotation) -> Iterator[type]:
    """Yields the classes in an annotation."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        yield annotation
    for each in typing.get_args(annotation):
        yield from _classes_in(each)


def omittable(function: Function) -> list[str]:
    """Returns the parameters whose default is not a value of their type, so that omitting them is a separate case."""
    parameters = function.inputs.parameters.values()
    return [each.name for each in parameters if each.default is not each.empty and not is_kept(each)]


def is_kept(parameter: inspect.Parameter) -> bool:
    """Whether a parameter's default is one of the values that can be passed anyway."""
    return type(parameter.default) in (int, bool, str, float) and type(parameter.default) is parameter.annotation


def _sorted(signature: inspect.Signature) -> dict[object, dict[str, inspect.Parameter]]:
    parameters = {"by place": {}, "by name": {}, **{kind: {} for kind in MANY}}
    for each in signature.parameters.values():
        kind = each.kind if each.kind in MANY else "by name" if each.kind in NAMED else "by place"
        parameters[kind][each.name] = each
    return parameters
