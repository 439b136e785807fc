"""Lists the solvers that CPMpy can use, which of them are installed, and which options a program may set."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NoReturn, TypeAlias

import cpmpy as cp
from cpmpy.expressions.core import Expression
from cpmpy.expressions.globalconstraints import (
    Circuit,
    CumulativeOptional,
    GlobalCardinalityCount,
    LexLessEq,
    NoOverlapOptional,
    Regular,
)
from cpmpy.expressions.globalfunctions import Among, Count
from cpmpy.expressions.utils import implies
from cpmpy.solvers.exact import CPM_exact
from cpmpy.solvers.ortools import CPM_ortools
from cpmpy.solvers.pumpkin import CPM_pumpkin
from cpmpy.solvers.pysat import CPM_pysat
from cpmpy.solvers.solver_interface import SolverInterface
from cpmpy.solvers.utils import SolverLookup
from cpmpy.solvers.z3 import CPM_z3

from verdict_runner.languages.z3 import options as z3_options
from verdict_runner.refusal import Refused

# Options by name, as written by a program.
Options: TypeAlias = dict[str, Any]
# CPMpy's decomposition of a constraint into constraints equivalent to it, and defining constraints that always hold.
Decompose: TypeAlias = Callable[..., tuple[list[Expression], list[Expression]]]

# The options that every solver accepts in `solve` and `solveAll`.
USUAL = frozenset(("time_limit", "assumptions", "display", "solution_limit", "call_from_model"))


@dataclass(frozen=True)
class Backend:
    """A solver that CPMpy can use."""

    name: str
    # The solver's name in an answer.
    title: str
    kind: type[SolverInterface]
    # The module whose presence shows that the solver is installed, and how to install it.
    module: str
    install: str
    # The attributes that hold the engine's own objects; constraints added to these directly would go unnoticed.
    hidden: Sequence[str]
    # The allowed constructor options, besides the model and the subsolver's name; other options write files.
    begins_with: frozenset[str] = frozenset()
    # Whether a second objective replaces the first one.
    replaces_objective: bool = True
    # Whether a solve leaves no restrictions behind for the next one.
    solves_again: bool = True
    # The solver's share of the time; all solvers except CP-SAT stop late.
    share_of_time: float = 0.8


_MORE = "`verdict setup solvers` in a terminal installs exact and pumpkin (2 MB); then restart the Verdict server"
_COMMON = "`verdict setup` in a terminal installs pysat with the other Python engines; then restart the Verdict server"
ALL = (
    Backend("ortools", "CP-SAT", CPM_ortools, "ortools", "", ("ort_model", "ort_solver"), share_of_time=1.0),
    Backend(
        "z3",
        "Z3",
        CPM_z3,
        "z3",
        "",
        ("z3_solver", "obj_handle"),
        replaces_objective=False,
    ),
    Backend("pysat", "PySAT", CPM_pysat, "pysat", _COMMON, ("pysat_solver", "pysat_vpool", "ivarmap")),
    Backend(
        "exact",
        "Exact",
        CPM_exact,
        "exact",
        _MORE,
        ("xct_solver", "assumption_dict"),
        replaces_objective=False,
        solves_again=False,
    ),
    Backend(
        "pumpkin",
        "Pumpkin",
        CPM_pumpkin,
        "pumpkin_solver",
        _MORE,
        ("pum_solver", "predicate_map"),
        begins_with=frozenset(("seed",)),
    ),
)


def installed() -> list[Backend]:
    return [each for each in ALL if find_spec(each.module) is not None]


def of(solver: object) -> Backend:
    """Returns the backend of a solver that a program created."""
    return of_kind(type(solver))


def of_kind(kind: type) -> Backend:
    """Returns the backend of a CPMpy class."""
    return next(each for each in ALL if each.kind is kind)


def look_up() -> None:
    """Makes CPMpy offer the installed solvers and list them if another is requested; called before any program."""
    backends = installed()
    SolverLookup.base_solvers = classmethod(lambda cls: [(each.name, each.kind) for each in backends])
    SolverLookup.lookup = classmethod(lambda cls, name=None: _named(name, backends).kind)
    if any(each.name == "pysat" for each in backends):
        _give_encodings()
    Regular.decompose = _numbered(Regular.decompose)
    # CPMpy's linear decompositions of automata and circuits forbid values even if the constraint need not hold, which
    # has caused a false `unsat` on PySAT and Exact. Its other decompositions are correct.
    Regular.decompose_linear, Regular.decompose_linear_positive = Regular.decompose, Regular.decompose_positive
    Circuit.decompose_linear_positive = Circuit.decompose
    # Some of CPMpy's decompositions differ from its constraints, which has caused a false `unsat` on every solver.
    # Among counts a number once for each time that its value is listed. An optional task may have a negative size or
    # capacity.
    Among.decompose = _among
    GlobalCardinalityCount.decompose = _once(GlobalCardinalityCount.decompose)
    LexLessEq.decompose = _of_nothing(LexLessEq.decompose)
    NoOverlapOptional.decompose = _with(NoOverlapOptional.decompose, _sizes)
    CumulativeOptional.decompose = _with(CumulativeOptional.decompose, _room)
    for each in backends:
        # Each solver is imported and queried for its version now, since a job has less time and can read fewer files.
        each.kind.supported()
        each.kind.version = staticmethod(functools.partial(str, each.kind.version()))


def _numbered(decompose: Decompose) -> Decompose:
    """
    Decomposes an automaton with its nodes numbered from 0. For words that end early, CPMpy adds a node with the next
    number. If the program numbers its nodes from 1, that number already belongs to the program's last node.
    """

    def form(self: Regular, complete: bool = True) -> tuple[list[Expression], list[Expression]]:
        array, arcs, start, accepting = self.args
        number = {name: i for i, name in enumerate(sorted({name for a, _, b in arcs for name in (a, b)}))}
        if start not in number:
            return [cp.BoolVal(False)], []
        numbered = [(number[a], value, number[b]) for a, value, b in arcs]
        ends = [number[name] for name in accepting if name in number]
        return decompose(Regular(array, numbered, number[start], ends), complete)

    return form


def _among(self: Among) -> tuple[Expression, list[Expression]]:
    """Counts the elements that have one of the values, each element once."""
    parts, values = self.args
    return cp.sum([Count(parts, value) for value in dict.fromkeys(values)]), []


def _once(decompose: Decompose) -> Decompose:
    """Decomposes a cardinality constraint so that a value listed twice adds only once to the sum of all counts."""

    def form(self: GlobalCardinalityCount) -> tuple[list[Expression], list[Expression]]:
        parts, values, numbers = self.args
        number = dict(zip(values, numbers))
        if len(number) == len(values):
            return decompose(self)
        stated, defining = decompose(
            GlobalCardinalityCount(parts, list(number), list(number.values()), closed=self.closed)
        )
        return [*stated, *(Count(parts, value) == count for value, count in zip(values, numbers))], defining

    return form


def _of_nothing(decompose: Decompose) -> Decompose:
    """Decomposes a non-strict lexicographic order so that it holds between two empty lists."""

    def form(self: LexLessEq) -> tuple[list[Expression], list[Expression]]:
        return decompose(self) if len(self.args[0]) > 0 else ([cp.BoolVal(True)], [])

    return form


def _with(decompose: Decompose, more: Callable[[Any], list[Expression]]) -> Decompose:
    """Extends a decomposition with additional constraints."""

    def complete(self: Expression, *arguments: object) -> tuple[list[Expression], list[Expression]]:
        stated, defining = decompose(self, *arguments)
        return [*stated, *more(self)], defining

    return complete


def _sizes(self: Expression) -> list[Expression]:
    """States that present tasks have non-negative sizes."""
    return [implies(present, size >= 0) for size, present in zip(self.args[1], self.args[-1])]


def _room(self: Expression) -> list[Expression]:
    """States that the capacity is non-negative even if no task is present."""
    return [cp.any([self.args[-2] >= 0])]


def _named(name: object, backends: Sequence[Backend]) -> Backend:
    solver_name = "ortools" if name is None else str(name).partition(":")[0]
    option = next((each for each in backends if each.name == solver_name), None)
    return option or _missing(solver_name, [each.name for each in backends])


def _missing(solver_name: str, names: Sequence[str]) -> NoReturn:
    known = next((each for each in ALL if each.name == solver_name), None)
    why = "is not installed here" if known else "is not one that Verdict supports"
    raise Refused(
        f"CPMpy's solver {solver_name!r} {why}: {', '.join(names)} {'is' if len(names) == 1 else 'are'} installed.",
        [
            f"use one of: {', '.join(names)}",
            "leave the solver out: OR-Tools CP-SAT is then used",
            *([known.install] if known else []),
        ],
    )


def _give_encodings() -> None:
    """Uses PySAT's own encodings of weighted sums; CPMpy expects them in a package available on few platforms."""
    from pysat import pb  # noqa: PLC0415

    if find_spec("pindakaas") is not None:
        CPM_pysat._pb = pb


# ---- The options that a program may set.


def expect_begun_with(backend: Backend, options: Iterable[str]) -> None:
    """Raises `Refused` for constructor options that write files or are unknown."""
    for name in options:
        if name not in {"cpm_model", "subsolver", *backend.begins_with}:
            raise Refused(
                f"The option {name} of CPMpy's solver {backend.name} is not available here: some of these options write files.",
                ["leave it out", *(f"it takes {each}" for each in sorted(backend.begins_with))],
            )


def checked(backend: Backend, options: Mapping[str, Any]) -> Options:
    """Returns a solve's options; raises `Refused` for options that write files, make answers wrong or mean nothing."""
    if backend.name == "ortools":
        return dict(options)
    accepted: Options = {}
    for name, value in options.items():
        if name in USUAL:
            accepted[name] = value
        elif backend.name == "z3":
            plain, of_it = z3_options.checked(name, value)
            accepted[str(plain)] = of_it
        else:
            raise Refused(
                f"CPMpy's solver {backend.name} does not have the option {name}.",
                ["leave it out", "use ortools for parameters of CP-SAT"],
            )
    return accepted


def expect_no_objective(backend: Backend, has_one: bool) -> None:
    """Raises `Refused` if a second objective would not replace the first one."""
    if has_one and not backend.replaces_objective:
        raise Refused(
            f"CPMpy's solver {backend.name} already has an objective, which can't be removed.",
            [f"create a new solver: s = cp.SolverLookup.get('{backend.name}', m)", "or use ortools"],
        )


# PySAT subsolvers that stop at their time limit; the other subsolvers end together with the job.
_STOPPED = re.compile(r"pysat:(glue|glucose|maple|mergesat|mini)")


def keeps_time(solver: SolverInterface) -> bool:
    """Whether a solver supports a time limit."""
    return not isinstance(solver, CPM_pysat) or _STOPPED.match(solver.name) is not None


def cure(backend: Backend, error: BaseException) -> list[str]:
    """Suggests what to do if a solver does not support a model."""
    others = [each.name for each in installed() if each is not backend]
    if backend.name == "pysat" and "objective" in str(error):
        return [
            f"leave the objective out, or name a solver that optimises: {', '.join(n for n in others if n != 'pysat')}"
        ]
    steps = ["give variables narrower bounds: whole numbers far below 2^63", "state the last constraint in another way"]
    if backend.name != "ortools":
        steps.insert(0, f"use another solver: {', '.join(others)}")
    return steps
