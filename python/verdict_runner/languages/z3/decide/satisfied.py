"""Checks whether a model satisfies its assertions."""

from __future__ import annotations

import z3

from verdict_runner.languages.z3.decide import mapped
from verdict_runner.languages.z3.run import RESERVE_SECONDS, Check, the_run


def contradicted(check: Check, model: z3.ModelRef) -> str | None:
    """Reports the first assertion that the model violates, or one with mapped arrays that is not known to hold.

    Other assertions that can't be evaluated are not checked.
    """
    run = the_run()
    hold = [(name, z3.BoolVal(True, check.solver.ctx)) for name in check.names]
    for assertion in check.constraints:
        if run.left() < RESERVE_SECONDS:
            run.warn("The check of the model against every assertion timed out.")
            return None
        value = model.eval(z3.substitute(assertion, *hold), model_completion=True)
        if not z3.is_true(value) and not z3.is_false(value) and mapped.has_maps(value):
            value = mapped.settled(value, min(mapped.SECONDS_MAX, run.left()))
            if value is None:
                return f"is not known to satisfy {_shown_place(assertion)}"
        if z3.is_false(value):
            return f"does not satisfy {_shown_place(assertion)}"
    return None


def _shown_place(assertion: z3.ExprRef) -> str:
    place = the_run().origins.get(assertion.get_id())
    return f"item {place[0][0]}, line {place[0][1]}" if place else assertion.sexpr()[:200]
