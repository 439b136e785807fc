"""Reads from preconditions which values a parameter can have."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from verdict_runner.sandbox import safety

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function


class Domain(NamedTuple):
    """What preconditions state about a parameter: its smallest and largest number, and the constants that it can equal."""

    low: float = -math.inf
    high: float = math.inf
    equal: frozenset[int | str | bytes] | None = None

    def meet(self, other: Domain) -> Domain:
        one, two = self.equal, other.equal
        equal = two if one is None else one if two is None else one & two
        return Domain(max(self.low, other.low), min(self.high, other.high), equal)

    def join(self, other: Domain) -> Domain:
        equal = None if self.equal is None or other.equal is None else self.equal | other.equal
        return Domain(min(self.low, other.low), max(self.high, other.high), equal)


OPEN = Domain()


def domains_of(function: Function) -> dict[str, Domain]:
    """Returns what a function's preconditions state about its own parameters.

    Integers that are compared with each other limit each other.
    """
    own = function.signature.parameters.values()
    numbers = {each.name for each in own if each.annotation is int}
    stated = [each.expression for each in function.contract.preconditions if each.expression]
    # Code that binds `range` can give it another meaning.
    tree = function.subject.tree
    imports = (each.name for each in ast.walk(tree) if isinstance(each, ast.alias))
    hidden = "range" in {*safety.bound_in(tree), *imports}
    conditions = [each for each in stated if not _binds(each) and not (hidden and _uses_range(each))]
    whole = ast.BoolOp(ast.And(), conditions)
    known: dict[str, Domain] = {}
    for _ in range(len(numbers) + 1):
        known = _stated(whole, {name: each for name, each in known.items() if name in numbers})
    names = {each.name for each in own}
    return {name: each for name, each in known.items() if name in names}


def _uses_range(condition: ast.expr) -> bool:
    return any(getattr(each, "id", "") == "range" for each in ast.walk(condition))


def _binds(condition: ast.expr) -> bool:
    """Whether a condition can give a parameter another value (`:=`), so that it states nothing about the argument."""
    return any(isinstance(each, ast.NamedExpr) for each in ast.walk(condition))


def _stated(node: ast.expr, known: Mapping[str, Domain]) -> dict[str, Domain]:
    """Returns the domains of parameters in a condition that must hold; `known` are domains that hold, too."""
    if isinstance(node, ast.BoolOp):
        parts = [_stated(each, known) for each in node.values]
        if isinstance(node.op, ast.And):
            names = {name for each in parts for name in each}
            return {name: reduce(Domain.meet, (each.get(name, OPEN) for each in parts)) for name in names}
        return {name: reduce(Domain.join, (each.get(name, OPEN) for each in parts)) for name in parts[0]}
    domains: dict[str, Domain] = {}
    if isinstance(node, ast.Compare):
        for one, op, other in zip([node.left, *node.comparators], node.ops, node.comparators):
            kind = type(op)
            sides = ((one, kind, other), (other, MIRRORED.get(kind, ast.NotEq), one))
            for name, each, value in sides:
                if isinstance(name, ast.Name):
                    domains[name.id] = domains.get(name.id, OPEN).meet(_compared(each, value, known))
    return domains


MIRRORED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
}


def _compared(op: type[ast.cmpop], value: ast.expr, known: Mapping[str, Domain]) -> Domain:
    """Returns the domain of a parameter for which a comparison with this value holds."""
    if op is ast.In and isinstance(value, (ast.Tuple, ast.List, ast.Set)) and value.elts:
        return reduce(Domain.join, (_domain(each, known) for each in value.elts))
    if op is ast.In and isinstance(value, ast.Call) and getattr(value.func, "id", "") == "range" and not value.keywords:
        bounds = [Domain(low=0), *(_domain(each, known) for each in value.args)][-2:]
        return Domain(bounds[0].low, bounds[1].high - 1) if len(value.args) in (1, 2) else OPEN
    domain = _domain(value, known)
    if op is ast.Eq:
        return domain
    if op in (ast.Lt, ast.LtE):
        return Domain(high=domain.high - (op is ast.Lt))
    return Domain(low=domain.low + (op is ast.Gt)) if op in (ast.Gt, ast.GtE) else OPEN


def _domain(node: ast.expr, known: Mapping[str, Domain]) -> Domain:
    """Returns the domain of a constant, or the known one of a parameter."""
    if isinstance(node, ast.Name):
        return known.get(node.id, OPEN)
    try:
        value = ast.literal_eval(node)
    except (SyntaxError, TypeError, ValueError):
        return OPEN
    if isinstance(value, int):
        # A truth value equals an integer.
        return Domain(value, value, frozenset((int(value),)))
    return Domain(equal=frozenset((value,))) if isinstance(value, (str, bytes)) else OPEN
