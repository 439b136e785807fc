"""The violation of a call, from its value or from the exception that ended it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Literal

import deal

from verdict_runner.sandbox import program
from verdict_runner.symbolic.code.function import Function
from verdict_runner.symbolic.code.subject import ENDINGS, own_limits, text_of_error
from verdict_runner.symbolic.contracts import asserts
from verdict_runner.symbolic.contracts.contracts import Call, Condition
from verdict_runner.symbolic.contracts.decorators import raised_by_library


class Violation:
    """The violation of a call: `key` is equal for the same violation with other inputs.

    The text for readers is created when it is read: messages can contain values that are not decided yet.
    """

    def __init__(
        self,
        kind: str,
        say: str | Callable[[], str],
        line: int | None,
        key: str | None = None,
        condition: Condition | None = None,
        error: BaseException | None = None,
    ) -> None:
        self.kind = kind
        self._say = say
        self.line = line
        self.key = f"{kind}|{key or say}|{line}"
        # The postcondition that a value violates, and the exception that it raised.
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
    """Whether a condition does not hold, and its exception, which counts as not holding."""
    try:
        with own_limits():
            return not condition.holds(call), None
    except ENDINGS as error:
        return True, error


def _promise(condition: Condition, raised: BaseException | None) -> str:
    how = "" if raised is None else f" (raises {type(raised).__name__}: {text_of_error(raised)})"
    return f"postcondition: {condition.text}{how}"


def of_error(function: Function, error: BaseException, call: Call) -> Violation | Literal["skipped"] | None:
    """The violation that an exception means; None if the contract allows it, "skipped" if a precondition raised it."""
    if raised_by_library(error):
        return _of_library(function, error)
    frames = _frames(error)
    if type(error) is AssertionError and frames:
        asserted = _of_assert(function, frames)
        if asserted:
            return asserted
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
    """(name of the function, line) of each frame of the code that the error passed through, the innermost last."""
    frames, trace = [], error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == program.CODE:
            frames.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
        trace = trace.tb_next
    return frames


def _of_assert(function: Function, frames: Sequence[tuple[str, int]]) -> Violation | Literal["skipped"] | None:
    """The violation that a failed assert means: an obligation, or a precondition of a called function."""
    line = frames[-1][1]
    owner_and_statement = _assert_at(function.subject.tree, line)
    if not owner_and_statement:
        return None
    owner, statement = owner_and_statement
    text, is_precondition = asserts.text_of(statement), statement in asserts.leading(owner)
    if owner is function.node:
        if not is_precondition:
            return Violation("postcondition", f"postcondition: {text}", statement.lineno)
        # The arguments of the call itself were found good before it.
        if sum(name == owner.name for name, _ in frames) < 2:
            return "skipped"
    if is_precondition:
        return Violation("precondition_of_callee", f"precondition of {owner.name}: {text}", statement.lineno)
    return Violation("assertion", f"assertion in {owner.name}: {text}", statement.lineno)


def _assert_at(tree: ast.Module, line: int) -> tuple[ast.FunctionDef, ast.Assert] | None:
    """The innermost function and its assert that spans a line."""
    last = None
    for owner in ast.walk(tree):
        if isinstance(owner, ast.FunctionDef) and owner.lineno <= line <= (owner.end_lineno or 0):
            for node in asserts.own_nodes(owner):
                if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or 0):
                    last = owner, node
    return last


# ---- What the libraries of contracts say of callees, and of the function itself under another decorator.

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
    """The kind of contract that an exception of a library reports, its text, and its function."""
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
    """The name of the function below a decorator at a line, and the decorator."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for each in node.decorator_list:
            if isinstance(each, ast.Call) and each.lineno <= line <= (each.end_lineno or 0):
                return node.name, each
    return None, None
