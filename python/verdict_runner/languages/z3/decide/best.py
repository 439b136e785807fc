"""Finds the best values of an Optimize's objectives, and whether they were proved optimal."""

from __future__ import annotations

import z3

from verdict_runner.evidence.smt import aims as z3_aims
from verdict_runner.evidence.smt import solvers
from verdict_runner.evidence.smt.terms import or_elsewhere
from verdict_runner.languages.z3.decide import bounds
from verdict_runner.languages.z3.decide import optimum as z3_optimum
from verdict_runner.languages.z3.run import EXPLAIN_SECONDS_MAX, Check, the_run


def optimum_of(check: Check) -> tuple[z3.ModelRef, z3_optimum.Optimum | None]:
    """Returns a model with the best values of the objectives, these values, and whether they were proved optimal."""
    model, aims, bounds = check.known_model, check.aims, check.bounds
    if not aims:
        return model, None
    run, constraints = the_run(), check.constraints
    optimum = z3_optimum.Optimum(z3_optimum.shown(bounds), False)
    has_numbers = z3_optimum.finite(bounds)
    if check.is_endless and z3_optimum.covered([*constraints, z3_aims.better(aims, model)]):
        run.warn(
            "An objective has no best value that is a number: it is unbounded, or approached and never reached (epsilon). For every model there is a better one."
        )
        return model, optimum
    priority = run.priorities.get(id(check.solver), "lex")
    if priority != "lex" and len(bounds) > 1:
        run.warn(f"With priority {priority}, the objective values do not all belong to the model that is shown.")
        return model, optimum
    seconds = min(EXPLAIN_SECONDS_MAX, run.for_search())
    unsigned = z3_optimum.unsigned_note(
        aims, model, lambda negative: solvers.check([*constraints, negative], min(1.0, run.left())) == z3.sat
    )
    if unsigned:
        run.warn(unsigned)
    is_claimed = has_numbers and z3_optimum.is_reached(aims, bounds, model)
    model, is_best = z3_optimum.improved(constraints, aims, model, is_claimed, seconds)
    is_shown = has_numbers and z3_optimum.is_reached(aims, bounds, model)
    value = optimum.value if is_shown else z3_aims.reached(aims, model)
    if not has_numbers and not is_best:
        run.warn(
            "Z3's optimiser returned no number as the best value of an objective, which proves nothing for such a problem: the value shown is only that of this model, and there may be a better one."
        )
    elif is_best is None:
        run.warn(
            "Z3 reports this objective value as optimal, but for such a problem that is not a proof, and no proof was found in time."
        )
    elif is_best is False:
        run.warn(
            "Z3 reported this objective value as optimal, but there is a better one: it is only the value of this model."
        )
    return model, z3_optimum.Optimum(value, is_best is True)


def searched_again(check: Check) -> bounds.SearchResult:
    """Solves with a plain solver in the remaining time, for an Optimize whose own model is wrong."""
    return bounds.searched(check.constraints, check.aims, the_run().for_search())


def best_of(check: Check, result: bounds.SearchResult) -> tuple[z3.ModelRef, z3_optimum.Optimum | None]:
    """Returns a search's model with the objectives' values in it."""
    run, aims = the_run(), check.aims
    if not aims:
        return result.known_model, None
    is_best = result.is_best and (len(aims) == 1 or run.priorities.get(id(check.solver), "lex") == "lex")
    if not is_best:
        run.warn(
            "The objective is the best value found; it is not proved optimal: "
            f"raise timeout_ms{or_elsewhere(check.constraints)}."
        )
    return result.known_model, z3_optimum.Optimum(z3_aims.reached(aims, result.known_model), is_best)
