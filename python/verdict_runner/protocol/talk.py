"""Sends one JSON value per line over file descriptors that are invisible to users' programs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping


def send(descriptor: int, frame: Mapping[str, object]) -> None:
    """Writes one complete frame, in as many writes as needed."""
    send_line(descriptor, line(frame))


def line(frame: Mapping[str, object]) -> bytes:
    """Converts a frame to text, without the line break."""
    return json.dumps(frame, separators=(",", ":")).encode("ascii")


def send_line(descriptor: int, text: bytes) -> None:
    """Writes one complete line, in as many writes as needed."""
    data = memoryview(text + b"\n")
    while data:
        data = data[os.write(descriptor, data) :]
