"""Builds a program's answer from its claims, as far as the engines that it called support them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from typing import Any, NamedTuple

from verdict_runner.evidence.cnf.check import cost_of, models_under
from verdict_runner.languages import why
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.pysat.asked import handed_over
from verdict_runner.languages.pysat.best.share import Incumbent
from verdict_runner.languages.pysat.helpers import Aux
from verdict_runner.languages.pysat.problem import Problem, is_part, why_question
from verdict_runner.languages.pysat.run import WORDS, the_run
from verdict_runner.languages.pysat.watch.last import answered
from verdict_runner.languages.stated import TRUTHS, truth, unsupported
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

CONTROL_KEYS = frozenset("satisfiable status objective objective_value cost optimal values message".split())


def answer_of(
    data: Mapping[Any, object], engine: object, read: Set[object], own: Sequence[int] | None = None
) -> Answer:
    """Builds the program's answer. `read` contains the names of values that Verdict itself read from the engine.

    `own` is the value, among those, that is the engine's whole model.
    """
    run = the_run()
    shown = shown_in(data)
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
                whole = _complete(answer, data, shown, engine, own)
                unchecked = [name for name in unchecked if name not in whole]
            else:
                answer.unconfirmed = _doubt_of_unsat()
        finally:
            run.depth -= 1
    if answer.objective_value is not None and answer.optimal is None:
        unchecked.append("objective_value")
    if answer.unsat_core is not None and "unsat_core" not in unchecked:
        unchecked.append("unsat_core")
    answer.unchecked = unchecked
    return answer


def shown_in(data: Mapping[Any, object]) -> dict[Any, object]:
    """The values in an export."""
    shown = {key: value for key, value in data.items() if key not in CONTROL_KEYS}
    inner = data.get("values")
    if isinstance(inner, dict):
        return {**inner, **shown}
    return shown if inner is None else {**shown, "values": inner}


def claim_in(data: Mapping[Any, object]) -> bool | None:
    """The verdict that an export states."""
    return truth(data["satisfiable"]) if "satisfiable" in data else TRUTHS.get(str(data.get("status")).lower())


def _complete(
    answer: Answer,
    data: Mapping[Any, object],
    shown: Mapping[Any, object],
    engine: object,
    own: Sequence[int] | None,
) -> Collection[str]:
    """Completes the answer if a solution is claimed; returns the names of values that are a whole solution."""
    run = the_run()
    problem = run.problems.get(True) if engine is None else answered(engine)
    objective = _objective(data, problem, engine is not None)
    answer.objective_value, answer.optimal, answer.objective_bound = objective.value, objective.is_best, objective.bound
    question = objective.problem or (problem and (run.first_question(problem) if engine is None else problem))
    if question is None:
        return ()
    whole = _solutions(shown, question, objective.cost, own)
    run.space = lambda: _space(question, objective.cost, problem)
    exported = [each for some in whole.values() for each in some]
    run.evidence = lambda: question.evidence(objective.cost, exported, is_least=objective.is_best is True)
    run.why_question = (lambda: why_question(question, run.items, objective.cost)) if objective.is_best else None
    run.shown_as = (lambda: why.shown_as([], run.pools.names())) if objective.cost is not None else None
    return whole


def _space(problem: Problem, cost: object, last: Problem | None) -> Mapping[str, object]:
    run = the_run()
    if last is not None and last.hard is problem.hard and problem.count < last.count:
        run.warn(
            f"The question is about the {problem.count} clauses of the first solve(), without the {last.count - problem.count} that were added before the last one. To ask about all of them, call export_solution(solver)."
        )
    if problem.assumptions:
        run.warn("The question is about the clauses under the assumptions that solve() was given.")
    return handed_over(problem, cost, run.named, run.pools.names(), run.question)


def _is_assumed() -> bool:
    conflict = the_run().conflict()
    return conflict is not None and bool(conflict.assumptions)


def _doubt_of_unsat() -> str | None:
    """Why an `unsat` claimed by the program might belong to an earlier query."""
    run = the_run()
    problem, last = run.conflict(), run.problems.get(True)
    run.evidence = problem and problem.evidence
    run.why_question = problem and (lambda: why_question(problem, run.items))
    if run.verdicts[-1] is True and not is_part(last, problem):
        return "This unsat belongs to an earlier question: the last question was answered sat and has other clauses or assumptions."
    return None


def _status(data: Mapping[Any, object]) -> tuple[str, str | None]:
    """The program's claim if an engine's answer supports it; otherwise `unknown` with the reason."""
    run = the_run()
    claim = claim_in(data)
    if not run.verdicts:
        return "unknown", "the program called no solver, so nothing was decided"
    if run.wrong:
        return "unknown", run.wrong
    last = run.verdicts[-1]
    if claim is None and "satisfiable" not in data:
        claim = _only_verdict(last)
    if claim is None or (not claim and last is None):
        return "unknown", "the solver was stopped before it decided (solve_limited returned None)"
    status = "sat" if claim else "unsat"
    against = unsupported("satisfiable", claim, status, {WORDS[each] for each in run.verdicts})
    if against is not None:
        return "unknown", against
    if not claim and _is_assumed():
        run.warn(
            "This is unsat under the assumptions that solve() was given; without them the clauses might be satisfiable."
        )
    refuted, satisfied = run.problems.get(False), run.problems.get(True)
    if claim and last is False and refuted and satisfied and not _is_search(satisfied, refuted):
        run.warn(
            "The last question of the program was answered unsat; this answer is about the last one that was answered sat, which has other clauses."
        )
    return status, None


def _only_verdict(last: bool | None) -> bool | None:
    """The engines' answer, for a program that claims none; raises `Refused` if the engines disagree."""
    run = the_run()
    if True in run.verdicts and False in run.verdicts:
        raise Refused(
            "Solvers answered both sat and unsat in this program, and export_solution does not state which answer it reports.",
            ["say it: export_solution({'satisfiable': True, …})", "or export_solution({'satisfiable': False})"],
        )
    return last


def _is_search(question: Problem, later: Problem) -> bool:
    """Whether a later query contains an earlier one's clauses, except encodings, as in a search for a better value."""
    if later.reason is not None or question.reason is not None or later.hard is question.hard:
        return True
    stated = later.clauses()
    return all(clause in stated or any(isinstance(each, Aux) for each in clause) for clause in question.clauses())


class _Objective(NamedTuple):
    """An answer's objective."""

    value: Json = None
    # Whether the value was proved optimal; None if nothing is claimed.
    is_best: bool | None = None
    # The problem to which the cost belongs.
    problem: Problem | None = None
    cost: object = None
    # A lower bound on the cost, if the cost is not proved optimal.
    bound: int | None = None


def _objective(data: Mapping[Any, object], problem: Problem | None, is_of_engine: bool) -> _Objective:
    """Returns the objective stated by the program, or the last answered query's objective.

    A stated cost selects one of the engines' problems; an engine's values are never paired with another engine's cost.
    """
    run = the_run()
    stated = next((data[key] for key in ("objective_value", "objective", "cost") if data.get(key) is not None), None)
    # Proved costs are tried first.
    known = [*(Incumbent(value, of, None) for value, of in reversed(run.optima)), *reversed(run.incumbents)]
    proved = len(run.optima)
    for number, each in enumerate(known):
        is_own = problem is not None and each.problem.hard is problem.hard
        # A number whose class the program defines could equal anything.
        is_meant = is_own if stated is None else type(stated) in (int, float) and each.cost == stated
        if is_meant and (is_own or not is_of_engine):
            value = values.plain(each.cost if stated is None else stated, str)
            return _Objective(value, number < proved, each.problem, each.cost, each.bound)
    if stated is not None and run.optima:
        run.warn(
            f"The program computed the objective {stated}; the least cost that the engine found is {run.optima[-1][0]}."
        )
    return _Objective() if stated is None else _Objective(values.plain(stated, str))


# ---- Exported values that are whole solutions, which a second process evaluates.


def _solutions(
    shown: Mapping[Any, object], problem: Problem, cost: object, own: Sequence[int] | None
) -> dict[str, list[list[int]]]:
    """Exported values that are solutions of a problem with this cost, or lists of solutions, as literals by name."""
    if problem.reason is not None:
        return {}
    variables = {abs(int(each)) for each in problem.literals() if not isinstance(each, Aux)}
    whole: dict[str, list[list[int]]] = {}
    for name, value in shown.items():
        is_own = value is own
        parts = value if isinstance(value, (list, tuple)) and not _literals(value, variables, is_own) else [value]
        read = [literals for each in parts if (literals := _literals(each, variables, is_own))]
        if read and len(read) == len(parts) and all(_has_cost(problem, each, cost) for each in read):
            whole[str(name)] = read
    if not whole:
        return {}
    clauses = [[int(each) for each in clause] for clause in problem.hard[: problem.count]]
    assumed = [int(each) for each in problem.assumptions]
    return {
        name: read
        for name, read in whole.items()
        # Encodings have auxiliary variables that programs do not read.
        if None not in models_under(clauses, [[*assumed, *each] for each in read])
    }


def _literals(value: object, variables: Set[int], is_model: bool) -> list[int] | None:
    """Reads a collection as literals of all variables; None for anything else.

    Unless it is known to be a model, one of the literals must be negated: the program's own numbers need not be literals.
    """
    parts: Sequence[object] = ()
    if isinstance(value, dict) and all(type(each) is bool for each in value.values()):
        numbers = [str(each) for each in value]
        are_numbers = all(each.isdecimal() for each in numbers)
        parts = [int(n) if holds else -int(n) for n, holds in zip(numbers, value.values())] if are_numbers else ()
    elif isinstance(value, (list, tuple)):
        parts = value
    literals = [int(each) for each in parts if isinstance(each, int) and not isinstance(each, bool) and each != 0]
    known = {abs(each) for each in literals}
    is_whole = len(literals) == len(parts) == len(known) > 0 and known >= variables
    return literals if is_whole and (is_model or any(each < 0 for each in literals)) else None


def _has_cost(problem: Problem, literals: Sequence[int], cost: object) -> bool:
    weighted = [([int(each) for each in clause], weight) for clause, weight in zip(problem.soft, problem.weights)]
    return cost is None or cost_of(weighted, {*literals}) == cost
