"""The record of the only program that a process runs, in any language."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from verdict_runner import cases, choices
from verdict_runner.evidence.questions.ask import Question
from verdict_runner.languages import hints, why
from verdict_runner.languages.answer import Answer
from verdict_runner.languages.news import News
from verdict_runner.languages.searches import Search, Searches
from verdict_runner.languages.stated import leaves
from verdict_runner.languages.unread import unread
from verdict_runner.protocol.job import PrintedText, is_of_memory, message_of
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Task
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import guards, program
from verdict_runner.sandbox.near import nearest

# The condition of an `unsat` that merely ends a program's own search for more solutions.
LAST_OF_SEVERAL = "the constraints of the program's last solve, after one that had a solution"
# Why the last `unsat` of a search does not answer the program's question, and which exports do.
REJECTING = (
    "the program found {found} and {how}; item {item}, line {line} may reject solutions because of "
    "their values, so it is not known which ones the program accepts. Call export_solution where it accepts a solution, before it excludes "
    "it, and with satisfiable=False in the end if it accepts none"
)
# The time reserved for sending an answer.
RESERVE_SECONDS = 0.05
# The maximum number of times in a row that a `while` loop can solve the same problem.
REPEATS_MAX = 300
# The maximum number of warnings about data that the program does not read.
UNREAD_SHOWN_MAX = 3
# The maximum number of lines with solves that a warning lists.
ENDS_SHOWN_MAX = 8
# The share of the remaining time, and the minimum, that a search leaves for its answer and for the process that checks
# it.
KEPT_SHARE, KEPT_SECONDS_MIN = 0.2, 1.0


class Record:
    """A program's deadline, its answer so far, and the warnings for its author."""

    def __init__(self, task: Task) -> None:
        self.until = task.until
        self.items = task.items
        # The call's data, available to the program under the name `data`.
        self.data = task.data
        # The names of the data that the program has read.
        self.read = frozenset[str]()
        # The names of the data that a case of `what_if` sets.
        request = Fields(dict(task.request or {}))
        self.case_data = {*request.texts("case_data")} if "case_data" in request else set[str]()
        self.news = News(task.say)
        self.answer: Answer | None = None
        self.exports = 0
        # The values named by an export before any solve; the answer for the only model shows them.
        self.shown: dict[str, object] | None = None
        self.warnings: list[str] = []
        # Produces the answer's evidence, for a process that never ran the program.
        self.evidence: Callable[[], Mapping[str, object]] | None = None
        # The program's own searches, and the evidence for the `unsat` that ended the last search.
        self.searches = Searches[Any]()
        self.end: Callable[[], Mapping[str, object]] | None = None
        # If the call asks why: produces the parts that can be left out of the model.
        self.asks_why = why.is_wanted(task.request)
        self.why_question: Callable[[], Mapping[str, object]] | None = None
        # The problem's lines and names, for the account that accompanies the verdict.
        self.shown_as: Callable[[], Mapping[str, object]] | None = None
        # The question about all solutions, if there is one, and the function that produces its problem.
        self.question = Question.of(task)
        # The names whose values the call requests, in addition to those already in the answer.
        self.names = request.texts("names") if "names" in request else []
        # The values of the model's last solution, with which searches start.
        self.hint = hints.of(task)
        self.space: Callable[[], Mapping[str, object]] | None = None
        # How each of the program's solves ended, by item and line, and how the last one ended.
        self._ends: dict[program.Place | None, Counter[str]] = {}
        # The first line that added something after the last solve.
        self._added_late: program.Place | None = None
        self._repeats = 0
        # The number of solves that are not among the ends, since they asked the previous question again.
        self.again = 0
        self.last_verdict: str | None = None

    def left(self) -> float:
        """The number of seconds until the deadline."""
        return self.until - time.monotonic()

    def for_search(self) -> float:
        """The seconds for a search whose best result becomes the answer, so that it must end before the deadline."""
        left = self.left()
        return left - min(left / 2, max(KEPT_SECONDS_MIN, KEPT_SHARE * left))

    def reported(self, answer: Answer) -> Mapping[str, object]:
        """Returns the answer in the server's format, with the problems for processes that never ran the program."""
        lost = {"open": "the program's process did not return its problem"}
        parts = {
            "evidence": self._in_time(self.evidence) or lost,
            "end": self._in_time(self.end),
            "space": self.question and (self._in_time(self.space) or lost),
            "why_question": self._in_time(self.why_question) if self.asks_why else None,
            "account": None if self.asks_why or self.question else self._in_time(self.shown_as),
        }
        left = unread(self.items, self.data, self.read) if self.data else {}
        for name in self.case_data.intersection(left) if answer.status != "unknown" else ():
            known = nearest(name, [each for each in self.data or {} if each not in left])
            meant = [f"write {known[0]!r} instead of {name!r}"] if known else []
            raise Refused(
                f"The case sets data that does not change the answer: {left[name]}",
                [
                    *meant,
                    f"read it in the model: {name} = data[{name!r}]",
                    "or change the value in an item of the case",
                ],
                "invalid_argument",
            )
        shown = [*left.values()][:UNREAD_SHOWN_MAX] if answer.status == "sat" else []
        # Warnings are read last, since producing the parts can add some.
        return {**answer.data(), **parts, "warnings": [*self.warnings, *shown]}

    def _in_time(self, make: Callable[[], Mapping[str, object]] | None) -> Mapping[str, object] | None:
        if make is None:
            return None
        return {"open": "the time ran out"} if self.left() < RESERVE_SECONDS else make()

    def of_last(
        self,
        last: Any,  # noqa: ANN401
        answer_of: Callable[[Any], Answer],
        end: Callable[[Any], Mapping[str, object]],
        value: Callable[[Any, Any], Json],
        is_first_best: bool = False,
    ) -> Answer:
        """Returns the last solve's answer; if that solve ended the program's own search, the search's last solution.

        `end` returns the evidence for an `unsat`, and `value` returns a term's value at a solution.
        """
        search, listed = self.searches.ended, self.searches.listed
        tested = search if search is not None and search.end is last else listed
        rejecting = self.rejecting(tested) if tested is not None else None
        if rejecting is not None:
            return rejecting
        if search is None or search.end is not last:
            return answer_of(last)
        # Questions are about the problem in its state before any solution was excluded.
        shown = search.first if is_first_best or self.question is not None else search.last
        answer = answer_of(shown)
        if answer.status != "sat":
            return answer
        answer.found = search.found
        if not is_first_best:
            self.end = lambda: end(last)
        aim = search.aim
        if aim is not None and answer.objective_value is None and self.question is None:
            answer.objective_value, answer.optimal = value(shown, aim.term), aim.bound is None
            answer.objective_bound = aim.bound
        return answer

    def rejecting(self, search: Search[Any]) -> Answer | None:
        """Returns the answer if the program may have rejected solutions of its own search, so that neither is known."""
        place = search.beside or choices.place(self.items, min(each[:2] for each in search.places if each))
        if place is None:
            return None
        found = f"{search.found or 'several'} solution{'' if search.found == 1 else 's'}"
        how = "got them one by one" if search.end is None else "excluded each until its last check was unsat"
        return Answer("unknown", reason=REJECTING.format(found=found, how=how, item=place[0], line=place[1]))

    def shown_with(
        self,
        own: Mapping[str, object],
        kind: type,
        shown: Callable[[], Mapping[str, object]],
        as_lists: Callable[[Any], Any] = lambda each: each,
    ) -> Mapping[str, object] | None:
        """Returns the program's exports and the requested names, which are variables in its source.

        `kind` is the type of the objects to which a solver assigns values; `shown` returns the answer's values if there
        is no export.
        """
        if not self.names:
            return self.shown
        known = self.shown or shown()
        more = {name: as_lists(own[name]) for name in self.names if name in own and name not in known}
        return {
            **known,
            **{name: more[name] for name in more if any(isinstance(each, kind) for each in leaves(more[name]))},
        }

    def warn_of_stale(self, shown: Mapping[str, object], found: Mapping[str, object]) -> None:
        """Warns of exported numbers that differ from what the last of several solves found for variables of these names."""
        if sum(each.total() for each in self._ends.values()) < 2:
            return
        for name, value in shown.items():
            if type(value) in (int, float) and name in found and found[name] != value:
                self.warn(
                    f"The program exports {name} = {value}, but its last solve found {name} = {found[name]}: the value may be of an "
                    "earlier solve. Call export_solution right after the solve whose solution you want."
                )

    def note_end(self, verdict: str, place: program.Place | None = None) -> None:
        """Records how one of the program's solves ended: `sat`, `unsat` or neither."""
        self._ends.setdefault(place or program.caller(), Counter())[verdict] += 1
        self.last_verdict, self._added_late = verdict, None

    def note_added(self, place: program.Place | None) -> None:
        """Records a line that adds to a model."""
        if self.last_verdict is not None:
            self._added_late = self._added_late or place

    def expect_change(self, is_repeated: bool) -> None:
        """Rejects a `while` loop that keeps solving the same problem, since it may never end.

        Other loops terminate on their own, such as one that solves again for each value that it reads.
        """
        self._repeats = self._repeats + 1 if is_repeated else 0
        if self._repeats < REPEATS_MAX or not cases.is_in_while(sys._getframe(1)):
            return
        raise Refused(
            f"The program solved the same problem {REPEATS_MAX} times and had a solution each time: no constraint was added in between.",
            [
                "add a constraint to the solver in the loop that excludes the solution, such as Or(x != its value, y != its value)",
                "or solve once, without a loop; the option count of solve_model counts the solutions",
            ],
        )

    def stands(self, stopped: program.ItemError) -> bool:
        """Whether the exported answer, or else the last solve's, remains valid after an exception in the program.

        Without a solution, a program has nothing left to do, which `assert solver.solve()` expresses.
        """
        verdict, whose = self.last_verdict, "that of the last solve"
        if self.searches.ended is not None:
            verdict = "unknown" if self.rejecting(self.searches.ended) else "sat"
        if self.answer is not None:
            verdict, whose = self.answer.status, "what the program exported"
        stopped.last_verdict, error = verdict, stopped.error
        if verdict in (None, "sat") or isinstance(error, Refused) or is_of_memory(error) or guards.hits:
            return False
        item, line = stopped.where
        what = f"{type(error).__name__}: {message_of(error)}".removesuffix(": ")
        self.warn(
            f"item {item}, line {line}: the program stopped there, with {what}. The answer is {whose} before that ({verdict})."
        )
        return True

    def ran(self) -> None:
        """Warns, after the program, about text that it printed without solving anything: no solver checked the text."""
        if (
            self.last_verdict is None
            and not self.exports
            and isinstance(sys.stdout, PrintedText)
            and sys.stdout.is_used
        ):
            self.warn(
                "The program printed text, but solved nothing itself: this answer is the solution of its model, and the printed text was not checked."
            )

    def warn_of_ends(self) -> None:
        """Warns how each solve ended, if the program has several solves."""
        count = sum(sum(counts.values()) for counts in self._ends.values())
        if count < 2:
            return
        ends = [
            f"{f'item {place[0]}, line {place[1]}: ' if place else ''}{', '.join(f'{n} times {verdict}' if n > 1 else verdict for verdict, n in counts.items())}"
            for place, counts in self._ends.items()
        ]
        more = f"; and {len(ends) - ENDS_SHOWN_MAX} more lines" if len(ends) > ENDS_SHOWN_MAX else ""
        what = (
            "the last one ended its search for solutions"
            if self.searches.ended
            else "this is the answer of the last one"
        )
        self.warn(
            f"The program made {count + self.again} checks, and {what}. {'; '.join(ends[-ENDS_SHOWN_MAX:])}{more}. "
            "For the answer of a different one, call export_solution right after it."
        )

    def tell_ends(self, answer: Answer) -> None:
        """Reports how solves ended and what was added later; states the condition of an `unsat` after a solution."""
        is_last = answer.status == self.last_verdict == "unsat"
        if is_last and any(counts["sat"] for counts in self._ends.values()):
            answer.under = answer.under or LAST_OF_SEVERAL
        if is_last or not self.exports:
            self.warn_of_ends()
        if self._added_late is not None:
            item, line = self._added_late[:2]
            self.warn(
                f"item {item}, line {line}: this was added after the last solve and is not part of the answer; solve again."
            )

    def warn(self, text: str) -> None:
        """Adds a warning unless it has already been added."""
        if text not in self.warnings:
            self.warnings.append(text)


_Record = TypeVar("_Record", bound=Record)


class Current(Generic[_Record]):
    """The record of the program that this process runs, if any."""

    def __init__(self, make: Callable[[Task], _Record]) -> None:
        self._make = make
        self._record: _Record | None = None

    def begin(self, task: Task) -> _Record:
        """Creates the record of this process's only program."""
        self._record = self._make(task)
        return self._record

    def get(self) -> _Record:
        if self._record is None:
            raise RuntimeError("no program runs in this process")
        return self._record
