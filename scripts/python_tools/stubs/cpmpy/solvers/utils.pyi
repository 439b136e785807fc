from typing import Any

class SolverLookup:
    lookup: Any
    @classmethod
    def get(cls, name: object = ..., model: object = ...) -> Any: ...
