from enum import Enum
from typing import Any

class ExitStatus(Enum):
    NOT_RUN = 1
    OPTIMAL = 2
    FEASIBLE = 3
    UNSATISFIABLE = 4
    ERROR = 5
    UNKNOWN = 6

class SolverInterface:
    name: str
    user_vars: set[Any]
    add: Any
    __add__: Any
    objective: Any
    solve: Any
    solveAll: Any
    native_model: Any
    __init__: Any
    supported: Any
    version: Any
    def status(self) -> Any: ...
