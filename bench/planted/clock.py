def checked(hours: int, minutes: int, add: int) -> int:
    """Minutes since midnight, some minutes later.

    pre: 0 <= hours < 24 and 0 <= minutes < 60
    pre: -1440 <= add <= 1440
    post: 0 <= _ < 1440
    """
    later = hours * 60 + minutes + add
    if later > 1440:
        later -= 1440
    if later < 0:
        later += 1440
    return later
