"""Builds the account that accompanies a verdict: what looks wrong in the problem, and what makes up the objective."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping

from verdict_runner.evidence.account import findings, terms
from verdict_runner.evidence.account.stated import Stated
from verdict_runner.evidence.budget import OutOfTime, bounded
from verdict_runner.evidence.finite.meaning import Unknown
from verdict_runner.protocol.messages import Json

# The maximum time that an answer waits for its account.
SECONDS_MAX = 1.0


def of(read: Callable[[], Stated | None], until: float) -> Mapping[str, Json]:
    """Builds a problem's account; omits anything not found in time, since nothing depends on it."""
    told: dict[str, Json] = {}
    until = min(until, time.monotonic() + SECONDS_MAX)
    try:
        with bounded(until):
            stated = read()
            if stated is not None:
                told["terms"] = list(terms.terms(stated, until))
                told["findings"] = list(findings.found(stated, until))
    except (OutOfTime, Unknown, RecursionError):
        return told
    except Exception:  # noqa: BLE001
        # A bug in the account must not cost the verdict; the server logs the bug.
        told["log"] = traceback.format_exc(limit=-3)
    return told
