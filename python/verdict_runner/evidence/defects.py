"""Known engine defects, as data: if one applies, the engine's answer alone proves neither optimality nor `unsat`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple, TypeAlias

from verdict_runner.evidence.finite.meaning import LOGIC, RELATIONS, Node

Domains: TypeAlias = "Sequence[Sequence[int]]"
Exact: TypeAlias = "int | Fraction"

INT32_LEAST, INT32_MOST = -(2**31), 2**31 - 1
# 64-bit products start to overflow slightly above this value.
PRODUCT_MOST = 2**62
# Doubles represent all integers exactly up to this value.
EXACT_IN_DOUBLES = 2**53
# Beyond this value, Pumpkin's 32-bit arithmetic overflows silently.
PUMPKIN_MOST = 2**30


class Model(NamedTuple):
    """A finite-domain problem as passed to an engine."""

    domains: Domains
    constraints: Sequence[Node]
    # None if the problem has no objective.
    objective: Node = None
    # Whether the author's objective has decimals, which the engine rounds.
    is_rounded: bool = False


class Defect(NamedTuple):
    """One known defect of some engines."""

    engines: Sequence[str]
    # The version in which the defect was observed, and the test that reproduces it. If that test fails with a newer
    # version, delete this row.
    seen_in: str
    shown_by: str
    # The names of the affected constraints; if empty, the defect affects the whole model.
    kinds: Sequence[str]
    # Takes a model, a constraint of this kind (None for the whole model), and whether it has enforcement literals.
    applies: Callable[[Model, Node, bool], bool]
    # Why the engine's answer is not enough, and what to write instead.
    reason: str


def reason(engine: str, model: Model) -> str | None:
    """Why the engine's answer alone is not enough for an optimum or an `unsat` of this model."""
    rows = [each for each in DEFECTS if engine in each.engines]
    of_constraints = (row for node in model.constraints for row in _of_constraint(rows, model, node))
    of_whole = (row for row in rows if not row.kinds and row.applies(model, None, False))
    first = next(chain(of_constraints, of_whole), None)
    return first and first.reason


def doubtful(engine: str, model: Model) -> set[int]:
    """The indices of the constraints that a defect affects."""
    rows = [each for each in DEFECTS if engine in each.engines]
    return {i for i, node in enumerate(model.constraints) if any(True for _ in _of_constraint(rows, model, node))}


def _of_constraint(rows: Sequence[Defect], model: Model, node: Node) -> Iterator[Defect]:
    is_enforced = isinstance(node, (list, tuple)) and node[0] == "implies"
    stated = node[2] if is_enforced else node
    name = stated[0] if isinstance(stated, (list, tuple)) else ""
    return (row for row in rows if name in row.kinds and row.applies(model, stated, is_enforced))


# ---- Numbers: their ranges according to the variables' domains.


def bounds(node: Node, domains: Domains) -> tuple[Exact, Exact]:
    """The smallest and largest value of a variable, its negation, a sum or a number; values can be fractions."""
    if isinstance(node, (int, float, Fraction)):
        exact = node if isinstance(node, int) else Fraction(node)
        return exact, exact
    name, *parts = node
    if name == "v":
        return domains[parts[0]][0], domains[parts[0]][-1]
    if name == "neg":
        low, high = bounds(parts[0], domains)
        return -high, -low
    weights, terms, *offset = parts
    ends = [sorted(weight * each for each in bounds(term, domains)) for weight, term in zip(weights, terms)]
    constant, _ = bounds(offset[0] if offset else 0, domains)
    return constant + sum(low for low, _ in ends), constant + sum(high for _, high in ends)


def _numbers(node: Node) -> Iterator[Node]:
    """The numbers in a constraint: variables, sums and constants."""
    if isinstance(node, int) or (isinstance(node, (list, tuple)) and node and node[0] in ("v", "neg", "linear")):
        yield node
    elif isinstance(node, (list, tuple)) and node:
        # Table rows and automaton transitions are values of the preceding operands.
        for each in node[1:2] if node[0] in ("table", "automaton") else node:
            yield from _numbers(each)


def _is_wide(ends: tuple[Exact, Exact]) -> bool:
    return ends[0] < INT32_LEAST or ends[1] > INT32_MOST


def _size(node: Node, domains: Domains, most: int, together: bool = True) -> float:
    """An upper bound on the magnitude of a node's values and of its numbers' sums; infinite if one is too large."""
    if isinstance(node, int):
        return abs(node)
    if not isinstance(node, (list, tuple)) or not node:
        return 0
    if not isinstance(node[0], str):
        sizes = [_size(each, domains, most, together) for each in node]
        return sum(sizes) if together else max(sizes)
    name, *parts = node
    if name == "v":
        return max(map(abs, domains[parts[0]]))
    size = _size_of_function(name, parts, domains, most)
    if size > most:
        return math.inf
    return 1 if name in LOGIC or name in RELATIONS else size


# Nodes that compare or select numbers without adding them up.
APART = frozenset(
    "all_different all_equal among automaton circuit count element forbidden in inverse lexicographic max min nvalue "
    "ordered precedence table".split()
)


def _size_of_function(name: str, parts: Sequence[Node], domains: Domains, most: int) -> float:
    sizes = [_size(each, domains, most, name not in APART) for each in parts]
    if name == "linear":
        weighted = (abs(weight) * _size(each, domains, most) for weight, each in zip(*parts[:2]))
        return sum(weighted) + sum(sizes[2:])
    if name == "mul":
        return math.prod(_size(each, domains, most) for each in parts[0])
    if name == "pow":
        return sizes[0] ** min(sizes[1], most.bit_length())
    if name in LOGIC:
        return math.inf if math.inf in sizes else 1
    return max(sizes, default=0) if name in APART else sum(sizes)


# ---- The shape of constraints.


def _is_wrong_box(model: Model, node: Node, is_enforced: bool) -> bool:
    """Whether rectangles have optional sides of a kind that triggers the defect."""
    sides = [[*zip(*across)] for across in node[1:]]
    intervals = [each for side in sides for each in side]
    optional = {str(each): each for each in intervals if each[3][1]}.values()
    if not optional:
        return False
    return (
        is_enforced
        or any(bounds(size, model.domains)[0] <= 0 for _, size, _, _ in intervals)
        or any(sorted(map(str, x[3][1])) != sorted(map(str, y[3][1])) for x, y in zip(*sides))
        or sum(not _is_fixed(*each[:3]) for each in optional) > 1
    )


def _is_fixed(start: Node, size: Node, end: Node) -> bool:
    """Whether the size is constant and the end is written as start plus size."""
    (of_start, at), (of_end, then) = map(_apart, (start, end))
    return isinstance(size, int) and of_start == of_end and then - at == size


def _apart(node: Node) -> tuple[object, int]:
    """Splits a number into its weighted variables and its constant."""
    if isinstance(node, int):
        return [], node
    return (list(zip(node[1], node[2])), node[3]) if node[0] == "linear" else ([(1, node)], 0)


def _is_enforced_division(model: Model, node: Node, is_enforced: bool) -> bool:
    value = node[2]
    is_division = is_enforced and isinstance(value, (list, tuple)) and value[0] in ("div", "mod")
    return is_division and any(bounds(each, model.domains)[0] < 0 for each in value[1:])


def _is_largest_of_none(_: Model, node: Node, __: bool) -> bool:
    return isinstance(node[2], (list, tuple)) and list(node[2]) == ["max", []]


def _has_large_numbers(model: Model, node: Node, _: bool) -> bool:
    return any(_is_wide(bounds(each, model.domains)) for each in _numbers(node))


def _is_free_of_routes(_: Model, node: Node, __: bool) -> bool:
    """Whether a circuit has a depot and every other node can be skipped."""
    tails, heads, depot = node[1], node[2], node[4]
    return depot and {*tails, *heads} <= {0, *(tail for tail, head in zip(tails, heads) if tail == head)}


def _is_sparse_row(model: Model, node: Node, _: bool) -> bool:
    """Whether a sum that does not fit into 32 bits contains a variable whose domain has gaps."""
    weights, terms = node[1][1:3]
    is_large = _is_wide(bounds(["linear", weights, terms], model.domains)) or any(
        _is_wide(bounds(["linear", [weight], [term]], model.domains)) for weight, term in zip(weights, terms)
    )
    variables = (term[1] if term[0] == "v" else term[1][1] for term in terms)
    return is_large and any(len(model.domains[each]) > 2 for each in variables)


def _is_large_cumulative(model: Model, node: Node, _: bool) -> bool:
    """Whether the product of capacity and horizon is close to the 64-bit limit."""
    starts, ends, demands, capacity = node[1], node[3], node[4], node[5]
    times = [bounds(each, model.domains) for each in (*starts, *ends)]
    length = max((most for _, most in times), default=0) - min((least for least, _ in times), default=0)
    amount = max(bounds(each, model.domains)[1] for each in (capacity, *demands))
    return bool(times) and amount * max(length, 1) >= PRODUCT_MOST


def _has_variable_demands(_: Model, node: Node, __: bool) -> bool:
    """Whether optional tasks share a capacity, and a demand or the capacity is not a constant."""
    demands, capacity, present = node[4:7]
    return any(each[1] for each in present) and not all(isinstance(each, int) for each in (capacity, *demands))


def _has_variable_changes(_: Model, node: Node, __: bool) -> bool:
    return not all(isinstance(each, int) for each in node[2])


def _is_beyond_doubles(model: Model, _: Node, __: bool) -> bool:
    return model.objective is not None and _size(model.objective, model.domains, EXACT_IN_DOUBLES) >= EXACT_IN_DOUBLES


def _mentions(*names: str) -> Callable[[Model, Node, bool], bool]:
    def within(node: Node) -> bool:
        if not isinstance(node, (list, tuple)) or not node:
            return False
        return (isinstance(node[0], str) and node[0] in names) or any(map(within, node))

    return lambda model, *_: any(map(within, model.constraints))


def _is_too_large_for_pumpkin(model: Model, _: Node, __: bool) -> bool:
    nodes = [*model.constraints, model.objective]
    return any(_size(each, model.domains, PUMPKIN_MOST) > PUMPKIN_MOST for each in nodes)


# Constraints with a dedicated linear encoding.
_LINEAR = frozenset(("all_different", "table", "automaton", "in", "circuit"))


def _has_linear_below(node: Node, is_below: bool = False) -> bool:
    if not isinstance(node, (list, tuple)):
        return False
    name = node[0] if node and isinstance(node[0], str) else None
    if is_below and name in _LINEAR:
        return True
    return any(_has_linear_below(each, is_below or name not in (None, "and")) for each in node)


# ---- The table.

_CP_SAT, _CP_TESTS = ("CP-SAT",), "test/model/cp_models.test.ts"
_LARGE_TESTS, _BACKEND_TESTS = "test/model/cp_sat_large_numbers.test.ts", "test/model/cp_backends.test.ts"


def _cp_sat(
    kinds: str, applies: Callable[[Model, Node, bool], bool], reason: str, shown_by: str = _LARGE_TESTS
) -> Defect:
    return Defect(_CP_SAT, "9.15", shown_by, kinds.split(), applies, f"CP-SAT is known to {reason}")


DEFECTS: Sequence[Defect] = (
    _cp_sat(
        "no_overlap_2d",
        _is_wrong_box,
        "be wrong on add_no_overlap_2d with optional intervals that have a separate end, a size of 0, a different literal "
        "for x than for y, or a literal on the whole; use new_optional_fixed_size_interval_var with one literal for both "
        "sides, and end == start + size under the literal",
        _CP_TESTS,
    ),
    _cp_sat(
        "==",
        _is_enforced_division,
        "lose solutions of a division or a remainder under a literal (only_enforce_if) whose dividend or divisor can be "
        "negative; post it without the literal on separate variables, and enforce their equality",
        _CP_TESTS,
    ),
    _cp_sat(
        "==",
        _is_largest_of_none,
        "report the largest or smallest of no numbers as infeasible even if a literal (only_enforce_if) disables it; "
        "drop add_max_equality and add_min_equality on an empty list",
        _CP_TESTS,
    ),
    _cp_sat(
        "== and not all_different table automaton cumulative reservoir",
        _has_large_numbers,
        "be wrong on constraints other than sums that have numbers beyond 32 bits (products, divisions, remainders, tables, "
        "tasks, reservoirs); give the variables narrower domains, or the numbers a coarser unit",
    ),
    _cp_sat(
        "arcs",
        _is_free_of_routes,
        "report add_multiple_circuit as infeasible if all nodes can be left out (each has an arc to itself) and no "
        "route is left; leave out the self-arc of a node that has to be visited",
        _CP_TESTS,
    ),
    _cp_sat(
        "in",
        _is_sparse_row,
        "be wrong on sums beyond 32 bits with a variable that has gaps between its values; give the variables narrower "
        "domains, or number the values and use these numbers",
    ),
    _cp_sat(
        "cumulative",
        _is_large_cumulative,
        "report add_cumulative as infeasible if the capacity times the length of the time line is close to 2^63; use a "
        "coarser unit for times, demands and the capacity",
    ),
    _cp_sat(
        "cumulative",
        _has_variable_demands,
        "report add_cumulative as infeasible with optional intervals and a demand or capacity that is not a constant; "
        "use constants, and a separate optional interval for each possible demand",
        _CP_TESTS,
    ),
    _cp_sat(
        "reservoir",
        _has_variable_changes,
        "lose solutions of add_reservoir_constraint with level changes that are not constants; use constants, and "
        "add_reservoir_constraint_with_active where a change may be absent",
    ),
    Defect(
        _CP_SAT,
        "9.15",
        _CP_TESTS,
        (),
        lambda model, *_: model.is_rounded,
        "CP-SAT rounds an objective with decimals; multiply it so that all coefficients are whole",
    ),
    Defect(
        _CP_SAT,
        "9.15",
        _LARGE_TESTS,
        (),
        _is_beyond_doubles,
        "CP-SAT compares values of the objective as floating-point numbers, so it can treat different values beyond "
        "2^53 as equal; give the objective smaller weights, or its variables narrower domains",
    ),
    Defect(
        ("Z3",),
        "5.4",
        _BACKEND_TESTS,
        (),
        lambda model, *_: model.objective is not None,
        "Z3's optimiser alone is not trusted; leave solver out, or rely on what a second engine confirms",
    ),
    Defect(
        ("Pumpkin",),
        "0.5.0",
        _BACKEND_TESTS,
        (),
        _mentions("cumulative", "no_overlap"),
        "Pumpkin was wrong on tasks that take no time or begin before 0 (cumulative, no_overlap); use "
        "ortools, or rely on what a second engine confirms",
    ),
    Defect(
        ("Pumpkin",),
        "0.5.0",
        _BACKEND_TESTS,
        (),
        _is_too_large_for_pumpkin,
        "Pumpkin computes in 32 bits, and this model's numbers can be larger; use ortools",
    ),
    Defect(
        ("PySAT", "Exact"),
        "CPMpy 1.1.1",
        _BACKEND_TESTS,
        (),
        lambda model, *_: any(map(_has_linear_below, model.constraints)),
        "CPMpy's linear forms of constraints inside other constraints were sometimes wrong; use ortools, or rely on "
        "what a second engine confirms",
    ),
)
