"""The record of the only program that this process runs, and PySAT's engines by kind."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard

import pysat
import pysat.solvers
from pysat.examples import fm, hitman, lbx, lsu, mcsls, musx, optux, rc2

from verdict_runner.languages.pysat import pools
from verdict_runner.languages.pysat import problem as evidence
from verdict_runner.languages.pysat.best.share import Incumbent
from verdict_runner.languages.record import Current, Record
from verdict_runner.languages.searches import Excluded
from verdict_runner.languages.why import Place
from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Task
from verdict_runner.sandbox import program

if TYPE_CHECKING:
    from typing_extensions import TypeIs

SOLVERS = tuple(
    value
    for value in vars(pysat.solvers).values()
    if isinstance(value, type) and value.__module__ == "pysat.solvers" and "solve" in vars(value)
)
MAXSAT = (rc2.RC2, rc2.RC2Stratified, fm.FM, lsu.LSU, lsu.LSUPlus)
SUBSETS = (musx.MUSX, optux.OptUx)
OTHERS = (lbx.LBX, mcsls.MCSls, hitman.Hitman)
ENGINES = frozenset((*SOLVERS, *MAXSAT, *SUBSETS, *OTHERS))

# An engine's method with any parameters and result.
Method: TypeAlias = Callable[..., Any]
MaxSat: TypeAlias = "rc2.RC2 | fm.FM | lsu.LSU"

REFUTED_MAX = 20
# The solvers' answers in words.
WORDS = {True: "sat", False: "unsat", None: "unknown"}


class SatSolver(Protocol):
    """The methods shared by all PySAT solvers, which have no common base class."""

    def solve(self, assumptions: Iterable[int] = ...) -> bool | None: ...
    def get_model(self) -> list[int] | None: ...
    def accum_stats(self) -> dict[str, int] | None: ...
    def conf_budget(self, budget: int) -> object: ...
    def nof_vars(self) -> int: ...
    def set_phases(self, literals: Iterable[int] = ...) -> None: ...


def is_solver(engine: object) -> TypeGuard[SatSolver]:
    return isinstance(engine, SOLVERS)


def is_maxsat(engine: object) -> TypeIs[MaxSat]:
    return isinstance(engine, MAXSAT)


class Run(Record):
    """The record of the only program that this process runs."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        # The nesting depth of engine calls; only calls at depth 0 come from the program.
        self.depth = 0
        # The answers to the program's own calls: True, False, or None for undecided.
        self.verdicts: list[bool | None] = []
        # The engine that the program queried last, if its answer can be the program's: a solver, or one for MaxSAT or
        # conflicts.
        self.asked: object = None
        # The last queries without assumptions that were answered False.
        self.refuted: deque[evidence.Problem] = deque(maxlen=REFUTED_MAX)
        # Each optimum found, with its problem.
        self.optima: list[tuple[float, evidence.Problem]] = []
        # The best solutions so far of stopped engines, and the time at which the running engine has to stop.
        self.incumbents: list[Incumbent] = []
        self.engine_until: float | None = None
        # For each possible answer, the last problem that received it.
        self.problems: dict[bool | None, evidence.Problem] = {}
        # For each solver, the first query whose models the program read.
        self._first_read: dict[int, evidence.Problem] = {}
        self.pools = pools.Pools()
        # The variables that the answer names, if it was read from an engine.
        self.named: object = None
        self.replayed = 0
        self.wrong: str | None = None
        # Whether the program has created encodings with auxiliary variables.
        self.encoded = False
        # Whether clauses were added after the program's answer.
        self.late = False
        # While a solver starts, the clauses that it accepts at its start.
        self.starting: list[tuple[int, ...]] | None = None
        self.statistics: dict[str, Json] = {}
        # If the call asks why: the formulas' clauses by id, with the lines that state them.
        self.stored: dict[int, tuple[Sequence[int], Place]] = {}

    def note(self, verdict: bool | None, problem: evidence.Problem) -> None:
        self.verdicts.append(verdict)
        word = WORDS[verdict]
        self.note_end(word)
        self._note_search(word if not problem.assumptions and problem.reason is None else "", problem)
        last = self.problems.get(True) if verdict else None
        self.expect_change(last is not None and last.is_same(problem))
        self.problems[verdict] = problem
        if verdict is False and not problem.assumptions:
            self.refuted.append(problem)

    def _note_search(self, verdict: str, problem: evidence.Problem) -> None:
        search, ways = self.searches.of(problem.hard), None
        if search is not None and search.last.model is not None:
            true = {*search.last.model}
            ways = [_excluded(each, true) for each in problem.hard[search.last.count : problem.count]]
        self.searches.note(problem.hard, problem, verdict, ways)

    def note_read(self, problem: evidence.Problem, model: Sequence[int] | None) -> None:
        """Records that the program read this model."""
        if model is None:
            return
        first = self._first_read.setdefault(id(problem.hard), copy.copy(problem))
        first.assumptions = [each for each in first.assumptions if each in problem.assumptions]

    def first_question(self, problem: evidence.Problem) -> evidence.Problem:
        """The query that every model read from this solver answers; clauses added later exclude earlier models."""
        first = self._first_read.get(id(problem.hard))
        if first is None or problem.model is None:
            return problem
        first.model = problem.model
        return first

    def stands(self, stopped: program.ItemError) -> bool:
        return super().stands(stopped) and (self.asked is not None or self.answer is not None)

    def store(self, clauses: Iterable[Sequence[int]]) -> None:
        """Records that the current line states these clauses of a formula."""
        place = program.stating() if self.asks_why else None
        if place is not None:
            self.stored.update((id(each), (each, place)) for each in clauses)

    def place_of(self, clause: object) -> Place:
        """The line that states a clause: the line that added it to a formula, or else the current line."""
        stored = self.stored.get(id(clause))
        return program.stating() if stored is None else stored[1]

    def conflict(self) -> evidence.Problem | None:
        """The last problem that was answered False, without its assumptions if its clauses alone were refuted, too."""
        last = self.problems.get(False)
        alone = [each for each in self.refuted if evidence.is_part(each, last)]
        return alone[-1] if alone and last and last.assumptions else last


def _excluded(clause: Sequence[int], true: Collection[int]) -> Excluded | None:
    """Returns how a clause excludes a model."""
    is_false = all(-each in true for each in clause)
    return Excluded(frozenset(map(abs, clause))) if is_false else None


_current = Current(Run)
begin, the_run = _current.begin, _current.get


def genuine(engine: object) -> None:
    """Raises TypeError unless the object is a PySAT engine: a program could call these methods on its own objects."""
    if type(engine) not in ENGINES:
        raise TypeError(f"this method belongs to a PySAT engine, not to a {type(engine).__name__}")
