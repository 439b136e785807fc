"""Tries boundary values: cheap, and it finds what symbolic execution overlooks. What it finds are candidates."""

import copy
import itertools
import time

from verdict_runner.symbolic.code import instrument
from verdict_runner.symbolic.code.annotations import unsupported
from verdict_runner.symbolic.run import boundary, pairing, tagged, trial, unending
from verdict_runner.symbolic.run.bounded import TooLong, bounded
from verdict_runner.symbolic.run.inspection import load

# The processor time of one call.
CALL_SECONDS = 0.3
# Inputs that are told of one violation: the first, and one more in case that it does not replay.
INPUTS_OF_A_KEY = 2
KEYS_MAX = 200


def probe(code, modules, request, say):
    """Runs the function on boundary values and says what shows what is asked for."""
    sites = instrument.Sites(request["functions"]) if request["task_of"] == "branches" else None
    loaded = load(code, modules, request, sites)
    functions = [loaded.function(name) for name in request["functions"]]
    look = LOOKS[request["task_of"]](functions, loaded, request, sites)
    return Probe(loaded, functions, look, say, request["patience"]).run(time.monotonic() + request["seconds"])


class Probe:
    """One pass over the boundary values of a function."""

    def __init__(self, loaded, functions, look, say, patience):
        self._loaded = loaded
        self._values = boundary.Boundary(loaded, [loaded.tree])
        self._look = look
        self._say = say
        self._told = {}
        self._counts = {"tried": 0, "skipped": 0, "slow": 0}
        # How long a call may take that is tried once more.
        self._patience = patience

    def run(self, until):
        for arguments in self._inputs():
            if time.monotonic() >= until:
                break
            try:
                self._try(tagged.encode(arguments))
            except tagged.Unencodable:
                continue
        return self._counts

    def _inputs(self):
        """All arguments once left out that can be, then every combination."""
        signature = self._look.signature
        given = self._values.inputs(signature)
        first = next(given, None)
        if first is None:
            return
        left_out = {each.name for each in signature.parameters.values() if each.default is not each.empty}
        if left_out:
            yield {name: value for name, value in first.items() if name not in left_out}
        yield from itertools.chain([first], given)

    def _try(self, written):
        self._counts["tried"] += 1
        try:
            with bounded(CALL_SECONDS):
                keys, sides = self._look.at(tagged.decode(written, self._loaded))
        except TooLong:
            self._counts["slow"] += 1
            if self._counts["slow"] == 1:
                self._tell_slow(tagged.decode(written, self._loaded))
            return
        except trial.Uncomparable as what:
            raise unsupported(
                f"The results can't be compared: {what}.", "return a list, a tuple or a number instead"
            ) from None
        if keys is None:
            self._counts["skipped"] += 1
            return
        new = [each for each in keys if self._told.get(each, 0) < INPUTS_OF_A_KEY]
        if new and len(self._told) < KEYS_MAX:
            self._say({"input": written, "key": new[0], "sides": sides})
            self._told.update({each: self._told.get(each, 0) + 1 for each in keys})

    def _tell_slow(self, arguments):
        told = unending.told(self._look.functions, self._look.takes, arguments, self._patience)
        if told:
            self._say({"unending": told})


class Checks:
    """Does it break its contract?"""

    def __init__(self, functions, loaded, request, sites):
        self.functions = functions
        self.function = functions[0]
        self.signature = self.function.signature

    def takes(self, arguments):
        """The arguments of each function."""
        return [arguments]

    def at(self, arguments):
        """The keys of what the call shows, None when it does not count, and the sides that it took."""
        judged = trial.check(self.function, arguments)
        if judged.kind == "skipped":
            return None, []
        return ([judged.violation.key] if judged.violation else []), []


class Raises(Checks):
    """Does it raise this exception?"""

    def __init__(self, functions, loaded, request, sites):
        super().__init__(functions, loaded, request, sites)
        self._kind = loaded.exception(request["exception"])

    def at(self, arguments):
        ran = trial.outcome(self.function, arguments)
        return ([trial.raised_key(ran)] if isinstance(ran.error, self._kind) else []), []


class Branches(Checks):
    """Which sides does it take?"""

    def __init__(self, functions, loaded, request, sites):
        super().__init__(functions, loaded, request, sites)
        self._sites = sites

    def at(self, arguments):
        self._sites.clear()
        trial.outcome(self.function, arguments)
        sides = self._sites.outcomes()
        return [f"{site} {side}" for site, side in sides], sides


class Compares:
    """Do the two differ?"""

    def __init__(self, functions, loaded, request, sites):
        self.functions = functions
        self._pair = pairing.pair(*functions)
        self.signature = self._pair.signature

    def takes(self, arguments):
        return [arguments, self._pair.for_second(arguments)]

    def at(self, arguments):
        first, second = run_both(self._pair, arguments)
        return ([] if trial.alike(first, second) else [difference_key(first, second)]), []


def run_both(pair, arguments):
    """What each of two functions does with the same arguments, each on its own copy."""
    other = pair.for_second(copy.deepcopy(arguments))
    return trial.outcome(pair.first, arguments), trial.outcome(pair.second, other)


def difference_key(first, second):
    return " ".join(trial.raised_key(each) if each.error is not None else "value" for each in (first, second))


LOOKS = {"check": Checks, "raises": Raises, "branches": Branches, "compare": Compares}
