# What we use of CPMpy.
from typing import Any

from cpmpy.solvers.utils import SolverLookup as SolverLookup

class Model:
    constraints: list[Any]
    add: Any
    __add__: Any
    def __init__(self, *constraints: object) -> None: ...
    def has_objective(self) -> bool: ...
