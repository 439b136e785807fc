"""Hands an answer's problem over to a process that answers a question about all solutions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import z3

from verdict_runner.evidence.questions.shape import Shape
from verdict_runner.evidence.questions.with_z3 import collected, definitions
from verdict_runner.evidence.smt import aims as z3_aims
from verdict_runner.evidence.smt.aims import Aim
from verdict_runner.evidence.smt.problem import handed_over
from verdict_runner.evidence.smt.terms import is_ground, is_open, terms
from verdict_runner.languages.z3.decide.shown import constants, is_constant
from verdict_runner.languages.z3.run import Check, the_run


def space(
    check: Check,
    model: z3.ModelRef,
    variables: Mapping[str, object] | None,
    own: Mapping[str, object] | None,
    aims: Sequence[Aim],
) -> dict[str, object]:
    """Returns the problem (only its optimal solutions if there is an objective) and the terms that the answer names."""
    run = the_run()
    tracked = set(map(str, check.names))
    assertions = check.constraints
    is_plan = run.question is not None and run.question.kind == "plan"
    if check.aims and not aims and not is_plan:
        return {
            "open": "the optimum is not proved, and the solutions of a model with an objective are the optimal ones"
        }
    leaves: list[z3.ExprRef] = []
    place = collected(leaves, lambda each: not is_ground(each))
    shape = Shape.of(variables, place) if variables is not None else Shape({}, [])
    if not shape.named:
        # The program exports numbers read from its model, but the question is about the constants themselves.
        named = _constants(assertions, model, own or {})
        others = Shape.of({name: each for name, each in named.items() if name not in tracked}, place)
        shape = Shape(others.named, [*shape.left_out, *others.left_out])
    is_ranking = run.question is not None and run.question.is_of_all
    if is_ranking and not aims and not is_plan:
        return {"open": "the solver has no objective: use Optimize with minimize or maximize"}
    if not is_ranking:
        assertions += z3_aims.equations(aims, model)
    aim_definitions = definitions((expression for expression, _ in aims), "objective") if is_ranking else []
    stated = [*assertions, *aim_definitions, *definitions(leaves, "leaf")]
    return {
        **handed_over(stated),
        "aims": len(aim_definitions),
        "leaves": len(leaves),
        "largest": [largest for _, largest in aims],
        "shape": shape.data(),
    }


def _constants(
    assertions: Sequence[z3.ExprRef], model: z3.ModelRef, own: Mapping[str, object]
) -> Mapping[str, z3.ExprRef | z3.FuncDeclRef]:
    """The constants in the constraints, the model and the program, by name."""
    constants: dict[str, z3.ExprRef | z3.FuncDeclRef] = {}
    for each in _declared(assertions, model, own):
        declaration = each if isinstance(each, z3.FuncDeclRef) else each.decl()
        name = declaration.name()
        known = constants.get(name)
        # Z3 adds its own names to a model.
        if "!" in name or (known is not None and known.eq(each)):
            continue
        # Constants of several sorts can have the same name.
        constants[f"{name}: {declaration.range()}" if name in constants else name] = each
    return dict(sorted(constants.items()))


def _declared(
    assertions: Sequence[z3.ExprRef], model: z3.ModelRef, own: Mapping[str, object]
) -> Iterator[z3.ExprRef | z3.FuncDeclRef]:
    for term in terms(assertions, bodies=False):
        if is_constant(term):
            yield term
        elif z3.is_app(term) and is_open(term):
            yield term.decl()
    for declaration in model.decls():
        if declaration.kind() == z3.Z3_OP_UNINTERPRETED:
            yield declaration if declaration.arity() > 0 else declaration()
    yield from constants(own)
