"""Runs each job in its own child process: modules are imported once, and each job costs one fork.

The input is `{"id", "seconds", "rehearse", "bytes"}` followed by a job's bytes, and `{"stop": id}`. The output consists
of pieces of the jobs' frames, each preceded by a line with the job's id. The last frame of each job contains `ended`.

Every forked process inherits this process's memory, which a program that broke out could read. Therefore, a job and its
answer pass through a single buffer, which is then cleared, so that no other job can find them.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from verdict_runner.protocol import job as job_module
from verdict_runner.protocol import memory, talk
from verdict_runner.protocol.messages import Ended, Failed, Job, ProgramError, Start, Stop, server_request
from verdict_runner.protocol.runner import Modules, Runner
from verdict_runner.sandbox import walls

if TYPE_CHECKING:
    import resource

READ_BYTES = 256 * 1024
# The delay before new spare children are forked after a job took one; the job and the check of its answer have
# priority.
SPARE_DELAY_SECONDS = 0.05
# The processor seconds that a job gets beyond its deadline; normally, the deadline ends the job.
SPARE_SECONDS = 5
# The time that a killed job may take to release its memory before the server waits for it.
LEAVING_SECONDS = 0.2


class Child:
    """A forked process that waits for its only job; it reads the job from `order` and writes to `pipe`."""

    def __init__(self, pid: int, order: int, pipe: int) -> None:
        self.pid = pid
        self.order = order
        self.pipe = pipe


class Work:
    """A child that runs a job, and the number of bytes it has written."""

    def __init__(self, identity: int, child: Child, deadline: float) -> None:
        self.identity = identity
        self.pid = child.pid
        self.pipe = child.pipe
        self.deadline = deadline
        self.bytes = 0


class Leaving:
    """A killed job whose memory the system is still reclaiming, which takes milliseconds.

    The job's pipe closes afterwards, so nothing has to wait in the meantime.
    """

    def __init__(self, work: Work) -> None:
        self.identity = work.identity
        self.pid = work.pid
        self.pipe = work.pipe
        self.deadline = time.monotonic() + LEAVING_SECONDS


class ForkServer:
    """A loop over the requests and the pipes of all jobs; it never blocks on a single one."""

    def __init__(self, runner: Runner, modules: Modules, places: Sequence[str], null: int, sweeps: bool) -> None:
        self._runner = runner
        self._null = null
        self._modules = modules
        self._places = places
        # Whether jobs could start processes; if so, all other processes in the namespace belong to jobs.
        self._sweeps = sweeps
        self._jobs: dict[int, Work] = {}
        self._leaving: dict[int, Leaving] = {}
        self._buffer = bytearray(READ_BYTES)
        # An incomplete request; the number of a job's bytes that are still to come, and their destination.
        self._request = b""
        self._coming, self._order = 0, -1
        # The children waiting for a job, and the time to fork the next one.
        self._spares: list[Child] = []
        self._spare_due = time.monotonic()
        self._rehearses = True

    def serve(self) -> None:
        """Runs until the input ends, and leaves no process behind."""
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
        """Reads the input: requests, which are answered, and jobs, which are only forwarded."""
        with self._read(0) as data:
            at = 0
            while at < len(data):
                if self._coming:
                    part = data[at : at + self._coming]
                    _pass_on(self._order, part)
                    self._coming -= len(part)
                    at += len(part)
                    if not self._coming:
                        os.close(self._order)
                    continue
                end = self._buffer.find(b"\n", at, len(data))
                self._request += data[at : len(data) if end < 0 else end]
                at = len(data) if end < 0 else end + 1
                if end >= 0:
                    self._answer(server_request(json.loads(self._request)))
                    self._request = b""
            return bool(data)

    @contextmanager
    def _read(self, descriptor: int) -> Iterator[memoryview]:
        """Yields the next input as a view of the buffer, which is cleared afterwards."""
        length = os.readv(descriptor, [self._buffer])
        try:
            yield memoryview(self._buffer)[:length]
        finally:
            self._buffer[:length] = bytes(length)

    def _answer(self, request: Start | Stop) -> None:
        if isinstance(request, Start):
            self._start(request)
            return
        for each in [each for each in self._jobs.values() if each.identity == request.id]:
            if self._sweeps:
                # Anything the job left behind must be gone before the next process, which checks the job's answer,
                # starts.
                self._end(each, "stopped")
            else:
                self._let_go(each)

    def _start(self, request: Start) -> None:
        """Assigns the next job to a waiting child."""
        if not self._lacks_spares():
            self._spare_due = time.monotonic() + SPARE_DELAY_SECONDS
        self._rehearses = request.rehearse
        child = self._spare() or self._fork(rehearses=False)
        self._coming = request.bytes
        if child is None:
            self._spare_due = time.monotonic() + 1
            self._order = os.dup(self._null)
            talk.send(1, Ended(request.id, "could not be started").data())
            return
        self._order = child.order
        self._jobs[child.pipe] = Work(request.id, child, time.monotonic() + request.seconds)

    def _spare(self) -> Child | None:
        """Returns a waiting child that was not stopped or killed from outside."""
        while self._spares:
            child = self._spares.pop(0)
            if not _is_stopped(child.pid, or_ended=True):
                return child
            _drop(child)
        return None

    def _fork(self, rehearses: bool) -> Child | None:
        """Forks a child with all sandbox layers that waits for a job; None if the system can't create one."""
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
        """Runs the job's process, which never returns to the loop."""
        try:
            os.setsid()
            job_module.silence(self._null)
            _only(order, channel)
            # The buffer may contain another job that arrived together with this one.
            self._buffer[:] = bytes(READ_BYTES)
            walls.confine_waiting(self._runner.writes_memory_files)
            if rehearses:
                self._runner.rehearse(self._modules)
                memory.load_heap()
            job = _read_job(ORDER)
            if job is not None:
                seconds = int(job.seconds) * job.workers + SPARE_SECONDS
                walls.confine_job(self._places, seconds, job.memory_bytes, self._runner)
                job_module.run(self._runner, self._modules, job, CHANNEL)
        except BaseException as error:
            talk.send(CHANNEL, Failed(ProgramError("internal", str(error), type(error).__name__)).data())
        finally:
            os._exit(0)

    def _drop_spares(self) -> None:
        while self._spares:
            _drop(self._spares.pop())

    def _hear(self, job: Work) -> None:
        with self._read(job.pipe) as data:
            job.bytes += len(data)
            at = 0
            while at < len(data):
                end = self._buffer.find(b"\n", at, len(data))
                _pass_on(1, b"%d%s" % (job.identity, b"+" if end < 0 else b"="))
                _pass_on(1, data[at : len(data) if end < 0 else end])
                _pass_on(1, b"\n")
                at = len(data) if end < 0 else end + 1
            is_over = not data
        if is_over:
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
        """Kills the processes of a job whose result nobody needs, without waiting for them to exit."""
        _kill(-job.pid)
        _kill(job.pid)
        del self._jobs[job.pipe]
        self._leaving[job.pipe] = Leaving(job)

    def _bury(self, job: Leaving) -> None:
        """Reports the resources that a finished job used, and drops the job."""
        gone = _gone(os.wait4(job.pid, 0))
        _kill(-job.pid)
        os.close(job.pipe)
        del self._leaving[job.pipe]
        talk.send(1, Ended(job.identity, "done", None, gone.cpu_ms).data())

    def _end(self, job: Work, why: str | None) -> None:
        """Kills the job's remaining processes and reports how it ended; if `why` is None, asks the kernel."""
        if why == "deadline" and _is_stopped(job.pid):
            why = "stalled"
        gone = _wait_briefly(job.pid) if why is None else None
        if gone is None:
            why = why or "closed its output and continued"
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
        """Kills processes that left their job's group; the namespace contains no others."""
        self._drop_spares()
        _kill(-1)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


def _drop(child: Child) -> None:
    """Ends a child that never received a job."""
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
        # The child has exited, and its exit status has already been read.
        return or_ended


def _pass_on(descriptor: int, data: bytes | memoryview) -> None:
    """Writes all data, in as many writes as needed; a child that died while waiting receives nothing."""
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except BrokenPipeError:
        pass  # The end of the child's pipe will reveal its death.


@dataclass(frozen=True)
class Gone:
    """A child that has exited: its status, and the processor time used by it and its own children."""

    status: int
    cpu_ms: int


def _gone(waited: tuple[int, int, resource.struct_rusage]) -> Gone:
    _, status, used = waited
    return Gone(status, round((used.ru_utime + used.ru_stime) * 1000))


def _wait_briefly(pid: int) -> Gone | None:
    """Returns the exit of a child that closed its pipe, normally by dying; None if the child is still alive."""
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


# The descriptor numbers of a child's two pipes.
CHANNEL, ORDER = 3, 4


def _only(order: int, channel: int) -> None:
    """Keeps the two pipes under fixed numbers, and closes every other inherited descriptor."""
    copies = [os.dup(channel), os.dup(order)]
    os.dup2(copies[0], CHANNEL)
    os.dup2(copies[1], ORDER)
    os.closerange(5, 4096)


def _read_job(order: int) -> Job | None:
    """Reads the only line that a child ever reads; None if there will be no job."""
    text = b""
    while not text.endswith(b"\n"):
        data = os.read(order, READ_BYTES)
        if not data:
            return None
        text += data
    os.close(order)
    return Job.read(json.loads(text))
