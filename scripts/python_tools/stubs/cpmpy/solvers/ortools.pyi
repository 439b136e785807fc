from typing import Any

from cpmpy.solvers.solver_interface import SolverInterface

class CPM_ortools(SolverInterface):
    ort_model: Any
    ort_solver: Any
    add: Any
    __add__: Any
    objective: Any
    solve: Any
    solveAll: Any
    def __init__(self, cpm_model: object = ...) -> None: ...
