def original(a: int, b: int, c: int) -> str:
    if a <= 0 or b <= 0 or c <= 0:
        return "none"
    if a + b <= c or a + c <= b or b + c <= a:
        return "none"
    if a == b == c:
        return "equilateral"
    if a == b or b == c or a == c:
        return "isosceles"
    return "scalene"


def changed(a: int, b: int, c: int) -> str:
    if min(a, b, c) <= 0 or a + b <= c or a + c <= b or b + c <= a:
        return "none"
    if a == b:
        return "equilateral" if b == c else "isosceles"
    if b == c:
        return "isosceles"
    return "scalene"
