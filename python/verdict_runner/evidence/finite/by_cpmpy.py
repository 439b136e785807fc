"""Confirms answers of Z3, and of CP-SAT itself, with CP-SAT: rebuilds a form as CPMpy expressions.

CP-SAT runs in a process that never ran a program.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import cpmpy as cp
from cpmpy.expressions.core import BoolVal
from cpmpy.solvers.solver_interface import ExitStatus

from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.evidence.finite import proto
from verdict_runner.evidence.finite.form import Form
from verdict_runner.evidence.finite.meaning import Node, Unknown
from verdict_runner.languages.cpmpy import own

# A CPMpy expression or a number.
Term: TypeAlias = Any


class Builder:
    """Converts nodes to expressions over these variables."""

    def __init__(self, domains: Sequence[Sequence[int]]) -> None:
        self.variables = [cp.boolvar() if list(each) == [0, 1] else cp.intvar(each[0], each[-1]) for each in domains]

    def truth(self, node: Node) -> Term:
        if isinstance(node, int):
            return BoolVal(node != 0)
        if node[0] == "v" and self.variables[node[1]].is_bool():
            return self.variables[node[1]]
        if node[0] in TRUTHS:
            return TRUTHS[node[0]](self, *node[1:])
        return self.number(node) != 0

    def number(self, node: Node) -> Term:
        if isinstance(node, int):
            return int(node)
        name = node[0]
        if name == "v":
            return self.variables[node[1]]
        if name in NUMBERS:
            return NUMBERS[name](self, *node[1:])
        if name in TRUTHS:
            return cp.sum([self.truth(node)])
        raise Unknown(name)

    def numbers(self, nodes: Sequence[Node]) -> list[Term]:
        return [self.number(each) for each in nodes]

    def truths(self, nodes: Sequence[Node]) -> list[Term]:
        return [self.truth(each) for each in nodes]

    def expression(self, node: Node) -> Term:
        """Converts a number to an expression: on plain numbers, Python's own operators would mean something else."""
        number = self.number(node)
        return cp.sum([number]) if isinstance(number, int) else number


def _product(build: Builder, parts: Sequence[Node]) -> Term:
    result: Term = 1
    for each in build.numbers(parts):
        result = result * each
    return result


def _linear(build: Builder, weights: Sequence[int], parts: Sequence[Node], offset: int = 0) -> Term:
    return cp.sum([offset, *(weight * build.number(each) for weight, each in zip(weights, parts))])


def _element(build: Builder, parts: Sequence[Node], index: Node) -> Term:
    at = build.expression(index)
    if at.is_bool():
        raise Unknown("a truth value as an index")
    return cp.Element(build.numbers(parts), at)


def _distinct(build: Builder, parts: Sequence[Node], without: Sequence[Node] = ()) -> Term:
    if not without:
        return cp.NValue(build.numbers(parts))
    return cp.NValueExcept(build.numbers(parts), _plain(without)[0])


def _plain(nodes: Sequence[Node]) -> list[int]:
    if not all(isinstance(each, int) for each in nodes):
        raise Unknown("a variable in place of a number")
    return [int(each) for each in nodes]


NUMBERS: Mapping[str, Callable[..., Term]] = {
    "sum": lambda build, parts: cp.sum(build.numbers(parts)),
    "linear": _linear,
    "neg": lambda build, part: -build.expression(part),
    "mul": _product,
    "div": lambda build, a, b: build.expression(a) // build.number(b),
    "mod": lambda build, a, b: build.expression(a) % build.number(b),
    "pow": lambda build, base, exponent: build.expression(base) ** _plain([exponent])[0],
    "abs": lambda build, part: abs(build.expression(part)),
    "max": lambda build, parts: cp.max(build.numbers(parts)),
    "min": lambda build, parts: cp.min(build.numbers(parts)),
    "element": _element,
    "count": lambda build, parts, value: cp.Count(build.numbers(parts), build.number(value)),
    "among": lambda build, parts, values: cp.Among(build.numbers(parts), values),
    "nvalue": _distinct,
}


def _compared(compare: Callable[[Term, Term], Term]) -> Callable[..., Term]:
    return lambda build, a, b: compare(build.expression(a), build.number(b))


def _inside(build: Builder, part: Node, ranges: Sequence[int]) -> Term:
    value = build.expression(part)
    return cp.any([(value >= low) & (value <= high) for low, high in zip(ranges[::2], ranges[1::2])])


def _different(build: Builder, parts: Sequence[Node], without: Sequence[Node] = ()) -> Term:
    values = build.numbers(parts)
    return cp.AllDifferentExceptN(values, _plain(without)) if without else cp.AllDifferent(values)


def _alike(build: Builder, parts: Sequence[Node], without: Sequence[Node] = ()) -> Term:
    values = build.numbers(parts)
    return cp.AllEqualExceptN(values, _plain(without)) if without else cp.AllEqual(values)


def _ordered(build: Builder, parts: Sequence[Node], compare: str) -> Term:
    values = build.numbers(parts)
    return cp.IncreasingStrict(values) if compare == "<" else cp.Increasing(values)


def _lexicographic(build: Builder, a: Sequence[Node], b: Sequence[Node], compare: str) -> Term:
    return (cp.LexLess if compare == "<" else cp.LexLessEq)(build.numbers(a), build.numbers(b))


def _table(build: Builder, parts: Sequence[Node], rows: Sequence[Sequence[int | None]]) -> Term:
    if not any(None in row for row in rows):
        return cp.Table(build.numbers(parts), rows)
    return cp.ShortTable(build.numbers(parts), [["*" if each is None else each for each in row] for row in rows])


def _tasks(kind: Callable[..., Term], optional: Callable[..., Term]) -> Callable[..., Term]:
    def read(
        build: Builder,
        starts: Sequence[Node],
        sizes: Sequence[Node],
        ends: Sequence[Node] | None,
        *rest: Any,  # noqa: ANN401
    ) -> Term:
        *load, present = rest
        named: dict[str, Term] = {"start": build.numbers(starts), "duration": build.numbers(sizes)}
        if ends is not None:
            named["end"] = build.numbers(ends)
        if load:
            named.update(demand=build.numbers(load[0]), capacity=build.number(load[1]))
        if present is None:
            return kind(**named)
        return optional(**named, is_present=build.truths(present))

    return read


def _reservoir(
    build: Builder,
    times: Sequence[Node],
    changes: Sequence[Node],
    low: Node,
    high: Node,
    present: Sequence[Node] | None,
) -> Term:
    arguments = (build.numbers(times), build.numbers(changes), build.number(low), build.number(high))
    return cp.Reservoir(*arguments) if present is None else cp.ReservoirOptional(*arguments, build.truths(present))


def _cardinalities(
    build: Builder, parts: Sequence[Node], values: Sequence[int], counts: Sequence[Node], is_closed: bool
) -> Term:
    return cp.GlobalCardinalityCount(build.numbers(parts), values, build.numbers(counts), closed=is_closed)


TRUTHS: Mapping[str, Callable[..., Term]] = {
    "and": lambda build, parts: cp.all(build.truths(parts)),
    "or": lambda build, parts: cp.any(build.truths(parts)),
    "not": lambda build, part: ~build.truth(part),
    "implies": lambda build, a, b: build.truth(a).implies(build.truth(b)),
    "xor": lambda build, parts: cp.Xor(build.truths(parts)),
    "choose": lambda build, c, a, b: build.truth(c).implies(build.truth(a)) & (build.truth(c) | build.truth(b)),
    "==": _compared(lambda a, b: a == b),
    "!=": _compared(lambda a, b: a != b),
    "<": _compared(lambda a, b: a < b),
    "<=": _compared(lambda a, b: a <= b),
    "in": _inside,
    "all_different": _different,
    "all_equal": _alike,
    "ordered": _ordered,
    "lexicographic": _lexicographic,
    "table": _table,
    "forbidden": lambda build, parts, rows: cp.NegativeTable(build.numbers(parts), rows),
    "automaton": lambda build, parts, arcs, start, accepting: cp.Regular(
        build.numbers(parts), [tuple(each) for each in arcs], start, accepting
    ),
    "inverse": lambda build, there, back: cp.Inverse(build.numbers(there), build.numbers(back)),
    "circuit": lambda build, parts: cp.Circuit(build.numbers(parts)),
    "cardinalities": _cardinalities,
    "precedence": lambda build, parts, order: cp.Precedence(build.numbers(parts), order),
    "cumulative": _tasks(cp.Cumulative, cp.CumulativeOptional),
    "no_overlap": _tasks(cp.NoOverlap, cp.NoOverlapOptional),
    "reservoir": _reservoir,
}


def solution(form: Form, more: Sequence[Node], until: float) -> list[int] | None:
    """Finds values that satisfy the form and more constraints, or None; raises `OutOfTime` and `Unknown`."""
    build = Builder(form.domains)
    return None if _solved(build, form, more, None, until) is None else _values(build)


def _values(build: Builder) -> list[int]:
    # A variable that occurs in no constraint can have any value.
    return [each.lb if each.value() is None else int(each.value()) for each in build.variables]


def optimum(form: Form, more: Sequence[Node], until: float) -> tuple[list[int], float, bool] | None:
    """Finds values with the best objective, a bound on it, and whether it is proved; None if there is no solution.

    Raises `OutOfTime` and `Unknown`.
    """
    build = Builder(form.domains)
    solved = _solved(build, form, more, form.objective, until)
    if solved is None:
        return None
    solver, is_trusted, is_best = solved
    bound = solver.ort_solver.best_objective_bound if is_trusted else -math.inf
    return _values(build), bound if form.is_least else -bound, is_trusted and is_best


def _solved(
    build: Builder, form: Form, more: Sequence[Node], objective: Node, until: float
) -> tuple[own.CPM_ortools, bool, bool] | None:
    """Solves the form; None if there is no solution.

    Returns the solver, whether CP-SAT's claims about this model count, and whether it claims that its values are
    optimal. Raises `OutOfTime` and `Unknown`.
    """
    try:
        goal = build.expression(objective) if isinstance(objective, list) else None
        constraints = [build.truth(each) for each in form.stated(more).constraints]
        solver = own.built(constraints, goal if goal is None or form.is_least else -goal)
    except own.UNREADABLE as error:
        raise Unknown("CP-SAT can't read it") from error
    left = until - time.monotonic()
    if left <= 0:
        raise OutOfTime
    status = own.status_of(solver, left)
    is_trusted = proto.distrusted(solver.ort_model.proto) is None
    if status == ExitStatus.UNSATISFIABLE and is_trusted:
        return None
    if status not in (ExitStatus.OPTIMAL, ExitStatus.FEASIBLE):
        raise OutOfTime
    return solver, is_trusted, status == ExitStatus.OPTIMAL
