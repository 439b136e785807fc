"""What is known of the one program that a process runs, whatever its language."""

import time

# What is kept of the time for handing an answer over.
RESERVE_SECONDS = 0.05


class Record:
    """Its time, its answer so far, and what its author should hear."""

    def __init__(self, job):
        self.until = job["until"]
        self.answer = None
        self.exports = 0
        self.warnings = []
        # Makes what the answer rests on, for a process that never ran the program.
        self.evidence = None

    def left(self):
        """Seconds until the deadline."""
        return self.until - time.monotonic()

    def handed_over(self):
        """What the answer rests on; why there is nothing, if so."""
        if self.evidence is None:
            return {"open": "nothing was handed over"}
        return {"open": "the time ran out"} if self.left() < RESERVE_SECONDS else self.evidence()

    def warn(self, text):
        """Says something, once."""
        if text not in self.warnings:
            self.warnings.append(text)
