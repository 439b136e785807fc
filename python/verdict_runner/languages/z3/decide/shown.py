"""Converts the model values that an answer shows to JSON."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from typing import TypeGuard

import z3

from verdict_runner.evidence.smt import aims as z3_aims
from verdict_runner.evidence.smt import values as z3_values
from verdict_runner.languages.z3 import objectives
from verdict_runner.languages.z3.decide import optimum as z3_optimum
from verdict_runner.languages.z3.run import flat
from verdict_runner.protocol import values
from verdict_runner.protocol.messages import Json


def shown(
    model: z3.ModelRef, variables: Mapping[str, object] | None, own: Mapping[str, object] | None
) -> dict[str, Json]:
    """Returns the values of `variables` in a model, or of all constants in the model and the program."""
    if variables is not None:
        return values.object_of(variables, lambda value: value_in(model, value))
    named = {}
    for declaration in model.decls():
        # Z3 adds internal functions to a model, for example for division by zero.
        if declaration.kind() == z3.Z3_OP_UNINTERPRETED and "!" not in declaration.name():
            name = declaration.name()
            # Constants of several sorts can have the same name.
            named[f"{name}: {declaration.range()}" if name in named else name] = _interpretation(model, declaration)
    for value in constants(own or {}):
        name = value.decl().name()
        if name not in named:
            named[name] = value_in(model, value)
    return dict(sorted(named.items()))


def constants(own: Mapping[str, object]) -> Iterator[z3.ExprRef]:
    """Yields the constants in the program's variables, since a model can omit free constants."""
    for value in own.values():
        for each in flat(value.values() if isinstance(value, dict) else [value]):
            if is_constant(each):
                yield each


def is_constant(value: object) -> TypeGuard[z3.ExprRef]:
    """Whether a value is an uninterpreted Z3 constant."""
    return isinstance(value, z3.ExprRef) and z3.is_const(value) and value.decl().kind() == z3.Z3_OP_UNINTERPRETED


def _interpretation(model: z3.ModelRef, declaration: z3.FuncDeclRef) -> Json:
    meaning = model[declaration]
    if isinstance(meaning, z3.FuncInterp):
        return z3_values.function(meaning)
    return value_in(model, declaration())


def value_in(model: z3.ModelRef, value: object) -> Json:
    """Converts a program's value in the model to JSON."""
    if isinstance(value, z3.FuncDeclRef):
        if value.arity() > 0:
            return z3_values.function(_function_of(model, value))
        value = value()
    if isinstance(value, z3.ExprRef):
        return z3_values.to_json(_evaluated(model, value))
    if isinstance(value, z3.OptimizeObjective):
        return z3_aims.to_json(z3_optimum.value_of(objectives.answered(value)))
    if isinstance(value, z3.FuncInterp):
        return z3_values.function(value)
    if isinstance(value, (z3.AstVector, types.GeneratorType)):
        return [values.plain(each, lambda other: value_in(model, other)) for each in value]
    return str(value)


def _function_of(model: z3.ModelRef, declaration: z3.FuncDeclRef) -> z3.FuncInterp:
    """Returns a function's interpretation; evaluating the function creates one if the model leaves it free."""
    model.eval(
        declaration(*(z3.FreshConst(declaration.domain(i)) for i in range(declaration.arity()))), model_completion=True
    )
    meaning = model[declaration]
    if not isinstance(meaning, z3.FuncInterp):
        raise z3.Z3Exception(f"the model has no interpretation of {declaration.name()}")
    return meaning


def _evaluated(model: z3.ModelRef, value: z3.ExprRef) -> z3.ExprRef:
    result = model.eval(value, model_completion=True)
    if z3.is_as_array(result):
        function = model[z3.get_as_array_func(result)]
        return _spelled(value.sort(), function) if isinstance(function, z3.FuncInterp) else result
    return result


def _spelled(sort: z3.SortRef, interpretation: z3.FuncInterp) -> z3.ExprRef:
    """Rewrites an array that Z3 returned as a function as a chain of stores."""
    rest = interpretation.else_value()
    if rest is None or interpretation.arity() != 1 or not isinstance(sort, z3.ArraySortRef):
        return z3.Const("?", sort)
    array = z3.K(sort.domain(), rest)
    for i in range(interpretation.num_entries()):
        entry = interpretation.entry(i)
        array = z3.Store(array, entry.arg_value(0), entry.value())
    return array
