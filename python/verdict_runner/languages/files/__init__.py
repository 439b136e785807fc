"""Reads models in file formats: detects a text's format and parses the text. Nothing here imports an engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verdict_runner.languages.files import dimacs, lp, mps, opb, schedules
from verdict_runner.refusal import Refused

# The number of characters examined to detect the format; `squeezed.ts` uses the same number.
SIGNS_CHARS_MAX = 8_000
# The maximum length of leading comments; the format is not detected after longer ones.
COMMENTS_CHARS_MAX = 200_000


@dataclass(frozen=True)
class Format:
    """A file format."""

    what: str
    # Matches the beginning of a text after its comments; `written_in.ts` uses the same pattern.
    sign: re.Pattern[str]
    # Parses a text; raises `Refused` with the line of a fault.
    read: Callable[[str], Any]


FORMATS: Mapping[str, Format] = {
    "cnf": Format("DIMACS", re.compile(r"(?:p \w*cnf\b|(?=(?:.*\n)*?h )(?:h|\d+)(?: -?\d+)* 0\n)"), dimacs.read),
    "opb": Format(
        "OPB",
        re.compile(r"(?:soft ?:|(?:min|max) ?:\s?(?:[+-]?\d+ ~?x\d+|;)|(?:\[ ?\d+ ?\] ?)?[+-]?\d+ ~?x\d+ )"),
        opb.read,
    ),
    "mps": Format(
        "MPS", re.compile(r"(?:ROWS\n|(?:NAME|OBJSENSE)\b(?! ?[=:(.])(?:.*\n)*?ROWS\n)", re.IGNORECASE), mps.read
    ),
    "lp": Format(
        "LP",
        re.compile(
            r"(?:min|max)(?:imi[sz]e|imum)?\s(?! ?[=(.:])(?:.*\n)*?(?:subject to|such that|s\.?t\.?|bounds?|end)\b",
            re.IGNORECASE,
        ),
        lp.read,
    ),
    "jsplib": Format("JSPLIB", re.compile(r"\d+ \d+\n(?:\d+ \d+ ?)+\n"), schedules.job_shop),
    "psplib": Format("PSPLIB", re.compile("file with basedata"), schedules.project),
}
# Matches empty lines, and comment lines in any of these formats.
_COMMENTS = re.compile(r"(?:(?:[*\\#]|c(?=\s))[^\n]*\n|[ \t\r]*\n)*[ \t]*")


def format_of(text: str) -> str | None:
    """Detects a text's format from its beginning after comments."""
    text = text[:COMMENTS_CHARS_MAX]
    begin = _COMMENTS.match(text)
    head = text[begin.end() if begin else 0 :][:SIGNS_CHARS_MAX]
    head = re.sub(r"\s+", lambda run: "\n" if re.search(r"[\n\r]", run[0]) else " ", head)
    return next((name for name, each in FORMATS.items() if each.sign.match(head)), None)


def format_in(items: Sequence[str], names: Sequence[str]) -> str | None:
    """Detects the format of a model's only item, if it is among `names`; raises `Refused` if there are other items."""
    formats = [format_of(text) for text in items]
    shown = next((each for each in formats if each in names), None)
    if shown is not None and len(items) > 1:
        raise Refused(
            f"An item is a file in {FORMATS[shown].what}, which is a whole model; there are {len(items)} items.",
            ["send the file as the only item", "or write the entire model in Python"],
        )
    return shown


def read(name: str, text: str) -> Any:  # noqa: ANN401
    """Parses a text in this format; raises `Refused` with the line of a fault."""
    return FORMATS[name].read(text)
