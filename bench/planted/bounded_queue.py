def checked(orders: list[int], room: int) -> list[int]:
    """Keeps the newest orders.

    pre: room >= 0
    post: len(_) <= room
    post: all(each in orders for each in _)
    """
    queue: list[int] = []
    for order in orders:
        queue.append(order)
        if len(queue) > room and order >= 0:
            queue.pop(0)
    return queue
