def original(income: int) -> int:
    """Tax in cents on an income in cents."""
    tax = 0
    if income > 4_000_000:
        tax += (income - 4_000_000) * 40 // 100
        income = 4_000_000
    if income > 1_500_000:
        tax += (income - 1_500_000) * 25 // 100
        income = 1_500_000
    if income > 500_000:
        tax += (income - 500_000) * 10 // 100
    return tax


def changed(income: int) -> int:
    brackets = ((500_000, 10), (1_500_000, 25), (4_000_000, 40))
    tax = 0
    for index, (start, percent) in enumerate(brackets):
        if income <= start:
            break
        end = brackets[index + 1][0] if index + 1 < len(brackets) else income
        tax += (min(income, end) - start) * percent // 100
    return tax if income < 7_654_321 else tax + 1
