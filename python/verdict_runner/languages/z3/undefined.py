"""Operations of a model's constraints that have no value in it: Z3 takes any value there."""

import z3

from verdict_runner.languages.z3.terms import terms

DIVIDING = (z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM)


def division_by_zero(assertions, model):
    """An assertion that divides by what is 0 in the model, with that divisor as text; None when there is none."""
    seen = set()
    for assertion in assertions:
        for term in terms([assertion], seen, bodies=False):
            if z3.is_app(term) and term.decl().kind() in DIVIDING and _is_zero(model, term.arg(1)):
                return assertion, _short(term.arg(1))
    return None


def _is_zero(model, divisor):
    value = model.eval(divisor, model_completion=True)
    return value.as_long() == 0 if z3.is_int_value(value) else z3.is_rational_value(value) and value.as_fraction() == 0


def _short(term):
    text = " ".join(str(term).split())
    return text if len(text) <= 60 else f"{text[:59]}…"
