def checked(balance: int, amount: int, fee: int) -> int:
    """What is left after a withdrawal, or the balance when it is refused.

    pre: balance >= 0 and fee >= 0
    post: 0 <= _ <= balance
    """
    if amount > balance:
        return balance
    if balance - amount < fee:
        fee = balance - amount
    return balance - amount - fee
