"""A model as JSON, for a process that never ran the program: domains, constraints as trees, an objective, and what was found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from verdict_runner.evidence.finite.meaning import Node
from verdict_runner.evidence.questions.shape import Shape
from verdict_runner.protocol.messages import Fields

# What an answer may hand over; a job has some more room for the answer itself.
FORM_CHARS_MAX = 5_000_000


def within_bounds(evidence: Mapping[str, object]) -> Mapping[str, object]:
    """The evidence; only the reason where it is too large."""
    if len(json.dumps(evidence)) > FORM_CHARS_MAX:
        return {"open": "the model is too large for a second check"}
    return evidence


def handed_over(form: Mapping[str, object], named: Named) -> dict[str, object]:
    """A form with the values that the answer names, for a question about all solutions."""
    return {**form, "leaves": json.dumps([list(each) for each in named.leaves]), "shape": named.shape.data()}


# A named value as a node, and whether it is a truth value; read from a message, a list of these two.
Leaf: TypeAlias = Any


@dataclass(frozen=True)
class Named:
    """What an answer shows of a solution: values by name, each place in them with a leaf."""

    leaves: Sequence[Leaf]
    shape: Shape


NO_NAMES = Named([], Shape({}, []))


@dataclass(frozen=True)
class Form:
    """A model, and what an engine said of it."""

    # For each variable closed ranges, `[low, high, low, high, …]`.
    domains: Sequence[Sequence[int]]
    constraints: Sequence[Node]
    objective: Node | None
    is_least: bool
    # One value for each variable, for each solution; the first one is the answer.
    solutions: Sequence[Sequence[int]]
    # Whether no other solutions are said to exist, and whether no better ones are.
    are_all: bool
    is_best: bool
    # Constraints that are said to conflict by themselves; empty means all.
    core: Sequence[int]
    # The second engine may take a tenth of the seconds that solving took.
    seconds: float
    # The engine that said it, by its name in the answer, if it is not CP-SAT.
    engine: str = ""
    # The author's objective has decimals: it is this one divided by the scale.
    scale: int = 1
    # How another solution is shown that contradicts it.
    named: Named = NO_NAMES
    # The same model in CP-SAT's own form, if the language writes models in that form.
    own: str = ""

    def better(self, value: Node) -> Node:
        """The constraint that a solution has a better objective than this one."""
        return ["<", self.objective, value] if self.is_least else ["<", value, self.objective]

    def stated(self, more: Sequence[Node]) -> Form:
        """The problem to decide: the conflicting constraints, or all where none are named, and more."""
        part = [self.constraints[i] for i in self.core] if self.core else self.constraints
        return replace(self, constraints=[*part, *more], core=[])

    def evidence(self) -> Mapping[str, object]:
        """
        The form as a message; only the reason where it is too large. It is one text: the server between the two
        processes reads numbers as doubles, and would round whole numbers beyond 2^53.
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
