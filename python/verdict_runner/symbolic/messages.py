"""Defines the requests about code under analysis, and the replies.

`requestOf` in `src/tools/symbolic/question.ts` creates the request, and `#send` in `examiner.ts` completes it. The
schemas of the replies are in `replies.ts`, under the names of these classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from verdict_runner.protocol.messages import Fields, Json, Message, rendered

# A branch site's number, and the side that was taken.
Side: TypeAlias = tuple[int, bool]


@dataclass(frozen=True)
class Request:
    """One question about a piece of code."""

    # "load", "inspect", "probe", "exhaust", "replay", or, for an exploration, the kind of question.
    task: str
    # The kind of question: "check", "raises", "compare" or "branches".
    task_of: str
    # One function, or the two functions that are compared.
    functions: Sequence[str]
    # The exception that the question asks about.
    exception: str = ""
    # The limits of an exploration or a probe.
    seconds: float = 0.0
    # The time limit for a call that is tried once more.
    patience: float = 0.0
    # The input to run again, as written by `tagged`.
    input: Mapping[str, object] = field(default_factory=dict)
    # The older version of the module, if two versions are compared; the first function belongs to it.
    base: str | None = None

    @staticmethod
    def read(value: object) -> Request:
        fields = Fields(value)
        task = fields.text("task")
        return Request(
            task,
            fields.text("task_of") if "task_of" in fields else task,
            fields.texts("functions"),
            fields.text("exception") if "exception" in fields else "",
            fields.number("seconds") if "seconds" in fields else 0.0,
            fields.number("patience") if "patience" in fields else 0.0,
            fields.object("input") if "input" in fields else {},
            fields.text("base") if "base" in fields else None,
        )


# ---- What is read from the text alone.


@dataclass(frozen=True)
class BranchSite:
    """A function's decision: `Site`."""

    site: int
    line: int
    condition: str
    kind: str
    # The line and column of the condition's start and end; None if it is not an expression.
    place: tuple[int, int, int, int] | None
    # The only side that a constant condition can take.
    constant: bool | None
    # Lines that only run after this side was taken.
    true_lines: Sequence[int]
    false_lines: Sequence[int]


@dataclass(frozen=True)
class Branches:
    """The functions' branches."""

    sites: Sequence[BranchSite]
    cyclomatic_complexity: int
    # Lines that no run reaches, whatever the inputs.
    dead_lines: Sequence[int]


@dataclass(frozen=True)
class ReadBranches(Message):
    """The functions' branches, sent before any of the code runs."""

    branches: Branches
    # Whether running this text's functions proves nothing: `finite.can_mislead`.
    can_mislead: bool


@dataclass(frozen=True)
class ReadContract:
    styles: Sequence[str]
    preconditions: Sequence[str]
    postconditions: Sequence[str]
    raises: Sequence[str]


@dataclass(frozen=True)
class ReadParameter:
    name: str


@dataclass(frozen=True)
class ReadFunction:
    name: str
    parameters: Sequence[ReadParameter]
    # The source text of the result annotation.
    returns: str | None
    contract: ReadContract


@dataclass(frozen=True)
class AssumedTypes:
    """Types, as source text, that stand in for annotations which do not state any: `Assumed`."""

    # The parameter's name in each function.
    names: Sequence[str]
    # All types that are tried, and then the likeliest parts of them.
    choices: Sequence[str]
    # How an annotation was narrowed to these types.
    narrowed: Sequence[str]


@dataclass(frozen=True)
class Inspected(Message):
    """The question's functions, as read and loaded."""

    functions: Sequence[ReadFunction]
    # Reasons against a proof that can't be seen in the functions' texts.
    hazards: Sequence[str]
    notes: Sequence[str]
    # The number of inputs, if running all of them is a proof.
    inputs: int | None
    # The classes whose constructors create the objects passed to the functions.
    made: Sequence[str] = ()
    # The parameters for whose types a proof needs assumptions.
    assumed: Sequence[AssumedTypes] = ()
    # Whether the parameters at the same position of two functions have different names.
    by_place: bool = False


# ---- Messages during the search: `Found`.


@dataclass(frozen=True)
class Tally:
    """The progress of an exploration."""

    paths: int
    verified: int
    skipped: int
    covered: Sequence[Side]


@dataclass(frozen=True)
class Tallied(Message):
    tally: Tally


@dataclass(frozen=True)
class Unending(Message):
    """A sentence about a call that did not terminate."""

    unending: str


@dataclass(frozen=True)
class Candidate(Message):
    """An input with a finding, and the finding."""

    input: Mapping[str, Json]
    key: str
    sides: Sequence[Side]


@dataclass(frozen=True)
class Against:
    """The reasons against a proof, and against trusting an exhausted exploration."""

    claim: Sequence[str]
    trusted: Sequence[str]


@dataclass(frozen=True)
class Limits(Message):
    limits: Against


# ---- How a task ends.


@dataclass(frozen=True)
class Explored(Tally, Message):
    """The end of an exploration."""

    unknown: int
    exhausted: bool
    # Whether an exhausted exploration is a proof.
    claim: bool
    why_not: Sequence[str]
    # Whether only values that the engine computes exactly were involved, that is, no floats.
    trusted: bool
    stopped: str


@dataclass(frozen=True)
class Probed(Message):
    """The end of a run over boundary values."""

    tried: int
    skipped: int
    # The number of inputs for which a function returned.
    returned: int


@dataclass(frozen=True)
class Exhausted(Message):
    """The end of a run over all inputs of a function that has few."""

    ran: int
    # Whether all inputs were run to completion and none answers the question.
    is_all: bool
    covered: Sequence[Side]


@dataclass(frozen=True)
class Unconfirmed(Message):
    """A candidate whose replay did not show what was claimed about it."""

    why: str | None = None

    def data(self) -> dict[str, object]:
        return {"confirmed": False, **({} if self.why is None else {"why": self.why})}


@dataclass(frozen=True)
class Shown:
    """The fields with which each witness begins."""

    args: Mapping[str, Json]
    # The arguments that a `**` parameter receives.
    kwargs: Mapping[str, Json]
    call: str
    # The condition on the arguments that follows from the function's own decisions on the path; None if no expression
    # states it.
    path_condition: str | None
    # The lines of the decisions on the path, with the sides that were taken.
    path_lines: Sequence[Side]


class _Witness:
    """The result of running an input."""

    def data(self) -> object:
        shown = {name: rendered(value) for name, value in vars(self).items()}
        first = shown.pop("shown")
        return {"confirmed": True, **(first if isinstance(first, dict) else {}), **shown}


@dataclass(frozen=True)
class Violation(_Witness):
    """A run of a function that breaks its contract."""

    shown: Shown
    kind: str
    # The kind of finding, one of `violations.CAUSES`.
    cause: str
    violation: str
    line: int | None
    actual_result: Json
    actual_repr: str | None
    stack_trace: str | None
    test: str


@dataclass(frozen=True)
class Raised(_Witness):
    """A run that raises the question's exception."""

    shown: Shown
    cause: str
    exception: str
    line: int | None
    stack_trace: str
    test: str


@dataclass(frozen=True)
class Behaviour:
    """The behaviour of one of two functions."""

    # How the call ended: "value" or "exception".
    kind: str
    result: Json
    repr: str | None
    type: str
    line: int | None


@dataclass(frozen=True)
class Difference(_Witness):
    """An input on which two functions differ."""

    shown: Shown
    # The cause that comes later in `violations.CAUSES` for the two behaviours.
    cause: str
    function_a: Behaviour
    function_b: Behaviour
    explanation: str
    # The explanation for a reader who does not have the text of the call.
    explanation_without_lines: str
    test: str


@dataclass(frozen=True)
class Taken(Message):
    """The branches that one run took."""

    args: Mapping[str, Json]
    outcomes: Sequence[Side]

    def data(self) -> dict[str, object]:
        return {"confirmed": True, "args": self.args, "outcomes": self.outcomes}
