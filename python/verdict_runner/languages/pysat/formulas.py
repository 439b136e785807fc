"""Wraps the methods that create encodings, add clauses and weights, and pass formulas to engines."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import chain

from pysat.card import CardEnc
from pysat.formula import CNF, WCNF, CNFPlus, Equals, Formula, WCNFPlus

from verdict_runner.languages.pysat import helpers
from verdict_runner.languages.pysat import problem as evidence
from verdict_runner.languages.pysat.run import OTHERS, SUBSETS, Method, the_run
from verdict_runner.refusal import Refused

ENCODINGS = "atmost atleast equals leq geq".split()
try:
    from pysat.pb import PBEnc

    PB_ENCODERS = (PBEnc,)
except (ImportError, AssertionError):
    PB_ENCODERS = ()  # PySAT asserts that the packages that it needs are installed.


def listen() -> None:
    """Wraps the encoders and the formulas' methods. Called once, before any program runs."""
    for encoder in (CardEnc, *PB_ENCODERS):
        for name in ENCODINGS:
            if name in vars(encoder):
                setattr(encoder, name, classmethod(_encoding(vars(encoder)[name].__func__)))
    for kind in (CNF, CNFPlus, WCNF, WCNFPlus):
        kind.append = _appending(kind.append)
    CNF.extend = _extending(CNF.extend)
    CNF.from_clauses = _copying(CNF.from_clauses)
    Formula.__matmul__ = Formula.__imatmul__ = _equivalence(Formula.__matmul__)


def _equivalence(combine: Callable[[Formula, object], Formula]) -> Callable[[Formula, object], Formula]:
    """Combines two formulas with @; rejects a nested equivalence, which PySAT would flatten."""

    @functools.wraps(combine)
    def combined(self: Formula, other: object) -> Formula:
        if isinstance(self, Equals) or isinstance(other, Equals):
            raise Refused(
                "PySAT reads (a @ b) @ c as Equals(a, b, c), which means that all three have the same value; the brackets mean something else.",
                [
                    "write Equals(Equals(a, b), c) for the brackets",
                    "or Equals(a, b, c) if all three have the same value",
                ],
            )
        return combine(self, other)

    return combined


def _encoding(encode: Method) -> Method:
    """Marks an encoding's auxiliary variables, because a program that reuses their numbers would get wrong answers."""

    @functools.wraps(encode)
    def encoded(cls: type, lits: Iterable[int], *arguments: object, **keywords: object) -> CNF:
        run = the_run()
        lits = list(lits)
        run.depth += 1
        try:
            formula = encode(cls, lits, *arguments, **keywords)
        finally:
            run.depth -= 1
        if run.depth == 0:
            run.encoded = True
            if formula.nv >= helpers.HELPER_VARIABLES_FROM:
                helpers.numbers.top = max(helpers.numbers.top, formula.nv)
            conditionals = keywords.get("conditionals")
            stated = [*lits, *(conditionals if isinstance(conditionals, Iterable) else ())]
            formula.clauses = helpers.marked(
                formula.clauses, stated, type("Encoding", (helpers.Aux,), {"__slots__": ()})
            )
        return formula

    return encoded


def taking_formula(init: Method) -> Method:
    """Wraps an engine's constructor to check the formula and to keep a copy of its problem."""

    @functools.wraps(init)
    def checked(self: object, formula: object = None, *arguments: object, **keywords: object) -> object:
        if isinstance(formula, WCNF):
            helpers.expect_room(formula.nv)
            helpers.check_clash([*formula.hard, *formula.soft])
            _check_weights(formula)
        elif isinstance(formula, CNF):
            helpers.expect_room(formula.nv)
            helpers.check_clash(formula.clauses)
        vars(self)["_verdict_formula"] = formula
        # The formula is copied now, because engines add their own literals to soft clauses.
        problem = evidence.of_formula(formula, only_hard=isinstance(self, OTHERS), all_hard=isinstance(self, SUBSETS))
        run = the_run()
        if run.asks_why and isinstance(formula, (CNF, WCNF)):
            hard = formula.hard if isinstance(formula, WCNF) else formula.clauses
            wished = formula.soft if isinstance(formula, WCNF) and isinstance(self, SUBSETS) else []
            problem.places = [run.place_of(each) for each in (*hard, *wished)]
        vars(self)["_verdict_problem"] = problem
        return init(self, *([] if formula is None else [formula]), *arguments, **keywords)

    return checked


def _check_weights(formula: WCNF) -> None:
    wrong = next((weight for weight in formula.wght if not weight > 0), None)
    if wrong is not None:
        raise Refused(
            f"The weight {wrong} of a soft clause is not positive; the engines require positive weights.",
            [
                "instead of a negative weight for a literal, give its negation the positive weight",
                "remove soft clauses of weight 0",
            ],
        )


def unweighted(init: Method) -> Method:
    """Wraps a constructor to refuse weights."""

    @functools.wraps(init)
    def checked(self: object, formula: WCNF, *arguments: object, **keywords: object) -> object:
        if any(weight != 1 for weight in formula.wght):
            raise Refused(
                "LSU counts soft clauses and ignores their weights, so its cost would be wrong.",
                ["use RC2 or RC2Stratified for weighted formulas"],
            )
        return init(self, formula, *arguments, **keywords)

    return checked


def _appending(append: Method) -> Method:
    @functools.wraps(append)
    def appended(self: CNF | WCNF, clause: Iterable[int], *arguments: object, **keywords: object) -> object:
        run = the_run()
        if run.depth > 0:
            return append(self, clause, *arguments, **keywords)
        run.late = run.late or run.answer is not None
        clause = one_clause(clause, "append", "extend")
        helpers.notice(clause)
        weight = arguments[0] if arguments else keywords.get("weight")
        if isinstance(self, WCNF) and weight is not None and not weight:
            # PySAT would treat a soft clause of weight 0 as hard.
            run.warn("A soft clause of weight 0 was left out: it has no effect on the cost.")
            self.nv = max([abs(each) for each in clause] + [self.nv])
            return None
        if not run.asks_why:
            return append(self, clause, *arguments, **keywords)
        lists = (self.hard, self.soft) if isinstance(self, WCNF) else (self.clauses,)
        counts = [len(each) for each in lists]
        done = append(self, clause, *arguments, **keywords)
        for each, count in zip(lists, counts):
            run.store(each[count:])
        return done

    return appended


def _extending(extend: Method) -> Method:
    """Adds many clauses at once if none has to be examined individually."""

    @functools.wraps(extend)
    def extended(self: CNF, clauses: object) -> object:
        run = the_run()
        if run.depth > 0 or run.asks_why or type(self) is not CNF or not helpers.are_plain(clauses):
            return extend(self, clauses)
        run.late = run.late or run.answer is not None
        helpers.notice(chain.from_iterable(clauses))
        run.depth += 1
        try:
            return extend(self, clauses)
        finally:
            run.depth -= 1

    return extended


def _copying(from_clauses: Method) -> Method:
    @functools.wraps(from_clauses)
    def copied(self: CNF, *arguments: object, **keywords: object) -> object:
        done = from_clauses(self, *arguments, **keywords)
        the_run().store(self.clauses)
        return done

    return copied


def one_clause(clause: Iterable[int], method: str, method_for_several: str) -> list[int]:
    """Returns the literals of an argument that must be a single clause."""
    if isinstance(clause, int):
        raise Refused(
            f"{method}() requires a clause, but got the number {clause!r}.",
            [f"write {method}([{clause!r}]): a clause is a list of literals"],
        )
    literals = list(clause)
    if (
        literals
        and isinstance(literals[0], (list, tuple))
        and all(isinstance(each, (list, tuple)) for each in literals)
    ):
        raise Refused(
            f"{method}() requires one clause, but got a list of {len(literals)} clause{'s' if len(literals) > 1 else ''}.",
            [
                f"write {method_for_several}(…) for a list of clauses, such as exactly_k(…) gives",
                f"or for clause in clauses: ….{method}(clause)",
            ],
        )
    return literals
