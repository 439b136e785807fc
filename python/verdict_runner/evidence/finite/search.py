"""Decides a form by trying all values, or with Z3."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence

import z3

from verdict_runner.evidence.budget import OutOfTime, bounded, left_ms
from verdict_runner.evidence.finite import terms
from verdict_runner.evidence.finite.form import Form
from verdict_runner.evidence.finite.meaning import Meaning
from verdict_runner.evidence.finite.terms import Number, Truth

# The maximum number of combinations of values that are enumerated.
COMBINATIONS_MAX = 3_000
# A safety limit for the exact check of a solution, which takes time linear in the size of the model.
CHECK_SECONDS_MAX = 60.0


def value_of(form: Form, solution: Sequence[int], until: float) -> int | None:
    """Computes the objective's value at a solution (0 without an objective); None if the values are not a solution."""
    meaning = Meaning(solution, min(until, time.monotonic() + CHECK_SECONDS_MAX))
    inside = all(terms.within(value, domain) is True for value, domain in zip(solution, form.domains))
    if len(solution) != len(form.domains) or not inside:
        return None
    if not all(meaning.truth(each) is True for each in form.constraints):
        return None
    value = 0 if form.objective is None else meaning.number(form.objective)
    return value if isinstance(value, int) and meaning.undefined_outside() is True else None


def solution(form: Form, until: float) -> list[int] | None:
    """Finds values that satisfy the constraints; None if there are none. Raises `OutOfTime` and `Unknown`."""
    with bounded(until):
        return by_enumeration(form, until) if has_few_combinations(form) else by_z3(form, until)


def has_few_combinations(form: Form) -> bool:
    return math.prod(_size(each) for each in form.domains) <= COMBINATIONS_MAX


def _size(domain: Sequence[int]) -> int:
    return sum(high - low + 1 for low, high in zip(domain[::2], domain[1::2]))


def by_enumeration(form: Form, until: float) -> list[int] | None:
    """Finds a solution by trying all values, or None if there is none; raises `OutOfTime`."""
    for count, values in enumerate(itertools.product(*(list(_values(each)) for each in form.domains))):
        if count % 50 == 0 and time.monotonic() > until:
            raise OutOfTime
        if value_of(form, values, until) is not None:
            return list(values)
    return None


def _values(domain: Sequence[int]) -> Iterator[int]:
    return itertools.chain.from_iterable(range(low, high + 1) for low, high in zip(domain[::2], domain[1::2]))


def by_z3(form: Form, until: float) -> list[int] | None:
    """Finds a solution with Z3, or None if there is none."""
    solver = z3.Solver()
    variables, formulas, _ = formulas_of(form, until)
    if False in formulas:
        return None
    solver.add(*formulas)
    model = model_of(solver, until)
    return None if model is None else [_read(model, each) for each in variables]


def model_of(solver: z3.Solver, until: float) -> z3.ModelRef | None:
    """A model of the solver's assertions, or None if there is none; raises `OutOfTime` if Z3 reaches no verdict."""
    solver.set("timeout", left_ms(until))
    answer = solver.check()
    if answer == z3.unknown:
        raise OutOfTime
    return None if answer == z3.unsat else solver.model()


def formulas_of(form: Form, until: float) -> tuple[list[Number | Truth], list[Truth], Number | None]:
    """Returns a term for each variable, the constraints, and the objective; raises `OutOfTime` and `Unknown`."""
    variables: list[Number | Truth] = []
    formulas: list[Truth] = []
    for i, domain in enumerate(form.domains):
        if list(domain) == [0, 1]:
            variables.append(z3.Bool(f"b{i}"))
        elif _size(domain) == 1:
            variables.append(domain[0])
        else:
            number = z3.Int(f"n{i}")
            variables.append(number)
            formulas.append(terms.within(number, domain))
    meaning = Meaning(variables, until)
    formulas += [meaning.truth(each) for each in form.constraints]
    objective = None if form.objective is None else meaning.number(form.objective)
    return variables, [*formulas, meaning.undefined_outside()], objective


def _read(model: z3.ModelRef, variable: Number | Truth) -> int:
    if isinstance(variable, int):
        return int(variable)
    value = model.eval(variable, model_completion=True)
    return value.as_long() if isinstance(value, z3.IntNumRef) else int(z3.is_true(value))
