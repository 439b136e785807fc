"""Wraps the methods of Z3's solvers and records a program's solvers, assertions and check results."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import NoReturn

import z3

from verdict_runner.evidence.smt.solvers import AnySolver, optimize_init, solver_init
from verdict_runner.languages.z3 import logics, numbers, objectives, options, rewrite
from verdict_runner.languages.z3.decide import bounds
from verdict_runner.languages.z3.run import Check, Method, Statement, flat, genuine, the_run, where
from verdict_runner.refusal import Refused
from verdict_runner.sandbox.program import Place, caller, stating

CHANGES = "push pop reset from_string".split()


def listen() -> None:
    """Wraps the methods. Called once, before any program runs."""
    z3.Solver.__init__ = _noting(solver_init)
    z3.Optimize.__init__ = _noting(optimize_init)
    for kind in (z3.Solver, z3.Optimize):
        kind.assert_exprs = _asserting(kind.assert_exprs)
        kind.assert_and_track = _tracking(kind.assert_and_track)
        kind.set = _setting(kind.set)
        kind.check = _checking(kind.check)
        kind.model = _giving(kind.model)
        for name in CHANGES:
            if hasattr(kind, name):
                setattr(kind, name, _changing(getattr(kind, name)))
    z3.Optimize.maximize = objectives.aiming(z3.Optimize.maximize, True)
    z3.Optimize.minimize = objectives.aiming(z3.Optimize.minimize, False)
    z3.Optimize.add_soft = objectives.wishing(z3.Optimize.add_soft)
    for name in objectives.OBJECTIVE_READERS:
        setattr(z3.OptimizeObjective, name, objectives.of_an_objective(getattr(z3.OptimizeObjective, name)))
    z3.Simplifier.add = _untold
    z3.Tactic.apply = _applying(z3.Tactic.apply)
    # Every other way to pass parameters or SMT-LIB eventually calls one of these methods.
    z3.ParamsRef.set = _parameter(z3.ParamsRef.set)
    for kind, name in (
        (z3.Solver, "from_string"),
        (z3.Optimize, "from_string"),
        (z3.Fixedpoint, "parse_string"),
        (z3.ParserContext, "from_string"),
    ):
        setattr(kind, name, _reading(getattr(kind, name)))
    z3.AstRef.__bool__ = rewrite.as_condition(z3.AstRef.__bool__)
    numbers.listen(_warn_here, _refuse)


def _applying(apply: Method) -> Method:
    """Warns if a tactic decides a goal, since only checks decide the answer."""

    def applied(self: z3.Tactic, *arguments: object, **keywords: object) -> z3.ApplyResult:
        result = apply(self, *arguments, **keywords)
        goals = [result[i] for i in range(len(result))]
        is_sat = any(len(each) == 0 for each in goals)
        if is_sat or all(each.inconsistent() for each in goals):
            _warn_here(
                f"this tactic decided its goal ({'sat' if is_sat else 'unsat'}), which does not count for the answer, as only checks do: "
                "use s = tactic.solver(), then s.add(…) and s.check()."
            )
        return result

    return applied


def _parameter(setter: Method) -> Method:
    def checked(self: object, name: object, value: object) -> object:
        return setter(self, *options.checked(name, value))

    return checked


def _reading(parse: Method) -> Method:
    """Wraps an SMT-LIB parser to refuse commands that write files or set parameters."""

    def checked(self: object, text: object, *arguments: object) -> object:
        return parse(self, options.checked_script(text), *arguments)

    return checked


def _warn_here(text: str) -> None:
    place = caller()
    if place:
        the_run().warn(f"{where(place)}: {text}")


def _refuse(message: str, steps: Sequence[str]) -> NoReturn:
    raise Refused(message, steps)


def _noting(init: Method) -> Method:
    def noted(self: object, *arguments: object, **keywords: object) -> None:
        run, solver = the_run(), genuine(self)
        if keywords.get("logFile") is not None or (len(arguments) > 2 and arguments[2] is not None):
            raise Refused("A model can't write a log file.", ["leave logFile out"], "forbidden")
        init(self, *arguments, **keywords)
        _first_time(solver)
        (run.asides if run.aside else run.solvers).append(solver)

    return noted


def _first_time(solver: AnySolver) -> None:
    """Rejects a second Python object, or a second `__init__`, for a Z3 solver: the record would miss its changes."""
    run = the_run()
    handle = (solver.solver if isinstance(solver, z3.Solver) else solver.optimize).value
    if handle in run.handles or id(solver) in run.made:
        raise Refused(
            "A solver can't be created from another solver.",
            ["create a new Solver() and add the other solver's assertions: s.add(other.assertions())"],
        )
    run.handles.add(handle)
    run.made.add(id(solver))


def _untold(self: object, solver: object) -> NoReturn:
    raise Refused(
        "A solver behind a Simplifier does not show its constraints, so its answers can't be checked.",
        ["use a plain Solver(), which simplifies automatically", "or Then('simplify', 'smt').solver()"],
    )


def _asserting(assert_exprs: Method) -> Method:
    @functools.wraps(assert_exprs)
    def asserted(self: object, *constraints: object) -> object:
        run, solver = the_run(), genuine(self)
        place = stating()
        if place:
            for stated in flat(constraints):
                # A comparison that Python has decided, such as `total == 17` on plain numbers, is asserted as its truth
                # value.
                each = z3.BoolVal(stated, solver.ctx) if isinstance(stated, bool) else stated
                if isinstance(each, z3.ExprRef):
                    run.origins.setdefault(each.get_id(), (place, each))
                    run.stated[id(self)].made.append(Statement(each.get_id(), each, place))
            _late(solver, place)
        run.changed(id(self))
        added = run.added.setdefault(id(self), [])
        if added is not None:
            added += flat(constraints)
        return assert_exprs(self, *constraints)

    return asserted


def _late(solver: AnySolver, place: Place) -> None:
    the_run().late.setdefault(id(solver), []).append(place)


def _tracking(assert_and_track: Method) -> Method:
    @functools.wraps(assert_and_track)
    def tracked(self: object, constraint: object, name: object) -> object:
        run, solver = the_run(), genuine(self)
        place = stating()
        if place:
            # Where loops give one line several cases, the author's own names tell them apart.
            place = place._replace(case=str(name)) if place.case else place
            run.tracked[id(self)].made.append(Statement(str(name), constraint, place))
            _late(solver, place)
        run.changed(id(self))
        run.added[id(self)] = None
        return assert_and_track(self, constraint, name)

    return tracked


def _changing(method: Method) -> Method:
    @functools.wraps(method)
    def changed(self: object, *arguments: object, **keywords: object) -> object:
        run, solver = the_run(), genuine(self)
        run.changed(id(self))
        run.added[id(self)] = None
        done = method(self, *arguments, **keywords)
        for stated in (run.stated[id(self)], run.tracked[id(self)]):
            getattr(stated, method.__name__, _nothing)(*arguments, **keywords)
        if isinstance(solver, z3.Optimize):
            objectives.take_back(solver)
        return done

    return changed


def _nothing(*_: object) -> None:
    """Records nothing, since constraints from SMT-LIB text have no lines."""


def _checking(check: Callable[..., z3.CheckSatResult]) -> Callable[..., z3.CheckSatResult]:
    @functools.wraps(check)
    def checked(self: object, *assumptions: object) -> z3.CheckSatResult:
        run, solver = the_run(), genuine(self)
        search: bounds.SearchResult | None = None
        if any(True for _ in flat(assumptions)):
            verdict = check(self, *assumptions)
            run.beside.pop(id(self), None)
        else:
            verdict, search = logics.checked(run, solver, lambda: check(self))
        objectives.reach(solver)
        terms = [z3.BoolSort(solver.ctx).cast(each) for each in flat(assumptions)]
        run.note(Check(run, solver, verdict, search, terms, caller()))
        return verdict

    return checked


def _giving(model: Callable[..., z3.ModelRef]) -> Callable[..., z3.ModelRef]:
    @functools.wraps(model)
    def model_given(self: object) -> z3.ModelRef:
        run, last = the_run(), the_run().last_of.get(id(genuine(self)))
        is_kept = id(self) in run.logics or run.current.get(id(self)) is last
        is_searched = last is not None and last.search is not None and is_kept
        return last.known_model if last is not None and is_searched else model(self)

    return model_given


def _setting(setter: Method) -> Method:
    @functools.wraps(setter)
    def checked(self: object, *arguments: object, **keywords: object) -> object:
        genuine(self)
        run = the_run()
        plain, named = options.all_checked(arguments, keywords)
        settings = {**dict(zip(plain[::2], plain[1::2])), **named}
        if "timeout" in settings:
            run.limits_ms[id(self)] = int(settings["timeout"])
        priority = settings.get("priority", settings.get("opt.priority"))
        if priority is not None:
            run.priorities[id(self)] = str(priority)
        run.changed(id(self))
        return setter(self, *plain, **named)

    return checked
