"""The profile `explore` on machines that CrossHair is not built for: it explores nothing, and says so."""

EVENTS = ()


def versions():
    return {}


def warm():
    """Nothing to make ready."""


def rehearse():
    """Nothing to do ahead."""


def modules():
    return {}


def solve(job, modules):
    """What an exploration gives that never began."""
    counts = {"paths": 0, "verified": 0, "skipped": 0, "covered": [], "unknown": 0}
    why = "CrossHair is not built for this machine"
    return {
        **counts,
        "exhausted": False,
        "claim": False,
        "trusted": False,
        "why_not": [why],
        "stopped": "missing",
        "versions": {},
    }
