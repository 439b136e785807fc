def violations(values, data):
    products = [row["product"] for row in data["products"]]
    weeks = data["weeks"]
    make, store = dict(zip(products, values["make"])), dict(zip(products, values["store"]))
    hours, cost = [0.0] * len(weeks), 0
    for row in data["products"]:
        name, left = row["product"], row["stock"]
        for w, week in enumerate(weeks):
            due = sum(o["pieces"] for o in data["orders"] if o["product"] == name and week["from"] <= o["due"] <= week["to"])
            left += make[name][w] - due
            if left != store[name][w]:
                yield f"{name}: {left} pieces are in the store after week {week['week']}, and the plan says otherwise"
            if left < 0:
                yield f"{name}: {-left} pieces are missing in week {week['week']}"
            is_made = make[name][w] > 0
            hours[w] += row["hours"] * make[name][w] + row["setup_hours"] * is_made
            cost += row["setup_cost"] * is_made + row["store_cost"] * left
    for week, used in zip(weeks, hours):
        if used > week["hours"] + 0.000001:
            yield f"machine hours of week {week['week']}: {used}, {used - week['hours']} too many"
    if cost != values["cost"]:
        yield f"the plan costs {cost}, and says {values['cost']}"
