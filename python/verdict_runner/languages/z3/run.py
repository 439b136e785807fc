"""The record of the only program that this process runs, and positions in its items."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import z3

from verdict_runner.evidence.smt import solvers
from verdict_runner.evidence.smt.aims import Aim
from verdict_runner.evidence.smt.solvers import AnySolver
from verdict_runner.languages.record import Current, Record
from verdict_runner.languages.searches import Excluded
from verdict_runner.languages.z3.decide import optimum
from verdict_runner.languages.z3.decide.excluded import excluded
from verdict_runner.protocol.runner import Task
from verdict_runner.sandbox.program import Place

if TYPE_CHECKING:
    from verdict_runner.languages.z3.decide.bounds import SearchResult

# An expression that can be minimised or maximised.
Objective: TypeAlias = "z3.ArithRef | z3.BitVecRef"
# The time reserved in a job for reading the answer.
RESERVE_SECONDS = 0.1
# The maximum time for improving a known answer.
EXPLAIN_SECONDS_MAX = 5.0
# A Z3 method or function with any parameters and result.
Method: TypeAlias = Callable[..., Any]


Key: TypeAlias = "int | str"


class Statement(NamedTuple):
    """A constraint that the program added to a solver: the id of its expression, or its tracking name."""

    key: Key
    constraint: object
    place: Place


class Statements:
    """The program's constraints in one solver, in order, except those removed when a scope was left."""

    def __init__(self) -> None:
        # The list is append-only, so that a prefix remains a valid earlier state; a pop creates a new list.
        self.made: list[Statement] = []
        self._scopes: list[int] = []

    def push(self) -> None:
        self._scopes.append(len(self.made))

    def pop(self, num: int = 1) -> None:
        if num > 0:
            self.made = self.made[: self._scopes[-num]]
            del self._scopes[-num:]

    def reset(self) -> None:
        self.made, self._scopes = [], []


def _by_key(statements: Iterable[Statement]) -> dict[Key, list[Statement]]:
    by_key: dict[Key, list[Statement]] = {}
    for each in statements:
        by_key.setdefault(each.key, []).append(each)
    return by_key


class Check:
    """A solver's check: the problem at the time of the check, and the answer."""

    def __init__(
        self,
        run: Run,
        solver: AnySolver,
        verdict: z3.CheckSatResult,
        search: SearchResult | None = None,
        assumptions: Sequence[z3.ExprRef] = (),
        place: Place | None = None,
    ) -> None:
        self.solver, self.verdict, self.search, self.place = solver, verdict, search, place
        self.assertions, self.assumptions = solver.assertions(), assumptions
        # The constraints that the solver tracks, by name.
        self.tracked = _by_key(run.tracked[id(solver)].made)
        self.names = run.names_of(solver)
        self._stated = run.stated[id(solver)].made
        self._stated_count = len(self._stated)
        self.reason = solver.reason_unknown() if verdict == z3.unknown else ""
        self.model: z3.ModelRef | None = None
        self.aims: Sequence[Aim] = ()
        # Each objective's bounds, if Z3's optimiser returned them.
        self.bounds: optimum.Bounds = ()
        self.is_endless = False
        if isinstance(solver, z3.Optimize):
            self.aims = optimum.aims(solver, run.objectives.get(id(solver), {}))
        if verdict == z3.sat:
            self.model = solvers.model_of(solver) if search is None else search.known_model
        if verdict == z3.sat and search is None and isinstance(solver, z3.Optimize):
            self.bounds = optimum.bounds_of(solver)
            self.is_endless = optimum.is_endless(solver, self.aims)

    @property
    def constraints(self) -> list[z3.ExprRef]:
        """Everything that must hold.

        Tracked constraints are asserted as `name => constraint`, so names are included.
        """
        return [*self.assertions, *self.names, *self.assumptions]

    @property
    def stated(self) -> dict[Key, list[Statement]]:
        """The unnamed constraints, by the ids of their expressions."""
        return _by_key(self._stated[: self._stated_count])

    @property
    def known_model(self) -> z3.ModelRef:
        """The model of a check that was answered `sat`."""
        if self.model is None:
            raise ValueError("the check has no model")
        return self.model


class Run(Record):
    """The record of the only program that this process runs."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.solvers: list[AnySolver] = []
        # Solvers created internally by `prove` and `solve`.
        self.asides: list[AnySolver] = []
        self.aside = False
        # The pointers to all solvers, and the ids of their Python objects.
        self.handles: set[object] = set()
        self.made: set[int] = set()
        self.bare: list[tuple[z3.BoolRef, Place]] = []
        self.origins: dict[int, tuple[Place, z3.ExprRef]] = {}
        # For each solver: the constraints that the program added, and the tracked ones.
        self.stated: defaultdict[int, Statements] = defaultdict(Statements)
        self.tracked: defaultdict[int, Statements] = defaultdict(Statements)
        self.limits_ms: dict[int, int] = {}
        self.priorities: dict[int, str] = {}
        # The solvers with a check without assumptions that was answered `sat`; the last check overall; each solver's
        # last check.
        self.satisfied: set[int] = set()
        self.last: Check | None = None
        self.last_of: dict[int, Check] = {}
        # For each solver: its last check, if nothing has changed since then.
        self.current: dict[int, Check] = {}
        # For each solver: the number of checks.
        self.times: Counter[int] = Counter()
        # The answers of all checks.
        self.answers: set[str] = set()
        # For each Optimize: each objective's expression, and whether it is maximised.
        self.objectives: dict[int, dict[int, tuple[Objective, bool]]] = {}
        # For each Optimize: all handles of each objective, and the handles that have a value from the last check.
        self.aimed: dict[int, dict[int, list[z3.OptimizeObjective]]] = {}
        self.reached: dict[int, dict[int, list[z3.OptimizeObjective]]] = {}
        self.answered_for: AnySolver | None = None
        # For each solver: the lines that added something to it after its last check or after export_solution.
        self.late: dict[int, list[Place]] = {}
        # For each solver: the constraints added since its last check; None after any other change.
        self.added: dict[int, list[object] | None] = {}
        # For each solver: the logic that the program named, and this logic's solver if it has answered all checks so
        # far.
        self.logics: dict[int, str] = {}
        self.beside: dict[int, z3.Solver] = {}

    def names_of(self, solver: AnySolver) -> list[z3.BoolRef]:
        """The names under which a solver tracks constraints."""
        return [z3.Bool(str(name), solver.ctx) for name in _by_key(self.tracked[id(solver)].made)]

    def changed(self, solver_id: int) -> None:
        """Records that a solver changes, so that its last check is about a different problem."""
        self.current.pop(solver_id, None)

    def note(self, check: Check) -> None:
        """Records a check that the program made."""
        key = id(check.solver)
        earlier = self.current.get(key)
        is_same = earlier is not None and not check.assumptions and not earlier.assumptions
        # With the priority `pareto`, each check returns the next of several solutions.
        walks = self.priorities.get(key) == "pareto"
        is_repeated = is_same and not walks
        self.expect_change(is_repeated and check.verdict == z3.sat)
        if is_repeated:
            self.again += 1
        else:
            self.note_end(str(check.verdict), check.place)
        self.last_verdict = str(check.verdict)
        self._note_search(check, is_next=is_same and walks)
        self.current[key] = self.last_of[key] = self.last = check
        self.times[key] += 1
        self.answers.add(str(check.verdict))
        if check.verdict == z3.sat and not check.assumptions:
            self.satisfied.add(key)
        if self.exports == 0:
            self.late.pop(key, None)

    def _note_search(self, check: Check, is_next: bool) -> None:
        """Records whether a check continues the program's own search; if `is_next`, the solver itself excludes."""
        search, added = self.searches.of(check.solver), self.added.get(id(check.solver), [])
        self.added[id(check.solver)] = []
        ways: list[Excluded | None] | None = None
        if added is not None:
            ways = [search and excluded(each, search.last.known_model) for each in added]
        if is_next:
            ways = [Excluded(frozenset((id(check.solver),)))]
        verdict = "" if check.assumptions else str(check.verdict)
        self.searches.note(check.solver, check, verdict, ways)

    def was_sat(self, solver: AnySolver) -> bool:
        """Whether one of this solver's checks without assumptions was answered `sat`."""
        return id(solver) in self.satisfied


_current = Current(Run)
begin, the_run = _current.begin, _current.get


def genuine(solver: object) -> AnySolver:
    """Returns the object if it is a Z3 solver, else raises TypeError: a program could pass objects of its own."""
    if type(solver) is z3.Solver or type(solver) is z3.Optimize:
        return solver
    raise TypeError(f"this method belongs to a Z3 solver, not to a {type(solver).__name__}")


def where(place: Place) -> str:
    """Describes a position as messages show it."""
    return f"item {place[0]}, line {place[1]}"


def flat(constraints: Iterable[object]) -> Iterator[object]:
    """Yields the constraints in nested lists, one by one."""
    for each in constraints:
        if isinstance(each, (list, tuple, set, z3.AstVector)):
            yield from flat(each)
        else:
            yield each
