"""What the languages on CP-SAT share."""

import os

# numpy's OpenBLAS starts a thread for each processor when it is imported, and a process with threads can't be forked safely.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
