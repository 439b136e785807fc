from typing import Any

from cpmpy.solvers.solver_interface import SolverInterface

class CPM_pysat(SolverInterface):
    _pb: Any
