from ortools.math_opt.python import mathopt

model = mathopt.Model()
spend = {}
for row in data["channels"]:
    most = 250.0 if row["most"] is None else row["most"]
    spend[row["channel"]] = model.add_variable(lb=row["least"] or 0.0, ub=most, name=row["channel"])
total = sum(spend.values())
model.add_linear_constraint(total <= 250)
model.add_linear_constraint(spend["radio"] >= 0.5 * spend["print"])
model.maximize(sum(row["brings"] * spend[row["channel"]] for row in data["channels"]))
export_solution({"spend": spend, "total": total})
