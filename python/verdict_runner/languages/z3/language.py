"""The language `z3`: items are Python code for Z3, and `from z3 import *` has already been executed."""

from __future__ import annotations

import contextlib
import copy
import json
import time
from collections.abc import Iterator, Mapping, Sequence

import z3

from verdict_runner import evidence
from verdict_runner.evidence.smt import problem as z3_problem
from verdict_runner.evidence.smt import solvers
from verdict_runner.evidence.smt.problem import handed_over
from verdict_runner.evidence.smt.solvers import AnySolver
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.stated import truth
from verdict_runner.languages.z3 import functions, handles, patterns, rewrite, watch
from verdict_runner.languages.z3.decide import checks
from verdict_runner.languages.z3.decide import claims as z3_claims
from verdict_runner.languages.z3.decide.decision import decide
from verdict_runner.languages.z3.decide.shown import is_constant, value_in
from verdict_runner.languages.z3.profile import PROFILE
from verdict_runner.languages.z3.run import Check, Run, Statement, begin, flat, the_run, where
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import bases, classes, facade, program
from verdict_runner.sandbox.program import Place

# The number of spare child processes: one for the program, one for checking its answer.
SPARES = 2
# A program of Verdict's own with typical contents.
REHEARSED = (
    "x, y = Int('x'), BitVec('y', 8)\ns = Solver()",
    "s.add([x > i for i in range(6)])\ns.add(x < 7, Or(x < 9, y != 2), y * 3 == 9)",
    "if s.check() == sat: export_solution(solver=s, variables={'x': s.model()[x], 'y': y})",
)
REHEARSAL_SECONDS, REHEARSAL_BYTES = 5.0, 2**30
NOT_FOR_MODELS = frozenset(
    "open_log append_log parse_smt2_file enable_trace disable_trace UserPropagateBase Fixedpoint OnClause PropClosures Context "
    "main_ctx get_ctx z3_debug set_html_mode in_html_mode print_matrix deserialize to_Ast to_AstVectorObj to_ContextObj "
    "user_prop_binding user_prop_created user_prop_decide user_prop_diseq user_prop_eq user_prop_final user_prop_fixed "
    "user_prop_fresh user_prop_pop user_prop_push ensure_prop_closures on_clause_eh z3_error_handler args2params".split()
)


def versions() -> dict[str, str]:
    return {"z3": z3.get_version_string()}


# The context used for rehearsals. Its table of expressions takes 16 MB, so it is created once and not in each process.
_rehearsing: list[z3.Context] = []


def warm() -> None:
    """Prepares what every program needs, once, before jobs are forked; starts no threads."""
    handles.take_only_real_ones()
    classes.never_copied(value for value in vars(z3.z3).values() if isinstance(value, type) and bases.of_engine(value))
    z3.main_ctx()
    solvers.plain_solver()
    watch.listen()
    evidence.prepare("smt.check")
    _rehearsing.append(z3.Context())


def rehearse(known: Modules) -> None:
    """Runs a sample program in a separate context, so that the memory pages that jobs need are already loaded.

    The sample program's answer is also checked. Nothing is left in the context of real programs.
    """
    with _in_context(_rehearsing[0]):
        claim = solve(_rehearsal(REHEARSED), known)
        request = {"status": claim["status"], "evidence": claim["evidence"]}
        json.dumps([claim, solve(_rehearsal((), request), known)])


def _rehearsal(items: Sequence[str], request: Mapping[str, object] | None = None) -> Task:
    return Task(items, request, REHEARSAL_BYTES, time.monotonic() + REHEARSAL_SECONDS, lambda _: False)


@contextlib.contextmanager
def _in_context(context: z3.Context) -> Iterator[None]:
    """Makes this context the default for expressions and solvers."""
    own = z3.main_ctx()
    z3.z3._main_ctx = context
    try:
        yield
    finally:
        z3.z3._main_ctx = own


def modules() -> dict[str, Mapping[str, object]]:
    """Returns, by name, the modules that Verdict provides in this language or whose names it selects."""
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
    return {**names, **functions.IN_PLACE}


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    """Runs the items of a model and returns its answer, or rechecks an answer for a job with a request."""
    run = begin(task)
    solvers.set_param("memory_max_size", task.memory_bytes // 2**20 * 3 // 4)
    if not task.items:
        return evidence.answer(task)
    offered = {name: value for name, value in vars(known["z3"]).items() if not name.startswith("__")}
    names = {**offered, **rewrite.IN_PLACE, **_patterns(known), "export_solution": export_solution}
    hidden = {**rewrite.HIDDEN, rewrite.BARE: _take_bare, rewrite.STRAY: _take_stray}
    namespace = program.run(task.items, names, known, PROFILE, run, rewrite.rewritten, hidden)
    answer = run.answer
    if answer is None:
        own = {name: value for name, value in namespace.items() if name not in names or value is not names[name]}
        answer = run.answer = _conclude(own)
    else:
        _warn_of_bare()
    late = run.late.get(id(run.answered_for), ())
    if late:
        what, step = (
            ("export_solution", "move export_solution to the end")
            if run.exports
            else ("its last check()", "check it again")
        )
        run.warn(f"{where(late[0])}: this was added to the solver after {what} and is not part of the answer; {step}.")
    if run.exports > 1:
        run.warn(f"export_solution was called {run.exports} times: this is the answer of the last call.")
    return run.reported(answer)


def _patterns(known: Modules) -> dict[str, object]:
    """Verdict's functions and modules that are available to a program without an import."""
    parts = [known[name] for name in ("z3_templates", "subset_templates", "function_templates")]
    functions = {name: each for part in parts for name, each in vars(part).items() if not name.startswith("__")}
    return {**functions, **{part.__name__: part for part in parts}}


# ---- Boolean expressions as statements, such as `x > 5` alone on its line.


def _take_bare(value: object, item: int, line: int, computed: bool) -> None:
    """Records a module-level expression statement; a list counts as its elements if they are all constraints."""
    run = the_run()
    parts = list(flat([value]))
    symbolic = any(isinstance(one, z3.BoolRef) for one in parts)
    if not (symbolic or computed) or not parts:
        return
    if all(isinstance(one, (z3.BoolRef, bool)) for one in parts):
        run.bare += [(one if isinstance(one, z3.BoolRef) else z3.BoolVal(one), Place(item, line)) for one in parts]
    elif symbolic:
        run.warn(
            f"{where(Place(item, line))}: this list contains constraints and other values, so it is not asserted; write a list that contains only constraints."
        )


def _take_stray(value: object, item: int, line: int) -> None:
    run = the_run()
    if any(isinstance(one, z3.BoolRef) for one in flat([value])):
        run.warn(
            f"{where(Place(item, line))}: this constraint is a statement in a function, where it has no effect; return it, or add it to the solver."
        )


def _warn_of_bare() -> None:
    """Warns that expression statements are not part of any solver, unless a solver also contains them."""
    run = the_run()
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
    """Decides a solver's constraints now, makes the result the answer of `solve_model`, and returns it.

    `variables` maps names to values: expressions, or lists and dictionaries of expressions. The program's claims about
    the answer (`satisfiable`, `property_verified`, a whole `solution_dict`) are compared with the solvers' answers.
    """
    run = the_run()
    variables, objective = values.taken(variables), values.taken(objective)
    if isinstance(solver, dict):
        solver, variables = (
            (variables, values.taken(solver)) if isinstance(variables, (z3.Solver, z3.Optimize)) else (None, solver)
        )
    whole = data if solution_dict is None else solution_dict
    if isinstance(whole, dict):
        variables, satisfiable, objective = z3_claims.of_dictionary(values.taken(whole))
    satisfiable = truth(satisfiable)
    if solver is None and len(run.solvers) == 1:
        solver = run.solvers[0]
    if solver is None and satisfiable is not None:
        solver = z3_claims.meant(run, satisfiable)
    if isinstance(variables, (list, tuple, z3.AstVector)) and all(map(is_constant, variables)):
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
            f"export_solution does not accept these arguments: {', '.join(others)}. It accepts solver, variables and objective."
        )
    run.exports += 1
    check = checks.about(solver, satisfiable)
    answer = (decide if satisfiable is False else _decided)(check, named, objective)
    z3_claims.hold_against(run, answer, satisfiable)
    if is_property_verification or property_verified is not None:
        z3_claims.add_property(run, answer, truth(property_verified))
    run.answer, run.answered_for = answer, solver
    run.late.pop(id(solver), None)
    return copy.deepcopy(answer.as_json(objective=answer.objective_value, output=[]))


def _expect_solver(solver: object) -> AnySolver:
    if not isinstance(solver, (z3.Solver, z3.Optimize)):
        raise Refused(
            f"export_solution got {_kind(solver)} but requires a Solver or an Optimize; nothing is decided without one.",
            [
                "call export_solution(solver=s, variables={'x': x}) with the solver that holds the constraints",
                "or omit export_solution: the model's only Solver is then checked",
            ],
        )
    return solver


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"


def _conclude(own: Mapping[str, object]) -> Answer:
    """Answers for a program without an export: with its last check, its only solver, or its expression statements."""
    run = the_run()
    # A program that never checks its own solver may still use `prove` and `solve`.
    if run.last is not None and (not run.solvers or any(run.times[id(each)] for each in run.solvers)):
        return _of_last(run.last, own)
    by_id = {id(value): (name, value) for name, value in own.items() if isinstance(value, (z3.Solver, z3.Optimize))}
    at_top = list(by_id.values())
    candidates = at_top or [(None, each) for each in run.solvers or run.asides]
    if len(candidates) > 1:
        names = ", ".join(name for name, _ in at_top) or f"{len(candidates)} inside of functions"
        raise Refused(
            f"The model has {len(candidates)} solvers ({names}) and no call to export_solution was reached, so it is not clear which one to solve.",
            [
                "end every path of the program with export_solution(solver=…, variables={…})",
                "or keep one Solver, or one prove(…), in the whole model",
            ],
        )
    if candidates:
        return _decide_only(candidates[0][1], own)
    if not run.bare:
        raise Refused(
            "The model has nothing to solve: no Solver, no Optimize, no call to export_solution, and no Boolean expression as a separate statement.",
            [
                "write constraints as items, for example: x > 5",
                "or s = Solver(), s.add(x > 5), export_solution(solver=s, variables={'x': x})",
            ],
        )
    solver = solvers.plain_solver()
    for expression, place in run.bare:
        run.origins.setdefault(expression.get_id(), (place, expression))
        run.stated[id(solver)].made.append(Statement(expression.get_id(), expression, place))
        solvers.solver_assert(solver, expression)
    return decide(checks.about(solver, None), None, None, own)


def _of_last(check: Check, own: Mapping[str, object]) -> Answer:
    run = the_run()
    _warn_of_bare()
    run.answered_for = check.solver
    run.warn_of_ends()
    return _decided(check, None, None, own)


def _decided(
    check: Check, named: Mapping[str, object] | None, objective: object, own: Mapping[str, object] | None = None
) -> Answer:
    """Returns a check's answer; if the check ended the program's own search, with the search's last solution."""
    run = the_run()
    return run.of_last(
        check,
        lambda each: decide(each, named, objective, own),
        lambda end: handed_over(end.constraints),
        lambda each, term: _aimed(run, each, term),
        is_first_best=len(check.aims) > 0,
    )


def _aimed(run: Run, check: Check, term: z3.ExprRef) -> Json:
    """Returns the value of the term that the program's own search improved; a second process checks this value."""
    model = check.known_model
    equation = term == model.eval(term, model_completion=True)
    run.evidence = lambda: z3_problem.of_sat([*check.constraints, equation], model)
    return value_in(model, term)


def _decide_only(solver: AnySolver, own: Mapping[str, object]) -> Answer:
    run = the_run()
    if run.bare and len(solver.assertions()) == 0:
        raise Refused(
            f"The solver has no constraints, but {len(run.bare)} Boolean expressions are statements of the model (the first: {where(run.bare[0][1])}).",
            ["add them: o.add(x > 5)", "keep the Optimize, which its objective needs"]
            if isinstance(solver, z3.Optimize)
            else ["add them: s.add(x > 5)", "or delete the Solver: then these statements are asserted"],
        )
    _warn_of_bare()
    if run.last is not None:
        run.warn(
            "This answer is about the program's solver, which it did not check itself; it is not that of prove(…) or solve(…)."
        )
    return decide(checks.about(solver, None), None, None, own)
