"""Tries boundary values.

This is cheap, and finds inputs that symbolic execution overlooks. Its findings are candidates.
"""

from __future__ import annotations

import copy
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from verdict_runner.protocol.messages import Json
from verdict_runner.protocol.runner import Modules
from verdict_runner.symbolic.code import instrument
from verdict_runner.symbolic.code.annotations import unsupported
from verdict_runner.symbolic.code.function import Arguments, Function
from verdict_runner.symbolic.code.subject import Subject
from verdict_runner.symbolic.messages import Candidate, Probed, Request, Side, Unending
from verdict_runner.symbolic.run import boundary, pairing, tagged, trial, unending
from verdict_runner.symbolic.run.bounded import TooLong, bounded
from verdict_runner.symbolic.run.inspection import load

# The processor time of one call.
CALL_SECONDS = 0.3
# Inputs that are reported for one violation: the first, and one more in case it does not replay.
INPUTS_OF_A_KEY = 2
KEYS_MAX = 200


def probe(code: str, modules: Modules, request: Request, say: Callable[[object], bool]) -> Probed:
    """Runs the function on boundary values and reports the inputs that answer the question."""
    sites = instrument.Sites(request.functions) if request.task_of == "branches" else None
    loaded = load(code, modules, request, sites)
    functions = [loaded.function(name) for name in request.functions]
    look = LOOKS[request.task_of](functions, loaded, request, sites)
    return Probe(loaded, functions, look, say, request.patience).run(time.monotonic() + request.seconds)


class Probe:
    """One pass over the boundary values of a function."""

    def __init__(
        self, loaded: Subject, functions: Sequence[Function], look: Look, say: Callable[[object], bool], patience: float
    ) -> None:
        self._loaded = loaded
        self._values = boundary.Boundary(loaded, [loaded.tree])
        self._look = look
        self._say = say
        self._reported: dict[str, int] = {}
        self._tried = self._skipped = self._slow = 0
        # The time limit of a call that is tried once more.
        self._patience = patience

    def run(self, until: float) -> Probed:
        for arguments in self._inputs():
            if time.monotonic() >= until:
                break
            try:
                self._try(tagged.encode(arguments))
            except tagged.Unencodable:
                continue
        return Probed(self._tried, self._skipped, self._slow, self._look.returned)

    def _inputs(self) -> Iterator[Arguments]:
        """First all arguments that can be omitted at once, then every combination."""
        signature = self._look.signature
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
            with bounded(CALL_SECONDS):
                keys, sides = self._look.at(tagged.decode(written, self._loaded))
        except TooLong:
            self._slow += 1
            if self._slow == 1:
                self._tell_slow(tagged.decode(written, self._loaded))
            return
        except trial.Uncomparable as what:
            raise unsupported(
                f"The results can't be compared: {what}.", "return a list, a tuple or a number instead"
            ) from None
        if keys is None:
            self._skipped += 1
            return
        new = [each for each in keys if self._reported.get(each, 0) < INPUTS_OF_A_KEY]
        if new and len(self._reported) < KEYS_MAX:
            self._say(Candidate(written, new[0], sides).data())
            self._reported.update({each: self._reported.get(each, 0) + 1 for each in keys})

    def _tell_slow(self, arguments: Arguments) -> None:
        report = unending.report(self._look.functions, self._look.takes, arguments, self._patience)
        if report:
            self._say(Unending(report).data())


# The keys of the findings of a call, None if it does not count; and the sides that it took.
Seen: TypeAlias = "tuple[list[str] | None, Sequence[Side]]"


class Checks:
    """Does it break its contract?"""

    def __init__(
        self, functions: Sequence[Function], loaded: Subject, request: Request, sites: instrument.Sites | None
    ) -> None:
        self.functions = functions
        self.function = functions[0]
        self.returned = 0
        self.signature = self.function.signature

    def takes(self, arguments: Arguments) -> list[Arguments]:
        """The arguments of each function."""
        return [arguments]

    def at(self, arguments: Arguments) -> Seen:
        """The keys of the findings of the call, None if it does not count, and the sides that it took."""
        judged = trial.check(self.function, arguments)
        if judged.kind == "skipped":
            return None, []
        return ([judged.violation.key] if judged.violation else []), []


class Raises(Checks):
    """Does it raise this exception?"""

    def __init__(
        self, functions: Sequence[Function], loaded: Subject, request: Request, sites: instrument.Sites | None
    ) -> None:
        super().__init__(functions, loaded, request, sites)
        self._kind = loaded.exception(request.exception)

    def at(self, arguments: Arguments) -> Seen:
        ran = trial.outcome(self.function, arguments)
        return ([trial.raised_key(ran)] if isinstance(ran.error, self._kind) else []), []


class Branches(Checks):
    """Which sides does it take?"""

    def __init__(
        self, functions: Sequence[Function], loaded: Subject, request: Request, sites: instrument.Sites | None
    ) -> None:
        super().__init__(functions, loaded, request, sites)
        self._sites = sites or instrument.Sites(request.functions)

    def at(self, arguments: Arguments) -> Seen:
        self._sites.clear()
        trial.outcome(self.function, arguments)
        sides = self._sites.outcomes()
        return [f"{site} {side}" for site, side in sides], sides


class Compares:
    """Do the two differ?"""

    def __init__(
        self, functions: Sequence[Function], loaded: Subject, request: Request, sites: instrument.Sites | None
    ) -> None:
        self.functions = functions
        self._pair = pairing.pair(*functions)
        # Inputs on which one of them returned something.
        self.returned = 0
        self.signature = self._pair.signature

    def takes(self, arguments: Arguments) -> list[Arguments]:
        return [arguments, self._pair.for_second(arguments)]

    def at(self, arguments: Arguments) -> Seen:
        first, second = run_both(self._pair, arguments)
        self.returned += first.error is None or second.error is None
        return ([] if trial.alike(first, second) else [difference_key(first, second)]), []


def run_both(pair: pairing.Pair, arguments: Arguments) -> tuple[trial.Ran, trial.Ran]:
    """The behaviour of each of two functions with the same arguments, each on its own copy."""
    other = pair.for_second(copy.deepcopy(arguments))
    return trial.outcome(pair.first, arguments), trial.outcome(pair.second, other)


def difference_key(first: trial.Ran, second: trial.Ran) -> str:
    return " ".join(trial.raised_key(each) if each.error is not None else "value" for each in (first, second))


Look: TypeAlias = "Checks | Compares"
LOOKS: Mapping[str, Callable[[Sequence[Function], Subject, Request, instrument.Sites | None], Look]] = {
    "check": Checks,
    "raises": Raises,
    "branches": Branches,
    "compare": Compares,
}
