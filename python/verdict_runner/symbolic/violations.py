"""What a call broke, told from its value or from the exception that ended it."""

import ast
import re

import deal

from .. import program
from . import asserts
from .decorators import raised_by_library
from .subject import ENDINGS, own_limits, said


class Violation:
    """What a call broke: `text` for readers, `key` for what is the same violation with other inputs."""

    def __init__(self, kind, text, line, key=None, condition=None):
        self.kind = kind
        self.text = text
        self.line = line
        self.key = f"{kind}|{key or text}|{line}"
        # The postcondition that a value broke.
        self.condition = condition


def of_value(function, call):
    for each in function.contract.postconditions:
        try:
            with own_limits():
                broken, how = not each.holds(call), ""
        except ENDINGS as error:
            broken, how = True, f" (raises {type(error).__name__}: {said(error)})"
        if broken:
            return Violation("postcondition", f"postcondition: {each.text}{how}", each.line, each.text, each)
    if function.keeping and not function.keeping.keeps(call.result):
        text = f"return type: expected {function.returns}, got {type(call.result).__name__}"
        return Violation("return_type", text, function.node.lineno)
    return None


def of_error(function, error, call):
    """The violation that an exception is; None when the contract allows it, "skipped" when a precondition raised it."""
    if raised_by_library(error):
        return _of_library(function, error)
    frames = _frames(error)
    if type(error) is AssertionError and frames:
        asserted = _of_assert(function, frames)
        if asserted:
            return asserted
    line = frames[-1][1] if frames else None
    for event, condition in function.contract.reasons:
        if type(error) is event and not condition.holds(call):
            return Violation("postcondition", f"{event.__name__} only when {condition.text}", condition.line)
    if function.contract.permits(error):
        return None
    message = said(error) or ("more than the memory that it has here" if type(error) is MemoryError else "")
    text = f"exception: {type(error).__name__}{f': {message}' if message else ''}"
    return Violation("exception", text, line, type(error).__name__)


def _frames(error):
    """(name of the function, line) of each frame of the code that the error passed through, the innermost last."""
    found, trace = [], error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == program.CODE:
            found.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
        trace = trace.tb_next
    return found


def _of_assert(function, frames):
    """The violation that a failed assert is: a promise, or what a callee asked for."""
    line = frames[-1][1]
    found = _assert_at(function.subject.tree, line)
    if not found:
        return None
    owner, statement = found
    text, asked = asserts.text_of(statement), statement in asserts.leading(owner)
    if owner is function.node:
        if not asked:
            return Violation("postcondition", f"postcondition: {text}", statement.lineno)
        # The arguments of the call itself were found good before it.
        if sum(name == owner.name for name, _ in frames) < 2:
            return "skipped"
    if asked:
        return Violation("precondition_of_callee", f"precondition of {owner.name}: {text}", statement.lineno)
    return Violation("assertion", f"assertion in {owner.name}: {text}", statement.lineno)


def _assert_at(tree, line):
    """The innermost function and its assert that spans a line."""
    found = None
    for owner in ast.walk(tree):
        if isinstance(owner, ast.FunctionDef) and owner.lineno <= line <= owner.end_lineno:
            for node in asserts.own_nodes(owner):
                if isinstance(node, ast.Assert) and node.lineno <= line <= node.end_lineno:
                    found = owner, node
    return found


# ---- What the libraries of contracts say of callees, and of the function itself under another decorator.

KINDS = {
    **{"PreContractError": "precondition", "PostContractError": "postcondition", "InvContractError": "invariant"},
    **{"OfflineContractError": "side effects", "SilentContractError": "side effects"},
    **{"require": "precondition", "ensure": "postcondition", "invariant": "invariant"},
}
WHERE = re.compile(r"File <code>, line (\d+) ")


def _of_library(function, error):
    frames = _frames(error)
    kind, text, owner = _told(function.subject.tree, error)
    if not frames:
        return "skipped" if kind == "precondition" else Violation("postcondition", f"{kind}: {text}", function.lines[0])
    line = frames[-1][1]
    if kind == "side effects":
        return Violation("postcondition", f"side effects: {text}", line)
    called = f"{kind} of {owner or 'a function that it calls'}: {text}"
    return Violation("precondition_of_callee" if kind == "precondition" else "assertion", called, line)


def _told(tree, error):
    """What kind of contract an exception of a library speaks for, its text, and whose it is."""
    name = type(error).__name__
    if isinstance(error, deal.ContractError):
        text = "it prints or reads input" if name == "SilentContractError" else "it uses the network" if name == "OfflineContractError" else error.source or said(error)
        code = getattr(error.origin, "__code__", None)
        return KINDS.get(name, "contract"), text[:200], code and code.co_name
    found = WHERE.match(said(error))
    owner, decorator = _decorated_at(tree, int(found[1])) if found else (None, None)
    if decorator is None:
        return "contract", said(error).split("\n")[0][:200], None
    called = decorator.func
    condition = next((each for each in decorator.args if isinstance(each, ast.Lambda)), None)
    text = ast.unparse(condition.body if condition else decorator.args[0] if decorator.args else decorator)[:200]
    return KINDS.get(called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", ""), "contract"), text, owner


def _decorated_at(tree, line):
    """The name of what a decorator at a line stands before, and the decorator."""
    for node in ast.walk(tree):
        for each in getattr(node, "decorator_list", []):
            if isinstance(each, ast.Call) and each.lineno <= line <= each.end_lineno:
                return node.name, each
    return None, None
