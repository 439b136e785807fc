"""Builds the answer about a MathOpt model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ortools.math_opt.python import mathopt

from verdict_runner.evidence.finite.form import within_bounds
from verdict_runner.evidence.linear.duality import Basis
from verdict_runner.evidence.linear.model import TOLERANCE, exact
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.cp.answers import NO_NAME, conflict_until, tell_objective
from verdict_runner.languages.cp.conflict import conflicting
from verdict_runner.languages.ortools import watch
from verdict_runner.languages.ortools.mathopt.bases import basis_of_conflict
from verdict_runner.languages.ortools.mathopt.watch import Solved, has_conflict
from verdict_runner.languages.stated import computed
from verdict_runner.languages.why import lines_of, shown_as
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json

UNBOUNDED = (mathopt.TerminationReason.UNBOUNDED, mathopt.TerminationReason.INFEASIBLE_OR_UNBOUNDED)


def answer(solved: Solved, variables: Mapping[str, object] | None) -> Answer:
    """Returns the result of a solve, with these values or with all named variables."""
    run = watch.the_run()
    # The program's previous answer may have been about a CP-SAT model.
    run.evidence = None
    run.why_question = lambda: {"problem": {"open": "why does not support MathOpt models"}, "parts": []}
    run.space = lambda: {"open": "questions about all solutions are not answered for MathOpt models"}
    statistics: dict[str, Json] = {"seconds": round(solved.seconds, 3), "mathopt_status": solved.reason.name}
    answer = Answer("unknown", statistics=statistics, engine=solved.engine)
    answer.distrusted = (
        f"{solved.engine} computes with floating-point numbers, so it alone proves neither an optimum nor unsat"
    )
    if solved.reason is mathopt.TerminationReason.INFEASIBLE:
        answer.status = "unsat"
        core = _conflict(solved)
        answer.unsat_items = lines_of(watch.the_run().items, [solved.places[i] for i in core])
        run.evidence = lambda: _evidence(solved, core)
        return answer
    if solved.values is None:
        answer.status, answer.reason = ("timeout", "time") if solved.is_cut else ("unknown", _why(solved))
        return answer
    answer.status = "sat"
    by, _ = solved.linear.violation(solved.values)
    answer.statistics = {**statistics, "tolerance": float(TOLERANCE), "largest_violation": float(by)}
    if by:
        run.warn(
            f"The values are floating-point numbers: they satisfy all constraints within {float(TOLERANCE)}, and miss one by {float(by):.3g}."
        )
    answer.model = _shown(solved, variables)
    answer.unchecked = computed(variables or {}, _is_read)
    if solved.linear.objective is not None:
        value, is_best = shown(solved.linear.value(solved.values)), solved.reason is mathopt.TerminationReason.OPTIMAL
        tell_objective(run, answer, value, is_best, solved.bound)
        if not is_best and solved.bound is not None:
            answer.statistics["claimed_bound"] = solved.bound
    run.evidence = lambda: _evidence(solved, [])
    run.shown_as = lambda: shown_as(solved.places, {index: name for index, name in enumerate(solved.names) if name})
    return answer


def _is_read(value: object) -> bool:
    return isinstance(value, mathopt.LinearBase) and any(mathopt.as_flat_linear_expression(value).terms.values())


def shown(value: Fraction) -> Json:
    """Converts a value to a number: to an integer if it is one."""
    return values.number(value.numerator) if value.denominator == 1 else values.real(float(value))


def _shown(solved: Solved, variables: Mapping[str, object] | None) -> dict[str, Json] | None:
    if variables is not None:
        return values.object_of(values.named(variables, str), lambda each: _read(solved, each))
    known = {name: shown(value) for name, value in zip(solved.names, solved.values or []) if name}
    if not known:
        watch.the_run().warn(NO_NAME)
    return known or None


def _read(solved: Solved, value: object) -> Json:
    if not isinstance(value, mathopt.LinearBase):
        return str(value)
    flat = mathopt.as_flat_linear_expression(value)
    return shown(
        sum((exact(weight) * solved.value_of(each) for each, weight in flat.terms.items()), exact(flat.offset))
    )


def _why(solved: Solved) -> str:
    if solved.reason in UNBOUNDED:
        return (
            f"{solved.engine} reports that the objective is unbounded, or that there is no solution "
            f"({solved.reason.name}); give all variables of the objective bounds"
        )
    return f"{solved.engine} stopped without a solution or a proof ({solved.reason.name}: {solved.detail[:200]})"


def _conflict(solved: Solved) -> list[int]:
    """The indices of rows that conflict, given the variables' bounds; all rows if the time was too short for fewer."""
    until = conflict_until(solved.seconds, watch.the_run().solving_until)
    return conflicting(solved.places, lambda some: has_conflict(solved, frozenset(some), until), until)


def _evidence(solved: Solved, core: Sequence[int]) -> Mapping[str, object]:
    best = solved.linear.objective is not None and solved.reason is mathopt.TerminationReason.OPTIMAL
    basis = _basis_of_unsat(solved, core) if solved.values is None else solved.basis
    return within_bounds(
        {
            "linear": solved.linear.data(),
            "values": [str(each) for each in solved.values or []],
            "is_best": best,
            "core": list(core),
            "basis": basis and basis.data(),
            "seconds": solved.seconds,
        }
    )


def evidence_of_unsat(solved: Solved) -> Mapping[str, object]:
    """The model as one that has no solution."""
    return _evidence(solved, [])


def _basis_of_unsat(solved: Solved, core: Sequence[int]) -> Basis | None:
    part = solved.linear.of_rows(core)
    return basis_of_conflict(part, solved.proto, watch.the_run().solving_until)
