def violations(values, data):
    clubs = [row["club"] for row in data["clubs"]]
    # The number of the host of each club that plays away; 0 for a club at home.
    host = {date: {club: (clubs[k - 1] if k else None) for club, k in row.items()} for date, row in values["host"].items()}
    met = []
    for date, row in host.items():
        away = [club for club in clubs if row[club] is not None]
        hosts = sorted(row[club] for club in away)
        if hosts != sorted(club for club in clubs if row[club] is None):
            yield f"one match for each club: {date} has {row}"
        met += [frozenset((club, row[club])) for club in away]
    for i, a in enumerate(clubs):
        for b in clubs[:i]:
            if met.count(frozenset((a, b))) != 1:
                yield f"once against each other: {a} and {b} meet {met.count(frozenset((a, b)))} times"
    for row in data["clubs"]:
        for date in (row["taken"], row["also_taken"]):
            if date in host and host[date][row["club"]] is None:
                yield f"{row['ground']} is taken on {date}, and {row['club']} plays at home"
    dates = sorted(host)
    breaks = sum((host[d][c] is None) == (host[e][c] is None) for c in clubs for d, e in zip(dates, dates[1:]))
    if breaks != values["breaks"]:
        yield f"the plan has {breaks} breaks, and says {values['breaks']}"
