"""What a program does with Z3 is noted down: its solvers, where each assertion stands, what checks answered."""

from __future__ import annotations

import decimal
import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn, TypeAlias

import z3

from verdict_runner.languages.record import Current, Record
from verdict_runner.languages.z3 import given as z3_given
from verdict_runner.languages.z3 import options
from verdict_runner.languages.z3.confirm import numbers
from verdict_runner.protocol.runner import Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program

# Kept before any program runs, so that none can put its own in their place.
solver_init, optimize_init = z3.Solver.__init__, z3.Optimize.__init__
solver_assert = z3.Solver.assert_exprs
solver_set, optimize_set = z3.Solver.set, z3.Optimize.set
solver_check, optimize_check = z3.Solver.check, z3.Optimize.check
solver_model, optimize_model = z3.Solver.model, z3.Optimize.model
objective_lower, objective_upper = z3.OptimizeObjective.lower, z3.OptimizeObjective.upper
set_param, with_parameters = z3.set_param, z3.With

AnySolver: TypeAlias = "z3.Solver | z3.Optimize"
# What can be made small or large.
Objective: TypeAlias = "z3.ArithRef | z3.BitVecRef"
# An item, and a line in it.
Place: TypeAlias = tuple[int, int]
# A method or function of Z3, whatever it takes and gives.
Method: TypeAlias = Callable[..., Any]

CHANGES = "push pop reset from_string".split()
OBJECTIVE_READERS = "lower upper value lower_values upper_values".split()


class Run(Record):
    """What is known of the one program that this process runs."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.items = task.items
        self.solvers: list[AnySolver] = []
        # Solvers that `prove` and `solve` make for themselves.
        self.asides: list[AnySolver] = []
        self.aside = False
        # Of all of them: their pointers, and themselves.
        self.handles: set[object] = set()
        self.made: set[int] = set()
        self.bare: list[tuple[z3.BoolRef, Place]] = []
        self.origins: dict[int, tuple[Place, z3.ExprRef]] = {}
        # By the name that the program gave: the constraint, and its place.
        self.tracked: dict[tuple[int, str], tuple[object, Place]] = {}
        # All constraints that had this name, at one time or another.
        self.named: dict[tuple[int, str], list[object]] = {}
        self.limits_ms: dict[int, int] = {}
        self.priorities: dict[int, str] = {}
        # By solver: what its last check answered, for as long as nothing changed since.
        self.checked: dict[int, z3.CheckSatResult] = {}
        self.once_sat: set[int] = set()
        # What checks answered, whoever asked.
        self.answers: set[str] = set()
        self.checks = 0
        self.given = z3_given.Given()
        self.assumed: set[int] = set()
        # By Optimize: what each objective is, and whether it is to be large.
        self.objectives: dict[int, dict[int, tuple[Objective, bool]]] = {}
        # By Optimize: the handles of each objective that the program holds, and those that the last check answered.
        self.aimed: dict[int, dict[int, list[z3.OptimizeObjective]]] = {}
        self.reached: dict[int, dict[int, list[z3.OptimizeObjective]]] = {}
        self.answered_for: AnySolver | None = None
        # Places that added to that solver afterwards.
        self.late: list[Place] = []


_current = Current(Run)
begin, the_run = _current.begin, _current.get


def listen() -> None:
    """Puts our look before what Z3 does. Called once, before any program."""
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
    z3.Optimize.maximize = _aiming(z3.Optimize.maximize, True)
    z3.Optimize.minimize = _aiming(z3.Optimize.minimize, False)
    z3.Optimize.add_soft = _wishing(z3.Optimize.add_soft)
    for name in OBJECTIVE_READERS:
        setattr(z3.OptimizeObjective, name, _of_an_objective(getattr(z3.OptimizeObjective, name)))
    z3.Simplifier.add = _untold
    # Every other way to give parameters or SMT-LIB ends in one of these.
    z3.ParamsRef.set = _parameter(z3.ParamsRef.set)
    for kind, name in (
        (z3.Solver, "from_string"),
        (z3.Optimize, "from_string"),
        (z3.Fixedpoint, "parse_string"),
        (z3.ParserContext, "from_string"),
    ):
        setattr(kind, name, _reading(getattr(kind, name)))
    numbers.listen(_warn_here, _refuse)


def _genuine(solver: object) -> AnySolver:
    """Methods can be called on anything: an object of the program's own must not pass for a solver."""
    if type(solver) is z3.Solver or type(solver) is z3.Optimize:
        return solver
    raise TypeError(f"this method is of a solver of Z3, and not for a {type(solver).__name__}")


def _parameter(setter: Method) -> Method:
    def checked(self: object, name: object, value: object) -> object:
        return setter(self, *options.checked(name, value))

    return checked


def _reading(parse: Method) -> Method:
    """SMT-LIB has commands that write files and set any parameter."""

    def checked(self: object, text: object, *arguments: object) -> object:
        return parse(self, options.checked_script(text), *arguments)

    return checked


def _warn_here(text: str) -> None:
    place = _caller()
    if place:
        the_run().warn(f"{where(place)}: {text}")


def _refuse(message: str, steps: Sequence[str]) -> NoReturn:
    raise Refused(message, steps)


def where(place: Place) -> str:
    return f"item {place[0]}, line {place[1]}"


def _noting(init: Method) -> Method:
    def noted(self: object, *arguments: object, **keywords: object) -> None:
        run, solver = the_run(), _genuine(self)
        if keywords.get("logFile") is not None or (len(arguments) > 2 and arguments[2] is not None):
            raise Refused("A model can't write a log file.", ["leave logFile out"], "forbidden")
        init(self, *arguments, **keywords)
        _first_time(solver)
        (run.asides if run.aside else run.solvers).append(solver)

    return noted


def _first_time(solver: AnySolver) -> None:
    """Two solvers that are one inside of Z3, or one that was made anew, would change behind our back."""
    run = the_run()
    handle = (solver.solver if isinstance(solver, z3.Solver) else solver.optimize).value
    if handle in run.handles or id(solver) in run.made:
        raise Refused(
            "A solver can't be made from another solver.",
            ["make a new Solver() and add the assertions of the other: s.add(other.assertions())"],
        )
    run.handles.add(handle)
    run.made.add(id(solver))


def _untold(self: object, solver: object) -> NoReturn:
    raise Refused(
        "A solver behind a Simplifier does not show its constraints, so its answers can't be checked.",
        ["use a plain Solver(), which simplifies by itself", "or Then('simplify', 'smt').solver()"],
    )


def _asserting(assert_exprs: Method) -> Method:
    @functools.wraps(assert_exprs)
    def asserted(self: object, *constraints: object) -> object:
        run, solver = the_run(), _genuine(self)
        place = _caller()
        if place:
            for each in flat(constraints):
                if isinstance(each, z3.ExprRef):
                    run.origins.setdefault(each.get_id(), (place, each))
            _late(solver, place)
        run.checked.pop(id(self), None)
        return assert_exprs(self, *constraints)

    return asserted


def _late(solver: AnySolver, place: Place) -> None:
    run = the_run()
    if run.answered_for is solver:
        run.late.append(place)


def _tracking(assert_and_track: Method) -> Method:
    @functools.wraps(assert_and_track)
    def tracked(self: object, constraint: object, name: object) -> object:
        run, solver = the_run(), _genuine(self)
        place = _caller()
        if place:
            run.tracked.setdefault((id(self), str(name)), (constraint, place))
            run.named.setdefault((id(self), str(name)), []).append(constraint)
            _late(solver, place)
        run.checked.pop(id(self), None)
        return assert_and_track(self, constraint, name)

    return tracked


def _changing(method: Method) -> Method:
    @functools.wraps(method)
    def changed(self: object, *arguments: object, **keywords: object) -> object:
        run, solver = the_run(), _genuine(self)
        run.checked.pop(id(self), None)
        done = method(self, *arguments, **keywords)
        if isinstance(solver, z3.Optimize):
            _take_back(solver)
        return done

    return changed


def _checking(check: Callable[..., z3.CheckSatResult]) -> Callable[..., z3.CheckSatResult]:
    @functools.wraps(check)
    def checked(self: object, *assumptions: object) -> z3.CheckSatResult:
        run, solver = the_run(), _genuine(self)
        verdict = check(self, *assumptions)
        run.checks += 1
        reach(solver)
        run.answers.add(str(verdict))
        run.checked.pop(id(self), None)
        if any(True for _ in flat(assumptions)):
            run.assumed.add(id(self))
            return verdict
        run.assumed.discard(id(self))
        run.checked[id(self)] = verdict
        if verdict == z3.sat:
            run.once_sat.add(id(self))
        return verdict

    return checked


def _giving(model: Callable[..., z3.ModelRef]) -> Callable[..., z3.ModelRef]:
    @functools.wraps(model)
    def given(self: object) -> z3.ModelRef:
        run, solver = the_run(), _genuine(self)
        found = model(self)
        run.given.note(solver, run.checks, found)
        return found

    return given


def bound(solver: AnySolver, timeout_ms: int) -> None:
    """Bounds the time of a solver's checks, for ourselves."""
    if isinstance(solver, z3.Optimize):
        optimize_set(solver, "timeout", timeout_ms)
    else:
        solver_set(solver, "timeout", timeout_ms)


def asked(solver: AnySolver) -> z3.CheckSatResult:
    """What a solver answers, for ourselves."""
    return optimize_check(solver) if isinstance(solver, z3.Optimize) else solver_check(solver)


def model_of(solver: AnySolver) -> z3.ModelRef:
    """The model that a solver found, for ourselves: the program is not given it."""
    return optimize_model(solver) if isinstance(solver, z3.Optimize) else solver_model(solver)


def _aiming(method: Callable[..., z3.OptimizeObjective], largest: bool) -> Callable[..., z3.OptimizeObjective]:
    @functools.wraps(method)
    def aimed(self: object, expression: object) -> z3.OptimizeObjective:
        run, solver = the_run(), _genuine(self)
        if not isinstance(expression, z3.ExprRef):
            raise Refused(
                f"An objective must be an expression of Z3, not {expression!r}.",
                ["write the expression to make small or large, for instance o.minimize(x + y)"],
            )
        run.checked.pop(id(self), None)
        objective = method(self, expression)
        if isinstance(expression, (z3.ArithRef, z3.BitVecRef)):
            run.objectives.setdefault(id(self), {})[objective._value] = (expression, largest)
        _hold(solver, objective)
        return objective

    return aimed


def _hold(solver: AnySolver, handles: object) -> None:
    run = the_run()
    aimed = run.aimed.setdefault(id(solver), {})
    for each in flat([handles]):
        if isinstance(each, z3.OptimizeObjective):
            aimed.setdefault(each._value, []).append(each)


def reach(solver: AnySolver) -> None:
    """Objectives have values after a check."""
    run = the_run()
    run.reached[id(solver)] = {index: list(handles) for index, handles in run.aimed.get(id(solver), {}).items()}


def _take_back(solver: z3.Optimize) -> None:
    """After a pop: Z3 gives the numbers of objectives that are gone to others."""
    run = the_run()
    run.reached.pop(id(solver), None)
    for index in list(run.aimed.get(id(solver), ())):
        if index >= len(solver.objectives()):
            del run.aimed[id(solver)][index]


def answered(objective: z3.OptimizeObjective) -> z3.OptimizeObjective:
    """The objective, where the last check has a value for it."""
    run = the_run()
    if not any(each is objective for each in run.reached.get(id(objective._opt), {}).get(objective._value, ())):
        raise Refused(
            "This objective has no value: the last check() was before the objective was added, or pop() removed it.",
            ["call o.check() after o.maximize(…) or o.minimize(…), and read the value before a pop()"],
        )
    return objective


def _of_an_objective(method: Method) -> Method:
    """Z3 reads past its memory, or gives the value of another objective, for one that its last check did not answer."""

    @functools.wraps(method)
    def read(self: z3.OptimizeObjective) -> object:
        run = the_run()
        solver = answered(self)._opt
        if run.checked.get(id(solver)) == z3.sat:
            run.given.note(solver, run.checks, optimize_model(solver))
        return method(self)

    return read


def _wishing(add_soft: Method) -> Method:
    @functools.wraps(add_soft)
    def wished(
        self: object, constraint: object, weight: object = "1", *arguments: object, **keywords: object
    ) -> object:
        run, solver = the_run(), _genuine(self)
        # Z3 itself would keep six decimals of a float.
        exact = format(decimal.Decimal(repr(weight)), "f") if isinstance(weight, float) else weight
        run.checked.pop(id(self), None)
        handles = add_soft(self, constraint, exact, *arguments, **keywords)
        _hold(solver, handles)
        return handles

    return wished


def _setting(setter: Method) -> Method:
    @functools.wraps(setter)
    def checked(self: object, *arguments: object, **keywords: object) -> object:
        _genuine(self)
        run = the_run()
        plain, named = options.all_checked(arguments, keywords)
        given = {**dict(zip(plain[::2], plain[1::2])), **named}
        if "timeout" in given:
            run.limits_ms[id(self)] = int(given["timeout"])
        priority = given.get("priority", given.get("opt.priority"))
        if priority is not None:
            run.priorities[id(self)] = str(priority)
        run.checked.pop(id(self), None)
        return setter(self, *plain, **named)

    return checked


def _caller() -> Place | None:
    """The item and line that called us, past our own frames and Z3's."""
    frame = sys._getframe(2)
    while frame:
        place = program.place_of(frame.f_code.co_filename, frame.f_lineno)
        if place:
            return place
        frame = frame.f_back
    return None


def flat(constraints: Iterable[object]) -> Iterator[object]:
    """Constraints one by one, out of lists in lists."""
    for each in constraints:
        if isinstance(each, (list, tuple, set, z3.AstVector)):
            yield from flat(each)
        else:
            yield each


# ---- Functions of Z3 in the form that programs get.


def _set(*arguments: object, **keywords: object) -> None:
    """`set_param` but for what is not for a model."""
    plain, named = options.all_checked(arguments, keywords)
    set_param(*plain, **named)


def _with_checked(tactic: z3.Tactic, *arguments: object, **keywords: object) -> z3.Tactic:
    """`With` but for what is not for a model."""
    plain, named = options.all_checked(arguments, keywords)
    return with_parameters(tactic, *plain, **named)


def _parse(text: object, *arguments: object, **keywords: object) -> z3.AstVector:
    """`parse_smt2_string` but for what is not for a model."""
    return z3.parse_smt2_string(options.checked_script(text), *arguments, **keywords)


def _solver_for_logic(logic: object, ctx: object = None, logFile: object = None) -> z3.Solver:
    """A solver for all theories: one for a logic that leaves out a theory in use answers wrong."""
    run = the_run()
    if str(logic) == "HORN":
        solver = _solver_for("HORN")
        run.solvers.append(solver)
        return solver
    return z3.Solver()


_solver_for = z3.SolverFor


def _beside(function: Method, note: str | None) -> Method:
    """A function that makes a solver of its own and prints what it found."""

    @functools.wraps(function)
    def called(*arguments: object, **keywords: object) -> object:
        run = the_run()
        run.aside = True
        try:
            return function(*arguments, **keywords)
        finally:
            run.aside = False
            if note:
                run.warn(note)

    return called


def _taking(count: int, function: Method) -> Method:
    """A function of Z3 that takes a context after its arguments: one argument too many would be taken for that."""

    @functools.wraps(function)
    def called(*arguments: object, **keywords: object) -> object:
        if len(arguments) > count:
            raise Refused(
                f"{function.__name__} takes {count} argument{'s' if count > 1 else ''}, and {len(arguments)} are given; Z3 would ignore the last one.",
                [f"nest it, or give And(…) or Or(…) of several as one argument of {function.__name__}"],
            )
        return function(*arguments, **keywords)

    return called


IN_PLACE = {
    "SolverFor": _solver_for_logic,
    "set_param": _set,
    "set_option": _set,
    "With": _with_checked,
    "parse_smt2_string": _parse,
    "Z3Exception": z3.Z3Exception,
    "prove": _beside(
        z3.prove,
        "prove(…) looks for a counterexample: unsat means that the claim is proved, sat that the model is a counterexample.",
    ),
    "solve": _beside(z3.solve, None),
    "Not": _taking(1, z3.Not),
    "Xor": _taking(2, z3.Xor),
    "Implies": _taking(2, z3.Implies),
    "If": _taking(3, z3.If),
}
