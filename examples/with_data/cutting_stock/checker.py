def violations(values, data):
    used = 0
    for bar, counts in values["cut"].items():
        pieces = [row["length_m"] for row in data["cuts"] for _ in range(counts[row["part"]])]
        mm = round(1000 * sum(pieces)) + 4 * max(0, len(pieces) - 1)
        used += len(pieces) > 0
        if mm > 6000:
            yield f"{bar}: {mm} mm with the cuts, {mm - 6000} mm more than a bar has"
    for row in data["cuts"]:
        made = sum(counts[row["part"]] for counts in values["cut"].values())
        if made != row["pieces"]:
            yield f"{row['part']}: {made} pieces instead of {row['pieces']}"
    if used != values["bars"]:
        yield f"{used} bars are used, and the plan says {values['bars']}"
