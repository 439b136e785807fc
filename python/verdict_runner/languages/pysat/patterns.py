"""Functions for frequently needed clauses, under the names that models for the original mcp-solver use."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeAlias, TypeVar

from pysat.formula import CNF, WCNF
from pysat.solvers import Cadical153

from verdict_runner.languages.pysat import helpers

_Formula = TypeVar("_Formula", CNF, WCNF)
# A soft clause: a clause and its weight.
Soft: TypeAlias = "tuple[list[int], float]"


# ---- Hard constraints, as lists of clauses.


class Clauses(list[list[int]]):
    """A list of clauses that also has a formula's attributes, since models use both."""

    @property
    def clauses(self) -> list[list[int]]:
        return list(self)

    @property
    def nv(self) -> int:
        return max((abs(int(each)) for clause in self for each in clause), default=0)


def at_most_k(variables: Iterable[int], k: int, encoding: object = None, top_id: object = None) -> Clauses:
    """Clauses stating that at most k literals are true; Verdict chooses the encoding and its variables."""
    return Clauses(helpers.at_most_k(variables, k))


def at_least_k(variables: Iterable[int], k: int, encoding: object = None, top_id: object = None) -> Clauses:
    """Clauses stating that at least k of the literals are true."""
    return Clauses(helpers.at_least_k(variables, k))


def exactly_k(variables: Iterable[int], k: int, encoding: object = None, top_id: object = None) -> Clauses:
    """Clauses stating that exactly k of the literals are true."""
    return Clauses(helpers.exactly_k(variables, k))


def at_most_one(variables: Iterable[int]) -> Clauses:
    """Clauses stating that at most one of the literals is true."""
    return at_most_k(variables, 1)


def exactly_one(variables: Iterable[int]) -> Clauses:
    """Clauses stating that exactly one literal is true."""
    return exactly_k(variables, 1)


def mutually_exclusive(variables: Iterable[int]) -> Clauses:
    """Clauses stating that no two of the literals are both true."""
    return at_most_k(variables, 1)


def one_hot_encoding(variables: Iterable[int], encoding: object = None) -> Clauses:
    """Clauses stating that exactly one literal is true."""
    return exactly_k(variables, 1)


def implies(a: int, b: int) -> Clauses:
    """A clause stating that b is true if a is true."""
    return Clauses([[-a, b]])


def if_then_else(condition: int, then_var: int, else_var: int) -> Clauses:
    """Clauses stating that the second literal is true if the first is, and otherwise the third."""
    return Clauses([[-condition, then_var], [condition, else_var]])


CONSTRAINTS = {"atmost": at_most_k, "atleast": at_least_k, "exactly": exactly_k, "equals": exactly_k}


def add_cardinality_constraint(
    formula: _Formula, constraint_type: object, variables: Iterable[int], k: int, encoding: object = None
) -> _Formula:
    """Adds `atmost`, `atleast`, `exactly` or `equals` k of the literals to the formula, and returns it."""
    make = CONSTRAINTS.get(str(constraint_type).lower())
    if make is None:
        raise ValueError(f"no constraint of type {constraint_type!r}; there are {', '.join(CONSTRAINTS)}")
    formula.extend(make(variables, k))
    return formula


def create_balanced_partitioning(
    variables: Collection[int], num_parts: int = 2, encoding: object = None
) -> dict[str, object]:
    """Clauses that assign each variable to one of the parts, whose sizes differ by at most one.

    `part_variables[i][j]`, numbered after the variables, means that variable i is in part j.
    """
    if num_parts < 2:
        raise ValueError("a partition has two or more parts")
    numbers = itertools.count(max(map(abs, variables), default=0) + 1)
    parts = [[next(numbers) for _ in range(num_parts)] for _ in variables]
    size, larger = divmod(len(parts), num_parts)
    constraints = [("one_hot", variable, exactly_k(row, 1)) for variable, row in zip(variables, parts)]
    for j in range(num_parts):
        constraints.append(("part_size", j, exactly_k([row[j] for row in parts], size + (j < larger))))
    formula = CNF()
    for _, _, clauses in constraints:
        formula.extend(clauses)
    return {"formula": formula, "part_variables": parts, "constraints": constraints}


# ---- Soft constraints, as pairs of a clause and its weight.


def soft_clause(literals: int | Iterable[int], weight: float = 1) -> Soft:
    """One soft clause, from a single literal or from several."""
    return ([literals] if isinstance(literals, int) else list(literals), weight)


def soft_at_most_k(variables: Collection[int], k: int, weight: float = 1) -> list[Soft]:
    """For each k + 1 of the literals, one soft clause that not all of them are true."""
    return [] if k >= len(variables) else _each_of(variables, k + 1, -1, weight)


def soft_at_least_k(variables: Collection[int], k: int, weight: float = 1) -> list[Soft]:
    """For each n - k + 1 of the literals, one soft clause that at least one of them is true."""
    return [] if k <= 0 else _each_of(variables, len(variables) - k + 1, 1, weight)


def _each_of(variables: Collection[int], size: int, sign: int, weight: float) -> list[Soft]:
    return [([sign * each for each in chosen], weight) for chosen in itertools.combinations(variables, max(0, size))]


def soft_exactly_k(variables: Collection[int], k: int, weight: float = 1) -> list[Soft]:
    """The soft clauses of `soft_at_most_k` and `soft_at_least_k` together."""
    return soft_at_most_k(variables, k, weight) + soft_at_least_k(variables, k, weight)


def soft_implies(a: int, b: int, weight: float = 1) -> list[Soft]:
    """The soft clause that b is true if a is true."""
    return _soft(implies(a, b), weight)


def soft_if_then_else(condition: int, then_var: int, else_var: int, weight: float = 1) -> list[Soft]:
    """Soft clauses that the second literal is true if the first is, and otherwise the third."""
    return _soft(if_then_else(condition, then_var, else_var), weight)


def _soft(clauses: Clauses, weight: float) -> list[Soft]:
    return [(clause, weight) for clause in clauses]


def add_soft_clauses_to_wcnf(wcnf: WCNF, clauses: Iterable[Soft]) -> None:
    """Adds pairs of a clause and its weight to the formula."""
    for clause, weight in clauses:
        wcnf.append(clause, weight=weight)


# ---- Hard constraints added to a formula directly.


def hard_at_most_k(wcnf: WCNF, variables: Iterable[int], k: int) -> None:
    """Adds the constraint that at most k of the literals are true."""
    wcnf.extend(at_most_k(variables, k))


def hard_at_least_k(wcnf: WCNF, variables: Iterable[int], k: int) -> None:
    """Adds the constraint that at least k of the literals are true."""
    wcnf.extend(at_least_k(variables, k))


def hard_exactly_k(wcnf: WCNF, variables: Iterable[int], k: int) -> None:
    """Adds the constraint that exactly k of the literals are true."""
    wcnf.extend(exactly_k(variables, k))


# ---- Names of variables.


class VariableMap:
    """Numbers names from 1, in the order of their first use."""

    def __init__(self) -> None:
        self.var_to_id: dict[object, int] = {}
        self.id_to_var: dict[int, object] = {}
        self.next_id = 1

    def get_id(self, var_name: object) -> int:
        """Returns a name's number, which the first call allocates."""
        if var_name not in self.var_to_id:
            self.var_to_id[var_name] = self.next_id
            self.id_to_var[self.next_id] = var_name
            self.next_id += 1
        return self.var_to_id[var_name]

    create_var = get_id

    def create_vars(self, var_names: Iterable[object]) -> dict[object, int]:
        """Returns the numbers of several names, by name."""
        return {name: self.get_id(name) for name in var_names}

    def get_name(self, var_id: int) -> object:
        """The name of a literal's variable, or e.g. `unknown_7` if it has none."""
        return self.id_to_var.get(abs(var_id), f"unknown_{abs(var_id)}")

    def interpret_model(self, model: Iterable[int]) -> dict[object, bool]:
        """The truth values of the named variables in a model."""
        return {self.id_to_var[abs(each)]: each > 0 for each in model if abs(each) in self.id_to_var}

    def get_mapping(self) -> dict[object, int]:
        """Returns the numbers by name."""
        return dict(self.var_to_id)


# ---- Functions for complete steps.


def basic_sat_solver(clauses: Iterable[Iterable[int]], solver_type: type[Cadical153] = Cadical153) -> dict[str, object]:
    """Solves clauses and returns `is_sat`, `model` and `solver`."""
    solver = solver_type(bootstrap_with=[list(clause) for clause in clauses])
    is_sat = solver.solve()
    return {"is_sat": is_sat, "model": solver.get_model() if is_sat else None, "solver": solver}


def dimacs_to_cnf(dimacs_str: object) -> CNF:
    """Parses a formula in DIMACS format; if the text contains no 0, each line is a clause."""
    lines = [line.split() for line in str(dimacs_str).splitlines() if line.strip() and line.strip()[0] not in "cp%"]
    has_ends = any("0" in words for words in lines)
    formula, clause = CNF(), []
    for words in lines:
        for word in words:
            if word != "0":
                clause.append(int(word))
            elif clause:
                formula.append(clause)
                clause = []
        if clause and not has_ends:
            formula.append(clause)
            clause = []
    if clause:
        formula.append(clause)
    return formula


def sat_to_binary_variables(variables: Mapping[object, int], model: Iterable[int]) -> dict[object, bool]:
    """The truth values of named literals in a model."""
    true = set(model)
    return {name: each in true if each > 0 else -each not in true for name, each in variables.items()}


# ---- Validation of a program's objects.


class PySATError(Exception):
    """An error with its context."""

    def __init__(
        self, message: str, original_error: BaseException | None = None, context: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.original_error = original_error
        self.context = dict(context or {})


def pysat_error_handler(func: Callable[..., object]) -> Callable[..., object]:
    """Wraps a function so that its exceptions become `PySATError`."""

    def wrapper(*arguments: object, **keywords: object) -> object:
        try:
            return func(*arguments, **keywords)
        except Exception as error:
            raise PySATError(f"{type(error).__name__}: {error}", original_error=error) from error

    return wrapper


def validate_variables(variables: Mapping[object, object]) -> list[str]:
    """Lists the errors in a dictionary from names to variables, as sentences."""
    if not variables:
        return ["there are no variables"]
    wrong = [
        (name, each)
        for name, each in variables.items()
        if isinstance(each, bool) or not isinstance(each, int) or each == 0
    ]
    return [f"{name!r} is {each!r}, but a variable is a nonzero integer" for name, each in wrong]


def validate_formula(formula: object) -> list[str]:
    """Lists the errors in a formula, as sentences."""
    clauses = getattr(formula, "clauses", None)
    if clauses is None:
        return ["this is not a formula: it has no clauses"]
    if not clauses:
        return ["the formula has no clauses"]
    faults = [
        f"clause {i} is empty, so nothing satisfies the formula" for i, clause in enumerate(clauses) if len(clause) == 0
    ]
    return faults + [
        f"clause {i} contains {each!r}, which is not a literal"
        for i, clause in enumerate(clauses)
        for each in clause
        if not isinstance(each, int) or each == 0
    ]


def format_solution_error(error: BaseException) -> dict[str, object]:
    """Describes an exception as the values of an answer."""
    return {
        "satisfiable": False,
        "status": "error",
        "error_type": type(error).__name__,
        "error_message": str(error),
        "values": {},
    }


# ---- The modules of the original mcp-solver that contain these functions.


def by_name(*functions: Callable[..., object]) -> dict[str, object]:
    """Maps functions and classes by their own names."""
    return {each.__name__: each for each in functions}


CARDINALITY = by_name(at_most_k, at_least_k, exactly_k)
LOGIC = by_name(at_most_one, exactly_one, implies, mutually_exclusive, if_then_else)
WISHES = by_name(
    soft_clause,
    soft_at_most_k,
    soft_at_least_k,
    soft_exactly_k,
    soft_implies,
    soft_if_then_else,
    add_soft_clauses_to_wcnf,
)
HARD = {"at_most_k": hard_at_most_k, "at_least_k": hard_at_least_k, "exactly_k": hard_exactly_k}
TEMPLATES = {
    "cardinality_templates": {
        **CARDINALITY,
        **by_name(one_hot_encoding, add_cardinality_constraint, create_balanced_partitioning),
    },
    "basic_templates": by_name(basic_sat_solver, dimacs_to_cnf, sat_to_binary_variables),
    "mapping": by_name(VariableMap),
}
ERRORS = by_name(PySATError, pysat_error_handler, validate_variables, validate_formula, format_solution_error)


def modules(export_solution: Callable[..., object]) -> dict[str, Mapping[str, object]]:
    """Returns the modules by name; those that export solutions use the given function."""
    export = {"export_solution": export_solution}
    constraints = {**CARDINALITY, **LOGIC, **WISHES}
    templates = {f"mcp_solver.pysat.templates.{name}": part for name, part in TEMPLATES.items()}
    return {
        "mcp_solver.pysat": {**export, **CARDINALITY, **LOGIC, **ERRORS, **TEMPLATES["mapping"]},
        "mcp_solver.pysat.constraints": constraints,
        "mcp_solver.pysat.error_handling": ERRORS,
        "mcp_solver.pysat.solution": export,
        "mcp_solver.pysat.templates": {name: each for part in TEMPLATES.values() for name, each in part.items()},
        **templates,
        "mcp_solver.maxsat": export,
        "mcp_solver.maxsat.constraints": constraints,
        "mcp_solver.maxsat.solution": {**export, "export_maxsat_solution": export_solution},
        "mcp_solver.maxsat.templates": HARD,
        "mcp_solver.maxsat.templates.cardinality_constraints": HARD,
        "mcp_solver.solution": {**export, "export_maxsat_solution": export_solution},
        "mcp_solver.helpers": {},
        "mcp_solver.helpers.maxsat": HARD,
        "mcp_solver.helpers.pysat": {**constraints, **by_name(one_hot_encoding), **TEMPLATES["mapping"]},
    }
