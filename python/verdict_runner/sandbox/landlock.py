"""Landlock (Linux 5.13 and later): only the given directories can be read, and nothing can be written.

See landlock(7) and the kernel's userspace-api/landlock.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
RULE_PATH_BENEATH = 1
READ_FILE, READ_DIR, EXECUTE = 1 << 2, 1 << 3, 1 << 0
# The number of file rights in each version of the interface; the last number also applies to later versions.
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
NETWORK_RIGHTS = 0b11
SCOPE_SOCKETS_AND_SIGNALS = 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def restrict(readable: Iterable[str]) -> bool:
    """Restricts this process and its children to reading these paths.

    Returns whether the kernel accepted the restriction. `no_new_privileges` must be called first.
    """
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    if version < 1:
        return False
    ruleset = _ruleset(libc, version)
    if ruleset < 0:
        return False
    try:
        for place in readable:
            _allow(libc, ruleset, place)
        return libc.syscall(RESTRICT_SELF, ruleset, ctypes.c_uint32(0)) == 0
    finally:
        os.close(ruleset)


def _ruleset(libc: ctypes.CDLL, version: int) -> int:
    rules = _Ruleset((1 << FILE_RIGHTS[min(version, 5)]) - 1)
    size = 8
    if version >= 4:
        rules.network, size = NETWORK_RIGHTS, 16
    if version >= 6:
        rules.scoped, size = SCOPE_SOCKETS_AND_SIGNALS, 24
    return libc.syscall(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))


def _allow(libc: ctypes.CDLL, ruleset: int, place: str) -> None:
    try:
        parent = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # A missing path does not need to be allowed.
    try:
        rights = READ_FILE | READ_DIR | EXECUTE if os.path.isdir(place) else READ_FILE
        rule = _PathBeneath(rights, parent)
        libc.syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(parent)
