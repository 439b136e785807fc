from math import ceil


def minutes(text):
    return int(text[:-3]) * 60 + int(text[-2:])


def violations(values, data):
    stops = {row["stop"]: row for row in data["stops"]}
    names = list(stops)
    follows = dict(zip(names, values["next"]))
    begin = dict(zip(names, values["begin"]))
    here, time, seen = "Depot", 8 * 60, []
    while True:
        there = follows[here]
        a, b = stops[here], stops[there]
        km = abs(a["east_km"] - b["east_km"]) + abs(a["north_km"] - b["north_km"])
        arrival = time + a["unload_min"] + ceil(2 * km - 0.000001)
        if there == "Depot" or there in seen:
            break
        if begin[there] < arrival:
            yield f"unloading at {there} begins {arrival - begin[there]} minutes before the van is there"
        if b["opens"] is not None and begin[there] < minutes(b["opens"]):
            yield f"{there} opens at {b['opens']}"
        if b["closes"] is not None and arrival > minutes(b["closes"]):
            yield f"{there} closes at {b['closes']}: {arrival - minutes(b['closes'])} minutes late"
        here, time = there, max(begin[there], arrival)
        seen.append(here)
    if len(seen) != len(stops) - 1:
        yield f"the round has {len(seen)} of {len(stops) - 1} stops"
    if values["back"] < arrival:
        yield f"the van is back {arrival - values['back']} minutes later than the plan says"
