"""Runs one exploration with CrossHair: reports every finished path, and whether the paths cover all inputs.

CrossHair also reports a tree of paths as exhausted if paths in it timed out, were abandoned or skipped, or if it tried
a few values instead of all. All such cases are counted here, and the exploration is complete only if all counts are
zero.
"""

from __future__ import annotations

import collections.abc
import inspect
import signal
import time
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from traceback import StackSummary
from typing import Any, NoReturn

import z3
from crosshair.copyext import CopyMode
from crosshair.core import (
    ExceptionFilter,
    SymbolicFactory,
    deep_realize,
    deepcopyext,
    explore_paths,
    register_type,
    suspected_proxy_intolerance_exception,
)
from crosshair.core_and_libs import NoTracing, ResumedTracing  # This import must be first: it registers the models.
from crosshair.libimpl.builtinslib import ModelingDirector
from crosshair.options import DEFAULT_OPTIONS, AnalysisOptionSet
from crosshair.statespace import ModelValueNode, RootNode, StateSpace, VerificationStatus, context_statespace
from crosshair.util import CrossHairInternal, CrosshairUnsupported, IgnoreAttempt, NotDeterministic, PathTimeout

from verdict_runner.symbolic.code.annotations import Annotation

# The result of an attempt with inputs that the question excludes.
SKIPPED = object()
# The time limits for a path; a path that exceeds the first is abandoned and tried again with the second after all
# others.
PATH_SECONDS = (1.0, 8.0)
# CrossHair checks the time when paths fork; code that never forks is stopped this many seconds later.
FORKLESS_SECONDS = 1.0
UNSTEADY = "it does not behave the same each time it runs"
# Exceptions that end a search for good, because its state is no longer reliable.
BROKEN = (CrossHairInternal, z3.Z3Exception)


class Search:
    """Explores paths through `attempt(arguments)`, which runs on symbolic arguments and returns anything but None.

    Arguments in `omittable` are omitted on some paths. `finished(given, inputs)` is called for each path; `inputs()`
    returns concrete arguments that take it, or None if there are none. If `finished` returns true, the search ends.
    """

    def __init__(
        self,
        signature: inspect.Signature,
        omittable: Iterable[str],
        attempt: Callable[[dict[str, Any]], object],
        finished: Callable[[Any, Callable[[], dict[str, Any]]], object],
    ) -> None:
        # For each omittable argument, the name of a bool; no parameter can have such a name.
        self._omitted = {name: f"{name} is left out" for name in omittable}
        self._signature = _by_name(signature, self._omitted.values())
        self._attempt = attempt
        self._finished = finished
        self.paths = 0
        # The number of paths that were neither abandoned nor skipped, and of paths whose inputs the question excludes.
        self.ended = 0
        self.skipped = 0
        self.stopped = "exhausted"
        # An error in `attempt` itself, not in CrossHair.
        self._failure: BaseException | None = None
        # The current path's arguments, as they were before the attempt.
        self._before: Mapping[str, Any] = {}
        self._begin()

    def _begin(self) -> None:
        self._root = RootNode()
        self._done = 0
        # Reasons why the explored paths do not cover all inputs.
        self.gaps: set[str] = set()

    @property
    def exhausted(self) -> bool:
        return self._root.child.is_exhausted()

    @property
    def complete(self) -> bool:
        """Whether the paths cover all inputs."""
        status = self._root.child.get_result().verification_status
        return self.exhausted and not self.gaps and self._left_out == 0 and status is VerificationStatus.CONFIRMED

    @property
    def _left_out(self) -> int:
        return self._root.iteration - self._done

    @property
    def unknown(self) -> int:
        """The number of paths that were started but did not finish."""
        return self._left_out

    def run(self, until: float) -> None:
        """Searches until this value of `time.monotonic`, or until the search is stopped."""
        self._until = until
        for seconds in PATH_SECONDS:
            self._begin()
            self._path_seconds = seconds
            with _Alarm():
                self._explore(seconds)
            if self.stopped != "exhausted" or not self._left_out or UNSTEADY in self.gaps:
                return

    def _explore(self, path_seconds: float) -> None:
        left = self._until - time.monotonic()
        if left <= 0:
            self.stopped = "budget"
            return
        options = DEFAULT_OPTIONS.overlay(
            AnalysisOptionSet(
                analysis_kind=[],
                per_condition_timeout=left,
                per_path_timeout=min(path_seconds, left),
                max_uninteresting_iterations=0,
            )
        )
        try:
            explore_paths(self._run, self._signature, options, self._root, self._end, self._not_deterministic)
        except (CrossHairInternal, Exception) as error:
            if error is self._failure:
                raise
            self.gaps.add(f"CrossHair gave up: {type(error).__name__}")
            self.stopped = "memory" if isinstance(error, MemoryError) or "memory" in str(error) else "given up"
        if self.stopped == "exhausted" and not self.exhausted:
            self.stopped = "budget"

    def _run(self, bound: inspect.BoundArguments) -> object:
        with NoTracing():
            _Alarm.set(self._path_seconds + FORKLESS_SECONDS)
            # CrossHair shares the parts of containers between copies, except with what existed at a checkpoint.
            self._before = bound.arguments
            context_statespace().checkpoint()
            arguments = copied(bound.arguments)
        outcome = self._attempt(self._kept(arguments))
        with NoTracing():
            _Alarm.set(0)
        return outcome

    def _kept(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the arguments except those that are omitted on this path."""
        present = {name: value for name, value in arguments.items() if name not in self._omitted.values()}
        for name, mark in self._omitted.items():
            if arguments[mark]:
                del present[name]
        return present

    def _not_deterministic(self) -> None:
        self.gaps.add(UNSTEADY)

    def _end(
        self,
        space: StateSpace,
        before: inspect.BoundArguments,
        after: inspect.BoundArguments,
        outcome: object,
        error: BaseException | None,
        stack: StackSummary | None,
    ) -> bool:
        """CrossHair calls this function, with tracing on, when a path ends."""
        with NoTracing():
            _Alarm.set(0)
            self.paths += 1
            if time.monotonic() > self._until:
                self.stopped = "budget"
                return True
            if outcome is None:
                # CrossHair abandoned the path during the attempt, which it hides from its caller, or Verdict has an
                # error.
                if error is not None:
                    self._failure = error
                    raise error
                raise CrosshairUnsupported("abandoned midway")
            self._look(space)
            if outcome is SKIPPED:
                self.skipped += 1
                self._done += 1
                raise IgnoreAttempt
            if self._finished(outcome, lambda: self._inputs(space)):
                self.stopped = "enough"
            self._done += 1
            self.ended += 1
            return self.stopped == "enough"

    def _look(self, space: StateSpace) -> None:
        if any(isinstance(node, ModelValueNode) for node in space.choices_made):
            self.gaps.add("some values were tried one by one")
        if space.status_cap is not None or float in space.extra(ModelingDirector).global_representations:
            self.gaps.add("floats are not explored exactly")

    def _inputs(self, space: StateSpace) -> dict[str, Any]:
        """Returns arguments that take this path; makes the decisions that CrossHair postponed."""
        inputs: dict[str, Any] = {}
        with ExceptionFilter() as caught:
            with ResumedTracing():
                space.detach_path()
            inputs = {name: deep_realize(value) for name, value in self._before.items()}
        if caught.user_exc:
            raise CrosshairUnsupported("inputs could not be created")
        if caught.ignore:
            self.gaps.add("some paths were skipped")
            raise IgnoreAttempt
        return self._kept(inputs)


class _Alarm:
    """Ends a path with an exception after a number of processor seconds, if the system supports this."""

    SIGNAL = getattr(signal, "SIGPROF", None)

    def __enter__(self) -> None:
        if self.SIGNAL:
            signal.signal(self.SIGNAL, _ring)

    def __exit__(self, *_: object) -> None:
        self.set(0)

    @classmethod
    def set(cls, seconds: float) -> None:
        if cls.SIGNAL:
            signal.setitimer(signal.ITIMER_PROF, seconds)


def _ring(*_: object) -> NoReturn:
    raise PathTimeout("a path without branches took too long")


def copied(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Copies symbolic arguments so that nothing is shared, while CrossHair is tracing."""
    with NoTracing():
        return deepcopyext(arguments, CopyMode.REGULAR, {})


def _one_of(creator: SymbolicFactory, *values: object) -> object:
    """Creates a value of a `Literal`, a type that CrossHair does not support, with one path per value."""
    for each in values[:-1]:
        if creator.space.smt_fork(desc=creator.varname):
            return each
    return values[-1]


def warm() -> None:
    """Teaches CrossHair the types that it does not support itself; called once per process."""
    register_type(typing.Literal, _one_of)


def pass_on(error: object) -> None:
    """Re-raises an exception that CrossHair must receive, if the code under test or its caller has caught it."""
    if isinstance(error, (NotDeterministic, *BROKEN)):
        raise error
    if isinstance(error, MemoryError):
        raise CrosshairUnsupported("no more memory")
    if suspected_proxy_intolerance_exception(error):
        raise CrosshairUnsupported("a library does not accept symbolic values")


def _by_name(signature: inspect.Signature, truths: Iterable[str]) -> inspect.Signature:
    """Returns the signature with all parameters passed by name: `*args` as a tuple, `**kwargs` as a dictionary."""
    kinds = {
        inspect.Parameter.VAR_POSITIONAL: lambda annotation: tuple[annotation, ...],
        inspect.Parameter.VAR_KEYWORD: lambda annotation: dict[str, annotation],
    }
    by_name = inspect.Parameter.KEYWORD_ONLY
    parameters = []
    for each in signature.parameters.values():
        annotation = _explored(each.annotation)
        annotation = kinds[each.kind](annotation) if each.kind in kinds else annotation
        parameters.append(inspect.Parameter(each.name, by_name, annotation=annotation))
    parameters += [_Unspeakable(name, by_name, annotation=bool) for name in truths]
    return inspect.Signature(parameters)


def _explored(annotation: Annotation) -> Annotation:
    """Leaves iterators, whose copies CrossHair can't make, out of a union; other sources try some."""
    parts = typing.get_args(annotation) if typing.get_origin(annotation) in (typing.Union, types.UnionType) else ()
    others = tuple(each for each in parts if typing.get_origin(each) is not collections.abc.Iterator)
    return typing.Union[others] if others else annotation


class _Unspeakable(inspect.Parameter):
    """A parameter with a name that no program can write."""

    __slots__ = ()

    def __init__(self, name: str, kind: inspect._ParameterKind, **others: object) -> None:
        super().__init__("mark", kind, **others)
        self._name = name
