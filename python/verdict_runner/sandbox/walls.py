"""Sets up the sandbox layers around a program, outermost first. Layers are reported only if they work."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from verdict_runner.sandbox import landlock, namespaces, syscalls

if TYPE_CHECKING:
    from verdict_runner.protocol.runner import Runner

try:
    import resource
except ImportError:  # Windows
    resource = None

# What an interpreter reads outside its own directories: the loader's files, and devices without contents.
SYSTEM_PLACES = (
    *("/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache"),
    *("/dev/null", "/dev/urandom", "/dev/random", "/usr/share/zoneinfo"),
)


# The memory limit for checking; reading the largest model takes a fifth of it.
CHECKER_BYTES_MAX = 512 * 1024 * 1024
# The maximum processor time for checking a model, which takes milliseconds. Processor time does not depend on other
# load.
CHECK_CPU_S_MAX = 10.0
# The maximum size of a proof, which a solver writes to memory; no file can be opened for writing.
WRITTEN_BYTES_MAX = 512 * 1024 * 1024
# The maximum number of a job's open files, of which four are its own. If files in memory are allowed, the smaller limit
# keeps their total size within the memory limit.
FILES_MAX, MEMORY_FILES_MAX = 64, 12


# The protections that only the operating system can provide; without all of them, a program is not confined.
WALLS = ("files", "network", "processes")


def confine_server(places: Sequence[str]) -> list[str]:
    """Confines this process and all future children; returns the names of the layers that work.

    If namespaces are allowed, this function returns in a new process. No thread may have been started yet.
    """
    reached = ["namespaces"] if namespaces.enter() else []
    return [*reached, *confine_files(places)]


def confine_files(places: Sequence[str]) -> list[str]:
    """Applies the part of `confine_server` that needs no new process."""
    if sys.platform.startswith("linux") and namespaces.no_new_privileges():
        namespaces.drop_capabilities()
        if landlock.restrict([*SYSTEM_PLACES, *places]):
            return ["landlock"]
    return []


def job_layers(filtered: bool) -> list[str]:
    """Returns the names of the layers that each job adds, as far as this system supports them."""
    names = ["seccomp"] if filtered else []
    return [*names, *(["rlimits"] if resource else []), "audit hook", "restricted Python"]


def confine_waiting(writes_memory_files: bool = False) -> bool:
    """Applies the restrictions possible before the job is known: no new process, no program, no socket.

    Returns whether system calls are filtered. A solver that writes proofs needs in-memory files.
    """
    if not sys.platform.startswith("linux"):
        return False
    return namespaces.no_new_privileges() and syscalls.restrict(writes_memory_files)


def tried_in_child() -> tuple[list[str], bool]:
    """Returns the walls around this process's confined children, and whether their system calls are filtered."""
    child = os.fork()
    if child == 0:
        bits = 0
        try:
            filtered = confine_waiting()
            bits = sum(1 << WALLS.index(name) for name in active()) | filtered << len(WALLS)
        finally:
            os._exit(bits)
    bits = max(0, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    return [name for at, name in enumerate(WALLS) if bits >> at & 1], bool(bits >> len(WALLS))


def active() -> list[str]:
    """Returns the walls around this process; each is tested with operations that it has to refuse."""
    # Windows may refuse these operations for other reasons.
    tries = (_refuses_files, _refuses_network, _refuses_processes) if hasattr(os, "fork") else ()
    return [name for name, refuses in zip(WALLS, tries) if refuses()]


def _refuses_files() -> bool:
    """Whether no file of the host can be opened, for reading or for writing."""
    flags = [(place, os.O_RDONLY) for place in ("/", "/etc/passwd", "/etc/hosts", "/proc/self/environ")]
    flags += [(place, os.O_WRONLY | getattr(os, "O_TMPFILE", os.O_WRONLY)) for place in ("/tmp", "/dev/shm")]
    refused = 0
    for place, how in flags:
        try:
            os.close(os.open(place, how))
            return False
        except PermissionError:
            refused += 1
        except OSError:
            pass  # The place does not exist, or nobody can write to it, which proves nothing.
    return refused > 0


def _refuses_network() -> bool:
    """Whether no address can be reached, not even the machine's own, which a separate namespace lacks."""
    import socket

    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            # Connecting a datagram socket sends nothing.
            sender.connect(("127.0.0.1", 9))
    except OSError as error:
        return error.errno in (errno.EPERM, errno.EACCES, errno.ENETUNREACH)
    return False


def _refuses_processes() -> bool:
    """Whether no process can be started, and no other process can be signalled."""
    try:
        child = os.fork()
    except OSError as error:
        return isinstance(error, PermissionError) and _refuses_signals()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return False


def _refuses_signals() -> bool:
    try:
        os.kill(os.getppid(), 0)
    except PermissionError:
        return True
    return False


def confine_job(places: Sequence[str], seconds: int, memory_bytes: int, runner: Runner) -> None:
    """Limits this process, which now runs one program and then exits. This can't be undone."""
    if resource:
        _limit(memory_bytes, seconds, MEMORY_FILES_MAX if runner.writes_memory_files else FILES_MAX)
    sys.addaudithook(
        _auditor(tuple(os.path.join(os.path.abspath(place), "") for place in places), frozenset(runner.events))
    )


def confine_checker() -> None:
    """Confines the process that only parses models.

    Even short texts can make Python's compiler allocate any amount of memory.
    """
    forget_environment()
    if resource:
        _set_limits({"RLIMIT_AS": CHECKER_BYTES_MAX, "RLIMIT_CORE": 0})


def bound_check(seconds: float = CHECK_CPU_S_MAX) -> None:
    """Makes SIGPROF end this process once it has used this much processor time; 0 removes the limit."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def forget_environment() -> None:
    """Clears the environment, which a program could read; Windows needs to know its own location."""
    for name in set(os.environ) - {"SYSTEMROOT"}:
        del os.environ[name]


def _limit(memory_bytes: int, seconds: int, files: int) -> None:
    _set_limits(
        {
            "RLIMIT_AS": memory_bytes,
            "RLIMIT_CPU": seconds,
            "RLIMIT_FSIZE": WRITTEN_BYTES_MAX,
            "RLIMIT_CORE": 0,
            "RLIMIT_NOFILE": files,
        }
    )


def bound_files(size: int) -> None:
    """Limits the size of files that this process writes, even in memory; data beyond the limit is not written."""
    if resource:
        _set_limits({"RLIMIT_FSIZE": size})


def _set_limits(limits: Mapping[str, int]) -> None:
    if resource is None:
        return
    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            pass  # macOS accepts some of the limits but enforces none; the server monitors the process from outside.


# Families of audit events (see the table in Python's manual) that no model needs.
REFUSED_EVENTS = (
    *("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.kill", "os.startfile"),
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod"),
    *("os.chown", "os.chflags", "os.chdir", "os.utime", "os.putenv", "os.unsetenv", "os.setxattr", "os.removexattr"),
    *("os.getxattr", "os.listxattr", "os.listdrives", "os.lockf", "os.add_dll_directory", "os.walk", "os.fwalk"),
    *("socket.", "ssl.", "urllib.", "http.", "ftplib.", "smtplib.", "poplib.", "imaplib.", "nntplib.", "telnetlib."),
    *("ctypes.dlopen", "ctypes.dlsym", "shutil.", "tempfile.", "sqlite3.", "pty.", "pickle.", "webbrowser."),
    *("signal.", "syslog.", "mmap.", "fcntl.", "msvcrt.", "winreg.", "_winapi.", "resource.", "gc.get_"),
    *("sys.settrace", "sys.setprofile", "sys._current", "cpython.run", "code.interact", "builtins.input", "glob."),
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _auditor(places: tuple[str, ...], events: frozenset[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """Adds a second layer inside Python, where a forbidden operation fails with a message instead of an errno.

    The auditor reads only local variables and attributes of types, which code in this process can't change as it could
    change globals.
    """
    refused, refusal = REFUSED_EVENTS, PermissionError
    writing_flags, writing_letters = WRITING, frozenset("wax+")
    text, data, number = str, bytes, int
    separator, parent = os.sep, os.pardir

    # Types are compared by identity, since `isinstance` is a global.
    def inside(path: Any) -> bool:  # noqa: ANN401
        path = path.decode("utf-8", "surrogateescape") if path.__class__ is data else path
        return path.__class__ is text and path.startswith(places) and parent not in path.split(separator)

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            writes = flags & writing_flags if mode is None else writing_letters & {*mode}
            # A number is a descriptor that is already open and belongs to Verdict.
            if path.__class__ is not number and (writes or not inside(path)):
                raise refusal("files can't be opened by a model")
        elif event == "os.listdir" or event == "os.scandir":
            if not inside(arguments[0]):
                raise refusal("directories can't be read by a model")
        elif event.startswith(refused) and event not in events:
            raise refusal(f"{event} is not available to a model")

    return audit
