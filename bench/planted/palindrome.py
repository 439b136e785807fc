def original(text: str) -> bool:
    kept = [letter for letter in text if letter != " "]
    return kept == kept[::-1]


def changed(text: str) -> bool:
    low, high = 0, len(text) - 1
    while low < high:
        if text[low] == " ":
            low += 1
        elif text[high] == " ":
            high -= 1
        elif text[low] != text[high]:
            return False
        else:
            low += 1
            high -= 2 if high - low > 3 else 1
    return True
