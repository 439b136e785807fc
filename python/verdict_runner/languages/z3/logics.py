"""Uses Z3's solvers for single logics, which answer while the program's own solver keeps the constraints."""

from __future__ import annotations

from collections.abc import Callable

import z3

from verdict_runner.evidence.smt.solvers import (
    AnySolver,
    plain_solver,
    solver_assert,
    solver_check,
    solver_model,
    solver_set,
)
from verdict_runner.languages.z3 import start
from verdict_runner.languages.z3.decide import bounds
from verdict_runner.languages.z3.run import Run

# Outside their theory, these logics' solvers answer `unknown`, or with a model that violates the constraints. The
# solvers for other logics give wrong answers.
KNOWN = ("QF_FD", "QF_LIA", "QF_LRA")


def checked(
    run: Run, solver: AnySolver, ask: Callable[[], z3.CheckSatResult]
) -> tuple[z3.CheckSatResult, bounds.SearchResult | None]:
    """Returns the answer of a logic's solver, if the program requested one and it decides; else the solver's own.

    If the model's last solution is still one, it is the answer of a solver without an objective.
    """
    known = start.solution(run, solver) if isinstance(solver, z3.Solver) else None
    if known is not None:
        return z3.sat, bounds.SearchResult(z3.sat, known, False, None)
    logic = run.logics.get(id(solver))
    result = None if logic is None or run.names_of(solver) else _by_logic(run, solver, logic)
    if result is None:
        return bounds.checked(run, solver, ask)
    return result.verdict, result if result.model is not None else None


def _by_logic(run: Run, solver: AnySolver, logic: str) -> bounds.SearchResult | None:
    """Asks a logic's solver, after adding the new constraints; it drops terms, so it can't serve as the record."""
    added, known = run.added.get(id(solver), []), run.beside.pop(id(solver), None)
    try:
        if known is None or added is None:
            known, added = plain_solver(logic=logic), [*solver.assertions()]
        solver_assert(known, *added)
        if id(solver) in run.limits_ms:
            solver_set(known, "timeout", run.limits_ms[id(solver)])
        verdict = solver_check(known)
        model = solver_model(known) if verdict == z3.sat else None
    except z3.Z3Exception:
        return None
    is_solution = (
        model is not None
        and _is_of_program(model)
        and all(z3.is_true(model.eval(each, True)) for each in solver.assertions())
    )
    if verdict != z3.unsat and not is_solution:
        return None
    run.beside[id(solver)] = known
    return bounds.SearchResult(verdict, model, False, None)


def _is_of_program(model: z3.ModelRef) -> bool:
    """Whether a model assigns only the program's own names.

    A logic's solver treats operators outside its theory as unknown functions.
    """
    return all(each.kind() == z3.Z3_OP_UNINTERPRETED for each in model.decls())
