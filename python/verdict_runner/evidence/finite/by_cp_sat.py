"""Asks CP-SAT again with exactly the model that it first solved, in a process that never ran a program."""

from __future__ import annotations

import base64
import time
import zlib
from collections.abc import Sequence

from ortools.sat.python import cp_model

from verdict_runner.evidence.budget import OutOfTime
from verdict_runner.evidence.finite import proto
from verdict_runner.evidence.finite.form import Form
from verdict_runner.evidence.finite.meaning import Node, Unknown
from verdict_runner.languages.cp import cpsat

# The maximum length of a model; reading one of this length takes a few seconds.
MODEL_CHARS_MAX = 50_000_000


def packed(model: proto.Proto) -> str:
    """Returns the model as a compressed string."""
    return base64.b64encode(zlib.compress(str(model).encode(), 1)).decode()


def _read(form: Form) -> cp_model.CpModel:
    """Reads the CP-SAT model of a form, without the constraints outside the core."""
    model = cp_model.CpModel()
    text = zlib.decompressobj().decompress(base64.b64decode(form.own), MODEL_CHARS_MAX)
    if not model.proto.parse_text_format(text.decode()):
        raise Unknown("a model that can't be read")
    nodes = proto.constraints(model.proto)
    if nodes != form.constraints[: len(nodes)] or proto.domains(model.proto) != form.domains:
        raise Unknown("another model")
    for index, each in enumerate(model.proto.constraints if form.core else []):
        if index not in form.core:
            each.copy_from(type(each)())
    return model


def _add(model: cp_model.CpModel, node: Node) -> None:
    """Adds the constraint that the objective is less than, or greater than, a number."""
    if node[0] != "<":
        raise Unknown("a list of solutions")
    less, more = node[1:]
    number, objective = (more, less) if isinstance(more, int) else (less, more)
    offset, expression = _expression(model, objective)
    model.add(expression < number - offset if number is more else expression > number - offset)


def _expression(model: cp_model.CpModel, node: Node) -> tuple[int, cp_model.LinearExpr]:
    """Splits a sum into its constant and its remaining terms."""
    _, weights, parts, offset = node
    signed = [(-weight, part[1][1]) if part[0] == "neg" else (weight, part[1]) for weight, part in zip(weights, parts)]
    variables = [model.get_int_var_from_proto_index(index) for _, index in signed]
    return offset, cp_model.LinearExpr.weighted_sum(variables, [weight for weight, _ in signed])


def solution(form: Form, more: Sequence[Node], until: float) -> list[int] | None:
    """Finds values that satisfy the form and more constraints, or None; raises `OutOfTime` and `Unknown`."""
    model = _read(form)
    for each in more:
        _add(model, each)
    # Asks only whether a better solution exists; with a rounded objective, CP-SAT would not confirm its own solution.
    if form.core or proto.distrusted(model.proto) is not None:
        model.proto.clear_objective()
        model.proto.clear_floating_point_objective()
    solver = cp_model.CpSolver()
    solver.parameters.stop_after_first_solution = True
    left = until - time.monotonic()
    status = cpsat.solve(solver, model, until) if left > 0 else cp_model.UNKNOWN
    if status == cp_model.INFEASIBLE and proto.distrusted(model.proto) is None:
        return None
    if status not in cpsat.HAS_SOLUTION:
        raise OutOfTime
    return list(solver.response_proto.solution)[: len(form.domains)]
