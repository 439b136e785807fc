"""`python -I verdict_runner check`, or `… PROFILE fork|once`: one process, JSON lines in and out."""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
from collections.abc import Sequence

if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "verdict_runner"

from verdict_runner.protocol import messages, talk  # noqa: E402
from verdict_runner.protocol.runner import Modules, Runner  # noqa: E402
from verdict_runner.sandbox import walls  # noqa: E402


def main(arguments: Sequence[str]) -> None:
    if arguments[0] == "check":
        check()
        return
    name, mode, *also = arguments
    # The packages of other environments come after our own; an environment for another Python version has no such
    # directory.
    sys.path += [each for each in map(packages_in, also) if os.path.isdir(each)]
    own = (sys.prefix, sys.base_prefix, os.path.dirname(os.path.dirname(__file__)))
    places = [*dict.fromkeys((*own, *also))]
    (fork if mode == "fork" else once)(name, places)


def packages_in(environment: str) -> str:
    """Returns the package directory of a virtual environment."""
    if os.name == "nt":
        return os.path.join(environment, "Lib", "site-packages")
    major, minor = sys.version_info[:2]
    return os.path.join(environment, "lib", f"python{major}.{minor}", "site-packages")


def check() -> None:
    """Answers requests to check a model, to read a text or to compare two texts; never runs them."""
    from verdict_runner import changes
    from verdict_runner.languages import check as checker
    from verdict_runner.languages import profiles
    from verdict_runner.symbolic.code import syntax

    languages = profiles()
    walls.confine_checker()
    talk.send(1, messages.Ready().data())
    for line in sys.stdin.buffer:
        walls.bound_check()
        value = json.loads(line)
        request = changes.request(value) or messages.checker_request(value)
        if isinstance(request, changes.REQUESTS):
            answer = changes.answer(request)
        elif isinstance(request, messages.SyntaxRequest):
            asked = request.roots, request.contract_of, request.older, request.pair
            answer = syntax.syntax(request.text, *asked, assumed=request.assumed)
        else:
            answer = checker.check(languages[request.language], request.items, request.has_data)
        talk.send(1, {"id": request.id, **answer.data()})
        walls.bound_check(0)


def fork(name: str, places: Sequence[str]) -> None:
    # The null device is opened while files can still be written; jobs redirect their standard descriptors to it.
    null = os.open(os.devnull, os.O_RDWR)
    walls.forget_environment()
    reached = walls.confine_server(places)
    from verdict_runner.protocol import fork_server

    runner, modules = load(name)
    active, filtered = walls.tried_in_child()
    layers = [*reached, *walls.job_layers(filtered)]
    talk.send(1, messages.Ready(runner.versions(), layers, active).data())
    # Existing objects are excluded from garbage collection, so that children do not write to their memory pages.
    gc.collect()
    gc.freeze()
    # In our own process namespace, but without the system call filter, jobs could leave processes behind.
    sweeps = "namespaces" in reached and not filtered
    fork_server.ForkServer(runner, modules, places, null, sweeps).serve()


def once(name: str, places: Sequence[str]) -> None:
    """Runs one job in this process, for systems that can't fork."""
    from verdict_runner.protocol import job as job_module

    null = os.open(os.devnull, os.O_RDWR)
    walls.forget_environment()
    reached = walls.confine_files(places)
    runner, modules = load(name)
    filtered = walls.confine_waiting(runner.writes_memory_files)
    layers = [*reached, *walls.job_layers(filtered)]
    talk.send(1, messages.Ready(runner.versions(), layers, walls.active()).data())
    line = sys.stdin.buffer.readline()
    if not line:
        return
    channel = os.dup(1)
    job_module.silence(null)
    job = messages.only_job(json.loads(line))
    walls.confine_job(places, int(job.seconds) * job.workers + 5, job.memory_bytes, runner)
    job_module.run(runner, modules, job, channel)
    os._exit(0)


def load(name: str) -> tuple[Runner, Modules]:
    """Returns the runner for the program with this name, and the modules visible to its programs."""
    from verdict_runner.languages import profile_of_program
    from verdict_runner.sandbox import facade, guards

    language = profile_of_program(name)
    guards.use(language)
    runner = Runner.of(importlib.import_module(language.programs[name]))
    runner.warm()
    return runner, facade.facades(language, runner.modules())


main(sys.argv[1:])
