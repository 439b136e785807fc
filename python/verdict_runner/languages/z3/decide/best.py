"""The best values of the objectives of an Optimize, and whether they were proved."""

from __future__ import annotations

import z3

from verdict_runner.languages.z3 import solvers
from verdict_runner.languages.z3.confirm import optimum as z3_optimum
from verdict_runner.languages.z3.decide import bounds
from verdict_runner.languages.z3.run import EXPLAIN_SECONDS_MAX, the_run
from verdict_runner.languages.z3.solvers import AnySolver


def optimum_of(solver: AnySolver, model: z3.ModelRef) -> tuple[z3.ModelRef, z3_optimum.Optimum | None]:
    """A model with the best values of the objectives, these values, and whether they were proved optimal."""
    if not isinstance(solver, z3.Optimize) or len(solver.objectives()) == 0:
        return model, None
    run, bounds = the_run(), z3_optimum.bounds_of(solver)
    optimum = z3_optimum.Optimum(z3_optimum.shown(bounds), False)
    aims, constraints = aims_of(solver), run.constraints_of(solver)
    has_numbers = z3_optimum.finite(bounds)
    if z3_optimum.is_endless(solver, aims) and z3_optimum.covered([*constraints, z3_optimum.better(aims, model)]):
        run.warn(
            "An objective has no best value that is a number: it is unbounded, or approached and never reached (epsilon). For every model there is a better one."
        )
        return model, optimum
    priority = run.priorities.get(id(solver), "lex")
    if priority != "lex" and len(bounds) > 1:
        run.warn(
            f"With priority {priority} the values of the objectives do not all belong to the one model that is shown."
        )
        return model, optimum
    seconds = min(EXPLAIN_SECONDS_MAX, run.for_search())
    unsigned = z3_optimum.unsigned_note(
        aims, model, lambda negative: solvers.check([*constraints, negative], min(1.0, run.left())) == z3.sat
    )
    if unsigned:
        run.warn(unsigned)
    is_claimed = has_numbers and z3_optimum.is_reached(aims, bounds, model)
    model, is_best = z3_optimum.improved(constraints, aims, model, is_claimed, seconds, solvers.plain_solver)
    is_shown = has_numbers and z3_optimum.is_reached(aims, bounds, model)
    value = optimum.value if is_shown else z3_optimum.reached(aims, model)
    if not has_numbers and not is_best:
        run.warn(
            "Z3's optimiser gave no number as the best value of an objective, which proves nothing for such a problem: it is only the value of this model, and there may be a better one."
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


def searched_again(solver: z3.Optimize) -> bounds.SearchResult:
    """The result of plain solving in the remaining time, for an Optimize whose own model is wrong."""
    run = the_run()
    return bounds.searched(run.constraints_of(solver), aims_of(solver), run.for_search(), solvers.plain_solver)


def best_of(solver: AnySolver, result: bounds.SearchResult) -> tuple[z3.ModelRef, z3_optimum.Optimum | None]:
    """The model of a search, with the values of the objectives in it."""
    run = the_run()
    aims = aims_of(solver)
    if not aims:
        return result.known_model, None
    is_best = result.is_best and (len(aims) == 1 or run.priorities.get(id(solver), "lex") == "lex")
    if not is_best:
        run.warn(
            "The objective is the best value found; it is not proved optimal: raise timeout_ms, or state it in language minizinc with solver highs (sums) or in language cpmpy (whole numbers)."
        )
    return result.known_model, z3_optimum.Optimum(z3_optimum.reached(aims, result.known_model), is_best)


def aims_of(solver: AnySolver) -> list[z3_optimum.Aim]:
    """The objectives of a solver, in the order in which the program stated them."""
    if not isinstance(solver, z3.Optimize):
        return []
    return z3_optimum.aims(solver, the_run().objectives.get(id(solver), {}))
