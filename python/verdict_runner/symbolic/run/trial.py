"""Runs one call of a function, and judges it by the function's contract or without it."""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from verdict_runner.symbolic.code.function import Arguments, Function
from verdict_runner.symbolic.code.subject import ENDINGS, is_the_codes, line_of, own_limits, stop_at_walls
from verdict_runner.symbolic.contracts.contracts import Call, Condition, Contract, Effects
from verdict_runner.symbolic.contracts.same import NO_TWINS, Twins, Uncomparable, same, same_class
from verdict_runner.symbolic.run import violations

__all__ = ["Ran", "Uncomparable", "alike", "check", "outcome", "same"]

# How a call ended; for an exception that was never raised, only its class is known.
Error: TypeAlias = "BaseException | type[BaseException]"

# Python's own iterator types, whose items count if two functions are compared, and the maximum number of items read.
ITERATORS = frozenset(
    id(each)
    for each in (
        *(each for each in vars(itertools).values() if isinstance(each, type) and hasattr(each, "__next__")),
        *(
            type(iter(each))
            for each in ((), [], {}, {}.values(), {}.items(), set(), "", "é", b"", range(0), range(2**80))
        ),
        *(types.GeneratorType, map, filter, zip, enumerate, reversed, type(reversed([])), type(iter(int, 1))),
    )
)
ITEMS_MAX = 1000


class Ran:
    """How one call ended: with a value or an exception, and with which arguments afterwards.

    A call that the preconditions exclude is not made; its error is the exception that a precondition raised, if any.
    """

    def __init__(self, value: object, error: Error | None, after: Sequence[object], excluded: bool = False) -> None:
        self.kind = "excluded" if excluded else "value" if error is None else "exception"
        self.value = value
        self.error = error
        # An exception of which only the class is known was never raised and has no line.
        self.type: type = error if isinstance(error, type) else type(value if error is None else error)
        self.line = line_of(error) if isinstance(error, BaseException) else None
        self.after = after
        # Whether the call returned an iterator; the value is then the list of its items.
        self.is_read = False
        # How the call breaks the contract, if that is in question.
        self.violation: violations.Violation | None = None

    @property
    def errors(self) -> list[Error | None]:
        """The exceptions raised by the call and by a condition that it breaks."""
        return [self.error, self.violation and self.violation.error]


def outcomes_within(calls: Sequence[tuple[Function, Arguments]]) -> list[Ran]:
    """Returns each function's outcome.

    Arguments are excluded only if the preconditions of all functions exclude them.
    """
    made = [_made(function, inputs) for function, inputs in calls]
    unmade = [each for each in made if isinstance(each, Ran)]
    if unmade:
        # An object that one version's constructor rejects is not an input of its method.
        return unmade[:1] * len(calls)
    excluded = [
        _exclusion(function.contract, Call(function, each))
        for (function, _), each in zip(calls, made)
        if not isinstance(each, Ran)
    ]
    known = [each for each in excluded if each]
    if len(known) == len(calls):
        return known
    return [outcome(function, inputs, reads=len(calls) > 1) for function, inputs in calls]


def _made(function: Function, inputs: Arguments) -> Arguments | Ran:
    """Creates a call's arguments, with new objects; the input is excluded if a constructor raises."""
    try:
        function.subject.enter()
        with own_limits():
            return function.made(inputs)
    except BaseException as error:
        if not is_the_codes(error):
            raise
        return _skipped(error)


def outcome(function: Function, inputs: Arguments, reads: bool = False) -> Ran:
    """Calls the function as ordinary code would, with its decorators active.

    In a process in which they are inactive, Verdict evaluates them. With `reads`, an iterator that the function returns
    is read.
    """
    arguments = _made(function, inputs)
    if isinstance(arguments, Ran):
        return arguments
    ran = _outcome(function, arguments, reads)
    # An object can keep its constructor's arguments.
    ran.after = [*ran.after, *function.of_constructors(inputs).values()]
    return ran


def outcome_of_names(function: Function, places: Sequence[object], names: Arguments) -> Ran:
    """Calls a plain function with these arguments by position and by name, whatever its parameters are."""
    return _run(function, function.decorated, names, reads=True, passed=(places, names))


def _outcome(function: Function, arguments: Arguments, reads: bool) -> Ran:
    if function.subject.enforced:
        return _run(function, function.decorated, arguments, reads=reads)
    call = Call(function, arguments)
    raised = _enforced(function.contract, function.contract.preconditions, call)
    if raised is not None:
        return Ran(None, raised, [*call.arguments.values()])
    ran = _run(function, function.plain, call.arguments)
    if ran.error is not None:
        return ran
    call.result = ran.value
    raised = _enforced(function.contract, function.contract.postconditions, call)
    return ran if raised is None else Ran(None, raised, [*call.arguments.values()])


def _enforced(contract: Contract, conditions: Sequence[Condition], call: Call) -> Error | None:
    """Returns the exception that decorators would raise.

    The result is the exception's class if one of the decorators' conditions does not hold, or an exception that a
    condition raised.
    """
    try:
        with own_limits():
            failed = _first_broken([each for each in conditions if each.error], call)
            if failed is None and conditions is contract.preconditions:
                contract.remember(call)
    except ENDINGS as error:
        return error
    return failed and failed.error


def check(function: Function, inputs: Arguments) -> Ran:
    """Calls the function without its contract and judges its end by the contract; called functions keep theirs."""
    arguments = _made(function, inputs)
    if isinstance(arguments, Ran):
        return arguments
    call, contract = Call(function, arguments), function.contract
    excluded = _exclusion(contract, call)
    if excluded is not None:
        return excluded
    ran = _run(function, function.plain, call.arguments, contract.effects if function.subject.enforced else None)
    if function.guesses and isinstance(ran.error, (TypeError, AttributeError)):
        # The guessed type was wrong, not the function.
        return ran
    if isinstance(ran.error, BaseException):
        violation = violations.of_error(function, ran.error, call)
        if violation == "skipped":
            return _skipped(ran.error)
        ran.violation = violation
    else:
        call.result = ran.value
        ran.violation = violations.of_value(function, call)
    stop_at_walls()
    return ran


def _exclusion(contract: Contract, call: Call) -> Ran | None:
    """Returns how an excluded call ends; a precondition that raises an exception also excludes the call."""
    try:
        with own_limits():
            failed = _first_broken(contract.preconditions, call)
            if failed is None:
                contract.remember(call)
    except ENDINGS as error:
        return _skipped(error)
    return None if failed is None else _skipped()


def _skipped(error: Error | None = None) -> Ran:
    stop_at_walls()
    return Ran(None, error, (), excluded=True)


def alike(one: Ran, other: Ran, twins: Twins = NO_TWINS) -> bool:
    """Whether two calls ended in the same way and left their arguments equal; raises `Uncomparable`."""
    if one.kind != other.kind or len(one.after) != len(other.after):
        return False
    if one.error is None and one.is_read is not other.is_read:
        return False
    # A generator can yield items before it raises.
    ended = same(one.value, other.value, twins=twins) and (one.error is None or same_class(one.type, other.type, twins))
    return ended and all(same(a, b, twins=twins) for a, b in zip(one.after, other.after))


def _run(
    function: Function,
    target: Callable[..., Any],
    arguments: Arguments,
    effects: Effects | None = None,
    reads: bool = False,
    passed: tuple[Sequence[object], Arguments] | None = None,
) -> Ran:
    places, names = passed or function.split(arguments)
    value, error, of_items = None, None, None
    function.subject.enter()
    try:
        with own_limits():
            if effects:
                effects.patch()
            try:
                value = target(*places, **names)
                if (function.is_generator and isinstance(value, types.GeneratorType)) or (
                    reads and id(type(value)) in ITERATORS
                ):
                    items, value, of_items = value, [], type(value)
                    value.extend(itertools.islice(items, ITEMS_MAX) if reads else items)
            finally:
                if effects:
                    effects.unpatch()
    except BaseException as raised:
        if not is_the_codes(raised):
            raise
        error = raised
    stop_at_walls()
    ran = Ran(value if error is None or value else None, error, [*arguments.values()])
    ran.is_read = of_items is not None
    ran.type = of_items if of_items is not None and error is None else ran.type
    return ran


def _first_broken(conditions: Sequence[Condition], call: Call) -> Condition | None:
    return next((each for each in conditions if not each.holds(call)), None)
