from typing import Any

class Regular:
    args: Any
    decompose: Any
    decompose_positive: Any
    decompose_linear: Any
    decompose_linear_positive: Any
    def __init__(self, array: object, transitions: object, start: object, accepting: object) -> None: ...

class Circuit:
    decompose: Any
    decompose_linear_positive: Any

class CumulativeOptional:
    decompose: Any

class NoOverlapOptional:
    decompose: Any

class GlobalCardinalityCount:
    args: Any
    closed: bool
    decompose: Any
    def __init__(self, vars: object, vals: object, occ: object, closed: bool = False) -> None: ...

class LexLessEq:
    args: Any
    decompose: Any
