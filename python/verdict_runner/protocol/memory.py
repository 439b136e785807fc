"""Preloads memory pages for the program that a waiting process will run: the first access to a page takes microseconds."""

from __future__ import annotations

import ctypes

# A small program takes half of it.
HEAP_BYTES = 4 * 1024 * 1024


def load_heap(size: int = HEAP_BYTES) -> None:
    """Makes the C library's heap keep this many bytes with their pages loaded."""
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    # glibc maps the first block separately; from then on, blocks of this size are on its heap and stay there.
    for _ in range(2):
        block = ctypes.c_void_p(library.malloc(ctypes.c_size_t(size)))
        if block:
            ctypes.memset(block, 0, size)
            library.free(block)
