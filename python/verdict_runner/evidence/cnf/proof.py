"""Decides clauses with a solver that writes a DRAT proof, in a process that never runs a program."""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Sequence

import pysat.solvers
import pysolvers

from verdict_runner.protocol.messages import Json
from verdict_runner.sandbox import walls

# The solver that performs the second check and writes the proof.
SOLVER = "cadical195"
# Equals `proof_bytes_max` in `src/engines/limits.ts`. A solver that reaches the limit continues, but its proof is
# dropped.
PROOF_BYTES_MAX = 32 * 1024 * 1024
# The maximum encoded size of a proof that fits into a result.
ENCODED_CHARS_MAX = 7_000_000
# The binary DRAT step that adds the empty clause. Deletions can follow it.
CONTRADICTION = b"a\x00"


def refute(clauses: Sequence[Sequence[int]]) -> dict[str, Json] | None:
    """A proof that the clauses have no solution, or why there is no proof (`open`); None if there is a solution.

    The proof is binary DRAT as the solver writes it, compressed and in base64.
    """
    if not hasattr(os, "memfd_create"):
        with pysat.solvers.Cadical195(bootstrap_with=clauses) as solver:
            return None if solver.solve() else {"open": "proofs can be written only on Linux"}
    walls.bound_files(PROOF_BYTES_MAX)
    with pysat.solvers.Cadical195(bootstrap_with=clauses, with_proof=True) as solver:
        if solver.solve():
            return None
        pysolvers.flushpr(solver.prfp)
        solver.prfile.seek(0)
        written = solver.prfile.read(PROOF_BYTES_MAX)
    if CONTRADICTION not in written and len(written) < PROOF_BYTES_MAX and all(map(len, clauses)):
        return {"open": "its solver could not finish writing it: this machine is short of memory, or limits file sizes"}
    encoded = base64.b64encode(zlib.compress(written)).decode() if len(written) < PROOF_BYTES_MAX else None
    if encoded is None or len(encoded) > ENCODED_CHARS_MAX:
        return {"open": "the proof is too large to be checked"}
    return {"by": SOLVER, "drat": encoded}
