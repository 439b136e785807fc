"""The language `pysat`: items are Python code for PySAT, and the program states its result with `export_solution`."""

from __future__ import annotations

import copy
import json
import sys
import time
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any

import pysat
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver

from verdict_runner import evidence
from verdict_runner.evidence.questions.ask import expect_objective
from verdict_runner.languages import files, truth
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.files.dimacs import Clauses
from verdict_runner.languages.pysat import claims as pysat_claims
from verdict_runner.languages.pysat import counting, patterns
from verdict_runner.languages.pysat.profile import NOTHING_EXPORTED, PROFILE
from verdict_runner.languages.pysat.run import ENGINES, MaxSat, Run, SatSolver, begin, is_maxsat, is_solver, the_run
from verdict_runner.languages.pysat.watch.last import assumed_last, best_of, last_model
from verdict_runner.languages.pysat.watch.listen import listen
from verdict_runner.languages.pysat.watch.models import trimmed
from verdict_runner.protocol import values
from verdict_runner.protocol.job import PrintedText
from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import classes, program

# The memory files contain proofs.
WRITES_MEMORY_FILES = True
# The number of spare child processes: one for the program, one for checking its answer.
SPARES = 2
SOLVER_OF_FILES = "cadical195"
PRINTED = "The program printed its answer as JSON and called no export_solution: what it printed decides nothing."
# A program of Verdict's own with typical contents. The program does not use `extend`, which allocates numbers from
# PySAT's own pool.
REHEARSED = (
    "from itertools import combinations\ncnf = CNF()\nfor n in range(1, 1000):\n    cnf.append([-n, n + 1, n + 2])",
    "for a, b in combinations(range(1, 40), 2):\n    cnf.append([-a, -b])",
    "with Glucose3(bootstrap_with=cnf) as s:\n    satisfiable = s.solve()\n    model = s.get_model()",
    "export_solution({'satisfiable': satisfiable, 'true': [v for v in model if v > 0]})",
)
REHEARSAL_SECONDS = 5.0


def versions() -> dict[str, str]:
    return {"pysat": pysat.__version__}


def warm() -> None:
    """Starts recording engines' answers; jobs are forked afterwards."""
    listen()
    evidence.prepare("cnf.check")
    classes.never_copied(ENGINES)


def rehearse(known: Modules) -> None:
    """Runs a sample program and checks its answer, so that the memory pages that jobs need are already loaded."""
    claim = solve(_rehearsal(REHEARSED), known)
    for status in ("sat", "unsat"):
        request = {"status": status, "evidence": claim["evidence"]}
        json.dumps([claim, solve(_rehearsal((), request), known)])


def _rehearsal(items: Sequence[str], request: Mapping[str, object] | None = None) -> Task:
    return Task(items, request, 0, time.monotonic() + REHEARSAL_SECONDS, lambda _: False)


def modules() -> dict[str, Mapping[str, object]]:
    """The modules that Verdict provides in this language, by name."""
    modules = patterns.modules(export_solution)
    return {"mcp_solver": {}, **modules, "mcp_solver.pysat": {**modules["mcp_solver.pysat"], **counting.FUNCTIONS}}


# Names from PySAT and Python that are available without an import, as in the original mcp-solver.
PRESENT_OF = {
    "pysat.card": ("CardEnc", "EncType"),
    "pysat.examples.rc2": ("RC2",),
    "pysat.formula": ("CNF", "WCNF"),
    "pysat.solvers": ("Cadical153", "Glucose3"),
}
PRESENT_MODULES = "collections itertools json math random re time".split()


def _present(known: Modules) -> dict[str, object]:
    """The names available to a program without an import."""
    engines = {name: getattr(known[module], name) for module, names in PRESENT_OF.items() for name in names}
    parts = (patterns.CARDINALITY, patterns.LOGIC, patterns.TEMPLATES["mapping"])
    helpers = {name: each for part in parts for name, each in part.items()}
    return {
        **engines,
        **{name: known[name] for name in PRESENT_MODULES},
        **helpers,
        "export_solution": export_solution,
        **counting.FUNCTIONS,
        **truth.IN_PLACE,
    }


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    """Runs the items of a model and returns its answer, or rechecks an answer for a job with a request."""
    run = begin(task)
    if not task.items:
        # No program runs here, so the engine calls are Verdict's own and need not be recorded.
        run.depth += 1
        return evidence.answer(task)
    if (file := files.format_in(task.items, PROFILE.files)) is not None:
        _solve_file(files.read(file, task.items[0]))
    else:
        program.run(task.items, _present(known), known, PROFILE, run)
    if run.answer is None and run.verdicts:
        # `PrintedText` is the only standard output that a program can reach.
        printed = sys.stdout.printed_object() if isinstance(sys.stdout, PrintedText) else None
        if printed is not None or run.asked is not None:
            _export_last(run, printed)
    answer = run.answer
    if answer is None:
        raise Refused(
            "The program finished without calling export_solution, so there is nothing to report."
            if run.verdicts
            else "The program finished without calling a solver or export_solution.",
            [
                *([] if run.verdicts else ["call a solver: s = Solver(bootstrap_with=cnf), then s.solve()"]),
                "call export_solution({'satisfiable': True, 'x': …}) where solve() returns True",
                "and export_solution({'satisfiable': False}) where it returns False",
            ],
        )
    if run.late:
        run.warn(
            "Clauses added after export_solution are not part of the answer; move solving and export_solution to the end."
        )
    shared = run.pools.warning()
    if shared is not None:
        run.warn(shared)
    if run.exports > 1:
        run.warn(f"export_solution was called {run.exports} times: this is the answer of the last call.")
    answer.statistics = run.statistics
    return run.reported(answer)


# ---- The answer.


def export_solution(
    data: object = None,
    variables: object = None,
    objective: object = None,
    solver: object = None,
    cost: object = None,
    **others: object,
) -> dict[str, Json]:
    """Turns the program's result into the answer of `solve_model` and returns it.

    `data` is a dictionary with `satisfiable` and any values, or a solver. A solver's model is read with `variables`, a
    dictionary from names to variable numbers.
    """
    run = the_run()
    data = solver if data is None and solver is not None else data
    engine = data if is_solver(data) or is_maxsat(data) else None
    run.named = values.taken(variables) or None if engine is not None else None
    others, read = values.taken(others), set()
    if engine is not None:
        data = _read(engine, values.taken(variables))
        assignment = data.get("values")
        read = {*assignment} if isinstance(assignment, dict) and "values" not in others else read
    elif data is None and (others or run.verdicts[-1:] == [False]):
        data, others = others or {"satisfiable": False}, {}
    if not isinstance(data, dict):
        raise Refused(
            f"export_solution requires a dictionary, but got a value of type {type(data).__name__}.",
            ["write export_solution({'satisfiable': True, 'x': …})", "or export_solution(solver, variables={'x': 1})"],
        )
    stated = values.taken({"objective": objective, "cost": cost})
    data = {**values.taken(data), **others, **{name: value for name, value in stated.items() if value is not None}}
    run.exports += 1
    return copy.deepcopy(_answered(run, data, engine, read - {*others}).as_json())


def _answered(
    run: Run,
    data: Mapping[Any, object],
    engine: object = None,
    read: Set[object] = frozenset(),
    own: Sequence[int] | None = None,
) -> Answer:
    """Records the answer to the program's claims."""
    if data.get("satisfiable") is False or run.verdicts[-1:] == [False]:
        # If the model has a solution, this is known only after the solve.
        expect_objective(run.question, is_maxsat(run.asked if engine is None else engine))
    run.answer, run.late = pysat_claims.answer_of(data, engine, read, own), False
    return run.answer


def _solve_file(stated: Clauses) -> None:
    """Solves clauses from a file as a program would, for any solution or the best one."""
    run = the_run()
    lines = [*((line, clause) for line, clause in stated.hard), *((line, clause) for line, _, clause in stated.soft)]
    run.stored.update((id(clause), (clause, program.Place(0, line))) for line, clause in lines)
    variables = {str(number): number for number in range(1, stated.variables + 1)}
    hard = [clause for _, clause in stated.hard]
    if not stated.is_weighted:
        with Solver(name=SOLVER_OF_FILES, bootstrap_with=hard) as solver:
            solver.solve()
            export_solution(solver, variables=variables)
        return
    formula = WCNF()
    formula.hard, formula.nv = hard, stated.variables
    formula.soft, formula.wght = [clause for *_, clause in stated.soft], [weight for _, weight, _ in stated.soft]
    with RC2(formula) as engine:
        engine.compute()
        export_solution(engine, variables=variables)


def _export_last(run: Run, printed: Mapping[str, object] | None) -> None:
    """Answers for a program without an export: with a solver's last answer or the solutions of its own search.

    What it printed as JSON is shown with a solution, but decides nothing.
    """
    search, last = run.searches.ended, run.verdicts[-1]
    tested = search or run.searches.listed
    status = "unknown" if last is None else "sat" if last or search is not None else "unsat"
    if printed:
        run.warn(PRINTED)
    answer = run.rejecting(tested) if tested else None
    if answer is None and printed:
        answer = _contradicted(printed, status)
    if answer is None:
        answer = _last_answer(run, status, printed or {})
    run.answer = answer
    run.tell_ends(answer)


def _last_answer(run: Run, status: str, printed: Mapping[str, object]) -> Answer:
    """The last answer, or the last solution of the program's own search, with the values that the program printed."""
    search, model = run.searches.ended, None
    if search is not None:
        model = trimmed([*(search.last.model or ())])
    elif status == "sat" and run.asked is not None:
        model = last_model()
    shown: dict[str, object] = {**printed} if status == "sat" else {}
    if model is not None:
        shown["model"] = model
    claim = {"satisfiable": None if status == "unknown" else status == "sat"}
    answer = _answered(run, {**pysat_claims.shown_in(shown), **claim}, own=model)
    if search is not None and search.end is not None:
        answer.found, run.end = search.found, search.end.evidence
    run.warn(NOTHING_EXPORTED)
    return answer


def _contradicted(printed: Mapping[str, object], status: str) -> Answer | None:
    """The answer if the printed JSON states another verdict than the solver's."""
    claim = pysat_claims.claim_in(printed)
    if claim is None or status == "unknown" or claim == (status == "sat"):
        return None
    reason = f"the program printed JSON that says {'sat' if claim else 'unsat'}, but its solver answered {status}; call export_solution with what it found"
    return Answer("unknown", reason=reason)


def _read(solver: SatSolver | MaxSat, variables: object) -> dict[str, object]:
    """Reads an engine's values by variable name; a solver solves again under its last assumptions."""
    if is_maxsat(solver):
        model = best_of(solver)
        verdict = model is not None
        more = {"cost": solver.cost} if verdict else {}
    else:
        verdict, more = solver.solve(assumptions=assumed_last(solver)), {}
        model = solver.get_model() if verdict else None
    if not verdict:
        return {"satisfiable": verdict}
    true, known = {*(model or ())}, {*map(abs, model or ())}
    names = variables or {str(each): each for each in sorted(abs(each) for each in true)}
    shown, free = _truths(names, true), sorted({*_numbers(names)} - known)
    if free:
        the_run().warn(
            f"No clause contains variable {', '.join(map(str, free[:10]))}: every value is possible, and the one shown is arbitrary."
        )
    return {"satisfiable": True, "values": shown, **more}


def _numbers(variables: object) -> list[int]:
    """Collects the numbers in lists and dictionaries of variables."""
    if isinstance(variables, int):
        return [abs(variables)]
    parts = variables.values() if isinstance(variables, dict) else variables
    return [number for each in parts for number in _numbers(each)] if isinstance(parts, Iterable) else []


def _truths(variables: object, true: Collection[int]) -> object:
    """Replaces variables in lists and dictionaries with their truth values."""
    if isinstance(variables, dict):
        return {name: _truths(each, true) for name, each in variables.items()}
    if isinstance(variables, (list, tuple)):
        return [_truths(each, true) for each in variables]
    if type(variables) is not int or variables == 0:
        raise Refused(
            f"`variables` of export_solution must have variable numbers as values, but one is {variables!r}.",
            [
                "write export_solution(solver, variables={'a': 1}), with the number of each variable",
                "or export_solution({'satisfiable': True, 'a': …}) for values of the program's own",
            ],
        )
    return variables in true
