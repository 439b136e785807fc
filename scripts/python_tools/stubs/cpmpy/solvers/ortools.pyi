from typing import Any

from cpmpy.solvers.solver_interface import SolverInterface

class CPM_ortools(SolverInterface):
    ort_model: Any
    ort_solver: Any
