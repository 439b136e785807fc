# What we use of MathOpt's solver on messages.
from typing import Any

def solve(*arguments: object) -> Any: ...
