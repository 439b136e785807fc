"""Reads the contracts stated by decorators of icontract and deal from the decorated function."""

from __future__ import annotations

import ast
import copy
import inspect
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

import deal
import icontract

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program
from verdict_runner.symbolic.contracts import recompute
from verdict_runner.symbolic.contracts.contracts import Call, Condition, Contract

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function

# Positional and keyword arguments.
CallArguments: TypeAlias = "tuple[Sequence[object], Mapping[str, object]]"


class _Wanted(Protocol):
    """An icontract condition."""

    condition: Callable[..., object]
    condition_args: Sequence[str]
    mandatory_args: Sequence[str]
    error: object


class _Snapshot(Protocol):
    """Values that icontract captures before a call."""

    name: str
    args: Sequence[str]
    capture: Callable[..., object]


# The names that an icontract condition can use in addition to the parameters.
ICONTRACT_NAMES = ("result", "OLD", "_ARGS", "_KWARGS")


def warm() -> None:
    """Removes colours from deal's messages, which appear in answers, and restricts what icontract evaluates."""
    deal._state.state.color = False
    recompute.confine()


def read(function: Function, contract: Contract) -> None:
    _read_icontract(function, contract)
    _read_deal(function, contract)


def _layers(function: Callable[..., object]) -> Iterator[Callable[..., object]]:
    while True:
        yield function
        wrapped = getattr(function, "__wrapped__", None)
        if wrapped is None:
            return
        function = wrapped


# ---- icontract.


def _read_icontract(function: Function, contract: Contract) -> None:
    if function.target.owner and function.target.first in ("object", "new object"):
        invariants = getattr(function.target.owner, "__invariants__", ())
        contract.postconditions += [_icontract(function, each, ()) for each in invariants]
        if invariants:
            contract.add("icontract")
    checkers = [
        attributes for attributes in map(vars, _layers(function.decorated)) if "__preconditions__" in attributes
    ]
    if not checkers:
        return
    contract.add("icontract")
    # Other decorators copy the decorated function's attributes, so any of the copies can be used.
    checker = checkers[-1]
    preconditions = [one for group in checker["__preconditions__"] for one in group]
    contract.preconditions += [_icontract(function, each, ()) for each in preconditions]
    contract.postconditions += [_icontract(function, each, ICONTRACT_NAMES) for each in checker["__postconditions__"]]
    snapshots = checker["__postcondition_snapshots__"]
    if snapshots:
        contract.memories.append(lambda call: call.old.update(OLD=_remembered(snapshots, call)))


def _icontract(function: Function, condition: _Wanted, more: Sequence[str]) -> Condition:
    text, line, written = source_of(condition.condition, function)
    # Another name that the lambda uses is a global, even if it is also a parameter of the function.
    names = {each.id for each in ast.walk(written.body) if isinstance(each, ast.Name)} if written else set()
    is_global = not names & {*function.signature.parameters} <= {*condition.condition_args}
    _refuse_unknown(
        function, text, line, [each for each in condition.mandatory_args if each not in (*more, "_ARGS", "_KWARGS")]
    )

    def holds(call: Call) -> object:
        known = {
            **call.arguments,
            "_ARGS": tuple(call.places),
            "_KWARGS": call.names,
            "result": call.result,
            **call.old,
        }
        return condition.condition(**{name: known[name] for name in condition.condition_args if name in known})

    error = condition.error if isinstance(condition.error, type) else None
    return Condition(
        "icontract",
        text,
        line,
        holds,
        error or (type(condition.error) if isinstance(condition.error, BaseException) else icontract.ViolationError),
        written.body if written and not is_global else None,
    )


def _remembered(snapshots: Iterable[_Snapshot], call: Call) -> types.SimpleNamespace:
    values = {each.name: each.capture(**{name: call.arguments[name] for name in each.args}) for each in snapshots}
    return types.SimpleNamespace(**values)


def _refuse_unknown(function: Function, text: str, line: int, names: Iterable[str]) -> None:
    unknown = [each for each in names if each not in function.signature.parameters]
    if unknown:
        raise Refused(
            f"The condition `{text}` of {function.name} uses {', '.join(unknown)}, which is not a parameter.",
            [
                f"use the parameters: {', '.join(function.signature.parameters) or 'there are none'}",
                "or result, in a postcondition",
            ],
            error_type="TypeError",
            line=line,
        )


# ---- deal.


def _read_deal(function: Function, contract: Contract) -> None:
    # Other decorators copy the attribute in which deal stores conditions, so the same condition is found repeatedly.
    conditions = {
        id(each._patcher if isinstance(each, deal.introspection.Has) else each._wrapped): each
        for each in deal.introspection.get_contracts(function.decorated)
    }
    for each in conditions.values():
        contract.add("deal")
        if isinstance(each, deal.introspection.Pre):
            contract.preconditions.append(_deal(function, each, lambda call: (call.places, call.names)))
        elif isinstance(each, deal.introspection.Post):
            contract.postconditions.append(_deal(function, each, lambda call: ([call.result], {})))
        elif isinstance(each, deal.introspection.Ensure):
            contract.postconditions.append(
                _deal(function, each, lambda call: (call.places, {**call.names, "result": call.result}))
            )
        elif isinstance(each, deal.introspection.Reason):
            contract.reasons.append((each.event, _deal(function, each, lambda call: (call.places, call.names))))
        elif isinstance(each, deal.introspection.Raises):
            contract.allowed.append(each.exceptions)
        elif isinstance(each, deal.introspection.Has):
            contract.effects = each._patcher


def _deal(
    function: Function, validator: deal.introspection.ValidatedContract, arguments_of: Callable[[Call], CallArguments]
) -> Condition:
    text, line, written = source_of(validator._wrapped.raw_validator, function)
    # The condition receives the arguments by position.
    is_by_name = written and ast.unparse(written.args) == ", ".join(function.signature.parameters)

    def holds(call: Call) -> bool:
        places, names = arguments_of(call)
        try:
            validator.validate(*places, **names)
        except Exception as error:
            if isinstance(error, validator.exception_type) and raised_by_library(error):
                return False
            raise
        return True

    return Condition(
        "deal", text, line, holds, validator.exception_type, written.body if written and is_by_name else None
    )


def raised_by_library(error: BaseException) -> bool:
    """Whether a contract library raised this exception to report a violation."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_filename == program.CODE:
        return False
    home = trace.tb_frame.f_globals.get("__name__")
    if not isinstance(home, str) or home.partition(".")[0] not in ("icontract", "deal"):
        return False
    if isinstance(error, (icontract.ViolationError, deal.ContractError)):
        return True
    # Contracts can raise exceptions chosen by their author, and the library itself can also fail.
    return home == "deal._runtime._validators" and not isinstance(error, (TypeError, RecursionError, MemoryError))


# ---- The text of a condition.


def source_of(condition: object, function: Function) -> tuple[str, int, ast.Lambda | None]:
    """Returns the text and line of a condition that is a function, and its lambda if that is certain."""
    code = getattr(condition, "__code__", None)
    if code is None or not callable(condition) or code.co_filename != program.CODE:
        return getattr(condition, "__name__", "condition"), function.lines[0], None
    if code.co_name != "<lambda>":
        return f"{code.co_name}({', '.join(inspect.signature(condition).parameters)})", code.co_firstlineno, None
    written = [
        node
        for node in ast.walk(function.subject.tree)
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno
    ]
    alike = [node for node in written if _compiles_to(node, code)]
    shown = ast.unparse(node.body)[:200] if (node := next(iter([*alike, *written]), None)) else "condition"
    return shown, code.co_firstlineno, next(iter(alike), None)


def _compiles_to(node: ast.Lambda, code: types.CodeType) -> bool:
    constants = program.compiled(ast.Expression(copy.deepcopy(node)), program.CODE).co_consts
    # The constants before it are the lambda's defaults.
    compiled = next(each for each in constants if isinstance(each, types.CodeType))
    return all(
        getattr(compiled, each) == getattr(code, each) for each in ("co_code", "co_consts", "co_names", "co_varnames")
    )
