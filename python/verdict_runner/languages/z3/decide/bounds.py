"""Searches for an objective's best value with a plain solver: better values from below, proved bounds from above.

Z3's optimiser returns nothing at its time limit. This search has a best value and a bound at any time, and sometimes
terminates when the optimiser does not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import z3

from verdict_runner.evidence.budget import limit_ms
from verdict_runner.evidence.smt.aims import Aim
from verdict_runner.evidence.smt.solvers import (
    AnySolver,
    optimize_set,
    plain_solver,
    solver_check,
    solver_model,
    solver_set,
)
from verdict_runner.languages.z3 import start
from verdict_runner.languages.z3.decide import optimum

if TYPE_CHECKING:
    from verdict_runner.languages.z3.run import Run

# The share of the remaining time for one query, so that a hard query does not end the search.
SHARE = 0.3
# The maximum number of queries for much better values after a query that was too hard.
STEPS_BACK = 4
# The distance between a real value and its bound below which the search asks for the exact optimum.
CLOSE = Fraction(1, 10**6)
# Floats represent integers below this value exactly.
EXACT = 2**53
# A callback that receives a better value and the bound.
Tell: TypeAlias = Callable[[float, "float | None"], None]


# The optimiser's share of the remaining time, before this search starts.
OPTIMISER_SHARE = 0.45


class SearchResult(NamedTuple):
    """The result of the search: `unsat`, or the best model so far and a bound on the objective."""

    verdict: z3.CheckSatResult
    model: z3.ModelRef | None
    is_best: bool
    bound: Fraction | None

    @property
    def known_model(self) -> z3.ModelRef:
        """Returns the model; raises `ValueError` if the search found none."""
        if self.model is None:
            raise ValueError("the search has no model")
        return self.model


def checked(
    run: Run, solver: AnySolver, ask: Callable[[], z3.CheckSatResult]
) -> tuple[z3.CheckSatResult, SearchResult | None]:
    """Asks a solver; if an optimiser does not terminate in its share of the time, this search follows."""
    if not isinstance(solver, z3.Optimize) or id(solver) in run.limits_ms or len(solver.objectives()) == 0:
        return ask(), None
    first = start.equations(run, solver)
    optimize_set(solver, "timeout", limit_ms(OPTIMISER_SHARE * run.left()))
    verdict = ask()
    if verdict != z3.unknown:
        return verdict, None
    seconds = run.for_search()
    aims = optimum.aims(solver, run.objectives.get(id(solver), {}))
    run.news.begin()
    constraints = [*solver.assertions(), *run.names_of(solver)]
    result = searched(constraints, aims, seconds, run.news.tell, first)
    run.news.finish()
    return result.verdict, result if result.verdict == z3.sat else None


def searched(
    constraints: Sequence[z3.ExprRef],
    aims: Sequence[Aim],
    seconds: float,
    tell: Tell = lambda value, bound: None,
    first: Sequence[z3.BoolRef] = (),
) -> SearchResult:
    """Runs the search for at most this time; improves several objectives, and bit-vectors, step by step.

    `tell` receives better values and the bound during the search. Values that satisfy `first` are tried first.
    """
    until = time.monotonic() + seconds
    if len(aims) != 1 or not z3.is_arith(aims[0][0]):
        return SearchResult(*optimum.found_plainly(constraints, aims, seconds), None)
    search = _Search(constraints, aims[0], until, plain_solver(), tell)
    verdict = search.ask(z3.And(*first), SHARE * search.left()) if first else z3.unknown
    if verdict != z3.sat:
        verdict = search.ask(None, search.left())
    if verdict != z3.sat:
        return SearchResult(verdict, None, False, None)
    is_best = search.run()
    bound = None if search.bound is None else search.sign * search.bound
    return SearchResult(z3.sat, search.model, is_best, bound)


class _Search:
    """One search. Internally, every objective is maximised; `sign` converts it."""

    def __init__(
        self, constraints: Iterable[z3.ExprRef], aim: Aim, until: float, solver: z3.Solver, tell: Tell
    ) -> None:
        expression, largest = aim
        self.sign = 1 if largest else -1
        self.bound: Fraction | None = None
        self.best: Fraction | None = None
        self.model: z3.ModelRef | None = None
        self._goal = expression if largest else -expression
        self._is_whole = z3.is_int(expression)
        self._until, self._solver, self._tell = until, solver, tell
        for each in constraints:
            self._assert(each)

    def left(self) -> float:
        return self._until - time.monotonic()

    def _assert(self, constraint: z3.ExprRef) -> None:
        z3.Z3_solver_assert(self._solver.ctx.ref(), self._solver.solver, constraint.as_ast())

    def ask(self, more: z3.BoolRef | None, seconds: float) -> z3.CheckSatResult:
        """Asks for a model that also satisfies this constraint; keeps a better model."""
        context = self._solver.ctx.ref()
        solver_set(self._solver, "timeout", limit_ms(min(seconds, self.left())))
        if more is not None:
            z3.Z3_solver_push(context, self._solver.solver)
            self._assert(more)
        verdict = solver_check(self._solver)
        if verdict == z3.sat:
            model = solver_model(self._solver)
            value = _number(model.eval(self._goal, model_completion=True))
            if value is None:
                verdict = z3.unknown
            elif self.best is None or value > self.best:
                self.best, self.model = value, model
                self._tell_best(value)
        if more is not None:
            z3.Z3_solver_pop(context, self._solver.solver, 1)
        return verdict

    def _tell_best(self, value: Fraction) -> None:
        bound = self.bound if self.bound is not None and abs(self.bound) < EXACT else None
        if abs(value) < EXACT:
            self._tell(float(self.sign * value), None if bound is None else float(self.sign * bound))

    def run(self) -> bool:
        """Improves the best value and the bound until they meet or the time ends; returns whether they met."""
        step, is_stuck = Fraction(1), False
        while self.best is not None and self.left() > 0.01:
            if self.bound is not None and self.bound <= self.best:
                return True
            if is_stuck or self._is_close():
                return self._is_last()
            before = self.best
            distance = step if self.bound is None else min(step, (self.bound - before) / 2)
            target = before + (max(1, int(distance)) if self._is_whole else distance)
            verdict = self.ask(self._goal >= _value(target, self._is_whole), SHARE * self.left())
            if verdict == z3.sat:
                step *= 2
            elif verdict == z3.unsat:
                self.bound = target - 1 if self._is_whole else target
                step = max(Fraction(1), step / 2) if self._is_whole else step / 2
            else:
                is_stuck = not self._steps_back(target)
                step = Fraction(1)
        return self.best is not None and self.bound is not None and self.bound <= self.best

    def _is_close(self) -> bool:
        if self._is_whole or self.bound is None or self.best is None:
            return False
        return self.bound - self.best <= CLOSE * max(Fraction(1), abs(self.best))

    def _is_last(self) -> bool:
        """Keeps asking for any better value, using all the remaining time; returns whether the optimum was proved."""
        while self.best is not None and self.left() > 0.01:
            verdict = self.ask(self._goal > _value(self.best, self._is_whole), self.left())
            if verdict == z3.unsat:
                self.bound = self.best
                return True
            if verdict != z3.sat:
                return False
        return False

    def _steps_back(self, target: Fraction) -> bool:
        """After a query that was too hard, tries easier ones for much better values; returns whether that helped."""
        if self.best is None:
            return False
        before, far = self.bound, self.bound
        distance = max(Fraction(1), target - self.best)
        for _ in range(STEPS_BACK):
            distance = 8 * distance if far is None else (far - target) / 2
            probe = target + (Fraction(int(distance)) if self._is_whole else distance)
            if probe <= target:
                break
            verdict = self.ask(self._goal >= _value(probe, self._is_whole), SHARE * self.left())
            if verdict == z3.sat:
                return True
            if verdict == z3.unsat:
                self.bound = far = probe - 1 if self._is_whole else probe
            else:
                target = probe
        return self.bound != before


def _value(number: Fraction, is_whole: bool) -> z3.ArithRef:
    return z3.IntVal(int(number)) if is_whole else z3.RealVal(str(number))


def _number(value: z3.ExprRef) -> Fraction | None:
    """Reads a number in a model; None if it is not rational."""
    if z3.is_int_value(value):
        return Fraction(value.as_long())
    return value.as_fraction() if z3.is_rational_value(value) else None
