"""Implements the profile `replay`: a clean interpreter with active contracts, which runs inputs from other sources."""

from __future__ import annotations

import platform
import time
from dataclasses import replace

from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.symbolic.code import whole
from verdict_runner.symbolic.contracts import decorators
from verdict_runner.symbolic.contracts.same import Uncomparable
from verdict_runner.symbolic.inputs import tagged
from verdict_runner.symbolic.messages import Difference, Raised, Request, Taken, Unconfirmed, Violation
from verdict_runner.symbolic.run import bounded, probe, witness
from verdict_runner.symbolic.run.inspection import inspect


def versions() -> dict[str, str]:
    return {"python": platform.python_version()}


def warm() -> None:
    """Installs the alarm and the changes to the contract libraries; everything else was imported with this module."""
    bounded.warm()
    decorators.warm()


def solve(task: Task, modules: Modules) -> object:
    """Answers one request about a job's code: `load`, `inspect`, `probe`, `exhaust` or `replay`."""
    code, request = task.items[0], Request.read(task.request)
    if request.task == "load":
        return whole.load(code, modules, None)
    if request.task == "inspect":
        return inspect(code, modules, request, task.say).data()
    if request.task == "probe":
        return probe.probe(code, modules, request, task.say).data()
    if request.task == "exhaust":
        return probe.exhaust(code, modules, request, task.say, time.monotonic() + request.seconds).data()
    reply = _replayed(code, modules, request)
    if isinstance(reply, Unconfirmed):
        return reply.data()
    # This reply counts even if finding a simpler input takes too long.
    task.say(reply.data())
    now = time.monotonic()
    simplest = probe.simplest(code, modules, request, now + (task.until - now) / 4)
    if simplest == request.input:
        return reply.data()
    simpler = _replayed(code, modules, replace(request, input=simplest))
    return (reply if isinstance(simpler, Unconfirmed) else simpler).data()


def _replayed(code: str, modules: Modules, request: Request) -> Taken | Violation | Raised | Difference | Unconfirmed:
    try:
        return REPLAYS[request.task_of](witness.Case(code, modules, request))
    except (tagged.Unencodable, Uncomparable):
        return Unconfirmed()


REPLAYS = {
    "check": witness.of_check,
    "raises": witness.of_raises,
    "compare": witness.of_compare,
    "branches": witness.of_branches,
}
