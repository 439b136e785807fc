def violations(values, data):
    spend, slack = {name: float(x) for name, x in values["spend"].items()}, 0.0001
    total = sum(spend.values())
    if total > 250 + slack:
        yield f"the budget: {total:.2f}, {total - 250:.2f} too much"
    for row in data["channels"]:
        name = row["channel"]
        if row["least"] is not None and spend[name] < row["least"] - slack:
            yield f"at least {row['least']} for {name}: {spend[name]:.2f}"
        if row["most"] is not None and spend[name] > row["most"] + slack:
            yield f"at most {row['most']} for {name}: {spend[name]:.2f}"
        if spend[name] < -slack:
            yield f"nothing below 0 for {name}: {spend[name]:.2f}"
    new = sum(spend[row["channel"]] for row in data["channels"] if row["experiment"])
    if new > 0.3 * total + slack:
        yield f"experiments get at most 30 %: {new:.2f} of {total:.2f}, {new - 0.3 * total:.2f} too much"
    if spend["radio"] < spend["print"] / 2 - slack:
        yield f"the radio gets half of print: {spend['radio']:.2f} of {spend['print']:.2f}"
    if abs(total - float(values["total"])) > slack:
        yield f"the parts add up to {total:.2f}, and the plan says {values['total']}"
