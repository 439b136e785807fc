"""Reads messages from the process that ran a program, which say how the program names the parts of its problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from verdict_runner.protocol.messages import Fields

# A constraint's item and line; None if they are unknown.
Place: TypeAlias = "tuple[int, int] | None"


@dataclass(frozen=True)
class Shown:
    """The line of each constraint, and the names of variables by number."""

    places: Sequence[Place]
    names: Mapping[int, str]

    @staticmethod
    def read(fields: Fields) -> Shown:
        places = [(int(each[0]), int(each[1])) if isinstance(each, list) else None for each in fields.list("places")]
        return Shown(places, {int(key): str(name) for key, name in fields.object("names").items()})
