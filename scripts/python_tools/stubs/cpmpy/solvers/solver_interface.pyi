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
    user_vars: set[Any]
    def __init__(self, name: object = ..., cpm_model: object = ...) -> None: ...
    def status(self) -> Any: ...
