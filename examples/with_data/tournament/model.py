import cpmpy as cp

clubs = [row["club"] for row in data["clubs"]]
dates = [row["date"] for row in data["rounds"]]
n, r = len(clubs), len(dates)
plays = {(i, j, k): cp.boolvar(name=f"{clubs[i]}-{clubs[j]} {k}") for i in range(n) for j in range(n) if i != j for k in range(r)}
home = cp.boolvar(shape=(n, r), name="home")
m = cp.Model()
for i in range(n):
    for k in range(r):
        m += cp.sum([plays[i, j, k] + plays[j, i, k] for j in range(n) if j != i]) == 1
        m += home[i, k] == cp.any([plays[i, j, k] for j in range(n) if j != i])
    for j in range(i):
        m += cp.sum([plays[i, j, k] + plays[j, i, k] for k in range(r)]) == 1
for i, row in enumerate(data["clubs"]):
    for date in (row["taken"], row["also_taken"]):
        if date in dates:
            m += ~home[i, dates.index(date)]
breaks = cp.sum([home[i, k] == home[i, k + 1] for i in range(n) for k in range(r - 1)])
m.minimize(breaks)
m.solve()
export_solution({"breaks": breaks, "host": {dates[k]: {clubs[i]: cp.sum([(j + 1) * plays[j, i, k] for j in range(n) if j != i]) for i in range(n)} for k in range(r)}})
