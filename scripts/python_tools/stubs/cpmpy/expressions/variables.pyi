from typing import Any

import numpy as np
from cpmpy.expressions.core import Expression

class _NumVarImpl(Expression):
    lb: int
    ub: int
    __init__: Any

class _BoolVarImpl(_NumVarImpl): ...

class NegBoolView(_BoolVarImpl):
    _bv: _BoolVarImpl

class NDVarArray(np.ndarray): ...
