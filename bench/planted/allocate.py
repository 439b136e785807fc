def checked(total: int, parts: int) -> list[int]:
    """Splits a total into parts that differ by one at most.

    pre: 1 <= parts <= 4
    pre: total >= 0
    post: sum(_) == total
    post: max(_) - min(_) <= 1
    """
    share = total // parts
    rest = total - share * parts
    return [share + 1 if i <= rest and rest else share for i in range(parts)]
