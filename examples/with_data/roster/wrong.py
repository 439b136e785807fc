days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
staff = {row["name"]: row for row in data["staff"]}
m = cp_model.CpModel()
x = {(p, d, s): m.new_bool_var(f"{p}_{d}_{s}") for p in staff for d in days for s in ("early", "late")}
for d in days:
    m.add(sum(x[p, d, "early"] for p in staff) == 2)
    m.add(sum(x[p, d, "late"] for p in staff) == 1)
for p, row in staff.items():
    shifts_max = 2 if row["contract_hours"] is None else row["contract_hours"] // 8
    m.add(sum(x[p, d, s] for d in days for s in ("early", "late")) <= shifts_max)
    for d in days:
        m.add(x[p, d, "early"] + x[p, d, "late"] <= 1)
for p in staff:
    for today, tomorrow in zip(days, days[1:]):
        m.add(x[p, today, "late"] + x[p, tomorrow, "early"] <= 1)
m.minimize(sum(w["weight"] * (x[w["name"], w["day"], "early"] + x[w["name"], w["day"], "late"]) for w in data["wishes"]))
export_solution({"early": {d: {p: x[p, d, "early"] for p in staff} for d in days},
                 "late": {d: {p: x[p, d, "late"] for p in staff} for d in days}})
