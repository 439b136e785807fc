"""Filters system calls (Linux, x86-64 and ARM64): no new process, no program, no socket.

See seccomp(2); the numbers are from the kernel's asm/unistd.h. Threads stay allowed, since solvers use them.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys

PR_SET_SECCOMP, MODE_FILTER = 22, 2
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
CLONE_THREAD = 0x10000

# The refused calls: name, number on x86-64, and number on ARM64, which lacks some old calls.
REFUSED = """
    fork 57 -            vfork 58 -              execve 59 221           execveat 322 281        unshare 272 97
    setns 308 268        chroot 161 51           pivot_root 155 41       mount 165 40            umount2 166 39
    open_tree 428 428    move_mount 429 429      fsopen 430 430          fsconfig 431 431        fsmount 432 432
    mount_setattr 442 442  mknod 133 -           mknodat 259 33          quotactl 179 60         acct 163 89

    socket 41 198        socketpair 53 199       bind 49 200             listen 50 201           connect 42 203
    accept 43 202        accept4 288 242         io_uring_setup 425 425  io_uring_enter 426 426  io_uring_register 427 427

    kill 62 129          tkill 200 130           rt_sigqueueinfo 129 138 rt_tgsigqueueinfo 297 240
    pidfd_open 434 434   pidfd_getfd 438 438     pidfd_send_signal 424 424  process_madvise 440 440
    process_mrelease 448 448  ptrace 101 117     process_vm_readv 310 270  process_vm_writev 311 271  kcmp 312 272
    setpgid 109 154      setsid 112 157          setpriority 141 140     sched_setparam 142 118
    sched_setscheduler 144 119  sched_setattr 314 274  sched_setaffinity 203 122  ioprio_set 251 30
    migrate_pages 256 238  move_pages 279 239

    shmget 29 194        shmat 30 196            shmctl 31 195           semget 64 190           semop 65 193
    semctl 66 191        semtimedop 220 192      msgget 68 186           msgsnd 69 189           msgrcv 70 188
    msgctl 71 187        mq_open 240 180         mq_unlink 241 181       mq_timedsend 242 182    mq_timedreceive 243 183

    chmod 90 -           fchmod 91 52            fchmodat 268 53         fchmodat2 452 452       chown 92 -
    fchown 93 55         lchown 94 -             fchownat 260 54         utime 132 -             utimes 235 -
    futimesat 261 -      utimensat 280 88        setxattr 188 5          lsetxattr 189 6         fsetxattr 190 7
    removexattr 197 14   lremovexattr 198 15     fremovexattr 199 16     setxattrat 463 463      removexattrat 466 466
    truncate 76 45       unlink 87 -             unlinkat 263 35         rename 82 -             renameat 264 38
    renameat2 316 276    rmdir 84 -              mkdir 83 -              mkdirat 258 34          link 86 -
    linkat 265 37        symlink 88 -            symlinkat 266 36

    perf_event_open 298 241  bpf 321 280         userfaultfd 323 282     add_key 248 217         request_key 249 218
    keyctl 250 219       open_by_handle_at 304 265  init_module 175 105  finit_module 313 273    delete_module 176 106
    kexec_load 246 104   reboot 169 142          personality 135 92      syslog 103 116          swapon 167 224
    settimeofday 164 170    clock_settime 227 112   adjtimex 159 171     clock_adjtime 305 266   sethostname 170 161
    setdomainname 171 162   kexec_file_load 320 294  iopl 172 -          ioperm 173 -            inotify_init 253 -
    inotify_init1 294 26    fanotify_init 300 262   swapoff 168 225         memfd_create 319 279    memfd_secret 447 447
"""
# Calls that are rejected unless their first argument is this process: signalling a thread, and reading limits.
OWN_ONLY = {"tgkill": (234, 131), "prlimit64": (302, 261)}
CLONE, CLONE3 = (56, 220), (435, 435)
AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Numbers from this one on belong to the x32 ABI of x86-64, which could be used to bypass a filter.
X32 = 0x40000000


class _Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction))]


def restrict(writes_memory_files: bool = False) -> bool:
    """Permanently refuses the listed calls; returns whether the kernel accepted the filter."""
    machine = platform.machine()
    if machine not in AUDIT_ARCHITECTURE or not sys.platform.startswith("linux"):
        return False
    listing = _filter(machine, writes_memory_files)
    instructions = (_Instruction * len(listing))(*listing)
    program = _Program(len(listing), instructions)
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0) == 0


def refused(machine: str) -> dict[str, int]:
    """Returns a machine's refused calls, as numbers by name."""
    column = list(AUDIT_ARCHITECTURE).index(machine)
    words = REFUSED.split()
    numbers = {words[i]: words[i + 1 + column] for i in range(0, len(words), 3)}
    return {name: int(number) for name, number in numbers.items() if number != "-"}


def _filter(machine: str, writes_memory_files: bool) -> list[tuple[int, int, int, int]]:
    column = list(AUDIT_ARCHITECTURE).index(machine)
    refuse = ERRNO | errno.EPERM
    absent = ERRNO | errno.ENOSYS
    listing = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, AUDIT_ARCHITECTURE[machine]),
        (RETURN, 0, 0, refuse),
        (LOAD, 0, 0, NUMBER),
        (JUMP_GREATER_EQUAL, 0, 1, X32),
        (RETURN, 0, 0, refuse),
        # The C library falls back from clone3 to clone, whose flags are in a register that a filter can read.
        (JUMP_EQUAL, 0, 1, CLONE3[column]),
        (RETURN, 0, 0, absent),
        (JUMP_EQUAL, 0, 4, CLONE[column]),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (JUMP_ANY_BIT, 1, 0, CLONE_THREAD),
        (RETURN, 0, 0, refuse),
        (RETURN, 0, 0, ALLOW),
    ]
    for numbers in OWN_ONLY.values():
        listing += [
            (JUMP_EQUAL, 0, 5, numbers[column]),
            (LOAD, 0, 0, FIRST_ARGUMENT),
            (JUMP_EQUAL, 1, 0, os.getpid()),
            (JUMP_EQUAL, 0, 1, 0),
            (RETURN, 0, 0, ALLOW),
            (RETURN, 0, 0, refuse),
        ]
    allowed = ("memfd_create",) if writes_memory_files else ()
    for number in (number for name, number in refused(machine).items() if name not in allowed):
        listing += [(JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, refuse)]
    return [*listing, (RETURN, 0, 0, ALLOW)]
