from typing import Any

class Among:
    args: Any
    decompose: Any

class Count:
    def __init__(self, arr: object, val: object) -> None: ...
