# What we use of OR-Tools' CP-SAT. Its messages are objects of C++ with attributes that only it knows.
from typing import Any

class LinearExpr:
    def is_integer(self) -> bool: ...
    @staticmethod
    def weighted_sum(expressions: list[IntVar], weights: list[int]) -> LinearExpr: ...
    def __add__(self, other: int) -> LinearExpr: ...
    def __lt__(self, other: int) -> BoundedLinearExpression: ...
    def __gt__(self, other: int) -> BoundedLinearExpression: ...

class _Flat(LinearExpr):
    vars: list[IntVar]
    coeffs: list[float]
    offset: float
    def __init__(self, expression: LinearExpr) -> None: ...

class FlatFloatExpr(_Flat): ...

class FlatIntExpr(_Flat): ...

class IntVar(LinearExpr):
    index: int
    name: str
    proto: Any
    model_proto: Any
    Proto: Any

class Constraint:
    proto: Any
    Proto: Any

class BoundedLinearExpression:
    vars: list[IntVar]
    bounds: Any
    __bool__: Any

class IntervalVar:
    proto: Any
    Proto: Any

Domain: Any

CHOOSE_FIRST: Any
CHOOSE_HIGHEST_MAX: Any
CHOOSE_LOWEST_MIN: Any
CHOOSE_MAX_DOMAIN_SIZE: Any
CHOOSE_MIN_DOMAIN_SIZE: Any
SELECT_LOWER_HALF: Any
SELECT_MAX_VALUE: Any
SELECT_MEDIAN_VALUE: Any
SELECT_MIN_VALUE: Any
SELECT_UPPER_HALF: Any

OPTIMAL: Any
FEASIBLE: Any
INFEASIBLE: Any
MODEL_INVALID: Any
UNKNOWN: Any

class CpModel:
    proto: Any
    def __init__(self) -> None: ...
    def clone(self) -> CpModel: ...
    def validate(self) -> str: ...
    def has_objective(self) -> bool: ...
    def add_bool_or(self, literals: list[object]) -> Constraint: ...
    def add(self, stated: object) -> Constraint: ...
    def add_linear_constraint(self, expression: object, lb: int, ub: int) -> Constraint: ...
    def minimize(self, expression: object) -> None: ...
    def maximize(self, expression: object) -> None: ...
    def new_int_var(self, lb: int, ub: int, name: str) -> IntVar: ...
    add_multiplication_equality: Any
    def _add_bounded_linear_expression(self, stated: BoundedLinearExpression) -> Constraint: ...
    def get_int_var_from_proto_index(self, index: int) -> IntVar: ...
    export_to_file: Any
    ExportToFile: Any

class CpSolverSolutionCallback:
    objective_value: float
    response_proto: Any
    def __init__(self) -> None: ...
    def value(self, expression: object) -> int: ...
    def stop_search(self) -> None: ...

class CpSolver:
    parameters: Any
    response_proto: Any
    best_objective_bound: float
    objective_value: float
    _checked_response: Any
    num_conflicts: int
    num_branches: int
    def solution_info(self) -> str: ...
    solve: Any
    def value(self, expression: object) -> int: ...
