"""What a Z3 answer rests on, as SMT-LIB, so that a process that never ran the program can decide it again."""

import z3

from verdict_runner.languages.z3 import watch

# Of an answer's room of 8 MB.
CHARS_MAX = 4_000_000
# A function of a model with more entries is left open: the check finds one itself.
ENTRIES_MAX = 200


def of_unsat(assertions, fresh):
    """Assertions that can't hold together."""
    return _handed_over(fresh, list(assertions), 0, 0)


def of_sat(assertions, model, fresh, wanted=(), objective=None):
    """Assertions and the values that satisfy them; with objectives, as (expression, is to be large), their best values."""
    aims = [_same(z3.FreshConst(expression.sort(), "objective"), expression) for expression, _ in wanted]
    pins = [pin for declaration in model.decls() for pin in _pins(model, declaration)]
    evidence = _handed_over(fresh, [*assertions, *aims, *pins], len(aims), len(pins))
    return {**evidence, "largest": [largest for _, largest in wanted], "objective": objective}


def _handed_over(fresh, assertions, aims, pins):
    # The program may have set how numbers are printed.
    z3.Z3_global_param_reset_all()
    solver = fresh()
    watch.solver_assert(solver, *assertions)
    text = solver.sexpr()
    if len(text) > CHARS_MAX:
        return {"open": "the problem is too large to be handed over"}
    return {"smtlib": text, "aims": aims, "pins": pins}


def _same(one, other):
    """Equality as SMT-LIB has it: that of floats in Z3's Python is another one."""
    return z3.BoolRef(z3.Z3_mk_eq(one.ctx_ref(), one.as_ast(), other.as_ast()), one.ctx)


def _pins(model, declaration):
    """That a constant or function has its value in the model; nothing for values that have no text of their own."""
    if declaration.kind() != z3.Z3_OP_UNINTERPRETED:
        return
    found = model[declaration]
    pin = (
        _function(declaration, found)
        if isinstance(found, z3.FuncInterp)
        else None
        if found is None
        else _same(declaration(), found)
    )
    if pin is not None and not any(mark in pin.sexpr() for mark in ("!val!", "as-array", "lambda")):
        yield pin


def _function(declaration, found):
    if found.else_value() is None or found.num_entries() > ENTRIES_MAX:
        return None
    parameters = [z3.FreshConst(declaration.domain(i)) for i in range(declaration.arity())]
    value = z3.substitute_vars(found.else_value(), *parameters)
    for i in reversed(range(found.num_entries())):
        entry = found.entry(i)
        here = z3.And(*(_same(parameter, entry.arg_value(k)) for k, parameter in enumerate(parameters)))
        value = z3.If(here, entry.value(), value)
    return z3.ForAll(parameters, _same(declaration(*parameters), value))
