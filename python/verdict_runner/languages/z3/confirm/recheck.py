"""Decides again what a program's process reported. It runs in a separate process, which never runs a program."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

import z3

from verdict_runner.languages.answer import CONFIRMED, Finding, RecheckRequest, refuted, to_be_asked, undecided
from verdict_runner.languages.limit import limit_ms
from verdict_runner.languages.z3 import solvers
from verdict_runner.languages.z3.confirm import evaluated, optimum
from verdict_runner.languages.z3.confirm.evidence import Satisfied
from verdict_runner.languages.z3.confirm.optimum import Aim

# The commands of a problem: only declarations and assertions, no queries or options.
STATING = frozenset(
    "assert declare-fun declare-const declare-sort declare-datatype declare-datatypes define-fun define-fun-rec define-funs-rec define-sort define-const".split()
)
PIECE = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*|\(\s*([^\s()]*)|\)')


def recheck(request: RecheckRequest, until: float, fresh: Callable[[], z3.Solver]) -> Finding:
    """Whether the evidence supports the status, and the optimum."""
    if "open" in request.evidence:
        return undecided(request.evidence.text("open"))
    smtlib = request.evidence.text("smtlib")
    if not states_only(smtlib):
        return undecided("the problem has commands besides declarations and assertions")
    try:
        assertions = list(z3.parse_smt2_string(smtlib))
        if request.other:
            return _to_be_asked(assertions, request, until, fresh)
        if request.status == "unsat":
            return _unsat(assertions, until, fresh)
        evidence = Satisfied.read(request.evidence)
        if evidence.aims == 0 and len(smtlib) <= evaluated.CHARS_MAX and evaluated.hold(assertions, evidence.pins):
            return CONFIRMED
        return _sat(assertions, evidence, until, fresh)
    except z3.Z3Exception as error:
        return undecided(f"the problem could not be read back: {str(error)[:200]}")


def states_only(text: str) -> bool:
    """Whether SMT-LIB has only declarations and assertions."""
    depth = 0
    for piece in PIECE.finditer(text):
        if piece.group() == ")":
            depth -= 1
        elif piece.group(1) is not None:
            if depth == 0 and piece.group(1) not in STATING:
                return False
            depth += 1
    return True


def _check(
    assertions: Sequence[z3.ExprRef], until: float, fresh: Callable[[], z3.Solver]
) -> tuple[z3.Solver, z3.CheckSatResult, str | None]:
    solver = fresh()
    left = until - time.monotonic()
    if left <= 0:
        return solver, z3.unknown, "the time ran out"
    solver.set("timeout", limit_ms(left))
    solver.add(*assertions)
    verdict = solver.check()
    reason = solver.reason_unknown() if verdict == z3.unknown else None
    return solver, verdict, "the time ran out" if reason in ("timeout", "canceled") else reason


def _unsat(assertions: Sequence[z3.ExprRef], until: float, fresh: Callable[[], z3.Solver]) -> Finding:
    _, verdict, reason = _check(assertions, until, fresh)
    if verdict == z3.unknown:
        return undecided(reason)
    return CONFIRMED if verdict == z3.unsat else refuted("its assertions are satisfiable")


def _to_be_asked(
    assertions: Sequence[z3.ExprRef], request: RecheckRequest, until: float, fresh: Callable[[], z3.Solver]
) -> Finding:
    """What has no solution if the claim is right, as text: as it was parsed, so that nothing else is in it."""
    if request.status == "sat":
        evidence = Satisfied.read(request.evidence)
        solver, verdict, reason = _check(assertions, until, fresh)
        stated, aims = _stated(assertions, evidence)
        if verdict != z3.sat or len(aims) < evidence.aims:
            return undecided(reason if verdict != z3.sat else NO_NUMBER)
        assertions = [*stated, optimum.better(aims, solvers.solver_model(solver))]
    solver = fresh()
    solvers.solver_assert(solver, *assertions)
    return to_be_asked(solver.sexpr())


def _stated(assertions: Sequence[z3.ExprRef], evidence: Satisfied) -> tuple[Sequence[z3.ExprRef], list[Aim]]:
    """The assertions without the equations for objectives and values, and the objectives that are numbers."""
    end = len(assertions) - evidence.pins - evidence.aims
    terms = [each.arg(1) for each in assertions[end : end + evidence.aims]]
    aims = [
        (aim, largest)
        for aim, largest in zip(terms, evidence.largest, strict=True)
        if isinstance(aim, (z3.ArithRef, z3.BitVecRef))
    ]
    return assertions[:end], aims


NO_NUMBER = "one of its objectives is not a number"


def _sat(
    assertions: Sequence[z3.ExprRef], evidence: Satisfied, until: float, fresh: Callable[[], z3.Solver]
) -> Finding:
    solver, verdict, reason = _check(assertions, until, fresh)
    if verdict == z3.unknown:
        return undecided(reason)
    if verdict == z3.unsat:
        return refuted("its values do not satisfy its assertions")
    if not evidence.largest:
        return CONFIRMED
    stated, aims = _stated(assertions, evidence)
    if len(aims) < evidence.aims:
        return undecided(NO_NUMBER)
    model = solvers.solver_model(solver)
    return Finding("confirmed", optimum=_optimum(stated, aims, model, evidence.objective, until, fresh))


def _optimum(
    assertions: Sequence[z3.ExprRef],
    aims: Sequence[Aim],
    model: z3.ModelRef,
    objective: object,
    until: float,
    fresh: Callable[[], z3.Solver],
) -> Finding:
    if optimum.reached(aims, model) != objective:
        return refuted("its values have another objective")
    _, verdict, reason = _check([*assertions, optimum.better(aims, model)], until, fresh)
    if verdict == z3.unknown:
        return undecided(reason)
    return CONFIRMED if verdict == z3.unsat else refuted("there is a better value")
