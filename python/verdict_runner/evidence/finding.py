"""Messages between the server and this package: requests about a problem to jobs without a program, and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from verdict_runner.protocol.messages import Fields, Json

# The maximum length of a question in a result, which has room for 8 MB.
ASKED_CHARS_MAX = 6_000_000


@dataclass(frozen=True)
class Request:
    """Asks whether an answer's evidence supports its status; sent by `recheck` in `recheck.ts`."""

    status: str
    # The evidence produced by the language in the process that ran the program.
    evidence: Fields
    # Whether the call requests a second engine, which then gets all of the time.
    check: bool = False
    # Whether to use an engine other than the default checker, or to return a question for such an engine.
    other: bool = False

    @staticmethod
    def read(request: Mapping[str, object]) -> Request:
        fields = Fields(request)
        check, other = fields.any("check") is True, fields.any("other") is True
        return Request(fields.text("status"), Fields(fields.any("evidence")), check, other)


@dataclass(frozen=True)
class Finding:
    """The result of rechecking an answer: `Finding` and `Recheck` in `recheck.ts`."""

    verdict: Literal["confirmed", "refuted", "open"]
    reason: str | None = None
    optimum: Finding | None = None
    # The second engines that confirm or contradict the answer.
    by: Sequence[str] = ()
    # SMT-LIB for an engine outside Python; it has no solution if the claim is right.
    asked: str | None = None
    # The time that a second engine took.
    seconds: float | None = None
    # A machine-checkable proof of the answer, or why there is none: `Proof` in `certificate.ts`.
    proof: Mapping[str, Json] | None = None
    # Named values that contradict the answer, with their objective: `solution` in `recheck.ts`.
    solution: Mapping[str, Json] | None = None

    def data(self) -> dict[str, Json]:
        told = {each.name: getattr(self, each.name) for each in fields(self)}
        optimum = {} if self.optimum is None else {"optimum": self.optimum.data()}
        return {**{name: value for name, value in told.items() if value is not None}, "by": list(self.by), **optimum}


CONFIRMED = Finding("confirmed")


def refuted(reason: str, by: Sequence[str] = (), solution: Mapping[str, Json] | None = None) -> Finding:
    return Finding("refuted", reason, by=by, solution=solution)


def undecided(reason: str | None) -> Finding:
    return Finding("open", reason)


def to_be_asked(smtlib: str) -> Finding:
    """Returns a question for an engine outside Python, if it fits into a result."""
    if len(smtlib) > ASKED_CHARS_MAX:
        return undecided("the problem is too large for a second engine")
    return Finding("open", asked=smtlib)


# ---- Parts of a problem.


@dataclass(frozen=True)
class ProbeRequest:
    """Asks whether a problem has a solution with only these groups of constraints; sent by `probe` in `why.ts`."""

    problem: Fields
    groups: Sequence[Sequence[int]]
    subset: Sequence[int]
    # For a plan that the problem does not allow: the plan's values, and the problem with the positions of these values.
    plan: Mapping[str, object] | None = None
    space: Fields | None = None

    @staticmethod
    def read(request: Mapping[str, object], name: str = "probe") -> ProbeRequest | None:
        """Reads the request with this name; None if the job asks something else."""
        fields = Fields(request)
        if name not in fields:
            return None
        probe = Fields(fields.any(name))
        problem = Fields(probe.any("problem"))
        groups, kept = problem.whole_lists("groups"), probe.wholes("kept")
        if "plan" not in probe:
            return ProbeRequest(problem, groups, kept)
        return ProbeRequest(problem, groups, kept, probe.object("plan"), Fields(probe.any("space")))

    def kept(self, count: int) -> list[int]:
        """The indices of the constraints that remain."""
        return [*self.always(count), *(each for index in self.subset for each in self.groups[index])]

    def always(self, count: int) -> list[int]:
        """The indices of the constraints that belong to no group."""
        grouped = {index for group in self.groups for index in group}
        return [index for index in range(count) if index not in grouped]


@dataclass(frozen=True)
class Probed:
    """The answer to a probe: `Probed` in `why.ts`."""

    # The verdict: "sat", "unsat" or "open".
    verdict: str
    # For an `unsat`: some of the kept groups that are already unsatisfiable together.
    core: Sequence[int] | None = None

    def data(self) -> dict[str, Json]:
        return {"verdict": self.verdict, **({} if self.core is None else {"core": list(self.core)})}


OPEN = Probed("open")
