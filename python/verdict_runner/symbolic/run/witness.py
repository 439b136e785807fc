"""Describes an input that was run for readers: the call, its result, the reason, and a test."""

from __future__ import annotations

import ast
import contextlib
import random
from collections.abc import Callable, Sequence

from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Modules
from verdict_runner.symbolic.code import failing, instrument
from verdict_runner.symbolic.code.function import Arguments, Function
from verdict_runner.symbolic.code.path import Path
from verdict_runner.symbolic.code.subject import ENDINGS, own_limits, text_of_error
from verdict_runner.symbolic.contracts import asserts
from verdict_runner.symbolic.inputs import tagged
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
from verdict_runner.symbolic.run import regression, shown, trial, violations
from verdict_runner.symbolic.run.bounded import TooLong, bounded
from verdict_runner.symbolic.run.inspection import ready
from verdict_runner.symbolic.run.questions import Attempt, Question

# The time limit for the run that computes a path condition, which is only additional information.
CONDITION_SECONDS = 2
CONDITIONS_MAX = 12
# Contract styles whose decorators really check a call.
WATCHING = ("icontract", "deal")
# The number of times that a difference has to occur again.
STEADY_RUNS = 2
UNSTEADY = Unconfirmed("a function gives a different result each time, or after the other one ran")


class Case:
    """One input for one question, and the code, which is loaded anew for each run."""

    def __init__(self, code: str, modules: Modules, request: Request) -> None:
        self._code = code
        self._modules = modules
        self._request = request
        self._source = shown.Source()
        # The prepared code is the same for all runs that record no sides.
        self._ready: dict[bool, Callable[[], Question]] = {}

    def asked(self, sites: instrument.Sites | None = None, is_checked: bool = True) -> Question:
        if sites is not None:
            return ready(self._code, self._modules, self._request, sites, is_checked)()
        if is_checked not in self._ready:
            self._ready[is_checked] = ready(self._code, self._modules, self._request, None, is_checked)
        return self._ready[is_checked]()

    def arguments(self, question: Question) -> dict[str, object]:
        """Returns the input as new values."""
        return tagged.decode(self._request.input, question.subject)

    def run(self, question: Question, is_last_first: bool = False) -> Attempt:
        return question.attempt(self.arguments(question), is_last_first=is_last_first)

    def watched(self) -> tuple[instrument.Sites, Question]:
        """Returns the question, and the sites that record the sides its runs take."""
        sites = instrument.Sites(self._request.functions, Path())
        question = self.asked(sites)
        sites.clear()
        return sites, question

    def described(self, function: Function, arguments: Arguments) -> Shown:
        """Returns the fields with which each witness begins."""
        many = [each.name for each in function.inputs.parameters.values() if each.kind is each.VAR_KEYWORD]
        named = {name: shown.exact(value) for name, value in arguments.items() if name not in many}
        further = {key: shown.exact(value) for name in many for key, value in arguments.get(name, {}).items()}
        sites, question = self.watched()
        condition = None
        with contextlib.suppress(TooLong), bounded(CONDITION_SECONDS):
            attempt = self.run(question)
            # A difference between two functions depends on what both do.
            both = len(question.functions) > 1
            ends = {} if both else {question.function.node.name: _end(question.function, attempt.rans[0])}
            condition = sites.path and sites.path.condition(ends, CONDITIONS_MAX)
            condition = self._true_condition(condition, question)
        return Shown(named, further, self._source.call(function, arguments), condition, sites.path_lines())

    def _true_condition(self, condition: str | None, question: Question) -> str | None:
        """Returns the path condition if the input satisfies it; None if it does not, or if the names are ambiguous."""
        function = question.function
        places = {(name, place) for each in question.functions for place, name in enumerate(each.signature.parameters)}
        names = [name for name, _ in places]
        if condition is None or len({*names}) < len(names):
            return None
        expression = ast.parse(condition, mode="eval").body
        test = asserts.evaluator(expression, names, question.subject, function.lines[0])
        try:
            with own_limits():
                values = [*function.complete(function.made(self.arguments(question))).values()]
                return condition if test(**{name: values[place] for name, place in places}) else None
        except ENDINGS:
            return None


def _end(function: Function, ran: trial.Ran) -> failing.End:
    """Describes how a call ended, as far as a path condition can express it."""
    broken = ran.violation and ran.error is None and ran.violation.condition
    error = ran.error if isinstance(ran.error, BaseException) else None
    return failing.End(function.node, error, broken.expression if broken else None)


def of_check(case: Case) -> Violation | Unconfirmed:
    """Checks whether the call breaks the contract."""
    question = case.asked()
    attempt = case.run(question)
    function, (ran,) = question.function, attempt.rans
    violation, cause = ran.violation, question.cause(attempt)
    if attempt.starved:
        return Unconfirmed(attempt.starved)
    if violation is None or not _really_raises(case, violation, function):
        return Unconfirmed()
    arguments = case.arguments(question)
    described = case.described(function, arguments)
    if violation.is_stated:
        # Python itself does not check docstrings, so its own outcome is shown.
        unchecked = case.run(case.asked(is_checked=False))
        ran = ran if unchecked.is_excluded else unchecked.rans[0]
    trace = None if ran.error is None else trace_of(ran)
    unseen = "; Python does not check a docstring" if violation.is_stated else ""
    happened = f"{violation.text}{f' ({trace})' if trace else ''}{unseen}"
    return Violation(
        described,
        violation.kind,
        cause,
        violation.text,
        violation.line,
        result_of(ran),
        _repr_of(ran),
        trace,
        regression.of_violation(function, arguments, violation, happened),
    )


def _really_raises(case: Case, violation: violations.Violation, function: Function) -> bool:
    """Whether the decorated function also fails, if its decorators are responsible for the condition."""
    if not set(WATCHING) & set(function.contract.styles):
        return True
    if violation.kind == "return_type" or (
        violation.condition is not None and violation.condition.style not in WATCHING
    ):
        return True
    question = case.asked()
    return trial.outcome(question.function, case.arguments(question)).error is not None


def of_raises(case: Case) -> Raised | Unconfirmed:
    """Checks whether the call raises the question's exception."""
    question = case.asked()
    attempt = case.run(question)
    function, (ran,) = question.function, attempt.rans
    if attempt.starved:
        return Unconfirmed(attempt.starved)
    if attempt.is_excluded or not question.keys(attempt, ()):
        return Unconfirmed()
    arguments = case.arguments(question)
    return Raised(
        case.described(function, arguments),
        question.cause(attempt),
        ran.type.__name__,
        ran.line,
        trace_of(ran),
        regression.of_exception(function, arguments, trace_of(ran)),
    )


def of_compare(case: Case) -> Difference | Unconfirmed:
    """Checks whether two functions behave differently with the same arguments."""
    question = case.asked()
    attempt, drawn = _drawing(case, question)
    if attempt.starved:
        return Unconfirmed(attempt.starved)
    given = case.arguments(question)
    by_name = None if attempt.is_different else case.asked().attempt_by_name(given)
    if not attempt.is_different and by_name is None:
        return Unconfirmed()
    again = by_name and case.asked().attempt_by_name(given)
    is_repeated = by_name is None or (again and all(map(_ends_alike, by_name.rans, again.rans)))
    if not is_repeated or not _is_steady(case, attempt.rans, drawn):
        return UNSTEADY
    attempt = by_name or attempt
    arguments = [given, given] if by_name else question.takes(given)
    described = case.described(question.function, given)
    explanations = [_explanation(question, arguments, attempt.rans, described, each) for each in (True, False)]
    return Difference(
        described,
        violations.CALL if by_name else question.cause(attempt),
        _behaviour(attempt.rans[0]),
        _behaviour(attempt.rans[1]),
        explanations[0],
        explanations[1],
        regression.of_difference(question.functions, arguments, explanations[0]),
    )


def _drawing(case: Case, question: Question, is_last_first: bool = False) -> tuple[Attempt, object]:
    """Runs the input; returns also the state in which this leaves Python's random numbers."""
    return case.run(question, is_last_first), random.getstate()


def _is_steady(case: Case, rans: Sequence[trial.Ran], drawn: object) -> bool:
    """Whether both functions behave the same when they run again, also if the second one runs first.

    A function that uses random numbers or the clock differs even from itself, and a function that changes what the
    other one uses makes that one differ. Random numbers can repeat, but each leaves another state, unless the code sets it.
    """
    again = (_drawing(case, case.asked(), is_last_first=turn == 0) for turn in range(STEADY_RUNS))
    return all(left == drawn and all(map(_ends_alike, rans, each.rans)) for each, left in again)


def _ends_alike(one: trial.Ran, other: trial.Ran) -> bool:
    """Whether two runs of a function ended in the same way; each run loaded its own classes, so objects are compared
    as texts."""
    if one.kind != other.kind or one.type.__name__ != other.type.__name__:
        return False
    source = shown.Source(by_fields=True)
    texts = [[source.of(each) for each in (ran.value, *ran.after)] for ran in (one, other)]
    return texts[0] == texts[1]


def of_branches(case: Case) -> Taken | Unconfirmed:
    """Returns the sides that the call takes."""
    sites, question = case.watched()
    attempt = case.run(question)
    if attempt.is_excluded or attempt.starved:
        return Unconfirmed(attempt.starved)
    arguments = case.arguments(question)
    return Taken({name: shown.exact(value) for name, value in arguments.items()}, sites.outcomes())


# ---- In words.


def trace_of(ran: trial.Ran, names_line: bool = True) -> str:
    """Describes where and how a call ended with an exception."""
    message, where = text_of_error(ran.error), f" at line {ran.line}" if names_line and ran.line else ""
    return f"{ran.type.__name__}{where}{f': {message}' if message else ''}"


def result_of(ran: trial.Ran) -> Json:
    """Returns a call's result as JSON, or its exception as text."""
    if ran.error is None:
        return shown.as_json(ran.value)
    message = text_of_error(ran.error)
    return f"raises {ran.type.__name__}{f': {message}' if message else ''}"


def _repr_of(ran: trial.Ran) -> str | None:
    """Writes a value as Python source: JSON distinguishes neither 0.0 from 0 nor a Decimal from a string."""
    return shown.cut(shown.Source().of(ran.value)) if ran.error is None else None


def _behaviour(ran: trial.Ran) -> Behaviour:
    return Behaviour(ran.kind, result_of(ran), _repr_of(ran), ran.type.__name__, ran.line)


def _explanation(
    question: Question,
    arguments: Sequence[Arguments],
    ran: Sequence[trial.Ran],
    described: Shown,
    names_lines: bool,
) -> str:
    source = shown.Source()
    calls = regression.both(source.call, question.functions, arguments)
    endings = [_ending(each, source, names_lines) for each in ran]
    if endings[0] == endings[1] and ran[0].type is not ran[1].type:
        endings = [f"{ending} ({each.type.__name__})" for ending, each in zip(endings, ran)]
    left = _left(question, ran, source)
    first, second = (f"{shown.cut(call)} {ending}{rest}" for call, ending, rest in zip(calls, endings, left))
    condition = described.path_condition
    return f"{first}, but {second}{f', where {condition}' if condition else ''}."


def _left(question: Question, ran: Sequence[trial.Ran], source: shown.Source) -> list[str]:
    """Describes how each call leaves its arguments and its object, if the calls differ in this."""
    pairs = [*zip(ran[0].after, ran[1].after)]
    differ = [not trial.same(a, b, twins=question.twins) for a, b in pairs]
    if not any(differ):
        return ["", ""]
    function = question.function
    if not function.makers and not function.target.first:
        return [f" and leaves its arguments as {shown.cut(source.of(each.after))}" for each in ran]
    names = [
        *function.signature.parameters,
        *(each for each in function.inputs.parameters if each not in function.signature.parameters),
    ]
    by_fields = shown.Source(by_fields=True)
    return [
        "".join(
            f" and leaves {name} as {shown.cut(by_fields.of(value))}"
            for name, value, differs in zip(names, each.after, differ)
            if differs
        )
        for each in ran
    ]


def _ending(ran: trial.Ran, source: shown.Source, names_lines: bool) -> str:
    if ran.error is None:
        return f"returns {shown.cut(source.of(ran.value))}"
    # The items that a generator yielded before it raised.
    items = f"gives {shown.cut(source.of(ran.value))} and " if ran.value else ""
    return f"{items}raises {trace_of(ran, names_lines)}"
