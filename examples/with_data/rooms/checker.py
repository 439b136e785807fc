def violations(values, data):
    teams = {row["team"]: row for row in data["teams"]}
    rooms = {row["room"]: row for row in data["rooms"]}
    pairs = [(team, room) for team, room in values["in"]]
    for team in teams:
        own = [room for t, room in pairs if t == team]
        if len(own) != 1:
            yield f"one room for {team}: {own}"
    for room in rooms:
        users = sorted(t for t, r in pairs if r == room)
        if len(users) > 1:
            yield f"a room of its own: {', '.join(users)} share {room}"
    for team, room in pairs:
        if teams[team]["people"] > rooms[room]["seats"]:
            yield f"seats: {team} has {teams[team]['people']} people, and {room} has {rooms[room]['seats']} seats"
        if teams[team]["quiet"] and not rooms[room]["is_quiet"]:
            yield f"quiet: {team} is in {room}"
