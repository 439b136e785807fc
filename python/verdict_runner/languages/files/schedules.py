"""Validates JSPLIB (job shop) and PSPLIB (project) instances before CPMpy, which skips unknown parts, reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verdict_runner.languages.files.fault import broken

# Matches a row of numbers; no schedule needs numbers with more digits.
_NUMBERS = re.compile(r"\s*\d{1,9}(?:\s+\d{1,9})*\s*")
_OTHER_RESOURCES = re.compile(r"\s*- (nonrenewable|doubly constrained)\s*:\s*(\d+)")


def job_shop(text: str) -> str:
    """Returns the text in the form that CPMpy reads; raises `Refused` with the line of a fault."""
    rows = [(line, row) for line, row in enumerate(text.splitlines(), 1) if row.strip() and not row.startswith("#")]
    tables = [(line, _numbers(line, row)) for line, row in rows]
    (line, head), jobs = tables[0], tables[1:]
    if len(head) != 2 or len(jobs) != head[0]:
        raise broken(
            line,
            f"A job shop begins with its numbers of jobs and machines, and has a line for each job; there are {len(jobs)} lines.",
            ["write, for example, `2 3`, and then 2 lines"],
        )
    for line, job in jobs:
        if len(job) != 2 * head[1] or any(machine >= head[1] for machine in job[::2]):
            raise broken(
                line,
                f"A job's line has {head[1]} pairs of a machine (from 0 to {head[1] - 1}) and a duration.",
                ["write, for example, `0 3 1 2`: machine 0 for 3, then machine 1 for 2"],
            )
    return "\n".join(" ".join(map(str, row)) for _, row in tables)


def project(text: str) -> str:
    """Returns the text in the form that CPMpy reads; raises `Refused` with the line of a fault."""
    lines = text.splitlines()
    for line, row in enumerate(lines, 1):
        other = _OTHER_RESOURCES.match(row)
        if other is not None and int(other[2]):
            raise broken(
                line, f"Resources of the kind {other[1]} are not supported.", ["write the model in MiniZinc or CPMpy"]
            )
    relations, requests, capacities = (
        list(_table(lines, name)) for name in ("PRECEDENCE RELATIONS", "REQUESTS/DURATIONS", "RESOURCEAVAILABILITIES")
    )
    jobs = len(relations)
    for at, (line, row) in enumerate(relations, 1):
        if row[:2] != [at, 1] or len(row) != 3 + row[2] or not all(0 < each <= jobs for each in row[3:]):
            raise broken(
                line,
                "A job's line has its number, 1 (more than one mode is not read), the number of successors, and the "
                "successors.",
                ["write for instance `2  1  2  4 5`", "or write the model in MiniZinc or CPMpy"],
            )
    width = 3 + (len(capacities[0][1]) if capacities else 0)
    for at, (line, row) in enumerate(requests, 1):
        if row[:2] != [at, 1] or len(row) != width or len(requests) != jobs:
            raise broken(
                line,
                f"There are {jobs} jobs; a job's line has its number, 1, its duration and a request for each resource.",
                ["write for instance `2  1  8  4 0 0 0`"],
            )
    return text


def _table(lines: Sequence[str], name: str) -> Iterator[tuple[int, list[int]]]:
    at = next((at for at, row in enumerate(lines) if row.startswith(f"{name}:")), None)
    if at is None:
        raise broken(len(lines), f"There is no table {name}.", ["write all the tables of a PSPLIB file"])
    for line, row in enumerate(lines[at + 2 :], at + 3):
        if row.startswith("*"):
            return
        if not row.startswith("-"):
            yield line, _numbers(line, row)
    raise broken(len(lines), f"The table {name} does not end with a line of stars.", ["end it with a line of *"])


def _numbers(line: int, row: str) -> list[int]:
    if _NUMBERS.fullmatch(row) is None:
        raise broken(line, f"`{row.strip()[:60]}` is not a line of integers.", ["write only numbers and spaces"])
    return [int(each) for each in row.split()]
