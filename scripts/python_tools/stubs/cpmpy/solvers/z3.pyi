from typing import Any

from cpmpy.solvers.solver_interface import SolverInterface

class CPM_z3(SolverInterface):
    add: Any
    __add__: Any
    objective: Any
    solve: Any
    solveAll: Any
    def __init__(self, cpm_model: object = ...) -> None: ...
