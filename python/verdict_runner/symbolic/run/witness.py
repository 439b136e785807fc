"""What an input showed when it was run, told to readers: the call, what came of it, why, and a test of it."""

import copy

from verdict_runner.symbolic.code import instrument
from verdict_runner.symbolic.code.subject import said
from verdict_runner.symbolic.run import pairing, regression, shown, tagged, trial
from verdict_runner.symbolic.run.bounded import TooLong, bounded
from verdict_runner.symbolic.run.inspection import load
from verdict_runner.symbolic.run.probe import run_both

# A path condition is only told: the run that reads it off is not worth waiting for longer.
CONDITION_SECONDS = 2
# Decorators that really watch over a call.
WATCHING = ("icontract", "deal")
# How much memory there is here is no matter of the code: what it does without shows nothing.
STARVED = {"confirmed": False, "why": "memory ran out here"}


class Case:
    """One input of one question, and the code, loaded as often as it takes: each run finds it new."""

    def __init__(self, code, modules, request):
        self._code = code
        self._modules = modules
        self._request = request
        self._source = shown.Source()

    def loaded(self, sites=None):
        subject = load(self._code, self._modules, self._request, sites)
        return subject, [subject.function(name) for name in self._request["functions"]]

    def arguments(self, subject):
        """The input, as new values."""
        return tagged.decode(self._request["input"], subject)

    def told(self, function, arguments, run):
        """The fields that each witness begins with; `run(functions, arguments)` takes the same path again."""
        many = [each.name for each in function.signature.parameters.values() if each.kind is each.VAR_KEYWORD]
        named = {name: shown.as_json(value) for name, value in arguments.items() if name not in many}
        further = {key: shown.as_json(value) for name in many for key, value in arguments.get(name, {}).items()}
        return {
            "confirmed": True,
            "args": named,
            "kwargs": further,
            "call": self._source.call(function, arguments),
            "path_condition": self._condition(run),
        }

    def _condition(self, run):
        sites = instrument.Sites(self._request["functions"])
        try:
            with bounded(CONDITION_SECONDS):
                subject, functions = self.loaded(sites)
                sites.clear()
                run(functions, self.arguments(subject))
        except TooLong:
            pass
        return sites.condition()


def of_check(case):
    """Whether the call breaks the contract."""
    subject, (function,) = case.loaded()
    judged = trial.check(function, case.arguments(subject))
    violation = judged.violation
    if trial.out_of_memory(judged.error):
        return STARVED
    if violation is None or not _really_raises(case, violation, function):
        return {"confirmed": False}
    arguments = case.arguments(subject)
    told = case.told(function, arguments, lambda functions, given: trial.check(functions[0], given))
    trace = trace_of(judged.ran) if judged.error is not None else None
    return {
        **told,
        "kind": violation.kind,
        "violation": violation.text,
        "line": violation.line,
        "actual_result": result_of(judged.ran),
        "actual_repr": _repr_of(judged.ran),
        "stack_trace": trace,
        "test": regression.of_violation(
            function, arguments, violation, f"{violation.text}{f' ({trace})' if trace else ''}"
        ),
    }


def _really_raises(case, violation, function):
    """Whether the decorated function fails, too, where its decorators are to see to it."""
    if not set(WATCHING) & set(function.contract.styles):
        return True
    if violation.kind == "return_type" or (
        violation.condition is not None and violation.condition.style not in WATCHING
    ):
        return True
    subject, (decorated,) = case.loaded()
    return trial.outcome(decorated, case.arguments(subject)).error is not None


def of_raises(case, name):
    """Whether the call raises an exception of this name."""
    subject, (function,) = case.loaded()
    ran = trial.outcome(function, case.arguments(subject))
    if trial.out_of_memory(ran.error):
        return STARVED
    if not isinstance(ran.error, subject.exception(name)):
        return {"confirmed": False}
    arguments = case.arguments(subject)
    return {
        **case.told(function, arguments, lambda functions, given: trial.outcome(functions[0], given)),
        "exception": ran.type.__name__,
        "message": said(ran.error),
        "line": ran.line,
        "stack_trace": trace_of(ran),
        "test": regression.of_exception(function, arguments, trace_of(ran)),
    }


def of_compare(case):
    """Whether two functions do something else with the same arguments."""
    subject, functions = case.loaded()
    pair = pairing.pair(*functions)
    ran = run_both(pair, case.arguments(subject))
    if any(trial.out_of_memory(each.error) for each in ran):
        return STARVED
    if trial.alike(*ran):
        return {"confirmed": False}
    arguments = case.arguments(subject)
    told = case.told(pair.first, arguments, lambda functions, given: run_both(pairing.pair(*functions), given))
    explanation = _explanation(pair, arguments, ran, told)
    return {
        **told,
        "function_a": _behaviour(ran[0], arguments),
        "function_b": _behaviour(ran[1], arguments),
        "explanation": explanation,
        "test": regression.of_difference(pair, arguments, explanation),
    }


def of_branches(case, sites):
    """The sides that the call takes."""
    subject, (function,) = case.loaded(sites)
    sites.clear()
    arguments = case.arguments(subject)
    shown_arguments = {name: shown.as_json(value) for name, value in copy.deepcopy(arguments).items()}
    trial.outcome(function, arguments)
    return {"confirmed": True, "args": shown_arguments, "outcomes": sites.outcomes()}


# ---- In words.


def trace_of(ran):
    """Where and how a call ended, when it did so by an exception."""
    message, where = said(ran.error), f" at line {ran.line}" if ran.line else ""
    return f"{ran.type.__name__}{where}{f': {message}' if message else ''}"


def result_of(ran):
    """What a call gave, as JSON; an exception as text."""
    if ran.error is None:
        return shown.as_json(ran.value)
    message = said(ran.error)
    return f"raises {ran.type.__name__}{f': {message}' if message else ''}"


def _repr_of(ran):
    """A value as Python writes it: JSON knows neither 0.0 from 0 nor a Decimal from a text."""
    return shown.cut(shown.Source().of(ran.value)) if ran.error is None else None


def _behaviour(ran, before):
    changed = not all(trial.same(a, b) for a, b in zip(ran.after, before.values()))
    told = {
        "kind": ran.kind,
        "result": result_of(ran),
        "repr": _repr_of(ran),
        "type": ran.type.__name__,
        "line": ran.line,
    }
    return {**told, "arguments_after": [shown.as_json(each) for each in ran.after]} if changed else told


def _explanation(pair, arguments, ran, told):
    source = shown.Source()
    calls = (source.call(pair.first, arguments), source.call(pair.second, pair.for_second(arguments)))
    endings = [_ending(each, source) for each in ran]
    if endings[0] == endings[1] and ran[0].type is not ran[1].type:
        endings = [f"{ending} ({each.type.__name__})" for ending, each in zip(endings, ran)]
    if all(trial.same(a, b) for a, b in zip(ran[0].after, ran[1].after)):
        left = ["", ""]
    else:
        left = [f" and leaves its arguments as {shown.cut(source.of(each.after))}" for each in ran]
    first, second = (f"{shown.cut(call)} {ending}{rest}" for call, ending, rest in zip(calls, endings, left))
    condition = told["path_condition"]
    return f"{first}, but {second}{f', where {condition}' if condition != 'True' else ''}."


def _ending(ran, source):
    return (
        f"returns {shown.cut(source.of(ran.value))}"
        if ran.error is None
        else trace_of(ran).replace(ran.type.__name__, f"raises {ran.type.__name__}", 1)
    )
