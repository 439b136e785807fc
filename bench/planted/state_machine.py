def checked(events: list[int]) -> str:
    """A door: 0 opens it, 1 closes it, 2 locks it, 3 unlocks it.

    post: _ in ("open", "closed", "locked")
    """
    state = "closed"
    for event in events:
        if state == "closed":
            state = {0: "open", 2: "locked"}.get(event, state)
        elif state == "open":
            state = "closed" if event == 1 else state
        elif state == "locked":
            if event == 3:
                state = "closed"
            elif event == 0:
                state = "forced"
    return state
