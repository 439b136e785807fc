"""Determines the values of an Optimize's objectives, and whether they were proved optimal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import z3

from verdict_runner.evidence.budget import limit_ms
from verdict_runner.evidence.smt.aims import Aim, Objective, better, decided, is_number, to_json
from verdict_runner.evidence.smt.solvers import (
    objective_lower,
    objective_lower_values,
    objective_upper,
    objective_upper_values,
    plain_solver,
    solver_check,
    solver_model,
    solver_set,
)
from verdict_runner.protocol.messages import Json

if TYPE_CHECKING:
    from verdict_runner.languages.z3.run import Objective

# Theories for which Z3's optimiser is complete. On other problems, it has reported non-optimal values as optimal.
COVERED = tuple(f"is-{name}" for name in "propositional qfbv qflia qflra qflira lia lra lira pb ilp".split())


IMPROVEMENTS_MAX = 30
# Each objective's lower and upper bound.
Bounds: TypeAlias = "Sequence[tuple[z3.ExprRef, z3.ExprRef]]"


class Optimum(NamedTuple):
    """The objectives' values as JSON, and whether they were proved optimal."""

    value: Json
    is_best: bool


def bounds_of(solver: z3.Optimize) -> Bounds:
    """Returns each objective's lower and upper bound."""
    return [(objective_lower(each), objective_upper(each)) for each in _objectives_of(solver)]


def _objectives_of(solver: z3.Optimize) -> list[z3.OptimizeObjective]:
    return [z3.OptimizeObjective(solver, index, False) for index in range(len(solver.objectives()))]


def value_of(objective: z3.OptimizeObjective) -> z3.ExprRef:
    """Returns the value of an objective handle held by the program."""
    return (objective_upper if objective._is_max else objective_lower)(objective)


def finite(bounds: Bounds) -> bool:
    """Whether each objective has a single numeric value."""
    return all(low.eq(high) and is_number(low) for low, high in bounds)


def is_endless(solver: z3.Optimize, aims: Sequence[Aim]) -> bool:
    """Whether Z3 reports that an objective has no best value: it is unbounded, or approached but never attained.

    For mixed integers and reals, Z3 5.4 reports "3 + epsilon" if the largest value is 4. Such an epsilon points beyond
    the bound, although a bound can only be approached from the other side. Objectives after the first non-numeric one
    are ignored: Z3 may have stopped before them, leaving two different bounds.
    """
    for objective, bounds, (_, largest) in zip(_objectives_of(solver), bounds_of(solver), aims, strict=True):
        if not finite([bounds]):
            infinite, _, epsilon = (objective_upper_values if largest else objective_lower_values)(objective)
            is_open = z3.Or(infinite != 0, epsilon < 0 if largest else epsilon > 0)
            return z3.is_true(z3.simplify(is_open))
    return False


def shown(bounds: Bounds) -> Json:
    """Returns the objectives' values as JSON: a single value, or a list if there are several objectives."""
    values = [to_json(low) if low.eq(high) else {"lower": to_json(low), "upper": to_json(high)} for low, high in bounds]
    return values[0] if len(values) == 1 else values


def aims(solver: z3.Optimize, known_aims: Mapping[int, Aim]) -> list[Aim]:
    """Returns each objective's expression and whether it is maximised; soft constraints are sums to be minimised."""
    return [_aim(expression, known_aims.get(index)) for index, expression in enumerate(solver.objectives())]


def _aim(expression: Objective, known: Aim | None) -> Aim:
    """Restores a maximised objective, which Z3 negates; on bit-vectors, negation does not simply reverse the order."""
    if known and expression.eq(-known[0] if known[1] else known[0]):
        return known
    return expression, False


def is_reached(aims: Sequence[Aim], bounds: Bounds, model: z3.ModelRef) -> bool:
    """Whether the model has the values that Z3 reports for the objectives.

    If bit-vectors are divided by 0, it may not have them.
    """
    return all(
        z3.is_true(decided(model.eval(_equals(expression, low), model_completion=True)))
        for (expression, _), (low, _) in zip(aims, bounds, strict=True)
    )


def _equals(expression: Objective, value: z3.ExprRef) -> z3.BoolRef:
    if z3.is_bv(expression) and z3.is_int_value(value):
        return expression == z3.BitVecVal(value.as_long(), expression.size())
    return expression == value


def improved(
    constraints: Iterable[z3.ExprRef],
    aims: Sequence[Aim],
    model: z3.ModelRef,
    is_claimed: bool,
    seconds: float,
) -> tuple[z3.ModelRef, bool | None]:
    """Returns an optimal model and True; else this model and False (a better one exists) or None (undecided).

    The optimiser is checked with a plain solver: Z3's optimiser has returned values that were not optimal, and models
    without the reported values. If the check takes too long, Z3's claim is accepted only if it is about this model
    (`is_claimed`) and the optimiser is complete for the theory.
    """
    solver = plain_solver()
    until = time.monotonic() + seconds
    for each in constraints:
        z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, each.as_ast())
    best, beyond = model, better(aims, model)
    # Over the reals, there may be infinitely many better values.
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
    constraints: Iterable[z3.ExprRef], aims: Sequence[Aim], seconds: float
) -> tuple[z3.CheckSatResult, z3.ModelRef | None, bool]:
    """Solves with a plain solver; returns the verdict, the best model found in time, and whether it is optimal."""
    solver, until = plain_solver(), time.monotonic() + seconds
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


def unsigned_note(aims: Sequence[Aim], model: z3.ModelRef, can_be_negative: Callable[[z3.BoolRef], bool]) -> str | None:
    """Returns a note that an objective is compared as unsigned, if the signed optimum differs; otherwise None."""
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
        return f"maximize and minimize compare bit-vectors as unsigned numbers: {named}. For signed numbers, flip the sign bit: o.{'maximize' if largest else 'minimize'}(x ^ BitVecVal({sign}, {size}))."
    return None


def _turns_sign(expression: z3.BitVecRef) -> bool:
    """Whether an expression has the form in which signed objectives are written."""
    sign = z3.BitVecVal(2 ** (expression.size() - 1), expression.size())
    return z3.is_app_of(expression, z3.Z3_OP_BXOR) and any(each.eq(sign) for each in expression.children())


def covered(assertions: Iterable[z3.ExprRef]) -> bool:
    """Whether Z3's optimiser is complete for the assertions."""
    goal = z3.Goal()
    goal.add(*assertions)
    return any(z3.Probe(name)(goal) == 1 for name in COVERED)
