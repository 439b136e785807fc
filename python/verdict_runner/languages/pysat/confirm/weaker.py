"""Recognises the earlier questions of a search for the best value: they have fewer constraints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pysat.solvers

from verdict_runner.languages.pysat.helpers import Aux

if TYPE_CHECKING:
    from verdict_runner.languages.pysat.confirm.evidence import Problem


# Conflicts that one check can use: only a doubt about the answer depends on it.
CONFLICTS_MAX = 10_000


def are_weaker(questions: Sequence[Problem], problem: Problem) -> bool:
    """Whether the clauses of a problem imply those of each question."""
    if problem.reason is not None or any(each.reason is not None for each in questions):
        return False
    with _solver_of(problem) as solver:
        if _solves(solver, problem.model or ()) is not True:
            return False
        model = solver.get_model() or []
        return all(_is_weaker(each, problem, solver, model) for each in questions)


def is_search(question: Problem, later: Problem) -> bool:
    """Whether a later question has all clauses of an earlier one, except clauses of encodings:

    then it searches for a better value.
    """
    if later.reason is not None or question.reason is not None or later.hard is question.hard:
        return True
    stated = _clauses(later)
    return all(clause in stated or any(isinstance(each, Aux) for each in clause) for clause in _clauses(question))


def _is_weaker(question: Problem, problem: Problem, solver: pysat.solvers.Glucose4, model: Sequence[int]) -> bool:
    """Whether each clause of the question follows from the problem, which has further clauses.

    Clauses of an encoding have auxiliary variables, so they need not follow as such: the solution of the problem must
    satisfy them.
    """
    question_clauses, stated = _clauses(question), _clauses(problem)
    if stated <= question_clauses:
        return False
    others = question_clauses - stated
    encoded = {clause for clause in others if any(isinstance(each, Aux) for each in clause)}
    if any(_solves(solver, [-int(each) for each in clause]) is not False for clause in others - encoded):
        return False
    if not encoded:
        return True
    own = {abs(int(each)) for clause in question_clauses for each in clause if not isinstance(each, Aux)}
    with _solver_of(question) as asking:
        return _solves(asking, [each for each in model if abs(each) in own]) is True


def _clauses(problem: Problem) -> set[frozenset[int]]:
    return {*map(frozenset, problem.hard[: problem.count]), *(frozenset([each]) for each in problem.assumptions)}


def _solver_of(problem: Problem) -> pysat.solvers.Glucose4:
    clauses = [[int(each) for each in clause] for clause in _clauses(problem)]
    return pysat.solvers.Glucose4(bootstrap_with=clauses)


def _solves(solver: pysat.solvers.Glucose4, assumptions: Iterable[int]) -> bool | None:
    """Whether there is a solution; None if that takes too long."""
    solver.conf_budget(CONFLICTS_MAX)
    return solver.solve_limited(assumptions=[int(each) for each in assumptions])
