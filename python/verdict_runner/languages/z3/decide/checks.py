"""Determines a solver's answer about its current state, and the problem that this answer is about."""

from __future__ import annotations

from collections.abc import Mapping

import z3

from verdict_runner.evidence.budget import limit_ms
from verdict_runner.evidence.smt import solvers
from verdict_runner.evidence.smt.solvers import AnySolver
from verdict_runner.languages.record import LAST_OF_SEVERAL
from verdict_runner.languages.stated import computed
from verdict_runner.languages.z3 import logics, objectives
from verdict_runner.languages.z3.decide import bounds, remarks
from verdict_runner.languages.z3.decide import claims as z3_claims
from verdict_runner.languages.z3.run import RESERVE_SECONDS, Check, the_run, where
from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

ASSUMPTIONS = "the assumptions that check() was given"


def expect_names_of_their_own(check: Check) -> None:
    """Rejects a constraint that mentions another constraint's tracking name, as that name is true in every answer."""
    tracked = {str(name): [each.constraint for each in statements] for name, statements in check.tracked.items()}
    name = remarks.constant_among(check.assertions, tracked) if tracked else None
    if name is not None:
        raise Refused(
            f"assert_and_track(…, {name!r}) in {where(check.tracked[name][0].place)} makes {name} true, and a constraint uses {name}, so the answer would be about another problem.",
            [f"track it by another name, such as '{name}_rule'", "or add the constraint with s.add(…)"],
        )


def expect_constraints(check: Check) -> None:
    """Rejects a solver that lost its constraints, and warns if a solver never had constraints or an objective."""
    run = the_run()
    if len(check.constraints) > 0 or check.aims:
        return
    if run.origins and len(run.solvers) == 1 and check is not run.last:
        raise Refused(
            "The solver has no constraints left: pop(), reset() or the end of a `with` block removed them, so all values are solutions.",
            [
                "add the constraints outside the block, or after the pop",
                "or call export_solution(solver=…) before they are removed",
            ],
        )
    run.warn("The solver has no constraints, so all values are solutions.")


def about(solver: AnySolver, claimed: bool | None) -> Check:
    """Returns the check behind an answer about a solver in its current state.

    If nothing has changed since the program's own last check, that check is returned, because the program may have read
    values from its model. A check under assumptions is returned only if the program can't mean another check. This is
    so if it was the solver's only check, or if the program claims that there is no solution and the check found none.
    After a search with several checks, the answer is about the solver without assumptions.
    """
    run, last = the_run(), the_run().current.get(id(solver))
    is_meant = last is not None and (
        not last.assumptions or run.times[id(solver)] == 1 or (claimed is False and last.verdict == z3.unsat)
    )
    return last if last is not None and is_meant else Check(run, solver, z3.unknown)


def decided(check: Check) -> tuple[Check, bool]:
    """Repeats an undecided check in the remaining time; returns the check, and whether Verdict set its time limit.

    A solver that has changed since the check is not checked again.
    """
    run, solver = the_run(), check.solver
    is_decided = check.verdict == z3.sat or (check.verdict == z3.unsat and not _walks(solver))
    is_changed = check is run.last_of.get(id(solver)) and check is not run.current.get(id(solver))
    if is_decided or is_changed:
        return check, False
    left_ms = limit_ms(run.left() - RESERVE_SECONDS)
    own_ms = run.limits_ms.get(id(solver))
    solvers.bound(solver, min(left_ms, own_ms or left_ms))
    search: bounds.SearchResult | None = None
    if check.assumptions:
        verdict = solvers.asked(solver, *check.assumptions)
    else:
        verdict, search = logics.checked(run, solver, lambda: solvers.asked(solver))
    if verdict == z3.unsat and _walks(solver):
        verdict = solvers.asked(solver)
    objectives.reach(solver)
    again = Check(run, solver, verdict, search, check.assumptions, check.place)
    return again, own_ms is None or left_ms <= own_ms


def condition(check: Check) -> str | None:
    """The condition under which an `unsat` holds, besides the model itself."""
    if check.assumptions:
        return ASSUMPTIONS
    return LAST_OF_SEVERAL if the_run().was_sat(check.solver) else None


def outdated(check: Check, variables: Mapping[str, object]) -> str | None:
    """Returns a warning if values from an earlier state are exported although the solver now answers `unsat`."""
    is_later = not check.assumptions and the_run().was_sat(check.solver)
    if not is_later or not computed(variables, lambda each: z3_claims.is_of_solver(each, check.solver)):
        return None
    return "This unsat might not be the intended answer: the solver answered sat before more constraints were added, and the program exports values that it computed. To count solutions or search for better ones, add the excluding constraints between s.push() and s.pop(), or to a second solver."


def _walks(solver: AnySolver) -> bool:
    """Whether each check() returns the next of several solutions, and `unsat` after the last one."""
    run = the_run()
    return run.priorities.get(id(solver)) == "pareto"


def warn_of_checks(check: Check) -> None:
    """Warns if the program's own check was about different constraints than this answer."""
    run, last = the_run(), the_run().last_of.get(id(check.solver))
    if check.assumptions:
        if check.verdict != z3.unsat:
            run.warn("This answer, including any optimum, holds under the assumptions of the program's check().")
    elif last is not None and last.assumptions:
        run.warn(
            "The program's last check() had assumptions; this answer is about the solver without them. For an answer with them, add them with s.add(…) before export_solution."
        )
    if check.verdict == z3.unsat and not check.assumptions and check is not run.last and run.was_sat(check.solver):
        run.warn(
            "The program's own check() answered sat before more constraints were added; this answer is about the final state of the solver. To report an earlier state, call export_solution there."
        )


# The statistics that show how hard a query was; Z3 has about thirty others.
_TOLD_STATISTICS = frozenset(
    ("conflicts", "decisions", "propagations", "restarts", "quant instantiations", "rlimit count", "max memory", "time")
)


def statistics(solver: AnySolver) -> dict[str, Json]:
    """The last check's statistics; empty if Z3 has none."""
    try:
        return {str(key): value for key, value in solver.statistics() if str(key) in _TOLD_STATISTICS}
    except z3.Z3Exception:
        return {}


def undecided(check: Check, ours: bool) -> tuple[str, str]:
    """Returns `timeout` or `unknown` with the reason; `ours` says whether Verdict set the time limit."""
    reason = check.reason
    # A nested solver puts its name first, as in "sat.canceled".
    if reason == "timeout" or reason.endswith("canceled"):
        return "timeout" if ours else "unknown", "timeout"
    if "memory" in reason:
        return "unknown", "memory limit"
    return "unknown", reason or "incomplete"
