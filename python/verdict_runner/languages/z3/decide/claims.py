"""Compares a program's claims about its answer with the solvers' answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import z3

from verdict_runner.evidence.smt.terms import is_ground
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.stated import computed, leaves, unsupported
from verdict_runner.protocol import values

if TYPE_CHECKING:
    from verdict_runner.evidence.smt.solvers import AnySolver
    from verdict_runner.languages.z3.run import Run

# Patterns for names of constants in a list, as in IntVector, and the maximum depth to which such lists are read.
PLACES = ("{}__{}", "{}_{}", "{}{}", "{}[{}]")
PLACES_MAX = 2
CONTROL_KEYS = frozenset("satisfiable status values objective output".split())


def of_dictionary(solution: Mapping[str, object]) -> tuple[dict[str, object], object, object]:
    """Splits a dictionary with the whole answer into `(variables, satisfiable, objective)`."""
    inner = solution.get("values")
    rest = {name: value for name, value in solution.items() if name not in CONTROL_KEYS}
    return (
        {**(inner if isinstance(inner, dict) else {}), **rest},
        solution.get("satisfiable"),
        solution.get("objective"),
    )


def meant(run: Run, satisfiable: bool) -> AnySolver | None:
    """Returns the solver that a claim without a solver refers to: the last one that gave the claimed answer."""
    verdicts = [(each.solver, each.verdict) for each in run.current.values() if not each.assumptions]
    claimed = z3.sat if satisfiable else z3.unsat
    agreeing = [solver for solver, verdict in verdicts if verdict == claimed]
    solver = (agreeing or [solver for solver, _ in verdicts] or [None])[-1]
    if solver is not None and len(run.solvers) > 1:
        which = f"that was checked last and answered {claimed}" if agreeing else "that was checked last"
        run.warn(
            f"The model has {len(run.solvers)} solvers and export_solution names none: this is the answer of the one {which}."
        )
    return solver


def hold_against(run: Run, answer: Answer, satisfiable: bool | None) -> None:
    """Warns if the solver's answer does not support the program's claim."""
    claimed = "sat" if satisfiable else "unsat"
    if satisfiable and answer.status == "unsat":
        answer.unconfirmed = "This unsat might not be the intended answer: the program says satisfiable=True, but the solver has no solution in its current state. Export the solver before adding constraints that exclude solutions, or add these between s.push() and s.pop()."
    elif satisfiable is not None and answer.status != claimed:
        run.warn(
            f"The program says satisfiable={bool(satisfiable)}, but the solver answered {answer.status}: this answer is the solver's."
        )


def add_property(run: Run, answer: Answer, verified: bool | None) -> None:
    """Adds to the answer whether a property was verified.

    A property was verified if no counterexample exists, or if the program claims so and a solver answered `unsat`.
    """
    if answer.status not in ("sat", "unsat"):
        return
    is_verified = answer.status == "unsat" if verified is None else verified
    needed = "unsat" if is_verified else "sat"
    if verified is not None and needed != answer.status:
        against = unsupported("property_verified", verified, needed, run.answers)
        other = f"it belongs to a check other than that of this answer; export the solver that answered {needed}"
        answer.unconfirmed = f"property_verified={is_verified} is not confirmed: {against or other}."
        is_verified = None if against else is_verified
    answer.model = {"property_verified": is_verified, **(answer.model or {})}


def not_of_solver(model: z3.ModelRef, variables: Mapping[str, object], solver: AnySolver) -> list[str]:
    """The names of exported values that the program computed, not the solver."""
    constants = constants_of(model)
    named = values.named(variables, str)
    own = computed(named, lambda each: is_of_solver(each, solver))
    return [name for name in own if not _agrees_within(model, constants, [name], named[name])]


def constants_of(model: z3.ModelRef) -> dict[str, z3.ExprRef]:
    """The constants to which a model assigns values, by name; ambiguous names are left out."""
    constants = [each() for each in model.decls() if each.arity() == 0]
    times = Counter(each.decl().name() for each in constants)
    return {each.decl().name(): each for each in constants if times[each.decl().name()] == 1}


def misnamed(model: z3.ModelRef, variables: Mapping[str, object]) -> Iterator[tuple[str, z3.ExprRef, z3.ExprRef]]:
    """Yields expressions exported under the name of a constant with a different value, together with that constant."""
    constants = constants_of(model)
    for name, value in variables.items():
        if name in constants and isinstance(value, z3.ExprRef) and not is_ground(value):
            evaluated, own = (model.eval(each, model_completion=True) for each in (value, constants[name]))
            if not evaluated.eq(own):
                yield name, value, own


def _agrees_within(
    model: z3.ModelRef, constants: Mapping[str, z3.ExprRef], names: Sequence[str], value: object, depth: int = 0
) -> bool:
    """Whether each part of a value has a constant's name and the value that the model assigns to this constant.

    `names` are the possible names of the constant for this part: the part's own key, or its position, as in `x_0`.
    """
    if not isinstance(value, (dict, list, tuple)):
        return any(_agrees(model, constants.get(name), value) for name in names)
    if depth == PLACES_MAX or not value:
        return False
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    return all(
        _agrees_within(
            model,
            constants,
            [*([key] if isinstance(key, str) else ()), *(form.format(name, key) for name in names for form in PLACES)],
            each,
            depth + 1,
        )
        for key, each in parts
    )


def is_of_solver(each: object, solver: AnySolver) -> bool:
    """Whether an atomic value contains nothing that the program computed."""
    if isinstance(each, z3.OptimizeObjective):
        return each._opt is solver
    if isinstance(each, z3.AstVector):
        return len(each) > 0 and all(is_of_solver(part, solver) for part in each)
    return isinstance(each, z3.FuncDeclRef) or (isinstance(each, z3.ExprRef) and not is_ground(each))


def expressions(variables: Mapping[str, object]) -> list[z3.ExprRef]:
    """Collects the expressions in exported values."""
    parts = (part for each in leaves(variables) for part in (each if isinstance(each, z3.AstVector) else [each]))
    return [each for each in parts if isinstance(each, z3.ExprRef)]


def _agrees(model: z3.ModelRef, constant: z3.ExprRef | None, value: object) -> bool:
    """Whether the model assigns exactly this value to the constant."""
    if constant is None or not isinstance(value, (bool, int, float, str, z3.ExprRef)):
        return False
    own = model.eval(constant, model_completion=True)
    if isinstance(value, float):
        return value == _float(own)
    if isinstance(value, str):
        return value in (str(own), _text(own))
    if not isinstance(value, z3.ExprRef) and not _is_of_kind(value, constant):
        return False
    try:
        return z3.is_true(model.eval(constant == value, model_completion=True))
    except z3.Z3Exception:
        return False


def _float(value: z3.ExprRef) -> float | None:
    """Returns the float nearest to a real number in a model."""
    exact = value.approx(20) if z3.is_algebraic_value(value) else value
    return float(exact.as_fraction()) if z3.is_rational_value(exact) else None


def _is_of_kind(value: int, constant: z3.ExprRef) -> bool:
    """Whether a program's truth value or integer has the type of a constant's values; True does not count as 1."""
    return z3.is_bool(constant) if isinstance(value, bool) else z3.is_arith(constant) or z3.is_bv(constant)


def _text(value: object) -> str | None:
    return value.as_string() if z3.is_string_value(value) else None
