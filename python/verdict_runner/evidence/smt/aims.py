"""Handles assertions' objectives as terms: their values in a model, and the condition for a better model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import z3

from verdict_runner.evidence.budget import limit_ms
from verdict_runner.evidence.smt import values
from verdict_runner.evidence.smt.solvers import (
    check,
    plain_solver,
    solver_assert,
    solver_check,
    solver_model,
    solver_set,
)
from verdict_runner.protocol.messages import Json

# The time limit for deciding a quantifier that remains after an objective is evaluated.
VALUE_SECONDS_MAX = 0.5

# An expression that can be minimised or maximised.
Objective: TypeAlias = "z3.ArithRef | z3.BitVecRef"
# An objective, and whether it is maximised.
Aim: TypeAlias = "tuple[Objective, bool]"


def better(aims: Sequence[Aim], model: z3.ModelRef) -> z3.BoolRef:
    """The constraint that another model is better, with the objectives in order of priority."""
    ways, equal = [], []
    for expression, largest in aims:
        value = value_at(expression, model)
        ways.append(z3.And(*equal, _beyond(expression, value, largest)))
        equal.append(expression == value)
    return z3.Or(*ways)


def _beyond(expression: Objective, value: z3.ExprRef, largest: bool) -> z3.BoolRef:
    if z3.is_bv(expression):
        return z3.UGT(expression, value) if largest else z3.ULT(expression, value)
    return expression > value if largest else expression < value


def equations(aims: Sequence[Aim], model: z3.ModelRef) -> list[z3.BoolRef]:
    """Equations that set each objective to its value in a model."""
    return [expression == value_at(expression, model) for expression, _ in aims]


def reached(aims: Sequence[Aim], model: z3.ModelRef) -> Json:
    """The values of the objectives in a model, as JSON."""
    shown = [to_json(value_at(expression, model)) for expression, _ in aims]
    return shown[0] if len(shown) == 1 else shown


def value_at(expression: Objective, model: z3.ModelRef) -> z3.ExprRef:
    """Evaluates an objective in a model; a solver decides the quantifiers that remain after evaluation."""
    value = model.eval(expression, model_completion=True)
    if is_number(value) or z3.is_algebraic_value(value):
        return value
    return decided(value)


def decided(value: z3.ExprRef) -> z3.ExprRef:
    """Evaluates a term without unknowns, if a solver decides its quantifiers or the whole term in time."""
    known = _without_quantifiers(value)
    return known if z3.is_true(known) or z3.is_false(known) or is_number(known) else _only_value(known)


def _only_value(term: z3.ExprRef) -> z3.ExprRef:
    """The only value that a term can have, e.g. a comparison of arrays; the term itself if this is unknown."""
    solver, other = plain_solver(), z3.FreshConst(term.sort(), "value")
    solver_set(solver, "timeout", limit_ms(VALUE_SECONDS_MAX))
    solver_assert(solver, other == term)
    if solver_check(solver) != z3.sat:
        return term
    value = solver_model(solver).eval(other, model_completion=True)
    return value if check([term != value], VALUE_SECONDS_MAX) == z3.unsat else term


def _without_quantifiers(value: z3.ExprRef) -> z3.ExprRef:
    """Replaces each quantifier in a term with its truth value, if a solver finds this value in time."""
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
        # A lambda counts as a quantifier but has no truth value.
        elif isinstance(term.sort(), z3.ArraySortRef):
            continue
        elif check([term], VALUE_SECONDS_MAX) == z3.unsat:
            truths.append((term, z3.BoolVal(False)))
        elif check([z3.Not(term)], VALUE_SECONDS_MAX) == z3.unsat:
            truths.append((term, z3.BoolVal(True)))
    return z3.simplify(z3.substitute(value, *truths)) if truths else value


def to_json(bound: z3.ExprRef) -> Json:
    return values.to_json(bound) if is_number(bound) or z3.is_algebraic_value(bound) else str(bound)


def is_number(value: z3.ExprRef) -> bool:
    """Whether a value is a number, not a term whose value is undetermined."""
    return z3.is_int_value(value) or z3.is_rational_value(value) or z3.is_bv_value(value)
