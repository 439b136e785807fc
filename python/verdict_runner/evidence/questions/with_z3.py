"""Finds solutions of assertions with Z3; formulas are handed over as SMT-LIB."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import z3

from verdict_runner.evidence.budget import limit_ms
from verdict_runner.evidence.questions.space import Changes, Kept, Open, Row, by_limits, by_steps
from verdict_runner.evidence.smt import aims as z3_aims
from verdict_runner.evidence.smt import solvers
from verdict_runner.evidence.smt import values as z3_values
from verdict_runner.evidence.smt.aims import Aim
from verdict_runner.evidence.smt.terms import same
from verdict_runner.protocol.messages import Fields, Json


class Z3Space:
    """The solutions of assertions, told apart by the values of some terms."""

    method = "enumeration with Z3"

    def __init__(self, assertions: Sequence[z3.ExprRef], leaves: Sequence[z3.ExprRef], aims: Sequence[Aim]) -> None:
        self._solver = solvers.plain_solver()
        self._stated = list(assertions)
        self._leaves, self._aims = list(leaves), list(aims)
        self._model: z3.ModelRef | None = None
        self.size = len(self._leaves)
        self._add(*assertions)

    def find(self, until: float) -> Row | None:
        left = until - time.monotonic()
        if left <= 0:
            raise Open("the time ran out")
        solvers.solver_set(self._solver, "timeout", limit_ms(left))
        verdict = solvers.solver_check(self._solver)
        if verdict == z3.unsat:
            return None
        if verdict != z3.sat:
            raise Open(self._reason())
        model = self._model = solvers.solver_model(self._solver)
        if any(z3.is_false(model.eval(each, model_completion=True)) for each in self._stated):
            raise Open("Z3 returned a model that does not satisfy the constraints")
        row = [model.eval(each, model_completion=True) for each in self._leaves]
        return Row(row, z3_aims.reached(self._aims, model) if self._aims else None)

    def _reason(self) -> str:
        reason = self._solver.reason_unknown()
        return "the time ran out" if reason in ("timeout", "canceled") else f"Z3 does not decide it ({reason})"

    @contextlib.contextmanager
    def scope(self) -> Iterator[None]:
        self._solver.push()
        try:
            yield
        finally:
            self._solver.pop()

    def optimum(self, until: float) -> tuple[Row | None, str | None]:
        return by_steps(self, None, until)

    def fewest(self, kept: Sequence[Kept], until: float) -> Changes | None:
        changed = [
            (z3.Not(z3_values.shown_as(self._leaves[each.at], each.value, each.path)), each.weight) for each in kept
        ]

        def find(limit: int | None) -> tuple[int, Row] | None:
            with self.scope():
                if limit is not None:
                    self._add(z3.PbLe(changed, limit))
                row = self.find(until)
            return None if row is None else (sum(weight for each, weight in changed if self._holds(each)), row)

        changes = by_limits(find)
        if changes is not None:
            self._add(z3.PbLe(changed, changes.cost))
        return changes

    def _holds(self, condition: z3.ExprRef) -> bool:
        """Whether a condition holds in the most recent model."""
        assert self._model is not None
        value = z3_aims.decided(self._model.eval(condition, model_completion=True))
        if not z3.is_true(value) and not z3.is_false(value):
            raise Open("two of the values can't be compared")
        return z3.is_true(value)

    def is_goal(self, at: int) -> bool:
        return any(goal.eq(self._leaves[at]) for goal, _ in self._aims)

    def require_other(self, row: Row, at: Sequence[int], count: int = 1) -> None:
        differ = [z3.Not(same(self._leaves[i], row.leaves[i])) for i in at]
        self._add(z3.Or(differ) if count == 1 else z3.AtLeast(*differ, count))

    def require_same(self, at: int, value: object, path: str) -> None:
        self._add(z3_values.shown_as(self._leaves[at], value, path))

    def require_far(self, rows: Sequence[Row], distance: int) -> None:
        for row in rows:
            differ = [z3.Not(same(leaf, value)) for leaf, value in zip(self._leaves, row.leaves)]
            self._add(z3.AtLeast(*differ, distance))

    def require_better(self, row: Row) -> None:
        assert self._model is not None
        self._add(z3_aims.better(self._aims, self._model))

    def differing(self, one: Row, other: Row) -> list[int]:
        return [i for i, (a, b) in enumerate(zip(one.leaves, other.leaves)) if not _equal(a, b)]

    def json(self, leaf: z3.ExprRef) -> Json:
        return z3_values.to_json(leaf)

    def _add(self, *constraints: z3.ExprRef) -> None:
        for each in constraints:
            z3.Z3_solver_assert(self._solver.ctx.ref(), self._solver.solver, each.as_ast())


def _equal(one: z3.ExprRef, other: z3.ExprRef) -> bool:
    if one.eq(other):
        return True
    is_same = z3.simplify(same(one, other))
    if not z3.is_true(is_same) and not z3.is_false(is_same):
        raise Open("two of the values can't be compared")
    return z3.is_true(is_same)


def can_be_compared(sort: z3.SortRef) -> bool:
    """Whether a sort's values can be compared and mean the same in all of a solver's models."""
    kinds = (z3.Z3_BOOL_SORT, z3.Z3_INT_SORT, z3.Z3_REAL_SORT, z3.Z3_BV_SORT, z3.Z3_FLOATING_POINT_SORT)
    if sort.kind() in kinds:
        return True
    if isinstance(sort, z3.SeqSortRef):
        return sort.is_string()
    if not isinstance(sort, z3.DatatypeSortRef):
        return False
    return all(
        sort.constructor(i).domain(k).kind() in kinds
        for i in range(sort.num_constructors())
        for k in range(sort.constructor(i).arity())
    )


def collected(leaves: list[z3.ExprRef], is_open: Callable[[z3.ExprRef], bool]) -> Callable[[object], int | None]:
    """Returns a function that numbers solver-decided expressions in order of appearance; None for anything else."""

    def place(value: object) -> int | None:
        if isinstance(value, z3.FuncDeclRef) and value.arity() == 0:
            value = value()
        if not isinstance(value, z3.ExprRef) or not can_be_compared(value.sort()) or not is_open(value):
            return None
        leaves.append(value)
        return len(leaves) - 1

    return place


def definitions(expressions: Iterable[z3.ExprRef], name: str) -> list[z3.BoolRef]:
    """Defines a new name for each expression, so that the expressions can be handed over."""
    return [same(z3.FreshConst(each.sort(), name), each) for each in expressions]


def of_smtlib(space: Fields) -> Z3Space:
    """Reads the space handed over by another process; raises `Open`."""
    assertions = list(z3.parse_smt2_string(space.text("smtlib")))
    leaves = space.whole("leaves")
    aims = space.whole("aims")
    rest = len(assertions) - leaves
    largest = [each is True for each in space.list("largest")]
    goals = [each.arg(1) for each in assertions[rest - aims : rest]]
    objectives = [
        (goal, is_large) for goal, is_large in zip(goals, largest) if isinstance(goal, (z3.ArithRef, z3.BitVecRef))
    ]
    if len(objectives) < aims:
        raise Open("one of the objectives is not a number")
    return Z3Space(assertions[: rest - aims], [each.arg(1) for each in assertions[rest:]], objectives)
