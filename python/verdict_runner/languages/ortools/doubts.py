"""Which models CP-SAT is known to be wrong on: there its word alone proves no optimum and no unsat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from verdict_runner.languages.ortools.proto import EXACT_IN_DOUBLES, Proto, is_fixed

INT32_LEAST, INT32_MOST = -(2**31), 2**31 - 1
# Products of 64 bits begin to overflow a little above.
PRODUCT_MOST = 2**62

# The numbers of a constraint that is no sum: its kind, the fields with one number, and those with several.
NUMBERS: Sequence[tuple[str, Sequence[str], Sequence[str]]] = (
    ("int_div", ("target",), ("exprs",)),
    ("int_mod", ("target",), ("exprs",)),
    ("int_prod", ("target",), ("exprs",)),
    ("lin_max", ("target",), ("exprs",)),
    ("element", ("linear_target",), ("exprs",)),
    ("table", (), ("exprs",)),
    ("automaton", (), ("exprs",)),
    ("all_diff", (), ("exprs",)),
    ("interval", ("start", "size", "end"), ()),
    ("cumulative", ("capacity",), ("demands",)),
    ("reservoir", (), ("time_exprs", "level_changes")),
)


def distrusted(proto: Proto) -> str | None:
    """Why CP-SAT's word alone is not enough for an optimum or an unsat of this model."""
    for each in proto.constraints:
        for is_doubtful, reason in CONSTRAINTS:
            if is_doubtful(proto, each):
                return f"CP-SAT is known to {reason}"
    if proto.has_floating_point_objective():
        return "CP-SAT rounds an objective with decimals; multiply it so that all coefficients are whole"
    if proto.has_objective() and _size_of_objective(proto) >= EXACT_IN_DOUBLES:
        return (
            "CP-SAT compares values of the objective as floating-point numbers, and takes values beyond 2^53 for equal that "
            "are not; give the objective smaller weights, or its variables narrower domains"
        )
    return None


def _is_wrong_box(proto: Proto, constraint: Proto) -> bool:
    """Whether CP-SAT was seen to lose solutions of such rectangles."""
    if not constraint.has_no_overlap_2d():
        return False
    sides = list(zip(constraint.no_overlap_2d.x_intervals, constraint.no_overlap_2d.y_intervals))
    intervals = {i: proto.constraints[i] for side in sides for i in side}.values()
    optional = [each for each in intervals if len(each.enforcement_literal)]
    if not optional:
        return False
    literals = {i: sorted(proto.constraints[i].enforcement_literal) for side in sides for i in side}
    return (
        len(constraint.enforcement_literal) > 0
        or any(_range(proto, each.interval.size)[0] <= 0 for each in intervals)
        or any(literals[x] != literals[y] for x, y in sides)
        or sum(not is_fixed(each.interval) for each in optional) > 1
    )


def _is_enforced_division(proto: Proto, constraint: Proto) -> bool:
    if not len(constraint.enforcement_literal) or not (constraint.has_int_div() or constraint.has_int_mod()):
        return False
    operands = (constraint.int_div if constraint.has_int_div() else constraint.int_mod).exprs
    return any(_range(proto, each)[0] < 0 for each in operands)


def _is_largest_of_none(_: Proto, constraint: Proto) -> bool:
    """Whether there are no numbers to take the largest of."""
    return constraint.has_lin_max() and not len(constraint.lin_max.exprs)


def _has_large_numbers(proto: Proto, constraint: Proto) -> bool:
    """Whether a constraint that is no sum has a number that does not fit into 32 bits."""
    return any(_is_wide(each) for each in _ranges(proto, constraint))


def _ranges(proto: Proto, constraint: Proto) -> Iterator[tuple[int, int]]:
    """The ranges of all numbers in a constraint that is no sum."""
    for kind, single, several in NUMBERS:
        if not getattr(constraint, f"has_{kind}")():
            continue
        part = getattr(constraint, kind)
        yield from (_range(proto, getattr(part, each)) for each in single)
        yield from (_range(proto, each) for name in several for each in getattr(part, name))
        # An older form of the message names variables.
        yield from (_values(proto, each) for each in getattr(part, "vars", ()))


def _is_free_of_routes(_: Proto, constraint: Proto) -> bool:
    """Whether each node but the depot can be left out."""
    if not constraint.has_routes():
        return False
    arcs = list(zip(constraint.routes.tails, constraint.routes.heads))
    return {node for arc in arcs for node in arc} <= {0, *(tail for tail, head in arcs if tail == head)}


def _is_sparse_row(proto: Proto, constraint: Proto) -> bool:
    """Whether a sum that does not fit into 32 bits has a variable with gaps between its values."""
    if not constraint.has_linear():
        return False
    parts = list(zip(constraint.linear.coeffs, constraint.linear.vars))
    ends = [[weight * each for each in _values(proto, reference)] for weight, reference in parts]
    whole = sum(min(each) for each in ends), sum(max(each) for each in ends)
    is_large = any(_is_wide(each) for each in (whole, *((min(each), max(each)) for each in ends)))
    return is_large and any(
        len(proto.variables[reference if reference >= 0 else ~reference].domain) > 2 for _, reference in parts
    )


def _is_large_cumulative(proto: Proto, constraint: Proto) -> bool:
    """Whether the capacity times the length of the time line is close to 64 bits."""
    if not constraint.has_cumulative() or not len(constraint.cumulative.intervals):
        return False
    tasks = [proto.constraints[i].interval for i in constraint.cumulative.intervals]
    times = [_range(proto, each) for task in tasks for each in (task.start, task.end)]
    length = max(most for _, most in times) - min(least for least, _ in times)
    amounts = [_range(proto, each)[1] for each in (constraint.cumulative.capacity, *constraint.cumulative.demands)]
    return max(amounts) * max(length, 1) >= PRODUCT_MOST


def _has_variable_demands(proto: Proto, given: Proto) -> bool:
    """Whether optional tasks share a capacity, and a demand or the capacity is no constant."""
    if not given.has_cumulative():
        return False
    load = given.cumulative
    return any(len(proto.constraints[i].enforcement_literal) for i in load.intervals) and any(
        len(each.vars) for each in (load.capacity, *load.demands)
    )


def _has_variable_changes(_: Proto, constraint: Proto) -> bool:
    """Whether a reservoir has a level change that is no constant."""
    return constraint.has_reservoir() and any(len(each.vars) for each in constraint.reservoir.level_changes)


# What a constraint looks like on which CP-SAT is wrong, and how it is.
CONSTRAINTS: Sequence[tuple[Callable[[Proto, Proto], bool], str]] = (
    (
        _is_wrong_box,
        "be wrong on add_no_overlap_2d with optional intervals that have an end of their own, a size of 0, another literal "
        "for x than for y, or a literal on the whole; use new_optional_fixed_size_interval_var with one literal for both "
        "sides, and end == start + size under the literal",
    ),
    (
        _is_enforced_division,
        "lose solutions of a division or a remainder under a literal (only_enforce_if) whose dividend or divisor can be "
        "negative; post it without the literal on variables of its own, and enforce their equality",
    ),
    (
        _is_largest_of_none,
        "call the largest or smallest of no numbers infeasible even where a literal (only_enforce_if) turns it off; leave "
        "add_max_equality and add_min_equality of an empty list out",
    ),
    (
        _has_large_numbers,
        "be wrong on constraints other than sums that have numbers beyond 32 bits (products, divisions, remainders, tables, "
        "tasks, reservoirs); give the variables narrower domains, or the numbers a coarser unit",
    ),
    (
        _is_free_of_routes,
        "call add_multiple_circuit infeasible where all nodes can be left out (each has an arc to itself) and no route is "
        "left; leave out the arc of a node to itself that has to be visited",
    ),
    (
        _is_sparse_row,
        "be wrong on sums beyond 32 bits with a variable that has gaps between its values; give the variables narrower "
        "domains, or number the values and use the numbers",
    ),
    (
        _is_large_cumulative,
        "call add_cumulative infeasible where the capacity times the length of the time line is close to 2^63; give times, "
        "demands and the capacity a coarser unit",
    ),
    (
        _has_variable_demands,
        "call add_cumulative infeasible with optional intervals and a demand or capacity that is no constant; use constants, "
        "and an optional interval of its own for each demand that is possible",
    ),
    (
        _has_variable_changes,
        "lose solutions of add_reservoir_constraint with level changes that are no constants; use constants, and "
        "add_reservoir_constraint_with_active where a change may be absent",
    ),
)


def _size_of_objective(proto: Proto) -> float:
    """What the objective's absolute value, and each part of its sum, can't exceed."""
    objective = proto.objective
    parts = (
        abs(weight) * max(map(abs, _values(proto, each))) for weight, each in zip(objective.coeffs, objective.vars)
    )
    return abs(objective.offset) + sum(parts)


def _is_wide(ends: tuple[int, int]) -> bool:
    return ends[0] < INT32_LEAST or ends[1] > INT32_MOST


def _range(proto: Proto, expression: Proto) -> tuple[int, int]:
    """The least and the largest value of an expression, by the domains of its variables."""
    least = most = expression.offset
    for weight, reference in zip(expression.coeffs, expression.vars):
        ends = [weight * each for each in _values(proto, reference)]
        least, most = least + min(ends), most + max(ends)
    return least, most


def _values(proto: Proto, reference: int) -> tuple[int, int]:
    """The least and the largest value of a variable, or of its opposite."""
    # A list: the message's own gives something else for an index from the end.
    domain = list(proto.variables[reference if reference >= 0 else ~reference].domain)
    return (domain[0], domain[-1]) if reference >= 0 else (-domain[-1], -domain[0])
