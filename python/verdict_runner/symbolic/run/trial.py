"""One call of a function, judged by its contract, or without it."""

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

__all__ = ["Ran", "Uncomparable", "alike", "check", "out_of_memory", "outcome", "same"]

# How a call ended; for an exception that was never raised, only its class is known.
Error: TypeAlias = "BaseException | type[BaseException]"

# Exceptions that are causes of each other; the code can make a cycle of them.
CHAIN_MAX = 100
# Iterators of Python itself, of which the items count if two functions are compared; more items than these are not read.
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
    """How one call ended: a value or an exception, and the arguments as the call left them. A call that the preconditions
    exclude is not made; its error is that of a precondition, if one raised.
    """

    def __init__(self, value: object, error: Error | None, after: Sequence[object], excluded: bool = False) -> None:
        self.kind = "excluded" if excluded else "value" if error is None else "exception"
        self.value = value
        self.error = error
        # An exception of which only the class is known was never raised, and has no line.
        self.type: type = error if isinstance(error, type) else type(value if error is None else error)
        self.line = line_of(error) if isinstance(error, BaseException) else None
        self.after = after
        # Whether it gave an iterator, of which its value is the list of the items.
        self.is_read = False
        # How the call breaks the contract, where that is in question.
        self.violation: violations.Violation | None = None

    @property
    def errors(self) -> list[Error | None]:
        """What the call, and a condition that it breaks, raised."""
        return [self.error, self.violation and self.violation.error]


def outcomes_within(calls: Sequence[tuple[Function, Arguments]]) -> list[Ran]:
    """The outcome of each function. Only arguments that the preconditions of all of them exclude are excluded."""
    made = [_made(function, inputs) for function, inputs in calls]
    unmade = [each for each in made if isinstance(each, Ran)]
    if unmade:
        # An object that one version refuses is not an input of its method.
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
    """The arguments of a call, with new objects; an input is excluded if a constructor raises."""
    try:
        function.subject.enter()
        with own_limits():
            return function.made(inputs)
    except BaseException as error:
        if not is_the_codes(error):
            raise
        return _skipped(error)


def outcome(function: Function, inputs: Arguments, reads: bool = False) -> Ran:
    """Calls the function as ordinary code would, with its decorators active; in a process where they are not, Verdict
    evaluates them. With `reads`, an iterator that it returns is read.
    """
    arguments = _made(function, inputs)
    if isinstance(arguments, Ran):
        return arguments
    ran = _outcome(function, arguments, reads)
    # An object can hold what its constructor was given.
    ran.after = [*ran.after, *function.of_constructors(inputs).values()]
    return ran


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
    """The exception that decorators would raise:

    the class, if one of their conditions does not hold, or an exception of a condition.
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
        # The guess was wrong, not the function.
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
    """The end of a call that the preconditions exclude; one that raises an exception excludes it, too."""
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
    """Whether two calls ended the same way and left their arguments equal; raises `Uncomparable`."""
    if one.kind != other.kind or len(one.after) != len(other.after):
        return False
    if one.error is None and one.is_read is not other.is_read:
        return False
    # A generator can give items before it raises.
    ended = same(one.value, other.value, twins=twins) and (one.error is None or same_class(one.type, other.type, twins))
    return ended and all(same(a, b, twins=twins) for a, b in zip(one.after, other.after))


def out_of_memory(error: Error | None) -> bool:
    """Whether it was caused by exhausted memory, whatever the code raised instead; classes of the code are never
    counted as that.
    """
    seen = 0
    while isinstance(error, BaseException) and type(error) is not MemoryError and seen < CHAIN_MAX:
        error, seen = error.__cause__ or error.__context__, seen + 1
    return type(error) is MemoryError


def _run(
    function: Function,
    target: Callable[..., Any],
    arguments: Arguments,
    effects: Effects | None = None,
    reads: bool = False,
) -> Ran:
    places, names = function.split(arguments)
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
