"""Prepares the question `why` about Z3's assertions: what each line states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import z3

from verdict_runner.evidence.smt import aims as z3_aims
from verdict_runner.evidence.smt.aims import Aim
from verdict_runner.evidence.smt.problem import handed_over
from verdict_runner.languages import why
from verdict_runner.languages.z3.run import Check, Run
from verdict_runner.sandbox.program import Place


def why_question(
    run: Run, check: Check, aims: Sequence[Aim] = (), model: z3.ModelRef | None = None
) -> Mapping[str, object]:
    """Returns a solver's assertions by line; for an optimum, adds the constraint that a solution beats the model."""
    assumptions, asserted = check.assumptions, list(check.assertions)
    tracked = (each[0].place if len(each) == 1 else None for each in check.tracked.values())
    places = [*places_of(check), *tracked]
    better = [] if model is None else [z3_aims.better(aims, model)]
    places += [check.place for _ in assumptions]
    # A tracked constraint is asserted as `name => constraint`; asserting the name makes the constraint hold.
    stated = [*asserted, *check.names, *assumptions, *better]
    problem = {**handed_over(stated), "count": len(stated)}
    return why.why_question(problem, places, run.items)


def places_of(check: Check) -> list[Place | None]:
    """Each assertion's line, if it is unambiguous; the same constraint can be on several lines."""
    asserted = list(check.assertions)
    counts = Counter(each.get_id() for each in asserted)
    waiting = {key: statements for key, statements in check.stated.items() if len(statements) == counts[int(key)]}
    return [waiting[key].pop(0).place if waiting.get(key) else None for key in (each.get_id() for each in asserted)]
