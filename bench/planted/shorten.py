def checked(text: str, width: int) -> str:
    """A text of at most so many characters.

    pre: width >= 0
    post: len(_) <= width
    """
    if len(text) <= width:
        return text
    if width < 3:
        return "..."
    return text[: width - 3] + "..."
