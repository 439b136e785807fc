import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rightAssignments, rightClaims } from "../support/claims_properties.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

/*
 * What `confirmed: true` means to a caller: a process that never ran the program decided the verdict and the optimum
 * again, and every value is of the solution that it checked, but for those that `unchecked` names. Programs as
 * language models write them keep it; programs that claim more than they have do not get it.
 */

type Case = readonly [what: string, language: "z3" | "pysat", program: string, answer: Record<string, unknown>];

const sat = (...unchecked: string[]) => ({
  status: "sat",
  confirmed: true,
  ...(unchecked.length > 0 ? { unchecked } : {}),
});
const best = (...unchecked: string[]) => ({ ...sat(...unchecked), optimal: true });

const honest: readonly Case[] = [
  [
    "a descending loop with a fresh solver for each bound",
    "z3",
    `
jobs = {'a': 3, 'b': 5, 'c': 2}
def build(bound):
    s = Solver()
    start = {j: Int(f'start_{j}') for j in jobs}
    for j, d in jobs.items():
        s.add(start[j] >= 0, start[j] + d <= bound)
    for p, q in [('a', 'b'), ('b', 'c')]:
        s.add(Or(start[p] + jobs[p] <= start[q], start[q] + jobs[q] <= start[p]))
    return s, start
best = None
for bound in range(11, 0, -1):
    s, start = build(bound)
    if s.check() == unsat:
        break
    m = s.model()
    best = (bound, s, {j: m[start[j]].as_long() for j in jobs})
bound, solver, schedule = best
export_solution(solver=solver, variables={'makespan': bound, 'schedule': schedule})`,
    { ...sat("makespan", "schedule"), model: { makespan: 8 } },
  ],
  [
    "the same without naming the solver",
    "z3",
    `
x, y = Ints('x y')
best = None
for bound in range(12, -1, -1):
    s = Solver()
    s.add(x >= 0, y >= 0, 3 * x + 2 * y >= 17, x + y <= bound)
    if s.check() != sat:
        break
    m = s.model()
    best = {'x': m[x].as_long(), 'y': m[y].as_long(), 'cost': bound}
export_solution(satisfiable=True, variables=best)`,
    { ...sat("cost"), model: { cost: 6 } },
  ],
  [
    "a loop that asks for more than the last model has",
    "z3",
    `
items = [(3, 4), (4, 5), (7, 10), (8, 11)]
take = [Bool(f'take_{i}') for i in range(len(items))]
weight = Sum([If(t, w, 0) for t, (w, v) in zip(take, items)])
value = Sum([If(t, v, 0) for t, (w, v) in zip(take, items)])
best, model, solver = -1, None, None
while True:
    s = Solver()
    s.add(weight <= 14, value > best)
    if s.check() != sat:
        break
    model, solver = s.model(), s
    best = model.eval(value).as_long()
export_solution(solver=solver, variables={'take': [is_true(model[t]) for t in take], 'value': best})`,
    { ...sat("value"), model: { take: [true, true, true, false], value: 19 } },
  ],
  [
    "a binary search over a bound",
    "z3",
    `
xs = IntVector('x', 3)
def within(limit):
    s = Solver()
    s.add(*[And(v >= 0, v <= 9) for v in xs], Distinct(*xs), Sum(xs) <= limit)
    return s
lo, hi, keep = 0, 27, None
while lo <= hi:
    mid = (lo + hi) // 2
    s = within(mid)
    if s.check() == sat:
        keep, hi = (s, s.model(), mid), mid - 1
    else:
        lo = mid + 1
solver, model, least = keep
export_solution(solver, {'x': [model[v].as_long() for v in xs], 'least': least})`,
    { ...sat("least"), model: { least: 3 } },
  ],
  [
    "a binary search with push and pop",
    "z3",
    `
x, y = Ints('x y')
s = Solver()
s.add(x > 0, y > 0, x * y == 60)
lo, hi = 0, 120
while lo < hi:
    mid = (lo + hi) // 2
    s.push()
    s.add(x + y <= mid)
    if s.check() == sat:
        m = s.model()
        hi = m.eval(x + y).as_long()
        best = (m[x].as_long(), m[y].as_long())
    else:
        lo = mid + 1
    s.pop()
s.add(x + y == hi)
export_solution(s, {'best': best, 'sum': hi})`,
    { ...sat("best", "sum"), model: { sum: 16 } },
  ],
  [
    "objectives one after the other, in two optimisers",
    "z3",
    `
a, b = Ints('a b')
def base(o):
    o.add(a >= 0, b >= 0, a + b <= 10, 2 * a + b <= 14)
o1 = Optimize()
base(o1)
o1.maximize(a + b)
o1.check()
top = o1.model().eval(a + b).as_long()
o2 = Optimize()
base(o2)
o2.add(a + b == top)
o2.maximize(a)
o2.check()
m = o2.model()
export_solution(o2, {'plan': {'a': m[a].as_long(), 'b': m[b].as_long()}, 'first': top, 'pair': [m[a].as_long(), m[b].as_long()]})`,
    { ...best("first", "pair"), model: { plan: { a: 4, b: 6 }, first: 10 } },
  ],
  [
    "objectives one after the other, in one optimiser",
    "z3",
    `
a, b = Ints('a b')
o = Optimize()
o.add(a >= 0, b >= 0, a + b <= 10, a <= 7)
o.push()
o.maximize(a + b)
o.check()
top = o.model().eval(a + b).as_long()
o.pop()
o.add(a + b == top)
o.minimize(b)
o.check()
m = o.model()
export_solution(o, {'result': [m[a].as_long(), m[b].as_long()]})`,
    { ...best("result"), model: { result: [7, 3] } },
  ],
  [
    "a second solver that looks for another solution",
    "z3",
    `
x, y = Ints('x y')
s = Solver()
s.add(x + y == 10, x >= y, y >= 4)
s.check()
m = s.model()
t = Solver()
t.add(s.assertions())
t.add(Or(x != m[x], y != m[y]))
other = t.model() if t.check() == sat else None
export_solution(s, {'x': m[x].as_long(), 'unique': other is None, 'other': other and [other[x].as_long(), other[y].as_long()]})`,
    { ...sat("unique", "other"), model: { unique: false } },
  ],
  [
    "whether the solution is the only one, with push and pop",
    "z3",
    `
x, y = Ints('x y')
s = Solver()
s.add(x + y == 10, x - y == 4)
if s.check() == sat:
    m = s.model()
    s.push()
    s.add(Or(x != m[x], y != m[y]))
    unique = s.check() == unsat
    s.pop()
    export_solution(s, {'x': m[x].as_long(), 'y': m[y].as_long(), 'unique': unique})`,
    { ...sat("unique"), model: { x: 7, y: 3, unique: true } },
  ],
  [
    "a count within push and pop",
    "z3",
    `
x, y = Ints('x y')
s = Solver()
s.add(x > 0, y > 0, x + y == 5)
n = 0
s.push()
while s.check() == sat:
    n += 1
    m = s.model()
    s.add(Or(x != m[x], y != m[y]))
s.pop()
export_solution(s, {'count': n, 'x': x})`,
    { ...sat("count"), model: { count: 4 } },
  ],
  [
    "a dictionary of values, a list by place, a total and a text",
    "z3",
    `
prices = {'apple': 3, 'pear': 5}
n = {f: Int(f) for f in prices}
row = [[Int(f'row_{i}_{j}') for j in range(2)] for i in range(2)]
s = Solver()
s.add(n['apple'] == 5, n['pear'] == 3, *[row[i][j] == 2 * i + j for i in range(2) for j in range(2)])
if s.check() == sat:
    m = s.model()
    amounts = {f: m[v].as_long() for f, v in n.items()}
    total = sum(prices[f] * amounts[f] for f in n)
    export_solution(solver=s, variables={'amounts': amounts, 'row': [[m[v].as_long() for v in r] for r in row], 'total': total, 'text': f'{total} in all'})`,
    { ...sat("total", "text"), model: { amounts: { apple: 5, pear: 3 }, row: [[0, 1], [2, 3]], total: 30 } }, // biome-ignore format: one row
  ],
  [
    "a property that is proved",
    "z3",
    `
a, b = BitVecs('a b', 8)
s = Solver()
s.add((a ^ b) != ((a | b) - (a & b)))
export_solution(solver=s, variables={'a': a}, is_property_verification=True, property_verified=(s.check() == unsat))`,
    { status: "unsat", confirmed: true, model: { property_verified: true } },
  ],
  [
    "a descending loop with a fresh solver for each bound",
    "pysat",
    `
from pysat.solvers import Solver
from pysat.card import CardEnc
edges = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 1), (1, 6), (2, 6)]
best = None
for k in range(6, 0, -1):
    cnf = CardEnc.atmost(lits=list(range(1, 7)), bound=k, top_id=6)
    with Solver(name='cadical153', bootstrap_with=[[a, b] for a, b in edges] + cnf.clauses) as s:
        if not s.solve():
            break
        best = [v for v in s.get_model() if 0 < v <= 6]
export_solution({'satisfiable': best is not None, 'cover': best, 'size': len(best)})`,
    { ...sat("cover", "size"), model: { size: 3 } },
  ],
  [
    "a binary search over a bound",
    "pysat",
    `
lits = list(range(1, 8))
base = [[i, i % 7 + 1] for i in lits] + [[1, 5], [2, 7]]
lo, hi, keep = 0, 7, None
while lo <= hi:
    mid = (lo + hi) // 2
    enc = CardEnc.atmost(lits=lits, bound=mid, top_id=7, encoding=EncType.totalizer)
    with Cadical153(bootstrap_with=base + enc.clauses) as s:
        if s.solve():
            keep, hi = (mid, [l for l in s.get_model() if l in lits]), mid - 1
        else:
            lo = mid + 1
export_solution({'satisfiable': True, 'minimum': keep[0], 'chosen': keep[1]})`,
    { ...sat("minimum", "chosen"), model: { minimum: 4 } },
  ],
  [
    "one solver under assumptions, bound after bound",
    "pysat",
    `
from pysat.card import ITotalizer
lits = list(range(1, 6))
t = ITotalizer(lits=lits, ubound=5, top_id=5)
s = Glucose3(bootstrap_with=[[1, 2], [2, 3], [3, 4], [4, 5], [5, 1]] + t.cnf.clauses)
for k in range(5, 0, -1):
    if not s.solve(assumptions=[-t.rhs[k - 1]]):
        break
    best = [v for v in s.get_model() if 0 < v <= 5]
export_solution({'satisfiable': True, 'best': best})`,
    sat("best"),
  ],
  [
    "an ascending loop that ends with the first solution",
    "pysat",
    `
edges = [(0, 1), (1, 2), (2, 0), (2, 3)]
for k in range(1, 5):
    var = lambda n, c: n * k + c + 1
    s = Glucose3()
    for n in range(4):
        s.add_clause([var(n, c) for c in range(k)])
    for a, b in edges:
        for c in range(k):
            s.add_clause([-var(a, c), -var(b, c)])
    if s.solve():
        m = set(s.get_model())
        break
export_solution({'satisfiable': True, 'chromatic_number': k, 'colors': {n: next(c for c in range(k) if var(n, c) in m) for n in range(4)}})`,
    { ...sat("chromatic_number", "colors"), model: { chromatic_number: 3 } },
  ],
  [
    "solutions that are excluded one by one, and the whole first one",
    "pysat",
    `
s = Glucose3(bootstrap_with=[[1, 2, 3], [-1, -2], [-2, -3]])
count, first = 0, None
while s.solve():
    m = s.get_model()
    first = first or m
    count += 1
    s.add_clause([-l for l in m])
export_solution({'satisfiable': count > 0, 'count': count, 'first': first})`,
    { ...sat("count"), model: { count: 4 } },
  ],
  [
    "whether the solution is the only one",
    "pysat",
    `
clauses = [[1, 2], [-1, 3], [-2]]
s = Glucose3(bootstrap_with=clauses)
found = s.solve()
m = s.get_model()
t = Glucose3(bootstrap_with=clauses + [[-l for l in m]])
export_solution({'satisfiable': found, 'solution': m, 'unique': not t.solve()})`,
    { ...sat("unique"), model: { solution: [1, -2, 3], unique: true } },
  ],
  [
    "costs one after the other",
    "pysat",
    `
hard = [[1, 2, 3], [-1, 4], [-2, 5], [-3, 6], [4, 5, 6]]
w1, w2 = WCNF(), WCNF()
for c in hard: w1.append(c)
for v in (4, 5, 6): w1.append([-v], weight=1)
r = RC2(w1)
r.compute()
first = r.cost
for c in hard + CardEnc.atmost(lits=[4, 5, 6], bound=first, top_id=6).clauses: w2.append(c)
for v, weight in ((1, 5), (2, 2), (3, 4)): w2.append([-v], weight=weight)
r = RC2(w2)
m = r.compute()
export_solution({'satisfiable': True, 'chosen': [v for v in m if 0 < v <= 6], 'first': first, 'cost': r.cost})`,
    { ...best("chosen", "first"), objective_value: 2, model: { chosen: [2, 5] } },
  ],
  [
    "all solutions of an engine",
    "pysat",
    "s = Glucose3(bootstrap_with=[[1, 2], [-1, -2]])\nfound = list(s.enum_models())\nexport_solution({'satisfiable': bool(found), 'count': len(found), 'models': found})",
    { ...sat("count"), model: { count: 2 } },
  ],
  [
    "the best solution and those after it",
    "pysat",
    `
w = WCNF()
w.append([1, 2, 3])
for v, weight in ((1, 3), (2, 2), (3, 1)): w.append([-v], weight=weight)
r = RC2(w)
found = [(r.cost, m) for m in r.enumerate()]
export_solution({'satisfiable': True, 'best': found[0][1], 'second': found[1][1], 'cost': found[0][0]})`,
    { ...best("second"), objective_value: 1 },
  ],
  [
    "numbers that are rounded",
    "z3",
    `
x, y = Reals('x y')
s = Solver()
s.add(3 * x == 1, y * y == 2, y > 0)
s.check()
m = s.model()
export_solution(s, {'x': round(float(m[x].as_fraction()), 2), 'y': float(m[y].approx(10).as_fraction())})`,
    { ...sat("x", "y"), model: { x: 0.33 } },
  ],
  [
    "a model that the program changes, while the engine's own is exported",
    "pysat",
    `
s = Glucose3(bootstrap_with=[[1], [2]])
s.solve()
m = s.get_model()
m[0] = -1
export_solution(s, variables={'a': 1}, note='read by Verdict')`,
    { ...sat("note"), model: { a: true } },
  ],
];

const x_is_5 = "x = Int('x')\ns = Solver()\ns.add(x == 5)\ns.check()\n";
const cost =
  "w = WCNF()\nw.append([1, 2])\nw.append([-1], weight=5)\nw.append([-2], weight=4)\nr = RC2(w)\nm = r.compute()\n";
const one_of_two = "s = Glucose3(bootstrap_with=[[1, 2], [-1]])\ns.solve()\n";
const doubted = { confirmed: false };

/** Each claims more than was shown: what is not of the checked solution is named, and a verdict that no solver gave is not confirmed. */
const claiming: readonly Case[] = [
  ["a total that is wrong", "z3", `${x_is_5}export_solution(s, {'x': x, 'total': 7})`, sat("total")],
  ["a constant where no model was read", "z3", `${x_is_5}export_solution(s, {'answer': 42})`, sat("answer")],
  ["that there is no other solution", "z3", `${x_is_5}export_solution(s, {'x': x, 'unique': True})`, sat("unique")],
  ["an objective", "z3", `${x_is_5}export_solution(s, {'x': x}, objective=9)`, sat("objective_value")],
  [
    "that it is optimal",
    "z3",
    `${x_is_5}export_solution(s, {'x': x, 'optimal': True})`,
    { ...sat("optimal"), optimal: null },
  ],
  [
    "True for the number 1",
    "z3",
    "x = Int('x')\ns = Solver()\ns.add(x == 1)\ns.check()\nexport_solution(s, {'x': True})",
    sat("x"),
  ],
  [
    "other values under the names of variables",
    "z3",
    `y = Int('y')\n${x_is_5}s.add(y == 3)\ns.check()\nm = s.model()\nexport_solution(s, {'plan': {'x': m[y].as_long(), 'y': m[x].as_long()}})`,
    sat("plan"),
  ],
  [
    "an expression under the name of another variable",
    "z3",
    `y = Int('y')\n${x_is_5}s.add(y == 3)\nexport_solution(s, {'x': y})`,
    {
      ...sat("x"),
      warnings: [expect.stringContaining("The value shown as x is that of the expression y; the variable x is 5.")],
    },
  ],
  [
    "a list in another order than its variables",
    "z3",
    "a = IntVector('a', 2)\ns = Solver()\ns.add(a[0] == 1, a[1] == 2)\ns.check()\nm = s.model()\nexport_solution(s, {'a': [m[a[1]].as_long(), m[a[0]].as_long()]})",
    sat("a"),
  ],
  [
    "an average of nothing",
    "z3",
    "n, t = Ints('n t')\ns = Solver()\ns.add(n == 0, t == 12)\nexport_solution(s, {'average': t / n})",
    { ...sat(), warnings: [expect.stringContaining("divides by n, which is 0")] },
  ],
  [
    "a plain model beside the optimum",
    "z3",
    "x = Int('x')\ns = Solver()\ns.add(x > 0, x < 50)\ns.check()\nn = s.model()[x].as_long()\no = Optimize()\no.add(x > 0, x < 50)\no.maximize(x)\no.check()\nk = o.model()\nexport_solution(o, {'n': n})",
    best("n"),
  ],
  [
    "a model of a weaker solver that was read last",
    "z3",
    "x = Int('x')\na = Solver()\na.add(x > 0, x > 5)\na.check()\na.model()\nb = Solver()\nb.add(x > 0, x < 5)\nb.check()\nexport_solution(a, {'n': b.model()[x].as_long()})",
    sat("n"),
  ],
  [
    "a count of solutions, with a solver that has none left",
    "z3",
    "x = Int('x')\ns = Solver()\ns.add(0 < x, x < 4)\nn = 0\nwhile s.check() == sat:\n    n += 1\n    s.add(x != s.model()[x])\nexport_solution(s, {'count': n})",
    { status: "sat", confirmed: true, solutions_found: 3, unchecked: ["count"] },
  ],
  [
    "a value of an earlier problem, with a solver that has no solution left",
    "z3",
    "x = Int('x')\ns = Solver()\ns.add(0 < x, x < 4)\ns.check()\nn = s.model()[x].as_long()\ns.add(x > 5)\ns.check()\nexport_solution(s, {'n': n})",
    {
      ...doubted,
      ...{ status: "unknown", claimed: "unsat" },
      reason: expect.stringContaining("between s.push() and s.pop()"),
    },
  ],
  [
    "satisfiable of a solver that is unsat by now",
    "z3",
    "x = Int('x')\ns = Solver()\ns.add(0 < x, x < 2)\ns.check()\ns.add(x > 2)\nexport_solution(satisfiable=True, variables={})",
    { ...doubted, status: "unknown", claimed: "unsat", satisfiable: null },
  ],
  [
    "satisfiable after its own search for all solutions",
    "z3",
    "x = Int('x')\ns = Solver()\ns.add(0 < x, x < 2)\nwhile s.check() == sat:\n    s.add(x != s.model()[x])\nexport_solution(satisfiable=True, variables={})",
    { status: "sat", confirmed: true, solutions_found: 1 },
  ],
  [
    "what check() gives",
    "z3",
    "x = Int('x')\ns = Solver()\ns.add(x == 1, x == 2)\nexport_solution(satisfiable=s.check(), variables={'x': x})",
    { status: "unsat", confirmed: true },
  ],
  [
    "a value of a variable that is misspelt",
    "z3",
    "x = Int('x')\ns = Solver()\ns.add(Int('x1') > 5)\nexport_solution(s, {'x': x})",
    { ...sat(), warnings: ["No constraint contains x: every value is possible, and the one shown is arbitrary."] },
  ],
  [
    "a number that is none of the variable's",
    "z3",
    "x = Real('x')\ns = Solver()\ns.add(10 * x == 3)\ns.check()\nexport_solution(s, {'x': 1e-07})",
    sat("x"),
  ],
  [
    "a value of a sort in another solver's model",
    "z3",
    "S = DeclareSort('S')\na, b = Consts('a b', S)\ns = Solver()\ns.add(a != b)\ns.check()\nexport_solution(s, {'a': a, 'c': s.model()[b]})",
    sat("c"),
  ],
  [
    "one wrong value among ten thousand lists",
    "z3",
    `${x_is_5}export_solution(s, {'all': [[99]] + [[x] for _ in range(10_100)]})`,
    sat("all"),
  ],
  [
    "a dictionary whose values are others when they are shown",
    "z3",
    `${x_is_5}class D(dict):\n    def values(self):\n        return [x]\nexport_solution(s, {'plan': D(a=99)})`,
    { ...sat("plan"), model: { plan: { a: 99 } } },
  ],
  [
    "a list that changes while it is read",
    "z3",
    `${x_is_5}class L(list):\n    n = 0\n    def __iter__(self):\n        L.n += 1\n        return iter([x] if L.n == 2 else [99])\nexport_solution(s, {'plan': L([1])})`,
    { ...sat("plan"), model: { plan: [1] } },
  ],
  [
    "a name that equals every other",
    "z3",
    `${x_is_5}class N(str):\n    def __eq__(self, other): return True\n    def __hash__(self): return hash('x')\nexport_solution(s, {N('y'): 5})`,
    sat("y"),
  ],
  [
    "a number that is shown as another",
    "z3",
    `${x_is_5}class I(int):\n    def __int__(self): return 99\n    def __index__(self): return 99\nexport_solution(s, {'x': I(5)})`,
    { ...sat(), model: { x: 5 } },
  ],
  [
    "a number that reads like another",
    "z3",
    `${x_is_5}class I(int):\n    def __str__(self): return '5'\nexport_solution(s, {'x': I(99)})`,
    { ...sat("x"), model: { x: 99 } },
  ],
  [
    "a number that equals every other",
    "z3",
    "x = Real('x')\ns = Solver()\ns.add(x == 5)\ns.check()\nclass F(float):\n    def __eq__(self, other): return True\n    def __hash__(self): return 1\nexport_solution(s, {'x': F(99.5)})",
    sat("x"),
  ],
  [
    "a text that equals every other",
    "z3",
    `${x_is_5}class T(str):\n    def __eq__(self, other): return True\n    def __hash__(self): return 1\nexport_solution(s, {'x': T('99')})`,
    sat("x"),
  ],
  [
    "constants where no model was read",
    "pysat",
    `${one_of_two}export_solution({'satisfiable': True, 'rows': [1, 3, 0]})`,
    sat("rows"),
  ],
  [
    "that there is no other solution",
    "pysat",
    `${one_of_two}export_solution({'satisfiable': True, 'unique': True})`,
    sat("unique"),
  ],
  [
    "an objective",
    "pysat",
    `${one_of_two}export_solution({'satisfiable': True, 'objective': 1})`,
    { ...sat("objective_value"), optimal: null },
  ],
  [
    "values with a proved cost",
    "pysat",
    `${cost}export_solution({'satisfiable': True, 'chosen': [1], 'cost': r.cost})`,
    best("chosen"),
  ],
  [
    "a worse solution with the proved cost",
    "pysat",
    `${cost}export_solution({'satisfiable': True, 'm': [1, -2], 'cost': r.cost})`,
    best("m"),
  ],
  [
    "a whole solution that is none",
    "pysat",
    `${one_of_two}export_solution({'satisfiable': True, 'm': [-1, -2]})`,
    sat("m"),
  ],
  [
    "the selection of other weights",
    "pysat",
    `${cost}v = WCNF()\nv.append([1, 2])\nv.append([-1], weight=1)\nv.append([-2], weight=4)\nq = RC2(v)\nq.compute()\nexport_solution({'satisfiable': True, 'two': 2 in m, 'cost': q.cost})`,
    best("two"),
  ],
  [
    "values and a core beside a conflict",
    "pysat",
    "s = Glucose3(bootstrap_with=[[1], [-1]])\ns.solve()\nexport_solution({'satisfiable': False, 'best': 7})",
    { status: "unsat", confirmed: true, unchecked: ["best"] },
  ],
  [
    "a core of its own names",
    "pysat",
    "from pysat.examples.musx import MUSX\nw = WCNF()\nw.append([1], weight=1)\nw.append([-1], weight=1)\nMUSX(w).compute()\nexport_solution({'satisfiable': False, 'unsat_core': ['rule 7']})",
    { status: "unsat", confirmed: true, unchecked: ["unsat_core"] },
  ],
  [
    "an unsat under assumptions, after a conflict of other clauses",
    "pysat",
    "t = Glucose3(bootstrap_with=[[9], [-9]])\nt.solve()\ns = Glucose3(bootstrap_with=[[1, 2]])\ns.solve(assumptions=[-1, -2])\nexport_solution({'satisfiable': False})",
    {
      status: "unsat",
      confirmed: true,
      message: "Unsatisfiable under the assumptions that solve() was given; without them there may be a solution.",
    },
  ],
  [
    "an unsat of clauses that a later question asks about under assumptions",
    "pysat",
    "s = Glucose3(bootstrap_with=[[1, 2], [-1], [-2]])\ns.solve()\ns.solve(assumptions=[1])\nexport_solution({'satisfiable': False})",
    { status: "unsat", confirmed: true, message: "Unsatisfiable: no values satisfy all constraints." },
  ],
  [
    "a variable in no clause",
    "pysat",
    `${one_of_two}export_solution(s, variables={'a': [1, 7]})`,
    { ...sat(), warnings: ["No clause contains variable 7: every value is possible, and the one shown is arbitrary."] },
  ],
  [
    "a sat of another question than the last one",
    "pysat",
    "t = Glucose3(bootstrap_with=[[5]])\nt.solve()\ns = Glucose3(bootstrap_with=[[1], [-1]])\ns.solve()\nexport_solution({'satisfiable': True})",
    { ...sat(), warnings: [expect.stringContaining("The last question of the program was answered unsat")] },
  ],
  [
    "a truth that changes",
    "pysat",
    `${one_of_two}class B:\n    n = 0\n    def __bool__(self):\n        B.n += 1\n        return B.n % 3 == 1\nexport_solution({'satisfiable': B()})`,
    sat(),
  ],
];

describe.skipIf(!has_python)("confirmed, to a caller:", () => {
  const models = fixture(shareModels);

  it.each(honest)("%s keeps it (%s)", async (_what, language, program, wanted) => {
    const answer = await models.solve(language, [program.trim()]);
    expect(answer).toMatchObject(wanted);
    if (!("unchecked" in wanted)) expect(answer).not.toHaveProperty("unchecked");
  });

  it.each(claiming)("a program that claims %s (%s)", async (_what, language, program, wanted) => {
    const answer = await models.solve(language, [program]);
    expect(answer).toMatchObject(wanted);
    if (wanted["confirmed"] === true && !("unchecked" in wanted)) expect(answer).not.toHaveProperty("unchecked");
  });

  it.each(["{'a': True}", "{'a': 2.0}", "{'a': 'b'}", "{'a': 0}", "{'a': [None]}"])(
    "what is not a number of a variable is refused: %s",
    async (variables) => {
      const { code, error } = await models.fault("pysat", [`${one_of_two}export_solution(s, variables=${variables})`]);
      expect([code, error]).toEqual(["input_rejected", expect.stringContaining("variable numbers as values")]);
    },
  );

  it("random programs in Z3's Python claim only what holds", () => fc.assert(rightClaims(models), { numRuns: 8 }));
  it("random programs in PySAT claim only what holds", () => fc.assert(rightAssignments(models), { numRuns: 12 }));

  it("a solver that does not tell its constraints is refused", async () => {
    const behind = "s = Simplifier('solve-eqs').add(SimpleSolver())\ns.add(Int('x') == 5)";
    expect((await models.fault("z3", [behind])).error).toContain("does not show its constraints");
  });

  it("what has no end is refused", async () => {
    const endless = `import itertools\n${x_is_5}export_solution(s, {'a': (i for i in itertools.count())})`;
    expect((await models.fault("z3", [endless])).error).toContain("more than 200000 parts");
  });

  it("the text says it, too", async () => {
    const { message } = await models.solve("z3", [`${x_is_5}export_solution(s, {'x': x}, objective=9)`]);
    expect(message).toBe("Satisfiable, with these values; the objective is a number that the program computed.");
    const answer = await models.solve("pysat", [
      `${cost}export_solution({'satisfiable': True, 'n': 1, 'cost': r.cost})`,
    ]);
    expect(answer["message"]).toBe(
      "Satisfiable; the program exports these values, which no solver checked; no solution has a better objective.",
    );
  });
});
