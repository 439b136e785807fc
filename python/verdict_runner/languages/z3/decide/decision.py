"""Decides the constraints of a solver: a checked answer, with warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import z3

from verdict_runner.languages.answer import Answer, ItemLine
from verdict_runner.languages.questions.ask import expect_objective
from verdict_runner.languages.record import LAST_OF_SEVERAL
from verdict_runner.languages.z3 import objectives, solvers
from verdict_runner.languages.z3.confirm import claims as z3_claims
from verdict_runner.languages.z3.confirm import evidence as z3_evidence
from verdict_runner.languages.z3.confirm import models_read
from verdict_runner.languages.z3.confirm import optimum as z3_optimum
from verdict_runner.languages.z3.confirm import why as z3_why
from verdict_runner.languages.z3.confirm.terms import FLOATS_MADE, MISCOMPUTED_NAMES, makes_floats, miscomputed
from verdict_runner.languages.z3.decide import asked, bounds, mapped, remarks
from verdict_runner.languages.z3.decide import core as z3_core
from verdict_runner.languages.z3.decide.shown import shown, value_in
from verdict_runner.languages.z3.run import RESERVE_SECONDS, Place, the_run, where
from verdict_runner.languages.z3.solvers import AnySolver
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

ASSUMPTIONS = "the assumptions that check() was given"
EXPLAIN_SECONDS_MAX = 5.0
NAMES_MAX = 10


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
    expect_objective(run.question, isinstance(solver, z3.Optimize) and len(solver.objectives()) > 0)
    _expect_names_of_their_own(solver)
    verdict, ours = _checked(solver)
    _warn_of_checks(solver, verdict)
    answer = Answer(str(verdict), statistics=_statistics(solver))
    wrong_in_z3 = _miscomputed(solver, variables or {})
    if wrong_in_z3 and verdict != z3.unknown:
        answer.status, answer.reason = "unknown", f"Z3 computes this wrongly: {wrong_in_z3}"
        return answer
    if verdict == z3.unsat and makes_floats(run.constraints_of(solver)):
        answer.status, answer.reason = "unknown", FLOATS_MADE
        return answer
    if verdict == z3.unknown:
        answer.status, answer.reason = _open(solver, ours)
        return answer
    if verdict == z3.unsat:
        answer.under = _condition(solver)
        answer.unsat_core, answer.unsat_items = _conflict(solver)
        answer.unconfirmed = None if id(solver) in run.under else _outdated(solver, variables or {})
        run.why_question = lambda: z3_why.why_question(run, solver)
        return answer
    _expect_constraints(solver)
    searched = run.searched.get(id(solver))
    model, optimum = _optimum(solver, solvers.model_of(solver)) if searched is None else _best_of(solver, searched)
    wrong = _contradicted(solver, model)
    if wrong is not None:
        verdict, model, optimum = _solved_again(solver) if isinstance(solver, z3.Optimize) else (z3.unknown, None, None)
        if verdict == z3.unsat:
            answer.status = "unsat"
            answer.under = _condition(solver)
            answer.unsat_core, answer.unsat_items = _conflict(solver)
            run.why_question = lambda: z3_why.why_question(run, solver)
            return answer
        if model is None or _contradicted(solver, model) is not None:
            answer.status = "unknown"
            answer.reason = f"Z3 answered sat, but its model {wrong}; nothing is decided"
            return answer
        run.warn(
            f"The model of Z3's optimiser {wrong}, so the constraints were solved again without the optimiser, step by step."
        )
    answer.model = shown(model, variables, own)
    unchecked = [*z3_claims.computed(model, variables or {}, solver), *_misnamed(model, variables or {})]
    _warn_of_division(solver, model, variables or {})
    _warn_of_free(solver, variables or {})
    if objective is not None:
        answer.objective_value = values.plain(objective, lambda value: value_in(model, value))
    answer.unchecked = unchecked
    is_own = _is_own_objective(answer, objective, optimum)
    if is_own and z3_claims.computed(model, {"objective_value": objective}, solver):
        answer.unchecked = [*unchecked, "objective_value"]
    if optimum:
        answer.objective_value, answer.optimal = optimum.value, optimum.is_best
    if searched is not None and searched.bound is not None and wrong is None and not searched.is_best:
        answer.objective_bound = float(searched.bound)
    constraints, best = run.constraints_of(solver), answer.objective_value
    aims = _aims(solver) if isinstance(solver, z3.Optimize) and optimum and optimum.is_best else []
    exported = {**(variables or {}), **({"objective": objective} if is_own else {})}
    answer.unconfirmed = models_read.doubt(
        run, solver, model, exported, z3_optimum.equations(aims, model), solvers.check
    )
    run.evidence = lambda: z3_evidence.of_sat(constraints, model, solvers.plain_solver, aims, best)
    run.why_question = (lambda: z3_why.why_question(run, solver, aims, model)) if aims else None
    run.space = lambda: asked.space(solver, model, variables, own, aims)
    return answer


def _miscomputed(solver: AnySolver, variables: Mapping[str, object]) -> str | None:
    """What Z3 computes wrongly in the expressions that an answer rests on; they are looked through where the text names it."""
    run = the_run()
    if not any(MISCOMPUTED_NAMES.search(item) for item in run.items):
        return None
    return miscomputed([*run.constraints_of(solver), *_objectives(solver), *z3_claims.expressions(variables)])


def _objectives(solver: AnySolver) -> Iterable[z3.ExprRef]:
    return solver.objectives() if isinstance(solver, z3.Optimize) else ()


def _is_own_objective(answer: Answer, objective: object, optimum: z3_optimum.Optimum | None) -> bool:
    """Whether the program computed the objective: it is neither the optimum nor one of the solver's values."""
    if objective is None:
        return False
    value = answer.objective_value
    if optimum:
        best = optimum.value
        if value != best and not isinstance(best, list):
            the_run().warn(
                f"The program says that the objective is {value}; this answer has that of the Optimize, {best}."
            )
        return False
    of_solver = [each for name, each in (answer.model or {}).items() if name not in answer.unchecked]
    return type(value) not in (int, str) or value not in of_solver


def _expect_names_of_their_own(solver: AnySolver) -> None:
    """Refuses a constraint that mentions the name by which another one is tracked: that name is true in every answer."""
    run = the_run()
    tracked = {name: constraints for (owner, name), constraints in run.named.items() if owner == id(solver)}
    name = remarks.constant_among(solver.assertions(), tracked) if tracked else None
    if name is not None:
        raise Refused(
            f"assert_and_track(…, {name!r}) in {where(run.tracked[id(solver), name][1])} makes {name} true, and a constraint uses {name}, so the answer would be about another problem.",
            [f"track it by another name, such as '{name}_rule'", "or add the constraint with s.add(…)"],
        )


def _expect_constraints(solver: AnySolver) -> None:
    """Refuses a solver that lost its constraints, and warns of one that never had any: all values satisfy it."""
    run = the_run()
    if len(run.constraints_of(solver)) > 0:
        return
    if run.origins and len(run.solvers) == 1:
        raise Refused(
            "The solver has no constraints left: pop(), reset() or the end of a `with` block removed them, so all values are solutions.",
            [
                "add the constraints outside of the block, or after the pop",
                "or call export_solution(solver=…) before they are taken back",
            ],
        )
    run.warn("The solver has no constraints, so all values are solutions.")


def _checked(solver: AnySolver) -> tuple[z3.CheckSatResult, bool]:
    """The answer of the solver, and whether Verdict set the time limit.

    The answer of the program's own check() is used if nothing changed since: its model is the one that
    the program has read values from.
    """
    run = the_run()
    under = run.under.get(id(solver))
    known = under.verdict if under else run.checked.get(id(solver))
    if known is not None and (known == z3.sat or (known == z3.unsat and not _walks(solver))):
        return known, False
    left_ms = max(1, int((run.left() - RESERVE_SECONDS) * 1000))
    own_ms = run.limits_ms.get(id(solver))
    solvers.bound(solver, min(left_ms, own_ms or left_ms))
    if under:
        return solvers.asked(solver, *under.assumptions), own_ms is None or left_ms <= own_ms
    verdict = bounds.checked(run, solver, lambda: solvers.asked(solver))
    if verdict == z3.unsat and _walks(solver):
        verdict = solvers.asked(solver)
    objectives.reach(solver)
    return verdict, own_ms is None or left_ms <= own_ms


def _condition(solver: AnySolver) -> str | None:
    """The condition under which an unsat holds, besides the model itself."""
    run = the_run()
    if id(solver) in run.under:
        return ASSUMPTIONS
    return LAST_OF_SEVERAL if id(solver) in run.once_sat else None


def _outdated(solver: AnySolver, variables: Mapping[str, object]) -> str | None:
    """A doubt, if values of an earlier state are exported and the solver is unsat now."""
    is_later = id(solver) in the_run().once_sat
    if not is_later or all(z3_claims.of_solver(each, solver) for each in variables.values()):
        return None
    return "This unsat might not be the intended answer: the solver answered sat before more constraints were added, and the program exports values that it computed. To count solutions or search for better ones, add the excluding constraints between s.push() and s.pop(), or to a second solver."


def _walks(solver: AnySolver) -> bool:
    """Whether each check() gives the next of several solutions, and unsat after the last one."""
    run = the_run()
    return run.priorities.get(id(solver)) == "pareto"


def _warn_of_checks(solver: AnySolver, verdict: z3.CheckSatResult) -> None:
    run = the_run()
    if id(solver) in run.under:
        if verdict != z3.unsat:
            run.warn("This answer, and an optimum in it, is that under the assumptions of the program's check().")
    elif id(solver) in run.assumed:
        run.warn(
            "The program's last check() had assumptions; this answer is about the solver without them. For an answer with them, add them with s.add(…) before export_solution."
        )
    if verdict == z3.unsat and id(solver) in run.once_sat and id(solver) not in run.under:
        run.warn(
            "The program's own check() answered sat before more constraints were added; this answer is about the final state of the solver. To report an earlier state, call export_solution there."
        )


# The statistics that show how hard the question was; Z3 has about thirty others.
_TOLD_STATISTICS = frozenset(
    ("conflicts", "decisions", "propagations", "restarts", "quant instantiations", "rlimit count", "max memory", "time")
)


def _statistics(solver: AnySolver) -> dict[str, Json]:
    try:
        return {str(key): value for key, value in solver.statistics() if str(key) in _TOLD_STATISTICS}
    except z3.Z3Exception:
        return {}


def _open(solver: AnySolver, ours: bool) -> tuple[str, str]:
    reason = solver.reason_unknown()
    # A solver inside another one puts its name in front: "sat.canceled".
    if reason == "timeout" or reason.endswith("canceled"):
        return "timeout" if ours else "unknown", "timeout"
    if "memory" in reason:
        return "unknown", "memory limit"
    return "unknown", reason or "incomplete"


def _contradicted(solver: AnySolver, model: z3.ModelRef) -> str | None:
    """What is wrong with the model: the first assertion that it makes false, or that is about mapped arrays and not known to hold.

    Other assertions that can't be evaluated are not checked.
    """
    run = the_run()
    hold = [(name, z3.BoolVal(True, solver.ctx)) for name in run.names_of(solver)]
    for assertion in run.constraints_of(solver):
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


def _warn_of_free(solver: AnySolver, variables: Mapping[str, object]) -> None:
    """Warns of exported variables that no constraint contains; often they are misspelt."""
    constraints = [*solver.assertions(), *_objectives(solver)]
    free = remarks.free_among(z3_claims.expressions(variables), constraints)
    if free and constraints:
        names = f"{', '.join(free[:NAMES_MAX])}{' and others' if len(free) > NAMES_MAX else ''}"
        the_run().warn(f"No constraint contains {names}: every value is possible, and the one shown is arbitrary.")


def _misnamed(model: z3.ModelRef, variables: Mapping[str, object]) -> Iterator[str]:
    """The names of variables of the solver under which other expressions are exported, with a warning for each."""
    run = the_run()
    for name, value, own in z3_claims.misnamed(model, variables):
        run.warn(
            f"The value shown as {name} is that of the expression {remarks.short(value)}; the variable {name} is {remarks.short(own)}."
        )
        yield name


def _warn_of_division(solver: AnySolver, model: z3.ModelRef, variables: Mapping[str, object]) -> None:
    """Warns of a constraint whose divisor is 0 in the model."""
    run = the_run()
    division = remarks.division_by_zero(solver.assertions(), model)
    if division is None:
        exported = remarks.division_by_zero(filter(z3.is_expr, variables.values()), model)
        if exported:
            run.warn(
                f"A value that is exported divides by {exported[1]}, which is 0 in the model: Z3 can choose any value for the result."
            )
        return
    assertion, divisor = division
    place = run.origins.get(assertion.get_id())
    run.warn(
        f"{where(place[0]) + ': ' if place else ''}the model rests on a division by zero: {divisor} is 0 in it, and Z3 can choose any value for the result; add {divisor} != 0."
    )


def _conflict(solver: AnySolver) -> tuple[list[str] | None, list[ItemLine] | None]:
    """The conflicting constraints: by the program's own names, and by their positions in the items."""
    run = the_run()
    seconds = min(EXPLAIN_SECONDS_MAX, run.left() - 2 * RESERVE_SECONDS)
    named = {name: each for (owner, name), each in run.tracked.items() if owner == id(solver)}
    under = run.under.get(id(solver))
    assumed = {each.get_id() for each in under.assumptions} if under else set()
    assertions = run.constraints_of(solver)
    core = z3_core.conflict(assertions, seconds, solvers.plain_solver, solvers.solver_check, solvers.solver_set)
    conflicting = core or assertions
    run.evidence = lambda: z3_evidence.of_unsat(conflicting, solvers.plain_solver)
    names = [str(each) for each in core if z3.is_const(each) and str(each) in named]
    places = [run.origins[each.get_id()][0] for each in core if each.get_id() in run.origins]
    places += [named[name][1] for name in names]
    assumptions = [each for each in core if each.get_id() in assumed]
    names += [str(each) for each in assumptions if str(each) not in names]
    places += [under.place] if under and under.place and assumptions else []
    if not names and not places:
        run.warn(
            "The conflicting constraints are not known: the search for them timed out, or they were given as SMT-LIB text."
        )
    return names or None, _lines(places) if places else None


def _lines(places: Iterable[Place]) -> list[ItemLine]:
    run = the_run()
    item_lines = []
    for item, line in sorted(set(places)):
        lines = run.items[item].splitlines()
        item_lines.append(ItemLine(item, line, lines[line - 1].strip() if line <= len(lines) else ""))
    return item_lines


def _optimum(solver: AnySolver, model: z3.ModelRef) -> tuple[z3.ModelRef, z3_optimum.Optimum | None]:
    """A model with the best values of the objectives, these values, and whether they were proved optimal."""
    if not isinstance(solver, z3.Optimize) or len(solver.objectives()) == 0:
        return model, None
    run, bounds = the_run(), z3_optimum.bounds_of(solver)
    optimum = z3_optimum.Optimum(z3_optimum.shown(bounds), False)
    aims, constraints = _aims(solver), run.constraints_of(solver)
    has_numbers = z3_optimum.finite(bounds)
    if not has_numbers and z3_optimum.covered([*constraints, z3_optimum.better(aims, model)]):
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


def _solved_again(solver: z3.Optimize) -> tuple[z3.CheckSatResult, z3.ModelRef | None, z3_optimum.Optimum | None]:
    """The result of plain solving in the remaining time, for an Optimize whose own model is wrong."""
    run = the_run()
    result = bounds.searched(run.constraints_of(solver), _aims(solver), run.for_search(), solvers.plain_solver)
    return (result.verdict, None, None) if result.model is None else (result.verdict, *_best_of(solver, result))


def _best_of(solver: AnySolver, result: bounds.SearchResult) -> tuple[z3.ModelRef, z3_optimum.Optimum | None]:
    """The model of a search, with the values of the objectives in it."""
    run = the_run()
    aims = _aims(solver) if isinstance(solver, z3.Optimize) else []
    if not aims:
        return result.known_model, None
    is_best = result.is_best and (len(aims) == 1 or run.priorities.get(id(solver), "lex") == "lex")
    if not is_best:
        run.warn(
            "The objective is the best value found; it is not proved optimal: raise timeout_ms, or state it in language minizinc with solver highs (sums) or in language cpmpy (whole numbers)."
        )
    return result.known_model, z3_optimum.Optimum(z3_optimum.reached(aims, result.known_model), is_best)


def _aims(solver: z3.Optimize) -> list[z3_optimum.Aim]:
    return z3_optimum.aims(solver, the_run().objectives.get(id(solver), {}))
