"""Code shared by the languages based on CP-SAT."""

import os

# numpy's OpenBLAS starts a thread per processor on import, and a process with threads can't be forked safely.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
