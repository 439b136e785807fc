"""Runs each job in its own child: imports are made once, and a job costs a fork.

Frames in: `{"id", "job": {...}}` and `{"stop": id}`. Frames out: those of the jobs with their id, and for each job a
last one with `ended`: "done" if it sent its result, otherwise the reason why there is none.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from verdict_runner.protocol import job as job_module
from verdict_runner.protocol import memory, talk
from verdict_runner.protocol.messages import Ended, Failed, Job, ProgramError, Stop, server_request
from verdict_runner.protocol.runner import Modules, Runner
from verdict_runner.sandbox import walls

if TYPE_CHECKING:
    import resource

READ_BYTES = 256 * 1024
# How long after a job took the first spare child others are forked: the job and the check of its answer come first.
SPARE_DELAY_SECONDS = 0.05
# A job's processor seconds beyond its deadline: normally the deadline ends it.
SPARE_SECONDS = 5
# How long a killed job may take to give its memory back before the server waits for it.
LEAVING_SECONDS = 0.2
# The size of a job's frames.
SAID = frozenset(("printed", "found", "result", "error", "unprinted"))


class Child:
    """A forked process that waits for its one job: it reads the job from `order`, and writes to `pipe`."""

    def __init__(self, pid: int, order: int, pipe: int) -> None:
        self.pid = pid
        self.order = order
        self.pipe = pipe


class Work:
    """A child that runs a job, and its output so far."""

    def __init__(self, identity: int, child: Child, deadline: float) -> None:
        self.identity = identity
        self.pid = child.pid
        self.pipe = child.pipe
        self.deadline = deadline
        self.lines = talk.Lines()
        self.bytes = 0
        self.answered = False


class Leaving:
    """A job that was killed after its answer: the system takes its memory back, which takes milliseconds.

    Its pipe ends after that, so nothing waits meanwhile.
    """

    def __init__(self, work: Work) -> None:
        self.identity = work.identity
        self.pid = work.pid
        self.pipe = work.pipe
        self.deadline = time.monotonic() + LEAVING_SECONDS


class ForkServer:
    """One loop over the requests and the pipes of all jobs; it never waits for a single one of them."""

    def __init__(self, runner: Runner, modules: Modules, places: Sequence[str], null: int, sweeps: bool) -> None:
        self._runner = runner
        self._null = null
        self._modules = modules
        self._places = places
        # Whether jobs could start processes, and all others in the namespace belong to them.
        self._sweeps = sweeps
        self._jobs: dict[int, Work] = {}
        self._leaving: dict[int, Leaving] = {}
        self._requests = talk.Lines()
        # Children that wait for their job, and when the next one is to be forked.
        self._spares: list[Child] = []
        self._spare_due = time.monotonic()
        self._rehearses = True

    def serve(self) -> None:
        """Runs until the requests end, and leaves no process behind."""
        try:
            while True:
                ready, _, _ = select.select([0, *self._jobs, *self._leaving], [], [], self._patience())
                for pipe in ready:
                    if pipe in self._jobs:
                        self._hear(self._jobs[pipe])
                    elif pipe in self._leaving and not os.read(pipe, READ_BYTES):
                        self._bury(self._leaving[pipe])
                if 0 in ready and not self._take():
                    return
                self._expire()
                if self._lacks_spares() and self._spare_due <= time.monotonic():
                    self._add_spare()
        finally:
            for each in list(self._jobs.values()):
                self._end(each, "closed")
            self._drop_spares()

    def _lacks_spares(self) -> bool:
        return len(self._spares) < self._runner.spares

    def _add_spare(self) -> None:
        child = self._fork(self._rehearses)
        if child:
            self._spares.append(child)
        else:
            self._spare_due = time.monotonic() + 1

    def _patience(self) -> float | None:
        times = [each.deadline for each in (*self._jobs.values(), *self._leaving.values())]
        if self._lacks_spares():
            times.append(self._spare_due)
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _take(self) -> bool:
        data = os.read(0, READ_BYTES)
        for line in self._requests.take(data):
            request = server_request(json.loads(line))
            if isinstance(request, Stop):
                for each in [each for each in self._jobs.values() if each.identity == request.id]:
                    self._end(each, "stopped")
            else:
                self._start(request.id, request.job, line)
        return bool(data)

    def _start(self, identity: int, job: Job, line: bytes) -> None:
        """Gives the job to a child that waits for it, in the line that brought it."""
        if not self._lacks_spares():
            self._spare_due = time.monotonic() + SPARE_DELAY_SECONDS
        self._rehearses = job.rehearse
        child = self._spare() or self._fork(rehearses=False)
        if child is None:
            self._spare_due = time.monotonic() + 1
            talk.send(1, Ended(identity, "could not be started").data())
            return
        self._jobs[child.pipe] = Work(identity, child, time.monotonic() + job.seconds)
        try:
            talk.send_line(child.order, line)
        except BrokenPipeError:
            pass  # It died while it waited; its pipe tells.
        os.close(child.order)

    def _spare(self) -> Child | None:
        """A child that waits for a job, unless it was stopped or ended from outside."""
        while self._spares:
            child = self._spares.pop(0)
            if not _is_stopped(child.pid, or_ended=True):
                return child
            _drop(child)
        return None

    def _fork(self, rehearses: bool) -> Child | None:
        """A child with all sandbox layers that waits for a job; None if the system can't create one."""
        reading, writing = os.pipe()
        job, order = os.pipe()
        try:
            pid = os.fork()
        except OSError:
            for each in (reading, writing, job, order):
                os.close(each)
            return None
        if pid == 0:
            self._child(job, writing, rehearses)
        os.close(writing)
        os.close(job)
        return Child(pid, order, reading)

    def _child(self, order: int, channel: int, rehearses: bool) -> NoReturn:
        """The job's process: it never returns to the loop."""
        try:
            os.setsid()
            job_module.silence(self._null)
            _only(order, channel)
            walls.confine_waiting()
            if rehearses:
                self._runner.rehearse(self._modules)
                memory.load_heap()
            job = _read_job(ORDER)
            if job is not None:
                seconds = int(job.seconds) + SPARE_SECONDS
                walls.confine_job(self._places, seconds, job.memory_bytes, self._runner.events)
                job_module.run(self._runner, self._modules, job, CHANNEL)
        except BaseException as error:
            talk.send(CHANNEL, Failed(ProgramError("internal", str(error), type(error).__name__)).data())
        finally:
            os._exit(0)

    def _drop_spares(self) -> None:
        while self._spares:
            _drop(self._spares.pop())

    def _hear(self, job: Work) -> None:
        data = os.read(job.pipe, READ_BYTES)
        job.bytes += len(data)
        for line in job.lines.take(data):
            frame = _frame(line)
            if frame is None:
                self._end(job, "spoke garbage")
                return
            if not job.answered:
                talk.send_line(1, _passed_on(line, frame, job.identity))
            job.answered = job.answered or "result" in frame or "error" in frame
        if job.answered and self._sweeps:
            # What it may have left behind has to be gone before the next process, which checks its answer, begins.
            self._end(job, "done")
        elif job.answered:
            self._let_go(job)
        elif not data:
            self._end(job, None)
        elif job.bytes > 2 * job_module.RESULT_BYTES_MAX:
            self._end(job, "output")

    def _expire(self) -> None:
        now = time.monotonic()
        for job in [job for job in self._jobs.values() if job.deadline <= now]:
            self._end(job, "deadline")
        for each in [each for each in self._leaving.values() if each.deadline <= now]:
            self._bury(each)

    def _let_go(self, job: Work) -> None:
        """Kills the rest of a job that has answered, without waiting for its end."""
        _kill(-job.pid)
        _kill(job.pid)
        del self._jobs[job.pipe]
        self._leaving[job.pipe] = Leaving(job)

    def _bury(self, job: Leaving) -> None:
        """Returns what a job used that has answered, and forgets it."""
        gone = _gone(os.wait4(job.pid, 0))
        _kill(-job.pid)
        os.close(job.pipe)
        del self._leaving[job.pipe]
        talk.send(1, Ended(job.identity, "done", None, gone.cpu_ms).data())

    def _end(self, job: Work, why: str | None) -> None:
        """Kills the rest of the job, and returns how it ended; `None` asks the kernel."""
        if why == "deadline" and _is_stopped(job.pid):
            why = "stalled"
        gone = _wait_briefly(job.pid) if why is None else None
        if gone is None:
            _kill(-job.pid)
            _kill(job.pid)
            gone = _gone(os.wait4(job.pid, 0))
        _kill(-job.pid)
        os.close(job.pipe)
        del self._jobs[job.pipe]
        if self._sweeps and not self._jobs:
            self._sweep()
        code = os.waitstatus_to_exitcode(gone.status) if why is None else None
        talk.send(1, Ended(job.identity, why or "exit", code, gone.cpu_ms).data())

    def _sweep(self) -> None:
        """Kills processes that left their job's group; the namespace has no others."""
        self._drop_spares()
        _kill(-1)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


def _drop(child: Child) -> None:
    """Ends a child that never got a job."""
    _kill(child.pid)
    os.waitpid(child.pid, 0)
    os.close(child.order)
    os.close(child.pipe)


def _is_stopped(pid: int, or_ended: bool = False) -> bool:
    """Whether a child was stopped by a signal from outside; this query does not consume its exit status."""
    if not hasattr(os, "waitid"):
        return False
    how = os.WSTOPPED | os.WEXITED if or_ended else os.WSTOPPED
    try:
        return os.waitid(os.P_PID, pid, how | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        # It has ended, and its exit status was read.
        return or_ended


def _frame(line: bytes) -> dict[str, object] | None:
    """The fields of a job's frame; None for a frame that Verdict's code would not send.

    A program that broke out can write anything.
    """
    try:
        frame = json.loads(line.decode("ascii"))
    except (ValueError, RecursionError):
        return None
    return frame if isinstance(frame, dict) else None


def _passed_on(line: bytes, frame: dict[str, object], identity: int) -> bytes:
    """A frame of a job with its id; as it came if it has no other fields, since results are large."""
    if frame and frame.keys() <= SAID:
        return b'%s,"id":%d}' % (line.rstrip()[:-1], identity)
    return talk.line({**{key: frame[key] for key in SAID if key in frame}, "id": identity})


@dataclass(frozen=True)
class Gone:
    """A child that has ended: its status, and the processor time that it used with its own children."""

    status: int
    cpu_ms: int


def _gone(waited: tuple[int, int, resource.struct_rusage]) -> Gone:
    _, status, used = waited
    return Gone(status, round((used.ru_utime + used.ru_stime) * 1000))


def _wait_briefly(pid: int) -> Gone | None:
    """A child that closed its pipe, normally by dying; None if it still lives."""
    for _ in range(20):
        waited = os.wait4(pid, os.WNOHANG)
        if waited[0]:
            return _gone(waited)
        time.sleep(0.005)
    return None


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


# Where a child finds its two pipes.
CHANNEL, ORDER = 3, 4


def _only(order: int, channel: int) -> None:
    """Keeps the two pipes, under their numbers, and closes every other inherited descriptor."""
    copies = [os.dup(channel), os.dup(order)]
    os.dup2(copies[0], CHANNEL)
    os.dup2(copies[1], ORDER)
    os.closerange(5, 4096)


def _read_job(order: int) -> Job | None:
    """The one line that a child ever reads; None if there will be no job."""
    text = b""
    while not text.endswith(b"\n"):
        data = os.read(order, READ_BYTES)
        if not data:
            return None
        text += data
    os.close(order)
    request = server_request(json.loads(text))
    return None if isinstance(request, Stop) else request.job
