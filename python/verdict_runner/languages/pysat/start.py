"""Uses the model's last solution as the truth values that a solver tries first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from verdict_runner.languages import hints
from verdict_runner.languages.pysat.run import MaxSat, Run, SatSolver, is_maxsat


def give(run: Run, engine: SatSolver | MaxSat) -> None:
    """Gives an engine the known values of its variables before its first query."""
    if not run.hint or vars(engine).get("_verdict_started"):
        return
    vars(engine)["_verdict_started"] = True
    solver = engine.oracle if is_maxsat(engine) else engine
    try:
        top = solver.nof_vars()
        solver.set_phases([each for each in _literals(run) if 0 < abs(each) <= top])
    except (AttributeError, NotImplementedError):
        # Some solvers have no such setting.
        return


def _literals(run: Run) -> Iterator[int]:
    """The literals of the last solution: exported models, and the values of a pool's names and of numbers."""
    # An export has the values of an engine in its field `values`.
    inner = (each for each in run.hint.values() if isinstance(each, Mapping))
    values = {name: value for each in (run.hint, *inner) for name, value in hints.by_name(each).items()}
    for each in run.hint.values():
        yield from _model(each)
    names = {**{int(name): name for name in values if name.isdecimal()}, **run.pools.names()}
    for number, name in names.items():
        value = values.get(name, values.get(_joined(name)))
        if value in (0, 1):
            yield number if value else -number


def _model(value: object) -> list[int]:
    """The literals in a list with at least one false one; empty for any other value."""
    literals = [each for each in value if type(each) is int and each != 0] if isinstance(value, list) else []
    is_model = len({*map(abs, literals)}) == len(value) if isinstance(value, list) else False
    return literals if is_model and any(each < 0 for each in literals) else []


def _joined(name: str) -> str:
    """The name `x[1,2]` of the tuple `('x', 1, 2)`."""
    first, *rest = name.strip("()").replace("'", "").split(", ")
    return f"{first}[{','.join(rest)}]"
