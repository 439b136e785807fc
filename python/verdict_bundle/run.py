"""Solves this folder's problem without Verdict: `python run.py`. README.md says which packages it needs.

It runs the program in model/ unchanged, with all the rights of the user who starts it, and prints a status, an objective and
values as JSON.
"""

from __future__ import annotations

import ast
import collections
import functools
import itertools
import json
import math
import random
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
# The last solve: its status, its objective, and how to read a variable's value.
LAST: dict[str, Any] = {}
EXPORTED: dict[str, Any] = {}


def export_solution(*arguments: object, **others: object) -> None:
    """Records the exported values."""
    given = {**others}
    for each in (*arguments, given.pop("variables", None), given.pop("data", None)):
        if isinstance(each, dict):
            EXPORTED.update(each)
    given.pop("solver", None)
    EXPORTED.update(given)


def plain(value: object) -> object:
    """Converts a value to JSON; the value of an engine's variable is read from the last solution."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(each) for each in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "tolist") and not hasattr(value, "decl") and not hasattr(value, "value"):
        return plain(value.tolist())  # type: ignore[attr-defined]
    try:
        return plain(LAST["read"](value))
    except Exception:
        return str(value)


def noting(owner: Any, names: Sequence[str], note: Callable[..., None]) -> None:  # noqa: ANN401
    """Calls `note(object, arguments, result)` after each call of one of the named methods."""
    for name in names:
        original = vars(owner).get(name)
        if original is None:
            continue

        @functools.wraps(original)
        def called(self: object, *arguments: object, _original: Any = original, **named: object) -> object:  # noqa: ANN401
            result = _original(self, *arguments, **named)
            note(self, arguments, result)
            return result

        setattr(owner, name, called)


# ---- OR-Tools.


def ortools() -> tuple[dict[str, Any], Callable[[dict[str, Any]], None]]:
    from ortools.sat.python import cp_model

    words = {cp_model.OPTIMAL: "sat", cp_model.FEASIBLE: "sat", cp_model.INFEASIBLE: "unsat"}

    def note(solver: Any, arguments: Sequence[Any], status: Any) -> None:  # noqa: ANN401
        found = words.get(status) == "sat"
        has_objective = bool(arguments) and objective_in(arguments[0])
        LAST.update(status=words.get(status, "unknown"), optimal=has_objective and status == cp_model.OPTIMAL)
        LAST.update(objective=solver.objective_value if found and has_objective else None, read=solver.value)
        if found and arguments:
            chosen = zip(arguments[0].proto.variables, solver.response_proto.solution)
            LAST["shown"] = {variable.name: int(value) for variable, value in chosen if variable.name}

    noting(cp_model.CpSolver, ("solve", "Solve"), note)

    def objective_in(model: Any) -> bool:  # noqa: ANN401
        proto = model.proto
        if hasattr(proto, "has_floating_point_objective"):
            return proto.has_objective() or proto.has_floating_point_objective()
        return proto.HasField("objective") or proto.HasField("floating_point_objective")

    def conclude(names: dict[str, Any]) -> None:
        models = distinct(names, cp_model.CpModel)
        if len(models) == 1:
            cp_model.CpSolver().solve(models[0])
        else:
            linear(names)

    return {"cp_model": cp_model}, conclude


def linear(names: dict[str, Any]) -> None:
    """Solves the only MathOpt model with HiGHS."""
    from ortools.math_opt.python import mathopt

    models = distinct(names, mathopt.Model)
    if len(models) != 1:
        raise SystemExit("The program created no model, or several, and solved none.")
    result = mathopt.solve(models[0], mathopt.SolverType.HIGHS)
    reason = result.termination.reason
    words = {mathopt.TerminationReason.OPTIMAL: "sat", mathopt.TerminationReason.INFEASIBLE: "unsat"}
    status = words.get(reason, "unknown")
    LAST.update(status=status, optimal=status == "sat", read=lambda each: result.variable_values([each])[0])
    LAST["objective"] = result.objective_value() if status == "sat" else None
    if status == "sat":
        LAST["shown"] = {variable.name: value for variable, value in result.variable_values().items() if variable.name}


# ---- CPMpy.


def cpmpy() -> tuple[dict[str, Any], Callable[[dict[str, Any]], None]]:
    import cpmpy as cp
    import numpy as np
    from cpmpy.solvers.solver_interface import SolverInterface

    words = {"OPTIMAL": "sat", "FEASIBLE": "sat", "UNSATISFIABLE": "unsat"}

    def note(solved: Any, _arguments: object, _result: object) -> None:  # noqa: ANN401
        status = solved.status().exitstatus.name
        objective = solved.objective_value()
        LAST.update(status=words.get(status, "unknown"), objective=objective, read=lambda each: each.value())
        LAST["optimal"] = status == "OPTIMAL" and objective is not None

    noting(cp.Model, ("solve",), note)
    for solver in SolverInterface.__subclasses__():
        noting(solver, ("solve",), note)

    def conclude(names: dict[str, Any]) -> None:
        models = distinct(names, cp.Model)
        if len(models) != 1:
            raise SystemExit("The program created no model, or several, and solved none.")
        models[0].solve()

    return {"cp": cp, "np": np}, conclude


# ---- Z3.


def z3() -> tuple[dict[str, Any], Callable[[dict[str, Any]], None]]:
    import z3 as api

    goals: dict[int, list[Any]] = {}

    def note_goal(solver: object, arguments: Sequence[Any], _result: object) -> None:
        goals.setdefault(id(solver), []).append(arguments[0])

    def note(solver: Any, _arguments: object, result: object) -> None:  # noqa: ANN401
        own = goals.get(id(solver), [])
        LAST.update(status=str(result), optimal=str(result) == "sat" if own else None, objective=None)
        if LAST["status"] == "sat":
            model = solver.model()
            LAST.update(read=lambda each: value_in(model, each))
            LAST["shown"] = {each.name(): each() for each in model.decls() if each.arity() == 0}
            LAST["objective"] = value_in(model, own[0]) if own else None

    def value_in(model: Any, term: Any) -> object:  # noqa: ANN401
        value = model.eval(term, model_completion=True)
        if api.is_int_value(value):
            return value.as_long()
        return api.is_true(value) if api.is_bool(value) else str(value)

    noting(api.Optimize, ("minimize", "maximize"), note_goal)
    for solver in (api.Solver, api.Optimize):
        noting(solver, ("check",), note)
    bare: list[Any] = []

    def stated(value: object) -> object:
        parts = list(value) if isinstance(value, (list, tuple)) else [value]
        if parts and all(isinstance(each, (api.BoolRef, bool)) for each in parts):
            bare.extend(parts)
        return value

    def conclude(names: dict[str, Any]) -> None:
        solvers = [*distinct(names, api.Solver), *distinct(names, api.Optimize)]
        solver = solvers[0] if len(solvers) == 1 else api.Solver()
        if not solvers:
            solver.add(*bare)
        elif len(solvers) > 1:
            raise SystemExit("The program created several solvers and checked none.")
        solver.check()

    def counted(compare: Callable[[Any, int], Any]) -> Callable[[Iterable[Any], int], Any]:
        return lambda bools, k: compare(api.Sum([api.If(each, 1, 0) for each in bools]), k)

    helpers = {
        "exactly_k": counted(lambda total, k: total == k),
        "at_most_k": counted(lambda total, k: total <= k),
        "at_least_k": counted(lambda total, k: total >= k),
    }
    offered = {name: value for name, value in vars(api).items() if not name.startswith("__")}
    return {**offered, **helpers, BARE: stated}, conclude


BARE = "__bare__"


class Bare(ast.NodeTransformer):
    """Adds expression statements outside functions as constraints, as the language `z3` does."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    visit_ClassDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if not isinstance(node.value, (ast.Constant, ast.Yield, ast.Await)):
            name = ast.copy_location(ast.Name(BARE, ast.Load()), node)
            node.value = ast.copy_location(ast.Call(name, [node.value], []), node)
        return node


# ---- PySAT.

# The maximum number of clauses in an encoding without auxiliary variables.
PLAIN_CLAUSES_MAX = 3_000


def pysat() -> tuple[dict[str, Any], Callable[[dict[str, Any]], None]]:
    from pysat import solvers
    from pysat.card import CardEnc, EncType
    from pysat.examples.rc2 import RC2
    from pysat.formula import CNF, WCNF

    top = [16_383]

    def note(_solver: object, _arguments: object, result: object) -> None:
        LAST.update(status={True: "sat", False: "unsat"}.get(result, "unknown"), optimal=None, objective=None)  # type: ignore[call-overload]

    def note_best(engine: Any, _arguments: object, model: object) -> None:  # noqa: ANN401
        found = model is not None
        LAST.update(status="sat" if found else "unsat", optimal=found or None, objective=engine.cost if found else None)

    for each in [*vars(solvers).values()]:
        if isinstance(each, type) and "solve" in vars(each) and each is not solvers.Solver:
            noting(each, ("solve",), note)
    noting(RC2, ("compute",), note_best)

    def at_most_k(literals: Iterable[int], k: int) -> list[list[int]]:
        own = list(literals)
        if k < 0:
            return [[]]
        if k >= len(own):
            return []
        if math.comb(len(own), k + 1) <= PLAIN_CLAUSES_MAX:
            return [[-each for each in chosen] for chosen in itertools.combinations(own, k + 1)]
        encoded = CardEnc.atmost(own, bound=k, top_id=max([top[0], *map(abs, own)]), encoding=EncType.seqcounter)
        top[0] = max(top[0], encoded.nv)
        return encoded.clauses

    def at_least_k(literals: Iterable[int], k: int) -> list[list[int]]:
        own = list(literals)
        return at_most_k([-each for each in own], len(own) - k)

    def exactly_k(literals: Iterable[int], k: int) -> list[list[int]]:
        own = list(literals)
        return [*at_most_k(own, k), *at_least_k(own, k)]

    engines = (CNF, WCNF, RC2, CardEnc, EncType, solvers.Glucose3, solvers.Cadical153)
    modules = (collections, itertools, json, math, random, re, time)
    names: dict[str, Any] = {each.__name__: each for each in (*engines, *modules, exactly_k, at_most_k, at_least_k)}
    names.update(
        exactly_one=lambda literals: exactly_k(literals, 1),
        at_most_one=lambda literals: at_most_k(literals, 1),
        implies=lambda a, b: [[-a, b]],
    )

    def conclude(_names: dict[str, Any]) -> None:
        raise SystemExit("The program called no solver.")

    return names, conclude


def dimacs(path: Path) -> None:
    """Reads clauses or weighted clauses from a file."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import CNF, WCNF
    from pysat.solvers import Solver

    text = path.read_text(encoding="utf-8")
    if re.search(r"^p cnf\b", text, re.MULTILINE):
        with Solver(name="cadical195", bootstrap_with=CNF(from_string=text)) as solver:
            LAST.update(status="sat" if solver.solve() else "unsat", objective=None, optimal=None)
            EXPORTED["true"] = [each for each in solver.get_model() or [] if each > 0]
        return
    with RC2(WCNF(from_string=text)) as engine:
        model = engine.compute()
        LAST.update(status="unsat" if model is None else "sat", optimal=model is not None)
        LAST["objective"] = None if model is None else engine.cost
        EXPORTED["true"] = [each for each in model or [] if each > 0]


# ---- The model.

LANGUAGES: Mapping[str, Callable[[], tuple[dict[str, Any], Callable[[dict[str, Any]], None]]]] = {
    "ortools": ortools,
    "cpmpy": cpmpy,
    "z3": z3,
    "pysat": pysat,
}


def distinct(names: dict[str, Any], kind: type) -> list[Any]:
    """Returns the distinct named values of this type."""
    return list({id(each): each for each in names.values() if isinstance(each, kind)}.values())


def main() -> None:
    record = json.loads((HERE / "bundle.json").read_text(encoding="utf-8"))
    items = [HERE / name for name in record["items"] if not name.endswith("checker.py")]
    if items[0].suffix == ".cnf":
        dimacs(items[0])
    else:
        run(record, items)
    told = {"status": LAST["status"], "objective": plain(LAST["objective"]), "optimal": LAST["optimal"]}
    print(
        json.dumps(
            {**told, "values": plain(EXPORTED or LAST.get("shown", {})) if LAST["status"] == "sat" else None},
            default=str,
        )
    )


def run(record: dict[str, Any], items: Sequence[Path]) -> None:
    language = record["language"]
    names, conclude = LANGUAGES[language]()
    if record["data"] is not None:
        names["data"] = json.loads((HERE / record["data"]).read_text(encoding="utf-8"))
    names.update(export_solution=export_solution, __name__="__main__")
    own = dict(names)
    for path in items:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        if language == "z3":
            tree = ast.fix_missing_locations(Bare().visit(tree))
        exec(compile(tree, str(path), "exec"), own)
    if "status" not in LAST:
        conclude({name: value for name, value in own.items() if names.get(name) is not value})
    variables = {name: each for name, each in own.items() if "cpmpy.expressions.variables" in type(each).__module__}
    LAST.setdefault("shown", variables)


main()
