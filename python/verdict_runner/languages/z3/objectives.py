"""Wraps Optimize's methods for objectives, objective values and soft constraints."""

from __future__ import annotations

import decimal
import functools
from collections.abc import Callable

import z3

from verdict_runner.evidence.smt.solvers import AnySolver
from verdict_runner.languages.z3.decide.optimum import aims
from verdict_runner.languages.z3.run import Method, flat, genuine, the_run
from verdict_runner.refusal import Refused

OBJECTIVE_READERS = "lower upper value lower_values upper_values".split()


def aiming(method: Callable[..., z3.OptimizeObjective], largest: bool) -> Callable[..., z3.OptimizeObjective]:
    @functools.wraps(method)
    def aimed(self: object, expression: object) -> z3.OptimizeObjective:
        run, solver = the_run(), genuine(self)
        if not isinstance(expression, z3.ExprRef):
            raise Refused(
                f"An objective must be a Z3 expression, not {expression!r}.",
                ["write the expression to minimise or maximise, for example o.minimize(x + y)"],
            )
        run.changed(id(self))
        objective = method(self, expression)
        if isinstance(expression, (z3.ArithRef, z3.BitVecRef)):
            run.objectives.setdefault(id(self), {})[objective._value] = (expression, largest)
        hold(solver, objective)
        return objective

    return aimed


def hold(solver: AnySolver, handles: object) -> None:
    run = the_run()
    aimed = run.aimed.setdefault(id(solver), {})
    for each in flat([handles]):
        if isinstance(each, z3.OptimizeObjective):
            aimed.setdefault(each._value, []).append(each)


def reach(solver: AnySolver) -> None:
    """Records after a check that all of a solver's objectives have values."""
    run = the_run()
    run.reached[id(solver)] = {index: list(handles) for index, handles in run.aimed.get(id(solver), {}).items()}


def take_back(solver: z3.Optimize) -> None:
    """Forgets removed objectives after a pop, since Z3 reuses their numbers."""
    run = the_run()
    run.reached.pop(id(solver), None)
    for index in list(run.aimed.get(id(solver), ())):
        if index >= len(solver.objectives()):
            del run.aimed[id(solver)][index]


def answered(objective: z3.OptimizeObjective) -> z3.OptimizeObjective:
    """Returns the objective if the last check has a value for it; raises `Refused` otherwise."""
    run = the_run()
    if not any(each is objective for each in run.reached.get(id(objective._opt), {}).get(objective._value, ())):
        raise Refused(
            "This objective has no value: the last check() was before the objective was added, or pop() removed it.",
            ["call o.check() after o.maximize(…) or o.minimize(…), and read the value before a pop()"],
        )
    return objective


def of_an_objective(method: Method) -> Method:
    """Wraps a reader to refuse objectives without a value: Z3 would read invalid memory or another's value."""

    @functools.wraps(method)
    def read(self: z3.OptimizeObjective) -> object:
        run = the_run()
        solver = answered(self)._opt
        current = run.current.get(id(solver))
        if current is None or current.search is None or method.__name__ not in ("lower", "upper", "value"):
            return method(self)
        # The optimiser did not terminate, so its bounds do not belong to the program's model.
        expression, _ = aims(solver, run.objectives.get(id(solver), {}))[self._value]
        return current.known_model.eval(expression, model_completion=True)

    return read


def wishing(add_soft: Method) -> Method:
    @functools.wraps(add_soft)
    def wished(
        self: object, constraint: object, weight: object = "1", *arguments: object, **keywords: object
    ) -> object:
        run, solver = the_run(), genuine(self)
        # Z3 itself would keep only six decimal places of a float weight.
        exact = format(decimal.Decimal(repr(weight)), "f") if isinstance(weight, float) else weight
        run.changed(id(self))
        handles = add_soft(self, constraint, exact, *arguments, **keywords)
        hold(solver, handles)
        return handles

    return wished
