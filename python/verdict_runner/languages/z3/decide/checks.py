"""What the solver answers about its present state, and what that answer is about."""

from __future__ import annotations

from collections.abc import Mapping

import z3

from verdict_runner.languages.limit import limit_ms
from verdict_runner.languages.record import LAST_OF_SEVERAL
from verdict_runner.languages.z3 import objectives, solvers
from verdict_runner.languages.z3.confirm import claims as z3_claims
from verdict_runner.languages.z3.decide import bounds, remarks
from verdict_runner.languages.z3.run import RESERVE_SECONDS, the_run, where
from verdict_runner.languages.z3.solvers import AnySolver
from verdict_runner.protocol.messages import Json
from verdict_runner.refusal import Refused

ASSUMPTIONS = "the assumptions that check() was given"


def expect_names_of_their_own(solver: AnySolver) -> None:
    """Refuses a constraint that mentions the name by which another one is tracked: that name is true in every answer."""
    run = the_run()
    tracked = {name: constraints for (owner, name), constraints in run.named.items() if owner == id(solver)}
    name = remarks.constant_among(solver.assertions(), tracked) if tracked else None
    if name is not None:
        raise Refused(
            f"assert_and_track(…, {name!r}) in {where(run.tracked[id(solver), name][1])} makes {name} true, and a constraint uses {name}, so the answer would be about another problem.",
            [f"track it by another name, such as '{name}_rule'", "or add the constraint with s.add(…)"],
        )


def expect_constraints(solver: AnySolver) -> None:
    """Refuses a solver that lost its constraints, and warns of one that never had any: all values satisfy it."""
    run = the_run()
    if len(run.constraints_of(solver)) > 0:
        return
    if run.origins and len(run.solvers) == 1:
        raise Refused(
            "The solver has no constraints left: pop(), reset() or the end of a `with` block removed them, so all values are solutions.",
            [
                "add the constraints outside of the block, or after the pop",
                "or call export_solution(solver=…) before they are taken back",
            ],
        )
    run.warn("The solver has no constraints, so all values are solutions.")


def checked(solver: AnySolver) -> tuple[z3.CheckSatResult, bool]:
    """The answer of the solver, and whether Verdict set the time limit.

    The answer of the program's own check() is used if nothing changed since: its model is the one that
    the program has read values from.
    """
    run = the_run()
    under = run.under.get(id(solver))
    known = under.verdict if under else run.checked.get(id(solver))
    if known is not None and (known == z3.sat or (known == z3.unsat and not _walks(solver))):
        return known, False
    left_ms = limit_ms(run.left() - RESERVE_SECONDS)
    own_ms = run.limits_ms.get(id(solver))
    solvers.bound(solver, min(left_ms, own_ms or left_ms))
    if under:
        return solvers.asked(solver, *under.assumptions), own_ms is None or left_ms <= own_ms
    verdict = bounds.checked(run, solver, lambda: solvers.asked(solver))
    if verdict == z3.unsat and _walks(solver):
        verdict = solvers.asked(solver)
    objectives.reach(solver)
    return verdict, own_ms is None or left_ms <= own_ms


def condition(solver: AnySolver) -> str | None:
    """The condition under which an unsat holds, besides the model itself."""
    run = the_run()
    if id(solver) in run.under:
        return ASSUMPTIONS
    return LAST_OF_SEVERAL if id(solver) in run.once_sat else None


def outdated(solver: AnySolver, variables: Mapping[str, object]) -> str | None:
    """A doubt, if values of an earlier state are exported and the solver is unsat now."""
    is_later = id(solver) in the_run().once_sat
    if not is_later or all(z3_claims.of_solver(each, solver) for each in variables.values()):
        return None
    return "This unsat might not be the intended answer: the solver answered sat before more constraints were added, and the program exports values that it computed. To count solutions or search for better ones, add the excluding constraints between s.push() and s.pop(), or to a second solver."


def _walks(solver: AnySolver) -> bool:
    """Whether each check() gives the next of several solutions, and unsat after the last one."""
    run = the_run()
    return run.priorities.get(id(solver)) == "pareto"


def warn_of_checks(solver: AnySolver, verdict: z3.CheckSatResult) -> None:
    """Warns where the program's own check was about other constraints than this answer."""
    run = the_run()
    if id(solver) in run.under:
        if verdict != z3.unsat:
            run.warn("This answer, and an optimum in it, is that under the assumptions of the program's check().")
    elif id(solver) in run.assumed:
        run.warn(
            "The program's last check() had assumptions; this answer is about the solver without them. For an answer with them, add them with s.add(…) before export_solution."
        )
    if verdict == z3.unsat and id(solver) in run.once_sat and id(solver) not in run.under:
        run.warn(
            "The program's own check() answered sat before more constraints were added; this answer is about the final state of the solver. To report an earlier state, call export_solution there."
        )


# The statistics that show how hard the question was; Z3 has about thirty others.
_TOLD_STATISTICS = frozenset(
    ("conflicts", "decisions", "propagations", "restarts", "quant instantiations", "rlimit count", "max memory", "time")
)


def statistics(solver: AnySolver) -> dict[str, Json]:
    """The statistics of the last check; empty where Z3 has none."""
    try:
        return {str(key): value for key, value in solver.statistics() if str(key) in _TOLD_STATISTICS}
    except z3.Z3Exception:
        return {}


def undecided(solver: AnySolver, ours: bool) -> tuple[str, str]:
    """The status `timeout` or `unknown`, with the reason; `ours` says whether Verdict set the time limit."""
    reason = solver.reason_unknown()
    # A solver inside another one puts its name in front: "sat.canceled".
    if reason == "timeout" or reason.endswith("canceled"):
        return "timeout" if ours else "unknown", "timeout"
    if "memory" in reason:
        return "unknown", "memory limit"
    return "unknown", reason or "incomplete"
