"""The profile `explore`: symbolic execution of a function for one question.

It finds candidates, which a clean interpreter then replays. Its claims are about all inputs, and count only if `claims`
and `search` give no reason against them.
"""

from __future__ import annotations

import ast
import io
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import z3
from crosshair import __version__ as crosshair_version
from crosshair.tracers import NoTracing
from crosshair.util import CrosshairUnsupported

from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.sandbox import program
from verdict_runner.symbolic.code import instrument, source, subject
from verdict_runner.symbolic.code.function import Arguments, Function
from verdict_runner.symbolic.code.subject import Subject
from verdict_runner.symbolic.contracts import decorators, exceptions
from verdict_runner.symbolic.contracts.contracts import Condition
from verdict_runner.symbolic.find import claims, confined, search, selftest
from verdict_runner.symbolic.messages import Against, Candidate, Explored, Limits, Request, Side, Tallied, Tally
from verdict_runner.symbolic.run import inspection, pairing, tagged, trial

# Inputs that are reported for each finding: the first, and some more in case it does not replay.
INPUTS_OF_A_KEY = 3
KEYS_MAX = 200
TALLY_SECONDS = 0.25
# The time that is reserved for reporting how it ended.
RESERVE_SECONDS = 0.2
Z3_MEMORY_SHARE = 0.6

# CrossHair traces the code under test; from 3.12 on there is another way to do that.
EVENTS = ("sys.settrace",)

_sound = False


def versions() -> dict[str, str]:
    return {"crosshair": crosshair_version, "z3": z3.get_version_string()}


def warm() -> None:
    """Prepares CrossHair, and tests whether it and Z3 still give the known answers."""
    global _sound
    decorators.warm()
    search.warm()
    _sound = selftest.passes()


def rehearse(_: Modules) -> None:
    """Does nothing: everything that an exploration needs was imported before the process was forked."""


def modules() -> dict[str, Mapping[str, object]]:
    return {}


def solve(task: Task, modules: Modules) -> object:
    """Explores until all is explored or the time is over, and gives how far it came."""
    # The code runs once for each path; its output is not part of any answer.
    sys.stdout = sys.stderr = io.StringIO()
    z3.set_param("memory_max_size", int(task.memory_bytes // 2**20 * Z3_MEMORY_SHARE))
    exploration = Exploration(task, modules)
    exploration.run()
    return exploration.result().data()


class Exploration:
    """One question about the code of a job."""

    def __init__(self, task: Task, modules: Modules) -> None:
        request = Request.read(task.request)
        self._say = task.say
        self._until = min(task.until - RESERVE_SECONDS, time.monotonic() + request.seconds)
        self._sites = instrument.Sites(request.functions)
        roots = inspection.roots_of(request)
        unconfined = self._unconfined(task.items[0], roots)
        loaded = subject.load(task.items[0], modules, roots, self._sites, contracts=False)
        functions = [loaded.function(name) for name in request.functions]
        self._question = QUESTIONS[request.task_of](functions, loaded, request)
        self._against = [*unconfined, *self._question.hazards, *self._code_against(loaded, functions)]
        self._types_against = claims.parameters_against(self._question.signature)
        self._wider_types_against = claims.parameters_against(self._question.signature, lists=True)
        if not unconfined:
            self._limit([*self._against, *self._types_against], [*self._against, *self._wider_types_against])
        # Paths that satisfy the contract, or the question's other condition.
        self._verified = 0
        self._covered: dict[Side, None] = {}
        self._reported: dict[str, int] = {}
        self._tally_due = 0.0
        self._search = search.Search(self._question.signature, self._question.omittable, self._attempt, self._finished)

    def _unconfined(self, code: str, roots: Sequence[str]) -> list[str]:
        """The parts of the module that could write a false report in this process; determined before they can run."""
        try:
            reasons = confined.against(source.reached(source.parsed(code, program.CODE), roots))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            # None of it will run: loading the module reports the error.
            reasons = ["the code can't be read"]
        if reasons:
            self._limit(reasons, reasons)
        return reasons

    def _limit(self, claims_nothing: Sequence[str], trusts_nothing: Sequence[str]) -> None:
        """Reports the reasons against a proof, for any exploration.

        Only the first report counts, since code of the module may run after it.
        """
        self._say(Limits(Against(claims_nothing, trusts_nothing)).data())

    def _code_against(self, loaded: Subject, functions: Sequence[Function]) -> list[str]:
        conditions = [each.source for function in functions for each in self._question.conditions(function)]
        # Also as they are in the text: the decorators' own records are not trusted.
        decorators = [each for function in functions for each in function.node.decorator_list]
        conditions += [
            ast.unparse(each)
            for decorator in decorators
            for each in ast.walk(decorator)
            if isinstance(each, ast.Lambda)
        ]
        return claims.code_against(loaded.tree, functions, conditions)

    def run(self) -> None:
        self._search.run(self._until)

    def _attempt(self, arguments: Arguments) -> object:
        """One path, with CrossHair tracing it."""
        with NoTracing():
            self._sites.clear()
        outcome = self._question.attempt(arguments)
        with NoTracing():
            for error in self._question.errors(outcome):
                search.pass_on(error)
            return search.SKIPPED if self._question.skips(outcome) else outcome

    def _finished(self, outcome: object, inputs: Callable[[], Arguments]) -> None:
        sides = [*self._sites.log]
        if any(isinstance(error, RecursionError) for error in self._question.errors(outcome)):
            self._search.gaps.add("the recursion is deeper than what is explored")
        keys = self._question.keys(outcome, sides)
        self._verified += not (keys and self._question.speaks_of_all)
        new = [key for key in keys if self._is_new(key)]
        if new:
            self._tell(new, inputs(), sides)
        # Only now: paths that no input takes have been removed by then.
        self._covered.update(dict.fromkeys(sides))
        self._tally()

    def _is_new(self, key: str) -> bool:
        return self._reported.get(key, 0) < INPUTS_OF_A_KEY and (
            key in self._reported or len(self._reported) < KEYS_MAX
        )

    def _tell(self, keys: Sequence[str], inputs: Arguments, sides: Sequence[Side]) -> None:
        for key in keys:
            self._reported[key] = self._reported.get(key, 0) + 1
        try:
            encoded = tagged.encode(inputs)
        except tagged.Unencodable:
            self._search.gaps.add("some inputs could not be told")
            return
        if not self._say(Candidate(encoded, keys[0], sides).data()):
            self._search.gaps.add("more was found than could be told")

    def _tally(self) -> None:
        now = time.monotonic()
        if now >= self._tally_due:
            self._tally_due = now + TALLY_SECONDS
            self._say(Tallied(Tally(*self._counts())).data())

    def _counts(self) -> tuple[int, int, int, list[Side]]:
        search_state = self._search
        return search_state.paths, self._verified, search_state.skipped, [*self._covered]

    def result(self) -> Explored:
        search_state = self._search
        gaps = self._gaps()
        why_not = [*gaps, *self._types_against, *self._against]
        trusted = not gaps and not self._against and not self._wider_types_against
        return Explored(
            *self._counts(),
            search_state.unknown,
            search_state.exhausted,
            claim=not why_not,
            why_not=why_not,
            trusted=trusted,
            stopped=search_state.stopped,
            versions=versions(),
        )

    def _gaps(self) -> list[str]:
        """The reasons that the exploration itself adds."""
        search_state = self._search
        gaps = sorted(search_state.gaps)
        if search_state.unknown or not search_state.exhausted:
            gaps.insert(0, "not every path was explored to its end")
        elif not search_state.complete and not gaps:
            gaps.append("CrossHair did not confirm every path")
        if not search_state.ended:
            gaps.append("no inputs satisfy the preconditions" if search_state.skipped else "no path was explored")
        if self._question.speaks_of_all and self._reported:
            # Whether or not they are true: a proof can't stand while candidates refute it.
            gaps.append("inputs were found")
        if not _sound:
            gaps.append("CrossHair and Z3 failed a test with known answers, so nothing is claimed")
        return gaps


# ---- The questions. `attempt` runs under CrossHair.


_Outcome = TypeVar("_Outcome")


class Question(Generic[_Outcome]):
    """The question about one function; `outcome` is the result of an attempt."""

    # Whether a single input answers it.
    speaks_of_all = True

    def __init__(self, functions: Sequence[Function], loaded: Subject, request: Request) -> None:
        self.signature = functions[0].signature
        self.omittable = pairing.omittable(functions[0])
        self.hazards = functions[0].hazards

    def conditions(self, function: Function) -> list[Condition]:
        return [*function.contract.preconditions, *function.contract.postconditions]

    def attempt(self, arguments: Arguments) -> _Outcome:
        raise NotImplementedError

    def errors(self, outcome: _Outcome) -> list[trial.Error | None]:
        """Exceptions that were raised during the path, even if they were caught."""
        raise NotImplementedError

    def skips(self, outcome: _Outcome) -> bool:
        """Whether these inputs are not in question."""
        return False

    def keys(self, outcome: _Outcome, sides: Sequence[Side]) -> list[str]:
        """The findings of a path."""
        raise NotImplementedError


class Check(Question[trial.Outcome]):
    """Which inputs break the contract?"""

    def __init__(self, functions: Sequence[Function], loaded: Subject, request: Request) -> None:
        super().__init__(functions, loaded, request)
        self._function = functions[0]

    def attempt(self, arguments: Arguments) -> trial.Outcome:
        return trial.check(self._function, arguments)

    def errors(self, outcome: trial.Outcome) -> list[trial.Error | None]:
        return [outcome.error]

    def skips(self, outcome: trial.Outcome) -> bool:
        return outcome.kind == "skipped"

    def keys(self, outcome: trial.Outcome, sides: Sequence[Side]) -> list[str]:
        return [outcome.violation.key] if outcome.violation else []


class _OfRuns(Question[trial.Ran]):
    """A question about runs of one undecorated function."""

    def __init__(self, functions: Sequence[Function], loaded: Subject, request: Request) -> None:
        super().__init__(functions, loaded, request)
        self._function = functions[0]

    def attempt(self, arguments: Arguments) -> trial.Ran:
        return trial.outcome(self._function, arguments)

    def errors(self, outcome: trial.Ran) -> list[trial.Error | None]:
        return [outcome.error]


class Raises(_OfRuns):
    """Which inputs raise this exception?"""

    def __init__(self, functions: Sequence[Function], loaded: Subject, request: Request) -> None:
        super().__init__(functions, loaded, request)
        self._kind = loaded.exception(request.exception)
        self.hazards = [*self.hazards, *exceptions.hazards(self._kind)]

    def keys(self, outcome: trial.Ran, sides: Sequence[Side]) -> list[str]:
        return [trial.raised_key(outcome)] if outcome.error is not None and issubclass(outcome.type, self._kind) else []


class Branches(_OfRuns):
    """Which inputs take which sides?"""

    speaks_of_all = False

    def keys(self, outcome: trial.Ran, sides: Sequence[Side]) -> list[str]:
        return [f"{site} {side}" for site, side in sides]


class Compare(Question[tuple[trial.Ran, trial.Ran, bool]]):
    """On which inputs do two functions differ?"""

    def __init__(self, functions: Sequence[Function], loaded: Subject, request: Request) -> None:
        self._pair = pairing.pair(*functions)
        self.signature = self._pair.signature
        self.omittable = self._pair.omittable
        self.hazards = [*self._pair.hazards, *functions[0].hazards, *functions[1].hazards]

    def attempt(self, arguments: Arguments) -> tuple[trial.Ran, trial.Ran, bool]:
        other = self._pair.for_second(search.copied(arguments))
        first = trial.outcome(self._pair.first, arguments)
        second = trial.outcome(self._pair.second, other)
        try:
            return first, second, trial.alike(first, second)
        except trial.Uncomparable as error:
            raise CrosshairUnsupported("results can't be compared") from error

    def errors(self, outcome: tuple[trial.Ran, trial.Ran, bool]) -> list[trial.Error | None]:
        return [outcome[0].error, outcome[1].error]

    def keys(self, outcome: tuple[trial.Ran, trial.Ran, bool], sides: Sequence[Side]) -> list[str]:
        first, second, alike = outcome
        if alike:
            return []
        return [" ".join(trial.raised_key(each) if each.error is not None else "value" for each in (first, second))]


QUESTIONS: Mapping[str, type[Question[Any]]] = {
    "check": Check,
    "raises": Raises,
    "branches": Branches,
    "compare": Compare,
}
