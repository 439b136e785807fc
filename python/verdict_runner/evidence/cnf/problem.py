"""Clauses with weights and assumptions, and an engine's answer about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from verdict_runner.protocol.messages import Fields


@dataclass(frozen=True)
class Stated:
    """A problem in the form sent with an answer; the request to check the answer returns it."""

    hard: Sequence[Sequence[int]]
    soft: Sequence[Sequence[int]]
    weights: Sequence[int]
    assumptions: Sequence[int]
    # The model found.
    model: Sequence[int] | None
    # Solutions exported by the program.
    exported: Sequence[Sequence[int]]
    # The claimed cost of the soft clauses, and whether it is claimed to be minimal.
    cost: int | None
    is_least: bool

    @staticmethod
    def read(fields: Fields) -> Stated:
        return Stated(
            fields.whole_lists("hard"),
            fields.whole_lists("soft"),
            [int(each) for each in fields.texts("weights")],
            fields.wholes("assumptions"),
            fields.wholes("model") if "model" in fields else None,
            fields.whole_lists("exported"),
            int(fields.text("cost")) if "cost" in fields else None,
            fields.any("is_least") is True,
        )

    def data(self) -> dict[str, object]:
        """The problem as JSON. Weights are strings, since the server in between would round integers beyond 2^53."""
        weights, cost = [str(each) for each in self.weights], None if self.cost is None else str(self.cost)
        return {**{each.name: getattr(self, each.name) for each in fields(self)}, "weights": weights, "cost": cost}


def in_smtlib(clauses: Iterable[Sequence[int]], variables: Iterable[int] = ()) -> list[str]:
    """Writes clauses as SMT-LIB, for an engine that is not a SAT solver; also declares the additional variables."""
    stated = list(clauses)
    numbers = sorted({abs(each) for clause in stated for each in clause}.union(map(abs, variables)))
    return [
        *(f"(declare-const v{each} Bool)" for each in numbers),
        *(f"(assert {clause_in_smtlib(c)})" for c in stated),
    ]


def cost_in_smtlib(soft: Iterable[Sequence[int]], weights: Iterable[int]) -> str:
    """Writes the total weight of the violated soft clauses as an SMT-LIB sum."""
    return f"(+ 0 0 {' '.join(f'(ite {clause_in_smtlib(c)} 0 {weight})' for c, weight in zip(soft, weights))})"


def clause_in_smtlib(literals: Iterable[int]) -> str:
    """Writes a clause as a disjunction that includes `false`, so that it has at least two operands."""
    return f"(or false false {' '.join(map(literal_in_smtlib, literals))})"


def literal_in_smtlib(literal: int) -> str:
    return f"v{literal}" if literal > 0 else f"(not v{-literal})"
