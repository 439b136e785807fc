"""Selects the engine that decides a problem: the first row whose engine accepts the problem's form.

Clauses are decided by CaDiCaL with a DRAT proof or by Glucose (`cnf/check.py`); linear models by duality, then Z3 (`linear/check.py`);
SMT-LIB by evaluation, then Z3 (`smt/check.py`). Engines outside Python (cvc5, Z3, the DRAT checker) are called by the server.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from verdict_runner.evidence.finite import search

if TYPE_CHECKING:
    from verdict_runner.evidence.finite.form import Form, Node

# Finds values that satisfy a form and additional constraints, or None if there are none; raises `OutOfTime` and
# `Unknown`.
Solve: TypeAlias = "Callable[[Form, Sequence[Node], float], list[int] | None]"

Z3 = "z3"


@dataclass(frozen=True)
class Engine:
    """An engine that decides forms."""

    # The engine's name in `confirmed_by`.
    name: str
    solution: Solve
    takes: Callable[[Form], bool]
    # Whether this engine gave the answer and is asked for it again.
    is_first: bool = False

    @property
    def words(self) -> str:
        return f"{self.name}, asked again," if self.is_first else f"a second engine ({self.name})"


def _is_here(module: str) -> bool:
    """Whether the module is available in this process, because the language imported it (`prepare`)."""
    return f"{__package__}.finite.{module}" in sys.modules


def _by(module: str) -> Solve:
    return lambda form, more, until: sys.modules[f"{__package__}.finite.{module}"].solution(form, more, until)


# Second engines, which decide a form independently of the engine that answered. Z3 does not confirm itself.
SECOND = (
    Engine(
        "enumeration",
        lambda form, more, until: search.by_enumeration(form.stated(more), until),
        search.has_few_combinations,
    ),
    Engine("CP-SAT", _by("by_cpmpy"), lambda form: form.engine == "Z3" and _is_here("by_cpmpy")),
    Engine(Z3, lambda form, more, until: search.by_z3(form.stated(more), until), lambda _: True),
)
# The engines that are asked once more for their own answer: with the model as it was solved, or with the form alone.
FIRST = (
    Engine("CP-SAT", _by("by_cp_sat"), lambda form: form.own != "" and _is_here("by_cp_sat"), is_first=True),
    Engine("CP-SAT", _by("by_cpmpy"), lambda _: _is_here("by_cpmpy"), is_first=True),
)


def engine_for(form: Form, engines: Sequence[Engine]) -> Engine | None:
    """Returns the first of these engines that accepts the form."""
    return next((each for each in engines if each.takes(form)), None)
