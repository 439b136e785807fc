"""A filter of system calls (Linux, x86-64 and ARM64): no new process, no program, no socket.

See seccomp(2); numbers are those of the kernel's asm/unistd.h. Threads stay allowed: solvers use them.
"""

import ctypes
import errno
import platform
import sys

PR_SET_SECCOMP, MODE_FILTER = 22, 2
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
CLONE_THREAD = 0x10000

# The name of the architecture in the kernel's audit.h, its clone and clone3, and what is refused:
# fork and vfork, execve(at), sockets, ptrace and the memory of others, kill, sessions and groups,
# mounts and namespaces, and the parts of the kernel that a solver has no use for.
X86_64 = {
    "audit": 0xC000003E,
    "clone": 56,
    "clone3": 435,
    "refused": (
        *(57, 58, 59, 322, 41, 42, 43, 49, 50, 53, 288, 101, 310, 311, 62, 109, 112, 165, 166, 272, 308, 155, 161),
        *(321, 298, 425, 426, 427, 248, 249, 250, 323, 304, 175, 313, 176, 246, 169, 135, 424, 434, 440, 428, 429, 430),
    ),
}
ARM64 = {
    "audit": 0xC00000B7,
    "clone": 220,
    "clone3": 435,
    "refused": (
        *(221, 281, 198, 199, 200, 201, 202, 203, 242, 117, 270, 271, 129, 154, 157, 40, 39, 97, 268, 41, 51),
        *(280, 241, 425, 426, 427, 217, 218, 219, 282, 265, 105, 273, 106, 104, 142, 92, 424, 434, 440, 428, 429, 430),
    ),
}
# Numbers from here on belong to the x32 interface of x86-64, by which a filter could be walked around.
X32 = 0x40000000


class _Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction))]


def restrict():
    """Refuses the listed calls from here on, for good; gives whether the kernel took the filter."""
    table = {"x86_64": X86_64, "aarch64": ARM64}.get(platform.machine())
    if table is None or not sys.platform.startswith("linux"):
        return False
    listing = _filter(table)
    instructions = (_Instruction * len(listing))(*listing)
    program = _Program(len(listing), instructions)
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0) == 0


def _filter(table):
    refuse = ERRNO | errno.EPERM
    absent = ERRNO | errno.ENOSYS
    listing = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, table["audit"]),
        (RETURN, 0, 0, refuse),
        (LOAD, 0, 0, NUMBER),
        (JUMP_GREATER_EQUAL, 0, 1, X32),
        (RETURN, 0, 0, refuse),
        # The C library falls back from clone3 to clone, whose flags lie in a register that we can read.
        (JUMP_EQUAL, 0, 1, table["clone3"]),
        (RETURN, 0, 0, absent),
        (JUMP_EQUAL, 0, 4, table["clone"]),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (JUMP_ANY_BIT, 1, 0, CLONE_THREAD),
        (RETURN, 0, 0, refuse),
        (RETURN, 0, 0, ALLOW),
    ]
    for number in table["refused"]:
        listing += [(JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, refuse)]
    return [*listing, (RETURN, 0, 0, ALLOW)]
