import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

describe.skipIf(!has_python)("the last check of a program in Z3's Python is its answer", () => {
  const models = fixture(shareModels);

  const solve = (...items: string[]) => models.solve("z3", items);
  const in_a_function = "def main():\n    s = Solver()\n    s.add(x > 3, x < 2)\n    print('plan:', s.check())\nmain()";

  it.each([
    ["a solver of the module that was checked", "warm_up = Solver()\nwarm_up.add(x > 0)\nprint(warm_up.check())", 2],
    ["a solver of the module that was not", "unused = Solver()", 1],
  ])("in a function, beside %s", async (_, other, count) => {
    const { status, confirmed, warnings, output } = await solve("x = Int('x')", other, in_a_function);
    expect({ status, confirmed, last: output.at(-1) }).toEqual({
      status: "unsat",
      confirmed: true,
      last: "plan: unsat",
    });
    expect(warnings.filter((each) => each.includes("The program made 2 checks"))).toHaveLength(count - 1);
  });

  it("is not what a tactic decides, which is told", async () => {
    const goal = "g = Goal()\ng.add(x > 3, x < 2)\nprint(Then('simplify', 'smt')(g)[0].inconsistent())";
    const { status, warnings, output } = await solve("x = Int('x')\ns = Solver()\ns.add(x > 0)\ns.check()", goal);
    expect([status, output]).toEqual(["sat", ["True"]]);
    expect(warnings).toEqual([expect.stringMatching(/^item 1, line 3: this tactic decided its goal \(unsat\)/)]);
  });

  it("and all checks are counted, those too that ask the same again", async () => {
    const checks = "s = Solver()\ns.add(x > 0)\nprint(s.check(), s.check(), s.check())\ns.add(x < 0)\ns.check()";
    expect((await solve("x = Int('x')", checks)).warnings.join()).toContain("The program made 4 checks");
  });

  it("in a function, though a solver of the module is unsat", async () => {
    const other = "s = Solver()\ns.add(x > 1, x < 1)\nprint(s.check())";
    const sat = "def main():\n    t = Solver()\n    t.add(x == 4)\n    print(t.check(), t.model())\nmain()";
    const { status, model, confirmed, warnings } = await solve("x = Int('x')", other, sat);
    expect({ status, model, confirmed }).toEqual({ status: "sat", model: { x: 4 }, confirmed: true });
    expect(warnings).toEqual([expect.stringContaining("item 1, line 3: unsat; item 2, line 4: sat")]);
  });

  it("with the constraints that it had then: pop and reset take nothing from it", async () => {
    const checked = "x = Int('x')\ns = Solver()\ns.add(x > 0)\ns.push()\ns.add(x < 0)\nprint(s.check())";
    const { status, unsat_items, confirmed } = await solve(`${checked}\ns.pop()`);
    expect({ status, unsat_items, confirmed }).toMatchObject({
      status: "unsat",
      unsat_items: [{ line: 3 }, { line: 5 }],
      confirmed: true,
    });
    const later = await solve(`${checked}\ns.reset()`, "s.add(x > 5)");
    expect(later.status).toBe("unsat");
    expect(later.warnings).toEqual([expect.stringContaining("item 1, line 1: this was added to the solver after")]);
    const sat = "x = Int('x')\ns = Solver()\ns.add(x > 0)\ns.push()\ns.add(x == 7)\nprint(s.check())\ns.pop()";
    expect(await solve(sat)).toMatchObject({ status: "sat", model: { x: 7 }, confirmed: true });
  });

  it("with the lines that stated its constraints then: not those of another solver or of a scope that ended", async () => {
    const begun = "x, y = Ints('x y')\ns = Solver()\ns.push()\n";
    for (const program of [
      `${begun}s.assert_and_track(x > 0, 'a')\ns.check()\ns.pop()\ns.assert_and_track(y > 5, 'a')\ns.assert_and_track(y < 3, 'b')\ns.check()`,
      `${begun}s.add(x > 5)\ns.check()\ns.pop()\ns.add(x > 5)\ns.add(x < 3)\ns.check()`,
      `${begun}s.add(x > 5)\ns.check()\nt = Solver()\nt.add(x > 5)\nt.add(x < 3)\nt.check()`,
    ]) {
      const answer = await models.solve("z3", [program], undefined, { why: true });
      const lines = [{ line: 7 }, { line: 8 }];
      expect(answer).toMatchObject({ status: "unsat", unsat_items: lines, why: { core: lines }, confirmed: true });
    }
  });

  it("without the constants of other solvers", async () => {
    const both =
      "x, y = Ints('x y')\ns, t = Solver(), Solver()\ns.add(x == 1)\nprint(s.check())\nt.add(y == 7, y >= 0)\n";
    expect((await solve(`${both}t.check()`)).model).toEqual({ y: 7 });
    const counted = await models.solve("z3", [`${both}t.check()`], undefined, { count: true });
    expect(counted).toMatchObject({ count: { number: 1, exact: true, over: ["y"] } });
  });

  it("though not that of prove(…), beside a solver that it did not check", async () => {
    const { status, warnings } = await solve("x = Int('x')\ns = Solver()\ns.add(x > 0, x < 0)\nprove(x > 0)");
    expect(status).toBe("unsat");
    expect(warnings.join()).toContain("it is not that of prove(…)");
  });

  it("with a name that tracked another constraint in a scope that ended", async () => {
    const scope = "s = Solver()\ns.push()\ns.assert_and_track(Int('x') > 0, 'a')\ns.check()\ns.pop()";
    expect(await solve(scope, "s.add(Bool('a'))\ns.check()")).toMatchObject({ status: "sat", confirmed: true });
  });

  it("with the objectives that it had then", async () => {
    const optimum = "x = Int('x')\no = Optimize()\no.add(x < 9, x > 2)\no.push()\no.maximize(x)\no.check()\no.pop()";
    expect(await solve(`${optimum}\no.minimize(x)`)).toMatchObject({
      status: "sat",
      model: { x: 8 },
      objective_value: 8,
      optimal: true,
      confirmed: true,
    });
  });

  it.each([
    [
      "a loop over horizons",
      "def fits(n):\n    s = Solver()\n    s.add([And(0 <= t, t < n) for t in ts])\n    s.add(Distinct(ts))\n    return s.check() == sat\nn = 1\nwhile not fits(n):\n    n += 1",
      { status: "sat", confirmed: true },
    ],
    ["two proofs", "prove(ts[0] + 1 > ts[0])\nprove(ts[0] > ts[0] - 1)", { status: "unsat", confirmed: true }],
    [
      "a Solver and then an Optimize",
      "s = Solver()\ns.add(ts[0] > 3, ts[0] < 9)\ns.check()\no = Optimize()\no.add(s.assertions())\no.maximize(ts[0])\no.check()",
      { status: "sat", objective_value: 8, optimal: true, confirmed: true },
    ],
    [
      "a class that is used twice",
      "class Plan:\n    def __init__(self, least):\n        self.s = Solver()\n        self.s.add(ts[0] > least, ts[0] < 4)\n        print(self.s.check())\nPlan(0)\nPlan(3)",
      { status: "unsat", confirmed: true },
    ],
  ])("of several solvers: %s", async (_, program, answer) => {
    const { warnings, ...rest } = await solve("ts = Ints('a b c')", program);
    expect(rest).toMatchObject(answer);
    expect(warnings.join()).toMatch(/The program made [23] checks/);
  });
});
