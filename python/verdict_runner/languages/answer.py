"""The answer of a language, and the request to check one: messages between its jobs and the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from verdict_runner.protocol.messages import Fields, Json

# A result has room for 8 MB.
ASKED_CHARS_MAX = 6_000_000


@dataclass(frozen=True)
class ItemLine:
    """A line of an item, the item counted from 0: `unsat_items` of `Result` in `language.ts` of the Python languages."""

    item: int
    line: int
    text: str
    # Of a constraint in a loop: the values of the loop variables, such as `day = 4`, or its own name.
    cases: Sequence[str] = ()

    def data(self) -> dict[str, Json]:
        cases: dict[str, Json] = {"cases": list(self.cases)} if self.cases else {}
        return {"item": self.item, "line": self.line, "text": self.text, **cases}


@dataclass
class Answer:
    """The decision about a model: `Result` in `src/tools/model/languages/python/language.ts`."""

    status: str
    reason: str | None = None
    # Values by name; None if there is no solution to show.
    model: dict[str, Json] | None = None
    objective_value: Json = None
    # Whether the objective value was proved optimal; None without an objective.
    optimal: bool | None = None
    statistics: Mapping[str, Json] = field(default_factory=dict)
    # Names among the values that the program computed itself.
    unchecked: Sequence[str] = ()
    # Why the values, or other data of the answer, might belong to another problem: a sentence.
    unconfirmed: str | None = None
    # Why the engine's word alone is not enough for an optimum or an unsat: a sentence.
    distrusted: str | None = None
    # What the objective can't be better than, where that is known and the optimum is not.
    objective_bound: float | None = None
    # All solutions that were asked for; the model is the first one.
    solutions: Sequence[Mapping[str, Json]] | None = None
    # How many solutions the program's own search found; the last one is the model, and no other was left.
    found: int | None = None
    # The engine that answered, where the language has several.
    engine: str | None = None
    # The condition under which an unsat holds, besides the model itself.
    under: str | None = None
    # The conflicting constraints, by the program's own names, and by position.
    unsat_core: Sequence[str] | None = None
    unsat_items: Sequence[ItemLine] | None = None

    def data(self) -> dict[str, Json]:
        items = None if self.unsat_items is None else [each.data() for each in self.unsat_items]
        fields: dict[str, Json] = {
            "reason": self.reason,
            "unconfirmed": self.unconfirmed,
            "distrusted": self.distrusted,
            "objective_bound": self.objective_bound,
            "solutions": self.solutions,
            "found": self.found,
            "engine": self.engine,
            "under": self.under,
            "unsat_core": self.unsat_core,
            "unsat_items": items,
        }
        return {
            "status": self.status,
            "model": self.model,
            "objective_value": self.objective_value,
            "optimal": self.optimal,
            "statistics": self.statistics,
            "unchecked": list(self.unchecked),
            **{name: value for name, value in fields.items() if value is not None},
        }

    def as_json(self, **more: Json) -> dict[str, Json]:
        """The answer in the form in which a program is given it back, under the names of the original mcp-solver, too."""
        satisfiable = {"sat": True, "unsat": False}.get(self.status)
        return {**self.data(), "satisfiable": satisfiable, "values": self.model or {}, **more}


@dataclass(frozen=True)
class RecheckRequest:
    """Asks whether the evidence of an answer supports its status: `recheck` in `recheck.ts` sends it."""

    status: str
    # The evidence that the language produced in the process that ran the program.
    evidence: Fields
    # Whether the call asks for a second engine, which then gets all of the time.
    check: bool = False
    # Asks for the word of another engine than the one that checks otherwise, or for a question to one.
    other: bool = False

    @staticmethod
    def read(request: Mapping[str, object]) -> RecheckRequest:
        fields = Fields(request)
        check, other = fields.any("check") is True, fields.any("other") is True
        return RecheckRequest(fields.text("status"), Fields(fields.any("evidence")), check, other)


@dataclass(frozen=True)
class Finding:
    """The result of such a check: `Finding` and `Recheck` in `recheck.ts`."""

    verdict: Literal["confirmed", "refuted", "open"]
    reason: str | None = None
    optimum: Finding | None = None
    # Second engines that came to the same, or that contradict it.
    by: Sequence[str] = ()
    # SMT-LIB that has no solution if the claim is right, for an engine outside of Python.
    asked: str | None = None
    # How long a second engine worked on it.
    seconds: float | None = None
    # A proof of it that a checker can read, or why there is none: `Proof` in `certificate.ts`.
    proof: Mapping[str, Json] | None = None
    # Values by name that contradict it, with their objective: `solution` in `recheck.ts`.
    solution: Mapping[str, Json] | None = None

    def data(self) -> dict[str, Json]:
        reason = {} if self.reason is None else {"reason": self.reason}
        optimum = {} if self.optimum is None else {"optimum": self.optimum.data()}
        by = {"by": list(self.by)} if self.by else {}
        proof = {} if self.proof is None else {"proof": self.proof}
        solution = {} if self.solution is None else {"solution": self.solution}
        asked = {} if self.asked is None else {"asked": self.asked}
        seconds = {} if self.seconds is None else {"seconds": self.seconds}
        return {"verdict": self.verdict, **reason, **optimum, **by, **asked, **seconds, **proof, **solution}


CONFIRMED = Finding("confirmed")


def refuted(reason: str, by: Sequence[str] = (), solution: Mapping[str, Json] | None = None) -> Finding:
    return Finding("refuted", reason, by=by, solution=solution)


def undecided(reason: str | None) -> Finding:
    return Finding("open", reason)


def to_be_asked(smtlib: str) -> Finding:
    """A question for an engine outside of Python, if an answer has room for it."""
    if len(smtlib) > ASKED_CHARS_MAX:
        return undecided("the problem is too large for a second engine")
    return Finding("open", asked=smtlib)
