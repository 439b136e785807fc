class FM:
    cost: float
    model: list[int] | None
    def compute(self) -> bool: ...
