def violations(values, data):
    days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    early = {d: [p for p, on in values["early"][d].items() if on] for d in days}
    late = {d: [p for p, on in values["late"][d].items() if on] for d in days}
    leads = {row["name"] for row in data["staff"] if row["skill"] == "lead"}
    for d in days:
        if len(early[d]) != 2:
            yield f"two people early: {d} has {len(early[d])}"
        if len(late[d]) != 1:
            yield f"one person late: {d} has {len(late[d])}"
        if not leads & set(early[d]):
            yield f"a lead in each early shift: none on {d}"
        for p in set(early[d]) & set(late[d]):
            yield f"one shift a day: {p} has two on {d}"
    for d, e in zip(days, days[1:]):
        for p in set(late[d]) & set(early[e]):
            yield f"no early shift after a late one: {p}, late on {d} and early on {e}"
    for row in data["staff"]:
        shifts = sum(row["name"] in early[d] + late[d] for d in days)
        most = 2 if row["contract_hours"] is None else row["contract_hours"] / 8
        if shifts > most:
            yield f"hours of {row['name']}: {8 * shifts} h, {8 * (shifts - most)} h too many"
