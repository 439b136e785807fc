"""Represents a model as JSON, for a process that never ran the program: domains, constraints, objective, solutions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from verdict_runner.evidence.finite.meaning import Node
from verdict_runner.evidence.questions.shape import Shape
from verdict_runner.protocol.messages import Fields

# The maximum length of the evidence; a job's result has more room than this for the answer itself.
FORM_CHARS_MAX = 5_000_000


def within_bounds(evidence: Mapping[str, object]) -> Mapping[str, object]:
    """Returns the evidence, or only a reason if it is too large."""
    if len(json.dumps(evidence)) > FORM_CHARS_MAX:
        return {"open": "the model is too large for a second check"}
    return evidence


def handed_over(form: Mapping[str, object], named: Named) -> dict[str, object]:
    """Combines a form with the values named in the answer, for a question about all solutions."""
    return {**form, "leaves": json.dumps([list(each) for each in named.leaves]), "shape": named.shape.data()}


# A named value as a node, and whether it is a truth value; in a message, a list of these two items.
Leaf: TypeAlias = Any


@dataclass(frozen=True)
class Named:
    """Describes how an answer shows a solution: named values, with a leaf at each position."""

    leaves: Sequence[Leaf]
    shape: Shape


NO_NAMES = Named([], Shape({}, []))


@dataclass(frozen=True)
class Form:
    """A model, and an engine's answer about it."""

    # Closed ranges of each variable, `[low, high, low, high, …]`.
    domains: Sequence[Sequence[int]]
    constraints: Sequence[Node]
    objective: Node | None
    is_least: bool
    # The values of all variables in each solution; the first solution is the answer.
    solutions: Sequence[Sequence[int]]
    # Whether the answer claims that no other solutions exist, and that no better ones exist.
    are_all: bool
    is_best: bool
    # The constraints that the answer claims to be in conflict; empty means all.
    core: Sequence[int]
    # The solving time; the second engine may take a tenth of it.
    seconds: float
    # The engine's name in the answer, unless the engine is CP-SAT.
    engine: str = ""
    # The author's objective can have decimals: it is this objective divided by the scale.
    scale: int = 1
    # Describes how to show a solution that contradicts the answer.
    named: Named = NO_NAMES
    # The same model in CP-SAT's own format, if the language writes models in that format.
    own: str = ""

    def better(self, value: Node) -> Node:
        """Returns the constraint that a solution's objective is better than this value."""
        return ["<", self.objective, value] if self.is_least else ["<", value, self.objective]

    def stated(self, more: Sequence[Node]) -> Form:
        """The problem to decide: the conflicting constraints (all if none are listed) and the additional ones."""
        part = [self.constraints[i] for i in self.core] if self.core else self.constraints
        return replace(self, constraints=[*part, *more], core=[])

    def evidence(self) -> Mapping[str, object]:
        """
        The form as a message, or only the reason if it is too large. The message is a single string: the server between
        the two processes reads numbers as doubles and would round integers beyond 2^53.
        """
        shown = {"leaves": [list(each) for each in self.named.leaves], "shape": self.named.shape.data()}
        message = {**{each.name: getattr(self, each.name) for each in fields(self) if each.name != "named"}, **shown}
        evidence = within_bounds({"form": json.dumps(message)})
        return replace(self, own="").evidence() if self.own and "open" in evidence else evidence

    @staticmethod
    def read(message: Fields) -> Form:
        fields = Fields(json.loads(message.text("form")))
        return Form(
            fields.whole_lists("domains"),
            fields.list("constraints"),
            fields.any("objective"),
            fields.truth("is_least"),
            fields.whole_lists("solutions"),
            fields.truth("are_all"),
            fields.truth("is_best"),
            fields.wholes("core"),
            fields.number("seconds"),
            fields.text("engine"),
            fields.whole("scale"),
            Named(fields.list("leaves"), Shape.read(Fields(fields.any("shape")))),
            fields.text("own"),
        )
