"""The exception for two versions of a function that can't be compared."""


class Unfit(Exception):
    """Raised if two versions of a function can't be compared."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why
