"""Decides a solver's constraints and returns a checked answer with warnings."""

from __future__ import annotations

from collections.abc import Mapping

import z3

from verdict_runner.evidence.questions.ask import expect_objective
from verdict_runner.evidence.smt import problem as z3_evidence
from verdict_runner.evidence.smt.terms import FINITE_SETS, has_finite_sets, terms
from verdict_runner.languages import why
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.z3.decide import asked, best, checks, remarks
from verdict_runner.languages.z3.decide import claims as z3_claims
from verdict_runner.languages.z3.decide import optimum as z3_optimum
from verdict_runner.languages.z3.decide import why as z3_why
from verdict_runner.languages.z3.decide.conflict import named_conflict
from verdict_runner.languages.z3.decide.satisfied import contradicted
from verdict_runner.languages.z3.decide.shown import constants, shown, value_in
from verdict_runner.languages.z3.run import Check, the_run
from verdict_runner.protocol import values


def decide(
    check: Check,
    variables: Mapping[str, object] | None,
    objective: object,
    own: Mapping[str, object] | None = None,
) -> Answer:
    """A check's answer, with the values of `variables`, or else of all constants and the program's `own` names."""
    run = the_run()
    expect_objective(run.question, len(check.aims) > 0)
    checks.expect_names_of_their_own(check)
    check, ours = checks.decided(check)
    checks.warn_of_checks(check)
    answer = Answer(str(check.verdict), statistics=checks.statistics(check.solver))
    disbelief = _disbelief(check, variables or {})
    if disbelief is not None:
        answer.status, answer.reason = "unknown", disbelief
    elif check.verdict == z3.unknown:
        answer.status, answer.reason = checks.undecided(check, ours)
    elif check.verdict == z3.unsat:
        _tell_unsat(answer, check, variables or {})
    else:
        _tell_sat(answer, check, variables, objective, own)
    return answer


def _disbelief(check: Check, variables: Mapping[str, object]) -> str | None:
    """Returns why a verdict is not accepted: Z3 answers incorrectly on finite sets.

    The expressions are searched for finite sets only if an item's source mentions such sets.
    """
    if check.verdict == z3.unknown or not any(FINITE_SETS.search(item) for item in the_run().items):
        return None
    goals = [expression for expression, _ in check.aims]
    if not has_finite_sets([*check.constraints, *goals, *z3_claims.expressions(variables)]):
        return None
    return "Z3 handles finite sets incorrectly; use SetSort, or a Bool for each possible element, counted with Sum(If(b, 1, 0) …)"


def _tell_unsat(answer: Answer, check: Check, variables: Mapping[str, object]) -> None:
    run = the_run()
    answer.status = "unsat"
    answer.under = checks.condition(check)
    answer.unsat_core, answer.unsat_items = named_conflict(check)
    answer.unconfirmed = checks.outdated(check, variables)
    run.why_question = lambda: z3_why.why_question(run, check)


def _tell_sat(
    answer: Answer,
    check: Check,
    variables: Mapping[str, object] | None,
    objective: object,
    own: Mapping[str, object] | None,
) -> None:
    """Reports a model that satisfies the assertions; if an optimiser's model is wrong, uses a plain solver instead."""
    run = the_run()
    checks.expect_constraints(check)
    search = check.search
    model, optimum = best.optimum_of(check) if search is None else best.best_of(check, search)
    wrong = contradicted(check, model)
    if wrong is not None:
        search = best.searched_again(check) if isinstance(check.solver, z3.Optimize) else None
        if search is not None and search.verdict == z3.unsat:
            _tell_unsat(answer, check, variables or {})
            return
        if search is None or search.model is None or contradicted(check, search.model) is not None:
            answer.status = "unknown"
            answer.reason = f"Z3 answered sat, but its model {wrong}; nothing is decided"
            return
        model, optimum = best.best_of(check, search)
        run.warn(
            f"The model of Z3's optimiser {wrong}, so the constraints were solved again without the optimiser, step by step."
        )
    if search is not None and search.bound is not None and not search.is_best:
        answer.objective_bound = float(search.bound)
    _tell_values(answer, check, variables, objective, own, model, optimum)


def _tell_values(
    answer: Answer,
    check: Check,
    variables: Mapping[str, object] | None,
    objective: object,
    own: Mapping[str, object] | None,
    model: z3.ModelRef,
    optimum: z3_optimum.Optimum | None,
) -> None:
    """Reports the values in a model of the assertions, and keeps what a second process needs to confirm them."""
    run, named = the_run(), variables or {}
    if len(run.solvers) + len(run.asides) > 1:
        # If there are several solvers, the checked one decided nothing about the others' constants.
        decided = {each.get_id() for each in terms([*check.constraints, *(term for term, _ in check.aims)])}
        own = {"": [each for each in constants(own or {}) if each.get_id() in decided]}
    answer.model = shown(model, variables, own)
    answer.unchecked = [*z3_claims.not_of_solver(model, named, check.solver), *remarks.misnamed(model, named)]
    remarks.warn_of_division(check, model, named)
    remarks.warn_of_free(check, named)
    if objective is not None:
        answer.objective_value = values.plain(objective, lambda value: value_in(model, value))
    is_own = _is_own_objective(answer, objective, optimum)
    if is_own and z3_claims.not_of_solver(model, {"objective_value": objective}, check.solver):
        answer.unchecked = [*answer.unchecked, "objective_value"]
    if optimum:
        answer.objective_value, answer.optimal = optimum.value, optimum.is_best
    constraints, value = check.constraints, answer.objective_value
    aims = check.aims if optimum and optimum.is_best else []
    run.evidence = lambda: z3_evidence.of_sat(constraints, model, aims, value)
    run.why_question = (lambda: z3_why.why_question(run, check, aims, model)) if aims else None
    run.shown_as = lambda: why.shown_as(z3_why.places_of(check), {})
    run.space = lambda: asked.space(check, model, variables, own, aims)


def _is_own_objective(answer: Answer, objective: object, optimum: z3_optimum.Optimum | None) -> bool:
    """Whether the program computed the objective: it is neither the optimum nor one of the solver's values."""
    if objective is None:
        return False
    value = answer.objective_value
    if optimum:
        proved = optimum.value
        if value != proved and not isinstance(proved, list):
            the_run().warn(
                f"The program says that the objective is {value}; this answer has the Optimize's value, {proved}."
            )
        return False
    of_solver = [each for name, each in (answer.model or {}).items() if name not in answer.unchecked]
    return type(value) not in (int, str) or value not in of_solver
