"""Prepares the data for the process that answers questions about all solutions of clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from verdict_runner.evidence.cnf.problem import cost_in_smtlib, in_smtlib, literal_in_smtlib
from verdict_runner.evidence.questions.ask import Question
from verdict_runner.evidence.questions.shape import Shape
from verdict_runner.languages.pysat.helpers import Aux
from verdict_runner.languages.pysat.problem import Problem

# The maximum number of literals that fits into an answer.
LITERALS_MAX = 300_000


class Variable:
    """Marks a number as a variable among the values."""

    def __init__(self, number: int) -> None:
        self.number = number


def handed_over(
    problem: Problem, cost: object, named: object, names: Mapping[int, str], question: Question | None
) -> Mapping[str, object]:
    """Returns the clauses, and the variables named in the answer or all of the program's own (without encodings')."""
    hard = [*problem.hard[: problem.count], *([each] for each in problem.assumptions)]
    if problem.reason is not None:
        return {"open": problem.reason}
    if sum(map(len, (*hard, *problem.soft))) > LITERALS_MAX:
        return {"open": "the problem is too large to be passed on"}
    leaves: list[int] = []

    def place(value: object) -> int | None:
        if not isinstance(value, Variable):
            return None
        leaves.append(value.number)
        return len(leaves) - 1

    if named is None:
        own = sorted({abs(each) for clause in (*hard, *problem.soft) for each in clause if not isinstance(each, Aux)})
        named = _by_name(own, names)
    parts = variables(named)
    shape = Shape.of(parts if isinstance(parts, dict) else {}, place)
    clauses = [[int(each) for each in clause] for clause in hard]
    if question is not None and question.kind == "count" and not problem.soft:
        return {"clauses": clauses, "variables": leaves, "shape": shape.data(), "by": "pysat"}
    weights = [each for each in problem.weights if type(each) is int and each > 0]
    if len(weights) < len(problem.weights) or (weights and type(cost) is not int):
        return {"open": "its weights are not integers"}
    bound = cost if type(cost) is int and question is not None and not question.is_of_all else None
    soft = [[int(each) for each in clause] for clause in problem.soft]
    return {
        "smtlib": _smtlib(clauses, soft, weights, bound, leaves),
        "aims": 1 if soft and bound is None else 0,
        "leaves": len(leaves),
        "largest": [False],
        "shape": shape.data(),
        "by": "z3",
    }


def _by_name(numbers: Sequence[int], names: Mapping[int, str]) -> dict[str, int]:
    """Maps names to variables; appends the number to a name that is already in use."""
    named: dict[str, int] = {}
    for number in numbers:
        name = names.get(number, str(number))
        named[name if name not in named else f"{name}#{number}"] = number
    return named


def variables(named: object) -> object:
    """Copies lists and dictionaries with each variable number marked."""
    if isinstance(named, dict):
        return {str(key): variables(each) for key, each in named.items()}
    if isinstance(named, (list, tuple)):
        return [variables(each) for each in named]
    return Variable(int(named)) if isinstance(named, int) else named


def _smtlib(
    hard: Sequence[Sequence[int]],
    soft: Sequence[Sequence[int]],
    weights: Sequence[int],
    bound: int | None,
    leaves: Sequence[int],
) -> str:
    """Writes SMT-LIB: the clauses, the soft clauses' cost or its bound, and a named constant for each leaf."""
    lines = in_smtlib(hard, [*leaves, *chain.from_iterable(soft)])
    if soft:
        cost = cost_in_smtlib(soft, weights)
        is_ranking = bound is None
        lines += (
            ["(declare-const cost Int)", f"(assert (= cost {cost}))"]
            if is_ranking
            else [f"(assert (<= {cost} {bound}))"]
        )
    for i, each in enumerate(leaves):
        lines += [f"(declare-const leaf{i} Bool)", f"(assert (= leaf{i} {literal_in_smtlib(each)}))"]
    return "\n".join(lines)
