"""The contracts that decorators of icontract and deal make, read off the decorated function."""

import ast
import copy
import inspect
import types

import deal
import icontract

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program
from verdict_runner.symbolic.contracts import recompute
from verdict_runner.symbolic.contracts.contracts import Condition

# Names that a condition of icontract may ask for besides the parameters.
ICONTRACT_NAMES = ("result", "OLD", "_ARGS", "_KWARGS")


def warm():
    """Takes the colours out of what deal says, which goes into answers, and confines what icontract evaluates."""
    deal._state.state.color = False
    recompute.confine()


def read(function, contract):
    _read_icontract(function, contract)
    _read_deal(function, contract)


def _layers(function):
    while True:
        yield function
        if not hasattr(function, "__wrapped__"):
            return
        function = function.__wrapped__


# ---- icontract.


def _read_icontract(function, contract):
    checkers = [each for each in _layers(function.decorated) if "__preconditions__" in vars(each)]
    if not checkers:
        return
    contract.add("icontract")
    # Other decorators copy the attributes of what they decorate, so any of them will do.
    checker = checkers[-1]
    wanted = [one for group in checker.__preconditions__ for one in group]
    contract.preconditions += [_icontract(function, each, ()) for each in wanted]
    contract.postconditions += [_icontract(function, each, ICONTRACT_NAMES) for each in checker.__postconditions__]
    snapshots = checker.__postcondition_snapshots__
    if snapshots:
        contract.memories.append(lambda call: call.old.update(OLD=_remembered(snapshots, call)))


def _icontract(function, wanted, more):
    text, line = source_of(wanted.condition, function)
    _refuse_unknown(
        function, text, line, [each for each in wanted.mandatory_args if each not in (*more, "_ARGS", "_KWARGS")]
    )

    def holds(call):
        known = {
            **call.arguments,
            "_ARGS": tuple(call.places),
            "_KWARGS": call.names,
            "result": call.result,
            **call.old,
        }
        return wanted.condition(**{name: known[name] for name in wanted.condition_args if name in known})

    error = wanted.error if isinstance(wanted.error, type) else None
    return Condition(
        "icontract",
        text,
        line,
        holds,
        error or (type(wanted.error) if isinstance(wanted.error, BaseException) else icontract.ViolationError),
    )


def _remembered(snapshots, call):
    kept = {each.name: each.capture(**{name: call.arguments[name] for name in each.args}) for each in snapshots}
    return types.SimpleNamespace(**kept)


def _refuse_unknown(function, text, line, names):
    unknown = [each for each in names if each not in function.signature.parameters]
    if unknown:
        raise Refused(
            f"The condition `{text}` of {function.name} asks for {', '.join(unknown)}, which is no parameter.",
            [
                f"use the parameters: {', '.join(function.signature.parameters) or 'there are none'}",
                "or result, in a postcondition",
            ],
            error_type="TypeError",
            line=line,
        )


# ---- deal.


def _read_deal(function, contract):
    # Other decorators copy the attribute that deal keeps them in, so that the same one is met again.
    found = {
        id(each._wrapped if hasattr(each, "_wrapped") else each._patcher): each
        for each in deal.introspection.get_contracts(function.decorated)
    }
    for each in found.values():
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


def _deal(function, wanted, given):
    text, line = source_of(wanted._wrapped.raw_validator, function)

    def holds(call):
        places, names = given(call)
        try:
            wanted.validate(*places, **names)
        except Exception as error:
            if isinstance(error, wanted.exception_type) and raised_by_library(error):
                return False
            raise
        return True

    return Condition("deal", text, line, holds, wanted.exception_type)


def raised_by_library(error):
    """Whether a contract's own machinery raised it to say that the contract is broken."""
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
    # Contracts may raise what their author chose; the machinery itself may fail, too.
    return home == "deal._runtime._validators" and not isinstance(error, (TypeError, RecursionError, MemoryError))


# ---- The text of a condition.


def source_of(condition, function):
    """The text and line of a condition that was given as a function."""
    code = getattr(condition, "__code__", None)
    if code is None or code.co_filename != program.CODE:
        return getattr(condition, "__name__", "condition"), function.lines[0]
    if code.co_name != "<lambda>":
        return f"{code.co_name}({', '.join(inspect.signature(condition).parameters)})", code.co_firstlineno
    written = [
        node
        for node in ast.walk(function.subject.tree)
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno
    ]
    alike = [node for node in written if _compiles_to(node, code)] or written
    return (ast.unparse(alike[0].body)[:200] if alike else "condition"), code.co_firstlineno


def _compiles_to(node, code):
    made = program.compiled(ast.Expression(copy.deepcopy(node)), program.CODE).co_consts[0]
    return made.co_code == code.co_code and made.co_consts == code.co_consts and made.co_names == code.co_names
