"""The language `z3`: items are Z3's Python, with `from z3 import *` done."""

from __future__ import annotations

import copy
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard

import z3

from verdict_runner.languages.answer import Answer, ItemLine, RecheckRequest
from verdict_runner.languages.z3 import core as z3_core
from verdict_runner.languages.z3 import given, handles, patterns, remarks, rewrite, watch
from verdict_runner.languages.z3 import values as z3_values
from verdict_runner.languages.z3.confirm import claims as z3_claims
from verdict_runner.languages.z3.confirm import evidence as z3_evidence
from verdict_runner.languages.z3.confirm import optimum as z3_optimum
from verdict_runner.languages.z3.confirm import recheck as z3_recheck
from verdict_runner.languages.z3.profile import PROFILE
from verdict_runner.languages.z3.watch import AnySolver, Place, flat, where
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import bases, classes, facade, program

# What we keep of the time for reading the answer out.
RESERVE_SECONDS = 0.1
EXPLAIN_SECONDS_MAX = 5.0
NAMES_MAX = 10
EVENTS = ()
# One child for a program, one for the check of what it says.
SPARES = 2
NOT_FOR_MODELS = frozenset(
    "open_log append_log parse_smt2_file enable_trace disable_trace UserPropagateBase OnClause PropClosures Context "
    "main_ctx get_ctx z3_debug set_html_mode in_html_mode print_matrix deserialize to_Ast to_AstVectorObj to_ContextObj "
    "user_prop_binding user_prop_created user_prop_decide user_prop_diseq user_prop_eq user_prop_final user_prop_fixed "
    "user_prop_fresh user_prop_pop user_prop_push ensure_prop_closures on_clause_eh z3_error_handler args2params".split()
)


def versions() -> dict[str, str]:
    return {"z3": z3.get_version_string()}


def warm() -> None:
    """Makes what every program needs, once, before jobs are forked; it starts no thread."""
    handles.take_only_real_ones()
    classes.never_copied(value for value in vars(z3.z3).values() if isinstance(value, type) and bases.of_engine(value))
    z3.main_ctx()
    _plain_solver()
    watch.listen()


def rehearse() -> None:
    """Solves something small in a context of its own, so that the program finds Z3's pages in place."""
    context = z3.Context()
    x, y = z3.Int("x", context), z3.BitVec("y", 8, context)
    solver = _plain_solver(context)
    watch.solver_set(solver, "timeout", 1000)
    for constraint in (x > 5, x < 7, y * 3 == 9):
        z3.Z3_solver_assert(context.ref(), solver.solver, constraint.as_ast())
    if watch.solver_check(solver) == z3.sat:
        watch.solver_model(solver).eval(x)


def modules() -> dict[str, Mapping[str, object]]:
    """The modules of this language that we write, or whose names we choose, by name."""
    ours = {"export_solution": export_solution}
    return {
        "z3": _z3_names(),
        "mcp_solver": {},
        "mcp_solver.z3": ours,
        "mcp_solver.z3.solution": ours,
        **patterns.modules(),
    }


def _z3_names() -> dict[str, object]:
    names = {
        name: value
        for name, value in facade.public_names(z3, NOT_FOR_MODELS).items()
        if getattr(value, "__module__", None) in ("z3.z3", "fractions")
        or (name.startswith("Z3_") and isinstance(value, int))
        or isinstance(value, z3.CheckSatResult)
    }
    return {**names, **watch.IN_PLACE}


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    """Runs the items of a model and gives what was decided."""
    run = watch.begin(task)
    watch.set_param("memory_max_size", task.memory_bytes // 2**20 * 3 // 4)
    if task.request:
        request = RecheckRequest.read(task.request)
        return z3_recheck.recheck(request, task.until - RESERVE_SECONDS, _plain_solver).data()
    offered = {name: value for name, value in vars(known["z3"]).items() if not name.startswith("__")}
    names = {**offered, **rewrite.IN_PLACE, **_patterns(known), "export_solution": export_solution}
    hidden = {**rewrite.HIDDEN, rewrite.BARE: _take_bare, rewrite.STRAY: _take_stray}
    namespace = program.run(task.items, names, known, PROFILE, run.warn, rewrite.rewritten, hidden)
    answer = run.answer
    if answer is None:
        own = {name: value for name, value in namespace.items() if name not in names or value is not names[name]}
        answer = run.answer = _conclude(own)
    else:
        _warn_of_bare()
    if run.late:
        run.warn(
            f"{where(run.late[0])}: this was added to the solver after export_solution and is not part of the answer; move export_solution to the end."
        )
    if run.exports > 1:
        run.warn(f"export_solution was called {run.exports} times: this is the answer of the last call.")
    return {**answer.data(), "warnings": run.warnings, "evidence": run.handed_over()}


def _patterns(known: Modules) -> dict[str, object]:
    """The functions and modules of ours that a program finds without an import."""
    parts = [known[name] for name in ("z3_templates", "subset_templates", "function_templates")]
    functions = {name: each for part in parts for name, each in vars(part).items() if not name.startswith("__")}
    return {**functions, **{part.__name__: part for part in parts}}


# ---- Boolean expressions that stand by themselves: `x > 5` as a statement of its own.


def _take_bare(value: object, item: int, line: int, computed: bool) -> None:
    """Keeps what a statement of the module says; a list says what is in it, if that is nothing but constraints."""
    run = watch.the_run()
    parts = list(flat([value]))
    symbolic = any(isinstance(one, z3.BoolRef) for one in parts)
    if not (symbolic or computed) or not parts:
        return
    if all(isinstance(one, (z3.BoolRef, bool)) for one in parts):
        run.bare += [(one if isinstance(one, z3.BoolRef) else z3.BoolVal(one), (item, line)) for one in parts]
    elif symbolic:
        run.warn(
            f"{where((item, line))}: this list has constraints and other values, so it is not asserted; write a list of constraints only."
        )


def _take_stray(value: object, item: int, line: int) -> None:
    run = watch.the_run()
    if any(isinstance(one, z3.BoolRef) for one in flat([value])):
        run.warn(
            f"{where((item, line))}: this constraint is a statement in a function, where it has no effect; return it, or add it to the solver."
        )


def _warn_of_bare() -> None:
    """Says that expressions that stand by themselves are not part of a solver, but for those that it has anyway."""
    run = watch.the_run()
    left_out = [place for value, place in run.bare if value.get_id() not in run.origins]
    if left_out:
        run.warn(
            f"Boolean expressions that are statements are not part of the solver: {len(left_out)} (the first: {where(left_out[0])}); add them with s.add(…) if they should hold."
        )


# ---- The answer.


def export_solution(
    solver: object = None,
    variables: object = None,
    objective: object = None,
    satisfiable: object = None,
    solution_dict: object = None,
    is_property_verification: object = False,
    property_verified: object = None,
    data: object = None,
    **others: object,
) -> dict[str, Json]:
    """Decides what a solver holds, now, makes this the answer of `solve_model`, and gives it back.

    `variables` are values by name: expressions, or lists and dictionaries of them. What the program says of
    the answer (`satisfiable`, `property_verified`, a whole `solution_dict`) is held against the solvers.
    """
    run = watch.the_run()
    variables, objective = values.taken(variables), values.taken(objective)
    if isinstance(solver, dict):
        solver, variables = (
            (variables, values.taken(solver)) if isinstance(variables, (z3.Solver, z3.Optimize)) else (None, solver)
        )
    whole = data if solution_dict is None else solution_dict
    if isinstance(whole, dict):
        variables, satisfiable, objective = z3_claims.of_dictionary(values.taken(whole))
    satisfiable = z3_claims.truth(satisfiable)
    if solver is None and len(run.solvers) == 1:
        solver = run.solvers[0]
    if solver is None and satisfiable is not None:
        solver = z3_claims.meant(run, satisfiable)
    if isinstance(variables, (list, tuple, z3.AstVector)) and all(map(_is_constant, variables)):
        variables = {str(each): each for each in variables}
    if isinstance(variables, z3.ModelRef):
        variables = {each.name(): variables[each] for each in variables.decls()}
    solver = _expect_solver(solver)
    if variables is None:
        named = None
    elif isinstance(variables, dict):
        named = values.named(variables, str)
    else:
        raise Refused(
            f"variables of export_solution is {_kind(variables)}, not a dictionary of values by name.",
            ["write variables={'x': x, 'y': y}"],
        )
    claims = [name for name in ("satisfiable", "status") if named and isinstance(named.get(name), (bool, str))]
    if named and claims:
        named = {name: value for name, value in named.items() if name not in claims}
        run.warn(f"{' and '.join(claims)} in `variables` was ignored: Verdict gets the status by checking the solver.")
    if others:
        run.warn(
            f"export_solution does not have these arguments: {', '.join(others)}. It has solver, variables and objective."
        )
    run.exports += 1
    answer = _decide(solver, named, objective)
    z3_claims.hold_against(run, answer, satisfiable)
    if is_property_verification or property_verified is not None:
        z3_claims.add_property(run, answer, z3_claims.truth(property_verified))
    run.answer, run.answered_for, run.late = answer, solver, []
    return copy.deepcopy(answer.as_told(objective=answer.objective_value, output=[]))


def _expect_solver(solver: object) -> AnySolver:
    if not isinstance(solver, (z3.Solver, z3.Optimize)):
        raise Refused(
            f"export_solution got {_kind(solver)} but requires a Solver or an Optimize; nothing is decided without one.",
            [
                "call export_solution(solver=s, variables={'x': x}) with the solver that holds the constraints",
                "or leave export_solution out: the one Solver of the model is then checked",
            ],
        )
    return solver


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"


def _conclude(own: Mapping[str, object]) -> Answer:
    """The two automatic ways: the one solver of the program, or its bare Boolean expressions."""
    run = watch.the_run()
    found = {id(value): (name, value) for name, value in own.items() if isinstance(value, (z3.Solver, z3.Optimize))}
    at_top = list(found.values())
    made = at_top or [(None, each) for each in run.solvers or run.asides]
    if len(made) > 1:
        names = ", ".join(name for name, _ in at_top) or f"{len(made)} inside of functions"
        raise Refused(
            f"The model has {len(made)} solvers ({names}) and no call of export_solution was reached, so it is not clear which one to solve.",
            [
                "end every path of the program with export_solution(solver=…, variables={…})",
                "or keep one Solver, or one prove(…), in the whole model",
            ],
        )
    if made:
        return _decide_only(made[0][1], own)
    if not run.bare:
        raise Refused(
            "The model has nothing to solve: no Solver, no Optimize, no call of export_solution, and no Boolean expression as its own statement.",
            [
                "write constraints as items, for instance: x > 5",
                "or s = Solver(), s.add(x > 5), export_solution(solver=s, variables={'x': x})",
            ],
        )
    solver = _plain_solver()
    for expression, place in run.bare:
        run.origins.setdefault(expression.get_id(), (place, expression))
        watch.solver_assert(solver, expression)
    return _decide(solver, None, None, own)


def _decide_only(solver: AnySolver, own: Mapping[str, object]) -> Answer:
    run = watch.the_run()
    if run.bare and len(solver.assertions()) == 0:
        raise Refused(
            f"The solver has no constraints, but {len(run.bare)} Boolean expressions are statements of the model (the first: {where(run.bare[0][1])}).",
            ["add them: o.add(x > 5)", "keep the Optimize, which its objective needs"]
            if isinstance(solver, z3.Optimize)
            else ["add them: s.add(x > 5)", "or delete the Solver: then these statements are asserted"],
        )
    _warn_of_bare()
    return _decide(solver, None, None, own)


def _plain_solver(context: z3.Context | None = None) -> z3.Solver:
    solver = z3.Solver.__new__(z3.Solver)
    watch.solver_init(solver, ctx=context)
    return solver


def _check(constraints: Iterable[z3.ExprRef], seconds: float) -> z3.CheckSatResult:
    solver = _plain_solver()
    watch.solver_set(solver, "timeout", max(1, int(seconds * 1000)))
    watch.solver_assert(solver, *constraints)
    return watch.solver_check(solver)


def _decide(
    solver: AnySolver,
    variables: Mapping[str, object] | None,
    objective: object,
    own: Mapping[str, object] | None = None,
) -> Answer:
    run = watch.the_run()
    _expect_names_of_their_own(solver)
    verdict, ours = _checked(solver)
    _warn_of_checks(solver, verdict)
    answer = Answer(str(verdict), statistics=_statistics(solver))
    if verdict == z3.unknown:
        answer.status, answer.reason = _open(solver, ours)
        return answer
    if verdict == z3.unsat:
        answer.unsat_core, answer.unsat_items = _conflict(solver)
        answer.unconfirmed = _outdated(solver, variables or {})
        return answer
    _expect_constraints(solver)
    model, optimum = _optimum(solver, watch.model_of(solver))
    wrong = _contradicted(solver, model)
    if wrong is not None:
        verdict, model, optimum = _solved_again(solver) if isinstance(solver, z3.Optimize) else (z3.unknown, None, None)
        if verdict == z3.unsat:
            answer.status = "unsat"
            answer.unsat_core, answer.unsat_items = _conflict(solver)
            return answer
        if model is None or _contradicted(solver, model) is not None:
            answer.status = "unknown"
            answer.reason = f"Z3 answered sat, but its model does not satisfy {wrong}; nothing is decided"
            return answer
        run.warn(
            f"The model of Z3's optimiser does not satisfy {wrong}, so the constraints were solved again without the optimiser, step by step."
        )
    answer.model = _shown(model, variables, own)
    unchecked = [*z3_claims.computed(model, variables or {}, solver), *_misnamed(model, variables or {})]
    _warn_of_division(solver, model, variables or {})
    _warn_of_free(solver, variables or {})
    if objective is not None:
        answer.objective_value = values.plain(objective, lambda value: _value(model, value))
    answer.unchecked = unchecked
    is_own = _is_own_objective(answer, objective, optimum)
    if is_own and z3_claims.computed(model, {"objective_value": objective}, solver):
        answer.unchecked = [*unchecked, "objective_value"]
    if optimum:
        answer.objective_value, answer.optimal = optimum.value, optimum.is_best
    assertions, best = list(solver.assertions()), answer.objective_value
    wanted = _aims(solver) if isinstance(solver, z3.Optimize) and optimum and optimum.is_best else []
    stated = {**(variables or {}), **({"objective": objective} if is_own else {})}
    answer.unconfirmed = given.doubt(run, solver, model, stated, z3_optimum.equations(wanted, model), _check)
    run.evidence = lambda: z3_evidence.of_sat(assertions, model, _plain_solver, wanted, best)
    return answer


def _is_own_objective(answer: Answer, objective: object, optimum: z3_optimum.Optimum | None) -> bool:
    """Whether the objective is a number of the program's own, and neither the optimum nor one of the solver's values."""
    if objective is None:
        return False
    value = answer.objective_value
    if optimum:
        best = optimum.value
        if value != best and not isinstance(best, list):
            watch.the_run().warn(
                f"The program says that the objective is {value}; this answer has that of the Optimize, {best}."
            )
        return False
    of_solver = [each for name, each in (answer.model or {}).items() if name not in answer.unchecked]
    return type(value) not in (int, str) or value not in of_solver


def _expect_names_of_their_own(solver: AnySolver) -> None:
    """A name that a constraint is tracked by holds in every answer, so no constraint may speak of it."""
    run = watch.the_run()
    tracked = {name: constraints for (owner, name), constraints in run.named.items() if owner == id(solver)}
    name = remarks.constant_among(solver.assertions(), tracked) if tracked else None
    if name is not None:
        raise Refused(
            f"assert_and_track(…, {name!r}) in {where(run.tracked[id(solver), name][1])} makes {name} true, and a constraint uses {name}, so the answer would be about another problem.",
            [f"track it by another name, such as '{name}_rule'", "or add the constraint with s.add(…)"],
        )


def _expect_constraints(solver: AnySolver) -> None:
    """Says it when nothing was solved: an empty solver is satisfied by anything."""
    run = watch.the_run()
    if len(solver.assertions()) > 0:
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
    """What the solver answers, and whether the time limit is ours.

    An answer of the program's own check() stands while nothing was changed: its model is the one that
    the program has read values from.
    """
    run = watch.the_run()
    known = run.checked.get(id(solver))
    if known is not None and (known == z3.sat or (known == z3.unsat and not _walks(solver))):
        return known, False
    left_ms = max(1, int((run.left() - RESERVE_SECONDS) * 1000))
    own_ms = run.limits_ms.get(id(solver))
    watch.bound(solver, min(left_ms, own_ms or left_ms))
    verdict = watch.asked(solver)
    if verdict == z3.unsat and _walks(solver):
        verdict = watch.asked(solver)
    watch.reach(solver)
    return verdict, own_ms is None or left_ms <= own_ms


def _outdated(solver: AnySolver, variables: Mapping[str, object]) -> str | None:
    """A doubt where values of an earlier state are exported of a solver that is unsat by now."""
    is_later = id(solver) in watch.the_run().once_sat
    if not is_later or all(z3_claims.of_solver(each, solver) for each in variables.values()):
        return None
    return "This unsat might not be the intended answer: the solver answered sat before more constraints were added, and the program exports values that it computed. To count solutions or search for better ones, add the excluding constraints between s.push() and s.pop(), or to a second solver."


def _walks(solver: AnySolver) -> bool:
    """Whether each check() gives the next of several solutions, with unsat once they are through."""
    run = watch.the_run()
    return run.priorities.get(id(solver)) == "pareto"


def _warn_of_checks(solver: AnySolver, verdict: z3.CheckSatResult) -> None:
    run = watch.the_run()
    if id(solver) in run.assumed:
        run.warn("The program's last check() had assumptions; this answer is about the solver without them.")
    if verdict == z3.unsat and id(solver) in run.once_sat:
        run.warn(
            "The program's own check() answered sat before more constraints were added; this answer is about the final state of the solver. To report an earlier state, call export_solution there."
        )


# What tells a reader how hard the question was; Z3 counts some thirty things more.
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
    # A solver inside of another one says its own name before: "sat.canceled".
    if reason == "timeout" or reason.endswith("canceled"):
        return "timeout" if ours else "unknown", "timeout"
    if "memory" in reason:
        return "unknown", "memory limit"
    return "unknown", reason or "incomplete"


def _contradicted(solver: AnySolver, model: z3.ModelRef) -> str | None:
    """The first assertion that the model makes false; what can't be evaluated is Z3's word."""
    run = watch.the_run()
    for assertion in solver.assertions():
        if run.left() < RESERVE_SECONDS:
            run.warn("The check of the model against every assertion timed out.")
            return None
        if z3.is_false(model.eval(assertion, model_completion=True)):
            place = run.origins.get(assertion.get_id())
            return f"item {place[0][0]}, line {place[0][1]}" if place else assertion.sexpr()[:200]
    return None


def _warn_of_free(solver: AnySolver, variables: Mapping[str, object]) -> None:
    """Names variables that are exported and stand in no constraint: often ones that were misspelt."""
    constraints = [*solver.assertions(), *(solver.objectives() if isinstance(solver, z3.Optimize) else ())]
    free = remarks.free_among(z3_claims.expressions(variables), constraints)
    if free and constraints:
        names = f"{', '.join(free[:NAMES_MAX])}{' and others' if len(free) > NAMES_MAX else ''}"
        watch.the_run().warn(
            f"No constraint contains {names}: every value is possible, and the one shown is arbitrary."
        )


def _misnamed(model: z3.ModelRef, variables: Mapping[str, object]) -> Iterator[str]:
    """The names of variables of the solver under which other expressions are exported, after saying so."""
    run = watch.the_run()
    for name, value, own in z3_claims.misnamed(model, variables):
        run.warn(
            f"The value shown as {name} is that of the expression {remarks.short(value)}; the variable {name} is {remarks.short(own)}."
        )
        yield name


def _warn_of_division(solver: AnySolver, model: z3.ModelRef, variables: Mapping[str, object]) -> None:
    """Names a constraint that divides by what is 0 in the model; that Z3 speaks of such divisions is no sign of one."""
    run = watch.the_run()
    found = remarks.division_by_zero(solver.assertions(), model)
    if found is None:
        exported = remarks.division_by_zero(filter(z3.is_expr, variables.values()), model)
        if exported:
            run.warn(
                f"A value that is exported divides by {exported[1]}, which is 0 in the model: Z3 can choose any value for the result."
            )
        return
    assertion, divisor = found
    place = run.origins.get(assertion.get_id())
    run.warn(
        f"{where(place[0]) + ': ' if place else ''}the model rests on a division by zero: {divisor} is 0 in it, and Z3 can choose any value for the result; add {divisor} != 0."
    )


def _conflict(solver: AnySolver) -> tuple[list[str] | None, list[ItemLine] | None]:
    """Which constraints can't hold together: by the program's own names, and by their place in the items."""
    run = watch.the_run()
    seconds = min(EXPLAIN_SECONDS_MAX, run.left() - 2 * RESERVE_SECONDS)
    named = {name: each for (owner, name), each in run.tracked.items() if owner == id(solver)}
    # A named constraint is asserted as `name => constraint`; the name itself makes it hold.
    assertions = [*solver.assertions(), *(z3.Bool(name) for name in named)]
    core = z3_core.conflict(assertions, seconds, _plain_solver, watch.solver_check, watch.solver_set)
    stated = core or assertions
    run.evidence = lambda: z3_evidence.of_unsat(stated, _plain_solver)
    names = [str(each) for each in core if z3.is_const(each) and str(each) in named]
    places = [run.origins[each.get_id()][0] for each in core if each.get_id() in run.origins]
    places += [named[name][1] for name in names]
    if not names and not places:
        run.warn(
            "The conflicting constraints are not known: the search for them timed out, or they were given as SMT-LIB text."
        )
    return names or None, _lines(places) if places else None


def _lines(places: Iterable[Place]) -> list[ItemLine]:
    run = watch.the_run()
    found = []
    for item, line in sorted(set(places)):
        lines = run.items[item].splitlines()
        found.append(ItemLine(item, line, lines[line - 1].strip() if line <= len(lines) else ""))
    return found


def _optimum(solver: AnySolver, model: z3.ModelRef) -> tuple[z3.ModelRef, z3_optimum.Optimum | None]:
    """A model with the best values of the objectives, with these values and whether they were proved best."""
    if not isinstance(solver, z3.Optimize) or len(solver.objectives()) == 0:
        return model, None
    run, bounds = watch.the_run(), z3_optimum.bounds_of(solver)
    found = z3_optimum.Optimum(z3_optimum.shown(bounds), False)
    if not z3_optimum.finite(bounds):
        run.warn(
            "An objective has no best value that is a number: it is unbounded, or approached and never reached (epsilon). For every model there is a better one."
        )
        return model, found
    priority = run.priorities.get(id(solver), "lex")
    if priority != "lex" and len(bounds) > 1:
        run.warn(
            f"With priority {priority} the values of the objectives do not all belong to the one model that is shown."
        )
        return model, found
    seconds = min(EXPLAIN_SECONDS_MAX, run.left() - RESERVE_SECONDS)
    wanted = _aims(solver)
    unsigned = z3_optimum.unsigned_note(
        wanted, model, lambda negative: _check([*solver.assertions(), negative], min(1.0, run.left())) == z3.sat
    )
    if unsigned:
        run.warn(unsigned)
    is_told = z3_optimum.is_reached(wanted, bounds, model)
    model, is_best = z3_optimum.improved(solver.assertions(), wanted, model, is_told, seconds, _plain_solver)
    value = found.value if z3_optimum.is_reached(wanted, bounds, model) else z3_optimum.reached(wanted, model)
    if is_best is None:
        run.warn(
            "Z3 reports this objective value as optimal, but for such a problem that is not a proof, and no proof was found in time."
        )
    if is_best is False:
        run.warn(
            "Z3 reported this objective value as optimal, but there is a better one: it is only the value of this model."
        )
    return model, z3_optimum.Optimum(value, is_best is True)


def _solved_again(solver: z3.Optimize) -> tuple[z3.CheckSatResult, z3.ModelRef | None, z3_optimum.Optimum | None]:
    """What plain solving finds in the time that is left, for an Optimize whose own model is wrong."""
    run, wanted = watch.the_run(), _aims(solver)
    seconds = run.left() - 2 * RESERVE_SECONDS
    verdict, model, is_best = z3_optimum.found_plainly(solver.assertions(), wanted, seconds, _plain_solver)
    if model is None or not wanted:
        return verdict, model, None
    is_best = is_best and (len(wanted) == 1 or run.priorities.get(id(solver), "lex") == "lex")
    if not is_best:
        run.warn(
            "The objective is the best value found; it is not proved optimal: raise timeout_ms, or state the model in minizinc and solve it with solver highs."
        )
    return verdict, model, z3_optimum.Optimum(z3_optimum.reached(wanted, model), is_best)


def _aims(solver: z3.Optimize) -> list[z3_optimum.Aim]:
    return z3_optimum.aims(solver, watch.the_run().objectives.get(id(solver), {}))


def _shown(
    model: z3.ModelRef, variables: Mapping[str, object] | None, own: Mapping[str, object] | None
) -> dict[str, Json]:
    if variables is not None:
        return values.object_of(variables, lambda value: _value(model, value))
    shown = {}
    for declaration in model.decls():
        # Z3 adds functions of its own to a model, for instance of what a division by zero gives.
        if declaration.kind() == z3.Z3_OP_UNINTERPRETED and "!" not in declaration.name():
            name = declaration.name()
            # The same name may stand for constants of several sorts.
            shown[f"{name}: {declaration.range()}" if name in shown else name] = _interpretation(model, declaration)
    for value in _constants(own or {}):
        name = value.decl().name()
        if name not in shown:
            shown[name] = _value(model, value)
    return dict(sorted(shown.items()))


def _constants(own: Mapping[str, object]) -> Iterator[z3.ExprRef]:
    """The constants that the program keeps in its variables: the model may leave free ones out."""
    for value in own.values():
        for each in flat(value.values() if isinstance(value, dict) else [value]):
            if _is_constant(each):
                yield each


def _is_constant(value: object) -> TypeGuard[z3.ExprRef]:
    return isinstance(value, z3.ExprRef) and z3.is_const(value) and value.decl().kind() == z3.Z3_OP_UNINTERPRETED


def _interpretation(model: z3.ModelRef, declaration: z3.FuncDeclRef) -> Json:
    found = model[declaration]
    if isinstance(found, z3.FuncInterp):
        return z3_values.function(found)
    return _value(model, declaration())


def _value(model: z3.ModelRef, value: object) -> Json:
    """A value of the program under the model, as JSON."""
    if isinstance(value, z3.FuncDeclRef):
        if value.arity() > 0:
            return z3_values.function(_function_of(model, value))
        value = value()
    if isinstance(value, z3.ExprRef):
        return z3_values.to_json(_evaluated(model, value))
    if isinstance(value, z3.OptimizeObjective):
        return z3_optimum.to_json(z3_optimum.value_of(watch.answered(value)))
    if isinstance(value, z3.FuncInterp):
        return z3_values.function(value)
    if isinstance(value, (z3.AstVector, types.GeneratorType)):
        return [values.plain(each, lambda other: _value(model, other)) for each in value]
    return str(value)


def _function_of(model: z3.ModelRef, declaration: z3.FuncDeclRef) -> z3.FuncInterp:
    """A function's interpretation; evaluating it anywhere gives one to a function that may be any."""
    model.eval(
        declaration(*(z3.FreshConst(declaration.domain(i)) for i in range(declaration.arity()))), model_completion=True
    )
    found = model[declaration]
    if not isinstance(found, z3.FuncInterp):
        raise z3.Z3Exception(f"the model has no interpretation of {declaration.name()}")
    return found


def _evaluated(model: z3.ModelRef, value: z3.ExprRef) -> z3.ExprRef:
    result = model.eval(value, model_completion=True)
    if z3.is_as_array(result):
        found = model[z3.get_as_array_func(result)]
        return _spelled(value.sort(), found) if isinstance(found, z3.FuncInterp) else result
    return result


def _spelled(sort: z3.SortRef, interpretation: z3.FuncInterp) -> z3.ExprRef:
    """An array that Z3 gives as a function, as the stores that make it."""
    rest = interpretation.else_value()
    if rest is None or interpretation.arity() != 1 or not isinstance(sort, z3.ArraySortRef):
        return z3.Const("?", sort)
    array = z3.K(sort.domain(), rest)
    for i in range(interpretation.num_entries()):
        entry = interpretation.entry(i)
        array = z3.Store(array, entry.arg_value(0), entry.value())
    return array
