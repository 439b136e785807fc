"""The objectives of an Optimize: their values, and whether these were proved best."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import z3

from verdict_runner.languages.limit import limit_ms
from verdict_runner.languages.z3.decide import values as z3_values
from verdict_runner.languages.z3.solvers import (
    check,
    objective_lower,
    objective_lower_values,
    objective_upper,
    objective_upper_values,
    plain_solver,
    solver_assert,
    solver_check,
    solver_model,
    solver_set,
)
from verdict_runner.protocol.messages import Json

if TYPE_CHECKING:
    from verdict_runner.languages.z3.run import Objective

# Theories for which Z3's optimiser is complete. On other problems it has reported values as optimal that are not.
COVERED = tuple(f"is-{name}" for name in "propositional qfbv qflia qflra qflira lia lra lira pb ilp".split())


IMPROVEMENTS_MAX = 30
# How long a quantifier may take that evaluating an objective leaves.
VALUE_SECONDS_MAX = 0.5

# An objective, and whether it is to be large.
Aim: TypeAlias = "tuple[Objective, bool]"
# The lower and upper bound of each objective.
Bounds: TypeAlias = "Sequence[tuple[z3.ExprRef, z3.ExprRef]]"


class Optimum(NamedTuple):
    """The values of the objectives as JSON, and whether they were proved best."""

    value: Json
    is_best: bool


def bounds_of(solver: z3.Optimize) -> Bounds:
    """The lower and upper bound of each objective."""
    return [(objective_lower(each), objective_upper(each)) for each in _objectives_of(solver)]


def _objectives_of(solver: z3.Optimize) -> list[z3.OptimizeObjective]:
    return [z3.OptimizeObjective(solver, index, False) for index in range(len(solver.objectives()))]


def value_of(objective: z3.OptimizeObjective) -> z3.ExprRef:
    """The value of an objective that the program holds."""
    return (objective_upper if objective._is_max else objective_lower)(objective)


def finite(bounds: Bounds) -> bool:
    """Whether each objective has one value that is a number."""
    return all(low.eq(high) and _is_number(low) for low, high in bounds)


def is_endless(solver: z3.Optimize, aims: Sequence[Aim]) -> bool:
    """Whether Z3 says that an objective has no best value: it is unbounded, or approached and never reached.

    Of whole numbers and reals together, Z3 5.4 says "3 + epsilon" where the largest value is 4: an epsilon that points
    beyond the bound, which would be approached from the other side. The objectives after the first one without a number
    do not count: Z3 may have stopped before them, with two numbers for their bounds.
    """
    for objective, bounds, (_, largest) in zip(_objectives_of(solver), bounds_of(solver), aims, strict=True):
        if not finite([bounds]):
            infinite, _, epsilon = (objective_upper_values if largest else objective_lower_values)(objective)
            is_open = z3.Or(infinite != 0, epsilon < 0 if largest else epsilon > 0)
            return z3.is_true(z3.simplify(is_open))
    return False


def shown(bounds: Bounds) -> Json:
    """The values of the objectives as JSON: one by itself, several as a list."""
    values = [to_json(low) if low.eq(high) else {"lower": to_json(low), "upper": to_json(high)} for low, high in bounds]
    return values[0] if len(values) == 1 else values


def to_json(bound: z3.ExprRef) -> Json:
    return z3_values.to_json(bound) if _is_number(bound) or z3.is_algebraic_value(bound) else str(bound)


def _is_number(value: z3.ExprRef) -> bool:
    return z3.is_int_value(value) or z3.is_rational_value(value) or z3.is_bv_value(value)


def aims(solver: z3.Optimize, known_aims: Mapping[int, Aim]) -> list[Aim]:
    """Each objective as an expression, and whether it is to be large; soft constraints are sums to keep small."""
    return [_aim(expression, known_aims.get(index)) for index, expression in enumerate(solver.objectives())]


def _aim(expression: Objective, known: Aim | None) -> Aim:
    """Z3 negates an objective that is maximised, which for bit-vectors is another order."""
    if known and expression.eq(-known[0] if known[1] else known[0]):
        return known
    return expression, False


def value_at(expression: Objective, model: z3.ModelRef) -> z3.ExprRef:
    """The value of an objective in a model; a solver decides the quantifiers that evaluating it leaves."""
    value = model.eval(expression, model_completion=True)
    if _is_number(value) or z3.is_algebraic_value(value):
        return value
    return _decided(value)


def _decided(value: z3.ExprRef) -> z3.ExprRef:
    """The value of a term without unknowns, where a solver finds it in time: of its quantifiers, or of all of it."""
    known = _without_quantifiers(value)
    return known if z3.is_true(known) or z3.is_false(known) or _is_number(known) else _only_value(known)


def _only_value(term: z3.ExprRef) -> z3.ExprRef:
    """The one value that a term can have, as where arrays in it are compared; the term itself where that is not known."""
    solver, other = plain_solver(), z3.FreshConst(term.sort(), "value")
    solver_set(solver, "timeout", limit_ms(VALUE_SECONDS_MAX))
    solver_assert(solver, other == term)
    if solver_check(solver) != z3.sat:
        return term
    value = solver_model(solver).eval(other, model_completion=True)
    return value if check([term != value], VALUE_SECONDS_MAX) == z3.unsat else term


def _without_quantifiers(value: z3.ExprRef) -> z3.ExprRef:
    """A term with each quantifier replaced by its truth where a solver finds that in time."""
    truths: list[tuple[z3.ExprRef, z3.BoolRef]] = []
    seen: set[int] = set()
    left = [value]
    while left:
        term = left.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if not z3.is_quantifier(term):
            left += term.children()
        # A lambda counts as one, and has no truth value.
        elif isinstance(term.sort(), z3.ArraySortRef):
            continue
        elif check([term], VALUE_SECONDS_MAX) == z3.unsat:
            truths.append((term, z3.BoolVal(False)))
        elif check([z3.Not(term)], VALUE_SECONDS_MAX) == z3.unsat:
            truths.append((term, z3.BoolVal(True)))
    return z3.simplify(z3.substitute(value, *truths)) if truths else value


def is_reached(aims: Sequence[Aim], bounds: Bounds, model: z3.ModelRef) -> bool:
    """Whether the model has the values that Z3 reports for the objectives:

    with bit-vectors divided by 0, it may not.
    """
    return all(
        z3.is_true(_decided(model.eval(_equals(expression, low), model_completion=True)))
        for (expression, _), (low, _) in zip(aims, bounds, strict=True)
    )


def _equals(expression: Objective, value: z3.ExprRef) -> z3.BoolRef:
    if z3.is_bv(expression) and z3.is_int_value(value):
        return expression == z3.BitVecVal(value.as_long(), expression.size())
    return expression == value


def equations(aims: Sequence[Aim], model: z3.ModelRef) -> list[z3.BoolRef]:
    """That each objective has the value that it has in a model."""
    return [expression == value_at(expression, model) for expression, _ in aims]


def reached(aims: Sequence[Aim], model: z3.ModelRef) -> Json:
    """The values of the objectives in a model, as JSON."""
    values = [to_json(value_at(expression, model)) for expression, _ in aims]
    return values[0] if len(values) == 1 else values


def improved(
    constraints: Iterable[z3.ExprRef],
    aims: Sequence[Aim],
    model: z3.ModelRef,
    is_claimed: bool,
    seconds: float,
    fresh: Callable[[], z3.Solver],
) -> tuple[z3.ModelRef, bool | None]:
    """An optimal model of the constraints, with True; or this model, with False if there is a better one and None if
    undecided.

    This checks the optimiser by plain solving: Z3's optimiser has returned values that were not optimal, and models
    that did not have them. If it takes too long, Z3's claim is accepted for the theories for which its optimiser is
    complete, if it is about this model (`is_claimed`).
    """
    solver = fresh()
    until = time.monotonic() + seconds
    for each in constraints:
        z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, each.as_ast())
    best, beyond = model, better(aims, model)
    # Over the reals there may be infinitely many better ones.
    for _ in range(IMPROVEMENTS_MAX):
        z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, beyond.as_ast())
        solver_set(solver, "timeout", limit_ms(until - time.monotonic()))
        verdict = solver_check(solver)
        if verdict == z3.unsat:
            return best, True
        if verdict != z3.sat:
            break
        best = solver_model(solver)
        beyond = better(aims, best)
    if best is not model:
        return model, False
    return model, True if is_claimed and covered([*constraints, beyond]) else None


def found_plainly(
    constraints: Iterable[z3.ExprRef], aims: Sequence[Aim], seconds: float, fresh: Callable[[], z3.Solver]
) -> tuple[z3.CheckSatResult, z3.ModelRef | None, bool]:
    """The result of plain solving: its verdict, the best model within the time, and whether it is optimal."""
    solver, until = fresh(), time.monotonic() + seconds
    for each in constraints:
        z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, each.as_ast())
    best = None
    while True:
        solver_set(solver, "timeout", limit_ms(until - time.monotonic()))
        verdict = solver_check(solver)
        if verdict != z3.sat:
            return (verdict if best is None else z3.sat), best, best is not None and verdict == z3.unsat
        best = solver_model(solver)
        z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, better(aims, best).as_ast())


def better(aims: Sequence[Aim], model: z3.ModelRef) -> z3.BoolRef:
    """The constraint that a model is better, with the objectives in their order."""
    ways, equal = [], []
    for expression, largest in aims:
        value = value_at(expression, model)
        ways.append(z3.And(*equal, _beyond(expression, value, largest)))
        equal.append(expression == value)
    return z3.Or(*ways)


def unsigned_note(aims: Sequence[Aim], model: z3.ModelRef, can_be_negative: Callable[[z3.BoolRef], bool]) -> str | None:
    """A note that an objective is compared as an unsigned number, if a signed one has another optimum; otherwise None."""
    for expression, largest in aims:
        if not z3.is_bv(expression) or _turns_sign(expression):
            continue
        size, value = expression.size(), model.eval(expression, model_completion=True)
        sign = 2 ** (size - 1)
        if not z3.is_bv_value(value) or not (
            value.as_long() >= sign or (not largest and can_be_negative(expression < 0))
        ):
            continue
        named = (
            f"{expression.sexpr()[:60]} is {value.as_long()} here, as a signed number {value.as_signed_long()}"
            if value.as_long() >= sign
            else "negative values are possible"
        )
        return f"maximize and minimize compare bit-vectors as unsigned numbers: {named}. For signed numbers flip the sign bit: o.{'maximize' if largest else 'minimize'}(x ^ BitVecVal({sign}, {size}))."
    return None


def _turns_sign(expression: z3.BitVecRef) -> bool:
    """Whether this is how a signed objective is written."""
    sign = z3.BitVecVal(2 ** (expression.size() - 1), expression.size())
    return z3.is_app_of(expression, z3.Z3_OP_BXOR) and any(each.eq(sign) for each in expression.children())


def _beyond(expression: Objective, value: z3.ExprRef, largest: bool) -> z3.BoolRef:
    if z3.is_bv(expression):
        return z3.UGT(expression, value) if largest else z3.ULT(expression, value)
    return expression > value if largest else expression < value


def covered(assertions: Iterable[z3.ExprRef]) -> bool:
    """Whether Z3's optimiser is complete for the assertions."""
    goal = z3.Goal()
    goal.add(*assertions)
    return any(z3.Probe(name)(goal) == 1 for name in COVERED)
