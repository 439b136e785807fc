"""The profile `explore`: symbolic execution of a function, on the question that was asked.

What it finds are candidates: a clean interpreter says whether they are true. What it claims is about
all inputs, and only where `claims` and `search` find nothing that speaks against it.
"""

import ast
import io
import sys
import time

import z3
from crosshair import __version__ as crosshair_version
from crosshair.tracers import NoTracing
from crosshair.util import CrosshairUnsupported

from verdict_runner.sandbox import program
from verdict_runner.symbolic.code import instrument, source, subject
from verdict_runner.symbolic.contracts import decorators, exceptions
from verdict_runner.symbolic.find import claims, confined, search, selftest
from verdict_runner.symbolic.run import inspection, pairing, tagged, trial

# Inputs that are told of each thing that was found: the first, and some in case it does not replay.
INPUTS_OF_A_KEY = 3
KEYS_MAX = 200
TALLY_SECONDS = 0.25
# What is kept of the time for saying how it ended.
RESERVE_SECONDS = 0.2
Z3_MEMORY_SHARE = 0.6

# CrossHair traces what code under test does; 3.12 and later have another way for that.
EVENTS = ("sys.settrace",)

_sound = False


def versions():
    return {"crosshair": crosshair_version, "z3": z3.get_version_string()}


def warm():
    """Finds out whether CrossHair and Z3 still know what they have to know."""
    global _sound
    decorators.warm()
    _sound = selftest.passes()


def rehearse():
    """Nothing to do ahead: what an exploration needs was imported before the process was forked."""


def modules():
    return {}


def solve(job, modules):
    """Explores until all is explored or the time is over, and gives how far it came."""
    # The code runs once a path; what it prints each time is nobody's answer.
    sys.stdout = sys.stderr = io.StringIO()
    z3.set_param("memory_max_size", int(job["memory_bytes"] // 2**20 * Z3_MEMORY_SHARE))
    exploration = Exploration(job, modules)
    exploration.run()
    return exploration.result()


class Exploration:
    """One question about the code of a job."""

    def __init__(self, job, modules):
        request = job["request"]
        self._say = job["say"]
        self._until = min(job["until"] - RESERVE_SECONDS, time.monotonic() + request["seconds"])
        self._sites = instrument.Sites(request["functions"])
        roots = inspection.roots_of(request)
        unconfined = self._unconfined(job["items"][0], roots)
        loaded = subject.load(job["items"][0], modules, roots, self._sites, contracts=False)
        functions = [loaded.function(name) for name in request["functions"]]
        self._question = QUESTIONS[request["task"]](functions, loaded, request)
        self._against = [*unconfined, *self._question.hazards, *self._code_against(loaded, functions)]
        self._types_against = claims.parameters_against(self._question.signature)
        self._wider_types_against = claims.parameters_against(self._question.signature, lists=True)
        if not unconfined:
            self._limit([*self._against, *self._types_against], [*self._against, *self._wider_types_against])
        # Paths on which nothing speaks against a contract, or what else is asked.
        self._verified = 0
        self._covered = {}
        self._told = {}
        self._tally_due = 0.0
        self._search = search.Search(self._question.signature, self._question.omittable, self._attempt, self._finished)

    def _unconfined(self, code, roots):
        """What the module runs that could say in this process what it likes; told before it can."""
        try:
            found = confined.against(source.reached(source.parsed(code, program.CODE), roots))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            # Nothing of it will run: the module says what is wrong with it when it is loaded.
            found = ["the code can't be read"]
        if found:
            self._limit(found, found)
        return found

    def _limit(self, claims_nothing, trusts_nothing):
        """Says what speaks against a proof, whatever is explored: only the first word on it counts, since code ran after it."""
        self._say({"limits": {"claim": claims_nothing, "trusted": trusts_nothing}})

    def _code_against(self, loaded, functions):
        conditions = [each.source for function in functions for each in self._question.conditions(function)]
        # As they stand in the text, too: which of them a library has kept is its own word.
        decorators = [each for function in functions for each in function.node.decorator_list]
        conditions += [
            ast.unparse(each)
            for decorator in decorators
            for each in ast.walk(decorator)
            if isinstance(each, ast.Lambda)
        ]
        return claims.code_against(loaded.tree, functions, conditions)

    def run(self):
        self._search.run(self._until)

    def _attempt(self, arguments):
        """One path, with CrossHair tracing it."""
        with NoTracing():
            self._sites.clear()
        given = self._question.attempt(arguments)
        with NoTracing():
            for error in self._question.errors(given):
                search.pass_on(error)
            return search.SKIPPED if self._question.skips(given) else given

    def _finished(self, given, inputs):
        sides = [*self._sites.log]
        if any(isinstance(error, RecursionError) for error in self._question.errors(given)):
            self._search.gaps.add("the recursion is deeper than what is explored")
        keys = self._question.keys(given, sides)
        self._verified += not (keys and self._question.speaks_of_all)
        new = [key for key in keys if self._is_new(key)]
        if new:
            self._tell(new, inputs(), sides)
        # Only now: a path that no input takes is left out by then.
        self._covered.update(dict.fromkeys(sides))
        self._tally()

    def _is_new(self, key):
        return self._told.get(key, 0) < INPUTS_OF_A_KEY and (key in self._told or len(self._told) < KEYS_MAX)

    def _tell(self, keys, inputs, sides):
        for key in keys:
            self._told[key] = self._told.get(key, 0) + 1
        try:
            encoded = tagged.encode(inputs)
        except tagged.Unencodable:
            self._search.gaps.add("some inputs could not be told")
            return
        if not self._say({"input": encoded, "key": keys[0], "sides": [list(side) for side in sides]}):
            self._search.gaps.add("more was found than could be told")

    def _tally(self):
        now = time.monotonic()
        if now >= self._tally_due:
            self._tally_due = now + TALLY_SECONDS
            self._say({"tally": self._counts()})

    def _counts(self):
        found = self._search
        covered = [list(side) for side in self._covered]
        return {"paths": found.paths, "verified": self._verified, "skipped": found.skipped, "covered": covered}

    def result(self):
        found = self._search
        gaps = self._gaps()
        why_not = [*gaps, *self._types_against, *self._against]
        trusted = not gaps and not self._against and not self._wider_types_against
        return {
            **self._counts(),
            "unknown": found.unknown,
            "exhausted": found.exhausted,
            "claim": not why_not,
            "trusted": trusted,
            "why_not": why_not,
            "stopped": found.stopped,
            "versions": versions(),
        }

    def _gaps(self):
        """What the exploration itself left open."""
        found = self._search
        gaps = sorted(found.gaps)
        if found.unknown or not found.exhausted:
            gaps.insert(0, "not every path was explored to its end")
        elif not found.complete and not gaps:
            gaps.append("CrossHair did not confirm every path")
        if not found.ended:
            gaps.append("no inputs satisfy the preconditions" if found.skipped else "no path was explored")
        if self._question.speaks_of_all and self._told:
            # Whether they are true or not: nothing is proved against what was found.
            gaps.append("inputs were found")
        if not _sound:
            gaps.append("CrossHair and Z3 failed a test with known answers, so nothing is claimed")
        return gaps


# ---- The questions. `attempt` runs under CrossHair; `keys` names what is worth telling of a path.


class Question:
    """What is asked of one function."""

    # Whether a single input answers it.
    speaks_of_all = True

    def __init__(self, functions, loaded, request):
        self.function = functions[0]
        self.signature = self.function.signature
        self.omittable = pairing.omittable(self.function)
        self.hazards = self.function.hazards

    def conditions(self, function):
        contract = function.contract
        return [*contract.preconditions, *contract.postconditions]

    def attempt(self, arguments):
        return trial.outcome(self.function, arguments)

    def errors(self, given):
        """What was raised on the way, whoever caught it."""
        return [given.error]

    def skips(self, given):
        """Whether these inputs are not in question."""
        return False


class Check(Question):
    """Which inputs break the contract?"""

    def attempt(self, arguments):
        return trial.check(self.function, arguments)

    def skips(self, judged):
        return judged.kind == "skipped"

    def keys(self, judged, sides):
        return [judged.violation.key] if judged.kind == "violation" else []


class Raises(Question):
    """Which inputs raise this exception?"""

    def __init__(self, functions, loaded, request):
        super().__init__(functions, loaded, request)
        self._kind = loaded.exception(request["exception"])
        self.hazards = [*self.hazards, *exceptions.hazards(self._kind)]

    def keys(self, ran, sides):
        return [trial.raised_key(ran)] if ran.error is not None and issubclass(ran.type, self._kind) else []


class Branches(Question):
    """Which inputs take which sides?"""

    speaks_of_all = False

    def keys(self, ran, sides):
        return [f"{site} {side}" for site, side in sides]


class Compare(Question):
    """On which inputs do two functions differ?"""

    def __init__(self, functions, loaded, request):
        self._pair = pairing.pair(*functions)
        self.signature = self._pair.signature
        self.omittable = self._pair.omittable
        self.hazards = [*self._pair.hazards, *functions[0].hazards, *functions[1].hazards]

    def attempt(self, arguments):
        other = self._pair.for_second(search.copied(arguments))
        first = trial.outcome(self._pair.first, arguments)
        second = trial.outcome(self._pair.second, other)
        try:
            return first, second, trial.alike(first, second)
        except trial.Uncomparable as error:
            raise CrosshairUnsupported("results can't be compared") from error

    def errors(self, given):
        return [given[0].error, given[1].error]

    def keys(self, given, sides):
        first, second, alike = given
        return (
            []
            if alike
            else [" ".join(trial.raised_key(each) if each.error is not None else "value" for each in (first, second))]
        )


QUESTIONS = {"check": Check, "raises": Raises, "branches": Branches, "compare": Compare}
