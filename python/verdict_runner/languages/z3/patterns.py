"""Functions for frequently needed constraints, under the names that models for the original mcp-solver use."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

import z3

from verdict_runner.refusal import Refused

_Item = TypeVar("_Item")
_Solver = TypeVar("_Solver", z3.Solver, z3.Optimize)
# A solver, and the variables to export.
Template: TypeAlias = "tuple[z3.Solver | z3.Optimize, dict[str, z3.ExprRef]]"

# A Z3 array, a Z3 function, or a list of expressions, with elements that are comparable.
Values: TypeAlias = Any

# The maximum number of terms to which a constraint over known indices is expanded, so that Z3 can decide it without
# quantifiers.
WRITTEN_OUT_MAX = 20_000


# ---- Arrays: constraints on the elements at the indices 0 … size - 1. Lists of expressions also work.


def array_is_sorted(arr: Values, size: object, strict: object = False) -> z3.BoolRef:
    """The values at 0 … size - 1 ascend; with `strict`, no two are equal."""
    count = _count(size)
    if count is not None:
        pairs = itertools.pairwise(_at(arr, i) for i in range(count))
        return z3.And([a < b if strict else a <= b for a, b in pairs])
    i, j = z3.FreshInt("i"), z3.FreshInt("j")
    ordered = _at(arr, i) < _at(arr, j) if strict else _at(arr, i) <= _at(arr, j)
    return z3.ForAll([i, j], z3.Implies(z3.And(i >= 0, i < j, j < size), ordered))


def all_distinct(arr: Values, size: object) -> z3.BoolRef:
    """No two of the values at 0 … size - 1 are equal."""
    count = _count(size)
    if count is not None:
        return z3.Distinct([_at(arr, i) for i in range(count)]) if count > 1 else z3.BoolVal(True)
    i, j = z3.FreshInt("i"), z3.FreshInt("j")
    return z3.ForAll([i, j], z3.Implies(z3.And(i >= 0, i < j, j < size), _at(arr, i) != _at(arr, j)))


def array_contains(arr: Values, size: object, value: object) -> z3.BoolRef:
    """One of the values at 0 … size - 1 equals this value."""
    count = _count(size)
    if count is not None:
        return z3.Or([_at(arr, i) == value for i in range(count)])
    i = z3.FreshInt("i")
    return z3.Exists([i], z3.And(i >= 0, i < size, _at(arr, i) == value))


def function_is_injective(func: Values, domain_size: object, range_size: object = None) -> z3.BoolRef:
    """No two indices below `domain_size` have the same value; `range_size` has no effect."""
    return all_distinct(func, domain_size)


def function_is_surjective(func: Values, domain_size: object, range_size: object) -> z3.BoolRef:
    """Each number below `range_size` is the value at some index below `domain_size`."""
    indices, images = _count(domain_size), _count(range_size)
    if indices is not None and images is not None and indices * images <= WRITTEN_OUT_MAX:
        return z3.And([array_contains(func, indices, j) for j in range(images)])
    j = z3.FreshInt("j")
    return z3.ForAll([j], z3.Implies(z3.And(j >= 0, j < range_size), array_contains(func, domain_size, j)))


def _count(size: object) -> int | None:
    """Returns the number of indices, if it is known and small enough to expand."""
    if z3.is_int_value(size):
        size = size.as_long()
    if isinstance(size, bool) or not (isinstance(size, int) or z3.is_int(size)):
        raise Refused(
            f"A size must be an integer or an Int, not {size!r}.",
            ["write the number of indices, for example 8"],
        )
    return max(0, size) if isinstance(size, int) and size <= WRITTEN_OUT_MAX else None


def _at(arr: Values, index: object) -> Values:
    return arr(index) if isinstance(arr, z3.FuncDeclRef) else arr[index]


# ---- Cardinality of Boolean expressions.


def exactly_k(bool_vars: Iterable[object], k: object) -> z3.BoolRef:
    """Exactly k of the Boolean expressions are true; k is a number or an Int."""
    return _counted(bool_vars, k, z3.PbEq, operator.eq)


def at_most_k(bool_vars: Iterable[object], k: object) -> z3.BoolRef:
    """At most k of the Boolean expressions are true; k is a number or an Int."""
    return _counted(bool_vars, k, z3.PbLe, operator.le)


def at_least_k(bool_vars: Iterable[object], k: object) -> z3.BoolRef:
    """At least k of the Boolean expressions are true; k is a number or an Int."""
    return _counted(bool_vars, k, z3.PbGe, operator.ge)


def _counted(
    bool_vars: Iterable[object],
    k: object,
    pseudo_boolean: Callable[..., z3.BoolRef],
    compare: Callable[[Any, Any], Any],
) -> z3.BoolRef:
    each = [z3.BoolVal(one) if isinstance(one, bool) else one for one in bool_vars]
    wrong = next((one for one in each if not z3.is_bool(one)), None)
    if wrong is not None:
        raise Refused(
            f"Counting requires Boolean expressions, but one of these is {wrong!r}.",
            ["give a list such as [p, q, x > 3]"],
        )
    if isinstance(k, int) and 0 <= k <= len(each) and each:
        return pseudo_boolean([(one, 1) for one in each], int(k))
    return compare(z3.Sum([z3.IntVal(0), *(z3.If(one, 1, 0) for one in each)]), k)


# ---- Subsets.


def smallest_subset_with_property(
    items: Iterable[_Item],
    property_check_func: Callable[[list[_Item]], object],
    min_size: int = 1,
    max_size: int | None = None,
) -> list[_Item] | None:
    """Finds a smallest subset of the items that has the property, as a list; None if no subset has it.

    The subsets in `property_check_func.candidate_subsets`, if present, are tried first. A candidate that has the
    property bounds the size of the other subsets to try.
    """
    items = list(items)
    most = len(items) if max_size is None else min(max_size, len(items))
    smallest = None
    for candidate in getattr(property_check_func, "candidate_subsets", ()):
        if min_size <= len(candidate) <= most and property_check_func(list(candidate)):
            smallest, most = list(candidate), len(candidate) - 1
    for size in range(max(0, min_size), most + 1):
        for subset in itertools.combinations(items, size):
            if property_check_func(list(subset)):
                return list(subset)
    return smallest


# ---- Small complete models, as a solver and the variables to export.


def constraint_satisfaction_template() -> Template:
    """Two positive numbers with a bounded sum."""
    x, y = z3.Ints("x y")
    return _holding(z3.Solver(), x > 0, y > 0, x + y <= 10), {"x": x, "y": y}


def optimization_template() -> Template:
    """Two numbers with a bounded sum; the second one counts double in the objective."""
    x, y = z3.Ints("x y")
    optimizer = _holding(z3.Optimize(), x >= 0, y >= 0, x + y <= 10)
    optimizer.maximize(x + 2 * y)
    return optimizer, {"x": x, "y": y, "objective_value": x + 2 * y}


def array_template() -> Template:
    """An array of five ascending numbers below 100."""
    arr = z3.Array("arr", z3.IntSort(), z3.IntSort())
    within = [z3.And(_at(arr, i) >= 0, _at(arr, i) < 100) for i in range(5)]
    return _holding(z3.Solver(), *within, array_is_sorted(arr, 5)), _cells(arr)


def quantifier_template() -> Template:
    """An array of five different ascending numbers below 5."""
    arr = z3.Array("arr", z3.IntSort(), z3.IntSort())
    within = [z3.And(_at(arr, i) >= 0, _at(arr, i) < 5) for i in range(5)]
    return _holding(z3.Solver(), *within, all_distinct(arr, 5), array_is_sorted(arr, 5)), _cells(arr)


def demo_template() -> Template:
    """At least two of five items, whose weights together are at most 10."""
    weights = [z3.Int(f"weight_{i}") for i in range(5)]
    selected = [z3.Bool(f"selected_{i}") for i in range(5)]
    total = z3.Int("total_weight")
    summed = total == z3.Sum([z3.If(chosen, weight, 0) for chosen, weight in zip(selected, weights)])
    within = [z3.And(weight > 0, weight <= 10) for weight in weights]
    solver = _holding(z3.Solver(), *within, summed, total <= 10, at_least_k(selected, 2))
    return solver, {str(each): each for each in (total, *weights, *selected)}


def _holding(solver: _Solver, *constraints: z3.BoolRef) -> _Solver:
    solver.add(*constraints)
    return solver


def _cells(arr: z3.ArrayRef) -> dict[str, z3.ExprRef]:
    return {f"arr[{i}]": arr[i] for i in range(5)}


QUANTIFIERS = (
    array_is_sorted,
    all_distinct,
    array_contains,
    exactly_k,
    at_most_k,
    at_least_k,
    function_is_injective,
    function_is_surjective,
)
SUBSETS = (smallest_subset_with_property,)
TEMPLATES = (
    constraint_satisfaction_template,
    optimization_template,
    array_template,
    quantifier_template,
    demo_template,
)


def by_name(*functions: Callable[..., object]) -> dict[str, object]:
    """Maps functions by their own names."""
    return {each.__name__: each for each in functions}


def modules() -> dict[str, Mapping[str, object]]:
    """Returns the original mcp-solver's modules that contain these functions, by name."""
    quantifiers, subsets, templates = by_name(*QUANTIFIERS), by_name(*SUBSETS), by_name(*TEMPLATES)
    parts = {"z3_templates": quantifiers, "subset_templates": subsets, "function_templates": templates}
    return {
        **parts,
        **{f"mcp_solver.z3.templates.{name}": part for name, part in parts.items()},
        "mcp_solver.z3.templates": {**quantifiers, **subsets, **templates},
        "mcp_solver.helpers": {},
        "mcp_solver.helpers.z3": {**quantifiers, **subsets},
    }
