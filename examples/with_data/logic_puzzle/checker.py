def violations(values, data):
    for column in ("name", "job", "drink"):
        houses = [values[row[column]] for row in data["street"]]
        if sorted(houses) != [1, 2, 3, 4]:
            yield f"one {column} for each house: {houses}"
    v = values
    rules = {
        "the baker lives directly to the right of the pilot": v["baker"] - v["pilot"] == 1,
        "Dora drinks coffee": v["Dora"] == v["coffee"],
        "Bo is the doctor": v["Bo"] == v["doctor"],
        "Ada directly to the left of the teacher": v["teacher"] - v["Ada"] == 1,
        "tea at an end of the street": v["tea"] in (1, 4),
        "tea next to water": abs(v["tea"] - v["water"]) == 1,
        "Cem two houses to the left of Dora": v["Dora"] - v["Cem"] == 2,
        "the doctor drinks milk": v["doctor"] == v["milk"],
    }
    for rule, holds in rules.items():
        if not holds:
            yield f"{rule}: {values}"
