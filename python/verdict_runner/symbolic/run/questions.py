"""Implements the four questions about functions: runs one input and determines what it shows.

Boundary values, exploration and replay ask these questions in the same way.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from verdict_runner.symbolic.code import limits
from verdict_runner.symbolic.code.annotations import guessed
from verdict_runner.symbolic.code.function import Arguments
from verdict_runner.symbolic.code.subject import Subject, stop_at_walls
from verdict_runner.symbolic.code.versions import Versions
from verdict_runner.symbolic.contracts import exceptions
from verdict_runner.symbolic.contracts.same import Twins
from verdict_runner.symbolic.inputs import domains, finite, tagged
from verdict_runner.symbolic.messages import AssumedTypes, Request, Side
from verdict_runner.symbolic.run import pairing, trial, violations

Copied: TypeAlias = "Callable[[Arguments], Arguments]"


class Attempt(NamedTuple):
    """How the functions of a question ended with one input."""

    rans: Sequence[trial.Ran]
    # Whether two functions behaved differently.
    is_different: bool = False
    # Whether the code went on after a limit of this machine.
    went_on: bool = False

    @property
    def is_excluded(self) -> bool:
        """Whether the preconditions exclude the input."""
        return self.rans[0].kind == "excluded"

    @property
    def errors(self) -> list[trial.Error | None]:
        """The exceptions that were raised, including those raised in a contract's conditions."""
        return [each for ran in self.rans for each in ran.errors]

    @property
    def starved(self) -> str | None:
        """Why this run says more about this machine than about the code."""
        if any(map(limits.out_of_memory, self.errors)):
            return "memory ran out here"
        return "the code handled an exhausted memory or stack, whose size differs elsewhere" if self.went_on else None

    @property
    def written(self) -> list[object]:
        """How the calls ended, and their arguments afterwards; raises `Unencodable`.

        The result does not refer to objects of this load.
        """
        parts = [{"result": each.value, **{str(at): one for at, one in enumerate(each.after)}} for each in self.rans]
        kinds = [(each.kind, each.type.__module__, each.type.__qualname__) for each in self.rans]
        return [*zip(kinds, map(tagged.encode, parts))]

    @property
    def has_returned(self) -> bool:
        """Whether at least one function returned."""
        return any(each.error is None for each in self.rans)


class Question:
    """One question: what its functions do with an input, and what this shows."""

    # Whether a single input answers the question.
    speaks_of_all = True

    def __init__(self, subjects: Sequence[Subject], request: Request) -> None:
        # One module, or both of its versions.
        self.subjects = subjects
        self.subject = subjects[0]
        places = subjects if len(subjects) > 1 else [*subjects] * len(request.functions)
        self.functions = [each.function(name) for each, name in zip(places, request.functions)]
        self.function = self.functions[0]
        self.signature = self.function.inputs
        # The corresponding objects in two versions of the code.
        self.twins: Twins = {}
        self.omittable = pairing.omittable(self.function)
        # For each parameter whose types are assumed, the reasons against a proof for all values.
        self.assumed: Mapping[str, Sequence[str]] = self.function.assumed
        # The reasons against a proof that are also notes for readers.
        self.notes: Sequence[str] = ()
        # Whether calls that pass parameters by name may differ between two versions.
        self.is_renamed = False
        # Whether the functions' parameters at the same position have different names.
        self.is_by_place = False

    @property
    def hazards(self) -> list[str]:
        """The reasons against a proof."""
        return self.function.hazards

    def takes(self, arguments: Arguments, copied: Copied = lambda same: same) -> list[Arguments]:
        """Returns each function's arguments."""
        return [arguments]

    def attempt(self, arguments: Arguments, copied: Copied = copy.deepcopy, is_last_first: bool = False) -> Attempt:
        """Calls the functions, each with its own copy of the arguments; raises `Uncomparable`."""
        limits.begin()
        rans = self._rans(arguments, copied, -1 if is_last_first else 1)
        is_one = len(rans) == 1 or rans[0].kind == "excluded"
        is_different = not is_one and not trial.alike(*rans, twins=self.twins)
        stop_at_walls()
        return Attempt(rans, is_different, limits.is_met() or any(each.met_limit for each in self.subjects))

    def _rans(self, arguments: Arguments, copied: Copied, step: int) -> list[trial.Ran]:
        """Calls the functions, in their order or in the opposite one."""
        calls = [*zip(self.functions, self.takes(arguments, copied))]
        return trial.outcomes_within(calls[::step])[::step]

    def attempt_by_name(self, arguments: Arguments) -> Attempt | None:
        """Calls two versions with all parameters by name, if they differ only then; raises `Uncomparable`."""
        return None

    def keys(self, attempt: Attempt, sides: Sequence[Side]) -> list[str]:
        """Returns the keys of an attempt's findings; attempts with the same finding have equal keys."""
        raise NotImplementedError

    def cause(self, attempt: Attempt) -> str:
        """Returns the kind of finding, according to the function whose ending says least about the code."""
        causes = map(violations.cause_of, self.functions, attempt.rans)
        return max(causes, key=violations.CAUSES.index)

    def inputs(self) -> list[dict[str, object]] | None:
        """Returns all inputs, if there are few."""
        return finite.inputs(self, domains.domains_of(self.function))

    @property
    def against(self) -> list[str]:
        """The reasons against a proof for all inputs."""
        return [*self.hazards, *dict.fromkeys(why for reasons in self.assumed.values() for why in reasons)]

    def assumptions(self) -> list[AssumedTypes]:
        """Returns the types that a proof has to assume, as texts; each function's parameters have the names there."""
        return [
            AssumedTypes(
                [*self.names_of(name)],
                guessed.choices(self.signature.parameters[name], self._is_guess(name)),
                self._narrowed(name),
            )
            for name in self.assumed
        ]

    def _narrowed(self, name: str) -> list[str]:
        """How the functions' annotations of a parameter were narrowed."""
        places = zip(self.functions, self.names_of(name))
        return [*dict.fromkeys(how for each, own in places for how in each.narrowed.get(own, ()))]

    def _is_guess(self, name: str) -> bool:
        """Whether a parameter's types are guesses in all functions."""
        return all(own in each.guessed for each, own in zip(self.functions, self.names_of(name)))

    def names_of(self, name: str) -> Sequence[str]:
        """Returns the names of a parameter in the functions."""
        return [name]


class Check(Question):
    """Which inputs break the contract?"""

    def _rans(self, arguments: Arguments, copied: Copied, step: int) -> list[trial.Ran]:
        return [trial.check(self.function, arguments)]

    def keys(self, attempt: Attempt, sides: Sequence[Side]) -> list[str]:
        return [each.violation.key for each in attempt.rans if each.violation]


class Raises(Question):
    """Which inputs raise this exception?"""

    def __init__(self, subjects: Sequence[Subject], request: Request) -> None:
        super().__init__(subjects, request)
        self._kind = self.subject.exception(request.exception)

    @property
    def hazards(self) -> list[str]:
        return [*super().hazards, *exceptions.hazards(self._kind)]

    def keys(self, attempt: Attempt, sides: Sequence[Side]) -> list[str]:
        (ran,) = attempt.rans
        return [_raised(ran)] if ran.error is not None and issubclass(ran.type, self._kind) else []


class Branches(Question):
    """Which inputs take which sides?"""

    speaks_of_all = False

    def keys(self, attempt: Attempt, sides: Sequence[Side]) -> list[str]:
        return [f"{site} {side}" for site, side in sides]


class Compare(Question):
    """On which inputs do two functions differ?"""

    def __init__(self, subjects: Sequence[Subject], request: Request) -> None:
        versions = Versions(*subjects) if len(subjects) > 1 else None
        super().__init__(subjects, request)
        first, second = self.functions
        self._pair = pairing.Pair(first, second, versions)
        self.signature = self._pair.signature
        self.twins = self._pair.twins
        self.omittable = self._pair.omittable
        self.notes = self._pair.hazards
        self.is_renamed = self._pair.is_renamed
        self.is_by_place = self._pair.is_by_place
        self.assumed = self._pair.assumed

    @property
    def hazards(self) -> list[str]:
        return [*(each for function in self.functions for each in function.hazards), *self.notes]

    def takes(self, arguments: Arguments, copied: Copied = lambda same: same) -> list[Arguments]:
        return [arguments, self._pair.for_second(copied(arguments))]

    def attempt_by_name(self, arguments: Arguments) -> Attempt | None:
        if not self.is_renamed:
            return None
        both = [copy.deepcopy(arguments), self._pair.carried(copy.deepcopy(arguments))]
        passed = [*filter(None, map(self._pair.by_name, both))]
        rans = [trial.outcome_of_names(function, *each) for function, each in zip(self.functions, passed)]
        if len(rans) < len(both) or rans[0].kind != "value" or trial.alike(*rans, twins=self.twins):
            return None
        return Attempt(rans, True)

    def names_of(self, name: str) -> Sequence[str]:
        return [name, self._pair.names[name]]

    def keys(self, attempt: Attempt, sides: Sequence[Side]) -> list[str]:
        ended = ["value" if each.error is None else _raised(each) for each in attempt.rans]
        return [" ".join(ended)] if attempt.is_different else []

    def inputs(self) -> list[dict[str, object]] | None:
        # An input is excluded only if the preconditions of both functions exclude it.
        first, second = map(domains.domains_of, self.functions)
        names = self._pair.names
        both = {name: each.join(second.get(names.get(name, ""), domains.OPEN)) for name, each in first.items()}
        return finite.inputs(self, both)


def _raised(ran: trial.Ran) -> str:
    return f"{ran.type.__name__}|{ran.line}"


QUESTIONS: Mapping[str, type[Question]] = {
    "check": Check,
    "raises": Raises,
    "branches": Branches,
    "compare": Compare,
}
