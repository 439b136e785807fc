"""Represents the problem of one query to an engine as clauses, for a process that never ran the program."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from pysat.formula import CNF, WCNF

from verdict_runner.evidence.cnf.problem import Stated
from verdict_runner.languages import why
from verdict_runner.languages.pysat.helpers import Clauses
from verdict_runner.languages.pysat.log import Log
from verdict_runner.languages.why import Place

# The maximum number of literals in the evidence; an answer has room for 8 MB.
LITERALS_MAX = 600_000


class Problem:
    """The problem of one query to an engine; clauses may be added to the engine afterwards."""

    def __init__(
        self,
        hard: Clauses = (),
        soft: Clauses = (),
        weights: Sequence[float] = (),
        assumptions: Sequence[int] = (),
        reason: str | None = None,
    ) -> None:
        self.hard, self.count = hard, len(hard)
        self.soft, self.weights = soft, weights
        self.assumptions = assumptions
        # The reason if the problem can't be handed over.
        self.reason = reason
        # The model that the program read.
        self.model: Sequence[int] | None = None
        # The model that the engine had right after its answer; later changes to the engine can invalidate it there.
        self.kept: list[int] | None = None
        # The largest variable shown in a model.
        self.top = sys.maxsize
        # The lines that state the hard clauses; empty unless the call asks why.
        self.places: Sequence[Place] = ()

    def clauses(self) -> set[frozenset[int]]:
        """The hard clauses and the assumptions."""
        return {*map(frozenset, self.hard[: self.count]), *(frozenset([each]) for each in self.assumptions)}

    def literals(self) -> Iterator[int]:
        return chain.from_iterable((*self.hard[: self.count], *self.soft))

    def is_same(self, other: Problem) -> bool:
        """Whether two problems are queries to the same solver with no clause added in between."""
        return (
            self.hard is other.hard and self.count == other.count and list(self.assumptions) == list(other.assumptions)
        )

    def evidence(
        self, cost: object = None, exported: Iterable[Sequence[int]] = (), is_least: bool = True
    ) -> dict[str, object]:
        """Returns the problem as JSON, with the model found and the solutions that the program exported.

        `cost` is the claimed cost of the soft clauses.
        """
        hard, exported = self.hard[: self.count], list(exported)
        if self.reason is None and sum(map(len, (*hard, *self.soft, *exported))) > LITERALS_MAX:
            self.reason = "the problem is too large for a second check"
        weights = [each for each in self.weights if type(each) is int]
        stated = cost if type(cost) is int else None
        if self.reason is None and (len(weights) < len(self.weights) or (cost is not None and stated is None)):
            self.reason = "its weights are not whole numbers"
        if self.reason is not None:
            return {"open": self.reason}
        plain_hard, plain_soft = _plain(hard), _plain(self.soft)
        return Stated(
            plain_hard,
            plain_soft,
            weights,
            [int(each) for each in self.assumptions],
            None if self.model is None else _about(self.model, (*plain_hard, *plain_soft)),
            [[int(each) for each in solution] for solution in exported],
            stated,
            is_least,
        ).data()


def of_log(log: Log, assumptions: Iterable[int]) -> Problem:
    """Returns a solver's problem from the log of its clauses."""
    reason = (
        "it has constraints other than clauses"
        if log.others
        else None
        if log.whole
        else "the problem is too large for a second check"
    )
    problem = Problem(log.clauses, assumptions=tuple(assumptions), reason=reason)
    problem.places, problem.top = log.places, log.top()
    return problem


def of_formula(formula: object, only_hard: bool = False, all_hard: bool = False) -> Problem:
    """Returns the problem of an engine that takes a formula."""
    if getattr(formula, "atms", None) or getattr(formula, "atmosts", None):
        return Problem(reason="it has constraints other than clauses")
    if isinstance(formula, WCNF):
        hard, soft, weights = list(map(list, formula.hard)), list(map(list, formula.soft)), list(formula.wght)
        if all_hard or only_hard:
            return Problem([*hard, *soft] if all_hard else hard)
        return Problem(hard, soft, weights)
    return (
        Problem(list(map(list, formula.clauses)))
        if isinstance(formula, CNF)
        else Problem(reason="this kind of question has no second check")
    )


def is_part(one: Problem | None, other: Problem | None) -> bool:
    """Whether one problem contains all constraints of the other."""
    if one is None or other is None or one.reason is not None or other.reason is not None:
        return True
    if not set(one.assumptions) <= set(other.assumptions):
        return False
    if one.hard is other.hard:
        return one.count <= other.count
    return set(map(frozenset, one.hard[: one.count])) <= set(map(frozenset, other.hard[: other.count]))


def _about(model: Sequence[int], clauses: Iterable[Sequence[int]]) -> list[int]:
    """The literals of a model whose variables occur in these clauses.

    Encodings' variables start at a high number, so most literals in a model may belong to unused variables.
    """
    literals = {*chain.from_iterable(clauses)}
    return sorted(map(int, literals.union([-each for each in literals]).intersection(model)), key=abs)


def _plain(clauses: Clauses) -> list[list[int]]:
    return [list(map(int, clause)) for clause in clauses]


def why_question(problem: Problem, items: Sequence[str], cost: object = None) -> Mapping[str, object]:
    """Returns a problem's clauses by line; if a cost is given, asks whether a solution costs less."""
    places = [*problem.places[: problem.count]]
    if len(places) < problem.count:
        return {"problem": {"open": "the lines of its clauses are not known"}, "parts": []}
    return why.why_question(problem.evidence(cost), places, items)
