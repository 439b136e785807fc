"""Names the constraints that can't hold together: by the program's own names, and by their positions in the items."""

from __future__ import annotations

from collections.abc import Iterable

import z3

from verdict_runner.languages.answer import ItemLine
from verdict_runner.languages.z3 import solvers
from verdict_runner.languages.z3.confirm import evidence as z3_evidence
from verdict_runner.languages.z3.decide import core as z3_core
from verdict_runner.languages.z3.run import EXPLAIN_SECONDS_MAX, RESERVE_SECONDS, Place, the_run
from verdict_runner.languages.z3.solvers import AnySolver


def named_conflict(solver: AnySolver) -> tuple[list[str] | None, list[ItemLine] | None]:
    """The conflicting constraints: by the program's own names, and by their positions in the items."""
    run = the_run()
    seconds = min(EXPLAIN_SECONDS_MAX, run.left() - 2 * RESERVE_SECONDS)
    named = {name: each for (owner, name), each in run.tracked.items() if owner == id(solver)}
    under = run.under.get(id(solver))
    assumed = {each.get_id() for each in under.assumptions} if under else set()
    assertions = run.constraints_of(solver)
    core = z3_core.conflict(assertions, seconds, solvers.plain_solver, solvers.solver_check, solvers.solver_set)
    conflicting = core or assertions
    run.evidence = lambda: z3_evidence.of_unsat(conflicting, solvers.plain_solver)
    names = [str(each) for each in core if z3.is_const(each) and str(each) in named]
    places = [run.origins[each.get_id()][0] for each in core if each.get_id() in run.origins]
    places += [named[name][1] for name in names]
    assumptions = [each for each in core if each.get_id() in assumed]
    names += [str(each) for each in assumptions if str(each) not in names]
    places += [under.place] if under and under.place and assumptions else []
    if not names and not places:
        run.warn(
            "The conflicting constraints are not known: the search for them timed out, or they were given as SMT-LIB text."
        )
    return names or None, _lines(places) if places else None


def _lines(places: Iterable[Place]) -> list[ItemLine]:
    run = the_run()
    item_lines = []
    for item, line in sorted(set(places)):
        lines = run.items[item].splitlines()
        item_lines.append(ItemLine(item, line, lines[line - 1].strip() if line <= len(lines) else ""))
    return item_lines
