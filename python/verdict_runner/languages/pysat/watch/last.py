"""Looks up the engines' last answers."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from pysat.examples import lsu

from verdict_runner.languages.pysat import problem as evidence
from verdict_runner.languages.pysat.run import (
    MaxSat,
    is_maxsat,
    the_run,
)
from verdict_runner.languages.pysat.watch.models import replay, trimmed
from verdict_runner.languages.pysat.watch.questions import log_within


def last_model() -> list[int] | None:
    """The model of the last answer, as a program receives it; of a MaxSAT engine's answers, the best one.

    It was kept at the answer: the program may have changed or deleted the engine since.
    """
    run = the_run()
    problem = run.problems[True]
    if problem.kept is not None:
        problem.model = problem.kept
        replay(log_within(run.asked), problem.kept)
        run.note_read(problem, problem.kept)
    return None if problem.model is None else trimmed([*problem.model], problem.top)


def assumed_last(solver: object) -> Sequence[int]:
    """The assumptions of a solver's last call."""
    return log_within(solver).assumptions


def best_of(engine: MaxSat) -> list[int] | None:
    """The last model found by a MaxSAT engine, which is called now if it never ran. None if there is no model."""
    if "_verdict_found" not in vars(engine):
        _ask(engine)
    model = vars(engine)["_verdict_found"]
    return None if model is None else trimmed(model)


def answered(engine: object) -> evidence.Problem | None:
    """The last problem that a MaxSAT engine or a solver answered, with its model."""
    if not is_maxsat(engine):
        return log_within(engine).problem
    problem = copy.copy(vars(engine)["_verdict_answered"])
    problem.model = vars(engine)["_verdict_found"]
    return problem


def _ask(engine: MaxSat) -> object:
    return engine.solve() if isinstance(engine, lsu.LSU) else engine.compute()
