"""Records what a program builds and solves with CPMpy, and keeps every solve within its limits."""

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
from cpmpy.expressions.utils import flatlist
from cpmpy.solvers.ortools import CPM_ortools
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface
from ortools.sat.python import cp_model

from verdict_runner.evidence import defects
from verdict_runner.evidence.finite import proto
from verdict_runner.languages.cp import cpsat, parameters
from verdict_runner.languages.cp.excluded import excluded_by
from verdict_runner.languages.cpmpy import backends, mended
from verdict_runner.languages.cpmpy.named import row_of, values_of
from verdict_runner.languages.cpmpy.own import inside
from verdict_runner.languages.cpmpy.run import Asked, Solved, the_run
from verdict_runner.languages.why import Place
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program


def listen() -> None:
    """Starts recording; called once, before any program runs."""
    cp.Model.__init__ = _made_model(cp.Model.__init__)
    cp.Model.add = cp.Model.__add__ = _model_add
    cp.Model.objective = _model_objective
    for name in ("to_file", "from_file"):
        setattr(cp.Model, name, _no_file)
    cpsat.forbid_files()
    mended.mend()
    # CPMpy's warnings are passed on without their positions in CPMpy's files.
    warnings.showwarning = lambda message, *_: the_run().warn(str(message))
    backends.look_up()
    _keep_arguments(Expression)
    for each in backends.installed():
        kind = each.kind
        kind.__init__ = _begun(each, kind.__init__)
        kind.add = kind.__add__ = _solver_add(kind.add)
        kind.objective = _solver_objective(kind.objective)
        kind.solve = _solve(kind.solve)
        kind.solveAll = _solve(kind.solveAll, for_all=True)
        kind.native_model = property(_no_native_model)
        for name in each.hidden:
            setattr(kind, name, _Unread(name, _not_checked(name)))
    cp_model.CpSolver.solve = _cp_sat


class _Unread:
    """An attribute that only CPMpy's own code may read, not programs.

    Reading the attribute is rejected even on the class, since a program could pass a function it has read to any
    library.
    """

    def __init__(self, name: str, refused: Refused, method: Callable[..., None] | None = None) -> None:
        self._name, self._refused, self._method = name, refused, method

    def __get__(self, value: object, kind: type | None = None) -> object:
        if program.is_asked_by_program(sys._getframe(1)):
            raise self._refused
        if self._method is not None:
            return self._method.__get__(value, kind)
        if value is None or self._name not in vars(value):
            raise AttributeError(self._name)
        return vars(value)[self._name]

    def __set__(self, value: object, new: object) -> None:
        vars(value)[self._name] = new


def _no_native_model(self: SolverInterface) -> object:
    raise _not_checked("native_model")


def _not_checked(name: str) -> Refused:
    return Refused(
        f"The attribute {name} of CPMpy's solvers is not available to programs: what is added there is not checked.",
        ["add constraints to the solver itself: s += constraint", "or write the model in the language ortools"],
    )


def _keep_arguments(kind: type[Expression]) -> None:
    """Hides `update_args`: CPMpy changes its own expressions, but a program could change one already solved."""
    name = "update_args"
    if name in vars(kind):
        refused = Refused("An expression can't be changed after its creation.", ["write a new expression"])
        setattr(kind, name, _Unread(name, refused, vars(kind)[name]))
    for each in kind.__subclasses__():
        _keep_arguments(each)


def _begun(backend: backends.Backend, init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def beginning(self: SolverInterface, *arguments: object, **options: object) -> None:
        backends.expect_begun_with(backend, options)
        run = the_run()
        if not run.depth:
            run.asked_of(self).model = arguments[0] if arguments else options.get("cpm_model")
        run.is_starting = True
        try:
            # After the model and the subsolver, the constructors' positional options only write files.
            init(self, *arguments[:2], **options)
        finally:
            run.is_starting = False

    return beginning


def _no_file(*_: object) -> None:
    raise Refused("A model can't be written to a file or read from one here.", ["write the model itself as items"])


def _cp_sat(self: cp_model.CpSolver, model: cp_model.CpModel, solution_callback: Any = None) -> cpsat.Status:  # noqa: ANN401
    run = the_run()
    if solution_callback is None and model.has_objective():
        solution_callback = cpsat.Teller(run.news, proto.bound_reader(model.proto))
    run.doubt = parameters.distrusted(self.parameters)
    return cpsat.solve(self, cpsat.copy_of(model), run.solving_until, solution_callback)


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
    run, place = the_run(), program.stating()
    run.note_added(place)
    for each in self.constraints[before:]:
        known = run.places.setdefault(id(each), (each, place))[1]
        if known is None or place is None or known[:2] != place[:2]:
            run.in_several_lines.add(id(each))
    lines = run.lines.setdefault(id(self.constraints), (self.constraints, []))[1]
    lines += [None] * (before - len(lines))
    lines += [place] * (len(self.constraints) - before)
    return self


_objective = cp.Model.objective


@functools.wraps(_objective)
def _model_objective(self: cp.Model, expr: object, minimize: bool) -> None:
    _objective(self, expr, minimize)
    the_run().places.setdefault(id(expr), (expr, program.stating()))


def _flat(constraint: object, place: Place, is_known: bool = False) -> Iterator[tuple[object, Place]]:
    """Yields the individual constraints that were added, each with its position."""
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
            place = program.stating(is_new=not run.is_starting)
            if not run.is_starting:
                run.note_added(place)
            added = list(_flat(cpm_expr, place))
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
            asked.objective_place = known[1] if known and known[0] is expr else program.stating()
            asked.noted.set_objective(expr)
        with inside(run):
            return objective(self, expr, minimize)

    return setting


def _solve(method: Callable[..., Any], for_all: bool = False) -> Callable[..., Any]:
    """Wraps a backend's `solve` or `solveAll` to record it and to limit its time."""

    @functools.wraps(method)
    def solving(self: Any, *arguments: object, **keywords: Any) -> object:  # noqa: ANN401
        run = the_run()
        if run.depth:
            return method(self, *arguments, **keywords)
        asked = run.asked_of(self)
        _expect_fresh(asked)
        solved = Solved(self, asked)
        options = backends.checked(solved.backend, {**dict(zip(ARGUMENTS[for_all], arguments)), **keywords})
        solved.assumptions = flatlist(options.get("assumptions", ()))
        if solved.assumptions:
            options["assumptions"] = solved.assumptions
        if for_all:
            options["display"] = _noting(solved, options.get("display"))
            # Suppresses CPMpy's warning about the solver's state after the solve.
            options["call_from_model"] = True
        solved.settings = {name: each for name, each in options.items() if name not in ("display", "time_limit")}
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
        _note_search(solved, for_all)
        if for_all and solved.verdict == "sat" and callable(keywords.get("display") or next(iter(arguments), None)):
            run.searches.note_list(solved, result)
        return result

    return solving


# The order of the positional arguments of CPMpy's `solve` (False) and `solveAll` (True).
ARGUMENTS = {False: ("time_limit", "assumptions"), True: ("display", "time_limit", "solution_limit", "call_from_model")}


def _expect_fresh(asked: Asked) -> None:
    if asked.is_used is not None:
        raise Refused(asked.is_used, ["create a new solver from the model: cp.SolverLookup.get(name, m)"])


def _left_behind(solved: Solved, for_all: bool) -> str | None:
    """Why a search with this solver would make the next one miss solutions; None if it would not."""
    if for_all and solved.backend.name != "ortools":
        return "solveAll excludes each solution that it lists, so this solver can't answer any further questions."
    if solved.objective is not None and not solved.backend.solves_again:
        return f"{solved.backend.title} excludes everything that is not better than the last solution, so this solver can't answer any further questions."
    return None


def _noting(solved: Solved, display: object) -> Callable[[], None]:
    """Records the values of each solution that `solveAll` lists, since some solvers drop the last one at the end."""

    def show() -> None:
        solved.values = values_of(solved)
        if display is not None:
            solved.solver.print_display(display)

    return show


def _note(solved: Solved) -> None:
    """Records a solve's status, and its values if there are any."""
    solver = solved.solver
    solved.status = solver.status().exitstatus
    if isinstance(solver, CPM_ortools):
        solved.distrusted = proto.distrusted(solver.ort_model.proto) or the_run().doubt
    else:
        noted = solved.noted
        # An objective without a form still counts as an objective.
        goal = 0 if noted.objective is None and solved.objective is not None else noted.objective
        model = defects.Model(noted.variables.domains(), noted.nodes, goal)
        solved.distrusted = defects.reason(solved.backend.title, model)
    is_sat, is_unsat = (
        solved.status in (ExitStatus.OPTIMAL, ExitStatus.FEASIBLE),
        solved.status == ExitStatus.UNSATISFIABLE,
    )
    solved.verdict = "sat" if is_sat else "unsat" if is_unsat else "timeout" if solved.is_cut else "unknown"
    the_run().note_end(solved.verdict)
    if not is_sat:
        return
    solved.values = values_of(solved) or solved.values
    if isinstance(solver, CPM_ortools) and solved.objective is not None:
        solved.bound = proto.bound_reader(solver.ort_model.proto)(solver.ort_solver.response_proto)


def _note_search(solved: Solved, for_all: bool) -> None:
    """Records whether a solve continues the program's own search."""
    run, owner = the_run(), solved.model or solved.solver
    search = run.searches.of(owner)
    last, ways = search and search.last, None
    if last is not None and (before := last.stated()) is not None and (now := solved.stated()) is not None:
        is_plain = last.objective is None and not last.assumptions
        ways = excluded_by(before, now, row_of(last) if is_plain else None, run.until)
        run.expect_change(ways == [] and last.settings == solved.settings and solved.verdict == "sat")
    run.searches.note(owner, solved, "" if for_all else solved.verdict, ways)
