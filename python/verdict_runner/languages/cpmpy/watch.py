"""Notes down what a program builds and solves with CPMpy; every solve stays within its bounds."""

from __future__ import annotations

import functools
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import cpmpy as cp
import numpy as np
from cpmpy.expressions.core import Expression
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl
from cpmpy.solvers.ortools import CPM_ortools
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface
from ortools.sat.python import cp_model

from verdict_runner.languages.cp import cpsat, parameters
from verdict_runner.languages.cpmpy import backends, mended
from verdict_runner.languages.cpmpy.named import AUTOMATIC, values_of
from verdict_runner.languages.cpmpy.own import inside
from verdict_runner.languages.cpmpy.run import Asked, Place, Solved, the_run
from verdict_runner.languages.ortools import doubts, proto
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program


def listen() -> None:
    """Begins to note down; called once, before any program runs."""
    cp.Model.__init__ = _made_model(cp.Model.__init__)
    cp.Model.add = cp.Model.__add__ = _model_add
    cp.Model.objective = _model_objective
    for name in ("to_file", "from_file"):
        setattr(cp.Model, name, _no_file)
    cpsat.forbid_files()
    mended.mend()
    # CPMpy's warnings, without the place in its files.
    warnings.showwarning = lambda message, *_: the_run().warn(str(message))
    backends.look_up()
    Expression.update_args = _update_args(Expression.update_args)
    _NumVarImpl.__init__ = _made_variable(_NumVarImpl.__init__)
    for each in backends.installed():
        kind = each.kind
        kind.__init__ = _begun(each, kind.__init__)
        kind.add = kind.__add__ = _solver_add(kind.add)
        kind.objective = _solver_objective(kind.objective)
        kind.solve = _solve(kind.solve)
        kind.solveAll = _solve(kind.solveAll, for_all=True)
        kind.native_model = property(_no_native_model)
        for name in each.hidden:
            setattr(kind, name, _hidden(name))
    cp_model.CpSolver.solve = _cp_sat


def _hidden(name: str) -> property:
    """An attribute that CPMpy's own code reads and writes, and no program reads."""

    def read(self: SolverInterface) -> object:
        if name not in vars(self):
            raise AttributeError(name)
        if program.is_asked_by_program(sys._getframe(1)):
            raise _not_checked(name)
        return vars(self)[name]

    return property(read, lambda self, value: vars(self).__setitem__(name, value))


def _no_native_model(self: SolverInterface) -> object:
    raise _not_checked("native_model")


def _not_checked(name: str) -> Refused:
    return Refused(
        f"The attribute {name} of CPMpy's solvers is not for a program: what is added there is not checked.",
        ["add constraints to the solver itself: s += constraint", "or write the model in the language ortools"],
    )


def _update_args(update: Callable[..., None]) -> Callable[..., None]:
    """CPMpy's own code changes expressions that it made; a program could change one that was solved already."""

    @functools.wraps(update)
    def updating(self: Expression, *arguments: object, **options: object) -> None:
        if program.is_asked_by_program(sys._getframe(1)):
            raise Refused("An expression can't be changed once it is made.", ["write a new expression"])
        update(self, *arguments, **options)

    return updating


def _begun(backend: backends.Backend, init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def beginning(self: SolverInterface, *arguments: object, **options: object) -> None:
        backends.expect_begun_with(backend, options)
        run = the_run()
        if not run.depth:
            run.asked_of(self).model = arguments[0] if arguments else options.get("cpm_model")
        # Behind the model and the subsolver, a constructor has only options that write files.
        init(self, *arguments[:2], **options)

    return beginning


def _no_file(*_: object) -> None:
    raise Refused("A model can't be written to a file or read from one here.", ["write the model itself into items"])


def _cp_sat(self: cp_model.CpSolver, model: cp_model.CpModel, solution_callback: Any = None) -> cpsat.Status:  # noqa: ANN401
    run = the_run()
    if solution_callback is None and model.has_objective():
        solution_callback = cpsat.Teller(run.news, proto.bound_reader(model.proto))
    run.doubt = parameters.distrusted(self.parameters)
    return cpsat.solve(self, cpsat.copy_of(model), run.solving_until, solution_callback)


def _made_variable(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def made(self: _NumVarImpl, *arguments: object, **options: object) -> None:
        init(self, *arguments, **options)
        run = the_run()
        if run.depth or isinstance(self, NegBoolView):
            return
        if not self.name.startswith(AUTOMATIC) and run.names.setdefault(self.name, self) is not self:
            raise Refused(
                f"Two variables have the name {self.name!r}: CPMpy would take them for one.",
                ["give each variable a name of its own", "or leave the name out"],
            )

    return made


def _made_model(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def made(self: cp.Model, *arguments: object, **options: object) -> None:
        init(self, *arguments, **options)
        if not the_run().depth:
            the_run().models.append(self)

    return made


_add = cp.Model.add


@functools.wraps(_add)
def _model_add(self: cp.Model, con: object) -> cp.Model:
    before = len(self.constraints)
    _add(self, con)
    run, place = the_run(), program.caller()
    for each in self.constraints[before:]:
        if run.places.setdefault(id(each), (each, place))[1] != place:
            run.in_several_lines.add(id(each))
    lines = run.lines.setdefault(id(self.constraints), (self.constraints, []))[1]
    lines += [None] * (before - len(lines))
    lines += [place] * (len(self.constraints) - before)
    return self


_objective = cp.Model.objective


@functools.wraps(_objective)
def _model_objective(self: cp.Model, expr: object, minimize: bool) -> None:
    _objective(self, expr, minimize)
    the_run().places.setdefault(id(expr), (expr, program.caller()))


def _flat(constraint: object, place: Place, is_known: bool = False) -> Iterator[tuple[object, Place]]:
    """The single constraints of what was added, each with its place."""
    run = the_run()
    known = run.places.get(id(constraint))
    if not is_known and known and known[0] is constraint:
        place = None if id(constraint) in run.in_several_lines else known[1]
    of_model, lines = run.lines.get(id(constraint), (None, []))
    if isinstance(constraint, np.ndarray):
        constraint = list(constraint.flat)
    if isinstance(constraint, (list, tuple)) and of_model is constraint and len(lines) == len(constraint):
        for each, line in zip(constraint, lines):
            yield from _flat(each, line, is_known=line is not None)
    elif isinstance(constraint, (list, tuple)):
        for each in constraint:
            yield from _flat(each, place, is_known)
    else:
        yield constraint, place


def _solver_add(add: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(add)
    def adding(self: SolverInterface, cpm_expr: object) -> object:
        run = the_run()
        if not run.depth:
            added = list(_flat(cpm_expr, program.caller()))
            asked = run.asked_of(self)
            asked.constraints += added
            asked.noted.add(each for each, _ in added)
        with inside(run):
            return add(self, cpm_expr)

    return adding


def _solver_objective(objective: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(objective)
    def setting(self: SolverInterface, expr: object, minimize: bool) -> object:
        run = the_run()
        if not run.depth:
            asked = run.asked_of(self)
            backends.expect_no_objective(backends.of(self), asked.objective is not None)
            asked.objective, asked.is_least = expr, bool(minimize)
            known = run.places.get(id(expr))
            asked.objective_place = known[1] if known and known[0] is expr else program.caller()
            asked.noted.set_objective(expr)
        with inside(run):
            return objective(self, expr, minimize)

    return setting


def _solve(method: Callable[..., Any], for_all: bool = False) -> Callable[..., Any]:
    """`solve` or `solveAll` of a backend, noted down and within the time."""

    @functools.wraps(method)
    def solving(self: Any, *arguments: object, **keywords: Any) -> object:  # noqa: ANN401
        run = the_run()
        if run.depth:
            return method(self, *arguments, **keywords)
        asked = run.asked_of(self)
        _expect_fresh(asked)
        solved = Solved(self, asked)
        options = backends.checked(solved.backend, {**dict(zip(ARGUMENTS[for_all], arguments)), **keywords})
        solved.assumptions = list(options.get("assumptions") or [])
        if solved.assumptions:
            options["assumptions"] = solved.assumptions
        if for_all:
            options["display"] = _noting(solved, options.get("display"))
            # Says that CPMpy need not warn of what the solver is after it.
            options["call_from_model"] = True
        run.solved = [solved]
        until = run.solving_until - cpsat.SECONDS_A_CONSTRAINT * len(solved.constraints)
        left = (until - time.monotonic()) * solved.backend.share_of_time
        limit = options.get("time_limit")
        options["time_limit"] = max(0.01, left if limit is None else min(left, float(limit)))
        if not backends.keeps_time(self):
            del options["time_limit"]
        asked.is_used = _left_behind(solved, for_all)
        begun = time.monotonic()
        with inside(run):
            result = method(self, **options)
        solved.seconds = time.monotonic() - begun
        solved.is_cut = cpsat.is_cut(begun, begun + left)
        _note(solved)
        return result

    return solving


# The order in which CPMpy's solvers take what is given without a name, in `solve` and in `solveAll`.
ARGUMENTS = {False: ("time_limit", "assumptions"), True: ("display", "time_limit", "solution_limit", "call_from_model")}


def _expect_fresh(asked: Asked) -> None:
    if asked.is_used is not None:
        raise Refused(asked.is_used, ["make a new solver from the model: cp.SolverLookup.get(name, m)"])


def _left_behind(solved: Solved, for_all: bool) -> str | None:
    """Why what such a search leaves in the solver rules out solutions of the next one."""
    if for_all and solved.backend.name != "ortools":
        return "solveAll rules out each solution that it lists, so that this solver answers no further question."
    if solved.objective is not None and not solved.backend.solves_again:
        return f"{solved.backend.title} rules out what is no better than the last solution, so that this solver answers no further question."
    return None


def _noting(solved: Solved, display: object) -> Callable[[], None]:
    """Notes the values of each solution that `solveAll` lists: some solvers forget the last one at the end."""

    def show() -> None:
        solved.values = values_of(solved)
        if display is not None:
            solved.solver.print_display(display)

    return show


def _note(solved: Solved) -> None:
    """Keeps the status, and the values where there are some."""
    solver = solved.solver
    solved.status = solver.status().exitstatus
    if isinstance(solver, CPM_ortools):
        solved.distrusted = doubts.distrusted(solver.ort_model.proto) or the_run().doubt
    else:
        noted, has_objective = solved.noted, solved.objective is not None
        solved.distrusted = backends.doubted(
            solved.backend, noted.nodes, noted.variables.domains(), noted.objective, has_objective
        )
    if solved.status not in (ExitStatus.OPTIMAL, ExitStatus.FEASIBLE):
        return
    solved.values = values_of(solved) or solved.values
    the_run().note_solution()
    if isinstance(solver, CPM_ortools) and solved.objective is not None:
        solved.bound = proto.bound_reader(solver.ort_model.proto)(solver.ort_solver.response_proto)
