"""Implements the profile `explore`: symbolic execution of a function for one question.

It finds candidates, which a clean interpreter then replays. Its claims are about all inputs and count only if `claims`
and `search` report no reasons against them.
"""

from __future__ import annotations

import ast
import io
import sys
import time
from collections.abc import Callable, Sequence

import z3
from crosshair import __version__ as crosshair_version
from crosshair.tracers import NoTracing
from crosshair.util import CrosshairUnsupported

from verdict_runner.protocol.runner import Modules, Task
from verdict_runner.sandbox import program
from verdict_runner.symbolic.code import instrument, source
from verdict_runner.symbolic.code.function import Arguments
from verdict_runner.symbolic.contracts import decorators
from verdict_runner.symbolic.find import claims, confined, search, selftest
from verdict_runner.symbolic.inputs import tagged
from verdict_runner.symbolic.messages import Against, Candidate, Explored, Limits, Request, Side, Tallied, Tally
from verdict_runner.symbolic.run import inspection, trial
from verdict_runner.symbolic.run.questions import QUESTIONS, Attempt

# The maximum number of inputs reported per finding: the first, and some more in case it can't be replayed.
INPUTS_OF_A_KEY = 3
KEYS_MAX = 200
TALLY_SECONDS = 0.25
# The time reserved for reporting how the exploration ended.
RESERVE_SECONDS = 0.2
Z3_MEMORY_SHARE = 0.6

# CrossHair traces the code under test; from Python 3.12 on, there is another way to do that.
EVENTS = ("sys.settrace",)

_sound = False


def versions() -> dict[str, str]:
    return {"crosshair": crosshair_version, "z3": z3.get_version_string()}


def warm() -> None:
    """Prepares CrossHair and tests whether CrossHair and Z3 still give the known answers."""
    global _sound
    decorators.warm()
    search.warm()
    _sound = selftest.passes()


def solve(task: Task, modules: Modules) -> object:
    """Explores until everything is explored or the time is over; returns how far it got."""
    # The code runs once per path; its output is not part of any answer.
    sys.stdout = sys.stderr = io.StringIO()
    z3.set_param("memory_max_size", int(task.memory_bytes // 2**20 * Z3_MEMORY_SHARE))
    exploration = Exploration(task, modules)
    exploration.run()
    return exploration.result().data()


class Exploration:
    """One question about a job's code."""

    def __init__(self, task: Task, modules: Modules) -> None:
        request = Request.read(task.request)
        self._say = task.say
        self._until = min(task.until - RESERVE_SECONDS, time.monotonic() + request.seconds)
        self._sites = instrument.Sites(request.functions)
        unconfined = [
            why for text, roots in inspection.texts_of(task.items[0], request) for why in self._unconfined(text, roots)
        ]
        prepared = inspection.prepared_of(task.items[0], request, self._sites)
        loaded = inspection.loaded(prepared, modules, contracts=False)
        self._question = QUESTIONS[request.task_of](loaded, request)
        self._against = [*unconfined, *self._question.against, *self._code_against()]
        self._types_against = claims.parameters_against(self._question.signature)
        self._wider_types_against = claims.parameters_against(self._question.signature, lists=True)
        if not unconfined:
            self._limit([*self._against, *self._types_against], [*self._against, *self._wider_types_against])
        # The number of paths that satisfy the contract, or whatever else the question asks for.
        self._verified = 0
        self._covered: dict[Side, None] = {}
        self._reported: dict[str, int] = {}
        self._tally_due = 0.0
        self._search = search.Search(self._question.signature, self._question.omittable, self._attempt, self._finished)

    def _unconfined(self, code: str, roots: Sequence[str]) -> list[str]:
        """Returns the parts of the module that could write a false report in this process, before they can run."""
        try:
            reasons = confined.against(source.reached(source.parsed(code, program.CODE), roots))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            # None of the code will run, since loading the module reports the error.
            reasons = ["the code can't be read"]
        if reasons:
            self._limit(reasons, reasons)
        return reasons

    def _limit(self, claims_nothing: Sequence[str], trusts_nothing: Sequence[str]) -> None:
        """Reports the reasons against a proof, and against trusting an exhausted exploration.

        Only the first report counts, since code of the module may run after it.
        """
        self._say(Limits(Against(claims_nothing, trusts_nothing)).data())

    def _code_against(self) -> list[str]:
        functions = self._question.functions
        contracts = [each.contract for each in functions]
        conditions = [one.source for each in contracts for one in (*each.preconditions, *each.postconditions)]
        # Conditions are also read from the text, since the decorators' own records are not trusted.
        decorators = [each for function in functions for each in function.node.decorator_list]
        conditions += [
            ast.unparse(each)
            for decorator in decorators
            for each in ast.walk(decorator)
            if isinstance(each, ast.Lambda)
        ]
        reasons = [
            claims.code_against(each.tree, [one for one in functions if one.subject is each], conditions)
            for each in self._question.subjects
        ]
        return [why for each in reasons for why in each]

    def run(self) -> None:
        self._search.run(self._until)

    def _attempt(self, arguments: Arguments) -> object:
        """Runs one path while CrossHair traces it."""
        with NoTracing():
            self._sites.clear()
        try:
            attempt = self._question.attempt(arguments, search.copied)
        except trial.Uncomparable as error:
            raise CrosshairUnsupported("results can't be compared") from error
        with NoTracing():
            for error in attempt.errors:
                search.pass_on(error)
            return search.SKIPPED if attempt.is_excluded else attempt

    def _finished(self, attempt: Attempt, inputs: Callable[[], Arguments]) -> None:
        sides = [*self._sites.log]
        if attempt.went_on or any(isinstance(error, RecursionError) for error in attempt.errors):
            self._search.gaps.add("the recursion is deeper than the exploration goes")
        keys = self._question.keys(attempt, sides)
        self._verified += not (keys and self._question.speaks_of_all)
        new = [key for key in keys if self._is_new(key)]
        told = inputs() if new else {}
        # Sides are recorded only now, after paths that no input takes have been removed.
        self._covered.update(dict.fromkeys(sides))
        self._tally(now=bool(new))
        if new:
            self._tell(new, told, sides)

    def _is_new(self, key: str) -> bool:
        return self._reported.get(key, 0) < INPUTS_OF_A_KEY and (
            key in self._reported or len(self._reported) < KEYS_MAX
        )

    def _tell(self, keys: Sequence[str], inputs: Arguments, sides: Sequence[Side]) -> None:
        for key in keys:
            self._reported[key] = self._reported.get(key, 0) + 1
        try:
            encoded = tagged.encode(inputs, with_aliases=True)
        except tagged.Unencodable:
            self._search.gaps.add("some inputs could not be reported")
            return
        if not self._say(Candidate(encoded, keys[0], sides).data()):
            self._search.gaps.add("more inputs were found than could be reported")

    def _tally(self, now: bool) -> None:
        """Reports the progress, in any case before each finding, so that the counts include the finding's path."""
        time_now = time.monotonic()
        if now or time_now >= self._tally_due:
            self._tally_due = time_now + TALLY_SECONDS
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
        )

    def _gaps(self) -> list[str]:
        """Returns the reasons against a proof that the exploration itself adds."""
        search_state = self._search
        gaps = sorted(search_state.gaps)
        if search_state.unknown or not search_state.exhausted:
            gaps.insert(0, "not every path was explored to the end")
        elif not search_state.complete and not gaps:
            gaps.append("CrossHair did not confirm every path")
        if not search_state.ended:
            gaps.append("no inputs satisfy the preconditions" if search_state.skipped else "no path was explored")
        if self._question.speaks_of_all and self._reported:
            # Even if the candidates are wrong, a proof is not reported while candidates refute it.
            gaps.append("inputs were found")
        if not _sound:
            gaps.append("CrossHair and Z3 failed a test with known answers, so nothing is claimed")
        return gaps
