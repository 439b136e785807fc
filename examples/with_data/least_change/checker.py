from math import ceil


def violations(values, data):
    limit = {row["limit"]: row["amount"] for row in data["limits"]}
    children, carers = values["children"], values["carers"]
    came = children + values.get("turned_away", 0)
    if came < limit["promised"]:
        yield f"the promise: {limit['promised'] - came} children get neither a place nor an answer"
    needed = ceil(children / limit["children_a_carer"])
    if carers < needed:
        yield f"carers for {children} children: {needed - carers} are missing"
    if carers > limit["carers_max"]:
        yield f"we have {limit['carers']} carers: {carers - limit['carers']} too many"
    cost = sum(
        (row["fixed"] or 0) + (row["per_child"] or 0) * children + (row["per_carer"] or 0) * carers for row in data["costs"]
    )
    if cost > limit["budget"]:
        yield f"the budget: {cost - limit['budget']:.2f} too much"
