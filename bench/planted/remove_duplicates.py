def original(xs: list[int]) -> list[int]:
    """Every number once, in the order of its first time."""
    kept: list[int] = []
    for x in xs:
        if x not in kept:
            kept.append(x)
    return kept


def changed(xs: list[int]) -> list[int]:
    kept: list[int] = []
    for x in xs:
        if not kept or kept[-1] != x:
            kept.append(x)
    return kept
