"""One JSON value a line, over file descriptors that no program of a user gets to see."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping


def send(descriptor: int, frame: Mapping[str, object]) -> None:
    """Writes one frame as a whole, however the pipe takes it."""
    send_line(descriptor, line(frame))


def line(frame: Mapping[str, object]) -> bytes:
    """A frame as text, without the end of its line."""
    return json.dumps(frame, separators=(",", ":")).encode("ascii")


def send_line(descriptor: int, text: bytes) -> None:
    """Writes one line as a whole, however the pipe takes it."""
    data = memoryview(text + b"\n")
    while data:
        data = data[os.write(descriptor, data) :]
