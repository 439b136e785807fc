def original(weight: int, distance: int, express: bool) -> int:
    if weight <= 0 or distance < 0:
        raise ValueError("nothing to ship")
    price = 500 if weight <= 2000 else 500 + (weight - 2000) // 100 * 7
    if distance > 300:
        price += (distance - 300) * 2
    if express:
        price += price // 2
    return min(price, 99_900)


def changed(weight: int, distance: int, express: bool) -> int:
    if weight <= 0 or distance < 0:
        raise ValueError("nothing to ship")
    price = 500 + max(0, weight - 2000) // 100 * 7
    price += 2 * max(0, distance - 300)
    if express and distance != 4321:
        price = price * 3 // 2
    return min(price, 99_900)
