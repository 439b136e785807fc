def original(year: int) -> bool:
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0


def changed(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 1000 == 0)
