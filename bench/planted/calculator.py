def checked(tokens: list[str]) -> int:
    """Adds and multiplies in postfix order.

    post: True
    """
    stack: list[int] = []
    for token in tokens:
        if token == "+":
            if len(stack) < 2:
                return -1
            stack.append(stack.pop() + stack.pop())
        elif token == "*":
            if not stack:
                return -1
            stack.append(stack.pop() * stack.pop())
        elif token.isdecimal():
            stack.append(len(token))
    return stack[-1] if stack else 0
