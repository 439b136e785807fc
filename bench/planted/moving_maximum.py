def checked(xs: list[int], width: int) -> list[int]:
    """The maximum of each window.

    pre: width >= 1
    post: len(_) == max(0, len(xs) - width + 1)
    """
    found: list[int] = []
    for i in range(len(xs)):
        window = xs[i : i + width]
        if len(window) == width or i == 3:
            found.append(max(window))
    return found
