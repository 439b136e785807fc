"""Writes the evidence for a Z3 answer as SMT-LIB, so that a process that never ran the program can recheck it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import z3

from verdict_runner.evidence.smt import solvers
from verdict_runner.evidence.smt.terms import is_open, same, terms
from verdict_runner.protocol.messages import Fields, Json

if TYPE_CHECKING:
    from verdict_runner.evidence.smt.aims import Aim

# Functions in Z3 5.4. In SMT-LIB, these shadow a program's functions with the same names. Z3 considers two values of
# such functions equal if they differ by less than 0.0000001.
APPROXIMATED = "a?(?:sin|cos|tan)h?|a(?:rc)?tan2|exp|ln|log"
# The maximum length of a problem in an answer, which has room for 8 MB.
CHARS_MAX = 4_000_000
# Matches strings, quoted names, and names of functions that also exist in Z3.
PIECE = re.compile(rf'"(?:[^"]|"")*"|\|(?:[^|\\]|\\.)*\||(?<![^\s()])(?:{APPROXIMATED})(?![^\s()])', re.S)
# Matches declared names that SMT-LIB reserves or uses for its own functions; Z3 prints them unquoted.
TAKEN = re.compile(
    r"^\(declare-fun (true|false|not|and|or|xor|ite|distinct|let|forall|exists|match|par|as|_|!|[-+*/=<>]+|div|mod|abs|to_real|"
    r"to_int|is_int|select|store|concat|extract|repeat|rotate_\w+|\w+_extend|bv\w+|(?:str|seq|re|fp|set|bag|int)[._]\S+) ",
    re.M,
)
# The maximum number of entries in a function's interpretation; larger ones are omitted, and the check finds its own.
ENTRIES_MAX = 200


@dataclass(frozen=True)
class Satisfied:
    """Data about satisfied assertions; the request to check them returns it."""

    # The number of equations at the end of the assertions, first for the objectives and then for the values.
    aims: int
    pins: int
    # For each objective, whether it is maximised; then the objectives' values.
    largest: Sequence[bool]
    objective: object

    @staticmethod
    def read(fields: Fields) -> Satisfied:
        largest = [each is True for each in fields.list("largest")]
        return Satisfied(fields.whole("aims"), fields.whole("pins"), largest, fields.any("objective"))

    def data(self) -> dict[str, object]:
        return {"aims": self.aims, "pins": self.pins, "largest": self.largest, "objective": self.objective}


def of_sat(
    assertions: Iterable[z3.ExprRef],
    model: z3.ModelRef,
    aims: Sequence[Aim] = (),
    objective: Json = None,
) -> dict[str, object]:
    """Assertions, the values that satisfy them, and the best values of objectives (expression, is maximised)."""
    aim_terms = [same(z3.FreshConst(expression.sort(), "objective"), expression) for expression, _ in aims]
    pins = [pin for declaration in model.decls() for pin in _pins(model, declaration)]
    problem = handed_over([*assertions, *aim_terms, *pins])
    return {**problem, **Satisfied(len(aim_terms), len(pins), [largest for _, largest in aims], objective).data()}


def handed_over(assertions: Iterable[z3.ExprRef]) -> dict[str, object]:
    """Writes assertions as SMT-LIB, or returns the reason why this is impossible."""
    # The program may have changed the format in which numbers are printed.
    z3.Z3_global_param_reset_all()
    stated = list(assertions)
    text = _printed(stated)
    if taken := {*TAKEN.findall(text)}:
        text = _printed(_renamed(stated, taken))
    text = _with_readable_names(text)
    if len(text) > CHARS_MAX:
        return {"open": "the problem is too large for a second check"}
    return {"smtlib": text}


def _printed(assertions: Iterable[z3.ExprRef]) -> str:
    solver = solvers.plain_solver()
    solvers.solver_assert(solver, *assertions)
    return solver.sexpr()


def _renamed(assertions: Sequence[z3.ExprRef], taken: Container[str]) -> list[z3.ExprRef]:
    """Renames the assertions' constants and functions that have one of these names."""
    open_terms = (each.decl() for each in terms(assertions) if z3.is_app(each) and is_open(each))
    declared = {each.get_id(): each for each in open_terms if each.name() in taken}.values()
    pairs = []
    for each in declared:
        sorts = [each.domain(i) for i in range(each.arity())]
        other = z3.FreshFunction(*sorts, each.range())
        pairs.append((each, other(*(z3.Var(i, sort) for i, sort in enumerate(sorts)))))
    return [z3.substitute_funs(each, *pairs) for each in assertions]


def _with_readable_names(text: str) -> str:
    """Rewrites names that Z3 can't read back.

    Z3 prints a backslash before `|` or a backslash, and reads some names as its own functions. Different names stay
    different.
    """
    mark = next(f"<{number}>" for number in itertools.count() if f"<{number}>" not in text)
    escaped = {"\\|": f"{mark}p", "\\\\": f"{mark}b"}

    def readable(found: re.Match[str]) -> str:
        piece = found.group()
        if piece[0] == "|":
            return re.sub(r"\\[|\\]", lambda each: escaped[each.group()], piece)
        return piece if piece[0] == '"' else f"|{mark}{piece}|"

    return PIECE.sub(readable, text)


def _pins(model: z3.ModelRef, declaration: z3.FuncDeclRef) -> Iterator[z3.BoolRef]:
    """Yields an equation between a constant or function and its value in the model.

    Yields nothing for values that can't be written as text.
    """
    if declaration.kind() != z3.Z3_OP_UNINTERPRETED:
        return
    meaning = model[declaration]
    pin = (
        _function(declaration, meaning)
        if isinstance(meaning, z3.FuncInterp)
        else None
        if meaning is None
        else same(declaration(), meaning)
    )
    if pin is not None and not any(mark in pin.sexpr() for mark in ("!val!", "as-array", "lambda")):
        yield pin


def _function(declaration: z3.FuncDeclRef, function: z3.FuncInterp) -> z3.BoolRef | None:
    rest = function.else_value()
    if rest is None or function.num_entries() > ENTRIES_MAX:
        return None
    parameters = [z3.FreshConst(declaration.domain(i)) for i in range(declaration.arity())]
    value = z3.substitute_vars(rest, *parameters)
    for i in reversed(range(function.num_entries())):
        entry = function.entry(i)
        here = z3.And(*(same(parameter, entry.arg_value(k)) for k, parameter in enumerate(parameters)))
        value = z3.If(here, entry.value(), value)
    return z3.ForAll(parameters, same(declaration(*parameters), value))
