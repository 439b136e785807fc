def original(month: int, leap: bool) -> int:
    if month < 1 or month > 12:
        raise ValueError("no such month")
    if month == 2:
        return 29 if leap else 28
    if month in (4, 6, 9, 11):
        return 30
    return 31


def changed(month: int, leap: bool) -> int:
    if not 1 <= month <= 12:
        raise ValueError("no such month")
    if month == 2:
        return 28 + leap
    return 30 + (month + month // 7) % 2
