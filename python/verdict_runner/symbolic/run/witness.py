"""An input that was run, as readers see it: the call, its result, the reason, and a test of it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TypeAlias

from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Modules
from verdict_runner.symbolic.code import instrument
from verdict_runner.symbolic.code.function import Arguments, Function
from verdict_runner.symbolic.code.subject import Subject, text_of_error
from verdict_runner.symbolic.messages import (
    Behaviour,
    Difference,
    Raised,
    Request,
    Shown,
    Taken,
    Unconfirmed,
    Violation,
)
from verdict_runner.symbolic.run import pairing, regression, shown, tagged, trial, violations
from verdict_runner.symbolic.run.bounded import TooLong, bounded
from verdict_runner.symbolic.run.inspection import load
from verdict_runner.symbolic.run.probe import run_both

# A path condition is only information: the run that computes it is not worth a longer wait.
CONDITION_SECONDS = 2
# Decorators that really watch over a call.
WATCHING = ("icontract", "deal")
# How much memory this machine has is not a property of the code: a run without memory shows nothing.
# A difference has to show itself again, this many times.
STEADY_RUNS = 2
UNSTEADY = Unconfirmed("a function gives something else each time")
STARVED = Unconfirmed("memory ran out here")


# Takes the same path again.
Again: TypeAlias = "Callable[[list[Function], Arguments], object]"


class Case:
    """One input of one question, and the code, loaded as often as it takes: each run finds it new."""

    def __init__(self, code: str, modules: Modules, request: Request) -> None:
        self._code = code
        self._modules = modules
        self._request = request
        self._source = shown.Source()

    def loaded(self, sites: instrument.Sites | None = None) -> tuple[Subject, list[Function]]:
        subject = load(self._code, self._modules, self._request, sites)
        return subject, [subject.function(name) for name in self._request.functions]

    def arguments(self, subject: Subject) -> dict[str, object]:
        """The input, as new values."""
        return tagged.decode(self._request.input, subject)

    def described(self, function: Function, arguments: Arguments, run: Again) -> Shown:
        """The fields that each witness begins with; `run(functions, arguments)` takes the same path again."""
        many = [each.name for each in function.signature.parameters.values() if each.kind is each.VAR_KEYWORD]
        named = {name: shown.as_json(value) for name, value in arguments.items() if name not in many}
        further = {key: shown.as_json(value) for name in many for key, value in arguments.get(name, {}).items()}
        sites = self._sites_of(run)
        return Shown(named, further, self._source.call(function, arguments), sites.condition(), sites.path_lines())

    def _sites_of(self, run: Again) -> instrument.Sites:
        """The decisions on the path."""
        sites = instrument.Sites(self._request.functions)
        try:
            with bounded(CONDITION_SECONDS):
                subject, functions = self.loaded(sites)
                sites.clear()
                run(functions, self.arguments(subject))
        except TooLong:
            pass
        return sites


def of_check(case: Case) -> Violation | Unconfirmed:
    """Whether the call breaks the contract."""
    subject, (function,) = case.loaded()
    judged = trial.check(function, case.arguments(subject))
    violation, ran = judged.violation, judged.ran
    if trial.out_of_memory(judged.error):
        return STARVED
    if violation is None or ran is None or not _really_raises(case, violation, function):
        return Unconfirmed()
    arguments = case.arguments(subject)
    described = case.described(function, arguments, lambda functions, inputs: trial.check(functions[0], inputs))
    trace = trace_of(ran) if judged.error is not None else None
    happened = f"{violation.text}{f' ({trace})' if trace else ''}"
    return Violation(
        described,
        violation.kind,
        violation.text,
        violation.line,
        result_of(ran),
        _repr_of(ran),
        trace,
        regression.of_violation(function, arguments, violation, happened),
    )


def _really_raises(case: Case, violation: violations.Violation, function: Function) -> bool:
    """Whether the decorated function fails, too, where its decorators are to see to it."""
    if not set(WATCHING) & set(function.contract.styles):
        return True
    if violation.kind == "return_type" or (
        violation.condition is not None and violation.condition.style not in WATCHING
    ):
        return True
    subject, (decorated,) = case.loaded()
    return trial.outcome(decorated, case.arguments(subject)).error is not None


def of_raises(case: Case, name: str) -> Raised | Unconfirmed:
    """Whether the call raises an exception of this name."""
    subject, (function,) = case.loaded()
    ran = trial.outcome(function, case.arguments(subject))
    if trial.out_of_memory(ran.error):
        return STARVED
    if not isinstance(ran.error, subject.exception(name)):
        return Unconfirmed()
    arguments = case.arguments(subject)
    return Raised(
        case.described(function, arguments, lambda functions, inputs: trial.outcome(functions[0], inputs)),
        ran.type.__name__,
        text_of_error(ran.error),
        ran.line,
        trace_of(ran),
        regression.of_exception(function, arguments, trace_of(ran)),
    )


def of_compare(case: Case) -> Difference | Unconfirmed:
    """Whether two functions do something else with the same arguments."""
    subject, functions = case.loaded()
    pair = pairing.pair(*functions)
    ran = run_both(pair, case.arguments(subject))
    if any(trial.out_of_memory(each.error) for each in ran):
        return STARVED
    if trial.alike(*ran):
        return Unconfirmed()
    if not _is_steady(case, ran):
        return UNSTEADY
    arguments = case.arguments(subject)
    described = case.described(
        pair.first, arguments, lambda functions, inputs: run_both(pairing.pair(*functions), inputs)
    )
    explanation = _explanation(pair, arguments, ran, described)
    return Difference(
        described,
        _behaviour(ran[0], arguments),
        _behaviour(ran[1], arguments),
        explanation,
        _explanation(pair, arguments, ran, described, names_lines=False),
        regression.of_difference(pair, arguments, explanation),
    )


def _is_steady(case: Case, ran: Sequence[trial.Ran]) -> bool:
    """Whether both functions do the same again: one that draws lots, or asks the clock, differs even from itself."""
    for _ in range(STEADY_RUNS):
        subject, functions = case.loaded()
        again = run_both(pairing.pair(*functions), case.arguments(subject))
        if not all(_ends_alike(one, other) for one, other in zip(ran, again)):
            return False
    return True


def _ends_alike(one: trial.Ran, other: trial.Ran) -> bool:
    """Whether two runs of one function ended alike; each loaded its classes anew, so objects are compared as texts."""
    if one.kind != other.kind or one.type.__name__ != other.type.__name__:
        return False
    source = shown.Source()
    return one.error is not None or source.of(one.value) == source.of(other.value)


def of_branches(case: Case, sites: instrument.Sites) -> Taken:
    """The sides that the call takes."""
    subject, (function,) = case.loaded(sites)
    sites.clear()
    arguments = case.arguments(subject)
    shown_arguments = {name: shown.as_json(value) for name, value in copy.deepcopy(arguments).items()}
    trial.outcome(function, arguments)
    return Taken(shown_arguments, sites.outcomes())


# ---- In words.


def trace_of(ran: trial.Ran, names_line: bool = True) -> str:
    """Where and how a call ended, when it did so by an exception."""
    message, where = text_of_error(ran.error), f" at line {ran.line}" if names_line and ran.line else ""
    return f"{ran.type.__name__}{where}{f': {message}' if message else ''}"


def result_of(ran: trial.Ran) -> Json:
    """The result of a call, as JSON; an exception as text."""
    if ran.error is None:
        return shown.as_json(ran.value)
    message = text_of_error(ran.error)
    return f"raises {ran.type.__name__}{f': {message}' if message else ''}"


def _repr_of(ran: trial.Ran) -> str | None:
    """A value as Python source: JSON distinguishes neither 0.0 from 0 nor a Decimal from a string."""
    return shown.cut(shown.Source().of(ran.value)) if ran.error is None else None


def _behaviour(ran: trial.Ran, before: Arguments) -> Behaviour:
    changed = not all(trial.same(a, b) for a, b in zip(ran.after, before.values()))
    after = [shown.as_json(each) for each in ran.after] if changed else None
    return Behaviour(ran.kind, result_of(ran), _repr_of(ran), ran.type.__name__, ran.line, after)


def _explanation(
    pair: pairing.Pair, arguments: Arguments, ran: Sequence[trial.Ran], described: Shown, names_lines: bool = True
) -> str:
    source = shown.Source()
    calls = (source.call(pair.first, arguments), source.call(pair.second, pair.for_second(arguments)))
    endings = [_ending(each, source, names_lines) for each in ran]
    if endings[0] == endings[1] and ran[0].type is not ran[1].type:
        endings = [f"{ending} ({each.type.__name__})" for ending, each in zip(endings, ran)]
    if all(trial.same(a, b) for a, b in zip(ran[0].after, ran[1].after)):
        left = ["", ""]
    else:
        left = [f" and leaves its arguments as {shown.cut(source.of(each.after))}" for each in ran]
    first, second = (f"{shown.cut(call)} {ending}{rest}" for call, ending, rest in zip(calls, endings, left))
    condition = described.path_condition
    return f"{first}, but {second}{f', where {condition}' if condition != 'True' else ''}."


def _ending(ran: trial.Ran, source: shown.Source, names_lines: bool) -> str:
    if ran.error is None:
        return f"returns {shown.cut(source.of(ran.value))}"
    return f"raises {trace_of(ran, names_lines)}"
