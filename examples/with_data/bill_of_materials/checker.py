def violations(values, data):
    shop = data["workshop"]
    left = dict(shop["stock"])

    def take(part, count):
        ready = min(left[part], count)
        left[part] -= ready
        missing = count - ready
        if missing and part in shop["assemblies"]:
            for each, number in shop["assemblies"][part].items():
                take(each, number * missing)
        elif missing:
            lacking[part] = lacking.get(part, 0) + missing

    lacking = {}
    for product, count in values["build"].items():
        if not 0 <= count <= 12:
            yield f"at most 12 of each product: {count} of {product}"
        for part, number in shop["products"][product]["parts"].items():
            take(part, number * count)
    for part, count in lacking.items():
        yield f"the stock of {part}: {count} are missing"
