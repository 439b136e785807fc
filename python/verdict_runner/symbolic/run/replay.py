"""The profile `replay`: a clean interpreter, in which contracts are in force. What was found elsewhere is run here."""

import platform

from verdict_runner.symbolic.code import instrument
from verdict_runner.symbolic.contracts import decorators
from verdict_runner.symbolic.run import bounded, tagged, witness
from verdict_runner.symbolic.run.inspection import inspect
from verdict_runner.symbolic.run.probe import probe

# Audit events that the engine of this profile raises for itself: there is none.
EVENTS = ()


def versions():
    return {"python": platform.python_version()}


def warm():
    """The alarm, and what contracts say of themselves; the rest was imported with this module."""
    bounded.warm()
    decorators.warm()


def rehearse():
    """Nothing to do ahead: a replay is short."""


def modules():
    return {}


def solve(job, modules):
    """Answers one request about the code of a job: `inspect`, `probe` or `replay`."""
    code, request = job["items"][0], job["request"]
    if request["task"] == "inspect":
        return inspect(code, modules, request, job["say"])
    if request["task"] == "probe":
        return probe(code, modules, request, job["say"])
    try:
        return _replay(witness.Case(code, modules, request), request)
    except (tagged.Unencodable, witness.trial.Uncomparable):
        return {"confirmed": False}


def _replay(case, request):
    if request["task_of"] == "check":
        return witness.of_check(case)
    if request["task_of"] == "raises":
        return witness.of_raises(case, request["exception"])
    if request["task_of"] == "compare":
        return witness.of_compare(case)
    return witness.of_branches(case, instrument.Sites(request["functions"]))
