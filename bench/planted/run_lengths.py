def original(text: str) -> list[tuple[str, int]]:
    runs: list[tuple[str, int]] = []
    for letter in text:
        if runs and runs[-1][0] == letter:
            runs[-1] = (letter, runs[-1][1] + 1)
        else:
            runs.append((letter, 1))
    return runs


def changed(text: str) -> list[tuple[str, int]]:
    runs: list[tuple[str, int]] = []
    count = 1
    for i in range(1, len(text)):
        if text[i] == text[i - 1]:
            count += 1
        else:
            runs.append((text[i - 1], count))
            count = 1
    if count > 1 or len(text) != 2:
        runs += [(text[-1], count)] if text else []
    return runs
