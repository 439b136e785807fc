"""A call that does not terminate: this is no verdict, but worth reporting, mostly where another function returned."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

from verdict_runner.symbolic.code.function import Arguments, Function
from verdict_runner.symbolic.run import shown, trial
from verdict_runner.symbolic.run.bounded import TooLong, bounded


def report(
    functions: Sequence[Function],
    takes: Callable[[Arguments], Sequence[Arguments]],
    arguments: Arguments,
    seconds: float,
) -> str | None:
    """A sentence about calls of the functions with these arguments, if one has not ended after this many processor
    seconds.

    `takes` returns each function's own arguments.
    """
    source, endless, ended = shown.Source(), [], []
    for function, own in zip(functions, takes(arguments)):
        call = shown.cut(source.call(function, own))
        try:
            with bounded(seconds):
                ran = trial.outcome(function, copy.deepcopy(own))
        except TooLong:
            endless.append(call)
        else:
            ended.append(f"{call} {_ending(ran, source)}")
    if not endless:
        return None
    others = f", while {ended[0]}" if ended else ""
    return f"Not part of the verdict, but worth a look: {' and '.join(endless)} had not ended after {seconds:.1f} s of computing{others}."


def _ending(ran: trial.Ran, source: shown.Source) -> str:
    return f"returns {shown.cut(source.of(ran.value))}" if ran.error is None else f"raises {ran.type.__name__}"
