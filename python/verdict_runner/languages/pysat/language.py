"""The language `pysat`: items are PySAT's Python; what was found goes out by `export_solution`."""

from __future__ import annotations

import copy
import sys
from collections.abc import Collection, Iterable, Mapping, Set
from typing import Any, NamedTuple

import pysat

from verdict_runner.languages.answer import Answer, RecheckRequest
from verdict_runner.languages.pysat import evidence as pysat_evidence
from verdict_runner.languages.pysat import given as pysat_given
from verdict_runner.languages.pysat import helpers as pysat_helpers
from verdict_runner.languages.pysat import patterns, watch, weaker
from verdict_runner.languages.pysat import recheck as pysat_recheck
from verdict_runner.languages.pysat.profile import PROFILE
from verdict_runner.languages.pysat.watch import MaxSat, SatSolver
from verdict_runner.protocol import values
from verdict_runner.protocol.job import PrintedText
from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import classes, program

EVENTS = ()
# One child for a program, one for the check of what it says.
SPARES = 2
CONTROL_KEYS = frozenset("satisfiable status objective objective_value cost optimal values message".split())


def versions() -> dict[str, str]:
    return {"pysat": pysat.__version__}


def warm() -> None:
    """Begins to note down what engines answer; jobs are forked afterwards."""
    watch.listen()
    classes.never_copied(watch.ENGINES)


def rehearse() -> None:
    """Nothing to do ahead: a SAT solver starts in no time."""


def modules() -> dict[str, Mapping[str, object]]:
    """The modules of this language that we write, by name."""
    found = patterns.modules(export_solution)
    return {"mcp_solver": {}, **found, "mcp_solver.pysat": {**found["mcp_solver.pysat"], **_OURS}}


# Names that are there without an import: of PySAT and of Python, those that the original mcp-solver gives.
PRESENT_OF = {
    "pysat.card": ("CardEnc", "EncType"),
    "pysat.examples.rc2": ("RC2",),
    "pysat.formula": ("CNF", "WCNF"),
    "pysat.solvers": ("Cadical153", "Glucose3"),
}
PRESENT_MODULES = "collections itertools json math random re time".split()


def _present(known: Modules) -> dict[str, object]:
    """The names that a program begins with."""
    engines = {name: getattr(known[module], name) for module, names in PRESENT_OF.items() for name in names}
    parts = (patterns.CARDINALITY, patterns.LOGIC, patterns.TEMPLATES["mapping"])
    helpers = {name: each for part in parts for name, each in part.items()}
    return {
        **engines,
        **{name: known[name] for name in PRESENT_MODULES},
        **helpers,
        "export_solution": export_solution,
        **_OURS,
    }


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    """Runs the items of a model and gives what was decided."""
    run = watch.begin(task)
    if task.request:
        return pysat_recheck.recheck(RecheckRequest.read(task.request)).data()
    program.run(task.items, _present(known), known, PROFILE, run.warn)
    # A program has no way to another standard output.
    is_missing = run.answer is None and bool(run.verdicts)
    printed = sys.stdout.printed_object() if is_missing and isinstance(sys.stdout, PrintedText) else None
    if printed is not None:
        run.warn(
            "The program printed its answer as JSON and called no export_solution: the printed values are used as its export."
        )
        export_solution(printed)
    answer = run.answer
    if answer is None:
        raise Refused(
            "The program ended without export_solution, so there is nothing to report."
            if run.verdicts
            else "The program ended without a call of a solver and of export_solution.",
            [
                "call export_solution({'satisfiable': True, 'x': …}) where solve() returns True",
                "and export_solution({'satisfiable': False}) where it returns False",
            ],
        )
    if run.late:
        run.warn(
            "Clauses were added after export_solution and are not part of the answer; move solving and export_solution to the end."
        )
    shared = run.pools.warning()
    if shared is not None:
        run.warn(shared)
    if run.exports > 1:
        run.warn(f"export_solution was called {run.exports} times: this is the answer of the last call.")
    answer.statistics = run.statistics
    return {**answer.data(), "warnings": run.warnings, "evidence": run.handed_over()}


# ---- Enumeration and counting.


def enumerate_models(
    formula: pysat_helpers.Formula, variables: Iterable[int] | None = None, limit: int = pysat_helpers.ENUMERATION_LIMIT
) -> list[list[int]]:
    """Models of a CNF over the variables (all of the program's, without those of encodings), each once."""
    run = watch.the_run()
    found, whole, problem = _all_models(formula, variables, limit)
    for each in found:
        run.given.note(problem, each)
    if not whole:
        run.warn(f"enumerate_models stopped at its limit of {limit}: there are more models.")
    return found


def count_models(
    formula: pysat_helpers.Formula,
    variables: Iterable[int] | None = None,
    limit: int = pysat_helpers.COUNT_LIMIT,
    method: str = "exact",
) -> int:
    """The number of models of a CNF over the variables; exact, or refused when there are more than `limit`."""
    if method not in ("exact", "approximate"):
        raise Refused(
            f"count_models has no method {method!r}.",
            ["leave method out, for an exact count", "or write method='approximate'"],
        )
    if method == "approximate":
        return _approximate_count(formula, variables)
    found, whole, _ = _all_models(formula, variables, limit)
    if not whole:
        raise Refused(
            f"There are more than {limit} models; they were counted one by one and the count was not finished.",
            [
                "raise limit=… and timeout_ms",
                "count over fewer variables with variables=[…]",
                "or count_models(…, method='approximate'), where the package pyapproxmc is installed",
            ],
        )
    return len(found)


def _all_models(
    formula: pysat_helpers.Formula, variables: Iterable[int] | None, limit: int
) -> tuple[list[list[int]], bool, pysat_evidence.Problem]:
    run = watch.the_run()
    run.depth += 1
    try:
        found, whole = pysat_helpers.models(formula, variables, limit)
    finally:
        run.depth -= 1
    problem = pysat_evidence.Problem(pysat_helpers.clauses_of(formula))
    run.note(bool(found), problem)
    return found, whole, problem


def _approximate_count(formula: pysat_helpers.Formula, variables: Iterable[int] | None) -> int:
    run = watch.the_run()
    try:
        import pyapproxmc  # noqa: F401
        from pysat.allies.approxmc import Counter
    except ImportError:
        raise Refused(
            "Approximate counting needs the package pyapproxmc, which is not installed.",
            ["count exactly with count_models(formula, limit=…)"],
        ) from None
    clauses = pysat_helpers.clauses_of(formula)
    chosen = sorted({abs(each) for each in variables}) if variables is not None else pysat_helpers.variables_of(clauses)
    with Counter(clauses) as counter:
        count = counter.count(projection=chosen)
    run.note(count > 0, pysat_evidence.Problem(clauses))
    run.warn("The count is approximate (ApproxMC, within a factor of 1.8 with a probability of 80 %).")
    return count


_OURS = {"enumerate_models": enumerate_models, "count_models": count_models}


# ---- The answer.


def export_solution(
    data: object = None,
    variables: object = None,
    objective: object = None,
    solver: object = None,
    cost: object = None,
    **others: object,
) -> dict[str, Json]:
    """Makes what the program found the answer of `solve_model`, and gives it back.

    `data` is a dictionary with `satisfiable` and any values; or a solver, whose model is read with
    `variables`, a dictionary of names and variable numbers.
    """
    run = watch.the_run()
    data = solver if data is None and solver is not None else data
    engine = data if watch.is_solver(data) or watch.is_maxsat(data) else None
    others, read = values.taken(others), set()
    if engine is not None:
        data = _read(engine, values.taken(variables))
        found = data.get("values")
        read = {*found} if isinstance(found, dict) and "values" not in others else read
    elif data is None and (others or run.verdicts[-1:] == [False]):
        data, others = others or {"satisfiable": False}, {}
    if not isinstance(data, dict):
        raise Refused(
            f"export_solution requires a dictionary, but got a value of type {type(data).__name__}.",
            ["write export_solution({'satisfiable': True, 'x': …})", "or export_solution(solver, variables={'x': 1})"],
        )
    stated = values.taken({"objective": objective, "cost": cost})
    data = {**values.taken(data), **others, **{name: value for name, value in stated.items() if value is not None}}
    run.exports += 1
    run.answer, run.late = _answer(data, engine, read - {*others}, engine is not None and not others), False
    return copy.deepcopy(run.answer.as_told())


def _read(solver: SatSolver | MaxSat, variables: object) -> dict[str, object]:
    """What an engine found, by the names of the variables: the engine is asked for it, under what it last assumed."""
    if watch.is_maxsat(solver):
        found = watch.best_of(solver)
        verdict = found is not None
        more = {"cost": solver.cost} if verdict else {}
    else:
        verdict, more = solver.solve(assumptions=watch.assumed_last(solver)), {}
        found = solver.get_model() if verdict else None
    if not verdict:
        return {"satisfiable": verdict}
    true, known = {*(found or ())}, {*map(abs, found or ())}
    names = variables or {str(each): each for each in sorted(abs(each) for each in true)}
    shown, free = _truths(names, true), sorted({*_numbers(names)} - known)
    if free:
        watch.the_run().warn(
            f"No clause contains variable {', '.join(map(str, free[:10]))}: every value is possible, and the one shown is arbitrary."
        )
    return {"satisfiable": True, "values": shown, **more}


def _numbers(variables: object) -> list[int]:
    """The numbers in lists and dictionaries of variables."""
    if isinstance(variables, int):
        return [abs(variables)]
    parts = variables.values() if isinstance(variables, dict) else variables
    return [number for each in parts for number in _numbers(each)] if isinstance(parts, Iterable) else []


def _truths(variables: object, true: Collection[int]) -> object:
    """The truth values of variables, in whatever lists and dictionaries they stand."""
    if isinstance(variables, dict):
        return {name: _truths(each, true) for name, each in variables.items()}
    if isinstance(variables, (list, tuple)):
        return [_truths(each, true) for each in variables]
    if type(variables) is not int or variables == 0:
        raise Refused(
            f"`variables` of export_solution must have numbers of variables as values, and one is {variables!r}.",
            [
                "write export_solution(solver, variables={'a': 1}), with the number of each variable",
                "or export_solution({'satisfiable': True, 'a': …}) for values of the program's own",
            ],
        )
    return variables in true


def _answer(data: Mapping[Any, object], engine: object, read: Set[object], is_checked: bool) -> Answer:
    """The answer of the program; `read` are the names of values that were read from the engine here."""
    run = watch.the_run()
    shown = {key: value for key, value in data.items() if key not in CONTROL_KEYS}
    inner = data.get("values")
    if isinstance(inner, dict):
        shown = {**inner, **shown}
    elif inner is not None:
        shown["values"] = inner
    status, reason = _status(data)
    model = values.object_of(shown, str) if shown else None
    answer = Answer(status, reason, model)
    if status == "unsat" and _is_assumed():
        answer.under = "the assumptions that solve() was given"
    unchecked = [name for name in model or {} if name not in read]
    core = data.get("unsat_core", data.get("core"))
    if status == "unsat" and isinstance(core, (list, tuple, set)):
        answer.unsat_core = [str(each) for each in core]
    run.evidence = None
    if status in ("sat", "unsat"):
        run.depth += 1
        try:
            if status == "sat":
                whole = _bear_out(answer, data, shown, engine, is_checked)
                unchecked = [name for name in unchecked if name not in whole]
            else:
                answer.unconfirmed = _not_borne_out(core)
        finally:
            run.depth -= 1
    if answer.objective_value is not None and answer.optimal is None:
        unchecked.append("objective_value")
    if answer.unsat_core is not None and "unsat_core" not in unchecked:
        unchecked.append("unsat_core")
    answer.unchecked = unchecked
    return answer


def _bear_out(
    answer: Answer, data: Mapping[Any, object], shown: Mapping[Any, object], engine: object, is_checked: bool
) -> Collection[str]:
    """Adds what is known of a claim that there is a solution; gives the names of values that are a whole solution.

    It is the objective, and whether the values can be another problem's.
    """
    run = watch.the_run()
    problem, given = run.problems.get(True), run.given
    if engine is not None:
        problem = watch.answered(engine)
    if is_checked:
        given = pysat_given.Given()
        if problem is not None:
            given.note(problem, problem.model)
    objective = _objective(data, shown, given)
    answer.objective_value, answer.optimal, answer.unconfirmed = objective.value, objective.is_best, objective.doubt
    asked = objective.problem or (problem and given.question_of(problem))
    if asked is None:
        return ()
    doubt = given.doubt(shown, asked) if shown and objective.problem is None else None
    if doubt:
        answer.unconfirmed = f"The values are not confirmed: {doubt}. {READ_BY_ENGINE}"
    whole = {} if doubt else pysat_given.solutions(shown, asked, objective.cost)
    run.evidence = lambda: asked.evidence(objective.cost, [each for some in whole.values() for each in some])
    return whole


READ_BY_ENGINE = "export_solution(engine, variables={'a': 1}) reads the values of the engine itself."


def _is_assumed() -> bool:
    conflict = watch.the_run().conflict()
    return conflict is not None and bool(conflict.assumptions)


def _not_borne_out(core: object) -> str | None:
    """Whether a claim that there is no solution is about what was asked last, and its core of it."""
    run = watch.the_run()
    problem, last = run.conflict(), run.problems.get(True)
    run.evidence = problem and problem.evidence
    if run.verdicts[-1] is True and not pysat_evidence.is_part(last, problem):
        return "This unsat belongs to an earlier question: the last question was answered sat and has other clauses or assumptions."
    if core and run.explained not in (problem, run.problems.get(False)):
        return "The unsat core was computed by the program: no engine returned one for the unsatisfiable question (get_core(), MUSX, OptUx)."
    return None


CLAIMS = {"sat": True, "satisfiable": True, "unsat": False, "unsatisfiable": False, "false": False}


def _status(data: Mapping[Any, object]) -> tuple[str, str | None]:
    """The program's claim, where an engine's answer bears it out."""
    run = watch.the_run()
    claim = data.get("satisfiable", CLAIMS.get(str(data.get("status")).lower()))
    # Once and for all: an object of the program's own may change its mind.
    claim = CLAIMS.get(claim.lower(), True) if isinstance(claim, str) else claim if claim is None else bool(claim)
    if not run.verdicts:
        return "unknown", "the program called no solver, so nothing was decided"
    if run.wrong:
        return "unknown", run.wrong
    last = run.verdicts[-1]
    if claim is None and "satisfiable" not in data:
        claim = _only_verdict(last)
    if claim is None or (not claim and last is None):
        return "unknown", "the solver was stopped before it decided (solve_limited gave None)"
    if claim not in run.verdicts:
        said = "satisfiable" if claim else "unsatisfiable"
        return "unknown", f"the program says {said}, but no solver that it called gave that answer"
    if not claim and _is_assumed():
        run.warn(
            "This is unsat under the assumptions that solve() was given; without them the clauses might be satisfiable."
        )
    refuted, satisfied = run.problems.get(False), run.problems.get(True)
    if claim and last is False and refuted and satisfied and not weaker.is_search(satisfied, refuted):
        run.warn(
            "The last question of the program was answered unsat; this answer is about the last one that was answered sat, which has other clauses."
        )
    return ("sat" if claim else "unsat"), None


def _only_verdict(last: bool | None) -> bool | None:
    """What the engines answered, for a program that does not say which of several answers it means."""
    run = watch.the_run()
    if True in run.verdicts and False in run.verdicts:
        raise Refused(
            "Solvers answered both sat and unsat in this program, and export_solution does not state which answer it reports.",
            ["say it: export_solution({'satisfiable': True, …})", "or export_solution({'satisfiable': False})"],
        )
    return last


# Optima with the same cost that the values are compared with.
OPTIMA_MAX = 20


class _Objective(NamedTuple):
    """The objective of an answer."""

    value: Json = None
    # Whether it was proved best; None where that is open.
    is_best: bool | None = None
    # The problem whose least cost it is, where these values can have it.
    problem: pysat_evidence.Problem | None = None
    cost: object = None
    # Why the values may have another one: a sentence.
    doubt: str | None = None


def _objective(data: Mapping[Any, object], shown: Mapping[Any, object], given: pysat_given.Given) -> _Objective:
    """The objective that the program states, or that its engine found for these values."""
    run = watch.the_run()
    stated = next((data[key] for key in ("objective_value", "objective", "cost") if data.get(key) is not None), None)
    if stated is None and not run.optima:
        return _Objective()
    value = run.optima[-1][0] if stated is None else stated
    # A number of the program's own kind could equal anything.
    alike = [problem for cost, problem in run.optima if type(value) in (int, float) and cost == value][-OPTIMA_MAX:]
    doubts = [given.doubt(shown, problem, value) if shown else None for problem in reversed(alike)]
    told = values.plain(value, str)
    if None in doubts:
        return _Objective(told, True, alike[::-1][doubts.index(None)], value)
    if stated is None:
        return _Objective()
    if doubts:
        reason = f"An engine proved {value} to be a least cost, but not the cost of these values: {doubts[0]}. {READ_BY_ENGINE}"
        return _Objective(told, False, doubt=reason)
    if run.optima:
        run.warn(
            f"The program computed the objective {value}; the least cost that the engine found is {run.optima[-1][0]}."
        )
    return _Objective(told)
