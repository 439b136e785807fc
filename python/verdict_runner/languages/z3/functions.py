"""Z3 functions in the versions visible to programs."""

from __future__ import annotations

import functools

import z3

from verdict_runner.evidence.smt.solvers import set_param, with_parameters
from verdict_runner.languages.z3 import logics, options
from verdict_runner.languages.z3.run import Method, the_run
from verdict_runner.refusal import Refused


def _set(*arguments: object, **keywords: object) -> None:
    """Replaces `set_param`; accepts only the parameters that models can set."""
    plain, named = options.all_checked(arguments, keywords)
    set_param(*plain, **named)


def _with_checked(tactic: z3.Tactic, *arguments: object, **keywords: object) -> z3.Tactic:
    """Replaces `With`; accepts only the parameters that models can set."""
    plain, named = options.all_checked(arguments, keywords)
    return with_parameters(tactic, *plain, **named)


def _parse(text: object, *arguments: object, **keywords: object) -> z3.AstVector:
    """Replaces `parse_smt2_string`; rejects scripts with forbidden commands."""
    return z3.parse_smt2_string(options.checked_script(text), *arguments, **keywords)


def _solver_for_logic(logic: object, ctx: object = None, logFile: object = None) -> z3.Solver:
    """Creates a solver for all theories: a logic's solver can answer wrongly if the logic omits a theory in use."""
    if str(logic) == "HORN":
        return _solver_for("HORN")
    solver = z3.Solver()
    if str(logic) in logics.KNOWN:
        the_run().logics[id(solver)] = str(logic)
    else:
        the_run().warn(f"SolverFor({str(logic)!r}) is a general Solver() for all theories here, which can be slower.")
    return solver


_solver_for = z3.SolverFor


def _simple_solver(ctx: object = None, logFile: object = None) -> z3.Solver:
    """Creates a solver that keeps constraints as added; Z3's simple solver rewrites, merges or drops some."""
    return z3.Solver()


def _beside(function: Method, note: str | None) -> Method:
    """Wraps a function that creates a solver internally and prints its answer."""

    @functools.wraps(function)
    def called(*arguments: object, **keywords: object) -> object:
        run = the_run()
        run.aside = True
        try:
            return function(*arguments, **keywords)
        finally:
            run.aside = False
            if note:
                run.warn(note)

    return called


def _taking(count: int, function: Method) -> Method:
    """Wraps a Z3 function to refuse an extra argument, which Z3 would interpret as a context."""

    @functools.wraps(function)
    def called(*arguments: object, **keywords: object) -> object:
        if len(arguments) > count:
            raise Refused(
                f"{function.__name__} takes {count} argument{'s' if count > 1 else ''}, but got {len(arguments)}; Z3 would ignore the last one.",
                [f"nest it, or pass And(…) or Or(…) of several expressions as one argument of {function.__name__}"],
            )
        return function(*arguments, **keywords)

    return called


IN_PLACE = {
    "SolverFor": _solver_for_logic,
    "SimpleSolver": _simple_solver,
    "set_param": _set,
    "set_option": _set,
    "With": _with_checked,
    "parse_smt2_string": _parse,
    "Z3Exception": z3.Z3Exception,
    "prove": _beside(
        z3.prove,
        "prove(…) looks for a counterexample: unsat means that the claim is proved, sat that the model is a counterexample.",
    ),
    "solve": _beside(z3.solve, None),
    "Not": _taking(1, z3.Not),
    "Xor": _taking(2, z3.Xor),
    "Implies": _taking(2, z3.Implies),
    "If": _taking(3, z3.If),
}
