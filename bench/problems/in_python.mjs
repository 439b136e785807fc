// The families as Python texts for the languages `ortools` and `cpmpy`, with the data in the dict `data`: each as a user
// would write it, with global constraints where there are some and no hints.

const job_shop = {
  ortools: `model = cp_model.CpModel()
machine, duration = data["machine"], data["duration"]
horizon = sum(map(sum, duration))
start = [[model.new_int_var(0, horizon, f"start_{j}_{k}") for k in range(len(row))] for j, row in enumerate(duration)]
task = [[model.new_fixed_size_interval_var(s, d, "") for s, d in zip(*pair)] for pair in zip(start, duration)]
makespan = model.new_int_var(0, horizon, "makespan")
for s, d in zip(start, duration):
    for k in range(len(s) - 1):
        model.add(s[k] + d[k] <= s[k + 1])
    model.add(s[-1] + d[-1] <= makespan)
for m in range(data["machines"]):
    model.add_no_overlap(t for row, on in zip(task, machine) for t, each in zip(row, on) if each == m)
model.minimize(makespan)
`,
  cpmpy: `machine, duration = data["machine"], data["duration"]
jobs, machines, horizon = data["jobs"], data["machines"], sum(map(sum, duration))
m = cp.Model()
start = cp.intvar(0, horizon, shape=(jobs, machines), name="start")
makespan = cp.intvar(0, horizon, name="makespan")
for j in range(jobs):
    for k in range(machines - 1):
        m += start[j, k] + duration[j][k] <= start[j, k + 1]
    m += start[j, machines - 1] + duration[j][-1] <= makespan
for each in range(machines):
    on = [(j, k) for j in range(jobs) for k in range(machines) if machine[j][k] == each]
    m += cp.NoOverlap([start[j, k] for j, k in on], [duration[j][k] for j, k in on])
m.minimize(makespan)
`,
};

const flexible_job_shop = {
  ortools: `model = cp_model.CpModel()
duration = data["duration"]
horizon = sum(max(task) for job in duration for task in job)
makespan = model.new_int_var(0, horizon, "makespan")
on = [[] for _ in range(data["machines"])]
for j, job in enumerate(duration):
    before = 0
    for k, times in enumerate(job):
        start, finish = model.new_int_var(0, horizon, f"start_{j}_{k}"), model.new_int_var(0, horizon, f"finish_{j}_{k}")
        model.add(start >= before)
        chosen = []
        for machine, time in enumerate(times):
            if time > 0:
                there = model.new_bool_var(f"on_{j}_{k}_{machine}")
                on[machine].append(model.new_optional_interval_var(start, time, finish, there, ""))
                chosen.append(there)
        model.add_exactly_one(chosen)
        before = finish
    model.add(before <= makespan)
for tasks in on:
    model.add_no_overlap(tasks)
model.minimize(makespan)
`,
};

const rcpsp = {
  ortools: `model = cp_model.CpModel()
duration, horizon = data["duration"], data["horizon"]
start = [model.new_int_var(0, horizon, f"start{t}") for t in range(data["tasks"])]
task = [model.new_fixed_size_interval_var(s, d, "") for s, d in zip(start, duration)]
makespan = model.new_int_var(0, horizon, "makespan")
for a, b in data["before"]:
    model.add(start[a] + duration[a] <= start[b])
for need, capacity in zip(data["need"], data["capacity"]):
    model.add_cumulative(task, need, capacity)
for s, d in zip(start, duration):
    model.add(s + d <= makespan)
model.minimize(makespan)
`,
  cpmpy: `duration, horizon = data["duration"], data["horizon"]
m = cp.Model()
start = cp.intvar(0, horizon, shape=data["tasks"], name="start")
makespan = cp.intvar(0, horizon, name="makespan")
for a, b in data["before"]:
    m += start[a] + duration[a] <= start[b]
for need, capacity in zip(data["need"], data["capacity"]):
    m += cp.Cumulative(list(start), duration, demand=need, capacity=capacity)
for t, d in enumerate(duration):
    m += start[t] + d <= makespan
m.minimize(makespan)
`,
};

const tsp = {
  ortools: `model = cp_model.CpModel()
n, distance = data["cities"], data["distance"]
arcs = [(i, j, model.new_bool_var(f"go_{i}_{j}")) for i in range(n) for j in range(n) if i != j]
model.add_circuit(arcs)
model.minimize(sum(distance[i][j] * go for i, j, go in arcs))
`,
  cpmpy: `n = data["cities"]
distance = cp.cpm_array(data["distance"])
following = cp.intvar(0, n - 1, shape=n, name="following")
m = cp.Model(cp.Circuit(following))
m.minimize(cp.sum(distance[i, following[i]] for i in range(n)))
`,
};

const knapsack = {
  ortools: `model = cp_model.CpModel()
take = [model.new_bool_var(f"take{i}") for i in range(data["items"])]
for size, capacity in zip(data["size"], data["capacity"]):
    model.add(sum(s * t for s, t in zip(size, take)) <= capacity)
model.maximize(sum(w * t for w, t in zip(data["worth"], take)))
`,
  cpmpy: `take = cp.boolvar(shape=data["items"], name="take")
m = cp.Model([cp.sum(np.array(size) * take) <= capacity for size, capacity in zip(data["size"], data["capacity"])])
m.maximize(cp.sum(np.array(data["worth"]) * take))
`,
};

const bin_packing = {
  ortools: `model = cp_model.CpModel()
bins, size = data["bins"], data["size"]
put = [[model.new_bool_var(f"put_{i}_{b}") for b in range(bins)] for i in range(len(size))]
load = [model.new_int_var(0, data["capacity"], f"load{b}") for b in range(bins)]
used = [model.new_bool_var(f"used{b}") for b in range(bins)]
for row in put:
    model.add_exactly_one(row)
for b in range(bins):
    model.add(sum(s * row[b] for s, row in zip(size, put)) == load[b])
    model.add(load[b] <= data["capacity"] * used[b])
for b in range(bins - 1):
    model.add(load[b] >= load[b + 1])
model.minimize(sum(used))
`,
  cpmpy: `bins, size = data["bins"], data["size"]
bin_of = cp.intvar(0, bins - 1, shape=len(size), name="bin")
load = cp.intvar(0, data["capacity"], shape=bins, name="load")
m = cp.Model()
for b in range(bins):
    m += load[b] == cp.sum(s * (bin_of[i] == b) for i, s in enumerate(size))
for b in range(bins - 1):
    m += load[b] >= load[b + 1]
m.minimize(cp.sum(load[b] > 0 for b in range(bins)))
`,
};

const warehouse = {
  ortools: `model = cp_model.CpModel()
cost, W = data["cost"], range(data["warehouses"])
supplies = [[model.new_bool_var(f"supplies_{s}_{w}") for w in W] for s in range(data["stores"])]
opened = [model.new_bool_var(f"open{w}") for w in W]
for row in supplies:
    model.add_exactly_one(row)
    for w in W:
        model.add_implication(row[w], opened[w])
for w in W:
    model.add(sum(row[w] for row in supplies) <= data["capacity"][w])
model.minimize(
    sum(c * t for prices, row in zip(cost, supplies) for c, t in zip(prices, row))
    + sum(f * o for f, o in zip(data["fixed"], opened))
)
`,
  cpmpy: `W, S = data["warehouses"], data["stores"]
cost = cp.cpm_array(data["cost"])
supplier = cp.intvar(0, W - 1, shape=S, name="supplier")
opened = cp.boolvar(shape=W, name="open")
m = cp.Model()
for s in range(S):
    m += opened[supplier[s]] == 1
for w in range(W):
    m += cp.Count(list(supplier), w) <= data["capacity"][w]
m.minimize(cp.sum(cost[s, supplier[s]] for s in range(S)) + cp.sum(np.array(data["fixed"]) * opened))
`,
};

const nurse_roster = {
  ortools: `model = cp_model.CpModel()
N, D, wish = range(data["nurses"]), data["days"], data["wish"]
on = [[[model.new_bool_var(f"on_{n}_{d}_{s}") for s in range(4)] for d in range(D)] for n in N]
for n in N:
    for d in range(D):
        model.add_exactly_one(on[n][d])
    for d in range(D - 1):
        for s in range(1, 4):
            for after in range(1, s):
                model.add_bool_or(~on[n][d][s], ~on[n][d + 1][after])
    for d in range(D - 5):
        model.add_bool_or(on[n][e][0] for e in range(d, d + 6))
    free = sum(day[0] for day in on[n])
    model.add_linear_constraint(D - free, data["shifts_min"], data["shifts_max"])
for d in range(D):
    for s, number in enumerate(data["cover"]):
        model.add(sum(on[n][d][s] for n in N) == number)
model.minimize(sum(wish[n][d][s] * on[n][d][s] for n in N for d in range(D) for s in range(4)))
`,
  cpmpy: `N, D, wish = data["nurses"], data["days"], data["wish"]
shift = cp.intvar(0, 3, shape=(N, D), name="shift")
m = cp.Model()
for d in range(D):
    m += cp.GlobalCardinalityCount(list(shift[:, d]), [0, 1, 2, 3], data["cover"])
for n in range(N):
    for d in range(D - 1):
        m += (shift[n, d + 1] == 0) | (shift[n, d + 1] >= shift[n, d])
    for d in range(D - 5):
        m += cp.any(shift[n, e] == 0 for e in range(d, d + 6))
    worked = cp.sum(shift[n, d] > 0 for d in range(D))
    m += [worked >= data["shifts_min"], worked <= data["shifts_max"]]
m.minimize(cp.sum(cp.cpm_array(wish[n][d])[shift[n, d]] for n in range(N) for d in range(D)))
`,
};

const strip_packing = {
  ortools: `model = cp_model.CpModel()
wide, high, width, top = data["wide"], data["high"], data["width"], data["height_max"]
x = [model.new_int_var(0, width - w, f"x{i}") for i, w in enumerate(wide)]
y = [model.new_int_var(0, top - h, f"y{i}") for i, h in enumerate(high)]
height = model.new_int_var(0, top, "height")
across = [model.new_fixed_size_interval_var(a, w, "") for a, w in zip(x, wide)]
up = [model.new_fixed_size_interval_var(b, h, "") for b, h in zip(y, high)]
model.add_no_overlap_2d(across, up)
model.add_cumulative(up, wide, width)
for b, h in zip(y, high):
    model.add(b + h <= height)
model.add(height * width >= sum(w * h for w, h in zip(wide, high)))
model.minimize(height)
`,
};

const car_sequencing = {
  ortools: `model = cp_model.CpModel()
cars, needs = data["cars"], data["needs"]
is_of = [[model.new_bool_var(f"is_{i}_{c}") for c in range(data["classes"])] for i in range(cars)]
for row in is_of:
    model.add_exactly_one(row)
for c, number in enumerate(data["count"]):
    model.add(sum(row[c] for row in is_of) == number)
violations = []
for o, (most, window) in enumerate(zip(data["most"], data["window"])):
    for i in range(cars - window + 1):
        bad = model.new_bool_var(f"bad_{o}_{i}")
        wanted = sum(is_of[j][c] for j in range(i, i + window) for c in range(data["classes"]) if needs[c][o])
        model.add(wanted <= most).only_enforce_if(~bad)
        violations.append(bad)
model.minimize(sum(violations))
`,
  cpmpy: `cars, needs = data["cars"], data["needs"]
of_class = cp.intvar(0, data["classes"] - 1, shape=cars, name="class")
m = cp.Model(cp.GlobalCardinalityCount(list(of_class), list(range(data["classes"])), data["count"]))
violations = []
for o, (most, window) in enumerate(zip(data["most"], data["window"])):
    has = [cp.cpm_array([row[o] for row in needs])[of_class[i]] for i in range(cars)]
    violations += [cp.sum(has[i : i + window]) > most for i in range(cars - window + 1)]
m.minimize(cp.sum(violations))
`,
};

const nonogram = {
  ortools: `model = cp_model.CpModel()
side = data["side"]
square = [[model.new_bool_var(f"s_{r}_{c}") for c in range(side)] for r in range(side)]


def line(squares, blocks):
    pattern = [0]
    for block in blocks:
        if block > 0:
            pattern += [1] * block + [0]
    last = len(pattern) - 1
    moves = [(last, 0, last)]
    for state in range(last):
        if pattern[state] == 0:
            moves.append((state, 0, state))
        moves.append((state, pattern[state + 1], state + 1))
    ends = [last] if last == 0 else [last, last - 1]
    model.add_automaton(squares, 0, ends, moves)


for i in range(side):
    line(square[i], data["row"][i])
    line([row[i] for row in square], data["column"][i])
`,
};

const still_life = {
  ortools: `model = cp_model.CpModel()
side = data["side"]
alive = {}
for r in range(-1, side + 3):
    for c in range(-1, side + 3):
        alive[r, c] = model.new_bool_var(f"a_{r}_{c}") if 1 <= r <= side and 1 <= c <= side else 0
for r in range(side + 2):
    for c in range(side + 2):
        near = sum(alive[r + i, c + j] for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
        number = model.new_int_var(0, 8, "")
        model.add(number == near)
        if isinstance(alive[r, c], int):
            model.add(number != 3)
        else:
            model.add_linear_constraint(number, 2, 3).only_enforce_if(alive[r, c])
            model.add(number != 3).only_enforce_if(~alive[r, c])
model.maximize(sum(each for each in alive.values() if not isinstance(each, int)))
`,
  cpmpy: `side = data["side"]
alive = cp.boolvar(shape=(side + 2, side + 2), name="alive")
edge = [0, side + 1]
m = cp.Model([~alive[r, c] for r in range(side + 2) for c in range(side + 2) if r in edge or c in edge])
for r in range(side + 2):
    for c in range(side + 2):
        near = [(p, q) for p in range(max(0, r - 1), min(side + 1, r + 1) + 1) for q in range(max(0, c - 1), min(side + 1, c + 1) + 1)]
        number = cp.sum(alive[p, q] for p, q in near if (p, q) != (r, c))
        m += alive[r, c].implies((number >= 2) & (number <= 3))
        m += (~alive[r, c]).implies(number != 3)
m.maximize(cp.sum(alive))
`,
};

const equal_groups = {
  ortools: `model = cp_model.CpModel()
strength, groups = data["strength"], data["groups"]
put = [[model.new_bool_var(f"in_{i}_{g}") for g in range(groups)] for i in range(len(strength))]
total = [model.new_int_var(0, sum(strength), f"total{g}") for g in range(groups)]
for row in put:
    model.add_exactly_one(row)
for g in range(groups):
    model.add(sum(row[g] for row in put) == len(strength) // groups)
    model.add(sum(s * row[g] for s, row in zip(strength, put)) == total[g])
model.add(put[0][0] == 1)
most, least = model.new_int_var(0, sum(strength), "most"), model.new_int_var(0, sum(strength), "least")
model.add_max_equality(most, total)
model.add_min_equality(least, total)
model.minimize(most - least)
`,
  cpmpy: `strength, groups = data["strength"], data["groups"]
group = cp.intvar(0, groups - 1, shape=len(strength), name="group")
m = cp.Model(cp.GlobalCardinalityCount(list(group), list(range(groups)), [len(strength) // groups] * groups))
m += group[0] == 0
total = [cp.sum(s * (group[i] == g) for i, s in enumerate(strength)) for g in range(groups)]
m.minimize(cp.max(total) - cp.min(total))
`,
};

/** By the names of the families; `lot_sizing` (reals) and `vrptw` are not written here. */
export const in_python = {
  ...{ job_shop, flexible_job_shop, rcpsp, tsp, knapsack, bin_packing, warehouse, nurse_roster },
  ...{ strip_packing, car_sequencing, nonogram, still_life, equal_groups },
};
