VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def original(text: str) -> int:
    total = 0
    last = 0
    for letter in reversed(text):
        value = VALUES.get(letter, 0)
        if value < last:
            total -= value
        else:
            total += value
            last = value
    return total


def changed(text: str) -> int:
    total = 0
    for i, letter in enumerate(text):
        value = VALUES.get(letter, 0)
        if i + 1 < len(text) and value <= VALUES.get(text[i + 1], 0) and value != 1:
            total -= value
        elif i + 1 < len(text) and value < VALUES.get(text[i + 1], 0):
            total -= value
        else:
            total += value
    return total
