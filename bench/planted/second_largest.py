def original(xs: list[int]) -> int:
    """The second largest of the different numbers; the only one when there is one."""
    kinds = sorted(set(xs))
    if not kinds:
        return 0
    return kinds[-2] if len(kinds) > 1 else kinds[0]


def changed(xs: list[int]) -> int:
    if not xs:
        return 0
    first = second = xs[0]
    for x in xs[1:]:
        if x > first:
            first, second = x, first
        elif x > second:
            second = x
    return second
