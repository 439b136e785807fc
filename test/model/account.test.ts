import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { privatePython } from "../support/python.ts";

/** Each program with what is found in it, or nothing. */
type Case = readonly [what: string, language: string, program: string, ...findings: string[]];

const cp_sat = `from ortools.sat.python import cp_model
m = cp_model.CpModel()
x = [m.new_int_var(0, 9, f"x{i}") for i in range(3)]
b = m.new_bool_var("b")
m.add(sum(x) >= 4)
`;
const cpmpy = `import cpmpy as cp
x = cp.intvar(0, 9, shape=3, name="x")
b = cp.boolvar(name="b")
m = cp.Model(cp.sum(x) >= 4)
`;
const in_z3 = `from z3 import *
x, y = Ints("x y")
s = Solver()
s.add(x >= 0, x <= 9, y >= 0, y <= 9)
s.add(x + y >= 4)
`;
const always = "the domains of the variables alone ensure that this constraint is true: it excludes nothing.";
const same = "this states the same as item 0, line 5: remove one of the two.";
const pairs = `for i in range(3):
    for j in range(3):
        if i != j: m.add(x[i] != x[j])`;

const cases: readonly Case[] = [
  ["a value outside of a domain", "ortools", "m.add(x[0] != 12)", `line 6: ${always} x0 is between 0 and 9.`],
  ["the same in CPMpy", "cpmpy", "m += x[0] != 12\nm.solve()", `line 5: ${always} x[0] is between 0 and 9.`],
  ["the same in Z3", "z3", "s.add(x != 12)\ns.check()", `line 6: ${always} x is between 0 and 9.`],
  [
    "a capacity that is never reached",
    "ortools",
    "m.add(x[0] + x[1] <= 40)",
    `line 6: ${always} x0 + x1 is between 0 and 18.`,
  ],
  [
    "a condition that is never met",
    "cpmpy",
    "m += (x[0] == 12).implies(b)\nm.solve()",
    "line 5: `x[0] == 12` is never true here. x[0] is between 0 and 9.",
  ],
  [
    "what can't follow",
    "ortools",
    "m.add(x[0] == 12).only_enforce_if(b)",
    "line 6: `x0 == 12` is never true here. x0 is between 0 and 9.",
  ],
  [
    "the same in Z3",
    "z3",
    "s.add(Implies(x > 3, y == 20))\ns.check()",
    "line 6: `y == 20` is never true here. y is between 0 and 9.",
  ],
  ["a line twice", "ortools", "m.add(x[2] + x[1] + x[0] >= 4)", `line 6: ${same}`],
  [
    "pairs in both orders",
    "ortools",
    pairs,
    "line 8: each constraint of this line is stated twice, as by a loop over (i, j) and (j, i): half of the cases is enough.",
  ],
  [
    "a big M",
    "ortools",
    "m.add(x[0] <= 5 + 1_000_000 * b)",
    "line 6: the factor 1000000 of b is 250000 times the necessary value: 4 is enough, and a smaller one solves better.",
  ],
  [
    "an objective by itself",
    "ortools",
    "m.minimize(b)",
    "no constraint contains a variable of the objective (b): its best value follows from the domains alone.",
  ],
  [
    "needed parentheses",
    "cpmpy",
    "m += ((x[0] + x[1]) * x[2] >= 900).implies(b)\nm.solve()",
    "line 5: `900 <= (x[0] + x[1]) * x[2]` is never true here.",
  ],
  // What is common and right.
  ["a factor that both ends of a sum need", "ortools", "u = m.new_int_var(0, 1, 'u')\nm.add(u == 100_000 * b)"],
  ["a bound of one variable", "ortools", "m.add(x[0] >= 0)\nm.add(x[1] <= 20)\nm.minimize(x[0])"],
  ["a loop of which some cases are always true", "ortools", "for k in (3, 12): m.add(x[0] != k)"],
  [
    "a value that some cases of a loop miss",
    "cpmpy",
    "m += [(x[0] == k).implies(x[1] == k) for k in range(12)]\nm.solve()",
  ],
  ["a division that can be undefined", "cpmpy", "m += cp.abs(x[0] // x[1]) >= 0\nm.solve()"],
  ["a capacity behind a switch", "ortools", "m.add(x[0] <= 5 * b)"],
  ["pairs once", "ortools", pairs.replace("i != j", "i < j")],
  ["a fraction", "z3", "s.add(Implies(ToReal(x) <= 2.5, y > 3))\ns.check()"],
  ["no bounds", "z3", "s.add(Int('z') != 12)\ns.check()"],
];

describe.skipIf(!has_python)("what is said of a model beside its verdict", () => {
  const models = fixture(shareModels);

  const solved = (language: string, program: string) => {
    const begin = { ortools: cp_sat, cpmpy, z3: in_z3 }[language] ?? "";
    return models.solve(language, [`${begin}${program}`]);
  };

  it.each(cases)("names a line by its place: %s, in %s", async (_what, language, program, ...findings) => {
    const placed = findings.map((each) => (each.startsWith("line") ? `item 0, ${each}` : each));
    // The looks have a second together, whatever the time of the call: on a busy machine some find nothing, or less.
    const answer = await withEnoughTime(
      () => solved(language, program),
      ({ warnings }) => JSON.stringify(warnings) === JSON.stringify(placed),
      1_000,
      5,
    );
    expect(answer).toMatchObject({ status: "sat", confirmed: true });
    expect(answer.warnings).toEqual(placed);
  });

  it.each<readonly [string, Record<string, unknown>, ...string[]]>([
    [
      "m.add(x[0] <= 120)",
      { capacity: 120 },
      "the program does not read data['capacity']. Item 0, line 6 has its value 120 as a number.",
    ],
    ["m.add(x[0] <= data['low'])", { low: 7, need: 4 }, "the program does not read data['need']."],
    // A column of the same name reads no data.
    [
      "m.add(x[0] <= sum(row['cap'] for row in data['rows']))",
      { rows: [{ cap: 7 }], cap: 9 },
      "the program does not read data['cap'].",
    ],
    ["d = data\nm.add(x[0] <= d['low'])", { low: 7, need: 4 }, "the program does not read data['need']."],
    [
      "data = {'most': 9} | data | {'more': 1}\nm.add(x[0] <= data.copy().pop('low') + data['more'])",
      { low: 7, need: 4 },
      "the program does not read data['need'].",
    ],
    // What is read.
    ["def limit(low, need): return low\nm.add(x[0] <= limit(**data))", { low: 7, need: 4 }],
    ["all_of = {**data, 'more': 1}\nm.add(x[0] <= all_of['low'])", { low: 7, need: 4 }],
    ["m.add(x[0] <= sum(data[name] for name in data))", { low: 7, need: 4 }],
    ["m.add(x[0] <= dict(data)['low'])", { low: 7, need: 4 }],
    ["import pandas as pd\ngetattr(pd, 'read_csv')('staff.csv')", { staff: [{ name: "Anna" }] }],
    ["m.add(x[0] <= globals()['data']['low'])", { low: 7 }],
    ["for row in open('staff.csv'): pass\nopen = [1]\nm.add(x[open[0]] <= 1)", { staff: [{ name: "Anna" }] }],
    ["name = 'staff.csv'\nfor row in open(name): pass\nopen = [1]", { staff: [{ name: "Anna" }] }],
    ["m.add(x[0] <= data['low'] + data.get('more', 0))", { low: 7, more: 1 }],
    ["for row in open('staff.csv'): pass", { staff: [{ name: "Anna" }] }],
    ["low, high = data.values()\nm.add(x[0] <= high)", { low: 1, high: 12 }],
    ["for i in (1, 2): open(f'week_{i}.json')", { week_1: [12], week_2: [34] }],
    ["import pandas as pd\nfor name in ('a' + 'b',): pd.read_csv(name + '.csv')", { ab: [{ n: 12 }] }],
    ["open = [1]\nm.add(x[open[0]] <= data['low'])", { low: 7, need: 4 }, "the program does not read data['need']."],
  ])("names data that a program does not read: %s", async (program, data, ...warnings) => {
    const answer = await models.call("solve", { language: "ortools", model: `${cp_sat}${program}`, data });
    expect(answer).toMatchObject({ status: "sat", warnings });
  });

  it("shows the first three, and all of more in a field of their own", async () => {
    const answer = await solved("ortools", [12, 13, 14, 15].map((k) => `m.add(x[0] != ${k})`).join("\n"));
    const findings = [6, 7, 8, 9].map((line) => `item 0, line ${line}: ${always} x0 is between 0 and 9.`);
    expect(answer).toMatchObject({ warnings: findings.slice(0, 3), findings });
  });

  it.each([
    [
      "CP-SAT, with decimals and a constant",
      "ortools",
      "m.add(x[0] == 2)\nm.add(x[1] == 3)\nm.minimize(1.5 * x[0] + 4 * x[1] + x[2] + 7)",
      [
        { term: "x1", weight: 4, value: 3, cost: 12 },
        { term: "constant", cost: 7 },
        { term: "x0", weight: 1.5, value: 2, cost: 3 },
      ],
    ],
    [
      "CP-SAT, where a variable stands for the sum",
      "ortools",
      "t = m.new_int_var(0, 100, 't')\nm.add(t == 3 * x[0] + 2 * b)\nm.add(x[0] == 2)\nm.add(b == 1)\nm.minimize(t)",
      [
        { term: "x0", weight: 3, value: 2, cost: 6 },
        { term: "b", weight: 2, value: 1, cost: 2 },
      ],
    ],
    [
      "CPMpy, with comparisons",
      "cpmpy",
      "m += x[0] == 4\nm += x[1] == 5\nm.maximize(10 * (x[0] == 4) - 3 * x[1] + 2 * (x[1] == 6))\nm.solve()",
      [
        { term: "x[1]", weight: -3, value: 5, cost: -15 },
        { term: "x[0] == 4", weight: 10, value: 1, cost: 10 },
      ],
    ],
    [
      "CPMpy, with products of sums",
      "cpmpy",
      "m += x[0] == 4\nm += x[1] == 5\nm += x[2] == 2\nm.maximize((x[0] + x[1]) * x[2] + 5 * ((x[0] == 4) & ((x[1] == 5) | b)))\nm.solve()",
      [
        { term: "(x[0] + x[1]) * x[2]", weight: 1, value: 18, cost: 18 },
        { term: "x[0] == 4 and (x[1] == 5 or b)", weight: 5, value: 1, cost: 5 },
      ],
    ],
    [
      "Z3's soft constraints",
      "z3",
      "o = Optimize()\no.add(x == 1, y == 2)\no.add_soft(x > 5, 3)\no.add_soft(y > 5, 2)\no.add_soft(y > 1, 9)\no.check()",
      [
        { term: "5 >= x", weight: 3, value: 1, cost: 3 },
        { term: "5 >= y", weight: 2, value: 1, cost: 2 },
      ],
    ],
    [
      "soft clauses of PySAT",
      "pysat",
      `from pysat.formula import WCNF, IDPool
from pysat.examples.rc2 import RC2
p = IDPool()
a, b = p.id("ann works"), p.id("bob works")
w = WCNF()
w.append([-a]); w.append([-b, a])
w.append([a], weight=3); w.append([b, a], weight=5); w.append([-b], weight=8)
r = RC2(w)
export_solution({"satisfiable": True, "model": r.compute(), "objective": r.cost})`,
      [
        { term: "broken: bob works or ann works", weight: 5, value: 1, cost: 5 },
        { term: "broken: ann works", weight: 3, value: 1, cost: 3 },
      ],
    ],
  ])("lists what the objective is made of: %s", async (_what, language, program, objective_terms) => {
    const answer = await solved(language, program);
    expect(answer).toMatchObject({ status: "sat", optimal: true, objective_terms });
    expect(objective_terms.reduce((sum, { cost }) => sum + cost, 0)).toBe(answer["objective_value"]);
  });

  it("lists the ten largest of many terms, and the rest together", async () => {
    const program = "v = [m.new_int_var(i, i, f'v{i}') for i in range(1, 15)]\nm.minimize(sum(v))";
    const { objective_terms: terms = [] } = await solved("ortools", program);
    expect(terms).toHaveLength(11);
    expect(terms).toMatchObject({ 0: { term: "v14", cost: 14 }, 10: { term: "4 more", cost: 1 + 2 + 3 + 4 } });
  });

  const diet = (goal: string, rows: readonly number[], upper: number) => `from ortools.math_opt.python import mathopt
m = mathopt.Model()
x, y, z = (m.add_variable(lb=0, ub=${upper}, name=n) for n in "xyz")
m.add_linear_constraint(x + y + z <= ${rows[0]})
m.add_linear_constraint(2 * x + y >= ${rows[1]})
m.add_linear_constraint(y - z == ${rows[2]})
m.${goal}
mathopt.solve(m, mathopt.SolverType.GLOP)`;

  it.each(["maximize(3 * x + 5 * y + 0.5 * z)", "minimize(3 * x + 5 * y + 2 * z)", "maximize(x - 4 * y)"])(
    "says what a unit more of a bound is worth, as solving once more does: %s",
    async (goal) => {
      const [rows, upper, step] = [[12, 3, 1.5], 7, 0.01];
      const best = await models.solve("ortools", [diet(goal, rows, upper)]);
      const prices = z
        .array(z.object({ bound: z.string(), line: z.int().optional(), price: z.number() }))
        .parse(best["shadow_prices"]);
      expect(prices.length).toBeGreaterThan(1);
      const priceOf = (line: number) => prices.find((each) => each.line === line)?.price ?? 0;
      for (const row of [0, 1, 2]) {
        const more = await models.solve("ortools", [diet(goal, rows.with(row, (rows[row] ?? 0) + step), upper)]);
        const change = Number(more["objective_value"]) - Number(best["objective_value"]);
        expect(change, `row ${row}`).toBeCloseTo(step * priceOf(4 + row), 6);
      }
      const uppers = prices.filter(({ bound }) => bound.endsWith(`<= ${upper}`));
      const more = await models.solve("ortools", [diet(goal, rows, upper + step)]);
      const change = Number(more["objective_value"]) - Number(best["objective_value"]);
      expect(change).toBeCloseTo(step * uppers.reduce((sum, { price }) => sum + price, 0), 6);
    },
  );

  it("does not count a real number in 0..1 as a truth value", async () => {
    const answer = await models.solve("ortools", [
      `from ortools.math_opt.python import mathopt
m = mathopt.Model()
x, y = (m.add_variable(lb=0, ub=u, name=n) for u, n in ((1, "x"), (9, "y")))
m.add_linear_constraint(y <= 5 + 1_000_000 * x)
m.maximize(y - x)
mathopt.solve(m, mathopt.SolverType.GLOP)`,
    ]);
    expect(answer).toMatchObject({ status: "sat", warnings: [] });
  });

  it("gives no prices to bounds of whole numbers", async () => {
    const whole = diet("maximize(3 * x)", [12, 3, 1.5], 7)
      .replace("m.add_variable(", "m.add_integer_variable(")
      .replace("GLOP", "HIGHS");
    const answer = await models.solve("ortools", [whole.replace("y - z == 1.5", "y - z == 1")]);
    expect(answer).toMatchObject({ status: "sat", objective_value: 21 });
    expect(answer).not.toHaveProperty("shadow_prices");
  });

  it("knows what a sum can be, with fractions too", async () => {
    const program = `
import itertools, random
from fractions import Fraction
from verdict_runner.evidence.defects import bounds
chance = random.Random(34)
number = lambda: chance.choice([chance.randint(-9, 9), Fraction(chance.randint(-9, 9), 4), 2.5])
for _ in range(300):
    domains = [sorted(chance.sample(range(-5, 6), 3)) for _ in range(3)]
    weights, offset = [number() for _ in range(4)], number()
    node = ["linear", weights, [["v", 0], ["neg", ["v", 1]], ["v", 2], number()], offset]
    def value(of, x):
        if not isinstance(of, list): return Fraction(of)
        if of[0] == "v": return Fraction(x[of[1]])
        if of[0] == "neg": return -value(of[1], x)
        return sum((Fraction(w) * value(each, x) for w, each in zip(of[1], of[2])), Fraction(of[3]))
    values = [value(node, x) for x in itertools.product(*domains)]
    assert bounds(node, domains) == (min(values), max(values)), (node, domains)
`;
    const { python } = await privatePython();
    const { status, stderr } = spawnSync(python, ["-c", program], { cwd: "python", encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("says nothing of an objective that is one variable", async () => {
    expect(await solved("ortools", "m.minimize(x[0])")).not.toHaveProperty("objective_terms");
  });
});
