"""Searches for low-cost solutions of weighted clauses with an anytime local search.

Each step satisfies one more soft clause. If this clause conflicts with others, the step gives up a cheap clause in the
core. The step then satisfies as many other clauses as possible. The search never claims that a solution is optimal.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from types import TracebackType
from typing import NamedTuple

from pysat.solvers import Glucose4

# The conflict limit for one query, so that a hard query does not end the search.
CONFLICTS = 2_000
# The number of steps before the walk restarts from the best solution.
STEPS = 40
# The probability of giving up a random clause in a core instead of the cheapest one.
WHIM = 0.15
# The number of last steps whose newly satisfied clauses are not given up.
LAST = 5
# The share of the satisfied clauses that is given up after a query that was too hard.
GIVEN_UP = 0.2
# The maximum number of cores kept per soft clause.
CORES_MAX = 10


class Best(NamedTuple):
    """The best solution found, as literals of all variables, and its cost; the model is None if none was found yet."""

    model: list[int] | None
    cost: float
    # Whether the hard clauses were refuted.
    is_refuted: bool = False


class Search:
    """One search. The search is reproducible, since its random choices use a fixed seed."""

    def __init__(
        self,
        hard: Sequence[Sequence[int]],
        soft: Sequence[Sequence[int]],
        weights: Sequence[float],
        until: float,
        tell: Callable[[float], None],
    ) -> None:
        self._hard, self._weighted = hard, list(zip(soft, weights, strict=True))
        self._until, self._tell, self._random = until, tell, random.Random(1)
        self._variables = sorted({abs(each) for clause in (*hard, *soft) for each in clause})
        self._solver = Glucose4(bootstrap_with=hard)
        # The soft clauses and their weights, by the literal that represents them.
        self._clauses: dict[int, Sequence[int]] = {}
        self._weights: dict[int, float] = {}
        top = max(self._variables, default=0)
        for clause, weight in self._weighted:
            literal = clause[0] if len(clause) == 1 else (top := top + 1)
            if len(clause) != 1:
                self._solver.add_clause([*clause, -literal])
            self._clauses[literal] = clause
            self._weights[literal] = self._weights.get(literal, 0) + weight
        self._solver.set_phases(list(self._clauses))
        self._cores: dict[int, deque[frozenset[int]]] = {}
        self._last: deque[int] = deque(maxlen=LAST)
        self._best = Best(None, 0)

    def __enter__(self) -> Search:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._solver.delete()

    def run(self, known: Sequence[int]) -> Best:
        """Returns the best solution found in time, starting from `known` if that is a solution."""
        true = {*known, *(-each for each in self._variables if each not in {*known})}
        if known and all(not true.isdisjoint(clause) for clause in self._hard):
            held = self._noted(true)
        else:
            held, verdict = set[int](), None
            while verdict is None and self._is_going():
                held, verdict = self._asked([])
            if verdict is not True:
                return Best(None, 0, is_refuted=verdict is False)
        held = self._grown(held)
        while self._is_going():
            held = self._walked(held)
        return self._best

    def _is_going(self) -> bool:
        return time.monotonic() < self._until and (self._best.model is None or self._best.cost > 0)

    def _walked(self, held: set[int]) -> set[int]:
        """Walks some steps; returns the clauses satisfied by an improved solution, or else the starting point."""
        cost, best = self._best.cost, held
        for _ in range(STEPS):
            if not self._is_going():
                break
            held = self._grown(self._stepped(held))
            if self._best.cost < cost:
                return held
        return best

    def _asked(self, assumptions: Iterable[int]) -> tuple[set[int], bool | None]:
        """Runs one limited query under these assumptions; returns the soft clauses satisfied and the verdict."""
        self._solver.conf_budget(CONFLICTS)
        verdict = self._solver.solve_limited(assumptions=list(assumptions))
        return (self._noted(set(self._solver.get_model() or ())) if verdict else set(), verdict)

    def _noted(self, true: set[int]) -> set[int]:
        """Keeps a solution if it is the best so far; returns the soft clauses that it satisfies."""
        full = true | {-each for each in self._variables if each not in true}
        cost = sum(weight for clause, weight in self._weighted if full.isdisjoint(clause))
        if self._best.model is None or cost < self._best.cost:
            self._best = Best([each if each in full else -each for each in self._variables], cost)
            self._tell(cost)
        return {literal for literal, clause in self._clauses.items() if not full.isdisjoint(clause)}

    def _missing(self, held: Collection[int]) -> list[int]:
        """Lists the violated soft clauses, heaviest first."""
        missing = [each for each in self._clauses if each not in held]
        return sorted(missing, key=lambda each: (-self._weights[each], self._random.random()))

    def _grown(self, held: set[int]) -> set[int]:
        """Satisfies more soft clauses as long as none has to be given up."""
        for each in self._missing(held):
            if not self._is_going():
                break
            if each in held or any(core <= held for core in self._cores.get(each, ())):
                continue
            satisfied, verdict = self._asked([*held, each])
            if verdict:
                held = held | satisfied
            elif verdict is False:
                self._core_of(each)
        return held

    def _core_of(self, literal: int) -> frozenset[int]:
        """The soft clauses that together exclude this one, according to the last query's core."""
        core = frozenset(self._solver.get_core() or ()) - {literal}
        self._cores.setdefault(literal, deque(maxlen=CORES_MAX)).append(core)
        return core

    def _stepped(self, held: set[int]) -> set[int]:
        """Satisfies one more soft clause, giving up others if necessary."""
        missing = [each for each in self._missing(held) if frozenset() not in self._cores.get(each, ())]
        if not missing:
            return held
        (literal,) = self._random.choices(missing, [self._weights[each] for each in missing])
        remaining = set(held)
        while self._is_going():
            satisfied, verdict = self._asked([*remaining, literal])
            if verdict:
                self._last.append(literal)
                return satisfied
            core = self._core_of(literal) if verdict is False else None
            if core is not None and not core:
                return held
            remaining -= self._given_up(core, remaining)
        return held

    def _given_up(self, core: Collection[int] | None, remaining: Collection[int]) -> set[int]:
        """Chooses the clauses to give up from a core, or from all clauses if there is no core."""
        if core is None:
            count = max(1, int(GIVEN_UP * len(remaining)))
            return set(self._random.sample(sorted(remaining), min(count, len(remaining))))
        choice = [each for each in sorted(core) if each not in self._last] or sorted(core)
        if self._random.random() < WHIM:
            return {self._random.choice(choice)}
        return {min(choice, key=lambda each: (self._weights[each], self._random.random()))}
