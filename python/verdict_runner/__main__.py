"""`python -I verdict_runner check`, or `… z3|pysat fork|once`: one process, JSON lines in and out."""

import gc
import json
import os
import sys

if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "verdict_runner"

from verdict_runner import sandbox, talk  # noqa: E402


def main(arguments):
    if arguments[0] == "check":
        return check()
    language, mode = arguments
    places = [*dict.fromkeys((sys.prefix, sys.base_prefix, os.path.dirname(os.path.dirname(__file__))))]
    return fork(language, places) if mode == "fork" else once(language, places)


def check():
    """Answers requests to check a model or to read a text, for as long as there are any; it runs none of it."""
    from verdict_runner import check as checker
    from verdict_runner import syntax

    sandbox.confine_checker()
    talk.send(1, {"ready": True})
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "syntax" in request:
            answer = syntax.syntax(request["syntax"])
        else:
            answer = checker.check(request["language"], request["items"])
        talk.send(1, {"id": request["id"], **answer})


def fork(language, places):
    # Opened while files can still be written; jobs turn their standard descriptors to it.
    null = os.open(os.devnull, os.O_RDWR)
    sandbox.forget_environment()
    reached = sandbox.confine_server(places)
    from verdict_runner import fork_server

    profile, modules = load(language)
    layers = [*reached, *sandbox.job_layers()]
    talk.send(1, {"ready": True, "versions": profile.versions(), "isolation": layers})
    # What is there now is never collected, so that children do not write to its pages.
    gc.collect()
    gc.freeze()
    # In a process namespace of our own, without the filter, jobs could leave processes behind.
    sweeps = "namespaces" in reached and "seccomp" not in layers
    fork_server.ForkServer(profile, modules, places, null, sweeps).serve()


def once(language, places):
    """Runs one job in this process, for systems that can't fork."""
    from verdict_runner import job as job_module

    sandbox.forget_environment()
    profile, modules = load(language)
    talk.send(1, {"ready": True, "versions": profile.versions(), "isolation": ["audit hook", "restricted Python"]})
    request = json.loads(sys.stdin.buffer.readline() or b"null")
    if request is None:
        return
    channel = os.dup(1)
    job_module.silence(os.open(os.devnull, os.O_RDWR))
    job = request["job"]
    sandbox.confine_waiting()
    sandbox.confine_job(places, int(job["timeout_ms"] / 1000) + 5, job["memory_bytes"])
    job_module.run(profile, modules, job, channel)
    os._exit(0)


def load(language):
    from verdict_runner import facade

    if language == "z3":
        from verdict_runner import language_z3 as profile
    else:
        from verdict_runner import language_pysat as profile
    profile.warm()
    return profile, facade.facades(language, profile.modules())


main(sys.argv[1:])
