"""Compares two versions of a module: lists the functions that differ, and pairs up both versions of one.

Runs no code.
"""

from __future__ import annotations

from typing import TypeAlias

from verdict_runner.changes import listing, pairing
from verdict_runner.changes.messages import (
    Apart,
    Changes,
    ChangesRequest,
    Pair,
    PairRequest,
    Unreadable,
    Wanted,
    changes_request,
)
from verdict_runner.protocol.messages import Fields

REQUESTS = (ChangesRequest, PairRequest)
Request: TypeAlias = "ChangesRequest | PairRequest"


def request(value: object) -> Request | None:
    """Parses a request sent to the checking process; None if it is of another kind."""
    fields = Fields(value)
    return changes_request(fields) if "about" in fields else None


def answer(request: Request) -> Changes | Unreadable | Pair | Apart | Wanted:
    """Answers a request."""
    if isinstance(request, ChangesRequest):
        return listing.changes(request.base, request.head)
    return pairing.answer(request)
