"""The models that a program read:

values that it computed come from one of them, so an answer about them must hold for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import z3

from verdict_runner.languages.z3 import solvers
from verdict_runner.languages.z3.confirm import claims
from verdict_runner.languages.z3.confirm.terms import is_ground

if TYPE_CHECKING:
    from verdict_runner.languages.z3.run import Check, Run

PROBE_SECONDS_MAX = 1.0
# Assertions of earlier states of solvers that are compared with those of the answer.
COMPARED_MAX = 200_000
# The time that the check of an answer leaves for the rest.
RESERVE_SECONDS = 0.1


def doubt(
    run: Run, check: Check, model: z3.ModelRef, variables: Mapping[str, object], best: Sequence[z3.BoolRef]
) -> str | None:
    """Why values of the program might not belong to the answer of a check: a sentence; None if they must.

    `best` are the objectives that were proved optimal, each as an equation.
    """
    solver = check.solver
    if not claims.not_of_solver(model, variables, solver):
        return None
    if _is_stale(run, check, model, variables):
        return "Values under names of the solver's constants were computed by the program, and no solution of the solver as it is has them; export the expressions themselves: variables={'x': x}."
    foreign = any(isinstance(each, z3.OptimizeObjective) and each._opt is not solver for each in variables.values())
    reason = "an objective belongs to another solver" if foreign else _unlike(run, check, model, variables, best)
    return (
        reason
        and f"Values that the program computed are not confirmed: {reason}; export the expressions themselves: variables={{'x': x}}."
    )


def _unlike(
    run: Run, check: Check, model: z3.ModelRef, variables: Mapping[str, object], best: Sequence[z3.BoolRef]
) -> str | None:
    """Why a model from which the values may come does not fit this answer.

    A search for the best value reads models of weaker problems before its last one: these are no reason for doubt.
    """
    if not run.kept_all():
        return "the program read too many models to compare each with this answer"
    shown = [each for each in variables.values() if isinstance(each, z3.ExprRef) and not is_ground(each)]
    reads, reasons = [each for each in run.checks if each.is_read and each.model is not None], []
    for read in reads:
        if run.left() < RESERVE_SECONDS:
            return "the time ran out before they were compared with this answer"
        reasons.append(_difference(read, check, model, shown, best))
    wrong = [(read, reason) for read, reason in zip(reads, reasons, strict=True) if reason]
    if not wrong or (
        reasons[-1] is None
        and _are_weaker([read.assertions for read, _ in wrong], check.assertions, _probe_seconds(run))
    ):
        return None
    of_which = f"of the {len(reads)} models that were read one" if len(reads) > 1 else "the model that was read"
    return f"{of_which} {wrong[0][1]}"


def _difference(
    read: Check, check: Check, model: z3.ModelRef, shown: Sequence[z3.ExprRef], best: Sequence[z3.BoolRef]
) -> str | None:
    """Why this model does not fit an answer; None if the values of the answer can come from it."""
    earlier, is_own = read.known_model, read.solver is check.solver
    constants = {each.name() for each in model.decls() if each.arity() == 0}
    if not is_own and not constants <= {each.name() for each in earlier.decls()}:
        return "is of another solver"
    if any(z3.is_false(earlier.eval(each, model_completion=True)) for each in check.assertions):
        return "does not satisfy the solver as it is"
    if not all(z3.is_true(earlier.eval(each, model_completion=True)) for each in best):
        return "does not have the best objective"
    if not is_own and not all(
        earlier.eval(each, model_completion=True).eq(model.eval(each, model_completion=True)) for each in shown
    ):
        return "has other values than the expressions beside them"
    return None


def _are_weaker(problems: Sequence[z3.AstVector], assertions: z3.AstVector, seconds: float) -> bool:
    """Whether the assertions imply those of each problem, and are no part of one."""
    if sum(map(len, problems)) > COMPARED_MAX:
        return False
    stated = {each.get_id() for each in assertions}
    known = [{each.get_id(): each for each in problem} for problem in problems]
    if any(stated <= problem.keys() for problem in known):
        return False
    others = {key: each for problem in known for key, each in problem.items() if key not in stated}
    return not others or solvers.check([*assertions, z3.Not(z3.And(*others.values()))], seconds) == z3.unsat


def _probe_seconds(run: Run) -> float:
    # Half of what is left at most: an answer that is late is lost.
    return min(PROBE_SECONDS_MAX, run.left() / 2)


def _is_stale(run: Run, check: Check, model: z3.ModelRef, variables: Mapping[str, object]) -> bool:
    """Whether no solution has the values that are exported under names of constants, together with those of the
    expressions.
    """
    constants = claims.constants_of(model)
    named = _named(variables)
    exported = {
        name: constants[name]
        for name, value in named.items()
        if name in constants and _is_value(value, constants[name]) and not _rounds(model, constants[name], value)
    }
    if all(claims.agrees(model, constant, named[name]) for name, constant in exported.items()):
        return False
    fixed = [_same(constant, named[name]) for name, constant in exported.items()]
    beside = [
        each == model.eval(each, model_completion=True)
        for each in variables.values()
        if z3.is_const(each) and not is_ground(each)
    ]
    return solvers.check([*check.constraints, *fixed, *beside], _probe_seconds(run)) == z3.unsat


def _named(variables: Mapping[str, object]) -> dict[Any, object]:
    """The values by name, including those in dictionaries; a name with several values is left out."""
    inner = [pair for value in variables.values() if isinstance(value, dict) for pair in value.items()]
    times = Counter(name for name, _ in inner)
    return {**{name: value for name, value in inner if times[name] == 1}, **variables}


def _rounds(model: z3.ModelRef, constant: z3.ExprRef, value: object) -> bool:
    return isinstance(value, float) and claims.rounds(model, constant, value)


def _same(constant: z3.ExprRef, value: object) -> z3.BoolRef:
    return constant == (z3.RealVal(repr(value)) if isinstance(value, float) else value)


def _is_value(value: object, constant: z3.ExprRef) -> bool:
    """Whether a value of the program can be compared with a constant and is no expression that is still open."""
    if isinstance(value, (bool, int)):
        return claims.is_of_kind(value, constant)
    if isinstance(value, float):
        return z3.is_real(constant) and value - value == 0
    if isinstance(value, str):
        return z3.is_string(constant)
    return isinstance(value, z3.ExprRef) and value.sort() == constant.sort() and is_ground(value)
