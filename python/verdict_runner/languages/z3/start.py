"""Uses the model's last solution as the first values to try.

Z3's own `set_initial_value` is not used: in Z3 5.4, it leads to models that violate bounds, and to crashes.
"""

from __future__ import annotations

import z3

from verdict_runner.evidence.budget import limit_ms
from verdict_runner.evidence.smt.solvers import (
    AnySolver,
    plain_solver,
    solver_assert,
    solver_check,
    solver_model,
    solver_set,
)
from verdict_runner.languages.hints import Number, by_name
from verdict_runner.languages.z3.run import Run

# The maximum number of terms that are searched for constants.
TERMS_MAX = 20_000
# The share of the remaining time, and the maximum, for finding out whether the last solution is still one.
SHARE, SECONDS_MAX = 0.1, 2.0


def equations(run: Run, solver: AnySolver) -> list[z3.BoolRef]:
    """Returns an equation for each constant whose value is known, before the first check of a solver."""
    if not run.hint or run.times[id(solver)] > 0:
        return []
    known, found = by_name(run.hint), list[z3.BoolRef]()
    waiting, seen = [*solver.assertions()], set[int]()
    while waiting and len(seen) < TERMS_MAX:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        waiting += term.children()
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            value = _value(term.sort(), known.get(term.decl().name()))
            if value is not None:
                found.append(term == value)
    return found


def solution(run: Run, solver: z3.Solver) -> z3.ModelRef | None:
    """Returns a model with the values of the last solution, if there is one."""
    start = equations(run, solver)
    if not start:
        return None
    aside = plain_solver()
    solver_set(aside, "timeout", limit_ms(min(SECONDS_MAX, SHARE * run.left())))
    solver_assert(aside, *solver.assertions(), *run.names_of(solver), *start)
    return solver_model(aside) if solver_check(aside) == z3.sat else None


def _value(sort: z3.SortRef, number: Number | None) -> z3.ExprRef | None:
    """Converts a number to a value of a sort; None if the sort has none."""
    kind = sort.kind()
    if number is None or (kind != z3.Z3_REAL_SORT and not isinstance(number, int)):
        return None
    if kind == z3.Z3_REAL_SORT:
        return z3.RealVal(str(number), sort.ctx)
    if kind == z3.Z3_INT_SORT:
        return z3.IntVal(str(number), sort.ctx)
    if kind == z3.Z3_BV_SORT and isinstance(sort, z3.BitVecSortRef):
        return z3.BitVecVal(str(number), sort.size(), sort.ctx)
    return z3.BoolVal(number == 1, sort.ctx) if kind == z3.Z3_BOOL_SORT and number in (0, 1) else None
