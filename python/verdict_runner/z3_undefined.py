"""Operations of a model's constraints that have no value in it: Z3 takes any value there."""

import z3

# Terms of all assertions that are looked at, in all.
TERMS_MAX = 200_000
DIVIDING = (z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM)


def division_by_zero(assertions, model):
    """An assertion that divides by what is 0 in the model, with that divisor as text; None when there is none."""
    seen = set()
    for assertion in assertions:
        waiting = [assertion]
        while waiting and len(seen) < TERMS_MAX:
            term = waiting.pop()
            if term.get_id() in seen:
                continue
            seen.add(term.get_id())
            if z3.is_app(term) and term.decl().kind() in DIVIDING and _is_zero(model, term.arg(1)):
                return assertion, _short(term.arg(1))
            # What is under a quantifier holds variables that a model has no value for.
            waiting += [] if z3.is_quantifier(term) else term.children()
    return None


def _is_zero(model, divisor):
    value = model.eval(divisor, model_completion=True)
    return value.as_long() == 0 if z3.is_int_value(value) else z3.is_rational_value(value) and value.as_fraction() == 0


def _short(term):
    text = " ".join(str(term).split())
    return text if len(text) <= 60 else f"{text[:59]}…"
