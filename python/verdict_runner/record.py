"""What is known of the one program that a process runs, whatever its language."""

import time


class Record:
    """Its time, its answer so far, and what its author should hear."""

    def __init__(self, job):
        self.until = job["until"]
        self.answer = None
        self.exports = 0
        self.warnings = []

    def left(self):
        """Seconds until the deadline."""
        return self.until - time.monotonic()

    def warn(self, text):
        """Says something, once."""
        if text not in self.warnings:
            self.warnings.append(text)
