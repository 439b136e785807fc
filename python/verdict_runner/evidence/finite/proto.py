"""Converts a CP-SAT model to a form; `meaning.py` defines what each kind of constraint means."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from verdict_runner.evidence import defects
from verdict_runner.evidence.defects import EXACT_IN_DOUBLES
from verdict_runner.evidence.finite.meaning import Node, Unknown
from verdict_runner.refusal import Refused

# The messages of CP-SAT's model, as exposed by its Python interface.
Proto: TypeAlias = Any


class Objective(NamedTuple):
    """An objective with integer coefficients; the author's objective is this one divided by `scale`."""

    node: Node
    is_least: bool
    scale: int
    # Whether the author's objective has decimals, which the engine rounds.
    is_rounded: bool


def domains(proto: Proto) -> list[list[int]]:
    return [list(each.domain) for each in proto.variables]


def constraints(proto: Proto) -> list[Node]:
    """Converts each constraint to a node, in order; raises `Unknown`."""
    intervals = [each.interval if each.has_interval() else None for each in proto.constraints]
    reader = _Reader(proto, intervals)
    return [reader.constraint(each) for each in proto.constraints]


def distrusted(proto: Proto) -> str | None:
    """Why CP-SAT's answer alone is not enough for an optimum or an `unsat` of this model."""
    goal: Node = None
    if proto.has_objective():
        weights, variables = list(proto.objective.coeffs), [_number(each) for each in proto.objective.vars]
        goal = ["linear", weights, variables, int(proto.objective.offset)]
    is_rounded = proto.has_floating_point_objective()
    return defects.reason("CP-SAT", defects.Model(domains(proto), constraints(proto), goal, is_rounded))


def refuse(proto: Proto) -> None:
    """Raises `Refused` for a model that differs from what its author wrote."""
    if proto.has_objective() and abs(proto.objective.offset) >= EXACT_IN_DOUBLES:
        raise Refused(
            "CP-SAT stores the constant of an objective as a floating-point number, which rounds integers of 2^53 or more.",
            [
                "leave the constant out of minimize() or maximize(), and add it to the value",
                "or scale the weights down",
            ],
        )


def objective(proto: Proto) -> Objective | None:
    if proto.has_floating_point_objective():
        return _of_decimals(proto.floating_point_objective)
    if not proto.has_objective():
        return None
    stated = proto.objective
    scaling, offset = stated.scaling_factor or 1.0, stated.offset
    scale = round(1 / abs(scaling)) if abs(scaling) <= 1 else 0
    # Only files contain scaled objectives; these store decimals as integers times this factor.
    if not scale or 1 / scale != abs(scaling) or offset != int(offset) or len(stated.domain):
        raise Unknown("an objective that is scaled")
    sign = -1 if scaling < 0 else 1
    node = [
        "linear",
        [sign * each for each in stated.coeffs],
        [_number(each) for each in stated.vars],
        sign * int(offset),
    ]
    return Objective(node, sign > 0, scale, False)


def bound_reader(proto: Proto) -> Callable[[Proto], int | None]:
    """Returns a reader of CP-SAT's bound on the objective from a response.

    The bound is None if it is not an integer or too large for a double. CP-SAT's own `best_objective_bound` is computed
    in floating point and has been observed to be better than the optimum.
    """
    try:
        goal = objective(proto)
    except Unknown:
        goal = None
    if goal is None or goal.is_rounded or goal.scale != 1:
        return lambda _: None
    sign, offset = (1 if goal.is_least else -1), goal.node[3]

    def read(response: Proto) -> int | None:
        best = offset + sign * int(response.inner_objective_lower_bound)
        return best if abs(best) < EXACT_IN_DOUBLES else None

    return read


def _of_decimals(objective: Proto) -> Objective:
    coefficients = [Fraction(repr(float(each))) for each in [*objective.coeffs, objective.offset]]
    scale = math.lcm(*(each.denominator for each in coefficients))
    *whole, offset = [int(each * scale) for each in coefficients]
    node = ["linear", whole, [_number(each) for each in objective.vars], offset]
    return Objective(node, not objective.maximize, scale, True)


def constrains(interval: Proto) -> bool:
    """Whether an interval is itself a constraint, not merely a name for a start and a constant size."""
    return not is_fixed(interval)


def intervals_of(proto: Proto, indices: Iterable[int]) -> set[int]:
    """The intervals to which these constraints refer."""
    intervals: set[int] = set()
    for each in (proto.constraints[i] for i in indices):
        # Reading the field of another kind would convert the constraint to that kind.
        if each.has_no_overlap():
            intervals.update(each.no_overlap.intervals)
        if each.has_cumulative():
            intervals.update(each.cumulative.intervals)
        if each.has_no_overlap_2d():
            intervals.update(each.no_overlap_2d.x_intervals, each.no_overlap_2d.y_intervals)
    return intervals


def is_fixed(interval: Proto) -> bool:
    """Whether the size is constant and the end is written as start plus size."""
    start, end = interval.start, interval.end
    return (
        len(interval.size.vars) == 0
        and list(start.vars) == list(end.vars)
        and list(start.coeffs) == list(end.coeffs)
        and end.offset - start.offset == interval.size.offset
    )


def _number(reference: int) -> Node:
    return ["v", reference] if reference >= 0 else ["neg", ["v", ~reference]]


def _literal(reference: int) -> Node:
    return ["v", reference] if reference >= 0 else ["not", ["v", ~reference]]


def _literals(references: Sequence[int]) -> list[Node]:
    return [_literal(each) for each in references]


def _expression(expression: Proto) -> Node:
    variables, weights, offset = list(expression.vars), list(expression.coeffs), expression.offset
    if not variables:
        return offset
    if weights == [1] and offset == 0:
        return _number(variables[0])
    return ["linear", weights, [_number(each) for each in variables], offset]


def _expressions(expressions: Sequence[Proto]) -> list[Node]:
    return [_expression(each) for each in expressions]


def _either(expressions: Sequence[Proto], references: Sequence[int]) -> list[Node]:
    """The operands of a constraint that lists either expressions or variables."""
    return _expressions(expressions) if len(expressions) else [_number(each) for each in references]


class _Reader:
    def __init__(self, proto: Proto, intervals: Sequence[Proto | None]) -> None:
        self._proto = proto
        self._intervals = intervals

    def constraint(self, constraint: Proto) -> Node:
        kind = next((name for name in KINDS if getattr(constraint, f"has_{name}")()), None)
        if kind is None:
            # An empty constraint always holds.
            return 1
        stated = KINDS[kind](self, getattr(constraint, kind))
        conditions = _literals(constraint.enforcement_literal)
        return ["implies", ["and", conditions], stated] if conditions else stated

    def tasks(self, indices: Sequence[int]) -> tuple[list[Node], list[Node], list[Node], list[Node]]:
        """Returns the intervals' starts, sizes, ends and presence literals."""
        intervals = [self._proto.constraints[i] for i in indices]
        return (
            [_expression(each.interval.start) for each in intervals],
            [_expression(each.interval.size) for each in intervals],
            [_expression(each.interval.end) for each in intervals],
            [["and", _literals(each.enforcement_literal)] for each in intervals],
        )


def _linear(_: _Reader, constraint: Proto) -> Node:
    sum_of = ["linear", list(constraint.coeffs), [_number(each) for each in constraint.vars]]
    return ["in", sum_of, list(constraint.domain)]


def _interval(_: _Reader, constraint: Proto) -> Node:
    start, size, end = (_expression(each) for each in (constraint.start, constraint.size, constraint.end))
    return ["and", [["<=", 0, size], ["==", ["sum", [start, size]], end]]]


def _operands(constraint: Proto) -> tuple[Node, list[Node]]:
    return _expression(constraint.target), _expressions(constraint.exprs)


def _division(_: _Reader, constraint: Proto) -> Node:
    target, (a, b) = _operands(constraint)
    return ["==", target, ["div", a, b]]


def _modulo(_: _Reader, constraint: Proto) -> Node:
    target, (a, b) = _operands(constraint)
    return ["==", target, ["mod", a, b]]


def _product(_: _Reader, constraint: Proto) -> Node:
    target, parts = _operands(constraint)
    return ["==", target, ["mul", parts]]


def _largest(_: _Reader, constraint: Proto) -> Node:
    target, parts = _operands(constraint)
    return ["==", target, ["max", parts]]


def _element(_: _Reader, constraint: Proto) -> Node:
    if len(constraint.exprs):
        return [
            "==",
            _expression(constraint.linear_target),
            ["element", _expressions(constraint.exprs), _expression(constraint.linear_index)],
        ]
    return [
        "==",
        _number(constraint.target),
        ["element", [_number(each) for each in constraint.vars], _number(constraint.index)],
    ]


def _table(_: _Reader, constraint: Proto) -> Node:
    parts, flat = _either(constraint.exprs, constraint.vars), list(constraint.values)
    rows = [flat[i : i + len(parts)] for i in range(0, len(flat), len(parts))] if parts else []
    stated = ["table", parts, rows]
    return ["not", stated] if constraint.negated else stated


def _automaton(_: _Reader, constraint: Proto) -> Node:
    transitions = [
        list(each) for each in zip(constraint.transition_tail, constraint.transition_label, constraint.transition_head)
    ]
    parts = _either(constraint.exprs, constraint.vars)
    return ["automaton", parts, transitions, constraint.starting_state, list(constraint.final_states)]


def _no_overlap(reader: _Reader, constraint: Proto) -> Node:
    return ["no_overlap", *reader.tasks(constraint.intervals), True]


def _no_overlap_2d(reader: _Reader, constraint: Proto) -> Node:
    return ["no_overlap_2d", reader.tasks(constraint.x_intervals), reader.tasks(constraint.y_intervals)]


def _cumulative(reader: _Reader, constraint: Proto) -> Node:
    starts, sizes, ends, present = reader.tasks(constraint.intervals)
    return [
        "cumulative",
        starts,
        sizes,
        ends,
        _expressions(constraint.demands),
        _expression(constraint.capacity),
        present,
    ]


def _reservoir(_: _Reader, constraint: Proto) -> Node:
    present = _literals(constraint.active_literals) if len(constraint.active_literals) else None
    times, changes = _expressions(constraint.time_exprs), _expressions(constraint.level_changes)
    return ["reservoir", times, changes, constraint.min_level, constraint.max_level, present]


def _arcs(depot: bool) -> Callable[[_Reader, Proto], Node]:
    return lambda _, constraint: [
        "arcs",
        list(constraint.tails),
        list(constraint.heads),
        _literals(constraint.literals),
        depot,
    ]


KINDS: Mapping[str, Callable[[_Reader, Proto], Node]] = {
    "linear": _linear,
    "bool_or": lambda _, constraint: ["or", _literals(constraint.literals)],
    "bool_and": lambda _, constraint: ["and", _literals(constraint.literals)],
    "at_most_one": lambda _, constraint: ["at_most_one", _literals(constraint.literals)],
    "exactly_one": lambda _, constraint: ["exactly_one", _literals(constraint.literals)],
    "bool_xor": lambda _, constraint: ["xor", _literals(constraint.literals)],
    "int_div": _division,
    "int_mod": _modulo,
    "int_prod": _product,
    "lin_max": _largest,
    "all_diff": lambda _, constraint: ["all_different", _expressions(constraint.exprs)],
    "element": _element,
    "circuit": _arcs(depot=False),
    "routes": _arcs(depot=True),
    "table": _table,
    "automaton": _automaton,
    "inverse": lambda _, constraint: [
        "inverse",
        [_number(each) for each in constraint.f_direct],
        [_number(each) for each in constraint.f_inverse],
    ],
    "reservoir": _reservoir,
    "interval": _interval,
    "no_overlap": _no_overlap,
    "no_overlap_2d": _no_overlap_2d,
    "cumulative": _cumulative,
}
