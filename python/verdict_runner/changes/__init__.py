"""Two versions of a module: which functions differ, and both versions of one with what it uses. Nothing of them is run."""

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
    """A line that the process that checks was sent; None for a request of another kind."""
    fields = Fields(value)
    return changes_request(fields) if "about" in fields else None


def answer(request: Request) -> Changes | Unreadable | Pair | Apart | Wanted:
    """The answer to a request."""
    if isinstance(request, ChangesRequest):
        return listing.changes(request.base, request.head)
    return pairing.answer(request)
