"""Decides again what CP-SAT said of a model: its solutions by exact computation, what it proved by trying all values or by Z3.

It runs in a process of its own, which never runs a program.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import math
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

import z3

from verdict_runner.languages.answer import CONFIRMED, Finding, RecheckRequest, refuted, undecided
from verdict_runner.languages.cp import terms
from verdict_runner.languages.cp.form import Form
from verdict_runner.languages.cp.meaning import Meaning, Node, OutOfTime, Unknown
from verdict_runner.languages.cp.terms import Number, Truth
from verdict_runner.languages.limit import limit_ms
from verdict_runner.protocol import values as json_values
from verdict_runner.protocol.messages import Json

# A second engine gets this share of the time that solving took, and this much at least.
SHARE = 0.1
SECONDS_MIN = 0.2
# On a busy machine this is processor time: so many times longer it may take by the clock.
TIMES_LONGER_MAX = 10
# Having had so much of its share, it is not asked again.
ENOUGH = 0.8
# For the first engine, once more, so much of the time is kept: the time that it took and as much again, and this share at most.
AGAIN_TIMES, AGAIN_SHARE = 2.0, 0.5
# So few combinations of values are tried one by one.
COMBINATIONS_MAX = 3_000
# The exact check of a solution is linear in the model; this only ends what never should be.
CHECK_SECONDS_MAX = 60.0
# What is kept of the job's time for saying what was found.
ANSWER_SECONDS = 0.1
# Engines that keep their own time get so much more before the alarm.
ALARM_SECONDS = 0.1

ENUMERATION = "enumeration"
Z3 = "z3"


@dataclass(frozen=True)
class Engine:
    """An engine that decides a form again."""

    name: str
    # Values that satisfy a form (`Form.stated`) with more constraints, or None where there are none; raises `OutOfTime` and `Unknown`.
    solution: Callable[[Form, Sequence[Node], float], list[int] | None]
    # Whether it is asked for the same answer a second time.
    is_first: bool = False

    @property
    def words(self) -> str:
        return f"{self.name}, asked again," if self.is_first else f"a second engine ({self.name})"


# For each engine that should not confirm itself, by its name in an answer, the one that does it instead of Z3.
Instead: TypeAlias = Mapping[str, Engine]
NO_OTHER: Instead = MappingProxyType({})


def recheck(request: RecheckRequest, until: float, first: Engine | None = None, instead: Instead = NO_OTHER) -> Finding:
    """Whether the evidence bears the status out, and the same of an optimum; `first` is the engine that answered, once more."""
    if "open" in request.evidence:
        return undecided(request.evidence.text("open"))
    form = Form.read(request.evidence)
    try:
        return _recheck(form, request, until - ANSWER_SECONDS, _engine_for(form, instead), first)
    except Unknown as unknown:
        return undecided(f"it has a constraint that the second check does not know ({unknown})")
    except OutOfTime:
        return undecided("the time ran out")


def _engine_for(form: Form, instead: Instead) -> Engine:
    if _combinations(form) <= COMBINATIONS_MAX:
        return Engine(ENUMERATION, lambda form, more, until: _by_enumeration(form.stated(more), until))
    return instead.get(form.engine, Engine(Z3, lambda form, more, until: _by_z3(form.stated(more), until)))


def _recheck(form: Form, request: RecheckRequest, until: float, engine: Engine, first: Engine | None) -> Finding:
    seconds = math.inf if request.check else max(SECONDS_MIN, SHARE * form.seconds)
    if request.status == "unsat":
        return _decided(form, [], seconds, until, engine, first)
    values = [value_of(form, each, until) for each in form.solutions]
    if not values or None in values:
        return refuted("its values do not satisfy its constraints")
    if len({tuple(each) for each in form.solutions}) < len(form.solutions):
        return refuted("a solution is listed twice")
    if not form.is_best and not form.are_all:
        return CONFIRMED
    if form.is_best:
        more = [["<", form.objective, values[0]] if form.is_least else ["<", values[0], form.objective]]
    else:
        more = [["or", [["!=", ["v", i], v] for i, v in enumerate(each)]] for each in form.solutions]
    return Finding("confirmed", optimum=_decided(replace(form, core=[]), more, seconds, until, engine, first))


def _decided(
    form: Form, more: Sequence[Node], share: float, until: float, engine: Engine, first: Engine | None
) -> Finding:
    """Whether no other solution is there: by a second engine in its share of the time, else by the first one once more."""
    left = until - time.monotonic()
    kept = min(AGAIN_SHARE * left, AGAIN_TIMES * form.seconds + SECONDS_MIN)
    second = _timed(form, more, share, until - kept, engine)
    if second.verdict != "open" or first is None:
        return second
    try:
        again = _no_other(form, more, until, until, first)
    except (OutOfTime, Unknown):
        return second
    if again.verdict == "open" or form.engine not in ("", first.name):
        return second if again.verdict == "open" else again
    return replace(again, by=[], reason=again.reason or second.reason, seconds=second.seconds)


def _timed(form: Form, more: Sequence[Node], share: float, until: float, engine: Engine) -> Finding:
    """Whether no other solution is there; asks again where a busy machine gave less processor time than the share."""
    begun, processor_begun = time.monotonic(), time.process_time()
    end = min(until, begun + TIMES_LONGER_MAX * share)
    seconds = share
    while True:
        soon = min(end, time.monotonic() + seconds)
        try:
            finding = _no_other(form, more, soon, until, engine)
        except OutOfTime:
            finding = undecided(f"{engine.words} did not decide it in its share of the time")
        except Unknown as unknown:
            return undecided(f"it has a constraint that {engine.words} does not know ({unknown})")
        used, took = time.process_time() - processor_begun, time.monotonic() - begun
        if finding.verdict != "open" or soon >= end or used >= ENOUGH * share:
            return replace(finding, seconds=round(took, 3))
        seconds = (share - used) * min(TIMES_LONGER_MAX, took / max(used, 0.001))


def value_of(form: Form, solution: Sequence[int], until: float) -> int | None:
    """The objective's value (0 without one) at a solution; None where it is no solution."""
    meaning = Meaning(solution, min(until, time.monotonic() + CHECK_SECONDS_MAX))
    inside = all(terms.within(value, domain) is True for value, domain in zip(solution, form.domains))
    if len(solution) != len(form.domains) or not inside:
        return None
    if not all(meaning.truth(each) is True for each in form.constraints):
        return None
    value = 0 if form.objective is None else meaning.number(form.objective)
    return value if isinstance(value, int) and meaning.undefined_outside() is True else None


def _no_other(form: Form, more: Sequence[Node], soon: float, until: float, engine: Engine) -> Finding:
    """Whether no solution satisfies these constraints, too; by a part of the model where one is said to be enough.

    The engine has time until `soon`, and the exact check of values that it finds until `until`. Raises `OutOfTime`
    and `Unknown`.
    """
    with bounded(soon):
        solution = engine.solution(form, more, soon)
    if solution is None:
        return Finding("confirmed", by=[engine.name])
    if form.core:
        # The core was too small, which says nothing about the whole.
        return _no_other(replace(form, core=[]), more, soon, until, engine)
    number = value_of(form.stated(more), solution, until)
    if number is None:
        return undecided(f"{engine.words} gave values that satisfy nothing")
    where = f"{engine.words} found values that satisfy all constraints"
    value = None if form.objective is None else Fraction(number, form.scale)
    shown = shown_values(form, solution, value, until)
    if form.is_best:
        return refuted(f"{where} with the objective {value}", by=[engine.name], solution=shown)
    return refuted(f"{where} and that are not listed" if more else where, by=[engine.name], solution=shown)


def shown_values(
    form: Form, solution: Sequence[int], objective: Fraction | None, until: float
) -> Mapping[str, Json] | None:
    """A solution under the names of the answer; None where these are not known, or the time is over: the solution stands."""
    if not form.named.shape.named:
        return None
    meaning = Meaning(solution, until)
    leaves: list[Json] = []
    try:
        for node, is_truth in form.named.leaves:
            meant = meaning.truth(node) if is_truth else meaning.number(node)
            if not isinstance(meant, int):
                return None
            leaves.append(meant if is_truth else json_values.number(meant))
        if meaning.undefined_outside() is not True:
            return None
    except (OutOfTime, Unknown):
        return None
    value = None if objective is None else json_values.decimal(objective)
    return {"values": form.named.shape.filled(leaves), "objective": value}


def solution(form: Form, until: float) -> list[int] | None:
    """Values that satisfy the constraints, by an engine that is not CP-SAT; None if there are none. Raises `OutOfTime`."""
    with bounded(until):
        return _by_enumeration(form, until) if _combinations(form) <= COMBINATIONS_MAX else _by_z3(form, until)


@contextlib.contextmanager
def bounded(until: float) -> Iterator[None]:
    """Raises `OutOfTime` in here soon after this moment, where the system has alarms: building formulas takes time, too."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def over(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, until - time.monotonic() + ALARM_SECONDS))
    try:
        yield
    except ctypes.ArgumentError:
        # What the alarm raises while ctypes takes an argument becomes this.
        if time.monotonic() < until:
            raise
        raise OutOfTime from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _combinations(form: Form) -> float:
    return math.prod(_size(each) for each in form.domains)


def _size(domain: Sequence[int]) -> int:
    return sum(high - low + 1 for low, high in zip(domain[::2], domain[1::2]))


def _by_enumeration(form: Form, until: float) -> list[int] | None:
    for count, values in enumerate(itertools.product(*(list(_values(each)) for each in form.domains))):
        if count % 50 == 0 and time.monotonic() > until:
            raise OutOfTime
        if value_of(form, values, until) is not None:
            return list(values)
    return None


def _values(domain: Sequence[int]) -> Iterator[int]:
    return itertools.chain.from_iterable(range(low, high + 1) for low, high in zip(domain[::2], domain[1::2]))


def _by_z3(form: Form, until: float) -> list[int] | None:
    """Values of a solution by Z3, or None where there is none; raises `OutOfTime`."""
    solver = z3.Solver()
    variables, formulas, _ = formulas_of(form, until)
    if False in formulas:
        return None
    solver.add(*formulas)
    model = model_of(solver, until)
    return None if model is None else [_read(model, each) for each in variables]


def model_of(solver: z3.Solver, until: float) -> z3.ModelRef | None:
    """A model of the solver's assertions, or None where there is none; raises `OutOfTime` where Z3 does not decide."""
    left = until - time.monotonic()
    if left <= 0:
        raise OutOfTime
    solver.set("timeout", limit_ms(left))
    answer = solver.check()
    if answer == z3.unsat:
        return None
    if answer != z3.sat:
        raise OutOfTime
    return solver.model()


def formulas_of(form: Form, until: float) -> tuple[list[Number | Truth], list[Truth], Number | None]:
    """A term for each variable, what has to hold of them, and the objective; raises `OutOfTime` and `Unknown`."""
    variables: list[Number | Truth] = []
    formulas: list[Truth] = []
    for i, domain in enumerate(form.domains):
        if list(domain) == [0, 1]:
            variables.append(z3.Bool(f"b{i}"))
        elif _size(domain) == 1:
            variables.append(domain[0])
        else:
            number = z3.Int(f"n{i}")
            variables.append(number)
            formulas.append(terms.within(number, domain))
    meaning = Meaning(variables, until)
    formulas += [meaning.truth(each) for each in form.constraints]
    objective = None if form.objective is None else meaning.number(form.objective)
    return variables, [*formulas, meaning.undefined_outside()], objective


def _read(model: z3.ModelRef, variable: Number | Truth) -> int:
    if isinstance(variable, int):
        return int(variable)
    value = model.eval(variable, model_completion=True)
    return value.as_long() if isinstance(value, z3.IntNumRef) else int(z3.is_true(value))
