from typing import Any

class Regular:
    decompose: Any
    decompose_positive: Any
    decompose_linear: Any
    decompose_linear_positive: Any

class Circuit:
    decompose: Any
    decompose_linear_positive: Any

class CumulativeOptional:
    decompose: Any

class NoOverlapOptional:
    decompose: Any
