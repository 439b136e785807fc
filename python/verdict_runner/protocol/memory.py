"""Preloads memory pages in a waiting process for the program it will run: first access to a page takes microseconds."""

from __future__ import annotations

import ctypes

# The size of the preloaded heap, of which a small program needs half.
HEAP_BYTES = 4 * 1024 * 1024


def load_heap(size: int = HEAP_BYTES) -> None:
    """Makes the C library's heap keep this many bytes, with their pages loaded."""
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    # glibc maps the first block separately; afterwards, it allocates blocks of this size on its heap and keeps them.
    for _ in range(2):
        block = ctypes.c_void_p(library.malloc(ctypes.c_size_t(size)))
        if block:
            ctypes.memset(block, 0, size)
            library.free(block)
