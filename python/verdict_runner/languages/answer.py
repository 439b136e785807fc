"""Defines a language's answer: a message from its jobs to the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from verdict_runner.protocol.messages import Json


@dataclass(frozen=True)
class ItemLine:
    """A line in an item (items count from 0): `unsat_items` of `Result` in the Python languages' `language.ts`."""

    item: int
    line: int
    text: str
    # For a constraint in a loop: the values of the loop variables, such as `day = 4`, or the constraint's own name.
    cases: Sequence[str] = ()

    def data(self) -> dict[str, Json]:
        cases: dict[str, Json] = {"cases": list(self.cases)} if self.cases else {}
        return {"item": self.item, "line": self.line, "text": self.text, **cases}


# The fields that every answer contains, even if they are null.
ALWAYS = frozenset(("model", "objective_value", "optimal"))


@dataclass
class Answer:
    """The decision about a model: `Result` in `src/tools/model/languages/python/language.ts`."""

    status: str
    reason: str | None = None
    # Named values; None if there is no solution to show.
    model: dict[str, Json] | None = None
    objective_value: Json = None
    # Whether the objective value was proved optimal; None without an objective.
    optimal: bool | None = None
    statistics: Mapping[str, Json] = field(default_factory=dict)
    # The names of values that the program computed itself.
    unchecked: Sequence[str] = ()
    # A sentence saying why the values, or other data in the answer, might belong to another problem.
    unconfirmed: str | None = None
    # A sentence saying why the engine's answer alone proves no optimum or `unsat`.
    distrusted: str | None = None
    # A bound on the objective, if a bound is known and the optimum is not.
    objective_bound: float | None = None
    # All the requested solutions; the model is the first one.
    solutions: Sequence[Mapping[str, Json]] | None = None
    # The number of solutions that the program's own search found, if they are all solutions; the last one is the model.
    found: int | None = None
    # The engine that answered, if the language has several engines.
    engine: str | None = None
    # The condition, besides the model itself, under which an `unsat` holds.
    under: str | None = None
    # The conflicting constraints, by the program's own names and by position.
    unsat_core: Sequence[str] | None = None
    unsat_items: Sequence[ItemLine] | None = None

    def data(self) -> dict[str, Json]:
        told = {each.name: getattr(self, each.name) for each in fields(self)}
        items = {} if self.unsat_items is None else {"unsat_items": [each.data() for each in self.unsat_items]}
        known = {name: value for name, value in told.items() if value is not None or name in ALWAYS}
        return {**known, "unchecked": list(self.unchecked), **items}

    def as_json(self, **more: Json) -> dict[str, Json]:
        """The answer as returned to the program; it also uses the field names of the original mcp-solver."""
        satisfiable = {"sat": True, "unsat": False}.get(self.status)
        return {**self.data(), "satisfiable": satisfiable, "values": self.model or {}, **more}
