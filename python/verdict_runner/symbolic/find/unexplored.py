"""Implements the profile `explore` on machines for which CrossHair is not built: explores nothing and reports that."""

from __future__ import annotations

from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.symbolic.messages import Explored


def solve(task: Task, modules: Modules) -> object:
    """Returns the report of an exploration that never began."""
    why_not = ["CrossHair is not available for this machine"]
    nothing = Explored(0, 0, 0, (), 0, False, False, why_not, False, "missing")
    return nothing.data()
