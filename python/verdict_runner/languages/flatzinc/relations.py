"""Posts global constraints native to CP-SAT. Their arguments are as in `library/cp_sat/` of the MiniZinc language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from verdict_runner.languages.flatzinc.arithmetic import allow
from verdict_runner.languages.flatzinc.flat import Flat, Literal, Term, Unsupported, values_in
from verdict_runner.languages.flatzinc.tasks import TASKS

# Posts a constraint enforced by these literals.
Post: TypeAlias = "Callable[[Flat, Sequence[object], Sequence[Literal]], None]"

# The maximum number of arcs in a circuit, and of states in a determinised automaton.
ARCS_MOST = 400_000
STATES_MOST = 20_000


def _all_different(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    terms = flat.terms(given[0])
    if len(terms) > 1:
        flat.enforce(flat.model.add_all_different(terms), under)


def _all_equal(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    first, *others = flat.terms(given[0]) or [0]
    for each in others:
        flat.keep([1, -1], [first, each], [(0, 0)], under)


def _circuit(is_partial: bool) -> Post:
    """States a circuit: each number is a node's successor.

    If `is_partial`, a node that is its own successor is skipped.
    """

    def post(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
        terms, base = flat.terms(given[0]), flat.number(given[1])
        arcs: list[tuple[int, int, Literal]] = []
        for node, term in enumerate(terms):
            flat.keep([1], [term], [(base, base + len(terms) - 1)], under)
            reached = ((max(low, base), min(high, base + len(terms) - 1)) for low, high in flat.domain(term))
            for value in values_in([each for each in reached if each[0] <= each[1]], ARCS_MOST - len(arcs)):
                if is_partial or value - base != node:
                    arcs.append((node, value - base, flat.has_value(term, value)))
                elif len(terms) > 1:
                    flat.clause([~flat.has_value(term, value)], under)
        if len(terms) == 1:
            return
        if arcs:
            flat.enforce(flat.model.add_circuit(arcs), under)
        elif terms:
            flat.never(under)

    return post


def _inverse(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    there, there_base, back, back_base = (
        flat.terms(given[0]),
        flat.number(given[1]),
        flat.terms(given[2]),
        flat.number(given[3]),
    )
    for terms, base, count in ((there, back_base, len(back)), (back, there_base, len(there))):
        for each in terms:
            flat.keep([1], [each], [(base, base + count - 1)], under)
        if len(terms) > 1:
            flat.enforce(flat.model.add_all_different(terms), under)
    for i, one in enumerate(there):
        for j, other in enumerate(back):
            a, b = flat.has_value(one, back_base + j), flat.has_value(other, there_base + i)
            flat.clause([~a, b], under)
            flat.clause([a, ~b], under)
    is_own = there_base == back_base and len(there) == len(back) and not under
    if is_own and all(one is other for one, other in zip(there, back)):
        # The list consists of pairs and fixed elements. A search alone learns only by trying all lists that an odd
        # number of elements can't all be in pairs.
        fixed = [flat.has_value(each, back_base + at) for at, each in enumerate(there)]
        pairs = flat.fresh([(0, len(there) // 2)])
        flat.keep([*[1] * len(fixed), 2], [*fixed, pairs], [(len(there), len(there))], ())


def _rows(flat: Flat, given: Sequence[object]) -> tuple[list[Term], list[list[int]]]:
    terms, cells, count = flat.terms(given[0]), flat.numbers(given[1]), flat.number(given[2])
    width = len(terms)
    return terms, [cells[at * width : (at + 1) * width] for at in range(count)]


def _table(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    allow(flat, *_rows(flat, given), under)


def _no_table(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    terms, rows = _rows(flat, given)
    if rows and not terms:
        flat.never(under)
    elif rows:
        flat.enforce(flat.model.add_forbidden_assignments(terms, rows), under)


def _regular(flat: Flat, given: Sequence[object], under: Sequence[Literal]) -> None:
    """Takes numbers, first input, number of inputs, next states by state and input (sets), start and final states."""
    terms, first, width = flat.terms(given[0]), flat.number(given[1]), flat.number(given[2])
    following = [frozenset(values_in(each, STATES_MOST)) for each in flat.sets(given[3])]
    ends = frozenset(values_in(flat.ranges(given[5]), STATES_MOST))
    start = frozenset([flat.number(given[4])])
    # Uses the subset construction: each set of states becomes one state of a deterministic automaton.
    numbers = {start: 0}
    pending, steps = [start], list[tuple[int, int, int]]()
    while pending:
        now = pending.pop()
        for at in range(width):
            then = frozenset(
                each for state in now if state > 0 for each in following[(state - 1) * width + at] if each > 0
            )
            if not then:
                continue
            if then not in numbers:
                numbers[then] = len(numbers)
                pending.append(then)
            if len(numbers) > STATES_MOST:
                raise Unsupported("an automaton with many states at once")
            steps.append((numbers[now], first + at, numbers[then]))
    accepting = [number for states, number in numbers.items() if states & ends]
    if not terms:
        if 0 not in accepting:
            flat.never(under)
    elif accepting and steps:
        flat.enforce(flat.model.add_automaton(terms, 0, accepting, steps), under)
    else:
        flat.never(under)


# The library also contains constraints that CP-SAT can enforce by a literal, with the suffix `_imp`.
RELATIONS: Mapping[str, Post] = {
    "verdict_all_different": _all_different,
    "verdict_all_equal": _all_equal,
    "verdict_circuit": _circuit(is_partial=False),
    "verdict_subcircuit": _circuit(is_partial=True),
    "verdict_inverse": _inverse,
    "verdict_table": _table,
    "verdict_regular": _regular,
    **TASKS,
}
# The negation of each constraint, by name.
OPPOSITES: Mapping[str, Post] = {"verdict_table": _no_table}
