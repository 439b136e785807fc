class FM:
    cost: int
    model: list[int] | None
    def compute(self) -> bool: ...
