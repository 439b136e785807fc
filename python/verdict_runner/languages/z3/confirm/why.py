"""The question `why` about Z3's assertions: what each line states, and whether there is a solution without some of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence

import z3

from verdict_runner.languages import why
from verdict_runner.languages.limit import limit_ms
from verdict_runner.languages.why import OPEN, Probed, ProbeRequest
from verdict_runner.languages.z3 import solvers
from verdict_runner.languages.z3.confirm import evidence, optimum, recheck
from verdict_runner.languages.z3.confirm.optimum import Aim
from verdict_runner.languages.z3.run import Check, Run
from verdict_runner.sandbox.program import Place

# With a label for each line some theories are not decided; this share of the time goes to the question with labels.
LABELS_SHARE = 0.6


def why_question(
    run: Run, check: Check, aims: Sequence[Aim] = (), model: z3.ModelRef | None = None
) -> Mapping[str, object]:
    """The assertions of a solver by line; for an optimum with the constraint that a solution is better than the model."""
    assumptions, asserted = check.assumptions, list(check.assertions)
    tracked = (each[0].place if len(each) == 1 else None for each in check.tracked.values())
    places = [*_places(check, asserted), *tracked]
    better = [] if model is None else [optimum.better(aims, model)]
    places += [check.place for _ in assumptions]
    # A tracked constraint is asserted as `name => constraint`; the name itself makes it hold.
    stated = [*asserted, *check.names, *assumptions, *better]
    problem = {**evidence.of_unsat(stated, solvers.plain_solver), "count": len(stated)}
    return why.why_question(problem, places, run.items)


def _places(check: Check, asserted: Sequence[z3.ExprRef]) -> list[Place | None]:
    """The line of each assertion, where it is clear: the same constraint can stand in several lines."""
    counts = Counter(each.get_id() for each in asserted)
    waiting = {key: statements for key, statements in check.stated.items() if len(statements) == counts[int(key)]}
    return [waiting[key].pop(0).place if waiting.get(key) else None for key in (each.get_id() for each in asserted)]


def probe(request: ProbeRequest, until: float) -> Probed:
    """Whether the problem has a solution with these lines kept. It runs in a process that never ran the program."""
    if "open" in request.problem or not recheck.states_only(request.problem.text("smtlib")):
        return OPEN
    try:
        assertions = list(z3.parse_smt2_string(request.problem.text("smtlib")))
        if len(assertions) != request.problem.whole("count"):
            return OPEN
        labelled = _labelled(request, assertions, time.monotonic() + LABELS_SHARE * (until - time.monotonic()))
        return _plain(request, assertions, until) if labelled.verdict == "open" else labelled
    except z3.Z3Exception:
        return OPEN


def _labelled(request: ProbeRequest, assertions: Sequence[z3.ExprRef], until: float) -> Probed:
    """Each kept line has a label, so that an unsat names the lines that it needs."""
    labels = {index: z3.FreshBool("verdict") for index in request.subset}
    always = [assertions[index] for index in request.always(len(assertions))]
    guarded = [z3.Implies(label, assertions[each]) for index, label in labels.items() for each in request.groups[index]]
    solver = solvers.plain_solver()
    solver.set("timeout", limit_ms(until - time.monotonic()))
    solver.add(*always, *guarded)
    verdict = solver.check(*labels.values())
    if verdict != z3.unsat:
        return _sat(solver, [*always, *_kept(request, assertions)]) if verdict == z3.sat else OPEN
    core = {each.get_id() for each in solver.unsat_core()}
    needed = [index for index, label in labels.items() if label.get_id() in core]
    return Probed("unsat", needed)


def _plain(request: ProbeRequest, assertions: Sequence[z3.ExprRef], until: float) -> Probed:
    constraints = [*(assertions[index] for index in request.always(len(assertions))), *_kept(request, assertions)]
    solver = solvers.plain_solver()
    solver.set("timeout", limit_ms(until - time.monotonic()))
    solver.add(*constraints)
    verdict = solver.check()
    if verdict == z3.sat:
        return _sat(solver, constraints)
    return Probed("unsat") if verdict == z3.unsat else OPEN


def _kept(request: ProbeRequest, assertions: Sequence[z3.ExprRef]) -> list[z3.ExprRef]:
    return [assertions[each] for index in request.subset for each in request.groups[index]]


def _sat(solver: z3.Solver, constraints: Sequence[z3.ExprRef]) -> Probed:
    """A model that makes one of the assertions false is no solution."""
    model = solvers.solver_model(solver)
    is_wrong = any(z3.is_false(model.eval(each, model_completion=True)) for each in constraints)
    return OPEN if is_wrong else Probed("sat")
