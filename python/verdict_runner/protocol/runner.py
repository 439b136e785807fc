"""The interface of modules that run jobs, and their view of a running job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TypeAlias

# The modules that programs can import, by name.
Modules: TypeAlias = Mapping[str, ModuleType]


@dataclass(frozen=True)
class Task:
    """A running job."""

    items: Sequence[str]
    request: Mapping[str, object] | None
    memory_bytes: int
    # The deadline, as a value of `time.monotonic`.
    until: float
    # Sends an intermediate result immediately, or returns False without sending anything if there is no more room.
    say: Callable[[object], bool]
    # The number of processors that the job's engines can use.
    workers: int = 1
    # The call's data, by name.
    data: Mapping[str, object] | None = None


@dataclass(frozen=True)
class Runner:
    """The functions of a module that runs jobs; `verdict_runner`'s README describes each function."""

    # Audit events that the engine itself raises.
    events: Sequence[str]
    # The number of spare processes that wait for a job.
    spares: int
    versions: Callable[[], Mapping[str, str]]
    warm: Callable[[], None]
    rehearse: Callable[[Modules], None]
    modules: Callable[[], Mapping[str, Mapping[str, object]]]
    solve: Callable[[Task, Modules], object]
    # Whether the module's solvers write files in memory, such as proofs.
    writes_memory_files: bool = False

    @staticmethod
    def of(module: ModuleType) -> Runner:
        """Returns a module's runner; functions that the module lacks are not needed."""
        return Runner(
            getattr(module, "EVENTS", ()),
            getattr(module, "SPARES", 1),
            getattr(module, "versions", dict),
            getattr(module, "warm", _nothing),
            getattr(module, "rehearse", _nothing),
            getattr(module, "modules", dict),
            module.solve,
            getattr(module, "WRITES_MEMORY_FILES", False),
        )


def _nothing(*_: object) -> None:
    """Does nothing, for a module that has nothing to prepare."""
