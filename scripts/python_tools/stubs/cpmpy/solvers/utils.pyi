from typing import Any

class SolverLookup:
    lookup: Any
    base_solvers: Any
    @classmethod
    def get(cls, name: object = ..., model: object = ...) -> Any: ...
