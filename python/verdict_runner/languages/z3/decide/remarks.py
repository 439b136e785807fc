"""Warns about code that Z3 interprets differently from its apparent meaning.

Examples are assertion names that are constants, undefined operations, and variables that no constraint contains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import z3

from verdict_runner.evidence.smt.terms import TERMS_MAX, is_open, terms
from verdict_runner.languages.z3.decide import claims as z3_claims
from verdict_runner.languages.z3.run import Check, the_run, where

DIVIDING = (z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM)
NAMES_MAX = 10


def constant_among(assertions: Iterable[z3.ExprRef], tracked: Mapping[str, Sequence[object]]) -> str | None:
    """Returns the first tracked assertion's name that a constraint contains; `tracked` maps names to constraints.

    Z3 assumes that a constant with such a name is true, which changes the problem.
    """
    for term in terms(_constraint(each, tracked) for each in assertions):
        if z3.is_const(term) and z3.is_bool(term) and str(term) in tracked:
            return str(term)
    return None


def _constraint(assertion: z3.ExprRef, tracked: Mapping[str, Sequence[object]]) -> z3.ExprRef:
    """Returns the constraint of a named assertion, which Z3 stores as `name => constraint`."""
    if z3.is_implies(assertion):
        name, constraint = assertion.children()
        known = tracked.get(str(name), ()) if z3.is_const(name) else ()
        if any(isinstance(each, z3.AstRef) and constraint.eq(each) for each in known):
            return constraint
    return assertion


def division_by_zero(assertions: Iterable[z3.ExprRef], model: z3.ModelRef) -> tuple[z3.ExprRef, str] | None:
    """Finds an assertion with a divisor that is 0 in the model; returns it with the divisor's text, or None.

    A division by 0 has no fixed value; Z3 can choose any value.
    """
    seen = set()
    for assertion in assertions:
        for term in terms([assertion], seen, bodies=False):
            if z3.is_app(term) and term.decl().kind() in DIVIDING and _is_zero(model, term.arg(1)):
                return assertion, short(term.arg(1))
    return None


def _is_zero(model: z3.ModelRef, divisor: z3.ExprRef) -> bool:
    value = model.eval(divisor, model_completion=True)
    return value.as_long() == 0 if z3.is_int_value(value) else z3.is_rational_value(value) and value.as_fraction() == 0


def free_among(expressions: Iterable[z3.ExprRef], constraints: Iterable[z3.ExprRef]) -> list[str]:
    """The constants in expressions that no constraint contains.

    Such constants can have any value. Returns none if there are too many terms to check.
    """
    seen: set[int] = set()
    known = {term.decl().get_id() for term in terms(constraints, seen) if z3.is_app(term)}
    if len(seen) >= TERMS_MAX:
        return []
    ids = {str(term): term.decl().get_id() for term in terms(expressions) if z3.is_const(term) and is_open(term)}
    return [name for name, key in ids.items() if key not in known]


def short(term: z3.ExprRef) -> str:
    """Writes a term on one line, truncated to fit into a sentence."""
    text = " ".join(str(term).split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def warn_of_free(check: Check, variables: Mapping[str, object]) -> None:
    """Warns of exported variables that no constraint contains; often they are misspelt."""
    constraints = [*check.assertions, *(objective for objective, _ in check.aims)]
    free = free_among(z3_claims.expressions(variables), constraints)
    if free and constraints:
        names = f"{', '.join(free[:NAMES_MAX])}{' and others' if len(free) > NAMES_MAX else ''}"
        the_run().warn(f"No constraint contains {names}: every value is possible, and the one shown is arbitrary.")


def misnamed(model: z3.ModelRef, variables: Mapping[str, object]) -> Iterator[str]:
    """Yields warnings about expressions exported under the name of another of the solver's variables."""
    run = the_run()
    for name, value, own in z3_claims.misnamed(model, variables):
        run.warn(
            f"The value shown as {name} is that of the expression {short(value)}; the variable {name} is {short(own)}."
        )
        yield name


def warn_of_division(check: Check, model: z3.ModelRef, variables: Mapping[str, object]) -> None:
    """Warns of a constraint whose divisor is 0 in the model."""
    run = the_run()
    division = division_by_zero(check.assertions, model)
    if division is None:
        exported = division_by_zero(filter(z3.is_expr, variables.values()), model)
        if exported:
            run.warn(
                f"An exported value divides by {exported[1]}, which is 0 in the model: Z3 can choose any value for the result."
            )
        return
    assertion, divisor = division
    place = run.origins.get(assertion.get_id())
    run.warn(
        f"{where(place[0]) + ': ' if place else ''}the model rests on a division by zero: {divisor} is 0 in it, and Z3 can choose any value for the result; add {divisor} != 0."
    )
