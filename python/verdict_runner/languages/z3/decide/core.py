"""Finds conflicting assertions if the program has not named them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import z3

from verdict_runner.evidence.budget import limit_ms
from verdict_runner.evidence.smt.solvers import plain_solver, solver_check, solver_set


def conflict(
    assertions: Iterable[z3.ExprRef],
    seconds: float,
) -> list[z3.ExprRef]:
    """Returns an unsatisfiable subset of the assertions, shrunk as far as time allows.

    The result is empty if the time is too short. A constraint is dropped only if the others were proved unsatisfiable
    without it, so the result is always a conflict.
    """
    until = time.monotonic() + seconds
    core = _ask(list(assertions), until)
    if core is None:
        return []
    for each in list(core):
        if time.monotonic() >= until or len(core) == 1:
            break
        if not any(each.eq(other) for other in core):
            continue
        rest = [other for other in core if not other.eq(each)]
        smaller = _ask(rest, until)
        core = core if smaller is None else smaller
    return core


def _ask(
    assertions: Sequence[z3.ExprRef],
    until: float,
) -> list[z3.ExprRef] | None:
    """Returns the assertions in Z3's unsat core; None if Z3 did not answer `unsat`."""
    left = until - time.monotonic()
    if left <= 0:
        return None
    solver = plain_solver()
    solver_set(solver, "timeout", limit_ms(left))
    labels = [z3.FreshBool("verdict") for _ in assertions]
    for label, assertion in zip(labels, assertions):
        z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, z3.Implies(label, assertion).as_ast())
    if solver_check(solver, *labels) != z3.unsat:
        return None
    needed = {each.get_id() for each in solver.unsat_core()}
    return [assertion for label, assertion in zip(labels, assertions) if label.get_id() in needed]
