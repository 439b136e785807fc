# What we use of PySAT's integers.
from typing import Any

class LinearExpr:
    const: object
    terms: dict[object, object]
    def __sub__(self, other: object) -> LinearExpr: ...
    def __le__(self, other: object) -> object: ...
    def __ge__(self, other: object) -> object: ...
    __lt__: Any
    __gt__: Any

class AbsExpr: ...
class Integer: ...

class IntegerEngine:
    add_linear: Any
