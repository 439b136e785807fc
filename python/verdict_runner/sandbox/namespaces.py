"""Enters new namespaces (Linux): no network, no access to other processes, no capabilities.

See namespaces(7), user_namespaces(7), capabilities(7).
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import NoReturn

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
NOBODY = 65534
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
CAPABILITY_VERSION_3 = 0x20080522


def enter() -> bool:
    """Moves into new namespaces; returns whether the system allowed it.

    On success, the caller continues in a new process, the first one in its process namespace. When that process ends,
    the kernel kills all processes that it left behind.
    """
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(NEWUSER | NEWPID | NEWNET | NEWIPC | NEWUTS | NEWNS) != 0:
        return False
    try:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{NOBODY} {user} 1")
        _write("/proc/self/gid_map", f"{NOBODY} {group} 1")
    except OSError:
        # The namespaces still work; only the user id is not mapped in them.
        pass
    child = os.fork()
    if child:
        _wait_for(child)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return True


def no_new_privileges() -> bool:
    """Prevents programs that are started later from gaining privileges; system call filters require this."""
    return ctypes.CDLL(None, use_errno=True).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _wait_for(child: int) -> NoReturn:
    """Runs the outer process, which only represents the inner one: it holds no pipe and exits with the same status."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0x7F)


def drop_capabilities() -> None:
    """Reduces this process and its children to an ordinary user's rights, whoever started it."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    libc.capset(header, nothing)
