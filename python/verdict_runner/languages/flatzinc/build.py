"""Translates FlatZinc into a CP-SAT model: constraint by constraint, then the goal, the search order and hints."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ortools.sat.python import cp_model

from verdict_runner.languages.flatzinc.arithmetic import ARITHMETIC
from verdict_runner.languages.flatzinc.flat import LEAST, MOST, Flat, Term, Unsupported
from verdict_runner.languages.flatzinc.logic import LOGIC, SUMS, reify, state
from verdict_runner.languages.flatzinc.relations import OPPOSITES, RELATIONS
from verdict_runner.protocol.messages import Fields, Malformed

_CONTEXT = re.compile(r"(.+)_(imp|reif)")

# CP-SAT's variable and value selection; FlatZinc strategies without a counterpart are left to CP-SAT.
NEXT_VARIABLE = {
    "input_order": cp_model.CHOOSE_FIRST,
    "first_fail": cp_model.CHOOSE_MIN_DOMAIN_SIZE,
    "anti_first_fail": cp_model.CHOOSE_MAX_DOMAIN_SIZE,
    "smallest": cp_model.CHOOSE_LOWEST_MIN,
    "largest": cp_model.CHOOSE_HIGHEST_MAX,
}
NEXT_VALUE = {
    "indomain": cp_model.SELECT_MIN_VALUE,
    "indomain_min": cp_model.SELECT_MIN_VALUE,
    "indomain_max": cp_model.SELECT_MAX_VALUE,
    "indomain_median": cp_model.SELECT_MEDIAN_VALUE,
    "indomain_split": cp_model.SELECT_LOWER_HALF,
    "indomain_reverse_split": cp_model.SELECT_UPPER_HALF,
}


def built(text: str) -> tuple[Flat, Term | None]:
    """Builds the model; returns it and its objective, if it has one. Raises `Unsupported`."""
    flat = Flat(text)
    _note_shared(flat)
    for each in flat.constraints:
        _post(flat, each.text("id"), each.list("args"))
    objective = None
    method = flat.goal.text("method")
    if method != "satisfy":
        objective = flat.term(flat.goal.any("objective"))
        (flat.model.minimize if method == "minimize" else flat.model.maximize)(objective)
    _Search(flat).read(flat.goal.list("ann") if "ann" in flat.goal else [])
    return flat, objective


def _note_shared(flat: Flat) -> None:
    """Makes `bool2int` use a single variable, and reuses literals that state a variable's value."""
    rest: list[Fields] = []
    for each in flat.constraints:
        name, given = each.text("id"), each.list("args")
        as_number = given[1] if name == "bool2int" else None
        if not (isinstance(as_number, str) and flat.alias(as_number, flat.term(given[0]))):
            rest.append(each)
    flat.constraints = rest
    for each in flat.constraints:
        name, given = each.text("id"), each.list("args")
        if name in ("int_eq_reif", "int_ne_reif"):
            x, y, holds = (flat.term(one) for one in given)
            if isinstance(x, int):
                x, y = y, x
            if isinstance(y, int) and not isinstance(holds, int):
                flat.note_value(x, y, holds if name == "int_eq_reif" else ~holds)


def _post(flat: Flat, name: str, given: Sequence[object]) -> None:
    if name in LOGIC:
        LOGIC[name](flat, given)
    elif name in SUMS:
        state(flat, SUMS[name](flat, given))
    elif name in ARITHMETIC:
        ARITHMETIC[name](flat, given)
    elif name in RELATIONS:
        RELATIONS[name](flat, given, ())
    else:
        match = _CONTEXT.fullmatch(name)
        _post_under(flat, name, match[1] if match else "", match[2] if match else "", given)


def _post_under(flat: Flat, name: str, plain: str, context: str, given: Sequence[object]) -> None:
    """Posts a constraint under a literal, its last argument, that implies it or is equivalent to it."""
    if plain in SUMS:
        stated, holds = SUMS[plain](flat, given[:-1]), flat.literal(given[-1])
        state(flat, stated, [holds]) if context == "imp" else reify(flat, stated, holds)
    elif plain in RELATIONS and (context == "imp" or plain in OPPOSITES):
        holds = flat.literal(given[-1])
        RELATIONS[plain](flat, given[:-1], [holds])
        if context == "reif":
            OPPOSITES[plain](flat, given[:-1], [~holds])
    else:
        what = "set variables" if name.startswith(("set_", "array_set", "array_var_set")) else f"the constraint {name}"
        raise Unsupported("real numbers" if "float" in name else what)


class _Search:
    """The search order that the model's author requests, and the initial values."""

    def __init__(self, flat: Flat) -> None:
        self._flat = flat
        self._hinted: set[int] = set()

    def read(self, annotations: Sequence[object]) -> None:
        for each in annotations:
            if not isinstance(each, dict):
                continue
            name, given = each.get("id"), each.get("args")
            if not isinstance(given, list):
                continue
            try:
                self._follow(str(name), given)
            except (Unsupported, Malformed):
                # Hints for things that CP-SAT lacks, such as sets, are ignored; no answer depends on hints.
                continue

    def _follow(self, name: str, given: Sequence[object]) -> None:
        if name in ("seq_search", "warm_start_array") and isinstance(given[0], list):
            self.read(given[0])
        elif name in ("int_search", "bool_search") and len(given) >= 3:
            self._order(*given[:3])
        elif name.startswith("warm_start") and len(given) == 2:
            self._hint(*given)

    def _order(self, named: object, variable: object, value: object) -> None:
        terms = [each for each in self._flat.terms(named) if not isinstance(each, int)]
        next_variable, next_value = NEXT_VARIABLE.get(str(variable)), NEXT_VALUE.get(str(value))
        if terms and next_variable is not None and next_value is not None:
            self._flat.model.add_decision_strategy(terms, next_variable, next_value)

    def _hint(self, named: object, values: object) -> None:
        for term, value in zip(self._flat.terms(named), self._flat.terms(values)):
            is_fit = isinstance(value, int) and LEAST < value < MOST
            if is_fit and not isinstance(term, int) and term.index not in self._hinted:
                self._hinted.add(term.index)
                self._flat.model.add_hint(term, value)
