"""Rejects Z3 parameters that a model must not set, because they access files or make answers wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from verdict_runner.evidence.smt.problem import APPROXIMATED
from verdict_runner.refusal import Refused

Plain: TypeAlias = "str | bool | int | float"

TOUCHES_FILES = re.compile(
    r"channel|file|(^|[._])log($|[._])|_log$|dump|trace|dimacs|drat|print_aig|solution_prefix|inprocess\.out|dot_|(^|[._])root$"
)
# The weakening parameters were found by testing every parameter of Z3 5.1, and every new one in Z3 5.4, on formulas
# with known answers.
WEAKENS = re.compile(
    r"(^|\.)(array\.weak|arith\.ignore_int|candidate_models|hi_fp_unspecified|logic|sat\.smt|solver\.slice"
    r"|rewriter\.max_memory|rewriter\.max_steps)$"
)


def checked(name: object, value: object) -> tuple[Plain, Plain]:
    """Returns a parameter's name and value as plain values; raises `Refused` if models can't set it."""
    name, value = _plain(name), _plain(value)
    key = str(name).lstrip(":").lower().replace("-", "_")
    text = str(value).lower()
    off = text in ("false", "0")
    if TOUCHES_FILES.search(key):
        raise Refused(
            f"The parameter {name} could make Z3 read or write files on this machine.", ["leave it out"], "forbidden"
        )
    weak = (
        (re.search(r"(^|\.)(array\.extensional|hi_div0)$", key) and off)
        or (re.search(r"(^|\.)arith\.solver$", key) and text not in ("2", "5", "6"))
        or (WEAKENS.search(key) and not off)
    )
    if re.search(r"(^|\.)optsmt_engine$", key) and text == "symba":
        raise Refused(
            "The engine symba of Z3's optimiser needs an arithmetic that Z3 does not have: it reports bounded "
            "objectives as unbounded.",
            ["leave optsmt_engine out"],
        )
    if weak:
        raise Refused(
            f"The parameter {name}={value} makes Z3 ignore parts of a theory, so that its answers would be wrong.",
            ["leave it out", "to bound the time, use timeout_ms of solve_model"],
        )
    return name, value


def _plain(value: object) -> Plain:
    """Converts a name or value to a built-in Python type: a program's own class could change its value at each use."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int.__pos__(value)
    if isinstance(value, float):
        return float.__pos__(value)
    raise Refused(
        f"A Z3 parameter must be a string, a number or a Boolean, not a {type(value).__name__}.",
        ["write it out"],
    )


def all_checked(arguments: Sequence[object], keywords: Mapping[str, object]) -> tuple[list[Plain], dict[str, Plain]]:
    """Checks parameters given as `name, value, name, value…`, as keywords, or both."""
    if len(arguments) % 2:
        raise Refused(
            "Z3 parameters must be pairs of a name and a value.", ["write set('timeout', 1000) or set(timeout=1000)"]
        )
    pairs = [checked(name, value) for name, value in zip(arguments[::2], arguments[1::2])]
    return [each for pair in pairs for each in pair], {
        str(name): value for name, value in (checked(name, value) for name, value in keywords.items())
    }


def checked_script(text: object) -> str:
    """Returns SMT-LIB as plain text; raises `Refused` for forbidden commands anywhere in the text."""
    if not isinstance(text, str):
        raise Refused(f"SMT-LIB must be a string, not a {type(text).__name__}.", ["give a str"])
    text = str.__str__(text)
    match = re.search(r"set-option|include|set-info", text)
    if match:
        raise Refused(
            f"({match.group()} …) is not allowed in SMT-LIB text inside a model.",
            ["pass only declarations and assertions"],
            "forbidden",
        )
    if re.search(r"\(\s*(;[^\n]*\n\s*)*maximize\b", text):
        raise Refused(
            "Z3 turns (maximize …) in SMT-LIB text into minimising the negation, which bit-vectors order differently.",
            ["pass only declarations and assertions as text", "state the objective in Python: o.maximize(x)"],
        )
    match = re.search(
        rf"(?:[(\n]|declare-fun\s|define-fun-rec\s)\s*\|?({APPROXIMATED})\|?(?=[\s(;])(?!\s*\(\s*\))", text
    )
    if match:
        raise Refused(
            f"Z3 only approximates its own function {match[1]}, and in SMT-LIB text it uses that function in place of yours.",
            [
                f"rename yours, for example to my_{match[1]}",
                'if you mean the one of Z3, call solve_smtlib with engine: "cvc5"',
            ],
        )
    return text
