"""The profile `replay`: a clean interpreter, in which contracts are active. Inputs from other sources are run here."""

from __future__ import annotations

import platform
from collections.abc import Mapping

from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.symbolic.code import instrument
from verdict_runner.symbolic.contracts import decorators
from verdict_runner.symbolic.contracts.same import Uncomparable
from verdict_runner.symbolic.messages import Difference, Raised, Request, Taken, Unconfirmed, Violation
from verdict_runner.symbolic.run import bounded, tagged, witness
from verdict_runner.symbolic.run.inspection import inspect
from verdict_runner.symbolic.run.probe import probe

# Audit events that the engine of this profile raises itself: none.
EVENTS = ()


def versions() -> dict[str, str]:
    return {"python": platform.python_version()}


def warm() -> None:
    """Installs the alarm and the changes to the contract libraries; everything else was imported with this module."""
    bounded.warm()
    decorators.warm()


def rehearse(_: Modules) -> None:
    """Nothing to do ahead: a replay is short."""


def modules() -> dict[str, Mapping[str, object]]:
    return {}


def solve(task: Task, modules: Modules) -> object:
    """Answers one request about the code of a job: `inspect`, `probe` or `replay`."""
    code, request = task.items[0], Request.read(task.request)
    if request.task == "inspect":
        return inspect(code, modules, request, task.say).data()
    if request.task == "probe":
        return probe(code, modules, request, task.say).data()
    try:
        return _replay(witness.Case(code, modules, request), request).data()
    except (tagged.Unencodable, Uncomparable):
        return Unconfirmed().data()


def _replay(case: witness.Case, request: Request) -> Violation | Raised | Difference | Taken | Unconfirmed:
    if request.task_of == "check":
        return witness.of_check(case)
    if request.task_of == "raises":
        return witness.of_raises(case, request.exception)
    if request.task_of == "compare":
        return witness.of_compare(case)
    return witness.of_branches(case, instrument.Sites(request.functions))
