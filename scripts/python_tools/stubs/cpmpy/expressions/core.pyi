from typing import Any

class Expression:
    name: str
    args: tuple[Any, ...]
    update_args: Any
    def is_bool(self) -> bool: ...
    def value(self) -> Any: ...

class Comparison(Expression):
    __bool__: Any

class BoolVal(Expression):
    def __init__(self, truth: bool) -> None: ...
