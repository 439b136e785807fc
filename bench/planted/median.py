def original(xs: list[int]) -> int:
    """The lower median."""
    if not xs:
        return 0
    return sorted(xs)[(len(xs) - 1) // 2]


def changed(xs: list[int]) -> int:
    if not xs:
        return 0
    return sorted(xs)[len(xs) // 2]
