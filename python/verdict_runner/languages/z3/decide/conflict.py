"""Identifies conflicting constraints by the program's own names and by their positions in the items."""

from __future__ import annotations

import z3

from verdict_runner.evidence.smt.problem import handed_over
from verdict_runner.languages.answer import ItemLine
from verdict_runner.languages.why import lines_of
from verdict_runner.languages.z3.decide import core as z3_core
from verdict_runner.languages.z3.run import EXPLAIN_SECONDS_MAX, Check, the_run


def named_conflict(check: Check) -> tuple[list[str] | None, list[ItemLine] | None]:
    """Returns the conflicting constraints by the program's own names and by their positions in the items."""
    run = the_run()
    # The rest of the time is for the second process, since a conflict can be harder to decide than all constraints
    # together.
    seconds = min(EXPLAIN_SECONDS_MAX, run.left() / 2)
    named, stated = check.tracked, check.stated
    assumed = {each.get_id() for each in check.assumptions}
    assertions = check.constraints
    core = z3_core.conflict(assertions, seconds)
    conflicting = core or assertions
    run.evidence = lambda: handed_over(conflicting)
    names = [str(each) for each in core if z3.is_const(each) and str(each) in named]
    # A copied solver's constraints were added to another solver.
    origins = {key: origin[0] for key, origin in run.origins.items()} | {
        key: each[-1].place for key, each in stated.items()
    }
    places = [origins.get(each.get_id()) for each in core]
    places += [named[name][-1].place for name in names]
    assumptions = [each for each in core if each.get_id() in assumed]
    names += [str(each) for each in assumptions if str(each) not in names]
    places += [check.place] if check.place and assumptions else []
    if not names and not any(places):
        run.warn(
            "The conflicting constraints are not known: the search for them timed out, or they were given as SMT-LIB text."
        )
    return names or None, lines_of(run.items, places) if any(places) else None
