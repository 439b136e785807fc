from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

packages = data["packages"]
number = {(p["name"], p["version"]): i + 1 for i, p in enumerate(packages)}
formula = WCNF()
formula.append([number["shop", 1]])
for p in packages:
    own = number[p["name"], p["version"]]
    for name, versions in p["needs"].items():
        formula.append([-own] + [number[name, v] for v in versions])
    for name, version in p.get("conflicts", []):
        formula.append([-own, -number[name, version]])
    for q in packages:
        if q["name"] == p["name"] and q["version"] < p["version"]:
            formula.append([-own, -number[q["name"], q["version"]]])
    newer = sum(q["name"] == p["name"] and q["version"] > p["version"] for q in packages)
    if newer:
        formula.append([-own], weight=newer)
solver = RC2(formula)
model = solver.compute()
export_solution({f"{name} {version}": model[i - 1] > 0 for (name, version), i in number.items()} if model else None)
