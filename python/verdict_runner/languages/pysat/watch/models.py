"""Checks the models returned by engines, and removes the variables of encodings from them."""

from __future__ import annotations

import copy
import sys
from collections.abc import Sequence
from typing import TypeVar

import pysat
import pysat.solvers
from pysat.examples import lbx, mcsls
from pysat.formula import WCNF

from verdict_runner.languages.pysat import helpers
from verdict_runner.languages.pysat.log import Log, log_of
from verdict_runner.languages.pysat.run import (
    is_maxsat,
    is_solver,
    the_run,
)

# The maximum total number of literals that model checks read.
REPLAYED_LITERALS_MAX = 5_000_000
_Model = TypeVar("_Model")


def trimmed_for(engine: object, model: object) -> object:
    """Removes encodings' variables from a model; returns anything else unchanged."""
    if not isinstance(model, list):
        return model
    if is_solver(engine) and not isinstance(engine, pysat.solvers.Solver):
        return trimmed(model, log_of(engine).top())
    return trimmed(model) if is_maxsat(engine) else model


def replay_hard(engine: object, model: Sequence[int] | None) -> None:
    """Checks a MaxSAT engine's model against its hard clauses."""
    formula = vars(engine).get("_verdict_formula")
    if isinstance(formula, WCNF) and model is not None:
        log = Log()
        log.clauses.extend(formula.hard)
        log.solved = len(formula.hard)
        log.literals = sum(map(len, formula.hard))
        replay(log, model)


def copied(model: _Model) -> _Model:
    """Copies a model, since the program receives the engine's list and could change it."""
    return copy.copy(model) if isinstance(model, list) else model


def replay(log: Log, model: Sequence[int]) -> None:
    """Checks a model against the clauses that the solver contained when it answered."""
    run = the_run()
    if not log.whole or run.replayed + log.literals > REPLAYED_LITERALS_MAX:
        return
    run.replayed += log.literals
    size = len(model)
    if size == 0 or abs(model[-1]) != size:
        return  # The model is not a list of all variables in order, as solvers return it.
    true = {*model}
    for clause in log.clauses[: log.solved]:
        # A variable that the model omits can have either value.
        if true.isdisjoint(clause) and not any(abs(each) > size for each in clause):
            run.wrong = f"the solver's model does not satisfy the clause {list(clause)}"
            return


def trimmed(model: list[int], top: int = sys.maxsize) -> list[int]:
    """Removes encodings' variables, and the unused numbers below them, from a model."""
    numbers, first = helpers.numbers, helpers.HELPER_VARIABLES_FROM
    if not numbers.used:
        return model
    if top < len(model) and abs(model[top - 1]) == top and top < first:
        return model[:top]
    return [each for each in model if abs(each) <= top and (abs(each) < first or not numbers.has(each))]


def check_repair(engine: object, model: object) -> None:
    """Checks that the clauses outside a correction set are satisfiable, since MCSls confuses equal clauses."""
    run = the_run()
    formula = vars(engine).get("_verdict_formula")
    if not isinstance(engine, (lbx.LBX, mcsls.MCSls)) or not isinstance(formula, WCNF) or not isinstance(model, list):
        return
    left_out = set(model)
    clauses = [clause for number, clause in enumerate(formula.soft, 1) if number not in left_out]
    run.replayed += sum(map(len, formula.hard)) + sum(map(len, clauses))
    if run.replayed > REPLAYED_LITERALS_MAX:
        return
    run.depth += 1
    try:
        with pysat.solvers.Cadical195(bootstrap_with=[*formula.hard, *clauses]) as solver:
            holds = solver.solve()
    finally:
        run.depth -= 1
    if not holds:
        run.wrong = f"without the soft clauses {sorted(left_out)} of the engine's correction set, the others still conflict; use LBX instead of MCSls, or add no clause twice"
