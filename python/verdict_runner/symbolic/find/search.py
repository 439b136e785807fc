"""One exploration by CrossHair: every finished path, and whether the paths cover all inputs.

CrossHair also calls a tree of paths exhausted if paths in it timed out, were abandoned or skipped, or if it tried a few
values instead of all. All of these are counted here; the exploration is complete only if all the counts are zero.
"""

from __future__ import annotations

import inspect
import signal
import time
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
from crosshair.core_and_libs import NoTracing, ResumedTracing  # First of all: it registers the models.
from crosshair.libimpl.builtinslib import ModelingDirector
from crosshair.options import DEFAULT_OPTIONS, AnalysisOptionSet
from crosshair.statespace import ModelValueNode, RootNode, StateSpace, VerificationStatus
from crosshair.util import CrossHairInternal, CrosshairUnsupported, IgnoreAttempt, NotDeterministic, PathTimeout

# The result of an attempt for inputs that the question excludes.
SKIPPED = object()
# A path that takes longer is abandoned; it is tried again, with more time, after all others.
PATH_SECONDS = (1.0, 8.0)
# CrossHair looks at the time where paths fork; code that never forks is stopped this many seconds later.
FORKLESS_SECONDS = 1.0
UNSTEADY = "it does not do the same each time that it is run"
# Ends a search for good: its state can't be relied upon any more.
BROKEN = (CrossHairInternal, z3.Z3Exception)


class Search:
    """Explores paths through `attempt(arguments)`, which runs on symbolic arguments and returns anything but None.

    Arguments that are `omittable` are omitted on some paths. `finished(given, inputs)` is called for each path;
    `inputs()` returns concrete arguments that take it, or None if there are none. If `finished` returns true, the
    search ends.
    """

    def __init__(
        self,
        signature: inspect.Signature,
        omittable: Iterable[str],
        attempt: Callable[[dict[str, Any]], object],
        finished: Callable[[Any, Callable[[], dict[str, Any]]], object],
    ) -> None:
        # For each of them, the name of a bool that no parameter can have.
        self._omitted = {name: f"{name} is left out" for name in omittable}
        self._signature = _by_name(signature, self._omitted.values())
        self._attempt = attempt
        self._finished = finished
        self.paths = 0
        # The paths that were neither abandoned nor skipped, and those whose inputs the question excludes.
        self.ended = 0
        self.skipped = 0
        self.stopped = "exhausted"
        # An error of `attempt` itself, not of CrossHair.
        self._failure: BaseException | None = None
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
        """Paths that were begun and came to no end."""
        return self._left_out

    def run(self, until: float) -> None:
        """Searches until a time of `time.monotonic`, or until it is stopped."""
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
        outcome = self._attempt(self._kept(bound.arguments))
        with NoTracing():
            _Alarm.set(0)
        return outcome

    def _kept(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments without those that are omitted on this path."""
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
        """Called by CrossHair with tracing on, if a path ends."""
        with NoTracing():
            _Alarm.set(0)
            self.paths += 1
            if time.monotonic() > self._until:
                self.stopped = "budget"
                return True
            if outcome is None:
                # Abandoned by CrossHair during the attempt, which it hides from its caller; or an error of Verdict.
                if error is not None:
                    self._failure = error
                    raise error
                raise CrosshairUnsupported("given up on the way")
            self._look(space)
            if outcome is SKIPPED:
                self.skipped += 1
                self._done += 1
                raise IgnoreAttempt
            if self._finished(outcome, lambda: self._inputs(space, before)):
                self.stopped = "enough"
            self._done += 1
            self.ended += 1
            return self.stopped == "enough"

    def _look(self, space: StateSpace) -> None:
        if any(isinstance(node, ModelValueNode) for node in space.choices_made):
            self.gaps.add("some values were tried one by one")
        if space.status_cap is not None or float in space.extra(ModelingDirector).global_representations:
            self.gaps.add("floats are not exact in the exploration")

    def _inputs(self, space: StateSpace, before: inspect.BoundArguments) -> dict[str, Any]:
        """Arguments that take this path; decisions that CrossHair postponed are made here."""
        inputs: dict[str, Any] = {}
        with ExceptionFilter() as caught:
            with ResumedTracing():
                space.detach_path()
            inputs = {name: deep_realize(value) for name, value in before.arguments.items()}
        if caught.user_exc:
            raise CrosshairUnsupported("inputs could not be made")
        if caught.ignore:
            self.gaps.add("some paths were left out")
            raise IgnoreAttempt
        return self._kept(inputs)


class _Alarm:
    """Ends a path by an exception after a number of seconds of the processor, if the system can do that."""

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
    raise PathTimeout("a path without forks took too long")


def copied(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """A copy of symbolic arguments of which nothing is shared; CrossHair is tracing."""
    with NoTracing():
        return deepcopyext(arguments, CopyMode.REGULAR, {})


def _one_of(creator: SymbolicFactory, *values: object) -> object:
    """A value of a `Literal`, a type that CrossHair does not support: one path for each value."""
    for each in values[:-1]:
        if creator.space.smt_fork(desc=creator.varname):
            return each
    return values[-1]


def warm() -> None:
    """Gives CrossHair the types that it does not support itself; once in a process."""
    register_type(typing.Literal, _one_of)


def pass_on(error: object) -> None:
    """Raises an exception that CrossHair must get, if code under test, or the code that runs it, has caught it."""
    if isinstance(error, (NotDeterministic, *BROKEN)):
        raise error
    if isinstance(error, MemoryError):
        raise CrosshairUnsupported("no more memory")
    if suspected_proxy_intolerance_exception(error):
        raise CrosshairUnsupported("a library does not take symbolic values")


def _by_name(signature: inspect.Signature, truths: Iterable[str]) -> inspect.Signature:
    """The signature with every parameter by its name: `*args` is a tuple, `**kwargs` a dictionary."""
    kinds = {
        inspect.Parameter.VAR_POSITIONAL: lambda annotation: tuple[annotation, ...],
        inspect.Parameter.VAR_KEYWORD: lambda annotation: dict[str, annotation],
    }
    by_name = inspect.Parameter.KEYWORD_ONLY
    parameters = []
    for each in signature.parameters.values():
        annotation = kinds[each.kind](each.annotation) if each.kind in kinds else each.annotation
        parameters.append(inspect.Parameter(each.name, by_name, annotation=annotation))
    parameters += [_Unspeakable(name, by_name, annotation=bool) for name in truths]
    return inspect.Signature(parameters)


class _Unspeakable(inspect.Parameter):
    """A parameter whose name no program can write."""

    __slots__ = ()

    def __init__(self, name: str, kind: inspect._ParameterKind, **others: object) -> None:
        super().__init__("mark", kind, **others)
        self._name = name
