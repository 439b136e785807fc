"""Limits a program's MaxSAT engine to its share of the time, and then passes it the result of a search."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import pysat.solvers
from pysat.examples import lsu, rc2

from verdict_runner.languages.pysat.best import share
from verdict_runner.languages.pysat.problem import Problem
from verdict_runner.languages.pysat.run import MaxSat, the_run

# The solvers without a conflict limit. The first of them only forwards its queries.
UNLIMITED = (
    pysat.solvers.Solver,
    pysat.solvers.Lingeling,
    pysat.solvers.CryptoMinisat,
    pysat.solvers.Kissat404,
)


def stopped_at(solver: object, keywords: Mapping[str, object]) -> float | None:
    """Returns when a solver's engine has to stop; None if it need not, or only the program itself stops it.

    Raises `ShareOver` if the engine has to stop now.
    """
    until = the_run().engine_until
    if until is None or isinstance(solver, UNLIMITED) or keywords.get("expect_interrupt"):
        return None
    if vars(solver).get("_verdict_bounded"):
        share.expect_time(until)
        return None
    return until


def within_share(engine: MaxSat, is_outermost: bool, problem: Problem, ask: Callable[[], object]) -> object:
    """Returns the engine's result if it ends within its share of the time, else the best solution of a search."""
    run = the_run()
    if vars(engine).get("_verdict_stopped"):
        vars(engine)["_verdict_undecided"] = True
        return None
    is_first = is_outermost and not vars(engine).get("_verdict_solved", False)
    # A job without a program checks another job's answer, so its engines are never replaced.
    if not run.items or not is_first or problem.reason is not None:
        return ask()
    run.engine_until = time.monotonic() + share.ENGINE_SHARE * run.left()
    try:
        return ask()
    except share.ShareOver:
        run.engine_until = None
        return _stopped(engine, problem)
    finally:
        run.engine_until = None


def _stopped(engine: MaxSat, problem: Problem) -> object:
    """Passes a stopped engine the best solution found by a search; returns what the engine's method would return."""
    run, own = the_run(), vars(engine)
    own["_verdict_stopped"] = True
    # A core-guided engine's cost is a lower bound. LSU instead has a solution with its cost.
    proved = 0 if isinstance(engine, lsu.LSU) else engine.cost
    bound = proved if type(proved) is int else None
    run.news.begin()
    best = share.searched(problem, own.get("model") or (), run.for_search(), lambda cost: run.news.tell(cost, bound))
    run.news.finish()
    if best.model is None:
        own["_verdict_undecided"] = not best.is_refuted
        return None
    engine.model, engine.cost = best.model, best.cost
    if bound is None or bound < best.cost:
        own["_verdict_incumbent"] = share.Incumbent(best.cost, problem, bound)
        run.warn(
            f"{type(engine).__name__} did not finish in its share of the time; this is the best solution that a search "
            "found in the remaining time. For a proof, raise timeout_ms."
        )
    return best.model if isinstance(engine, rc2.RC2) else True
