"""Decides again what a program's process reported. It runs in a process of its own, which never runs a program."""

import re
import time

import z3

from verdict_runner.languages.z3 import watch
from verdict_runner.languages.z3.confirm import optimum

# The commands of a problem: it states, and neither asks nor sets anything.
STATING = frozenset(
    "assert declare-fun declare-const declare-sort declare-datatype declare-datatypes define-fun define-fun-rec define-funs-rec define-sort define-const".split()
)
PIECE = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*|\(\s*([^\s()]*)|\)')


def recheck(status, evidence, until, fresh):
    """Whether the evidence bears the status out: `confirmed`, `refuted` or `open` with the reason, and the same of an optimum."""
    if "open" in evidence:
        return _open(evidence["open"])
    if not _states(evidence["smtlib"]):
        return _open("the problem has commands besides declarations and assertions")
    try:
        assertions = list(z3.parse_smt2_string(evidence["smtlib"]))
        return (_unsat if status == "unsat" else _sat)(assertions, evidence, until, fresh)
    except z3.Z3Exception as error:
        return _open(f"the problem could not be read back: {str(error)[:200]}")


def _open(reason):
    return {"verdict": "open", "reason": reason}


def _states(text):
    depth = 0
    for piece in PIECE.finditer(text):
        if piece.group() == ")":
            depth -= 1
        elif piece.group(1) is not None:
            if depth == 0 and piece.group(1) not in STATING:
                return False
            depth += 1
    return True


def _check(assertions, until, fresh):
    solver = fresh()
    left_ms = int((until - time.monotonic()) * 1000)
    if left_ms < 1:
        return solver, z3.unknown, "the time ran out"
    solver.set("timeout", left_ms)
    solver.add(*assertions)
    verdict = solver.check()
    reason = solver.reason_unknown() if verdict == z3.unknown else None
    return solver, verdict, "the time ran out" if reason in ("timeout", "canceled") else reason


def _unsat(assertions, _, until, fresh):
    _, verdict, reason = _check(assertions, until, fresh)
    if verdict == z3.unknown:
        return _open(reason)
    return (
        {"verdict": "confirmed"}
        if verdict == z3.unsat
        else {"verdict": "refuted", "reason": "its assertions can hold together"}
    )


def _sat(assertions, evidence, until, fresh):
    end = len(assertions) - evidence["pins"]
    aims = assertions[end - evidence["aims"] : end]
    solver, verdict, reason = _check(assertions, until, fresh)
    if verdict == z3.unknown:
        return _open(reason)
    if verdict == z3.unsat:
        return {"verdict": "refuted", "reason": "its values do not satisfy its assertions"}
    if not evidence["largest"]:
        return {"verdict": "confirmed"}
    wanted = [(each.arg(1), largest) for each, largest in zip(aims, evidence["largest"], strict=True)]
    stated = assertions[: end - len(aims)]
    return {
        "verdict": "confirmed",
        "optimum": _optimum(stated, wanted, watch.solver_model(solver), evidence["objective"], until, fresh),
    }


def _optimum(assertions, wanted, model, objective, until, fresh):
    if optimum.reached(wanted, model) != objective:
        return {"verdict": "refuted", "reason": "its values have another objective"}
    _, verdict, reason = _check([*assertions, optimum.better(wanted, model)], until, fresh)
    if verdict == z3.unknown:
        return _open(reason)
    return (
        {"verdict": "confirmed"} if verdict == z3.unsat else {"verdict": "refuted", "reason": "there is a better one"}
    )
