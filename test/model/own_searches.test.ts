import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

describe.skipIf(!has_python)("a program that searches until its solver answers unsat", () => {
  const models = fixture(shareModels);

  const start = "x, y, z = Ints('x y z')\ns = Solver()\n";
  // A listing of all solutions for the callback class `C`.
  const listed =
    "m, s = cp_model.CpModel(), cp_model.CpSolver()\nx, y = m.new_int_var(0, 3, 'x'), m.new_int_var(0, 3, 'y')\nm.add(x + y == 3)\ns.parameters.enumerate_all_solutions = True\nc = C()\ns.solve(m, c)\n";

  it.each([
    [
      "each constant",
      "s.add(x >= 1, x <= 3, y == x)\nwhile s.check() == sat:\n    m = s.model()\n    s.add(Or([d() != m[d] for d in m]))",
      3,
    ],
    [
      "a conjunction of values",
      "s.add(x >= 1, x <= 3, y >= 0)\nwhile s.check() == sat:\n    m = s.model()\n    s.add(Not(And(x == m[x])))",
      3,
    ],
    [
      "truth values as literals",
      "b = Bools('p q r')\ns.add(AtLeast(*b, 2))\nwhile s.check() == sat:\n    m = s.model()\n    s.add(Or([Not(e) if is_true(m.eval(e, True)) else e for e in b]))",
      4,
    ],
    [
      "truth values, with a first check of its own",
      "b = Bools('p q')\ns.add(Or(b))\nprint(s.check())\nwhile s.check() == sat:\n    m = s.model()\n    s.add(Or([e != m.eval(e, True) for e in b]))",
      3,
    ],
    [
      "members of an enumeration, in a function",
      "C, (red, blue) = EnumSort('C', ['red', 'blue'])\nc = Const('c', C)\ndef run():\n    n = 0\n    r = s.check()\n    while r == sat:\n        n += 1\n        s.add(c != s.model()[c])\n        r = s.check()\n    return n\ns.add(Or(c == red, c == blue))\nprint(run())",
      2,
    ],
    [
      "the only solution, which a second line asks about",
      "s.add(x + y == 3, x - y == 1)\ns.check()\nm = s.model()\ns.add(Or(x != m[x], y != m[y]))\nif s.check() == unsat: print('unique')",
      1,
    ],
    [
      "each constant, under a sum of 1,500 terms",
      `s.add(x >= 1, x <= 3, y == x, 0 <= ${Array(1500).fill("x").join(" + ")})\nwhile s.check() == sat:\n    m = s.model()\n    s.add(x != m[x])`,
      3,
    ],
    [
      "what is no better in either of two aims",
      "s.add(x >= 1, y >= 1, x + y == 4)\nwhile s.check() == sat:\n    m = s.model()\n    s.add(Or(x < m[x], y < m[y]))",
      3,
    ],
  ])("lists solutions, and excludes %s", async (_, text, count) => {
    const answer = await models.solve("z3", [start + text]);
    expect(answer).toMatchObject({ status: "sat", satisfiable: true, confirmed: true, solutions_found: count });
    expect(answer["message"]).toContain(`The program found ${count} solution`);
    expect(answer["message"]).toContain("was unsat: no others satisfy these");
    expect(answer["optimal"]).toBeNull();
    expect(answer.warnings.join("\n")).toMatch(/ended its search for solutions.*unsat/);
  });

  it.each([
    ["smaller", "z < m[z]", 3],
    ["smaller by a number", "z <= m[z].as_long() - 1", 3],
    ["larger", "m[z] < z", 9],
    ["smaller sums", "x + y < m.eval(x + y)", 3],
  ])("finds values that are %s: the last one is the best", async (_, better, value) => {
    const rules = "s.add(x >= 1, x <= 5, y >= 2, y <= 4, z == x + y)\n";
    const answer = await models.solve("z3", [
      `${start}${rules}while s.check() == sat:\n    m = s.model()\n    s.add(${better})`,
    ]);
    expect(answer).toMatchObject({
      status: "sat",
      confirmed: true,
      optimal: true,
      objective_value: value,
      model: { z: value },
    });
    expect(answer["message"]).toContain("no others have a better objective");
    expect(answer["message"]).toContain("its last check, for a better one, was unsat");
  });

  it.each([
    ["a requirement of its own", "s.add(x > 0, x < 3)\ns.check()\nprint(s.model())\ns.add(x > 2)\nprint(s.check())"],
    [
      "a truth value that it requires",
      "b = Bool('b')\ns.add(Implies(b, x > 3), x < 2)\nfor c in [x < 1, b]:\n    s.add(c)\n    print(s.check())\n    if s.check() == sat: s.model()",
    ],
    ["what it did not read", "s.add(x > 0, x < 2)\nfor c in [x > 0, x != 1]:\n    s.add(c)\n    print(s.check())"],
    [
      "rules by a name that had a value of the solution",
      "s.add(x > 0, x < 2)\ns.check()\nv = s.model()[x]\nfor v in [1]: s.add(x != v)\nprint(s.check())",
    ],
    [
      "rules by a name that is made from such a name",
      "s.add(x > 0, x < 2)\ns.check()\nv = s.model()[x]\nv = 1\nw = v\ns.add(x != w)\nprint(s.check())",
    ],
    [
      "more than excludes",
      "s.add(x > 0, x < 3)\nwhile s.check() == sat:\n    m = s.model()\n    s.add(x != m[x], y > 5, y < 3)",
    ],
    [
      "what pop took away",
      "s.add(x > 0, x < 3)\nwhile s.check() == sat:\n    m = s.model()\n    s.push()\n    s.add(x > 2)\n    s.pop()\n    s.add(x > 2)",
    ],
    [
      "another solver",
      "s.add(x > 0, x < 2)\nwhile s.check() == sat:\n    m = s.model()\n    s = Solver()\n    s.add(x != m[x], x == m[x])",
    ],
  ])("is unsat, as its last check was, after %s", async (_, text) => {
    expect((await models.solve("z3", [start + text])).status).toBe("unsat");
  });

  it.each([
    ["asks for a better one", "o.minimize(z)\nwhile o.check() == sat:\n    m = o.model()\n    o.add(z < m[z])", 1],
    [
      "lists others",
      "o.minimize(z)\nwhile o.check() == sat:\n    m = o.model()\n    o.add(Or(x != m[x], y != m[y]))",
      4,
    ],
  ])("has the optimum of an Optimize that %s", async (_, text, count) => {
    const rules = "x, y, z = Ints('x y z')\no = Optimize()\no.add(x >= 1, x <= 2, y >= 1, y <= 2, z == x + y)\n";
    const answer = await models.solve("z3", [rules + text]);
    expect(answer).toMatchObject({
      status: "sat",
      confirmed: true,
      optimal: true,
      objective_value: 2,
      model: { z: 2 },
      solutions_found: count,
    });
    expect(answer["message"]).toContain("its last check");
  });

  it.each([
    [
      "z3",
      "d = Int('d')\ns = Solver()\ns.add(d >= 0, d < 3)\ndef leaves_one(off):\n    s.add(d != off)\n    return s.check() == sat\nfor off in range(3):\n    print(s.model()[d] if leaves_one(off) else 'none')",
    ],
    [
      "z3",
      "d = Int('d')\ns = Solver()\ns.add(d >= 0, d < 3)\nfor most in (2, 1, 0, -1):\n    s.add(d <= most)\n    print(s.model()[d] if s.check() == sat else 'none')",
    ],
    [
      "cpmpy",
      "d = cp.intvar(0, 2, name='d')\nm = cp.Model()\nfor off in range(3):\n    m += d != off\n    print(d.value() if m.solve() else 'none')",
    ],
    [
      "ortools",
      "m = cp_model.CpModel()\nd = m.new_int_var(0, 2, 'd')\ns = cp_model.CpSolver()\nfor off in range(3):\n    m.add(d != off)\n    print(s.value(d) if s.solve(m) == cp_model.OPTIMAL else 'none')",
    ],
    [
      "pysat",
      "from pysat.solvers import Glucose3\ns = Glucose3(bootstrap_with=[[1, 2], [1, 3], [2, 3]])\nfor a, b in [(1, 2), (2, 3), (1, 3)]:\n    s.add_clause([-a, -b])\n    print(s.get_model() if s.solve() else 'none')",
    ],
  ])("is unsat after rules of its own that exclude the last solution by chance (%s, %#)", async (language, text) => {
    const { status, confirmed, output } = await models.solve(language, [text]);
    expect({ status, confirmed, last: output.at(-1) }).toEqual({ status: "unsat", confirmed: true, last: "none" });
  });

  const primes = "def is_prime(n): return n > 1 and all(n % d for d in range(2, n))\n";

  it.each([
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\nwhile s.check() == sat:\n    v = s.model()[x].as_long()\n    if is_prime(v): break\n    s.add(x != v)\nelse: print('none')`,
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\ndef first():\n    while True:\n        if s.check() != sat: return 'none'\n        v = s.model()[x].as_long()\n        if is_prime(v): return v\n        s.add(x > v)\nprint(first())`,
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\nfound = False\nwhile not found and s.check() == sat:\n    v = s.model()[x].as_long()\n    found = is_prime(v)\n    s.add(x != v)\nprint('some' if found else 'none')`,
    ],
    [
      "z3",
      "c, x = BitVecs('c x', 3)\ns, test = Solver(), Solver()\nwhile s.check() == sat:\n    v = s.model().eval(c, True)\n    test.push()\n    test.add(x + v != x ^ 7)\n    if test.check() == unsat: break\n    test.pop()\n    s.add(c != v)\nprint('none')",
    ],
    [
      "cpmpy",
      "pairs = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]\ne = {p: cp.boolvar(name='e%d%d' % p) for p in pairs}\nm = cp.Model([cp.sum([x for p, x in e.items() if v in p]) == 2 for v in range(6)])\nwhile m.solve():\n    used = [p for p, x in e.items() if x.value()]\n    tour, todo = set(), {0}\n    while todo:\n        v = todo.pop()\n        tour.add(v)\n        todo |= {w for p in used for w in p if v in p} - tour\n    if len(tour) == 6: break\n    m += cp.sum([e[p] for p in used if p[0] in tour]) <= len(tour) - 1\nprint('none')",
    ],
    [
      "ortools",
      `m = cp_model.CpModel()\nx, s = m.new_int_var(24, 28, 'x'), cp_model.CpSolver()\n${primes}while s.solve(m) == cp_model.OPTIMAL:\n    if is_prime(s.value(x)): break\n    m.add(x != s.value(x))\nprint('none')`,
    ],
    [
      "pysat",
      "s = Glucose3(bootstrap_with=[[1, 2]])\ndef conflict(m): return [-l for l in m]\nwhile s.solve():\n    clause = conflict(s.get_model())\n    if clause is None: break\n    s.add_clause(clause)\nprint('none')",
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\ndef values():\n    while s.check() == sat:\n        v = s.model()[x].as_long()\n        yield v\n        s.add(x != v)\nprint(next((v for v in values() if is_prime(v)), 'none'))`,
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\ndef values():\n    while s.check() == sat:\n        v = s.model()[x].as_long()\n        yield v\n        s.add(x != v)\nfor v in values():\n    if is_prime(v): break\nelse: print('none')`,
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\ndef find():\n    if s.check() != sat: return 'none'\n    v = s.model()[x].as_long()\n    if is_prime(v): return v\n    s.add(x != v)\n    return find()\nprint(find())`,
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\nwhile s.check() == sat:\n    v = s.model()[x].as_long()\n    s.add(x != v)\n    if not is_prime(v): continue\n    print(v)\nprint('none')`,
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\ndef test(v):\n    if not is_prime(v): raise ValueError(v)\nfound = 'none'\nwhile s.check() == sat:\n    v = s.model()[x].as_long()\n    s.add(x != v)\n    try:\n        test(v)\n        found = v\n        break\n    except ValueError: pass\nprint(found)`,
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\nfound = []\nwhile s.check() == sat:\n    found.append(s.model()[x].as_long())\n    s.add(x != found[-1])\nprint([v for v in found if is_prime(v)] or 'none')`,
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\nfound = []\nwhile s.check() == sat:\n    v = s.model()[x].as_long()\n    if is_prime(v): found.append(v)\n    s.add(x != v)\nprint(found or 'none')`,
    ],
    [
      "z3",
      `${start}${primes}s.add(x >= 24, x <= 28)\nbest = None\nwhile s.check() == sat:\n    v = s.model()[x].as_long()\n    best = best or (v if is_prime(v) else None)\n    s.add(x != v)\nprint(best or 'none')`,
    ],
    [
      "z3",
      `${start}s.add(x >= 24, x <= 28)\ndef check(v): return v % 23 == 0\ndef report(all):\n    for v in all:\n        if check(v): print(v)\n    print('none')\ndef run():\n    found = []\n    while s.check() == sat:\n        found.append(s.model()[x].as_long())\n        s.add(x != found[-1])\n    return found\nreport(run())`,
    ],
    [
      "z3",
      `${start}s.add(x >= 24, x <= 28)\nwhile s.check() == sat:\n    m = s.model()\n    if m[x].as_long() % 23 == 0: print(m)\n    s.add(x != m[x])\nprint('none')`,
    ],
    [
      "ortools",
      `m = cp_model.CpModel()\nx, s = m.new_int_var(24, 28, 'x'), cp_model.CpSolver()\nfound = []\nwhile s.solve(m) == cp_model.OPTIMAL:\n    found += [s.value(x)] if s.value(x) % 23 == 0 else []\n    m.add(x != s.value(x))\nprint(found or 'none')`,
    ],
    [
      "pysat",
      "s = Glucose3(bootstrap_with=[[1, 2], [-1, 3]])\nfound = [m for m in s.enum_models() if sum(m) > 6]\nprint(found or 'none')",
    ],
    [
      "pysat",
      "w = WCNF()\nw.append([1, 2])\nw.append([-1], weight=1)\nfor m in RC2(w).enumerate():\n    if sum(m) > 3: break\nelse: print('none')",
    ],
    [
      "ortools",
      `m = cp_model.CpModel()\nx, s = m.new_int_var(24, 28, 'x'), cp_model.CpSolver()\nfound = 0\nwhile s.solve(m) == cp_model.OPTIMAL:\n    v = s.value(x)\n    found += int(v == v // 23 * 23)\n    m.add(x != v)\nprint(found or 'none')`,
    ],
    [
      "ortools",
      `class C(cp_model.CpSolverSolutionCallback):\n    ok = 0\n    def on_solution_callback(self):\n        if self.value(x) * self.value(y) == 7: self.ok += 1\n${listed}print(c.ok or 'none')`,
    ],
    [
      "ortools",
      `class C(cp_model.CpSolverSolutionCallback):\n    all = []\n    def on_solution_callback(self): self.all.append(self.value(x))\n${listed}print([each for each in c.all if each > 3] or 'none')`,
    ],
    [
      "cpmpy",
      "x, y = cp.intvar(0, 3, shape=2, name='v')\nhits = []\ncp.Model(x + y == 3).solveAll(display=lambda: hits.append(x.value() * y.value() == 7))\nprint('some' if any(hits) else 'none')",
    ],
  ])("is undecided if it may reject solutions because of their values (%s, %#)", async (language, text) => {
    const { status, reason, output, ...answer } = await models.solve(language, [text]);
    expect({ status, last: output.at(-1), found: answer["solutions_found"] }).toEqual({
      status: "unknown",
      last: "none",
    });
    expect(reason).toMatch(
      /^the program found (\d|several) solutions? and (excluded|got them) .* item 0, line \d+ may reject .*export_solution/,
    );
  });

  it.each([
    ["multiplies by a test", "", "found += [v] * (v // 29)"],
    ["looks up what to add", "table = {29: [29]}\n", "found.extend(table.get(v, []))"],
    ["loops over a range that its value bounds", "", "for i in range(29, v): found.append(i)"],
    ["keeps parts that meet a condition", "", "for each in [v]:\n        if each > 28: found.append(each)"],
    ["counts the parts that meet one", "", "if len([e for e in (x, y) if m[e].as_long() > 28]) == 2: found.append(v)"],
    [
      "has an `else` of a loop",
      "",
      "for e in (x, y):\n        if m[e].as_long() < 29: break\n    else: found.append(v)",
    ],
    ["has a first bound", "best = float(0)\n", "if v < best:\n        best = v\n        found.append(v)"],
    [
      "compares in the wrong direction",
      "best = float('inf')\n",
      "if v > best:\n        best = v\n        found.append(v)",
    ],
    [
      "tests in a constructor",
      "class Plan:\n    def __init__(self, w):\n        if w > 28: found.append(w)\n",
      "Plan(v)",
    ],
    ["passes starred arguments", "def note(a, b):\n    if b > 28: found.append(b)\n", "note(*[1, v])"],
    ["passes a function", "def note(a):\n    if a > 28: found.append(a)\n", "list(map(note, [v]))"],
    ["tests in a lambda", "note = lambda a: a < 29 or found.append(a)\n", "note(v)"],
    [
      "hides a failing helper",
      "def test():\n    assert v > 28\n",
      "try:\n        test()\n        found.append(1)\n    except AssertionError: pass",
    ],
    ["removes what it found", "", "found.append(v)\n    found.remove(v)"],
  ])("is undecided if it %s", async (_, before, body) => {
    const rules = "s.add(x >= 24, x <= 28, y == x)\nfound = []\n";
    const loop = `while s.check() == sat:\n    m = s.model()\n    v = m[x].as_long()\n    s.add(x != v)\n    ${body}\n`;
    const text = `${start}${rules}${before}${loop}print(found or 'none')`;
    const { status, output } = await models.solve("z3", [text]);
    expect({ status, last: output.at(-1) }).toEqual({ status: "unknown", last: "none" });
  });

  it.each([
    [
      "ortools",
      `class C(cp_model.CpSolverSolutionCallback):\n    all = []\n    def on_solution_callback(self):\n        self.all.append(self.value(x))\n        print(x, self.value(x))\n${listed}print(len(c.all))`,
    ],
    [
      "ortools",
      `class C(cp_model.CpSolverSolutionCallback):\n    def on_solution_callback(self):\n        if self.value(x) > 1: self.stop_search()\n${listed}print(s.value(x))`,
    ],
    [
      "cpmpy",
      "x, y = cp.intvar(0, 3, shape=2, name='v')\nall = []\nprint(cp.Model(x + y == 3).solveAll(display=lambda: all.append(x.value())), all)",
    ],
    ["cpmpy", "x, y = cp.intvar(0, 3, shape=2, name='v')\ncp.Model(x + y == 3).solveAll(display=[x, y])"],
  ])("is sat if its engine hands it solutions that it only lists (%s, %#)", async (language, text) => {
    expect(await models.solve(language, [text])).toMatchObject({ status: "sat", confirmed: true });
  });

  it.each([
    "for i, m in enumerate(s.enum_models()):\n    if i == 9: break\n    print(i, [l for l in m if l > 0])",
    "all = list(s.enum_models())\nfor m in all: print({abs(l): l > 0 for l in m})",
    "for m in s.enum_models():\n    if m[2] > 0: break\nprint(m)",
  ])("is sat if an engine lists its solutions: %s", async (text) => {
    const answer = await models.solve("pysat", [`s = Glucose3(bootstrap_with=[[1, 2, 3], [-1, -2]])\n${text}`]);
    expect(answer).toMatchObject({ status: "sat", confirmed: true });
  });

  it("is unsat after a rule that it states by a function, which its solutions passed by chance", async () => {
    const rule =
      "def tell(c): s.add(c)\ntell(x == 3)\ns.check()\ntell(Or(x != s.model()[x], x > 0))\ns.check()\ntell(x != 3)\n";
    expect(await models.solve("z3", [`${start}${rule}s.check()`])).toMatchObject({ status: "unsat", confirmed: true });
  });

  it.each([
    ["sat", 25],
    ["unsat", 23],
  ])("is %s as it exports", async (status, divisor) => {
    const test = `    if v %% ${divisor} == 0:\n        export_solution(solver=s, variables={'x': v})\n        break\n    s.add(x != v)\n`;
    const text = `${start}s.add(x >= 24, x <= 28)\nwhile s.check() == sat:\n    v = s.model()[x].as_long()\n${test.replace("%%", "%")}else: export_solution(solver=s, satisfiable=False)`;
    expect(await models.solve("z3", [text])).toMatchObject({ status, confirmed: true });
  });

  it.each([
    [
      "a limit on their number",
      "found = []\nwhile s.check() == sat:\n    found.append(s.model()[x].as_long())\n    if len(found) >= 10: break\n    s.add(x != found[-1])",
    ],
    ["a counter", "n = 0\nwhile n < 10 and s.check() == sat:\n    n += 1\n    s.add(x != s.model()[x])"],
    [
      "a function that returns the next one",
      "def following(): return s.model() if s.check() == sat else None\nwhile True:\n    m = following()\n    if m is None: break\n    s.add(x != m[x])",
    ],
    [
      "its solver, beside another one that tests its solutions",
      "t = Solver()\nt.add(y > 0)\nwhile t.check() == sat:\n    if t.model()[y].as_long() < 9: break\n    t.add(y != t.model()[y])\nwhile s.check() == sat:\n    s.add(x != s.model()[x])",
    ],
    [
      "a name for the answer",
      "while True:\n    r = s.check()\n    if r == unsat: break\n    print(s.model())\n    s.add(x != s.model()[x])",
    ],
    [
      "its solver, and prints parts of its solutions",
      "v = [x, y, z]\ns.add(y == 1, z == 2)\nall = []\nwhile s.check() == sat:\n    m = s.model()\n    for i in range(3):\n        if m[v[i]].as_long() == 1: print(i)\n    all.append(['Q' if m[e].as_long() > 1 else '.' for e in v])\n    s.add(x != m[x])\nif not all: print('none')\nfor row in all: print(row)",
    ],
    [
      "its solver, in a function that found a value before",
      "def run(best=None):\n    if best is not None: s.add(y == best)\n    while s.check() == sat:\n        m = s.model()\n        if best is None: return m[x].as_long()\n        s.add(x != m[x])\nrun(run())",
    ],
    [
      "its solver, and reads which symbols a solution has",
      "while s.check() == sat:\n    m = s.model()\n    block = []\n    for d in m:\n        if d.arity() > 0: raise Z3Exception('no')\n        block.append(d() != m[d])\n    s.add(Or(block))",
    ],
    [
      "its solver, and keeps objects and rows",
      "class Plan:\n    def __init__(self, v): self.v = v\nplans, rows = [], []\nwhile s.check() == sat:\n    m = s.model()\n    plans.append(Plan(m[x].as_long()))\n    row = [m.eval(e) for e in (x, y)]\n    for i, r in enumerate(row): print(i, r)\n    rows.extend([row])\n    s.add(x != m[x])\nplans.sort(key=lambda p: p.v)\nprint(len(plans), rows[0], rows[:2])",
    ],
    [
      "its solver, and keeps the best one",
      "best = None\nwhile s.check() == sat:\n    v = s.model()[x].as_long()\n    if best is None or v < best: best = v\n    s.add(x != v)\nif best is not None: print(best)",
    ],
  ])("lists solutions in a loop that ends by %s", async (_, text) => {
    const answer = await models.solve("z3", [`${start}s.add(x >= 1, x <= 3)\n${text}`]);
    expect(answer).toMatchObject({ status: "sat", solutions_found: 3, confirmed: true });
  });

  it.each([
    [
      "a function",
      "def exclude(m):\n    s.add(Or([d() != m[d] for d in m]))\nwhile s.check() == sat:\n    exclude(s.model())",
    ],
    ["a list", "while s.check() == sat:\n    found = []\n    found.append(x != s.model()[x])\n    s.add(Or(found))"],
    [
      "an attribute",
      "class Best:\n    pass\nbest = Best()\nwhile s.check() == sat:\n    best.x = s.model()[x].as_long()\n    s.add(best.x != x)",
    ],
  ])("takes what it excludes from the solution by %s", async (_, text) => {
    const answer = await models.solve("z3", [`${start}s.add(x >= 1, x <= 3)\n${text}`]);
    expect(answer).toMatchObject({ status: "sat", solutions_found: 3, confirmed: true });
  });

  it.each([
    [
      "a member of an enumeration",
      "from enum import Enum\nclass Room(Enum):\n    A = 1\n    B = 2\ns.add(x == 1)\ns.check()\ns.add(x != Room.A.value)\nprint(s.check())",
    ],
    [
      "an author's attribute",
      "class Plan:\n    cost = 1\nplan = Plan()\ns.add(x >= 1)\ns.check()\ns.add(x < plan.cost)\nprint(s.check())",
    ],
    [
      "a text in small letters",
      "code = {'a': 1}\ns.add(x == 1)\ns.check()\ns.add(x != code['A'.lower()])\nprint(s.check())",
    ],
    [
      "a rule after a value on one line",
      "s.add(x == 1)\ns.check()\nprint(s.model()[x]); s.add(x != 1)\nprint(s.check())",
    ],
    [
      "a different worker for each shift",
      "s.add(x >= 1, x <= 2)\nfor shift in ['mon', 'tue', 'wed']:\n    if s.check() != sat:\n        print('nobody for', shift)\n        break\n    s.add(x != s.model()[x])",
    ],
    [
      "a different worker for each shift, in a function",
      "s.add(x >= 1, x <= 2)\ndef staffed():\n    if s.check() != sat: return False\n    s.add(x != s.model()[x])\n    return True\nfor shift in range(3): print(staffed())",
    ],
    [
      "a number of later starts",
      "s.add(x >= 0, x <= 2)\nplan = []\nwhile len(plan) < 5:\n    if s.check() != sat:\n        print('does not fit')\n        break\n    v = s.model()[x].as_long()\n    plan.append(v)\n    s.add(x > v)",
    ],
  ])("is unsat, as its last check was, if it requires %s", async (_, text) => {
    expect((await models.solve("z3", [start + text])).status).toBe("unsat");
  });

  it.each([
    ["looks for a known key among its values", "seen = {}", "seen[v] = 1", "print(seen.get(7, 'none'))"],
    ["counts by its values", "from collections import Counter\nseen = Counter()", "seen[v] += 1", "print(seen[7])"],
    ["adds a quotient", "n = 0", "n += v // 7", "print(n)"],
    ["adds a count", "n = 0", "n += [7, 14].count(v)", "print(n)"],
    ["keeps a text unless a table has another one", "t = 'none'", "t = {7: 'one'}.get(v, t)", "print(t)"],
    ["asks the solution", "n = 0", "print(m.eval(x == 7))", "print(n)"],
    ["compares by a function", "import operator", "print(operator.eq(v, 7))", "print(0)"],
  ])("may reject what it found: it %s", async (_, before, inside, after) => {
    const loop = `while s.check() == sat:\n    m = s.model()\n    v = m[x].as_long()\n    ${inside}\n    s.add(x != v)`;
    const answer = await models.solve("z3", [`${start}s.add(x >= 1, x <= 3)\n${before}\n${loop}\n${after}`]);
    expect(answer).toMatchObject({ status: "unknown" });
    expect(answer["reason"]).toContain("may reject solutions");
  });

  it.each([
    ["a table by its values, which it shows", "seen = {}", "seen[v] = str(v)", "for k in seen: print(k, seen[k])"],
    ["sums of its values", "n = 0", "n += v * 2", "print(n)"],
    ["names that belong to its values", "names = ['', 'a', 'b', 'c']", "print(names[v])", "print('done')"],
    ["the largest value", "top = 0", "top = max(top, v)", "print(top)"],
  ])("lists what it found, with %s", async (_, before, inside, after) => {
    const loop = `while s.check() == sat:\n    m = s.model()\n    v = m[x].as_long()\n    ${inside}\n    s.add(x != v)`;
    const answer = await models.solve("z3", [`${start}s.add(x >= 1, x <= 3)\n${before}\n${loop}\n${after}`]);
    expect(answer).toMatchObject({ status: "sat", solutions_found: 3 });
  });

  it.each([8, 1])("is unsat where a schedule of %i apart ends, whose starts are requirements", async (apart) => {
    for (const loop of ["for i in range(4)", "i = -1\nwhile i < 3"]) {
      for (const last of [7, 20]) {
        const rules = `t = Ints('a b c d')\ns = Solver()\ns.add([And(v >= 0, v <= ${apart === 8 ? last : last > 7 ? 2 : 0}) for v in t])\n`;
        const body = `    if i > 0: s.add(t[i] >= end + ${apart})\n    if s.check() == unsat:\n        print('no plan')\n        break\n    end = s.model()[t[i]].as_long()`;
        const text = `${rules}end = 0\n${loop}:\n${loop.startsWith("for") ? "" : "    i += 1\n"}${body}`;
        const { status, output } = await models.solve("z3", [text]);
        expect({ status, last: output.at(-1) }).toEqual({ status: "unsat", last: "no plan" });
      }
    }
  });

  it("has a solution, so that an exception after it is a fault", async () => {
    const loop =
      "s.add(x >= 1, x <= 3)\nn = 0\nwhile s.check() == sat:\n    n += 1\n    s.add(x != s.model()[x])\nassert n == 1";
    expect(await models.fault("z3", [start + loop])).toMatchObject({ last_verdict: "sat" });
  });

  it("is asked about all solutions of the problem before it excluded any", async () => {
    const loop = "s.add(x >= 1, x <= 3)\nwhile s.check() == sat:\n    s.add(x != s.model()[x])";
    const answer = await models.solve("z3", [`x = Int('x')\ns = Solver()\n${loop}`], undefined, { count: true });
    expect(answer).toMatchObject({ status: "sat", count: { number: 3, exact: true } });
  });

  const model =
    "m = cp_model.CpModel()\ns = cp_model.CpSolver()\nx, y = m.new_int_var(1, 3, 'x'), m.new_int_var(0, 4, 'y')\n";
  const loop = "while s.solve(m) in (cp_model.OPTIMAL, cp_model.FEASIBLE):\n    ";
  const bits = "b = [m.new_bool_var(f'b{i}') for i in range(3)]\nm.add(sum(b) == 2)\nm.add(x + y == 1)\n";
  const linear = (x: string) =>
    `from ortools.math_opt.python import mathopt\nm = mathopt.Model()\nx = m.${x}${x.endsWith("(") ? "" : ", "}name='x')\n`;
  const until_none =
    "while True:\n    r = mathopt.solve(m, mathopt.SolverType.HIGHS)\n    if r.termination.reason != mathopt.TerminationReason.OPTIMAL: break\n    v = r.variable_values()\n    ";
  const again = until_none.replace("variable_values()", "variable_values()[x]");
  const bits_of = (n: number) =>
    `b = [m.add_binary_variable(name=f'b{i}') for i in range(3)]\nm.add_linear_constraint(sum(b) == ${n === 3 ? 2 : 3})\n`;
  const exclude = "m.add_linear_constraint(sum((1 - e) if v[e] > 0.5 else e for e in b) >= 1)";
  const several = "x = cp.intvar(1, 3, shape=2, name='x')\nm = cp.Model(x[0] + x[1] == 4)\n";

  it.each([
    ["ortools", `${model}m.add(x + y == 4)\n${loop}m.add(x != s.value(x))`, 3],
    ["ortools", `${model}${bits}${loop}m.add_bool_or([~each if s.value(each) else each for each in b])`, 3],
    ["ortools", `${model}m.add(x + y == 4)\n${loop}m.add_forbidden_assignments([x, y], [(s.value(x), s.value(y))])`, 3],
    ["cpmpy", `${several}while m.solve():\n    m += cp.any(x != x.value())`, 3],
    ["cpmpy", `${several}while m.solve():\n    m += ~cp.all(x == x.value())`, 3],
    ["cpmpy", `${several}s = cp.SolverLookup.get('ortools', m)\nwhile s.solve():\n    s += x[0] != x[0].value()`, 3],
    ["cpmpy", `${several}m += x[0] < x[1]\nm.solve()\nm += cp.any(x != x.value())\nprint(m.solve())`, 1],
    [
      "pysat",
      "with Glucose3(bootstrap_with=[[1, 2, 3], [-1, -2]]) as s:\n    while s.solve():\n        s.add_clause([-l for l in s.get_model()])",
      5,
    ],
    [
      "pysat",
      "s = Glucose3(bootstrap_with=[[1, 2], [-1, -2], [1, -2]])\ns.solve()\nprint(s.get_model())\ns.add_clause([-l for l in s.get_model()])\nprint(s.solve())",
      1,
    ],
    [
      "pysat",
      "s = Glucose3(bootstrap_with=[[1, 2, 3], [-1, -2]])\ndef all():\n    found = []\n    while s.solve():\n        m = s.get_model()\n        found.append(m)\n        s.add_clause([-l for l in m])\n    return found\nfor i, m in enumerate(all(), 1):\n    if i > 9: break\n    print(i, [l for l in m if l > 0], ''.join('Q' if l > 0 else '.' for l in m))",
      5,
    ],
    [
      "cpmpy",
      `${several}best, most = None, float('-inf')\nwhile m.solve():\n    v = x.value()\n    if v[0] > most: best, most = list(v), v[0]\n    m += cp.any([x[i] != n if n in list(v) else x[i] > 9 for i, n in enumerate(v)])\nprint(best, most)`,
      3,
    ],
  ])("lists solutions in %s: %s", async (language, text, count) => {
    const answer = await models.solve(language, [text]);
    expect(answer).toMatchObject({ status: "sat", confirmed: true, solutions_found: count, optimal: null });
    expect(answer["message"]).toContain(`The program found ${count} solution`);
    expect(answer.warnings.join("\n")).toMatch(/ended its search for solutions.*unsat/);
  });

  it.each([
    ["ortools", `${model}m.add(x + y >= 3)\n${loop}m.add(x + y < s.value(x) + s.value(y))`, 3],
    ["ortools", `${model}m.add(x + y <= 5)\n${loop}m.add(2 * x + y >= s.value(2 * x + y) + 1)`, 8],
    ["cpmpy", `${several}while m.solve():\n    m += x[0] < x[0].value()`, 1],
    ["cpmpy", `${several}while m.solve():\n    m += x[1] - x[0] > (x[1] - x[0]).value()`, 2],
  ])("finds the best value in %s: %s", async (language, text, value) => {
    const answer = await models.solve(language, [text]);
    expect(answer).toMatchObject({ status: "sat", confirmed: true, optimal: true, objective_value: value });
  });

  it.each([
    ["z3", `${start}s.add(x >= 2, x <= 90)\nwhile s.check() == sat:\n    s.add(x <= s.model()[x].as_long() - 5)`, 7],
    [
      "z3",
      "r = Real('r')\ns = Solver()\ns.add(r >= 2, r <= 9)\nwhile True:\n    if s.check() != sat: break\n    s.add(r < s.model()[r] - 0.001)",
      2.001,
    ],
    ["ortools", `${model}${loop}m.add(x >= s.value(x) + 3)`, 1],
    ["cpmpy", `${several}while m.solve():\n    m += x[0] <= x[0].value() - 3`, 3],
    ["ortools", `${linear("add_variable(lb=2, ub=9")}${again}m.add_linear_constraint(x <= v - 0.5)`, 2.5],
  ])("finds the best value up to a step in %s: %s", async (language, text, most) => {
    const { objective_value, objective_bound, message, ...answer } = await models.solve(language, [text]);
    expect(answer).toMatchObject({ status: "sat", confirmed: true, optimal: false });
    expect(Number(objective_value)).toBeLessThanOrEqual(most);
    expect(message).toContain(`its last check, for one beyond ${objective_bound}, was unsat`);
  });

  it.each([
    [`${linear("add_integer_variable(lb=0, ub=3")}${again}m.add_linear_constraint(x <= v - 1)`, { objective_value: 0 }],
    [
      `${linear("add_integer_variable(lb=0, ub=3")}${again}m.add_linear_constraint(2 * x >= 2 * v + 2)`,
      { optimal: true },
    ],
    [`${linear("add_binary_variable(")}${bits_of(3)}${until_none}${exclude}`, { solutions_found: 3, optimal: null }],
    [`${linear("add_binary_variable(")}${bits_of(1)}${until_none}${exclude}`, { solutions_found: 1, optimal: null }],
    [
      `${linear("add_integer_variable(lb=0, ub=3")}m.maximize(x)\n${again}m.add_linear_constraint(x <= v - 1)`,
      { solutions_found: 4, optimal: true, objective_value: 3, model: { x: 3 } },
    ],
  ])("has its solutions in MathOpt: %s", async (text, expected) => {
    expect(await models.solve("ortools", [text])).toMatchObject({ status: "sat", confirmed: true, ...expected });
  });

  it("asks whether a solution of Boolean variables is the only one, which is no aim", async () => {
    const text = `${model}${bits.replace("m.add(x + y == 1)", "m.add(b[0] + b[1] == 2)")}s.solve(m)\nm.add(x == 1)\n`;
    const only = "s.solve(m)\nm.add(sum((1 - e) if s.value(e) else e for e in b) >= 1)\nprint(s.solve(m))";
    const answer = await models.solve("ortools", [text + only]);
    expect(answer).toMatchObject({ status: "sat", solutions_found: 1, optimal: null, objective_value: null });
  });

  it("counts what the priority pareto lists", async () => {
    const rules =
      "x, y = Ints('x y')\no = Optimize()\no.add(x >= 0, y >= 0, x + y <= 3)\no.maximize(x)\no.maximize(y)\n";
    const walk = "o.set(priority='pareto')\nwhile o.check() == sat:\n    print(o.model()[x], o.model()[y])";
    const { warnings, ...answer } = await models.solve("z3", [rules + walk]);
    expect(answer).toMatchObject({ status: "sat", confirmed: true, optimal: false, solutions_found: 4 });
    expect(answer.output).toHaveLength(4);
    expect(warnings.join("\n")).toMatch(/made 5 checks, and the last one ended its search.*4 times sat, unsat/);
  });

  it("is unsat in MathOpt after a row of its own, also if it is far from the last value", async () => {
    const text = `${linear("add_variable(lb=2, ub=9")}r = mathopt.solve(m, mathopt.SolverType.HIGHS)\nm.add_linear_constraint(x >= r.variable_values()[x] + 20)\nmathopt.solve(m, mathopt.SolverType.HIGHS)`;
    expect((await models.solve("ortools", [text])).status).toBe("unsat");
  });

  it.each([
    ["ortools", `${model}m.add(x + y == 4)\nfor more in [x >= 1, x >= 4]:\n    m.add(more)\n    print(s.solve(m))`],
    ["ortools", `${model}s.solve(m)\nm.add(x > s.value(x) + 5)\ns.solve(m)`],
    ["cpmpy", `${several}for n in [3, 4]:\n    m += x[0] == n\n    print(m.solve())`],
    [
      "cpmpy",
      `${several}m.solve()\nm.constraints[:] = []\nm += x[0] != x[0].value()\nm += x[0] == x[0].value()\nm.solve()`,
    ],
    [
      "pysat",
      "s = Glucose3(bootstrap_with=[[1, 2, 3]])\ns.solve()\nprint(s.get_model())\nfor l in [-1, -2, -3]: s.add_clause([l])\nprint(s.solve())",
    ],
    [
      "pysat",
      "s = Glucose3(bootstrap_with=[[1, 2, 3], [1]])\ns.solve()\nprint(s.get_model())\ns.add_clause([-1, -2])\ns.add_clause([-1, 2])\nprint(s.solve())",
    ],
  ])("is unsat, as its last solve was, in %s: %s", async (language, text) => {
    expect((await models.solve(language, [text])).status).toBe("unsat");
  });

  it.each([
    ["z3", `${start}s.add(x > 0, x < 4)\nwhile s.check() == sat:\n    print(s.model()[x])`],
    ["z3", "x = Int('x')\no = Optimize()\no.add(x < 4)\no.maximize(x)\nwhile o.check() == sat: pass"],
    ["ortools", `${model}${loop}print(s.value(x))`],
    ["ortools", `${model}m.maximize(x)\n${loop}m.add_hint(x, 1)\n    m.clear_hints()`],
    ["cpmpy", `${several}while m.solve(): pass`],
    ["cpmpy", `${several}s = cp.SolverLookup.get('ortools', m)\nwhile s.solve(): print(x.value())`],
    ["pysat", "s = Glucose3(bootstrap_with=[[1, 2]])\nwhile s.solve(): print(s.get_model())"],
    ["ortools", `${linear("add_binary_variable(")}${until_none}print(v[x])`],
  ])("is stopped where nothing changes in its loop, in %s: %s", async (language, text) => {
    const { code, error, position } = await models.fault(language, [text], 60_000);
    expect({ code, item: position?.item }).toEqual({ code: "input_rejected", item: 0 });
    expect(error).toContain("solved the same problem 300 times");
  });

  it.each([
    ["z3", `${start}s.add(x > 0)\ni = 0\nwhile i != 400:\n    s.set('random_seed', i)\n    s.check()\n    i += 1`],
    ["ortools", `${model}i = 0\nwhile i != 400:\n    s.parameters.random_seed = i\n    s.solve(m)\n    i += 1`],
    [
      "pysat",
      "s = Glucose3(bootstrap_with=[[1, 2]])\ni = 0\nwhile i != 400:\n    s.solve(assumptions=[[1], [2]][i % 2])\n    i += 1\nexport_solution(s)",
    ],
    ["z3", "x = Int('x')\ns = Solver()\ns.add(x > 1)\ni = 0\nwhile i < 310:\n    s.check()\n    i += 1"],
    [
      "z3",
      "x = Int('x')\ns = Solver()\ns.add(x > 1)\ndef value():\n    s.check()\n    return s.model()[x]\nprint([value() for _ in range(310)])",
    ],
  ])("is not stopped where it changes the question or ends by itself, in %s: %s", async (language, text) => {
    expect((await models.solve(language, [text], 60_000)).status).toBe("sat");
  });
});
