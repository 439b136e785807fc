"""What a program states about its own answer, compared with the answers of the solvers that it called."""

from __future__ import annotations

from collections.abc import Collection

# Answers of solvers in a program's words.
TRUTHS = {"sat": True, "satisfiable": True, "unsat": False, "unsatisfiable": False, "false": False, "unknown": None}


def truth(claim: object) -> bool | None:
    """A claim as a truth value, converted once: an object of the program could give another one each time."""
    if claim is None or isinstance(claim, bool):
        return claim
    # The result of Z3's check() reads like a text, too.
    text = claim if isinstance(claim, str) else repr(claim) if type(claim).__name__ == "CheckSatResult" else None
    return bool(claim) if text is None else TRUTHS.get(text.lower(), True)


def unsupported(name: str, claim: bool, needed: str, answers: Collection[str]) -> str | None:
    """Why a claim is not confirmed, as a clause; None if a solver gave the answer that it needs."""
    if needed in answers:
        return None
    return f"the program says {name}={claim}, but no solver that it called answered {needed}"
