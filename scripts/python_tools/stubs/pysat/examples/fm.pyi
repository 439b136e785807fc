from pysat.solvers import Solver

class FM:
    oracle: Solver
    cost: float
    model: list[int] | None
    def compute(self) -> bool: ...
