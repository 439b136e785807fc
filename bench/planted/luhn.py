def original(digits: list[int]) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        if not 0 <= digit <= 9:
            return False
        if place % 2 == 1:
            digit = digit * 2 - 9 if digit > 4 else digit * 2
        total += digit
    return total % 10 == 0


def changed(digits: list[int]) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        if digit < 0 or digit > 9:
            return False
        if place % 2 == 1:
            digit *= 2
            if digit > 10:
                digit -= 9
        total += digit
    return total % 10 == 0
