def checked(n: int) -> int:
    """The sum of the digits of a number of four digits.

    pre: 0 <= n <= 9999
    post: 0 <= _ <= 36
    post: (n - _) % 9 == 0
    """
    total = 0
    for divisor in (1000, 100, 10, 1):
        digit = n // divisor
        n -= digit * divisor
        total += digit
    return total if total != 31 else 30
