"""Inspects code before any analysis: its functions, contracts, branches, and the errors in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import Parameter

from verdict_runner.protocol.runner import Modules
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program
from verdict_runner.symbolic.code import annotations, instrument, source, subject
from verdict_runner.symbolic.code.function import Function
from verdict_runner.symbolic.contracts import exceptions
from verdict_runner.symbolic.contracts.contracts import Contract
from verdict_runner.symbolic.messages import (
    Branches,
    Inspected,
    ReadBranches,
    ReadContract,
    ReadFunction,
    ReadParameter,
    Request,
)
from verdict_runner.symbolic.run import pairing
from verdict_runner.symbolic.run.bounded import TooLong, bounded

# Processor time: the module level of code under test defines names, and computes little.
LOADING_SECONDS = 2
# Missing names that are shown.
NAMES_MAX = 10
# Statements that are named as left out.
LABELS_MAX = 6


def load(code: str, modules: Modules, request: Request, sites: instrument.Sites | None = None) -> subject.Subject:
    """The code as a module, as far as a question reaches, in a bounded time; raises `Refused`."""
    try:
        with bounded(LOADING_SECONDS):
            return subject.load(code, modules, roots_of(request), sites)
    except TooLong:
        raise Refused(
            f"The module level runs for more than {LOADING_SECONDS} seconds.",
            ["keep loops and computations inside of functions", "send only the function and what it calls"],
            error_type="TimeoutError",
        ) from None


def roots_of(request: Request) -> list[str]:
    """The names that a question begins with: those of the functions, and of an exception."""
    return [*request.functions, *request.exception.split(".")[:1]]


def inspect(code: str, modules: Modules, request: Request, say: Callable[[object], bool]) -> Inspected:
    """The functions of a question as they were read; raises `Refused`.

    Facts that are read from the text alone are reported before the code runs.
    """
    _say_branches(code, request.functions, say)
    loaded = load(code, modules, request)
    functions = [loaded.function(name) for name in request.functions]
    missing = source.undefined(loaded.tree, {*loaded.namespace, *loaded.namespace["__builtins__"]})
    notes = [f"not defined in the code: {', '.join(missing[:NAMES_MAX])}; send what it calls, too"] if missing else []
    notes += _left_out(loaded.left_out, request.functions)
    notes += [note for each in functions for note in [*each.contract.notes, *each.contract.remarks]]
    if request.task_of == "check":
        notes += _allowed(functions[0].contract)
    against = [hazard for each in functions for hazard in each.hazards]
    if request.task_of == "raises":
        against += exceptions.hazards(loaded.exception(request.exception))
    if request.task_of == "compare":
        pair = pairing.pair(*functions)
        notes += pair.hazards
        against += pair.hazards
        left_out = pair.omittable
    else:
        left_out = pairing.omittable(functions[0])
    against += [f"{name} may be left out, which is a case of its own" for name in left_out]
    return Inspected([_function(each) for each in functions], [*dict.fromkeys(against)], [*dict.fromkeys(notes)])


def _left_out(labels: Sequence[str], names: Sequence[str]) -> list[str]:
    """The statements that were not run, for a reader who misses them."""
    if not labels:
        return []
    more = f", and {len(labels) - LABELS_MAX} more" if len(labels) > LABELS_MAX else ""
    return [f"Left out, because {' and '.join(names)} can't reach it: {', '.join(labels[:LABELS_MAX])}{more}."]


def _allowed(contract: Contract) -> list[str]:
    """The exceptions that are not violations, since the docstring documents them."""
    names = ", ".join(each.__name__ for each in contract.documented)
    return (
        [f"Exceptions that the docstring declares are not violations: {names}."]
        if names and not contract.allowed
        else []
    )


def _function(function: Function) -> ReadFunction:
    parameters = [_parameter(each) for each in function.signature.parameters.values()]
    return ReadFunction(function.name, parameters, function.returns, _contract(function.contract), function.lines)


def _contract(contract: Contract) -> ReadContract:
    declared = [*contract.documented, *(one for group in contract.allowed for one in group)]
    preconditions = [each.text for each in contract.preconditions]
    postconditions = [*(each.text for each in contract.postconditions), *(text for text, _ in contract.asserted)]
    raises = [*dict.fromkeys(each.__name__ for each in declared)]
    return ReadContract(contract.styles, preconditions, postconditions, raises)


def _parameter(parameter: Parameter) -> ReadParameter:
    return ReadParameter(parameter.name, annotations.shown(parameter.annotation), parameter.kind.description)


def _say_branches(code: str, names: Sequence[str], say: Callable[[object], bool]) -> None:
    """The sites of all functions, and the complexity of the first:

    sent before the module runs, which could send false ones.
    """
    try:
        with program.recursion_up_to(program.REWRITING_DEPTH_MAX):
            branches = _branches(code, names)
        say(ReadBranches(branches).data())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Loading it reports the error.
        return


def _branches(code: str, names: Sequence[str]) -> Branches:
    sites, first = instrument.Sites(names), instrument.Sites(names[:1])
    for each in (sites, first):
        each.rewrite(source.parsed(code, program.CODE))
    return replace(sites.report(), cyclomatic_complexity=first.report().cyclomatic_complexity)
