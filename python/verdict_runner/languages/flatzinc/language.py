"""The program `flatzinc`: solves a compiled MiniZinc model with CP-SAT. Its only item is data and is never executed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from ortools.sat.python import cp_model

from verdict_runner.evidence.finite import proto
from verdict_runner.languages import hints
from verdict_runner.languages.cp import cpsat
from verdict_runner.languages.flatzinc.build import built
from verdict_runner.languages.flatzinc.flat import Flat, Term, Unsupported
from verdict_runner.protocol.messages import Fields
from verdict_runner.protocol.runner import Modules, Task

SPARES = 1
# The length from which a solution is large, and the minimum times between reports of large and of other solutions.
LARGE_CHARS, LARGE_GAP_SECONDS, GAP_SECONDS = 20_000, 0.5, 0.05
# The maximum total length of solutions that fits into a result.
SOLUTIONS_CHARS_MAX = 6_000_000
# After this many repeated solutions, plus twice the number of new ones, the solutions found are excluded. Repeated
# solutions differ only in hidden variables.
REPEATED_MAX = 200


def versions() -> dict[str, str]:
    return {"ortools": version("ortools")}


def warm() -> None:
    cpsat.forbid_files()


class Request:
    """A request: the server's `CpSatRequest`."""

    def __init__(self, value: object) -> None:
        fields = Fields(value)
        self.seconds = fields.number("time_s")
        # The number of solutions to list; None for a single solution or the best one.
        self.solutions = fields.whole("solutions") if "solutions" in fields else None
        self.hint = fields.object("hint") if "hint" in fields else {}


def solve(task: Task, known: Modules) -> Mapping[str, object]:
    request = Request(task.request)
    search = _Search(task, request)
    try:
        flat, objective = built(task.items[0])
        fault = flat.model.validate()
        if fault:
            raise Unsupported(f"what CP-SAT refuses: {fault[:300]}")
        if request.solutions is not None and objective is None:
            found = search.all_of(flat, request.solutions)
        else:
            found = search.best_of(flat, objective)
    except Unsupported as reason:
        return search.ended("unsupported", what=str(reason))
    except (OverflowError, TypeError) as error:
        # OR-Tools accepts only 64-bit numbers.
        if isinstance(error, OverflowError) or "incompatible function arguments" in str(error):
            return search.ended("unsupported", what="numbers beyond 63 bits")
        raise
    doubt = proto.distrusted(flat.model.proto)
    return {**found, "doubts": [*flat.doubts, *([doubt] if doubt else [])]}


class _Search:
    def __init__(self, task: Task, request: Request) -> None:
        self._task, self._request = task, request
        cpsat.allow(task)
        self._begun = time.monotonic()
        limit = cpsat.time_for_solving(self._begun, task.until)
        self._until = min(limit, self._begun + request.seconds)

    def best_of(self, flat: Flat, objective: Term | None) -> dict[str, object]:
        """Finds a solution, or the best one if there is an objective."""
        shown = _Shown(flat)
        cpsat.start_from(flat.model, shown.start(self._request.hint))
        bound_of = proto.bound_reader(flat.model.proto)
        teller = None if objective is None else _Teller(self._task, self._begun, shown, objective, bound_of)
        solver: Any = cp_model.CpSolver()
        if teller is not None:
            # A bound update also reports a solution that was held back because it came too soon after another one.
            solver.best_bound_callback = teller.tell
        status = cpsat.solve(solver, flat.model, self._until, teller)
        if status not in cpsat.HAS_SOLUTION:
            return self._without_solution(status, solver)
        values = list(solver.response_proto.solution)
        bound = None if objective is None else bound_of(solver.response_proto)
        return self.ended(
            "sat" if status == cp_model.FEASIBLE or objective is None else "optimal",
            solutions=[shown.text(values)],
            objective=None if objective is None else value_of(objective, values),
            bound=bound,
        )

    def all_of(self, flat: Flat, most: int) -> dict[str, object]:
        """Lists up to `most` solutions that differ in the shown values; `all` if there are no others."""
        shown = _Shown(flat)
        collected = _Collected(shown, most)
        while True:
            solver = cp_model.CpSolver()
            solver.parameters.enumerate_all_solutions = True
            collected.begin()
            status = cpsat.solve(solver, flat.model, self._until, collected)
            if status == cp_model.INFEASIBLE or (status == cp_model.OPTIMAL and not collected.is_stopped):
                texts = list(collected.texts)
                return self.ended("all" if texts else "unsat", solutions=texts)
            if collected.is_full or not collected.is_stopped:
                break
            shown.exclude(flat, collected.rows())
        if not collected.texts:
            return self._without_solution(status, solver)
        return self.ended("sat", solutions=list(collected.texts))

    def _without_solution(self, status: cpsat.Status, solver: Any) -> dict[str, object]:  # noqa: ANN401
        if status == cp_model.INFEASIBLE:
            return self.ended("unsat")
        if status == cp_model.MODEL_INVALID:
            return self.ended("unsupported", what=f"what CP-SAT refuses: {solver.solution_info()[:300]}")
        return self.ended("unknown", what="time" if cpsat.is_cut(self._begun, self._until) else "CP-SAT gave up")

    def ended(
        self,
        status: str,
        what: str = "",
        solutions: Sequence[str] = (),
        objective: int | None = None,
        bound: int | None = None,
    ) -> dict[str, object]:
        """Returns the final message: the server's `CpSatEnd`."""
        return {
            "status": status,
            "what": what,
            "solutions": list(solutions),
            "objective": objective,
            "bound": bound,
            "doubts": [],
            "workers": self._task.workers,
            "seconds": round(time.monotonic() - self._begun, 3),
        }


def value_of(term: Term, values: Sequence[int]) -> int:
    """The value of a term in a CP-SAT solution."""
    return term if isinstance(term, int) else values[term.index]


class _Shown:
    """The variables and arrays used in the model's output."""

    def __init__(self, flat: Flat) -> None:
        # For each name, whether it is an array, and its elements; for each element, whether it is a truth value.
        self._named: list[tuple[str, bool, list[tuple[bool, Term]]]] = []
        for name in flat.output:
            members = flat.array(name)
            parts = [(_is_truth(flat, each), flat.term(each)) for each in ([name] if members is None else members)]
            self._named.append((name, members is not None, parts))
        terms = (term for _, _, parts in self._named for _, term in parts if not isinstance(term, int))
        self._terms = list({term.index: term for term in terms}.values())

    def text(self, values: Sequence[int]) -> str:
        """Writes a solution in MiniZinc's data format."""
        lines: list[str] = []
        for name, is_array, parts in self._named:
            texts = [_text(is_truth, value_of(term, values)) for is_truth, term in parts]
            lines.append(f"{name} = [{','.join(texts)}];" if is_array else f"{name} = {texts[0]};")
        return "".join(f"{line}\n" for line in lines)

    def start(self, hint: Mapping[str, object]) -> Iterator[tuple[int, hints.Number]]:
        """The values of an earlier answer, by the index of a variable; arrays of another length are left out."""
        for name, _, parts in self._named:
            numbers = [number for _, number in hints.numbers(hint.get(name))]
            if len(numbers) == len(parts):
                yield from (
                    (term.index, number) for (_, term), number in zip(parts, numbers) if not isinstance(term, int)
                )

    def row(self, values: Sequence[int]) -> tuple[int, ...]:
        return tuple(values[term.index] for term in self._terms)

    def exclude(self, flat: Flat, rows: Sequence[Sequence[int]]) -> None:
        if self._terms:
            flat.model.add_forbidden_assignments(self._terms, rows)
        else:
            flat.never(())


def _is_truth(flat: Flat, member: object) -> bool:
    return isinstance(member, bool) or (isinstance(member, str) and flat.is_bool(member))


def _text(is_truth: bool, value: int) -> str:
    return ("true" if value else "false") if is_truth else str(value)


class _Collected(cp_model.CpSolverSolutionCallback):
    """Collects solutions that differ in the shown values."""

    def __init__(self, shown: _Shown, most: int) -> None:
        super().__init__()
        self._shown, self._most = shown, most
        self._found: dict[tuple[int, ...], str] = {}
        self._chars = self._repeated = self._told = 0
        self.is_full = self.is_stopped = False

    def begin(self) -> None:
        self._repeated, self._told, self.is_stopped = 0, len(self._found), False

    def rows(self) -> list[tuple[int, ...]]:
        """Returns the solutions found since the search began."""
        return list(self._found)[self._told :]

    @property
    def texts(self) -> Sequence[str]:
        return list(self._found.values())

    def on_solution_callback(self) -> None:
        values = list(self.response_proto.solution)
        row = self._shown.row(values)
        if row in self._found:
            self._repeated += 1
        elif not self.is_full:
            text = self._shown.text(values)
            self._chars += len(text)
            self._found[row] = text
            self.is_full = len(self._found) >= self._most or self._chars > SOLUTIONS_CHARS_MAX
        if self.is_full or self._repeated > REPEATED_MAX + 2 * (len(self._found) - self._told):
            self.is_stopped = True
            self.stop_search()


class _Teller(cp_model.CpSolverSolutionCallback):
    """Reports better solutions during the search, large ones less often; the result also contains the best one."""

    def __init__(self, task: Task, begun: float, shown: _Shown, objective: Term, bound_of: Any) -> None:  # noqa: ANN401
        super().__init__()
        self._task, self._begun, self._shown, self._objective, self._bound_of = task, begun, shown, objective, bound_of
        self._due = 0.0
        self._untold: tuple[float, list[int], int | None] | None = None

    def on_solution_callback(self) -> None:
        response = self.response_proto
        self._untold = (time.monotonic() - self._begun, list(response.solution), self._bound_of(response))
        self.tell()

    def tell(self, *_: object) -> None:
        """Reports the newest solution, unless one was just reported."""
        if self._untold is None or time.monotonic() < self._due:
            return
        seconds, values, bound = self._untold
        self._untold = None
        text = self._shown.text(values)
        better = {"objective": value_of(self._objective, values), "bound": bound, "seconds": round(seconds, 3)}
        self._task.say({"better": {**better, "values": text}})
        self._due = time.monotonic() + (LARGE_GAP_SECONDS if len(text) > LARGE_CHARS else GAP_SECONDS)
