"""What Z3 reads in another way than it is meant: names of assertions that are constants, operations without a value."""

import z3

from verdict_runner.languages.z3.terms import TERMS_MAX, is_open, terms

DIVIDING = (z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM)


def constant_among(assertions, tracked):
    """The first of the names of tracked assertions that a constraint speaks of; `tracked` are constraints by name.

    Z3 takes such a constant for true, and so changes the problem.
    """
    for term in terms(_constraint(each, tracked) for each in assertions):
        if z3.is_const(term) and z3.is_bool(term) and str(term) in tracked:
            return str(term)
    return None


def _constraint(assertion, tracked):
    """What was asserted under a name: Z3 keeps it as `name => constraint`."""
    if z3.is_implies(assertion):
        name, constraint = assertion.children()
        known = tracked.get(str(name), ()) if z3.is_const(name) else ()
        if any(isinstance(each, z3.AstRef) and constraint.eq(each) for each in known):
            return constraint
    return assertion


def division_by_zero(assertions, model):
    """An assertion that divides by what is 0 in the model, with that divisor as text; None when there is none.

    Such a division has no value in the model: Z3 takes any value there.
    """
    seen = set()
    for assertion in assertions:
        for term in terms([assertion], seen, bodies=False):
            if z3.is_app(term) and term.decl().kind() in DIVIDING and _is_zero(model, term.arg(1)):
                return assertion, short(term.arg(1))
    return None


def _is_zero(model, divisor):
    value = model.eval(divisor, model_completion=True)
    return value.as_long() == 0 if z3.is_int_value(value) else z3.is_rational_value(value) and value.as_fraction() == 0


def free_among(expressions, constraints):
    """The constants of expressions that no constraint speaks of, so that any value does; none where there is too much to look at."""
    seen = set()
    known = {term.decl().get_id() for term in terms(constraints, seen) if z3.is_app(term)}
    if len(seen) >= TERMS_MAX:
        return []
    found = {str(term): term.decl().get_id() for term in terms(expressions) if z3.is_const(term) and is_open(term)}
    return [name for name, key in found.items() if key not in known]


def short(term):
    """A term on one line, cut to what a sentence holds."""
    text = " ".join(str(term).split())
    return text if len(text) <= 60 else f"{text[:59]}…"
