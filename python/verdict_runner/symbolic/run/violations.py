"""Determines how a call violates the contract, from its value or from the exception that ended it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import deal

from verdict_runner.sandbox import program
from verdict_runner.symbolic.code.function import Function
from verdict_runner.symbolic.code.mentions import own_nodes
from verdict_runner.symbolic.code.subject import ENDINGS, own_limits, text_of_error
from verdict_runner.symbolic.contracts import asserts, called
from verdict_runner.symbolic.contracts.contracts import Call, Condition
from verdict_runner.symbolic.contracts.decorators import raised_by_library

if TYPE_CHECKING:
    from verdict_runner.symbolic.run.trial import Ran

# The kinds of findings; those that say least about the code come last.
CAUSES = RESULT, CRASH, DELIBERATE, CALL, LIMIT = ("result", "crash", "deliberate", "call", "limit")
# Matches CPython's messages about integers with too many digits.
DIGITS = re.compile(r"Exceeds the limit \(\d+ digits\)")
# Matches the last line of a traceback in a docstring.
TRACEBACK = re.compile(r"Traceback \(most recent call last\):\s*\n(?:\s*\.\.\..*\n|\s+File .*\n)*\s*([\w.]+)")


class Violation:
    """A call's violation; the same violation with other inputs has an equal `key`.

    The text for readers is created only when it is read, since messages can contain values that are not decided yet.
    """

    def __init__(
        self,
        kind: str,
        say: str | Callable[[], str],
        line: int | None,
        key: str | None = None,
        condition: Condition | None = None,
        error: BaseException | None = None,
        is_stated: bool = False,
    ) -> None:
        # Whether the violated condition is in a docstring, which Python does not check.
        self.is_stated = is_stated
        self.kind = kind
        self._say = say
        self.line = line
        self.key = f"{kind}|{key or say}|{line}"
        # The postcondition that a value violates, and the exception that the postcondition raised.
        self.condition = condition
        self.error = error

    @property
    def text(self) -> str:
        return self._say if isinstance(self._say, str) else self._say()


def of_value(function: Function, call: Call) -> Violation | None:
    for each in function.contract.postconditions:
        broken, raised = _is_broken(each, call)
        if broken:
            return Violation(
                "postcondition",
                lambda each=each, raised=raised: _promise(each, raised),
                each.line,
                each.text,
                each,
                raised,
            )
    if function.keeping and not function.keeping.keeps(call.result):
        text = f"return type: expected {function.returns}, got {type(call.result).__name__}"
        return Violation("return_type", text, function.node.lineno)
    return None


def _is_broken(condition: Condition, call: Call) -> tuple[bool, BaseException | None]:
    """Whether a condition is broken, and its exception; a condition that raises counts as broken."""
    try:
        with own_limits():
            return not condition.holds(call), None
    except ENDINGS as error:
        return True, error


def _promise(condition: Condition, raised: BaseException | None) -> str:
    how = "" if raised is None else f" (raises {type(raised).__name__}: {text_of_error(raised)})"
    return f"postcondition: {condition.text}{how}"


def of_error(function: Function, error: BaseException, call: Call) -> Violation | Literal["skipped"] | None:
    """Returns the violation that an exception means; None if it is allowed, "skipped" if a precondition raised it."""
    if raised_by_library(error):
        return _of_library(function, error)
    frames = _frames(error)
    for _, line in reversed(frames):
        found = _assert_at(function.subject.tree, line)
        # A docstring's condition is broken, whatever its evaluation raises.
        if found and (called.is_stated(found[1]) or (type(error) is AssertionError and line == frames[-1][1])):
            return _of_assert(function, frames, *found)
    line = frames[-1][1] if frames else None
    for event, condition in function.contract.reasons:
        if type(error) is event and _is_broken(condition, call)[0]:
            return Violation("postcondition", f"{event.__name__} only when {condition.text}", condition.line)
    if function.contract.permits(error):
        return None
    return Violation("exception", lambda: _exception(error), line, type(error).__name__)


def _exception(error: BaseException) -> str:
    message = text_of_error(error)
    return f"exception: {type(error).__name__}{f': {message}' if message else ''}"


def _frames(error: BaseException) -> list[tuple[str, int]]:
    """Returns (function name, line) of each frame of the code through which the error passed, innermost last."""
    frames, trace = [], error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == program.CODE:
            frames.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
        trace = trace.tb_next
    return frames


def _of_assert(
    function: Function, frames: Sequence[tuple[str, int]], owner: ast.FunctionDef, statement: ast.Assert
) -> Violation | Literal["skipped"]:
    """Returns the violation that a failed assert means: of an obligation, or of a called function's precondition."""
    text, is_precondition = asserts.text_of(statement), statement in asserts.leading(owner)
    if owner is function.node:
        if not is_precondition:
            return Violation("postcondition", f"postcondition: {text}", statement.lineno)
        # The call's own arguments had already satisfied this precondition.
        if sum(name == owner.name for name, _ in frames) < 2:
            return "skipped"
    is_stated = called.is_stated(statement)
    what = "precondition of" if is_precondition else "postcondition of" if is_stated else "assertion in"
    kind = "precondition_of_callee" if is_precondition else "assertion"
    return Violation(kind, f"{what} {owner.name}: {text}", statement.lineno, is_stated=is_stated)


def _assert_at(tree: ast.Module, line: int) -> tuple[ast.FunctionDef, ast.Assert] | None:
    """Returns the innermost function with an assert that spans a line, and that assert."""
    last = None
    for owner in ast.walk(tree):
        if isinstance(owner, ast.FunctionDef) and owner.lineno <= line <= (owner.end_lineno or 0):
            for node in own_nodes(owner):
                if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or 0):
                    last = owner, node
    return last


# ---- What contract libraries report about callees, and about the function itself under another decorator.

KINDS = {
    "PreContractError": "precondition",
    "PostContractError": "postcondition",
    "InvContractError": "invariant",
    "OfflineContractError": "side effects",
    "SilentContractError": "side effects",
    "require": "precondition",
    "ensure": "postcondition",
    "invariant": "invariant",
}
WHERE = re.compile(r"File <code>, line (\d+) ")


def _of_library(function: Function, error: BaseException) -> Violation | Literal["skipped"]:
    frames = _frames(error)
    kind, text, owner = _described(function.subject.tree, error)
    if not frames:
        return "skipped" if kind == "precondition" else Violation("postcondition", f"{kind}: {text}", function.lines[0])
    line = frames[-1][1]
    if kind == "side effects":
        return Violation("postcondition", f"side effects: {text}", line)
    called = f"{kind} of {owner or 'a function that it calls'}: {text}"
    return Violation("precondition_of_callee" if kind == "precondition" else "assertion", called, line)


def _described(tree: ast.Module, error: BaseException) -> tuple[str, str, str | None]:
    """Returns the kind of contract that a library's exception reports, its text, and its function."""
    name = type(error).__name__
    if isinstance(error, deal.ContractError):
        text = (
            "it prints or reads input"
            if name == "SilentContractError"
            else "it uses the network"
            if name == "OfflineContractError"
            else error.source or text_of_error(error)
        )
        code = getattr(error.origin, "__code__", None)
        return KINDS.get(name, "contract"), text[:200], code and code.co_name
    match = WHERE.match(text_of_error(error))
    owner, decorator = _decorated_at(tree, int(match[1])) if match else (None, None)
    if decorator is None:
        return "contract", text_of_error(error).split("\n")[0][:200], None
    called = decorator.func
    condition = next((each for each in decorator.args if isinstance(each, ast.Lambda)), None)
    text = ast.unparse(condition.body if condition else decorator.args[0] if decorator.args else decorator)[:200]
    return (
        KINDS.get(called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", ""), "contract"),
        text,
        owner,
    )


def _decorated_at(tree: ast.Module, line: int) -> tuple[str, ast.Call] | tuple[None, None]:
    """Returns the name of the function below a decorator at this line, and the decorator."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for each in node.decorator_list:
            if isinstance(each, ast.Call) and each.lineno <= line <= (each.end_lineno or 0):
                return node.name, each
    return None, None


# ---- What a finding says about the code.


def cause_of(function: Function, ran: Ran) -> str:
    """Returns the kind of finding for a call's end."""
    if ran.error is None or (ran.violation and ran.violation.kind != "exception"):
        return RESULT
    if _is_deliberate(function, ran):
        return DELIBERATE
    return LIMIT if _is_limit(ran) else CRASH


def _is_deliberate(function: Function, ran: Ran) -> bool:
    """Whether a `raise` in the function itself raised the exception, or one of its doctests shows it."""
    shown = TRACEBACK.findall(ast.get_docstring(function.node) or "")
    if ran.type.__name__ in (name.rpartition(".")[2] for name in shown):
        return True
    return any(
        isinstance(node, ast.Raise) and node.exc and node.lineno <= (ran.line or 0) <= (node.end_lineno or 0)
        for node in ast.walk(function.node)
    )


def _is_limit(ran: Ran) -> bool:
    """Whether Python or the machine gave up on a large value; a float that is already infinite is an ordinary value."""
    if issubclass(ran.type, (RecursionError, MemoryError)):
        return True
    text = text_of_error(ran.error)
    return (ran.type is OverflowError and "infinity" not in text) or (
        ran.type is ValueError and bool(DIGITS.search(text))
    )
