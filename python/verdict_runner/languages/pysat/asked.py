"""Questions about all solutions of clauses: what is handed over, and the count, one model after another."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence

from pysat.solvers import Glucose4

from verdict_runner.languages.pysat.confirm.evidence import Problem
from verdict_runner.languages.pysat.helpers import Aux
from verdict_runner.languages.questions.ask import Question, Teller, until_of
from verdict_runner.languages.questions.shape import Shape
from verdict_runner.protocol.messages import Fields, Json
from verdict_runner.protocol.runner import Task

# What an answer has room for.
LITERALS_MAX = 300_000
# Between two looks at the clock.
CONFLICTS = 20_000
METHOD = "enumeration with Glucose, of each part that shares no variable with the others"


class Variable:
    """The number of a variable among values."""

    def __init__(self, number: int) -> None:
        self.number = number


def handed_over(
    problem: Problem, cost: object, named: object, names: Mapping[int, str], question: Question | None
) -> Mapping[str, object]:
    """The clauses, and the variables that the answer names; else all of the program's, without those of encodings."""
    hard = [*problem.hard[: problem.count], *([each] for each in problem.assumptions)]
    if problem.reason is not None:
        return {"open": problem.reason}
    if sum(map(len, (*hard, *problem.soft))) > LITERALS_MAX:
        return {"open": "the problem is too large to be handed over"}
    leaves: list[int] = []

    def place(value: object) -> int | None:
        if not isinstance(value, Variable):
            return None
        leaves.append(value.number)
        return len(leaves) - 1

    if named is None:
        own = sorted({abs(each) for clause in (*hard, *problem.soft) for each in clause if not isinstance(each, Aux)})
        named = _by_name(own, names)
    parts = variables(named)
    shape = Shape.of(parts if isinstance(parts, dict) else {}, place)
    clauses = [[int(each) for each in clause] for clause in hard]
    if question is not None and question.kind == "count" and not problem.soft:
        return {"clauses": clauses, "variables": leaves, "shape": shape.data(), "by": "pysat"}
    weights = [each for each in problem.weights if type(each) is int and each > 0]
    if len(weights) < len(problem.weights) or (weights and type(cost) is not int):
        return {"open": "its weights are not whole numbers"}
    bound = cost if type(cost) is int and question is not None and question.kind != "k_best" else None
    soft = [[int(each) for each in clause] for clause in problem.soft]
    return {
        "smtlib": _smtlib(clauses, soft, weights, bound, leaves, is_ranking=bound is None),
        "aims": 1 if soft and bound is None else 0,
        "leaves": len(leaves),
        "largest": [False],
        "shape": shape.data(),
        "by": "z3",
    }


def _by_name(numbers: Sequence[int], names: Mapping[int, str]) -> dict[str, int]:
    """The variables by their names; a name that another one has already gets the number, too."""
    named: dict[str, int] = {}
    for number in numbers:
        name = names.get(number, str(number))
        named[name if name not in named else f"{name}#{number}"] = number
    return named


def variables(named: object) -> object:
    """The same lists and dictionaries, with a mark at each number of a variable."""
    if isinstance(named, dict):
        return {str(key): variables(each) for key, each in named.items()}
    if isinstance(named, (list, tuple)):
        return [variables(each) for each in named]
    return Variable(int(named)) if isinstance(named, int) else named


def _smtlib(
    hard: Sequence[Sequence[int]],
    soft: Sequence[Sequence[int]],
    weights: Sequence[int],
    bound: int | None,
    leaves: Sequence[int],
    is_ranking: bool,
) -> str:
    """The clauses, the cost of the soft ones or its bound, and each leaf under a name of its own."""
    numbers = sorted({abs(each) for clause in (*hard, *soft) for each in clause} | {abs(each) for each in leaves})
    lines = [f"(declare-const v{each} Bool)" for each in numbers]
    lines += [f"(assert {_clause(clause)})" for clause in hard]
    if soft:
        costs = [f"(ite {_clause(clause)} 0 {weight})" for clause, weight in zip(soft, weights)]
        total = f"(+ 0 0 {' '.join(costs)})"
        if is_ranking:
            lines += ["(declare-const cost Int)", f"(assert (= cost {total}))"]
        else:
            lines.append(f"(assert (<= {total} {bound}))")
    for i, each in enumerate(leaves):
        lines += [f"(declare-const leaf{i} Bool)", f"(assert (= leaf{i} {_literal(each)}))"]
    return "\n".join(lines)


def _clause(clause: Sequence[int]) -> str:
    return f"(or false {' '.join(map(_literal, clause))})"


def _literal(literal: int) -> str:
    return f"v{literal}" if literal > 0 else f"(not v{-literal})"


# ---- In the process that runs no program.


def count(task: Task, question: Question) -> Mapping[str, Json]:
    """How many solutions differ in the variables: the product over the parts that share no variable."""
    fields = Fields(Fields(dict(task.request or {})).any("space"))
    if "open" in fields:
        return {"over": [], "left_out": [], "reason": fields.text("open")}
    shape = Shape.read(Fields(fields.any("shape")))
    chosen = {abs(each) for each in fields.wholes("variables")}
    until = until_of(task)
    number, exact, left = 1, True, question.limit
    common: dict[str, Json] = {"over": shape.names, "left_out": list(shape.left_out), "method": METHOD}
    teller = Teller(task, common)
    for clauses, own in _parts(fields.whole_lists("clauses"), chosen):
        count, is_whole = _counted(clauses, own, max(1, left), until, Progress(teller, number))
        left -= count
        number, exact = number * count, exact and is_whole
        if count == 0 and is_whole:
            number, exact = 0, True
            break
    reason = {} if exact else {"reason": "the time, or the number of solutions that are counted one by one, was over"}
    counted: dict[str, Json] = {"number": str(number), "exact": exact, "method": METHOD, **reason}
    return {"over": shape.names, "left_out": list(shape.left_out), **counted}


class Progress:
    """The count so far, of the parts before this one and of this one.

    The clauses have a solution, so that each part that is still to come has one.
    """

    def __init__(self, teller: Teller, before: int) -> None:
        self._teller, self._before = teller, before

    def note(self, count: int) -> None:
        """Sends the count so far, now and then."""
        if self._teller.is_due():
            self._teller.tell({"number": str(self._before * count), "exact": False})


def _parts(clauses: Sequence[Sequence[int]], chosen: Collection[int]) -> list[tuple[list[list[int]], list[int]]]:
    """The clauses in parts that share no variable, each with its chosen variables; free variables are parts, too."""
    with Glucose4(bootstrap_with=clauses) as solver:
        is_open, implied = solver.propagate()
    if not is_open:
        return [([[]], [])]
    true = set(implied)
    rest = [[each for each in clause if -each not in true] for clause in clauses if true.isdisjoint(clause)]
    leader: dict[int, int] = {}

    def find(number: int) -> int:
        while leader.setdefault(number, number) != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    for clause in rest:
        for each in clause[1:]:
            leader[find(abs(each))] = find(abs(clause[0]))
    parts: dict[int, tuple[list[list[int]], list[int]]] = {}
    for clause in rest:
        parts.setdefault(find(abs(clause[0])), ([], []))[0].append(clause)
    fixed = {abs(each) for each in true}
    for each in sorted(chosen):
        if each not in fixed:
            parts.setdefault(find(each), ([], []))[1].append(each)
    return list(parts.values())


def _counted(
    clauses: Sequence[Sequence[int]], chosen: Sequence[int], limit: int, until: float, progress: Progress
) -> tuple[int, bool]:
    """The number of solutions that differ in these variables, and whether these are all."""
    if not clauses:
        return 2 ** len(chosen), True
    # Renumbered without gaps: a solver's work for one model grows with the largest number.
    numbers = {
        each: i + 1 for i, each in enumerate(sorted({*chosen, *(abs(one) for clause in clauses for one in clause)}))
    }
    dense = [[numbers[abs(each)] * (1 if each > 0 else -1) for each in clause] for clause in clauses]
    chosen = [numbers[each] for each in chosen]
    count = 0
    with Glucose4(bootstrap_with=dense) as solver:
        while count <= limit:
            solver.conf_budget(CONFLICTS)
            answer = solver.solve_limited()
            if answer is False:
                return count, True
            if time.monotonic() > until:
                return max(1, count), False
            if answer is None:
                continue
            count += 1
            progress.note(count)
            if not chosen:
                return 1, True
            true = set(solver.get_model() or ())
            solver.add_clause([-each if each in true else each for each in chosen])
    return count, False
