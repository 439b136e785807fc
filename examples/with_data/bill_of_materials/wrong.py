shop = data["workshop"]
m = cp_model.CpModel()
build = {p: m.new_int_var(0, 12, p) for p in shop["products"]}
make = {a: m.new_int_var(0, 1000, f"make {a}") for a in shop["assemblies"]}
for part, stock in shop["stock"].items():
    used = sum(product["parts"].get(part, 0) * build[p] for p, product in shop["products"].items())
    m.add(used <= stock + (make[part] if part in make else 0))
m.maximize(sum(product["profit"] * build[p] for p, product in shop["products"].items()))
solver = cp_model.CpSolver()
solver.solve(m)
export_solution({"build": build, "make": make})
