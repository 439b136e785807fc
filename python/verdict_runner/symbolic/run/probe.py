"""Runs the function on many inputs: on boundary values, or on all inputs if there are few.

Probing is cheap and finds inputs that symbolic execution overlooks. The findings are candidates.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import itertools
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Modules
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards, program
from verdict_runner.symbolic.code import instrument
from verdict_runner.symbolic.code.annotations import unsupported
from verdict_runner.symbolic.code.function import Arguments
from verdict_runner.symbolic.inputs import boundary, smaller, tagged
from verdict_runner.symbolic.messages import Candidate, Exhausted, Probed, Request, Side, Unending
from verdict_runner.symbolic.run import shown, trial
from verdict_runner.symbolic.run.bounded import TooLong, bounded
from verdict_runner.symbolic.run.inspection import ready
from verdict_runner.symbolic.run.questions import Attempt, Question

# The maximum processor time for one call.
CALL_SECONDS = 0.3
# The maximum processor time for finding simpler inputs that show the same finding.
SIMPLER_SECONDS = 0.5
# The maximum number of inputs reported per violation: the first, and one more in case it can't be replayed.
INPUTS_OF_A_KEY = 2
KEYS_MAX = 200


class Asking:
    """Asks a question about one input after another."""

    def __init__(self, code: str, modules: Modules, request: Request, has_sides: bool = False) -> None:
        self._sites = instrument.Sites(request.functions)
        has_sides = has_sides or request.task_of == "branches"
        self._ask = ready(code, modules, request, self._sites if has_sides else None)
        self.question = self._ask()

    def anew(self) -> None:
        """Loads the module again."""
        self.question = self._ask()

    def at(self, written: Mapping[str, object], is_last_first: bool = False) -> tuple[Attempt, Sequence[Side]]:
        """Runs an input; returns how it ends and the sides that it takes. Raises `TooLong` and `Uncomparable`."""
        self._sites.clear()
        with bounded(CALL_SECONDS):
            arguments = tagged.decode(written, self.question.subject)
            attempt = self.question.attempt(arguments, is_last_first=is_last_first)
        return attempt, [] if attempt.is_excluded else self._sites.outcomes()

    def by_name(self, written: Mapping[str, object]) -> Attempt | None:
        """Passes an input's values by name; returns how this ends if two versions differ only then."""
        if not self.question.is_renamed:
            return None
        with contextlib.suppress(TooLong, trial.Uncomparable), bounded(CALL_SECONDS):
            return self.question.attempt_by_name(tagged.decode(written, self.question.subject))
        return None

    def is_repeated(self, written: Mapping[str, object], attempt: Attempt) -> bool:
        """Whether repeated calls end in the same way, so that no call changes what a later one uses.

        A single function is called again; two functions are loaded anew and called in reverse order. Raises
        `Uncomparable`, or `Unencodable` across loads.
        """
        if len(attempt.rans) == 1:
            again, _ = self.at(written)
            return trial.alike(attempt.rans[0], again.rans[0])
        self.anew()
        again, _ = self.at(written, is_last_first=True)
        return again.written == attempt.written

    def findings(self, written: Mapping[str, object]) -> tuple[object, ...]:
        """Returns everything that two inputs' findings must have in common to count as the same."""
        attempt, sides = self.at(written)
        return self.question.keys(attempt, sides), self.question.cause(attempt), sides


def simplest(code: str, modules: Modules, request: Request, until: float) -> Mapping[str, object]:
    """The simplest input found with the same finding as the request's input and, for an exception, the same path."""
    asking = Asking(code, modules, request, has_sides=request.task_of == "raises")
    subject = asking.question.subject
    fits = smaller.fitting(asking.question.signature, subject.namespace)

    def shows(written: Mapping[str, object]) -> bool:
        if time.monotonic() > until or time.process_time() > enough:
            return False
        try:
            return fits(tagged.decode(written, subject)) and asking.findings(written) == wanted
        except (TooLong, trial.Uncomparable, tagged.Unencodable):
            return False
        except Refused:
            # Another path tries something forbidden.
            guards.hits.clear()
            return False

    enough = time.process_time() + SIMPLER_SECONDS
    wanted = asking.findings(request.input)
    return smaller.smallest(request.input, shows)


def probe(code: str, modules: Modules, request: Request, say: Callable[[object], bool]) -> Probed:
    """Runs the function on boundary values and reports the inputs that answer the question."""
    return Probe(Asking(code, modules, request), say, request.patience).run(time.monotonic() + request.seconds)


def exhaust(code: str, modules: Modules, request: Request, say: Callable[[object], bool], until: float) -> Exhausted:
    """Runs all inputs, each on freshly loaded code; reports the first input that answers the question."""
    asking = Asking(code, modules, request)
    everything = [tagged.encode(each) for each in asking.question.inputs() or []]
    ran = counted = 0
    sides: dict[Side, None] = {}
    for written in everything:
        if time.monotonic() > until:
            break
        asking.anew()
        try:
            attempt, taken = asking.at(written)
            # Code that can tell how deep the stack is ends differently under another limit.
            with program.recursion_up_to(2 * sys.getrecursionlimit()):
                if not asking.is_repeated(written, attempt):
                    break
        except (TooLong, trial.Uncomparable, tagged.Unencodable):
            break
        if any(each.is_read for each in attempt.rans):
            break
        if attempt.starved or any(isinstance(each, RecursionError) for each in attempt.errors):
            break
        keys = asking.question.keys(attempt, [each for each in taken if each not in sides])
        for key in keys:
            say(Candidate(written, key, taken).data())
        if keys and asking.question.speaks_of_all:
            break
        sides.update(dict.fromkeys(taken))
        counted += not attempt.is_excluded
        ran += 1
    return Exhausted(ran, bool(counted) and ran == len(everything), [*sides])


class Probe:
    """One pass over the boundary values of a function."""

    def __init__(self, asking: Asking, say: Callable[[object], bool], patience: float) -> None:
        self._asking = asking
        subject = asking.question.subject
        nodes: list[ast.AST] = [each.node for each in asking.question.functions]
        nodes += [each.tree for each in asking.question.subjects]
        self._values = boundary.Boundary(subject, nodes, len(asking.question.functions) > 1)
        self._say = say
        self._reported: dict[str, int] = {}
        self._tried = self._skipped = self._returned = 0
        self._is_slow = False
        # The first input on which functions differ only if its values are passed by name.
        self._by_name: Mapping[str, Json] | None = None
        # The time limit for a call that is tried once more.
        self._patience = patience
        # Why the first input that can't be judged is refused.
        self._refused: Refused | None = None

    def run(self, until: float) -> Probed:
        for arguments in self._inputs():
            if time.monotonic() >= until:
                break
            try:
                self._try(tagged.encode(arguments))
            except tagged.Unencodable:
                continue
        if self._refused and not self._reported:
            raise self._refused
        if self._by_name is not None and not self._reported:
            self._say(Candidate(self._by_name, "by name", []).data())
        return Probed(self._tried, self._skipped, self._returned)

    def _inputs(self) -> Iterator[Arguments]:
        """Yields an input in which all optional arguments are omitted, and then every combination."""
        signature = self._asking.question.signature
        inputs = self._values.inputs(signature)
        first = next(inputs, None)
        if first is None:
            return
        left_out = {each.name for each in signature.parameters.values() if each.default is not each.empty}
        if left_out:
            yield {name: value for name, value in first.items() if name not in left_out}
        yield from itertools.chain([first], inputs)

    def _try(self, written: Mapping[str, Json]) -> None:
        self._tried += 1
        try:
            attempt, sides = self._asking.at(written)
        except TooLong:
            if not self._is_slow:
                self._is_slow = True
                self._tell_slow(tagged.decode(written, self._asking.question.subject))
            return
        except Refused as refused:
            if refused.code != "forbidden":
                raise
            guards.hits.clear()
            self._refuse(refused)
            return
        except trial.Uncomparable as what:
            message, step = f"The results can't be compared: {what}.", "return a list, a tuple or a number instead"
            self._refuse(unsupported(message, step))
            return
        if attempt.is_excluded:
            self._skipped += 1
            return
        self._returned += attempt.has_returned
        keys = self._asking.question.keys(attempt, sides)
        if not keys and self._by_name is None and self._asking.by_name(written):
            self._by_name = written
        if any(self._reported.get(each, 0) < INPUTS_OF_A_KEY for each in keys) and not self._is_steady(
            written, attempt
        ):
            # Such a finding must not take the place of one that can be replayed.
            keys = [f"unsteady: {each}" for each in keys]
        new = [each for each in keys if self._reported.get(each, 0) < INPUTS_OF_A_KEY]
        if new and len(self._reported) < KEYS_MAX:
            self._say(Candidate(written, new[0], sides).data())
            self._reported.update({each: self._reported.get(each, 0) + 1 for each in keys})

    def _refuse(self, refused: Refused) -> None:
        """Raises a refusal, for two versions only at the end: they can differ on inputs that are not refused."""
        if len(self._asking.question.subjects) == 1:
            raise refused from None
        self._refused = self._refused or refused

    def _is_steady(self, written: Mapping[str, Json], attempt: Attempt) -> bool:
        """Whether another call of two functions ends in the same way, as far as that can be compared."""
        if len(attempt.rans) == 1:
            return True
        try:
            again, _ = self._asking.at(written)
            return all(map(trial.alike, attempt.rans, again.rans))
        except (TooLong, trial.Uncomparable):
            return True

    def _tell_slow(self, arguments: Arguments) -> None:
        report = _unending(self._asking.question, arguments, self._patience)
        if report:
            self._say(Unending(report).data())


def _unending(question: Question, arguments: Arguments, seconds: float) -> str | None:
    """Returns a sentence about calls that have not ended after this many processor seconds.

    A call that does not end is not a verdict, but worth reporting, mostly if another function returned.
    """
    source, endless, ended = shown.Source(), [], []
    for function, own in zip(question.functions, question.takes(arguments)):
        call = shown.cut(source.call(function, own))
        try:
            with bounded(seconds):
                ran = trial.outcome(function, copy.deepcopy(own))
        except TooLong:
            endless.append(call)
        else:
            end = f"raises {ran.type.__name__}" if ran.error else f"returns {shown.cut(source.of(ran.value))}"
            ended.append(f"{call} {end}")
    if not endless:
        return None
    others = f", while {ended[0]}" if ended else ""
    return f"Not part of the verdict, but worth checking: {' and '.join(endless)} had not finished after {seconds:.1f} s of computing{others}."
