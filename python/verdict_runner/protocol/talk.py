"""One JSON value a line, over file descriptors that no program of a user gets to see."""

import json
import os


def send(descriptor, frame):
    """Writes one frame as a whole, however the pipe takes it."""
    data = json.dumps(frame, separators=(",", ":")).encode("ascii") + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]


class Lines:
    """Collects bytes and gives the whole lines among them."""

    def __init__(self):
        self._rest = b""

    def take(self, data):
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines
