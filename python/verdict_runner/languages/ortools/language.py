"""The language `ortools`: items are ordinary OR-Tools Python code for CP-SAT or MathOpt."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from ortools.math_opt.python import mathopt
from ortools.sat.python import cp_model

from verdict_runner import evidence
from verdict_runner.evidence.questions.ask import expect_objective
from verdict_runner.languages import files, truth
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.cp.answers import apart, expect_no_objective
from verdict_runner.languages.cp.bare import warn_of_bare
from verdict_runner.languages.cp.excluded import value_at
from verdict_runner.languages.ortools import from_file, watch
from verdict_runner.languages.ortools.evidence import evidence_of, variables_of
from verdict_runner.languages.ortools.mathopt import tell as math_tell
from verdict_runner.languages.ortools.mathopt import watch as math_watch
from verdict_runner.languages.ortools.profile import PROFILE
from verdict_runner.languages.ortools.solved import answer_of
from verdict_runner.languages.ortools.watch import Solved
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import bases, classes, program

# The number of spare child processes: one for the program, one for checking its answer.
SPARES = 2


def versions() -> dict[str, str]:
    return {"ortools": version("ortools")}


def warm() -> None:
    """Starts recording what is built and solved; jobs are forked afterwards."""
    watch.listen()
    math_watch.listen()
    evidence.prepare("finite.check", "finite.by_cp_sat", "linear.check")
    printers = ("ObjectiveSolutionPrinter", "VarArraySolutionPrinter", "VarArrayAndObjectiveSolutionPrinter")
    bases.allow(cp_model.CpSolverSolutionCallback, *(getattr(cp_model, name) for name in printers))
    classes.never_copied([cp_model.CpSolver])


def modules() -> dict[str, Mapping[str, object]]:
    return {"ortools.math_opt.python.mathopt": math_watch.names()}


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    """Runs the items of a model and returns the answer; without items, checks an answer."""
    run = watch.begin(task)
    if not task.items:
        return evidence.answer(task)
    present = {
        "cp_model": known["ortools.sat.python.cp_model"],
        "export_solution": export_solution,
        **truth.IN_PLACE,
    }
    own: Mapping[str, Any] = {}
    if (file := files.format_in(task.items, PROFILE.files)) is not None:
        from_file.build(file, task.items[0])
    else:
        own = program.run(task.items, present, known, PROFILE, run)
        warn_of_bare(task.items, "model.add(…)", run.warn)
    options = Fields(dict(task.request or {}))
    if run.latest is not None and "solutions" in options:
        run.warn(
            "The program solves its model itself, so all_solutions and max_solutions were not used: "
            "remove solver.solve(model)."
        )
    answer = run.answer if run.answer and run.exports else _conclude(options, own)
    run.tell_ends(answer)
    return run.reported(answer)


# The types of objects that a program can pass to identify a solve.
SOLVED = (cp_model.CpSolver, cp_model.CpModel, mathopt.Model)


def export_solution(
    *arguments: object,
    variables: object = None,
    solver: object = None,
    objective: object = None,
    data: object = None,
    **others: object,
) -> dict[str, Json]:
    """Turns the last solve, or the given solver's, into the answer, with these named values, and returns it.

    A value can be a variable or an expression of the model, or lists and dictionaries of these; anything else is shown
    unchanged. The solver or the model may be passed before the values. If nothing has been solved yet, the values are
    those to show for the only model.
    """
    run = watch.the_run()
    of, named = apart((*arguments, solver), SOLVED, (variables, data), others)
    solved = run.last_of(*of)
    if not run.latest:
        run.shown = named
        return {}
    if solved is None:
        raise Refused(
            "No solve used the model or the solver that export_solution names.",
            ["call solver.solve(model) right before it"],
        )
    run.exports += 1
    run.answer = math_tell.answer(solved, named) if isinstance(solved, math_watch.Solved) else answer_of(solved, named)
    return copy.deepcopy(run.answer.as_json())


def _conclude(options: Fields, own: Mapping[str, Any]) -> Answer:
    """Answers with the program's last solve; if there was none, solves the program's only model."""
    run = watch.the_run()
    if isinstance(run.latest, math_watch.Solved):
        return run.of_last(
            run.latest,
            lambda solved: math_tell.answer(solved, run.shown),
            math_tell.evidence_of_unsat,
            lambda solved, row: math_tell.shown(row.value(solved.values)),
            is_first_best=run.latest.linear.objective is not None,
        )
    if run.solved:
        return run.of_last(
            run.solved[-1],
            lambda solved: answer_of(solved, _shown(solved, own)),
            lambda end: evidence_of(end, [], False, []),
            lambda solved, term: value_at(term, solved.values, run.until),
        )
    if len(run.math_models) == 1 and not run.models:
        return _of_mathopt(options)
    if len(run.models) != 1:
        raise Refused(
            f"The program created {len(run.models) + len(run.math_models)} models (CpModel, mathopt.Model) and solved none.",
            [
                "write model = cp_model.CpModel() and add variables and constraints to it",
                "call solver.solve(model) with the model that you mean",
            ],
        )
    has_objective = run.models[0].has_objective() or run.models[0].proto.has_floating_point_objective()
    expect_objective(run.question, has_objective)
    solver = cp_model.CpSolver()
    limit = options.whole("solutions") if "solutions" in options else 1
    if limit == 1:
        solver.solve(run.models[0])
        return answer_of(run.solved[-1], _shown(run.solved[-1], own))
    return _all_solutions(solver, run.models[0], limit)


def _shown(solved: Solved, own: Mapping[str, Any]) -> Mapping[str, object] | None:
    return watch.the_run().shown_with(own, cp_model.LinearExpr, lambda: variables_of(solved))


def _of_mathopt(options: Fields) -> Answer:
    if "solutions" in options:
        raise Refused(
            "The solutions of a MathOpt model can't all be listed: reals have infinitely many.",
            ["leave all_solutions and max_solutions out", "or write the model with cp_model, using integers"],
        )
    run = watch.the_run()
    model, _ = run.math_models[0]
    solved, _ = math_watch.noted(model, math_watch.DEFAULT, math_watch.NO_PARAMETERS)
    return math_tell.answer(solved, run.shown)


def _all_solutions(solver: cp_model.CpSolver, model: cp_model.CpModel, limit: int) -> Answer:
    expect_no_objective(model.proto.has_objective() or model.proto.has_floating_point_objective())
    run = watch.the_run()
    solutions: list[list[int]] = []
    count = len(model.proto.variables)

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            solutions.append([self.value(model.get_int_var_from_proto_index(i)) for i in range(count)])
            if len(solutions) >= limit:
                self.stop_search()

    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, Collect())
    solved = run.solved[-1]
    is_whole = solved.status == cp_model.OPTIMAL and len(solutions) < limit
    if not solutions:
        return answer_of(solved, run.shown)
    answer = answer_of(solved, run.shown, solutions, is_whole)
    if not is_whole:
        run.warn(f"The search stopped at {len(solutions)} solutions: there may be more.")
    return answer
