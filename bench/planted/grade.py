def checked(points: int, bonus: int) -> str:
    """
    pre: 0 <= points <= 100
    pre: 0 <= bonus <= 10
    post: _ in ("A", "B", "C", "D", "F")
    """
    total = points + bonus
    table = {9: "A", 10: "A", 8: "B", 7: "C", 6: "D"}
    if total < 60:
        return "F"
    return table[total // 10]
