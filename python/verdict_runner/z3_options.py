"""Parameters of Z3 that a model must not set: they touch files, or make answers wrong."""

import re

from .refusal import Refused

TOUCHES_FILES = re.compile(
    r"channel|file|(^|[._])log($|[._])|_log$|dump|trace|dimacs|drat|print_aig|solution_prefix|inprocess\.out|dot_|(^|[._])root$"
)
# Found by trying every parameter of Z3 5.1 on formulas with known answers.
WEAKENS = re.compile(
    r"(^|\.)(array\.weak|arith\.ignore_int|candidate_models|logic|sat\.smt|solver\.slice|rewriter\.max_memory|rewriter\.max_steps)$"
)


def check(name, value):
    """Raises `Refused` for a parameter that is not for a model."""
    key = str(name).lstrip(":").lower().replace("-", "_")
    text = str(value).lower()
    off = text in ("false", "0")
    if TOUCHES_FILES.search(key):
        raise Refused(f"The parameter {name} could make Z3 read or write files of this machine.", ["leave it out"], "forbidden")
    weak = (
        (re.search(r"(^|\.)array\.extensional$", key) and off)
        or (re.search(r"(^|\.)arith\.solver$", key) and text not in ("2", "5", "6"))
        or (WEAKENS.search(key) and not off)
    )
    if weak:
        raise Refused(
            f"The parameter {name}={value} makes Z3 leave parts of a theory out, so that its answers would be wrong.",
            ["leave it out", "to bound the time, use timeout_ms of solve_model"],
        )


def check_all(arguments, keywords):
    """Checks parameters given as `name, value, name, value…`, as keywords, or both."""
    for name, value in zip(arguments[::2], arguments[1::2]):
        check(name, value)
    for name, value in keywords.items():
        check(name, value)


def check_script(text):
    """Raises `Refused` for SMT-LIB with commands that are not for a model, wherever their words stand."""
    found = re.search(r"set-option|include|set-info", str.__str__(text))
    if found:
        raise Refused(f"({found.group()} …) is not for SMT-LIB inside of a model.", ["give declarations and assertions only"], "forbidden")
