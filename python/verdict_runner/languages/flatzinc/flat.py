"""Holds a FlatZinc model, in MiniZinc's JSON format, during its translation to CP-SAT."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from ortools.sat.python import cp_model

from verdict_runner.protocol.messages import Fields, Malformed

# A CP-SAT variable, its negation, or a number.
Term: TypeAlias = Any
Literal: TypeAlias = Any
# Ranges of integers, in ascending order.
Ranges: TypeAlias = "list[tuple[int, int]]"

LEAST, MOST = -(2**63), 2**63 - 1
# The bounds of unbounded variables: sums of a thousand such variables still fit into 63 bits.
UNBOUNDED = 2**50
UNBOUNDED_DOUBT = "a variable has no bounds, and CP-SAT considered only values from -2^50 to 2^50"


class Unsupported(Exception):
    """Raised if a part of the model can't be expressed in CP-SAT; the message names that part."""


class Set(tuple[tuple[int, int], ...]):
    """A constant set, as ranges."""

    __slots__ = ()


class Flat:
    """The CP-SAT model, and the mapping from FlatZinc names to it."""

    def __init__(self, text: str) -> None:
        read = Fields(json.loads(text))
        self.model: Any = cp_model.CpModel()
        self.true: Literal = self.model.new_constant(1)
        self.doubts: list[str] = []
        self._variables = read.object("variables")
        self._arrays = read.object("arrays")
        self.constraints = [Fields(each) for each in read.list("constraints")]
        self.output = read.texts("output")
        self.goal = Fields(read.any("solve"))
        self._terms: dict[str, Term] = {}
        self._domains: dict[int, Ranges] = {}
        # Literals stating that a variable has a value, by the variable's index and the value.
        self._values: dict[tuple[int, int], Literal] = {}

    # ---- The names in the FlatZinc.

    def is_bool(self, name: str) -> bool:
        return Fields(self._variables[name]).text("type") == "bool"

    def array(self, name: str) -> list[object] | None:
        """Returns the elements of the named array, as written in the FlatZinc."""
        return Fields(self._arrays[name]).list("a") if name in self._arrays else None

    def alias(self, name: str, term: Term) -> bool:
        """Makes a variable an alias of a term, unless it is already defined."""
        if name not in self._variables or name in self._terms:
            return False
        self._terms[name] = term
        ranges = _ranges_of(Fields(self._variables[name]))
        if ranges is not None:
            self.keep([1], [term], ranges, ())
        return True

    def term(self, value: object) -> Term:
        """Returns a number, a truth value as 0 or 1, or the variable with this name."""
        if isinstance(value, str):
            return self._terms[value] if value in self._terms else self._declare(value)
        if isinstance(value, int):
            return int(value)
        raise Unsupported("real numbers" if isinstance(value, float) else "an argument that is not a number")

    def terms(self, value: object) -> list[Term]:
        return [self.term(each) for each in self._members(value)]

    def literal(self, value: object) -> Literal:
        return self.as_literal(self.term(value))

    def literals(self, value: object) -> list[Literal]:
        return [self.literal(each) for each in self._members(value)]

    def as_literal(self, term: Term) -> Literal:
        if isinstance(term, int):
            return self.true if term else ~self.true
        return term

    def number(self, value: object) -> int:
        term = self.term(value)
        if isinstance(term, int):
            return term
        raise Unsupported("a variable where CP-SAT takes a constant")

    def numbers(self, value: object) -> list[int]:
        return [self.number(each) for each in self._members(value)]

    def ranges(self, value: object) -> Ranges:
        """Reads a constant set as ranges."""
        if not isinstance(value, dict) or "set" not in value:
            raise Unsupported("set variables")
        return [(low, high) for low, high in Fields(value).whole_lists("set")]

    def sets(self, value: object) -> list[Ranges]:
        return [self.ranges(each) for each in self._members(value)]

    def _members(self, value: object) -> Sequence[object]:
        if isinstance(value, str):
            members = self.array(value)
            if members is not None:
                return members
        if isinstance(value, list):
            return value
        raise Malformed("an array was expected")

    def _declare(self, name: str) -> Term:
        if name not in self._variables:
            raise Unsupported(f"the name {name}")
        declared = Fields(self._variables[name])
        kind = declared.text("type")
        if kind not in ("int", "bool"):
            raise Unsupported(
                "real numbers" if kind == "float" else "set variables" if "set" in kind else f"type {kind}"
            )
        if "rhs" in declared:
            term = self.term(declared.any("rhs"))
        elif kind == "bool":
            term = self.fresh([(0, 1)])
        else:
            ranges = _ranges_of(declared)
            if ranges is None and UNBOUNDED_DOUBT not in self.doubts:
                self.doubts.append(UNBOUNDED_DOUBT)
            term = self.fresh(ranges or [(-UNBOUNDED, UNBOUNDED)])
        self._terms[name] = term
        return term

    # ---- The CP-SAT model.

    def fresh(self, ranges: Ranges) -> Term:
        """Adds a new variable."""
        if ranges[0][0] <= LEAST or ranges[-1][1] >= MOST:
            raise Unsupported("numbers beyond 63 bits")
        variable = self.model.new_int_var_from_domain(
            cp_model.Domain.from_intervals([list(each) for each in ranges]), ""
        )
        self._domains[variable.index] = ranges
        return variable

    def domain(self, term: Term) -> Ranges:
        """Returns the declared values of a term."""
        if isinstance(term, int):
            return [(term, term)]
        if term.index < 0:
            return [(0, 1)]
        return self._domains[term.index]

    def bounds(self, term: Term) -> tuple[int, int]:
        domain = self.domain(term)
        return domain[0][0], domain[-1][1]

    def enforce(self, constraint: Any, under: Sequence[Literal]) -> None:  # noqa: ANN401
        if under:
            constraint.only_enforce_if(list(under))

    def never(self, under: Sequence[Literal]) -> None:
        """States that not all of these literals hold."""
        self.model.add_bool_or([~each for each in under])

    def clause(self, literals: Iterable[Literal], under: Sequence[Literal]) -> None:
        self.model.add_bool_or([*literals, *(~each for each in under)])

    def keep(self, weights: Sequence[int], terms: Sequence[Term], ranges: Ranges, under: Sequence[Literal]) -> None:
        """States that a sum lies in these ranges."""
        constant = 0
        sums: dict[int, int] = {}
        variables: dict[int, Term] = {}
        for weight, term in zip(weights, terms):
            if isinstance(term, int):
                constant += weight * term
            else:
                variables[term.index] = term
                sums[term.index] = sums.get(term.index, 0) + weight
        parts = [(variables[index], weight) for index, weight in sums.items() if weight]
        allowed = [(_moved(low, -constant), _moved(high, -constant)) for low, high in ranges]
        if not parts:
            if not any(low <= 0 <= high for low, high in allowed):
                self.never(under)
            return
        if any(abs(weight) > MOST for _, weight in parts):
            raise Unsupported("numbers beyond 63 bits")
        if not allowed:
            self.never(under)
            return
        total = cp_model.LinearExpr.weighted_sum([each for each, _ in parts], [weight for _, weight in parts])
        domain = cp_model.Domain.from_intervals([list(each) for each in allowed])
        self.enforce(self.model.add_linear_expression_in_domain(total, domain), under)

    def narrowed(self, term: Term, ranges: Ranges, under: Sequence[Literal], otherwise: int) -> Term:
        """Restricts a number to these ranges; returns a term with only these values, or `otherwise` if none is left."""
        domain = self.domain(term)
        rest = [
            (max(low, least), min(high, most))
            for low, high in domain
            for least, most in ranges
            if low <= most and least <= high
        ]
        if rest == domain:
            return term
        if not rest:
            self.never(under)
            return otherwise
        same = self.fresh(rest)
        self.keep([1, -1], [term, same], [(0, 0)], under)
        return same

    def all_of(self, literals: Sequence[Literal]) -> Literal:
        """Returns a literal that is true if and only if all of these literals are true."""
        if len(literals) == 1:
            return literals[0]
        together = self.fresh([(0, 1)])
        for each in literals:
            self.clause([each], [together])
        self.clause([together], literals)
        return together

    def note_value(self, term: Term, value: int, literal: Literal) -> bool:
        """Records a literal that the FlatZinc defines as `term = value`, unless there already is one."""
        if isinstance(term, int) or (term.index, value) in self._values:
            return False
        self._values[term.index, value] = literal
        return True

    def has_value(self, term: Term, value: int) -> Literal:
        """Returns the literal for `term = value`."""
        if isinstance(term, int):
            return self.true if term == value else ~self.true
        domain = self.domain(term)
        if not any(low <= value <= high for low, high in domain):
            return ~self.true
        if domain == [(value, value)]:
            return self.true
        if domain == [(0, 1)]:
            return term if value else ~term
        known = self._values.get((term.index, value))
        if known is None:
            known = self._values[term.index, value] = self.fresh([(0, 1)])
            self.keep([1], [term], [(value, value)], [known])
            self.keep([1], [term], complement([(value, value)]), [~known])
        return known


def values_in(ranges: Ranges, most: int) -> list[int]:
    """Lists the values in ranges; raises `Unsupported` if there are more than `most`."""
    if sum(high - low + 1 for low, high in ranges) > most:
        raise Unsupported(f"a constraint that lists more than {most} values")
    return [value for low, high in ranges for value in range(low, high + 1)]


def complement(ranges: Ranges) -> Ranges:
    """Returns the ranges of all numbers that are not in these ranges."""
    outside: Ranges = []
    start = LEAST
    for low, high in ranges:
        if low > start:
            outside.append((start, low - 1))
        start = high + 1
    if start <= MOST:
        outside.append((start, MOST))
    return outside


def _ranges_of(declared: Fields) -> Ranges | None:
    return [(low, high) for low, high in declared.whole_lists("domain")] if "domain" in declared else None


def _moved(end: int, by: int) -> int:
    """Shifts the end of a range by a constant, unless it means unbounded."""
    return end if end in (LEAST, MOST) else max(LEAST, min(MOST, end + by))
