def checked(x: int, y: int, z: int) -> int:
    """
    post: _ != 0
    """
    if x * 3 + y == 1729 and y - z == 58:
        if z > 1000 and x < -20:
            return x + 21
    return 1
