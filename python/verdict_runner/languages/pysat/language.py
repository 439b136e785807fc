"""The language `pysat`: items are PySAT's Python; what was found goes out by `export_solution`."""

import copy
import sys

import pysat

from verdict_runner.languages.pysat import evidence as pysat_evidence
from verdict_runner.languages.pysat import given as pysat_given
from verdict_runner.languages.pysat import helpers as pysat_helpers
from verdict_runner.languages.pysat import patterns, watch, weaker
from verdict_runner.languages.pysat import recheck as pysat_recheck
from verdict_runner.languages.pysat.profile import PROFILE
from verdict_runner.languages.pysat.watch import MAXSAT, SOLVERS
from verdict_runner.protocol import values
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import classes, program

EVENTS = ()
# One child for a program, one for the check of what it says.
SPARES = 2
CONTROL_KEYS = frozenset("satisfiable status objective objective_value cost optimal values message".split())


def versions():
    return {"pysat": pysat.__version__}


def warm():
    """Begins to note down what engines answer; jobs are forked afterwards."""
    watch.listen()
    classes.never_copied(watch.ENGINES)


def rehearse():
    """Nothing to do ahead: a SAT solver starts in no time."""


def modules():
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


def _present(known):
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


_run = None


def solve(job, known):
    """Runs the items of a model and gives what was decided."""
    global _run
    _run = watch.begin(job)
    if job.get("request"):
        return pysat_recheck.recheck(**job["request"])
    program.run(job["items"], _present(known), known, PROFILE, _run.warn)
    printed = sys.stdout.printed_object() if _run.answer is None and _run.verdicts else None
    if printed is not None:
        _run.warn(
            "The program printed its answer as JSON and called no export_solution: the printed values are taken as those that it exports."
        )
        export_solution(printed)
    if _run.answer is None:
        raise Refused(
            "The program ended without export_solution, so there is nothing to report."
            if _run.verdicts
            else "The program ended without a call of a solver and of export_solution.",
            [
                "call export_solution({'satisfiable': True, 'x': …}) on the path where solve() is true",
                "and export_solution({'satisfiable': False}) on the other",
            ],
        )
    if _run.late:
        _run.warn(
            "Clauses were added after export_solution, so the answer leaves them out; move the solving and export_solution to the end."
        )
    if _run.exports > 1:
        _run.warn(f"export_solution was called {_run.exports} times: this is the answer of the last call.")
    return {**_run.answer, "statistics": _run.statistics, "warnings": _run.warnings, "evidence": _run.handed_over()}


# ---- Enumeration and counting.


def enumerate_models(formula, variables=None, limit=pysat_helpers.ENUMERATION_LIMIT):
    """Models of a CNF over the variables (all of the program's, without those of encodings), each once."""
    found, whole, problem = _all_models(formula, variables, limit)
    for each in found:
        _run.given.note(problem, each)
    if not whole:
        _run.warn(f"enumerate_models stopped at its limit of {limit}: there are more models.")
    return found


def count_models(formula, variables=None, limit=pysat_helpers.COUNT_LIMIT, method="exact"):
    """The number of models of a CNF over the variables; exact, or refused when there are more than `limit`."""
    if method not in ("exact", "approximate"):
        raise Refused(
            f"count_models knows no method {method!r}.",
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


def _all_models(formula, variables, limit):
    _run.depth += 1
    try:
        found, whole = pysat_helpers.models(formula, variables, limit)
    finally:
        _run.depth -= 1
    problem = pysat_evidence.Problem(pysat_helpers.clauses_of(formula))
    _run.note(bool(found), problem)
    return found, whole, problem


def _approximate_count(formula, variables):
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
    _run.note(count > 0, pysat_evidence.Problem(clauses))
    _run.warn("The count is approximate (ApproxMC, within a factor of 1.8 with a probability of 80 %).")
    return count


_OURS = {"enumerate_models": enumerate_models, "count_models": count_models}


# ---- The answer.


def export_solution(data=None, variables=None, objective=None, solver=None, cost=None, **others):
    """Makes what the program found the answer of `solve_model`, and gives it back.

    `data` is a dictionary with `satisfiable` and any values; or a solver, whose model is read with
    `variables`, a dictionary of names and variable numbers.
    """
    data = solver if data is None and solver is not None else data
    engine = data if isinstance(data, (*SOLVERS, *MAXSAT)) else None
    others, read = values.taken(others), {}
    if engine is not None:
        data = _read(engine, values.taken(variables))
        read = data.get("values", {}) if "values" not in others else {}
    elif data is None and (others or _run.verdicts[-1:] == [False]):
        data, others = others or {"satisfiable": False}, {}
    if not isinstance(data, dict):
        raise Refused(
            f"export_solution takes a dictionary, and got a value of type {type(data).__name__}.",
            ["write export_solution({'satisfiable': True, 'x': …})", "or export_solution(solver, variables={'x': 1})"],
        )
    stated = values.taken({"objective": objective, "cost": cost})
    data = {**values.taken(data), **others, **{name: value for name, value in stated.items() if value is not None}}
    _run.exports += 1
    _run.answer, _run.late = _answer(data, engine, {*read} - {*others}, is_checked=engine and not others), False
    told = copy.deepcopy(_run.answer)
    return {**told, "satisfiable": SATISFIABLE.get(told["status"]), "values": told["model"] or {}}


SATISFIABLE = {"sat": True, "unsat": False}


def _read(solver, variables):
    """What an engine found, by the names of the variables: the engine is asked for it, under what it last assumed."""
    if isinstance(solver, MAXSAT):
        found = watch.best_of(solver)
        verdict = found is not None
        more = {"cost": solver.cost} if verdict else {}
    else:
        verdict, more = solver.solve(assumptions=watch.assumed_last(solver)), {}
        found = solver.get_model() if verdict else None
    if not verdict:
        return {"satisfiable": verdict}
    true, known = set(found), {*map(abs, found)}
    names = variables or {str(each): each for each in sorted(abs(each) for each in true)}
    shown, free = _truths(names, true), sorted({*_numbers(names)} - known)
    if free:
        _run.warn(
            f"No clause speaks of variable {', '.join(map(str, free[:10]))}: any value does, and the one shown says nothing."
        )
    return {"satisfiable": True, "values": shown, **more}


def _numbers(variables):
    """The numbers in lists and dictionaries of variables."""
    if isinstance(variables, int):
        return [abs(variables)]
    parts = variables.values() if isinstance(variables, dict) else variables
    return [number for each in parts for number in _numbers(each)]


def _truths(variables, true):
    """The truth values of variables, in whatever lists and dictionaries they stand."""
    if isinstance(variables, dict):
        return {name: _truths(each, true) for name, each in variables.items()}
    if isinstance(variables, (list, tuple)):
        return [_truths(each, true) for each in variables]
    if type(variables) is not int or variables == 0:
        raise Refused(
            f"variables of export_solution are the numbers of variables, and one of them is {variables!r}.",
            [
                "write export_solution(solver, variables={'a': 1}), with the number of each variable",
                "or export_solution({'satisfiable': True, 'a': …}) for values of the program's own",
            ],
        )
    return variables in true


def _answer(data, engine, read, is_checked):
    """The answer of the program; `read` are the names of values that were read from the engine here."""
    shown = {key: value for key, value in data.items() if key not in CONTROL_KEYS}
    inner = data.get("values")
    if isinstance(inner, dict):
        shown = {**inner, **shown}
    elif inner is not None:
        shown["values"] = inner
    status, reason = _status(data)
    answer = {
        **({"under": "the assumptions that solve() was given"} if status == "unsat" and _is_assumed() else {}),
        "status": status,
        "model": values.plain(shown, str) if shown else None,
        "objective_value": None,
        "optimal": None,
    }
    unchecked = [name for name in answer["model"] or {} if name not in read]
    if reason:
        answer["reason"] = reason
    core = data.get("unsat_core", data.get("core"))
    if status == "unsat" and isinstance(core, (list, tuple, set)):
        answer["unsat_core"] = [str(each) for each in core]
    _run.evidence = None
    if status in ("sat", "unsat"):
        _run.depth += 1
        try:
            if status == "sat":
                found, whole = _borne_out(data, shown, engine, is_checked)
                answer |= found
                unchecked = [name for name in unchecked if name not in whole]
            else:
                answer |= _not_borne_out(core)
        finally:
            _run.depth -= 1
    if answer["objective_value"] is not None and answer["optimal"] is None:
        unchecked.append("objective_value")
    if "unsat_core" in answer and "unsat_core" not in unchecked:
        unchecked.append("unsat_core")
    return {**answer, "unchecked": unchecked}


def _borne_out(data, shown, engine, is_checked):
    """What is known of a claim that there is a solution, with the names of values that are a whole solution.

    It is the objective, and whether the values can be another problem's.
    """
    problem, given = _run.problems.get(True), _run.given
    if engine is not None:
        problem = watch.answered(engine)
    if is_checked:
        given = pysat_given.Given()
        given.note(problem, problem.model)
    objective, best, cost = _objective(data, shown, given)
    problem = best or (problem and given.question_of(problem))
    if problem is None:
        return objective, ()
    doubt = given.doubt(shown, problem) if shown and best is None else None
    if doubt:
        objective["unconfirmed"] = f"The values are not confirmed: {doubt}. {READ_BY_ENGINE}"
    whole = {} if doubt else pysat_given.solutions(shown, problem, cost)
    _run.evidence = lambda: problem.evidence(cost, [each for some in whole.values() for each in some])
    return objective, whole


READ_BY_ENGINE = "export_solution(engine, variables={'a': 1}) reads the values of the engine itself."


def _is_assumed():
    return bool(_run.conflict().assumptions)


def _not_borne_out(core):
    """Whether a claim that there is no solution is about what was asked last, and its core of it."""
    problem, last = _run.conflict(), _run.problems.get(True)
    _run.evidence = problem and problem.evidence
    if _run.verdicts[-1] is True and not pysat_evidence.is_part(last, problem):
        return {
            "unconfirmed": "That this is unsatisfiable is about an earlier question: the last one was answered sat, and has other clauses or assumptions."
        }
    if core and _run.explained not in (problem, _run.problems[False]):
        return {
            "unconfirmed": "The unsat core is the program's own: no engine gave one for the question that is unsatisfiable (get_core(), MUSX, OptUx)."
        }
    return {}


CLAIMS = {"sat": True, "satisfiable": True, "unsat": False, "unsatisfiable": False, "false": False}


def _status(data):
    """The program's claim, where an engine's answer bears it out."""
    claim = data.get("satisfiable", CLAIMS.get(str(data.get("status")).lower()))
    # Once and for all: an object of the program's own may change its mind.
    claim = CLAIMS.get(claim.lower(), True) if isinstance(claim, str) else claim if claim is None else bool(claim)
    if not _run.verdicts:
        return "unknown", "the program called no solver, so nothing was decided by one"
    if _run.wrong:
        return "unknown", _run.wrong
    last = _run.verdicts[-1]
    if claim is None and "satisfiable" not in data:
        claim = _only_verdict(last)
    if claim is None or (not claim and last is None):
        return "unknown", "the solver was stopped before it decided (solve_limited gave None)"
    if claim not in _run.verdicts:
        said = "satisfiable" if claim else "unsatisfiable"
        return "unknown", f"the program says {said}, but no solver that it called answered so"
    if not claim and _is_assumed():
        _run.warn(
            "This is unsat under the assumptions that solve() was given; without them the clauses may be satisfiable."
        )
    if claim and last is False and not weaker.is_search(_run.problems[True], _run.problems[False]):
        _run.warn(
            "The last question of the program was answered unsat; this answer is about the last one that was answered sat, which has other clauses."
        )
    return ("sat" if claim else "unsat"), None


def _only_verdict(last):
    """What the engines answered, for a program that does not say which of several answers it means."""
    if True in _run.verdicts and False in _run.verdicts:
        raise Refused(
            "Solvers answered both sat and unsat in this program, and export_solution does not say which one it reports.",
            ["say it: export_solution({'satisfiable': True, …})", "or export_solution({'satisfiable': False})"],
        )
    return last


# Optima with the same cost that the values are compared with.
OPTIMA_MAX = 20


def _objective(data, shown, given):
    """The objective as a part of the answer; with the problem and the cost where it is the best one that these values can have."""
    stated = next((data[key] for key in ("objective_value", "objective", "cost") if data.get(key) is not None), None)
    if stated is None and not _run.optima:
        return {}, None, None
    value = _run.optima[-1][0] if stated is None else stated
    # A number of the program's own kind could equal anything.
    alike = [problem for cost, problem in _run.optima if type(value) in (int, float) and cost == value][-OPTIMA_MAX:]
    doubts = [given.doubt(shown, problem, value) if shown else None for problem in reversed(alike)]
    told = {"objective_value": values.plain(value, str), "optimal": None}
    if None in doubts:
        return {**told, "optimal": True}, alike[::-1][doubts.index(None)], value
    if stated is None:
        return {}, None, None
    if doubts:
        reason = f"An engine proved {value} to be a least cost, but not the cost of these values: {doubts[0]}. {READ_BY_ENGINE}"
        return {**told, "optimal": False, "unconfirmed": reason}, None, None
    if _run.optima:
        _run.warn(
            f"The objective {value} is the program's own value; the least cost that the engine found is {_run.optima[-1][0]}."
        )
    return told, None, None
