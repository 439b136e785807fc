def violations(values, data):
    exams = [row["exam"] for row in data["exams"]]
    size = {row["exam"]: row["candidates"] for row in data["exams"]}
    seats = {row["hall"]: row["seats"] or 0 for row in data["halls"]}
    hall, slot = dict(zip(exams, values["hall"])), dict(zip(exams, values["slot"]))
    for e in exams:
        if size[e] > seats[hall[e]]:
            yield f"seats: {e} has {size[e]} candidates, and {hall[e]} has {seats[hall[e]]} seats"
        for f in exams:
            if e < f and (hall[e], slot[e]) == (hall[f], slot[f]):
                yield f"one exam at a time: {e} and {f} in {hall[e]}, slot {slot[e]}"
    date = {row["slot"]: row["date"] for row in data["slots"]}
    day = {}
    for row in data["takes"]:
        key = row["student"], date[slot[row["exam"]]]
        if key in day:
            yield f"one exam a day: {key[0]} has {day[key]} and {row['exam']} on {key[1]}"
        day[key] = row["exam"]
