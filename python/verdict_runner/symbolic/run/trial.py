"""One call of a function, judged by its contract, or without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from verdict_runner.symbolic.code.function import Arguments, Function
from verdict_runner.symbolic.code.subject import ENDINGS, is_the_codes, line_of, own_limits, stop_at_walls
from verdict_runner.symbolic.contracts.contracts import Call, Condition, Contract, Effects
from verdict_runner.symbolic.contracts.same import Uncomparable, same
from verdict_runner.symbolic.run import violations

__all__ = ["Outcome", "Ran", "Uncomparable", "alike", "check", "out_of_memory", "outcome", "raised_key", "same"]

# How a call ended; for an exception that was never raised, only its class is known.
Error: TypeAlias = "BaseException | type[BaseException]"

# Exceptions that are causes of each other; the code can make a cycle of them.
CHAIN_MAX = 100


class Ran:
    """How one call ended: a value or an exception, and the arguments as the call left them."""

    def __init__(self, value: object, error: Error | None, after: Sequence[object]) -> None:
        self.kind = "value" if error is None else "exception"
        self.value = value
        self.error = error
        # An exception of which only the class is known was never raised, and has no line.
        self.type: type = error if isinstance(error, type) else type(value if error is None else error)
        self.line = line_of(error) if isinstance(error, BaseException) else None
        self.after = after


class Outcome:
    """The result of judging one call by the contract; `error` is what the call, or a condition of it, raised."""

    def __init__(
        self,
        kind: str,
        violation: violations.Violation | None = None,
        ran: Ran | None = None,
        error: Error | None = None,
    ) -> None:
        self.kind = kind
        self.violation = violation
        self.ran = ran
        self.error = error


def outcome(function: Function, arguments: Arguments) -> Ran:
    """Calls the function as ordinary code would, with its decorators active; in a process where they are not, Verdict
    evaluates them.
    """
    if function.subject.enforced:
        return _run(function, function.decorated, arguments)
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


def check(function: Function, arguments: Arguments) -> Outcome:
    """Calls the function without its contract and judges the result by the contract; called functions keep theirs."""
    call, contract = Call(function, arguments), function.contract
    try:
        with own_limits():
            failed = _first_broken(contract.preconditions, call)
            if failed is None:
                contract.remember(call)
    except ENDINGS as error:
        return _skipped(error)
    if failed is not None:
        return _skipped()
    ran = _run(function, function.plain, call.arguments, contract.effects if function.subject.enforced else None)
    if isinstance(ran.error, BaseException):
        violation = violations.of_error(function, ran.error, call)
        if violation == "skipped":
            return _skipped(ran.error)
    else:
        call.result = ran.value
        violation = violations.of_value(function, call)
    stop_at_walls()
    return Outcome("violation" if violation else "fine", violation, ran, ran.error or (violation and violation.error))


def _skipped(error: Error | None = None) -> Outcome:
    stop_at_walls()
    return Outcome("skipped", error=error)


def alike(one: Ran, other: Ran) -> bool:
    """Whether two calls ended the same way and left their arguments equal; raises `Uncomparable`."""
    if one.kind != other.kind or len(one.after) != len(other.after):
        return False
    ended = same(one.value, other.value) if one.error is None else one.type is other.type
    return ended and all(same(a, b) for a, b in zip(one.after, other.after))


def out_of_memory(error: Error | None) -> bool:
    """Whether it was caused by exhausted memory, whatever the code raised instead; classes of the code are never
    counted as that.
    """
    seen = 0
    while isinstance(error, BaseException) and type(error) is not MemoryError and seen < CHAIN_MAX:
        error, seen = error.__cause__ or error.__context__, seen + 1
    return type(error) is MemoryError


def raised_key(ran: Ran) -> str:
    """The key by which two ways to an exception count as the same."""
    return f"{ran.type.__name__}|{ran.line}"


def _run(
    function: Function, target: Callable[..., object], arguments: Arguments, effects: Effects | None = None
) -> Ran:
    places, names = function.split(arguments)
    value, error = None, None
    try:
        with own_limits():
            if effects:
                effects.patch()
            try:
                value = target(*places, **names)
            finally:
                if effects:
                    effects.unpatch()
    except BaseException as raised:
        if not is_the_codes(raised):
            raise
        error = raised
    stop_at_walls()
    return Ran(value, error, [*arguments.values()])


def _first_broken(conditions: Sequence[Condition], call: Call) -> Condition | None:
    return next((each for each in conditions if not each.holds(call)), None)
