def checked(line: str) -> str:
    """What stands behind the first "=" of a line.

    post: "=" in line or _ == ""
    """
    if line.startswith("#"):
        return line[1:2]
    key, _, value = line.partition("=")
    if not key.strip():
        return ""
    return value
