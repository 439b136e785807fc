"""Which models a program was given: values that it computed come from one of them, so an answer about them has to hold of each."""

import z3

from verdict_runner.languages.z3.confirm import claims
from verdict_runner.languages.z3.terms import is_ground

# Models of one program that are kept.
MODELS_MAX = 500
PROBE_SECONDS_MAX = 1.0
# The time that the check of an answer leaves for the rest of it.
RESERVE_SECONDS = 0.1


class Given:
    """The models that a program was given, each with the solver that it is of."""

    def __init__(self):
        self._kept = {}
        self._whole = True

    def note(self, solver, check, model):
        """Keeps the model that a solver found in its check of this number."""
        if (id(solver), check) not in self._kept:
            self._whole = len(self._kept) < MODELS_MAX
            if self._whole:
                self._kept[id(solver), check] = model

    def __iter__(self):
        return ((owner, model) for (owner, _), model in self._kept.items())

    def __len__(self):
        return len(self._kept)

    @property
    def whole(self):
        """Whether all of them were kept."""
        return self._whole


def doubt(run, solver, model, variables, best, check):
    """Why values of the program may not be those of the solver's answer: a sentence; None where they can't be others.

    `best` are the objectives that were proved best, each as an equation; `check(constraints, seconds)` gives a verdict.
    """
    if not claims.computed(model, variables, solver):
        return None
    if _is_stale(run, solver, model, variables, check):
        return "Values under names of the solver's constants were computed by the program, and no solution of the solver as it is has them; export the expressions themselves: variables={'x': x}."
    foreign = any(isinstance(each, z3.OptimizeObjective) and each._opt is not solver for each in variables.values())
    reason = "an objective is another solver's" if foreign else _unlike(run, solver, model, variables, best)
    return (
        reason
        and f"Values that the program computed are not confirmed: {reason}; export the expressions themselves: variables={{'x': x}}."
    )


def _unlike(run, solver, model, variables, best):
    """What a model that the values may come from has not, of this answer."""
    if not run.given.whole:
        return "the program read too many models to compare each with this answer"
    told = f"of the {len(run.given)} models that were read one" if len(run.given) > 1 else "the model that was read"
    constants = {each.name() for each in model.decls() if each.arity() == 0}
    shown = [each for each in variables.values() if isinstance(each, z3.ExprRef) and not is_ground(each)]
    for owner, given in run.given:
        if run.left() < RESERVE_SECONDS:
            return "the time ran out before they were compared with this answer"
        is_own = owner == id(solver)
        if not is_own and not constants <= {each.name() for each in given.decls()}:
            return f"{told} is of another solver"
        if any(z3.is_false(given.eval(each, model_completion=True)) for each in solver.assertions()):
            return f"{told} does not satisfy the solver as it is"
        if not all(z3.is_true(given.eval(each, model_completion=True)) for each in best):
            return f"{told} does not have the best objective"
        if not is_own and not all(
            given.eval(each, model_completion=True).eq(model.eval(each, model_completion=True)) for each in shown
        ):
            return f"{told} has other values than the expressions beside them"
    return None


def _is_stale(run, solver, model, variables, check):
    """Whether no solution has the values that stand under names of constants, beside those of the expressions."""
    constants = {each.name(): each() for each in model.decls() if each.arity() == 0}
    told = {
        name: constants[name]
        for name, value in variables.items()
        if name in constants and _is_value(value, constants[name])
    }
    if all(claims.agrees(model, constant, variables[name]) for name, constant in told.items()):
        return False
    fixed = [_same(constant, variables[name]) for name, constant in told.items()]
    beside = [
        each == model.eval(each, model_completion=True)
        for each in variables.values()
        if z3.is_const(each) and not is_ground(each)
    ]
    return (
        check([*solver.assertions(), *fixed, *beside], min(PROBE_SECONDS_MAX, run.left() - RESERVE_SECONDS)) == z3.unsat
    )


def _same(constant, value):
    return constant == (z3.RealVal(repr(value)) if isinstance(value, float) else value)


def _is_value(value, constant):
    """Whether a value of the program can be compared with a constant and is no expression that is still open."""
    if isinstance(value, bool):
        return z3.is_bool(constant)
    if isinstance(value, int):
        return z3.is_arith(constant) or z3.is_bv(constant)
    if isinstance(value, float):
        return z3.is_real(constant) and value - value == 0
    if isinstance(value, str):
        return z3.is_string(constant)
    return isinstance(value, z3.ExprRef) and value.sort() == constant.sort() and is_ground(value)
