"""The models that a program read.

The claims about its values must hold for each of them, since the values can come from any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pysat.solvers

from verdict_runner.languages.pysat.confirm import weaker
from verdict_runner.languages.pysat.confirm.evidence import Problem
from verdict_runner.languages.pysat.helpers import Aux

# Models of one program that are kept, and literals that are looked at to compare them with a claim.
MODELS_MAX = 1_000
COMPARED_LITERALS_MAX = 5_000_000
# Lists and dictionaries of the exported values that are looked into.
PARTS_MAX = 10_000


class ModelsRead:
    """The models that a program was given, by the question that they answer."""

    def __init__(self) -> None:
        self._kept: list[tuple[Problem, list[int]]] = []
        self._whole = True

    def note(self, problem: Problem, model: Sequence[int] | None) -> None:
        """Keeps a model; the same one is often read many times."""
        if model is None or any(known is problem and earlier == model for known, earlier in self._kept[-2:]):
            return
        self._whole = len(self._kept) < MODELS_MAX
        if self._whole:
            self._kept.append((problem, list(model)))

    def last(self) -> list[int] | None:
        """The model that was read last."""
        return self._kept[-1][1] if self._kept else None

    def question_of(self, problem: Problem) -> Problem:
        """The question that every model of the same solver answers: clauses that were added later exclude earlier models."""
        alike = [known for known, _ in self._kept if known.hard is problem.hard]
        if not any(known is problem for known in alike):
            return problem
        assumed = set(problem.assumptions).intersection(*(known.assumptions for known in alike))
        first = Problem(problem.hard, assumptions=sorted(assumed), reason=problem.reason)
        first.count, first.model = min(known.count for known in alike), problem.model
        return first

    def doubt(self, values: Mapping[Any, object], problem: Problem | None, cost: object = None) -> str | None:
        """Why values might belong to another problem, or have another cost; None if they can't."""
        if problem is None or problem.reason is not None:
            return None
        stated = list(_assignments(values, _variables(problem)))
        if not stated:
            return self._doubt_of_models(problem, cost)
        wrong = [(name, reason) for name, literals in stated if (reason := _unlike(problem, literals))]
        # Solutions after the optimum may be exported together with it.
        reason = wrong[0][1] if wrong else _of_no_such_cost(problem, [literals for _, literals in stated], cost)
        return reason and f"{(wrong or stated)[0][0]} has the values of all variables, and {reason}"

    def _doubt_of_models(self, problem: Problem, cost: object) -> str | None:
        own = [model for known, model in self._kept if _is_alike(known, problem)]
        others = [(known, model) for known, model in self._kept if not _is_alike(known, problem)]
        if others and (not self._whole or sum(map(len, problem.hard)) * len(others) > COMPARED_LITERALS_MAX):
            return "the program read too many models to compare each with it"
        # Of the same solver they satisfy the clauses that there were.
        wrong = self._wrong(others, problem, cost) or _of_another_cost(problem, own, cost)
        count = len(self._kept)
        of_which = f"of the {count} models that were read one" if count > 1 else "the model that was read"
        return wrong and f"{of_which} {wrong}"

    def _wrong(self, others: Sequence[tuple[Problem, list[int]]], problem: Problem, cost: object) -> str | None:
        """Why a model of another question does not fit.

        A search for the best value reads models of weaker questions before its last one: these are no reason for doubt.
        """
        unlike = [(known, reason) for known, model in others if (reason := _unlike(problem, model, cost))]
        if not unlike:
            return None
        last, model = self._kept[-1]
        is_last = _is_alike(last, problem) or not _unlike(problem, model, cost)
        return None if is_last and weaker.are_weaker([known for known, _ in unlike], problem) else unlike[0][1]


def solutions(values: Mapping[Any, object], problem: Problem, cost: object) -> dict[str, list[list[int]]]:
    """The exported values that are a whole solution of a problem with this cost, or a list of such, as literals by
    name.
    """
    variables, solutions_by_name = _variables(problem), {}
    for name, value in values.items():
        read = [_whole(each, variables) for each in _one_or_more(value, variables)]
        whole = [each for each in read if each]
        if whole and len(whole) == len(read) and not _of_another_cost(problem, map(set, whole), cost):
            solutions_by_name[str(name)] = whole
    return solutions_by_name


def _one_or_more(value: object, variables: set[int]) -> Sequence[object]:
    if isinstance(value, (list, tuple)) and _whole(value, variables) is None:
        return value
    return [value] if isinstance(value, (dict, list, tuple)) else []


def _whole(value: object, variables: set[int]) -> list[int] | None:
    """A collection read as literals of all variables; None for anything else."""
    literals = _literals(value) if isinstance(value, (dict, list, tuple)) else None
    return literals if literals and {*map(abs, literals)} >= variables else None


def _is_alike(one: Problem, other: Problem) -> bool:
    """Whether two questions are about the same clauses, to which a solver may have got more in the meantime."""
    return one.hard is other.hard or (one.count == other.count and one.hard[: one.count] == other.hard[: other.count])


def _variables(problem: Problem) -> set[int]:
    """The variables of the program itself in a problem."""
    clauses = (*problem.hard[: problem.count], *problem.soft)
    return {*map(int.__abs__, [each for clause in clauses for each in clause if not isinstance(each, Aux)])}


def _assignments(values: Mapping[Any, object], variables: set[int]) -> Iterator[tuple[str, list[int]]]:
    """Exported lists and dictionaries that give each variable a value, by name."""
    waiting = [("the model", values), *((str(name), value) for name, value in values.items())]
    for _ in range(PARTS_MAX):
        if not waiting or not variables:
            return
        name, value = waiting.pop()
        if isinstance(value, (list, tuple, set, frozenset, dict)):
            literals = _literals(value)
            if literals and {abs(each) for each in literals} >= variables:
                yield name, literals
            else:
                waiting += [(name, each) for each in (value.values() if isinstance(value, dict) else value)]


def _literals(value: Collection[object]) -> list[int] | None:
    """A collection read as literals of different variables, at least one of them negated; None for anything else."""
    if isinstance(value, dict):
        numbers = [str(each) for each in value]
        if not all(type(each) is bool for each in value.values()) or not all(each.isdecimal() for each in numbers):
            return None
        return [int(each) if holds else -int(each) for each, holds in zip(numbers, value.values(), strict=True)]
    literals = [each for each in value if isinstance(each, int) and not isinstance(each, bool) and each != 0]
    if len(literals) < len(value) or len({abs(each) for each in literals}) < len(value):
        return None
    return [int(each) for each in literals] if any(each < 0 for each in literals) else None


def _unlike(problem: Problem, literals: Iterable[int], cost: object = None) -> str | None:
    """How literals differ from a model of the problem."""
    true = {int(each) for each in literals}
    if not _extends(problem, true):
        return "does not satisfy the clauses of this answer"
    return _of_another_cost(problem, [true], cost)


def _of_another_cost(problem: Problem, models: Iterable[Iterable[int]], cost: object) -> str | None:
    return (
        "does not have this cost"
        if cost is not None and any(_cost(problem, set(each)) != cost for each in models)
        else None
    )


def _of_no_such_cost(problem: Problem, models: Sequence[Iterable[int]], cost: object) -> str | None:
    return (
        None
        if any(_of_another_cost(problem, [{*each}], cost) is None for each in models)
        else "does not have this cost"
    )


def _extends(problem: Problem, true: Collection[int]) -> bool:
    """Whether the clauses can hold with these literals; encodings have variables that no program reads."""
    known = {abs(each) for each in true}
    if not known >= _variables(problem):
        return False
    clauses = problem.hard[: problem.count]
    if not all(int(each) in true for each in problem.assumptions):
        return False
    if all(any(int(each) in true for each in clause) for clause in clauses):
        return True
    if any(clause and all(abs(int(each)) in known and int(each) not in true for each in clause) for clause in clauses):
        return False
    with pysat.solvers.Cadical195(bootstrap_with=[[int(each) for each in clause] for clause in clauses]) as solver:
        return solver.solve(assumptions=sorted(true, key=abs)) is True


def _cost(problem: Problem, true: Collection[int]) -> float:
    """The cost of the violated soft clauses; a variable without a value counts as false."""
    weighted = zip(problem.soft, problem.weights, strict=True)
    return sum(
        weight
        for clause, weight in weighted
        if not any(int(each) in true or (int(each) < 0 and -int(each) not in true) for each in clause)
    )
