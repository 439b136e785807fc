"""Decides the constraints of a solver: a checked answer, with warnings."""

from __future__ import annotations

from collections.abc import Mapping

import z3

from verdict_runner.languages.answer import Answer
from verdict_runner.languages.questions.ask import expect_objective
from verdict_runner.languages.z3 import solvers
from verdict_runner.languages.z3.confirm import claims as z3_claims
from verdict_runner.languages.z3.confirm import evidence as z3_evidence
from verdict_runner.languages.z3.confirm import models_read
from verdict_runner.languages.z3.confirm import optimum as z3_optimum
from verdict_runner.languages.z3.confirm import why as z3_why
from verdict_runner.languages.z3.confirm.terms import FLOATS_MADE, MISCOMPUTED_NAMES, makes_floats, miscomputed
from verdict_runner.languages.z3.decide import asked, best, checks, remarks
from verdict_runner.languages.z3.decide.bounds import SearchResult
from verdict_runner.languages.z3.decide.conflict import named_conflict
from verdict_runner.languages.z3.decide.satisfied import contradicted
from verdict_runner.languages.z3.decide.shown import shown, value_in
from verdict_runner.languages.z3.run import the_run
from verdict_runner.languages.z3.solvers import AnySolver
from verdict_runner.protocol import values


def decide(
    solver: AnySolver,
    variables: Mapping[str, object] | None,
    objective: object,
    own: Mapping[str, object] | None = None,
    claimed: bool | None = None,
) -> Answer:
    """The answer of a solver, with the values of `variables`, or else of all constants and of the program's `own` names.

    `claimed` is what the program says of whether there is a solution.
    """
    run = the_run()
    run.take_assumptions(solver, claimed)
    expect_objective(run.question, len(solvers.objectives_of(solver)) > 0)
    checks.expect_names_of_their_own(solver)
    verdict, ours = checks.checked(solver)
    checks.warn_of_checks(solver, verdict)
    answer = Answer(str(verdict), statistics=checks.statistics(solver))
    disbelief = _disbelief(solver, verdict, variables or {})
    if disbelief is not None:
        answer.status, answer.reason = "unknown", disbelief
    elif verdict == z3.unknown:
        answer.status, answer.reason = checks.undecided(solver, ours)
    elif verdict == z3.unsat:
        _tell_unsat(answer, solver, variables or {})
    else:
        _tell_sat(answer, solver, variables, objective, own)
    return answer


def _disbelief(solver: AnySolver, verdict: z3.CheckSatResult, variables: Mapping[str, object]) -> str | None:
    """Why a verdict is not believed: Z3 computes something wrongly in the expressions that it rests on.

    They are looked through only where the text of an item names such an operation.
    """
    run = the_run()
    if verdict == z3.unknown:
        return None
    constraints = run.constraints_of(solver)
    if any(MISCOMPUTED_NAMES.search(item) for item in run.items):
        wrong = miscomputed([*constraints, *solvers.objectives_of(solver), *z3_claims.expressions(variables)])
        if wrong:
            return f"Z3 computes this wrongly: {wrong}"
    return FLOATS_MADE if verdict == z3.unsat and makes_floats(constraints) else None


def _tell_unsat(answer: Answer, solver: AnySolver, variables: Mapping[str, object]) -> None:
    run = the_run()
    answer.status = "unsat"
    answer.under = checks.condition(solver)
    answer.unsat_core, answer.unsat_items = named_conflict(solver)
    answer.unconfirmed = None if id(solver) in run.under else checks.outdated(solver, variables)
    run.why_question = lambda: z3_why.why_question(run, solver)


def _tell_sat(
    answer: Answer,
    solver: AnySolver,
    variables: Mapping[str, object] | None,
    objective: object,
    own: Mapping[str, object] | None,
) -> None:
    """Tells of a model that satisfies the assertions; an optimiser with a wrong model is replaced by plain solving."""
    run = the_run()
    checks.expect_constraints(solver)
    search: SearchResult | None = run.searched.get(id(solver))
    if search is None:
        model, optimum = best.optimum_of(solver, solvers.model_of(solver))
    else:
        model, optimum = best.best_of(solver, search)
    wrong = contradicted(solver, model)
    if wrong is not None:
        search = best.searched_again(solver) if isinstance(solver, z3.Optimize) else None
        if search is not None and search.verdict == z3.unsat:
            _tell_unsat(answer, solver, variables or {})
            return
        if search is None or search.model is None or contradicted(solver, search.model) is not None:
            answer.status = "unknown"
            answer.reason = f"Z3 answered sat, but its model {wrong}; nothing is decided"
            return
        model, optimum = best.best_of(solver, search)
        run.warn(
            f"The model of Z3's optimiser {wrong}, so the constraints were solved again without the optimiser, step by step."
        )
    if search is not None and search.bound is not None and not search.is_best:
        answer.objective_bound = float(search.bound)
    _tell_values(answer, solver, variables, objective, own, model, optimum)


def _tell_values(
    answer: Answer,
    solver: AnySolver,
    variables: Mapping[str, object] | None,
    objective: object,
    own: Mapping[str, object] | None,
    model: z3.ModelRef,
    optimum: z3_optimum.Optimum | None,
) -> None:
    """Tells the values of a model that satisfies the assertions, and keeps what a second process needs to confirm them."""
    run, named = the_run(), variables or {}
    answer.model = shown(model, variables, own)
    answer.unchecked = [*z3_claims.computed(model, named, solver), *remarks.misnamed(model, named)]
    remarks.warn_of_division(solver, model, named)
    remarks.warn_of_free(solver, named)
    if objective is not None:
        answer.objective_value = values.plain(objective, lambda value: value_in(model, value))
    is_own = _is_own_objective(answer, objective, optimum)
    if is_own and z3_claims.computed(model, {"objective_value": objective}, solver):
        answer.unchecked = [*answer.unchecked, "objective_value"]
    if optimum:
        answer.objective_value, answer.optimal = optimum.value, optimum.is_best
    constraints, value = run.constraints_of(solver), answer.objective_value
    aims = best.aims_of(solver) if optimum and optimum.is_best else []
    exported = {**named, **({"objective": objective} if is_own else {})}
    answer.unconfirmed = models_read.doubt(
        run, solver, model, exported, z3_optimum.equations(aims, model), solvers.check
    )
    run.evidence = lambda: z3_evidence.of_sat(constraints, model, solvers.plain_solver, aims, value)
    run.why_question = (lambda: z3_why.why_question(run, solver, aims, model)) if aims else None
    run.space = lambda: asked.space(solver, model, variables, own, aims)


def _is_own_objective(answer: Answer, objective: object, optimum: z3_optimum.Optimum | None) -> bool:
    """Whether the program computed the objective: it is neither the optimum nor one of the solver's values."""
    if objective is None:
        return False
    value = answer.objective_value
    if optimum:
        proved = optimum.value
        if value != proved and not isinstance(proved, list):
            the_run().warn(
                f"The program says that the objective is {value}; this answer has that of the Optimize, {proved}."
            )
        return False
    of_solver = [each for name, each in (answer.model or {}).items() if name not in answer.unchecked]
    return type(value) not in (int, str) or value not in of_solver
