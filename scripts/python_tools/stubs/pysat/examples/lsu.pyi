from pysat.formula import WCNF
from pysat.solvers import Solver

class LSU:
    oracle: Solver
    cost: float
    model: list[int] | None
    def __init__(self, formula: WCNF, solver: str = "g4") -> None: ...
    def solve(self) -> bool: ...

class LSUPlus(LSU): ...
