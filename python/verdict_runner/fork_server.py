"""Serves jobs, each in a child of its own: the imports are made once, a job costs a fork.

Frames in: `{"id", "job": {...}}` and `{"stop": id}`. Frames out: those of the jobs with their id,
and for each job a last one with `ended`: "done" when it said its result, else why there is none.
"""

import json
import os
import select
import signal
import time

from . import job as job_module
from . import sandbox, talk

READ_BYTES = 256 * 1024
# A job's processor seconds beyond its deadline: the deadline is what should end it.
SPARE_SECONDS = 5
# What the frames of a job may hold.
SAID = ("printed", "result", "error", "unprinted")


class Job:
    """A child that runs one program, and the pipe on which it speaks."""

    def __init__(self, identity, pid, pipe, deadline):
        self.identity = identity
        self.pid = pid
        self.pipe = pipe
        self.deadline = deadline
        self.lines = talk.Lines()
        self.bytes = 0
        self.answered = False


class ForkServer:
    """One loop over the requests and the pipes of all jobs; it never waits for a single one of them."""

    def __init__(self, profile, modules, places, null, alone):
        self._profile = profile
        self._null = null
        self._modules = modules
        self._places = places
        # Whether we are the first of a process namespace, so that "all others" are ours.
        self._alone = alone
        self._jobs = {}
        self._requests = talk.Lines()

    def serve(self):
        """Runs until the requests end, and leaves nothing behind."""
        try:
            while True:
                ready, _, _ = select.select([0, *self._jobs], [], [], self._patience())
                for pipe in ready:
                    if pipe in self._jobs:
                        self._hear(self._jobs[pipe])
                if 0 in ready and not self._take():
                    return
                self._expire()
        finally:
            for each in list(self._jobs.values()):
                self._end(each, "closed")

    def _patience(self):
        deadlines = [each.deadline for each in self._jobs.values()]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _take(self):
        data = os.read(0, READ_BYTES)
        for line in self._requests.take(data):
            request = json.loads(line)
            if "stop" in request:
                for each in [each for each in self._jobs.values() if each.identity == request["stop"]]:
                    self._end(each, "stopped")
            else:
                self._start(request["id"], request["job"])
        return bool(data)

    def _start(self, identity, job):
        reading, writing = os.pipe()
        seconds = job["timeout_ms"] / 1000
        try:
            pid = os.fork()
        except OSError as error:
            os.close(reading)
            os.close(writing)
            talk.send(1, {"id": identity, "ended": "not started", "detail": os.strerror(error.errno)})
            return
        if pid == 0:
            self._child(job, writing, seconds)
        os.close(writing)
        self._jobs[reading] = Job(identity, pid, reading, time.monotonic() + seconds)

    def _child(self, job, channel, seconds):
        """The job's process: it never returns to the loop."""
        try:
            os.setsid()
            job_module.silence(self._null)
            channel = _only(channel)
            sandbox.confine_job(self._places, int(seconds) + SPARE_SECONDS, job["memory_bytes"])
            job_module.run(self._profile, self._modules, job, channel)
        except BaseException as error:
            talk.send(channel, {"error": {"kind": "internal", "type": type(error).__name__, "message": str(error)}})
        finally:
            os._exit(0)

    def _hear(self, job):
        data = os.read(job.pipe, READ_BYTES)
        job.bytes += len(data)
        for line in job.lines.take(data):
            frame = _frame(line)
            if frame is None:
                self._end(job, "spoke garbage")
                return
            if not job.answered:
                talk.send(1, {**frame, "id": job.identity})
            job.answered = job.answered or "result" in frame or "error" in frame
        if job.answered:
            self._end(job, "done")
        elif not data:
            self._end(job, None)
        elif job.bytes > 2 * job_module.RESULT_BYTES_MAX:
            self._end(job, "output")

    def _expire(self):
        now = time.monotonic()
        for job in [job for job in self._jobs.values() if job.deadline <= now]:
            self._end(job, "deadline")

    def _end(self, job, why):
        """Kills what is left of the job, and says how it ended; `None` asks the kernel."""
        status = _wait_briefly(job.pid) if why is None else None
        if status is None:
            _kill(-job.pid)
            _kill(job.pid)
            _, status = os.waitpid(job.pid, 0)
        _kill(-job.pid)
        os.close(job.pipe)
        del self._jobs[job.pipe]
        if self._alone and not self._jobs:
            self._sweep()
        frame = {"id": job.identity, "ended": why or "exit"}
        if why is None:
            frame["code"] = os.waitstatus_to_exitcode(status)
        talk.send(1, frame)

    def _sweep(self):
        """Kills processes that left their job's group; nobody else lives in our namespace."""
        _kill(-1)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


def _frame(line):
    """What a job said; None for what no job of ours says. A program that broke out may write anything."""
    try:
        frame = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return {key: frame[key] for key in SAID if key in frame} if isinstance(frame, dict) else None


def _wait_briefly(pid):
    """The status of a child that closed its pipe, which it does by dying; None when it lives on."""
    for _ in range(20):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.005)
    return None


def _kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def _only(channel):
    """Keeps the channel, as descriptor 3, and closes every other one that was inherited."""
    if channel != 3:
        os.dup2(channel, 3)
    os.closerange(4, 4096)
    return 3
