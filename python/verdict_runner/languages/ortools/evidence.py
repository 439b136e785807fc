"""Builds the evidence for a CP-SAT answer: the conflicting constraints, and the model as a form to be rechecked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ortools.sat.python import cp_model

from verdict_runner.evidence import defects
from verdict_runner.evidence.finite import by_cp_sat as again
from verdict_runner.evidence.finite import proto
from verdict_runner.evidence.finite.form import NO_NAMES, Form, Leaf, Named, handed_over
from verdict_runner.evidence.finite.meaning import Unknown
from verdict_runner.languages import why
from verdict_runner.languages.answer import ItemLine
from verdict_runner.languages.cp import cpsat
from verdict_runner.languages.cp.answers import conflict_until, named_leaves
from verdict_runner.languages.cp.conflict import conflicting
from verdict_runner.languages.ortools import watch
from verdict_runner.languages.ortools.watch import Solved
from verdict_runner.languages.why import Place

# The maximum number of variables shown; unnamed variables are left out, since they would be meaningless.
VALUES_MAX = 20_000


def conflict_of(solved: Solved) -> list[int]:
    """The indices of conflicting constraints; all constraints if the time was too short to find fewer."""
    run = watch.the_run()
    until = conflict_until(solved.seconds, run.solving_until)
    model = defects.Model(proto.domains(solved.proto), proto.constraints(solved.proto))
    doubtful = defects.doubtful("CP-SAT", model)

    def with_intervals(some: Sequence[int]) -> set[int]:
        return {*some} | proto.intervals_of(solved.proto, {*some})

    def is_unsat(some: Sequence[int]) -> bool:
        indices = with_intervals(some)
        # CP-SAT's answer alone does not prove a conflict between constraints that a known defect affects.
        if not doubtful.isdisjoint(indices):
            return False
        part = cpsat.copy_of(solved.model)
        part.proto.clear_objective()
        part.proto.clear_floating_point_objective()
        for index, each in enumerate(part.proto.constraints):
            if index not in indices:
                each.copy_from(type(each)())
        return cpsat.solve(cp_model.CpSolver(), part, until) == cp_model.INFEASIBLE

    return sorted(with_intervals(conflicting(places_of(solved), is_unsat, until)))


def lines_of(solved: Solved, core: Sequence[int]) -> list[ItemLine]:
    places = places_of(solved)
    return why.lines_of(watch.the_run().items, [places[index] for index in core])


def places_of(solved: Solved) -> list[Place]:
    """Each constraint's line and case; an interval that only names a start and a size has none."""
    places = [*solved.places, *[None] * len(solved.proto.constraints)]
    return [
        None
        if place is None or (each.has_interval() and not proto.constrains(each.interval))
        else place._replace(case=each.name or place.case)
        for each, place in zip(solved.proto.constraints, places)
    ]


def space_of(solved: Solved, variables: Mapping[str, object] | None) -> Mapping[str, object]:
    """Returns the model and the values named in the answer, for a question about all solutions."""
    if len(solved.proto.assumptions):
        watch.the_run().warn("The question is about the model under its assumptions (add_assumptions).")
    return handed_over(evidence_of(solved, [solved.values], False, []), named_in(solved, variables))


def named_in(solved: Solved, variables: Mapping[str, object] | None) -> Named:
    """Describes how to show a solution: by the exported values or by the named variables."""

    def leaf(value: object) -> Leaf | None:
        flat = cp_model.FlatIntExpr(value) if isinstance(value, cp_model.LinearExpr) and value.is_integer() else None
        if flat is None or not flat.vars:
            return None
        return ["linear", list(flat.coeffs), [["v", each.index] for each in flat.vars], int(flat.offset)], False

    return named_leaves(variables, lambda: variables_of(solved), leaf)


def variables_of(solved: Solved) -> dict[str, object]:
    """The named variables, under the names shown in the answer."""
    return {name: solved.model.get_int_var_from_proto_index(index) for name, index in names_of(solved).items()}


def names_of(solved: Solved) -> dict[str, int]:
    """The indices of the named variables, by the names shown in the answer."""
    names: dict[str, int] = {}
    for index, each in enumerate(solved.proto.variables):
        if each.name and len(names) < VALUES_MAX:
            names[each.name if each.name not in names else f"{each.name}#{index}"] = index
    return names


def evidence_of(
    solved: Solved,
    solutions: Sequence[Sequence[int]],
    are_all: bool,
    core: Sequence[int],
    named: Named = NO_NAMES,
) -> Mapping[str, object]:
    try:
        objective = proto.objective(solved.proto)
        nodes = proto.constraints(solved.proto)
    except Unknown as unknown:
        return {"open": f"it has {unknown}, which the second check does not know"}
    assumed = [["v", each] if each >= 0 else ["not", ["v", ~each]] for each in solved.proto.assumptions]
    count = len(nodes)
    is_best = objective is not None and solved.status == cp_model.OPTIMAL
    form = Form(
        proto.domains(solved.proto),
        [*nodes, *assumed],
        objective and objective.node,
        objective is None or objective.is_least,
        solutions,
        are_all,
        is_best,
        [*core, *range(count, count + len(assumed))] if core else [],
        solved.seconds,
        scale=1 if objective is None else objective.scale,
        named=named,
        own="" if solutions and not is_best else again.packed(solved.proto),
    )
    return form.evidence()
