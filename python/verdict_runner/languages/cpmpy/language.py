"""The language `cpmpy`: items are Python code for CPMpy, solved by OR-Tools CP-SAT unless they name another backend."""

from __future__ import annotations

import copy
import io
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import cpmpy as cp
import numpy as np
from cpmpy.expressions.core import Expression
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface
from cpmpy.tools.io.jsplib import load_jsplib
from cpmpy.tools.io.rcpsp import load_rcpsp

from verdict_runner import evidence
from verdict_runner.evidence.questions.ask import expect_objective
from verdict_runner.languages import files, truth
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.cp.answers import apart, expect_no_objective
from verdict_runner.languages.cp.bare import warn_of_bare
from verdict_runner.languages.cp.excluded import value_at
from verdict_runner.languages.cpmpy import backends, watch
from verdict_runner.languages.cpmpy.evidence import evidence_of, shown_variables
from verdict_runner.languages.cpmpy.named import as_lists, row_of, values_of
from verdict_runner.languages.cpmpy.profile import PROFILE
from verdict_runner.languages.cpmpy.run import Solved, begin, the_run
from verdict_runner.languages.cpmpy.solved import answer_of
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import classes, program

# The number of spare child processes: one for the program, one for checking its answer.
SPARES = 2


def versions() -> dict[str, str]:
    return {"cpmpy": version("cpmpy")}


def warm() -> None:
    """Starts recording what is built and solved; jobs are forked afterwards."""
    watch.listen()
    evidence.prepare("finite.check", "finite.by_cpmpy")
    # A copy shares its native model, to which it would add unrecorded constraints.
    classes.never_copied(each.kind for each in backends.ALL)
    # The first call of these methods, and the first printing of an array, import numpy modules, which a program may not
    # do.
    numbers = np.arange(4).reshape(2, 2)
    for text in (str, repr):
        text(numbers)
    for name in "sum prod max min any all mean var std ptp clip argmax argmin".split():
        if hasattr(numbers, name):
            getattr(numbers, name)(*((0, 1) if name == "clip" else ()))


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    """Runs the items of a model and returns the answer; without items, checks an answer."""
    run = begin(task)
    if not task.items:
        return evidence.answer(task)
    present = {"cp": known["cpmpy"], "np": known["numpy"], "export_solution": export_solution, **truth.IN_PLACE}
    own: Mapping[str, Any] = {}
    if (file := files.format_in(task.items, PROFILE.files)) is not None:
        _load(file, task.items[0])
    else:
        own = program.run(task.items, present, known, PROFILE, run)
        warn_of_bare(task.items, "m += …", run.warn)
    options = Fields(dict(task.request or {}))
    if run.solved and ("solver" in options or "solutions" in options):
        run.warn("The program solves its model itself, so the options of this call were not used: remove m.solve().")
    answer = run.answer if run.answer and run.exports else _conclude(options, own)
    run.tell_ends(answer)
    return run.reported(answer)


def export_solution(
    *arguments: object, variables: object = None, objective: object = None, data: object = None, **others: object
) -> dict[str, Json]:
    """Turns the last solve, with these named values, into the answer and returns it.

    A value can be a CPMpy variable or expression, or arrays, lists and dictionaries of these; anything else is shown
    unchanged. The last solved model or solver may be passed before the values. If nothing has been solved yet, the
    values are those to show for the only model.
    """
    run = the_run()
    of, named = apart(arguments, (cp.Model, SolverInterface), (variables, data), others)
    if not run.solved:
        run.shown = named
        return {}
    if any(each is not run.solved[-1].solver and each is not run.solved[-1].model for each in of):
        raise Refused(
            "export_solution was called for a model other than the one solved last.",
            [
                "call its m.solve() right before it",
                "or leave it out: export_solution({'x': x}) is about the last solve",
            ],
        )
    run.exports += 1
    run.answer = answer_of(run.solved[-1], named or {}, {})
    return copy.deepcopy(run.answer.as_json())


READERS = {"jsplib": load_jsplib, "psplib": load_rcpsp}


def _load(name: str, text: str) -> None:
    """Builds the run's model from a file in this format; raises `Refused`."""
    readable = files.read(name, text)
    try:
        READERS[name](io.StringIO(readable))
    except (ValueError, AssertionError, KeyError, IndexError) as error:
        raise Refused(
            f"CPMpy's reader rejects this file ({type(error).__name__}: {str(error)[:200]}).",
            ["compare the file with one of the library", "or write the model in CPMpy"],
        ) from error


def _conclude(options: Fields, own: Mapping[str, Any]) -> Answer:
    """Answers with the program's last solve; if there was none, solves the program's only model."""
    run = the_run()
    if run.solved:
        return run.of_last(
            run.solved[-1],
            lambda solved: answer_of(solved, _shown(solved, own), own),
            lambda end: evidence_of(end, [], False, []),
            lambda solved, term: value_at(term, row_of(solved) or [], run.until),
        )
    if len(run.models) != 1:
        raise Refused(
            f"The program created {len(run.models)} models (cp.Model) and solved none.",
            ["write m = cp.Model(), then m += constraint", "call m.solve() on the model that you mean"],
        )
    expect_objective(run.question, run.models[0].has_objective())
    named = options.text("solver") if "solver" in options else None
    limit = options.whole("solutions") if "solutions" in options else 1
    try:
        expect_no_objective(limit > 1 and run.models[0].has_objective())
        solver = cp.SolverLookup.get(named, run.models[0])
        if limit > 1:
            return _all_solutions(solver, limit, own)
        solver.solve()
    except (Refused, MemoryError, RecursionError):
        raise
    except Exception as error:
        raise Refused(
            f"CPMpy can't pass this model to {named or 'ortools'} ({type(error).__name__}: {str(error)[:300]}).",
            backends.cure(backends.of_kind(cp.SolverLookup.lookup(named)), error),
        ) from error
    return answer_of(run.solved[-1], _shown(run.solved[-1], own), own)


def _shown(solved: Solved, own: Mapping[str, Any]) -> Mapping[str, object] | None:
    return the_run().shown_with(own, Expression, lambda: shown_variables(solved, solved.values, own), as_lists)


def _all_solutions(solver: Any, limit: int, own: Mapping[str, Any]) -> Answer:  # noqa: ANN401
    run = the_run()
    # Exact can list the same solution twice if only its auxiliary variables differ.
    solutions: dict[tuple[tuple[str, int], ...], dict[str, int]] = {}

    def note() -> None:
        values_found = values_of(run.solved[-1])
        solutions[tuple(sorted(values_found.items()))] = values_found

    solver.solveAll(display=note, solution_limit=limit)
    solved = run.solved[-1]
    rows = list(solutions.values())
    are_all = solved.status == ExitStatus.OPTIMAL and len(rows) < limit
    if rows:
        solved.status, solved.values = ExitStatus.FEASIBLE, rows[-1]
        if not are_all:
            run.warn(f"The search stopped at {len(rows)} solutions: there may be more.")
    return answer_of(solved, None, own, rows, are_all)
