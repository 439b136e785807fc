"""Compares a program's claim with the answers of the engines that it called."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from typing import Any, NamedTuple

from verdict_runner.languages.answer import Answer
from verdict_runner.languages.pysat.asked import handed_over
from verdict_runner.languages.pysat.best.share import Incumbent
from verdict_runner.languages.pysat.confirm import evidence as pysat_evidence
from verdict_runner.languages.pysat.confirm import models_read as pysat_models
from verdict_runner.languages.pysat.confirm import weaker
from verdict_runner.languages.pysat.confirm import why as pysat_why
from verdict_runner.languages.pysat.run import the_run
from verdict_runner.languages.pysat.watch.last import answered
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

CONTROL_KEYS = frozenset("satisfiable status objective objective_value cost optimal values message".split())


def answer_of(data: Mapping[Any, object], engine: object, read: Set[object], is_checked: bool) -> Answer:
    """The answer of the program. `read` are the names of values that Verdict read from the engine itself."""
    run = the_run()
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
    run.evidence = run.space = run.why_question = None
    if status in ("sat", "unsat"):
        run.depth += 1
        try:
            if status == "sat":
                whole = _complete(answer, data, shown, engine, is_checked)
                unchecked = [name for name in unchecked if name not in whole]
            else:
                answer.unconfirmed = _doubt_of_unsat(core)
        finally:
            run.depth -= 1
    if answer.objective_value is not None and answer.optimal is None:
        unchecked.append("objective_value")
    if answer.unsat_core is not None and "unsat_core" not in unchecked:
        unchecked.append("unsat_core")
    answer.unchecked = unchecked
    return answer


def _complete(
    answer: Answer, data: Mapping[Any, object], shown: Mapping[Any, object], engine: object, is_checked: bool
) -> Collection[str]:
    """Completes the answer of a claim that there is a solution; returns the names of values that are a whole solution.

    It adds the objective, and a doubt if the values might belong to another problem.
    """
    run = the_run()
    problem, models_read = run.problems.get(True), run.models_read
    if engine is not None:
        problem = answered(engine)
    if is_checked:
        models_read = pysat_models.ModelsRead()
        if problem is not None:
            models_read.note(problem, problem.model)
    objective = _objective(data, shown, models_read)
    answer.objective_value, answer.optimal, answer.unconfirmed = objective.value, objective.is_best, objective.doubt
    answer.objective_bound = objective.bound
    question = objective.problem or (problem and models_read.question_of(problem))
    if question is None:
        return ()
    doubt = models_read.doubt(shown, question) if shown and objective.problem is None else None
    if doubt:
        answer.unconfirmed = f"The values are not confirmed: {doubt}. {READ_BY_ENGINE}"
    whole = {} if doubt else pysat_models.solutions(shown, question, objective.cost)
    run.space = lambda: _space(question, objective.cost, problem)
    exported = [each for some in whole.values() for each in some]
    run.evidence = lambda: question.evidence(objective.cost, exported, is_least=objective.is_best is True)
    run.why_question = (
        (lambda: pysat_why.why_question(question, run.items, objective.cost)) if objective.is_best else None
    )
    return whole


def _space(problem: pysat_evidence.Problem, cost: object, last: pysat_evidence.Problem | None) -> Mapping[str, object]:
    run = the_run()
    if last is not None and last.hard is problem.hard and problem.count < last.count:
        run.warn(
            f"The question is about the {problem.count} clauses of the first solve(), without the {last.count - problem.count} that were added before the last one. To ask about all of them, call export_solution(solver)."
        )
    if problem.assumptions:
        run.warn("The question is about the clauses under the assumptions that solve() was given.")
    return handed_over(problem, cost, run.named, run.pools.names(), run.question)


READ_BY_ENGINE = "export_solution(engine, variables={'a': 1}) reads the values of the engine itself."


def _is_assumed() -> bool:
    conflict = the_run().conflict()
    return conflict is not None and bool(conflict.assumptions)


def _doubt_of_unsat(core: object) -> str | None:
    """The doubt about a claim that there is no solution: it, or its core, might belong to an earlier question."""
    run = the_run()
    problem, last = run.conflict(), run.problems.get(True)
    run.evidence = problem and problem.evidence
    run.why_question = problem and (lambda: pysat_why.why_question(problem, run.items))
    if run.verdicts[-1] is True and not pysat_evidence.is_part(last, problem):
        return "This unsat belongs to an earlier question: the last question was answered sat and has other clauses or assumptions."
    if core and run.explained not in (problem, run.problems.get(False)):
        return "The unsat core was computed by the program: no engine returned one for the unsatisfiable question (get_core(), MUSX, OptUx)."
    return None


CLAIMS = {"sat": True, "satisfiable": True, "unsat": False, "unsatisfiable": False, "false": False}


def _status(data: Mapping[Any, object]) -> tuple[str, str | None]:
    """The program's claim if an answer of an engine supports it; otherwise `unknown` with the reason."""
    run = the_run()
    claim = data.get("satisfiable", CLAIMS.get(str(data.get("status")).lower()))
    # Converted once: an object of the program could give another truth value each time.
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
        claimed = "satisfiable" if claim else "unsatisfiable"
        return "unknown", f"the program says {claimed}, but no solver that it called gave that answer"
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
    """The answer of the engines, for a program that states none; raises `Refused` if they gave different answers."""
    run = the_run()
    if True in run.verdicts and False in run.verdicts:
        raise Refused(
            "Solvers answered both sat and unsat in this program, and export_solution does not state which answer it reports.",
            ["say it: export_solution({'satisfiable': True, …})", "or export_solution({'satisfiable': False})"],
        )
    return last


# Optima with the same cost with which the values are compared.
OPTIMA_MAX = 20


class _Objective(NamedTuple):
    """The objective of an answer."""

    value: Json = None
    # Whether it was proved optimal; None if nothing is claimed.
    is_best: bool | None = None
    # The problem whose optimum it is, if these values can belong to it.
    problem: pysat_evidence.Problem | None = None
    cost: object = None
    # Why these values might have another cost: a sentence.
    doubt: str | None = None
    # What no cost can be below, where it is not proved to be the least.
    bound: int | None = None


def _objective(
    data: Mapping[Any, object], shown: Mapping[Any, object], models_read: pysat_models.ModelsRead
) -> _Objective:
    """The objective that the program states, or the cost that its engine found for these values."""
    run = the_run()
    stated = next((data[key] for key in ("objective_value", "objective", "cost") if data.get(key) is not None), None)
    known = [*run.optima, *run.incumbents]
    if stated is None and not known:
        return _Objective()
    value = known[-1][0] if stated is None else stated
    # A number of a class of the program could equal anything.
    alike = [each for each in reversed(known) if type(value) in (int, float) and each[0] == value][:OPTIMA_MAX]
    # Those that are proved come first.
    alike.sort(key=lambda each: isinstance(each, Incumbent))
    doubts = [models_read.doubt(shown, each[1], value) if shown else None for each in alike]
    written = values.plain(value, str)
    if None in doubts:
        fitting = alike[doubts.index(None)]
        if isinstance(fitting, Incumbent):
            return _Objective(written, False, fitting.problem, value, bound=fitting.bound)
        return _Objective(written, True, fitting[1], value)
    if stated is None:
        return _Objective()
    if doubts:
        proved = not isinstance(alike[0], Incumbent)
        what = f"proved {value} to be a least cost" if proved else f"found a solution of cost {value}"
        reason = f"An engine {what}, but not the cost of these values: {doubts[0]}. {READ_BY_ENGINE}"
        return _Objective(written, False, doubt=reason)
    if run.optima:
        run.warn(
            f"The program computed the objective {value}; the least cost that the engine found is {run.optima[-1][0]}."
        )
    return _Objective(written)
