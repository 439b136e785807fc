"""Reports faults in a file with their line."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from fractions import Fraction

from verdict_runner.refusal import Refused


def broken(line: int, what: str, steps: Sequence[str]) -> Refused:
    """Rejects a file because of a fault at this line (lines count from 1)."""
    return Refused(what, [*steps, "send the corrected file again"], "syntax_error", line=line, column=1)


def only_upper(line: int, name: str, upper: Fraction, instead: str) -> Refused:
    """Rejects a variable with a negative upper bound and no lower bound."""
    return broken(
        line,
        f"{name} has the upper bound {float(upper):g} but no lower bound: some programs then assume 0, others none.",
        [f"for no lower bound write `{instead}`", "for another one write that"],
    )


def near(name: str, names: Sequence[str]) -> str:
    """Suggests a similar name as a question; empty if there is none."""
    return "".join(f" Did you mean {each}?" for each in difflib.get_close_matches(name, names[:5_000], 1))
