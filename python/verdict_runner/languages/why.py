"""What `why` leaves out of a model: the constraints of each line, as a problem for a process that never ran the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from verdict_runner.languages.answer import ItemLine
from verdict_runner.protocol.messages import Fields, Json

# An item, and a line in it; None for a constraint whose line is not known.
Place: TypeAlias = "tuple[int, int] | None"


def is_wanted(request: Mapping[str, object] | None) -> bool:
    """Whether the call asks why."""
    return request is not None and request.get("why") is True


def lines_of(items: Sequence[str], places: Sequence[tuple[int, int]]) -> list[ItemLine]:
    """Positions in the items, with their text."""
    positions = []
    for item, line in places:
        lines = items[item].splitlines()
        positions.append(ItemLine(item, line, lines[line - 1].strip() if line <= len(lines) else ""))
    return positions


def why_question(problem: Mapping[str, object], places: Sequence[Place], items: Sequence[str]) -> Mapping[str, object]:
    """A problem with the constraints that each line states: `WhyQuestion` in `why.ts`.

    `places` are those of the first constraints of the problem; all others are always kept.
    """
    groups: dict[tuple[int, int], list[int]] = {}
    for index, place in enumerate(places):
        if place is not None:
            groups.setdefault(place, []).append(index)
    known = sorted(groups)
    return {
        "problem": {**problem, "groups": [groups[place] for place in known]},
        "parts": [each.data() for each in lines_of(items, known)],
    }


@dataclass(frozen=True)
class ProbeRequest:
    """Asks whether a problem has a solution with only these groups of constraints kept: `probe` in `why.ts` sends it."""

    problem: Fields
    groups: Sequence[Sequence[int]]
    subset: Sequence[int]

    @staticmethod
    def read(request: Mapping[str, object]) -> ProbeRequest | None:
        """None for a job that asks something else."""
        fields = Fields(request)
        if "probe" not in fields:
            return None
        probe = Fields(fields.any("probe"))
        problem = Fields(probe.any("problem"))
        return ProbeRequest(problem, problem.whole_lists("groups"), probe.wholes("kept"))

    def always(self, count: int) -> list[int]:
        """The constraints that belong to no group."""
        grouped = {index for group in self.groups for index in group}
        return [index for index in range(count) if index not in grouped]


@dataclass(frozen=True)
class Probed:
    """The answer: `Probed` in `why.ts`."""

    # "sat", "unsat" or "open".
    verdict: str
    # Of an unsat: groups among the kept ones that have no solution either.
    core: Sequence[int] | None = None

    def data(self) -> dict[str, Json]:
        return {"verdict": self.verdict, **({} if self.core is None else {"core": list(self.core)})}


OPEN = Probed("open")
