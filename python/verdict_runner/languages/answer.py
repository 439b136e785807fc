"""The answer of a language: a message from its jobs to the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from verdict_runner.protocol.messages import Json


@dataclass(frozen=True)
class ItemLine:
    """A line of an item, the item counted from 0: `unsat_items` of `Result` in `language.ts` of the Python languages."""

    item: int
    line: int
    text: str
    # For a constraint in a loop: the values of the loop variables, such as `day = 4`, or the constraint's own name.
    cases: Sequence[str] = ()

    def data(self) -> dict[str, Json]:
        cases: dict[str, Json] = {"cases": list(self.cases)} if self.cases else {}
        return {"item": self.item, "line": self.line, "text": self.text, **cases}


# The fields of every answer, even if null.
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
    # Why the values, or other data in the answer, might belong to another problem: a sentence.
    unconfirmed: str | None = None
    # Why the engine's answer alone is not enough for an optimum or an `unsat`: a sentence.
    distrusted: str | None = None
    # A bound on the objective, if it is known and the optimum is not.
    objective_bound: float | None = None
    # All the requested solutions; the model is the first one.
    solutions: Sequence[Mapping[str, Json]] | None = None
    # The number of solutions found by the program's own search; the last one is the model, and there are no others.
    found: int | None = None
    # The engine that answered, if the language has several.
    engine: str | None = None
    # The condition under which an unsat holds, besides the model itself.
    under: str | None = None
    # The conflicting constraints, by the program's own names, and by position.
    unsat_core: Sequence[str] | None = None
    unsat_items: Sequence[ItemLine] | None = None

    def data(self) -> dict[str, Json]:
        told = {each.name: getattr(self, each.name) for each in fields(self)}
        items = {} if self.unsat_items is None else {"unsat_items": [each.data() for each in self.unsat_items]}
        known = {name: value for name, value in told.items() if value is not None or name in ALWAYS}
        return {**known, "unchecked": list(self.unchecked), **items}

    def as_json(self, **more: Json) -> dict[str, Json]:
        """The answer as returned to the program, also under the field names of the original mcp-solver."""
        satisfiable = {"sat": True, "unsat": False}.get(self.status)
        return {**self.data(), "satisfiable": satisfiable, "values": self.model or {}, **more}
