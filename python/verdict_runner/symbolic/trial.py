"""One call of a function, judged: by its contract, or as it is."""

import ast

from .. import guards, program
from . import asserts
from .contracts import Call
from .decorators import raised_by_library
from .same import Uncomparable, same
from .subject import ENDINGS, line_of, own_limits, said, stop_at_walls

__all__ = ["Outcome", "Ran", "Uncomparable", "Violation", "alike", "check", "outcome", "raised_key", "same"]


class Violation:
    """What a call broke: `text` for readers, `key` for what is the same violation with other inputs."""

    def __init__(self, kind, text, line, key=None, condition=None):
        self.kind = kind
        self.text = text
        self.line = line
        self.key = f"{kind}|{key or text}|{line}"
        # The postcondition that a value broke.
        self.condition = condition


class Ran:
    """How one call ended: a value or an exception, and the arguments as the call left them."""

    def __init__(self, value, error, after):
        self.kind = "value" if error is None else "exception"
        self.value = value
        self.error = error
        # An exception that only its class is known of was never raised, and has no line.
        self.type = error if isinstance(error, type) else type(value if error is None else error)
        self.line = line_of(error) if isinstance(error, BaseException) else None
        self.after = after


class Outcome:
    """What the contract says of one call."""

    def __init__(self, kind, violation=None, ran=None, reason=None):
        self.kind = kind
        self.violation = violation
        self.ran = ran
        # Why a call was skipped.
        self.reason = reason

    @property
    def error(self):
        return self.ran and self.ran.error


def outcome(function, arguments):
    """Calls the function as anybody would, its decorators in force; in a process where they are not, by our own reading of them."""
    if function.subject.enforced:
        return _run(function, function.decorated, arguments)
    call = Call(function, arguments)
    with own_limits():
        failed = _first_broken(function.contract.preconditions, call)
        if failed is None:
            function.contract.remember(call)
    if failed is not None and failed.error:
        return Ran(None, failed.error, [*call.arguments.values()])
    ran = _run(function, function.plain, call.arguments)
    if ran.error is None:
        call.result = ran.value
        with own_limits():
            failed = _first_broken([each for each in function.contract.postconditions if each.error], call)
        return Ran(None, failed.error, ran.after) if failed else ran
    return ran


def check(function, arguments):
    """Calls the function without its contract and judges what it does by the contract; callees keep theirs."""
    call, contract = Call(function, arguments), function.contract
    try:
        with own_limits():
            failed = _first_broken(contract.preconditions, call)
            if failed is None:
                contract.remember(call)
    except ENDINGS as error:
        return _skipped(f"a precondition raises {type(error).__name__}: {said(error)}")
    if failed is not None:
        return _skipped(failed.text)
    ran = _run(function, function.plain, call.arguments, contract.effects if function.subject.enforced else None)
    if ran.error is not None:
        violation = _of_error(function, ran.error, call)
        if violation == "skipped":
            return _skipped("its own precondition")
    else:
        call.result = ran.value
        violation = _of_value(function, call)
    stop_at_walls()
    return Outcome("violation" if violation else "fine", violation, ran)


def _skipped(reason):
    stop_at_walls()
    return Outcome("skipped", reason=reason)


def alike(one, other):
    """Whether two calls ended the same way and left their arguments the same; raises `Uncomparable`."""
    if one.kind != other.kind or len(one.after) != len(other.after):
        return False
    ended = same(one.value, other.value) if one.error is None else one.type is other.type
    return ended and all(same(a, b) for a, b in zip(one.after, other.after))


def raised_key(ran):
    """What makes two ways to an exception the same."""
    return f"{ran.type.__name__}|{ran.line}"


def _run(function, target, arguments, effects=None):
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
    except ENDINGS as raised:
        error = raised
    except BaseException as raised:
        # Of another kind only if the code made that kind itself: the others steer who runs us.
        if not guards.is_own(type(raised)):
            raise
        error = raised
    stop_at_walls()
    return Ran(value, error, [*arguments.values()])


def _first_broken(conditions, call):
    return next((each for each in conditions if not each.holds(call)), None)


# ---- What a call broke.


def _of_value(function, call):
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


def _of_error(function, error, call):
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
    message = said(error)
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
    _, line = frames[-1]
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


def _of_library(function, error):
    """The violation that a contract's own exception is: one of a callee, or of the function under another decorator."""
    frames = _frames(error)
    kind, text, line = _told(function.subject.tree, error)
    if not frames:
        return "skipped" if kind == "precondition" else Violation("postcondition", f"{kind}: {text}", line)
    if kind == "side effects":
        return Violation("postcondition", f"side effects: {text}", frames[-1][1])
    kinds = {"precondition": "precondition_of_callee"}
    called = f" of {_owner(function.subject.tree, line)}" if line else " of a function that it calls"
    return Violation(kinds.get(kind, "assertion"), f"{kind}{called}: {text}", frames[-1][1])


def _told(tree, error):
    """What kind of contract an exception of a library speaks for, its text, and the line of its decorator."""
    import re

    names = {"PreContractError": "precondition", "PostContractError": "postcondition", "InvContractError": "invariant"}
    name = type(error).__name__
    message = said(error)
    if name.endswith("ContractError"):
        kind = names.get(name, "side effects" if name in ("OfflineContractError", "SilentContractError") else "contract")
        return kind, (getattr(error, "source", "") or message)[:200], _line_of_origin(error)
    found = re.match(r"File <code>, line (\d+) in [^\n]*?:\n?", message)
    line = int(found[1]) if found else None
    text = message[found.end() :] if found else message
    return _decorator_at(tree, line), text.split("\n")[0].rstrip(":")[:200], line


def _line_of_origin(error):
    code = getattr(getattr(error, "origin", None), "__code__", None)
    return code.co_firstlineno if code is not None else None


def _decorator_at(tree, line):
    for node in ast.walk(tree):
        for each in getattr(node, "decorator_list", []):
            if line is not None and each.lineno <= line <= each.end_lineno:
                called = each.func if isinstance(each, ast.Call) else each
                name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                return {"require": "precondition", "ensure": "postcondition", "invariant": "invariant"}.get(name, "contract")
    return "contract"


def _owner(tree, line):
    """The function or class whose decorator, or first line, stands at a line."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            places = [node, *node.decorator_list]
            if any(each.lineno <= line <= (each.end_lineno if each is not node else node.lineno) for each in places):
                return node.name
    return "a function that it calls"
