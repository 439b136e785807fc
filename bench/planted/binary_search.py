def original(xs: list[int], x: int) -> int:
    """The place of x in a sorted list, or -1."""
    for i in range(1, len(xs)):
        if xs[i - 1] >= xs[i]:
            return -2
    for i in range(len(xs)):
        if xs[i] == x:
            return i
    return -1


def changed(xs: list[int], x: int) -> int:
    for i in range(1, len(xs)):
        if xs[i - 1] >= xs[i]:
            return -2
    low, high = 0, len(xs) - 1
    while low < high:
        middle = (low + high) // 2
        if xs[middle] == x:
            return middle
        if xs[middle] < x:
            low = middle + 1
        else:
            high = middle - 1
    return -1
