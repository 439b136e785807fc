"""Two versions of a module: which functions differ, and both versions of one in a module. Nothing of them is run."""

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
    given = Fields(value)
    return changes_request(given) if "about" in given else None


def answer(asked: Request) -> Changes | Unreadable | Pair | Apart | Wanted:
    """The answer to a request."""
    if isinstance(asked, ChangesRequest):
        return listing.changes(asked.base, asked.head)
    return pairing.answer(asked)
