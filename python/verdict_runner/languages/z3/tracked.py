"""Names of tracked assertions that are constants of the problem, too: Z3 takes them for true, and so changes the problem."""

import z3

from verdict_runner.languages.z3.terms import terms


def constant_among(assertions, tracked):
    """The first of the names that a constraint speaks of; `tracked` are constraints by name."""
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
