parts = {row["part"]: row for row in data["cuts"]}
length = {p: round(1000 * row["length_m"]) for p, row in parts.items()}
bars = range(sum(row["pieces"] for row in parts.values()))
m = cp_model.CpModel()
cut = {(b, p): m.new_int_var(0, parts[p]["pieces"], f"cut_{b}_{p}") for b in bars for p in parts}
used = [m.new_bool_var(f"used_{b}") for b in bars]
for p, row in parts.items():
    m.add(sum(cut[b, p] for b in bars) == row["pieces"])
for b in bars:
    m.add(sum(length[p] * cut[b, p] for p in parts) <= 6000 * used[b])
    if b > 0:
        m.add(used[b] <= used[b - 1])
m.minimize(sum(used))
export_solution({"bars": sum(used), "cut": {f"bar {b + 1}": {p: cut[b, p] for p in parts} for b in bars}})
