# What we use of OR-Tools' MathOpt. Its messages are of protobuf.
import dataclasses
import datetime
import enum
from collections.abc import Mapping, Sequence
from typing import Any

class SolverType(enum.Enum):
    HIGHS = ...
    GSCIP = ...
    GLOP = ...
    PDLP = ...
    CP_SAT = ...

class TerminationReason(enum.Enum):
    OPTIMAL = ...
    FEASIBLE = ...
    INFEASIBLE = ...
    UNBOUNDED = ...
    INFEASIBLE_OR_UNBOUNDED = ...
    NO_SOLUTION_FOUND = ...

class BasisStatus(enum.Enum):
    FREE = ...
    AT_LOWER_BOUND = ...
    AT_UPPER_BOUND = ...
    FIXED_VALUE = ...
    BASIC = ...

class LinearBase: ...

class Variable(LinearBase):
    id: int
    name: str

class VarEqVar:
    first_variable: Variable
    second_variable: Variable
    __bool__: Any

class LinearConstraint:
    id: int
    name: str

class LinearExpression(LinearBase):
    terms: Mapping[Variable, float]
    offset: float

class Model:
    def __init__(self) -> None: ...
    objective: Any
    def export_model(self) -> Any: ...
    def add_variable(self, *, lb: float, ub: float, is_integer: bool, name: str) -> Any: ...
    def add_linear_constraint(self, *arguments: Any, **options: Any) -> Any: ...

@dataclasses.dataclass
class SolveParameters:
    time_limit: datetime.timedelta | None
    relative_gap_tolerance: float | None
    def __init__(self, *, time_limit: datetime.timedelta | None = None) -> None: ...
    def to_proto(self) -> Any: ...

class ModelSolveParameters:
    def to_proto(self) -> Any: ...

class StreamableSolverInitArguments:
    def to_proto(self) -> Any: ...

class CallbackRegistration:
    def to_proto(self) -> Any: ...

class _ObjectiveBounds:
    dual_bound: float

class _Termination:
    reason: TerminationReason
    detail: str
    objective_bounds: _ObjectiveBounds

class _PrimalSolution:
    variable_values: Mapping[Variable, float]

class Basis:
    variable_status: Mapping[Variable, BasisStatus]
    constraint_status: Mapping[LinearConstraint, BasisStatus]

class Solution:
    primal_solution: _PrimalSolution | None
    basis: Basis | None

class SolveResult:
    termination: _Termination
    solutions: Sequence[Solution]

def as_flat_linear_expression(value: LinearBase) -> LinearExpression: ...
def solve(*arguments: Any, **options: Any) -> SolveResult: ...
