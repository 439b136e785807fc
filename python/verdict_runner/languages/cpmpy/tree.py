"""Converts CPMpy expressions to nodes, whose meaning `evidence/finite/meaning.py` defines independently of CPMpy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from cpmpy.expressions.core import BoolVal, Expression
from cpmpy.expressions.variables import NegBoolView, _BoolVarImpl, _NumVarImpl

from verdict_runner.evidence.finite.meaning import Node, Unknown
from verdict_runner.refusal import Refused

# An expression, a number, or lists and arrays of these.
Argument = Any


class Variables:
    """A model's variables, numbered in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.all: list[_NumVarImpl] = []

    def number(self, variable: _NumVarImpl) -> int:
        if variable.name not in self._numbers:
            self._numbers[variable.name] = len(self.all)
            self.all.append(variable)
        self.expect_same(variable)
        return self._numbers[variable.name]

    def expect_same(self, variable: _NumVarImpl) -> None:
        """Raises `Refused` if another variable of the model has this name, since CPMpy would treat the two as one."""
        number = self._numbers.get(variable.name)
        if number is not None and self.all[number] is not variable:
            raise Refused(
                f"Two variables in the model, or in the model and the export, have the name {variable.name!r}: CPMpy would confuse them.",
                ["give each variable of a model a unique name", "or leave the name out"],
            )

    def copy(self) -> Variables:
        """Returns a copy with the same numbers, to which more variables can be added."""
        copy = Variables()
        copy._numbers, copy.all = dict(self._numbers), list(self.all)
        return copy

    def domains(self) -> list[list[int]]:
        return [[int(each.lb), int(each.ub)] for each in self.all]

    def node(self, expression: Argument) -> Node:
        """Converts an expression to a node; raises `Unknown`."""
        if isinstance(expression, (bool, np.bool_, int, np.integer)):
            return int(expression)
        if isinstance(expression, BoolVal):
            return int(expression.args[0])
        if isinstance(expression, NegBoolView):
            return ["not", ["v", self.number(expression._bv)]]
        if isinstance(expression, (_BoolVarImpl, _NumVarImpl)):
            return ["v", self.number(expression)]
        if isinstance(expression, (list, tuple, np.ndarray)):
            return ["and", self.nodes(expression)]
        if isinstance(expression, Expression) and expression.name in KINDS:
            return KINDS[expression.name](self, expression, *expression.args)
        raise Unknown(f"{getattr(expression, 'name', type(expression).__name__)} of CPMpy")

    def nodes(self, expressions: Iterable[Argument]) -> list[Node]:
        flat = expressions.flat if isinstance(expressions, np.ndarray) else expressions
        return [self._one(each) for each in flat]

    def _one(self, expression: Argument) -> Node:
        """Converts a single operand; rejects lists, since CPMpy's functions interpret them differently."""
        if isinstance(expression, (list, tuple, np.ndarray)):
            raise Refused(
                "In this function, CPMpy does not flatten a list of lists.",
                ["join the lists: [*a, *b]", "or write cp.cpm_array(rows).flatten()"],
            )
        return self.node(expression)


def _whole(values: Iterable[object]) -> list[int]:
    """Returns plain integers; raises `Unknown` for anything else."""
    numbers = []
    for each in values:
        if not isinstance(each, (bool, int, np.integer, np.bool_)):
            raise Unknown("an argument that should be a number")
        numbers.append(int(each))
    return numbers


def _two(name: str, is_swapped: bool = False) -> Callable[..., Node]:
    def read(to: Variables, _: Expression, a: Argument, b: Argument) -> Node:
        pair = [to.node(a), to.node(b)]
        return [name, *(reversed(pair) if is_swapped else pair)]

    return read


def _many(name: str, *more: Node) -> Callable[..., Node]:
    """Converts a constraint whose arguments are all operands."""
    return lambda to, _, *parts: [name, to.nodes(parts), *more]


def _weighted(to: Variables, _: Expression, weights: Sequence[object], parts: Sequence[Argument]) -> Node:
    return ["linear", _whole(weights), to.nodes(parts)]


def _difference(to: Variables, _: Expression, a: Argument, b: Argument) -> Node:
    return ["linear", [1, -1], [to.node(a), to.node(b)]]


def _table(to: Variables, _: Expression, parts: Sequence[Argument], rows: Iterable[Sequence[object]]) -> Node:
    return ["table", to.nodes(parts), [_whole(row) for row in rows]]


def _short_table(to: Variables, _: Expression, parts: Sequence[Argument], rows: Iterable[Sequence[object]]) -> Node:
    cells = [[None if isinstance(each, str) else _whole([each])[0] for each in row] for row in rows]
    return ["table", to.nodes(parts), cells]


def _regular(
    to: Variables,
    _: Expression,
    parts: Sequence[Argument],
    transitions: Iterable[tuple[object, object, object]],
    start: object,
    accepting: Iterable[object],
) -> Node:
    rows = [tuple(each) for each in transitions]
    states: dict[object, int] = {}
    for each in [start, *accepting, *(state for tail, _, head in rows for state in (tail, head))]:
        states.setdefault(each, len(states))
    arcs = [[states[tail], _whole([label])[0], states[head]] for tail, label, head in rows]
    return ["automaton", to.nodes(parts), arcs, states[start], [states[each] for each in accepting]]


def _diagram(to: Variables, expression: Any, parts: Sequence[Argument]) -> Node:  # noqa: ANN401
    """Converts a decision diagram constraint: a path through the diagram must end after the last number."""
    rows = [(tail, label, head) for tail, ways in expression.mapping.items() for label, head in ways.items()]
    return _regular(to, expression, parts, rows, expression.root_node, [expression.sink_node])


def _tasks(name: str, with_demand: bool, is_optional: bool) -> Callable[..., Node]:
    """Converts tasks with start, duration, optional end, demand and capacity, and optional presence."""
    usual = 2 + (2 if with_demand else 0) + (1 if is_optional else 0)

    def read(to: Variables, _: Expression, *arguments: Argument) -> Node:
        starts, sizes, *rest = arguments
        ends = to.nodes(rest.pop(0)) if len(arguments) > usual else None
        demand = [to.nodes(rest.pop(0)), to.node(rest.pop(0))] if with_demand else []
        present = to.nodes(rest.pop(0)) if is_optional else None
        return [name, to.nodes(starts), to.nodes(sizes), ends, *demand, present]

    return read


def _reservoir(
    to: Variables,
    _: Expression,
    times: Sequence[Argument],
    changes: Sequence[Argument],
    low: Argument,
    high: Argument,
    present: Sequence[Argument] | None = None,
) -> Node:
    active = None if present is None else to.nodes(present)
    return ["reservoir", to.nodes(times), to.nodes(changes), to.node(low), to.node(high), active]


def _cardinalities(to: Variables, expression: Any, parts: Argument, values: Argument, counts: Argument) -> Node:  # noqa: ANN401
    return ["cardinalities", to.nodes(parts), _whole(values), to.nodes(counts), bool(expression.closed)]


def _element(to: Variables, _: Expression, parts: Sequence[Argument], index: Argument) -> Node:
    return ["element", to.nodes(parts), to.node(index)]


def _element_of_many(to: Variables, _: Expression, array: np.ndarray, *indices: Argument) -> Node:
    """Converts an element of a multidimensional array; each index has to lie within its dimension."""
    nodes = [to.node(each) for each in indices]
    inside = [["in", node, [0, size - 1]] for node, size in zip(nodes, array.shape)]
    strides = [int(np.prod(array.shape[i + 1 :])) for i in range(len(nodes))]
    return ["element", to.nodes(array), ["if", ["and", inside], ["linear", strides, nodes], -1]]


def _in_domain(to: Variables, _: Expression, part: Argument, values: Iterable[object]) -> Node:
    return ["in", to.node(part), [each for value in _whole(values) for each in (value, value)]]


def _chain(compare: str) -> Callable[..., Node]:
    """Converts the constraint that each row precedes the next; a single row satisfies it if fully defined."""

    def read(to: Variables, _: Expression, *rows: Argument) -> Node:
        nodes = [to.nodes(each) for each in rows]
        if len(nodes) == 1:
            return ["lexicographic", nodes[0], nodes[0], "<="]
        return ["and", [["lexicographic", a, b, compare] for a, b in zip(nodes, nodes[1:])]]

    return read


def _except(name: str) -> Callable[..., Node]:
    return lambda to, _, parts, values: [name, to.nodes(parts), to.nodes(values)]


KINDS: Mapping[str, Callable[..., Node]] = {
    "==": _two("=="),
    "!=": _two("!="),
    "<": _two("<"),
    "<=": _two("<="),
    ">": _two("<", is_swapped=True),
    ">=": _two("<=", is_swapped=True),
    "and": _many("and"),
    "or": _many("or"),
    "->": _two("implies"),
    "not": lambda to, _, part: ["not", to.node(part)],
    "sum": _many("sum"),
    "wsum": _weighted,
    "sub": _difference,
    "-": lambda to, _, part: ["neg", to.node(part)],
    "mul": _many("mul"),
    "div": _two("div"),
    "mod": _two("mod"),
    "pow": _two("pow"),
    "abs": lambda to, _, part: ["abs", to.node(part)],
    "min": _many("min"),
    "max": _many("max"),
    "element": _element,
    "nd_element": _element_of_many,
    "count": lambda to, _, parts, value: ["count", to.nodes(parts), to.node(value)],
    "among": lambda to, _, parts, values: ["among", to.nodes(parts), _whole(values)],
    "nvalue": _many("nvalue"),
    "nvalue_except": lambda to, _, parts, value: ["nvalue", to.nodes(parts), [to.node(value)]],
    "alldifferent": _many("all_different"),
    "alldifferent_except_n": _except("all_different"),
    "alldifferent_except_0": _except("all_different"),
    "allequal": _many("all_equal"),
    "allequal_except_n": _except("all_equal"),
    "circuit": _many("circuit"),
    "inverse": lambda to, _, there, back: ["inverse", to.nodes(there), to.nodes(back)],
    "table": _table,
    "short_table": _short_table,
    "negative_table": lambda *arguments: ["forbidden", *_table(*arguments)[1:]],
    "regular": _regular,
    "mdd": _diagram,
    "ite": lambda to, _, condition, a, b: ["choose", to.node(condition), to.node(a), to.node(b)],
    "indomain": _in_domain,
    "xor": _many("xor"),
    "cumulative": _tasks("cumulative", with_demand=True, is_optional=False),
    "cumulative_optional": _tasks("cumulative", with_demand=True, is_optional=True),
    "no_overlap": _tasks("no_overlap", with_demand=False, is_optional=False),
    "no_overlap_optional": _tasks("no_overlap", with_demand=False, is_optional=True),
    "reservoir": _reservoir,
    "reservoir_optional": _reservoir,
    "precedence": lambda to, _, parts, order: ["precedence", to.nodes(parts), _whole(order)],
    "gcc": _cardinalities,
    "increasing": _many("ordered", "<="),
    "strictly_increasing": _many("ordered", "<"),
    "decreasing": lambda to, _, *parts: ["ordered", to.nodes(parts)[::-1], "<="],
    "strictly_decreasing": lambda to, _, *parts: ["ordered", to.nodes(parts)[::-1], "<"],
    "lex_less": lambda to, _, a, b: ["lexicographic", to.nodes(a), to.nodes(b), "<"],
    "lex_lesseq": lambda to, _, a, b: ["lexicographic", to.nodes(a), to.nodes(b), "<="],
    "lex_chain_less": _chain("<"),
    "lex_chain_lesseq": _chain("<="),
}
