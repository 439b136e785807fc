"""Prepares the parts that `why` leaves out of a model: each line's constraints, for a separate process."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from verdict_runner.languages.answer import ItemLine
from verdict_runner.sandbox import program

# A constraint's position; None if its line is unknown.
Place: TypeAlias = "program.Place | None"

# If there are more constraints, `why` drops whole lines instead of single cases, since it makes one query per part.
PARTS_MAX = 100
CASES_MAX = 1_000
# The maximum number of lines and names handed over for a problem's account, and the maximum length of a name; the
# evidence needs the remaining room.
SHOWN_MAX, NAME_CHARS_MAX = 5_000, 60


def is_wanted(request: Mapping[str, object] | None) -> bool:
    """Whether the call asks why."""
    return request is not None and request.get("why") is True


def line_of(items: Sequence[str], place: program.Place) -> ItemLine:
    """Describes a position in the items, with its source text and its case."""
    lines = _lines(items[place.item])
    text = lines[place.line - 1].strip() if place.line <= len(lines) else ""
    return ItemLine(place.item, place.line, text, [place.case] if place.case else [])


@functools.lru_cache(maxsize=1)
def _lines(text: str) -> Sequence[str]:
    """Splits a text into lines; cached, since many lines of a large file are looked up one after another."""
    return text.splitlines()


def lines_of(items: Sequence[str], places: Iterable[Place]) -> list[ItemLine]:
    """Lists these constraints' lines in item order, each with all of its cases."""
    cases: dict[program.Place, dict[str, None]] = {}
    for each in places:
        if each is not None:
            cases.setdefault(each._replace(case=""), {})[each.case] = None
    lines = [(line_of(items, place), [case for case in cases[place] if case]) for place in sorted(cases)]
    return [replace(line, cases=of_line[:CASES_MAX]) for line, of_line in lines]


def why_question(problem: Mapping[str, object], places: Sequence[Place], items: Sequence[str]) -> Mapping[str, object]:
    """Returns a problem with the constraints that each line states: `WhyQuestion` in `why.ts`.

    `places` contains the positions of the problem's first constraints; all other constraints are always kept.
    """
    is_by_case = len({*places}) <= PARTS_MAX
    groups: dict[program.Place, list[int]] = {}
    for index, place in enumerate(places):
        if place is not None:
            groups.setdefault(place if is_by_case else place._replace(case=""), []).append(index)
    known = sorted(groups, key=lambda place: place[:2])
    return {
        "problem": {**problem, "groups": [groups[place] for place in known]},
        "parts": [line_of(items, place).data() for place in known],
    }


def shown_as(places: Sequence[Place], names: Mapping[int, str]) -> Mapping[str, object]:
    """Returns the lines of a problem's first constraints and its variables' names: `Shown` in `evidence/shown.py`."""
    # If only some constraints were listed, a line's cases could be incomplete.
    known = places if len(places) <= SHOWN_MAX else []
    return {
        "places": [None if place is None else [place.item, place.line] for place in known],
        "names": {str(number): name[:NAME_CHARS_MAX] for number, name in [*names.items()][:SHOWN_MAX]},
    }
