def checked(part: int, whole: int) -> int:
    """
    pre: 0 <= part <= whole
    post: 0 <= _ <= 100
    """
    return (part * 100 + whole // 2) // whole
