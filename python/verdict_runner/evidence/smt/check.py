"""Rechecks answers about assertions: values by evaluation, everything else with Z3."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence

import z3

from verdict_runner.evidence import account as accounts
from verdict_runner.evidence.account.stated import Stated
from verdict_runner.evidence.budget import OutOfTime, left_ms
from verdict_runner.evidence.finding import (
    CONFIRMED,
    OPEN,
    Finding,
    Probed,
    ProbeRequest,
    Request,
    refuted,
    to_be_asked,
    undecided,
)
from verdict_runner.evidence.questions.ask import Question, asked
from verdict_runner.evidence.questions.with_z3 import of_smtlib
from verdict_runner.evidence.relax import Relaxed, least
from verdict_runner.evidence.shown import Shown
from verdict_runner.evidence.smt import aims as z3_aims
from verdict_runner.evidence.smt import nodes
from verdict_runner.evidence.smt.aims import Aim
from verdict_runner.evidence.smt.problem import Satisfied
from verdict_runner.evidence.smt.solvers import plain_solver, solver_assert, solver_check, solver_model, solver_set
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Task

# The commands allowed in a problem: declarations and assertions, but no queries or options.
STATING = frozenset(
    "assert declare-fun declare-const declare-sort declare-datatype declare-datatypes define-fun define-fun-rec define-funs-rec define-sort define-const".split()
)
PIECE = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*|\(\s*([^\s()]*)|\)')
# The maximum length of a problem that is evaluated; longer ones are left to the solver, which has a time limit.
EVALUATED_CHARS_MAX = 100_000
# The share of the time for a query with labels, since Z3 can't decide some theories with labels.
LABELS_SHARE = 0.6


def check(request: Request, until: float) -> Finding:
    """Whether the assertions support the status and the optimum."""
    smtlib = request.evidence.text("smtlib")
    if not states_only(smtlib):
        return undecided("the problem contains commands other than declarations and assertions")
    try:
        assertions = list(z3.parse_smt2_string(smtlib))
        if request.other:
            return _to_be_asked(assertions, request, until)
        if request.status == "unsat":
            return _none(assertions, until, "its assertions are satisfiable")
        evidence = Satisfied.read(request.evidence)
        if evidence.aims == 0 and len(smtlib) <= EVALUATED_CHARS_MAX and _hold(assertions, evidence.pins):
            return CONFIRMED
        return _sat(assertions, evidence, until)
    except OutOfTime:
        return undecided("the time ran out")
    except z3.Z3Exception as error:
        return undecided(f"the problem could not be read back: {str(error)[:200]}")


def states_only(text: str) -> bool:
    """Whether SMT-LIB contains only declarations and assertions."""
    depth = 0
    for piece in PIECE.finditer(text):
        if piece.group() == ")":
            depth -= 1
        elif piece.group(1) is not None:
            if depth == 0 and piece.group(1) not in STATING:
                return False
            depth += 1
    return True


def _asked(
    assertions: Sequence[z3.ExprRef], until: float, labels: Sequence[z3.ExprRef] = ()
) -> tuple[z3.Solver, z3.CheckSatResult]:
    """Asks Z3 about assertions; raises `OutOfTime`."""
    solver = plain_solver()
    solver_set(solver, "timeout", left_ms(until))
    solver_assert(solver, *assertions)
    verdict = solver_check(solver, *labels)
    if verdict == z3.unknown and solver.reason_unknown() in ("timeout", "canceled"):
        raise OutOfTime
    return solver, verdict


def _none(assertions: Sequence[z3.ExprRef], until: float, otherwise: str) -> Finding:
    """Whether the assertions have no solution; `otherwise` says what a solution would mean."""
    solver, verdict = _asked(assertions, until)
    if verdict == z3.unknown:
        return undecided(solver.reason_unknown())
    return CONFIRMED if verdict == z3.unsat else refuted(otherwise)


def _sat(assertions: Sequence[z3.ExprRef], evidence: Satisfied, until: float) -> Finding:
    solver, verdict = _asked(assertions, until)
    if verdict == z3.unknown:
        return undecided(solver.reason_unknown())
    if verdict == z3.unsat:
        return refuted("its values do not satisfy its assertions")
    if not evidence.largest:
        return CONFIRMED
    stated, aims = _stated(assertions, evidence)
    if len(aims) < evidence.aims:
        return undecided(NO_NUMBER)
    model = solver_model(solver)
    if z3_aims.reached(aims, model) != evidence.objective:
        return Finding("confirmed", optimum=refuted("its values have a different objective"))
    try:
        better = _none([*stated, z3_aims.better(aims, model)], until, "there is a better value")
    except OutOfTime:
        better = undecided("the time ran out")
    return Finding("confirmed", optimum=better)


NO_NUMBER = "one of its objectives is not a number"


def _stated(assertions: Sequence[z3.ExprRef], evidence: Satisfied) -> tuple[Sequence[z3.ExprRef], list[Aim]]:
    """Separates the assertions from the equations for objectives and values; also returns the numeric objectives."""
    end = len(assertions) - evidence.pins - evidence.aims
    terms = [each.arg(1) for each in assertions[end : end + evidence.aims]]
    aims = [
        (aim, largest)
        for aim, largest in zip(terms, evidence.largest, strict=True)
        if isinstance(aim, (z3.ArithRef, z3.BitVecRef))
    ]
    return assertions[:end], aims


def _to_be_asked(assertions: Sequence[z3.ExprRef], request: Request, until: float) -> Finding:
    """Writes a problem that has no solution if the claim is right, printed from the parsed assertions alone."""
    if request.status == "sat":
        evidence = Satisfied.read(request.evidence)
        found, verdict = _asked(assertions, until)
        stated, aims = _stated(assertions, evidence)
        if verdict != z3.sat or len(aims) < evidence.aims:
            return undecided(found.reason_unknown() if verdict != z3.sat else NO_NUMBER)
        assertions = [*stated, z3_aims.better(aims, solver_model(found))]
    solver = plain_solver()
    solver_assert(solver, *assertions)
    return to_be_asked(solver.sexpr())


# ---- Evaluation: most solutions need no search to be confirmed.


def _hold(assertions: Sequence[z3.ExprRef], pins: int) -> bool:
    """Whether the last `pins` assertions assign values to different constants, under which all others are true.

    False if deciding this requires a search.
    """
    end = len(assertions) - pins
    if not 0 <= end <= len(assertions) or not all(map(_gives_value, assertions[end:])):
        return False
    values = [(pin.arg(0), pin.arg(1)) for pin in assertions[end:]]
    if len({constant.get_id() for constant, _ in values}) < pins:
        return False
    return all(z3.is_true(z3.simplify(z3.substitute(each, *values))) for each in assertions[:end])


def _gives_value(pin: z3.ExprRef) -> bool:
    """Whether an assertion equates a constant chosen by the solver with a literal."""
    if not z3.is_app(pin) or pin.decl().kind() != z3.Z3_OP_EQ:
        return False
    constant, value = pin.children()
    is_open = z3.is_const(constant) and constant.decl().kind() == z3.Z3_OP_UNINTERPRETED
    return is_open and any(is_literal(value) for is_literal in LITERALS)


LITERALS = (z3.is_int_value, z3.is_rational_value, z3.is_bv_value, z3.is_string_value, z3.is_true, z3.is_false)


# ---- Parts of the assertions, for `why`.


def probe(request: ProbeRequest, until: float) -> Probed:
    """Whether the problem has a solution if these lines are kept."""
    text = request.problem.text("smtlib")
    if not states_only(text):
        return OPEN
    try:
        assertions = list(z3.parse_smt2_string(text))
        if len(assertions) != request.problem.whole("count"):
            return OPEN
        labelled = _labelled(request, assertions, time.monotonic() + LABELS_SHARE * (until - time.monotonic()))
        if labelled.verdict != "open":
            return labelled
        constraints = [assertions[index] for index in request.kept(len(assertions))]
        solver, verdict = _asked(constraints, until)
        return _satisfied(solver, constraints) if verdict == z3.sat else Probed(str(verdict).replace("unknown", "open"))
    except (OutOfTime, z3.Z3Exception):
        return OPEN


def relax(request: ProbeRequest, until: float) -> Relaxed:
    """Finds by how much the integer comparisons on these lines must be relaxed."""
    text = request.problem.text("smtlib")
    if not states_only(text):
        return Relaxed()
    try:
        assertions = list(z3.parse_smt2_string(text))
        if len(assertions) != request.problem.whole("count"):
            return Relaxed()
        amounts = [z3.FreshInt("verdict") for _ in request.subset]
        stated = [z3.And([each >= 0 for each in amounts])]
        for amount, group in zip(amounts, request.subset):
            for index in request.groups[group]:
                apart = _apart(assertions[index], amount)
                if apart is None:
                    return Relaxed()
                assertions[index] = apart
        stated += assertions

        def find(limit: int) -> Sequence[int] | None:
            constraints = [*stated, z3.Sum(amounts) <= limit]
            solver, verdict = _asked(constraints, until)
            if verdict == z3.unsat:
                return None
            if verdict != z3.sat or _satisfied(solver, constraints).verdict != "sat":
                raise OutOfTime
            model = solver_model(solver)
            values = [model.eval(each, model_completion=True) for each in amounts]
            return [each.as_long() for each in values if isinstance(each, z3.IntNumRef)]

        return least(find)
    except (OutOfTime, z3.Z3Exception):
        return Relaxed()


def _apart(assertion: z3.ExprRef, amount: z3.ArithRef) -> z3.BoolRef | None:
    """Relaxes an integer comparison by an amount; None for any other assertion."""
    kind, sides = assertion.decl().kind(), assertion.children()
    if len(sides) != 2 or any(each.sort().kind() != z3.Z3_INT_SORT for each in sides):
        return None
    one, other = sides
    assert isinstance(one, z3.ArithRef) and isinstance(other, z3.ArithRef)
    if kind == z3.Z3_OP_LE:
        return one <= other + amount
    if kind == z3.Z3_OP_LT:
        return one < other + amount
    if kind == z3.Z3_OP_GE:
        return one >= other - amount
    if kind == z3.Z3_OP_GT:
        return one > other - amount
    return z3.And(one <= other + amount, one >= other - amount) if kind == z3.Z3_OP_EQ else None


def _labelled(request: ProbeRequest, assertions: Sequence[z3.ExprRef], until: float) -> Probed:
    """Labels each kept line so that an `unsat` core identifies the lines that conflict."""
    labels = {index: z3.FreshBool("verdict") for index in request.subset}
    always = [assertions[index] for index in request.always(len(assertions))]
    guarded = [z3.Implies(label, assertions[each]) for index, label in labels.items() for each in request.groups[index]]
    try:
        solver, verdict = _asked([*always, *guarded], until, list(labels.values()))
    except OutOfTime:
        return OPEN
    if verdict == z3.sat:
        return _satisfied(solver, [assertions[index] for index in request.kept(len(assertions))])
    if verdict == z3.unknown:
        return OPEN
    core = {each.get_id() for each in solver.unsat_core()}
    return Probed("unsat", [index for index, label in labels.items() if label.get_id() in core])


def _satisfied(solver: z3.Solver, constraints: Sequence[z3.ExprRef]) -> Probed:
    """Accepts the solver's model as a solution unless it makes one of the assertions false."""
    model = solver_model(solver)
    is_wrong = any(z3.is_false(model.eval(each, model_completion=True)) for each in constraints)
    return OPEN if is_wrong else Probed("sat")


def account(problem: Fields, shown: Shown, until: float) -> Mapping[str, Json]:
    """Builds the account of the assertions that accompanies the verdict; long texts are not parsed again."""

    def read() -> Stated | None:
        smtlib = problem.text("smtlib")
        if len(smtlib) > EVALUATED_CHARS_MAX or "pins" not in problem:
            return None
        evidence = Satisfied.read(problem)
        return nodes.stated(list(z3.parse_smt2_string(smtlib)), evidence.aims, evidence.pins, shown)

    return accounts.of(read, until)


# ---- Questions about all solutions.


def answer_question(question: Question, space: Fields, task: Task) -> Mapping[str, Json]:
    """Answers by finding one solution after another with Z3."""
    return asked(question, space, task, lambda: of_smtlib(space))
