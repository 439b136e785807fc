"""An account that accompanies the verdict: what looks wrong in the problem, and what makes up the objective."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping

from verdict_runner.evidence.account import findings, terms
from verdict_runner.evidence.account.stated import Stated
from verdict_runner.evidence.budget import OutOfTime, bounded
from verdict_runner.evidence.finite.meaning import Unknown
from verdict_runner.protocol.messages import Json

# An answer waits at most this long for it.
SECONDS_MAX = 1.0


def of(read: Callable[[], Stated | None], until: float) -> Mapping[str, Json]:
    """The account of a problem; anything not found in time is left out, since nothing depends on it."""
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
        # A bug here must not lose the verdict; the server logs it.
        told["log"] = traceback.format_exc(limit=-3)
    return told
