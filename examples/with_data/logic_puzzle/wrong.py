columns = {column: [row[column] for row in data["street"]] for column in ("name", "job", "drink")}
at = {value: Int(value) for values in columns.values() for value in values}
s = Solver()
for values in columns.values():
    s.add(Distinct([at[value] for value in values]))
    s.add([And(at[value] >= 1, at[value] <= 4) for value in values])
s.add(at["baker"] == at["pilot"] - 1)
s.add(at["Dora"] == at["coffee"])
s.add(at["Bo"] == at["doctor"])
s.add(at["Ada"] == at["teacher"] - 1)
s.add(Or(at["tea"] == 1, at["tea"] == 4))
s.add(Or(at["tea"] == at["water"] - 1, at["tea"] == at["water"] + 1))
s.add(at["Cem"] == at["Dora"] - 2)
s.add(at["doctor"] == at["milk"])
export_solution(solver=s, variables=at)
