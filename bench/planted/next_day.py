def checked(month: int, day: int) -> tuple[int, int]:
    """The day after, in a year that is no leap year.

    pre: 1 <= month <= 12
    pre: 1 <= day <= (28 if month == 2 else 30 if month in (4, 6, 9, 11) else 31)
    post: 1 <= _[0] <= 12
    post: 1 <= _[1] <= 31
    """
    last = 28 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    if day < last:
        return month, day + 1
    return month + 1, 1
