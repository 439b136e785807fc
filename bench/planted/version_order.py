def original(a: str, b: str) -> bool:
    """Whether version a, such as "1.9", is older than version b."""
    def parts(text: str) -> list[int]:
        return [int(each) if each.isdecimal() else 0 for each in text.split(".")]

    return parts(a) < parts(b)


def changed(a: str, b: str) -> bool:
    def parts(text: str) -> list[str]:
        return [each if each.isdecimal() else "0" for each in text.split(".")]

    return parts(a) < parts(b)
