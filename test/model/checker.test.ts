import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { isChecker } from "../../src/tools/model/checker/item.ts";
import { solve_output } from "../../src/tools/model/solution/solve_answer.ts";
import { renderSolve } from "../../src/tools/model/solution/solve_text.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

/** A checker: plain Python over the values of an answer, written from the text, in a model of any language. */

const models = fixture(shareModels);

/** The same small problem: x and y from 0 to 9 with x + y = 10. The text also wants x below y. */
const programs: Record<string, readonly string[]> = {
  minizinc: ["var 0..9: x; var 0..9: y;", "constraint x + y = 10; constraint x > 6;"],
  z3: ["x, y = Ints('x y')\ns = Solver()", "s.add(x >= 0, x <= 9, y >= 0, y <= 9, x + y == 10, x > 6)", "s.check()"],
  cpmpy: [
    "x = cp.intvar(0, 9, name='x')\ny = cp.intvar(0, 9, name='y')",
    "m = cp.Model(x + y == 10, x > 6)\nm.solve()",
  ],
  ortools: [
    "m = cp_model.CpModel()\nx = m.new_int_var(0, 9, 'x')\ny = m.new_int_var(0, 9, 'y')",
    "m.add(x + y == 10)\nm.add(x > 6)\ncp_model.CpSolver().solve(m)",
  ],
  pysat: [
    "from pysat.solvers import Solver",
    "with Solver(name='g4', bootstrap_with=[[1], [-2]]) as s:\n    s.solve()\n    export_solution({'satisfiable': True, 'x': 8, 'y': 2})",
  ],
  asp: ["n(0..9).", "1 { x(N) : n(N), N > 6 } 1. y(10 - N) :- x(N).", "#show x/1. #show y/1."],
};
/** In answer sets a name has the list of its arguments. */
const checker = `def violations(values, data):
    x, y = (v[0][0] if isinstance(v, list) else v for v in (values["x"], values["y"]))
    if x + y != 10:
        yield "the sum is 10"
    if x >= y:
        yield f"x is below y, by {x - y + 1}"
`;
const passing = 'def violations(values, data):\n    if "x" not in values:\n        yield "no x"\n';

describe("an item", () => {
  const sign = "def violations(values, data):\n    yield 'no'\n";
  it.each([
    [
      "functions, constants and imports",
      `import math\nDAYS = [\n    "Mon",\n]\n\n\ndef most(n):\n    return 2\n\n\n${sign}`,
      true,
    ],
    ["many indented lines", `def long():\n${"    x = 1\n".repeat(5_000)}\n${sign}`, true],
    ["other statements", `x = Int("x")\n${sign}`, false],
    ["imports of a library", `from z3 import *\ndef f():\n    pass\n${sign}`, false],
    ["a function, and other parameters", "def f():\n    pass\ndef violations(x):\n    return x\n", false],
  ])("is a checker or not after %s", (_what, item, is_one) => {
    expect(isChecker(item)).toBe(is_one);
  });
});

describe.skipIf(!has_python)("a checker", () => {
  it.each(Object.keys(programs))("is run on the answer of a model in %s", async (language) => {
    const items = [...(programs[language] ?? []), checker];
    const answer = await models.solve(language, items);
    expect([answer.status, answer["optimal"], answer["checker"], answer["violations"]]).toEqual([
      "sat",
      null,
      { status: "violated", checked: 1, violated: 1 },
      [expect.stringMatching(/^x is below y, by \d$/)],
    ]);
    expect(answer["message"]).toContain("The values violate rules of the checker");
    const passed = await models.solve(language, [...(programs[language] ?? []), passing]);
    expect([passed["checker"], passed["violations"]]).toMatchObject([
      { status: "passed", checked: 1, violated: 0 },
      undefined,
    ]);
  });
});

const one = ["var 1..3: x;", "solve satisfy;"];
const one_in_z3 = ["x = Int('x')\ns = Solver()", "s.add(x == 1)\ns.check()"];
const says = (body: string) => `def violations(values, data):\n    ${body.replaceAll("\n", "\n    ")}\n`;

interface Answer {
  readonly status: string;
  readonly checker: { readonly status: string; readonly reason?: string | undefined };
  readonly violations?: readonly string[] | undefined;
}

/** A small model with this checker, solved in one call. */
async function checked(text: string, more: object = {}): Promise<Answer> {
  const answer = await models.call("solve", { language: "z3", items: one_in_z3, checker: text, ...more });
  return z.looseObject(answer_shape).parse(answer);
}
const answer_shape = {
  status: z.string(),
  checker: z.object({ status: z.string(), reason: z.string().optional() }),
  violations: z.array(z.string()).optional(),
};

describe.skipIf(!has_python)("a checker that goes wrong", () => {
  it.each([
    [
      "raises",
      "x = 1\nreturn [values['nope']]",
      /^item 2, line 3: KeyError: 'nope'\. Steps: use one of the names in values: x/,
    ],
    [
      "misspells a name",
      "return [values['X']]",
      /KeyError: 'X'. Steps: write 'x' instead of 'X'; the names in values are: x/,
    ],
    ["returns nothing", "return None", /returned None instead of yielding strings/],
    ["returns a text", "return 'broken'", /returned a value of type str/],
    ["yields a truth", "yield values['x'] > 9", /yielded False, which names no rule/],
    ["ends the process", "raise SystemExit(0)", /^item 2, line 2: SystemExit/],
    ["uses up memory", "yield len(bytearray(10 ** 12))", /memory/],
    ["recurses", "def f(): return f()\nyield f()", /RecursionError/],
    ["reaches for the machine", "yield getattr(print, '__' + 'self__')", /item 2, line 2: /],
  ])("that %s is named with its line, and the answer is given as not checked", async (_, body, reason) => {
    const { status, checker, violations } = await checked(says(body));
    expect([status, checker.status, violations]).toEqual(["sat", "failed", undefined]);
    expect(checker.reason).toMatch(reason);
  });

  it.each([
    ["never ends", "while True:\n    pass", /^item 2, line [23]: TimeoutError: it did not finish/],
    [
      "catches all, and never ends",
      "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
      /did not finish/,
    ],
    ["drops the interruption", "try:\n    while True: pass\nfinally:\n    return []", /did not finish/],
  ])("that %s ends with its share of the time", async (_, body, reason) => {
    const { status, checker } = await checked(says(body), { timeout_ms: 3_000 });
    expect([status, checker.status]).toEqual(["sat", "failed"]);
    expect(checker.reason).toMatch(reason);
  });

  it("that prints 100 MB, yields a huge text and never stops yielding gives the beginning", async () => {
    const body = "for _ in range(100):\n    print('x' * 10 ** 6)\nyield 'y' * 10 ** 7\nwhile True:\n    yield 'again'";
    const { checker, violations = [] } = await checked(says(body));
    expect([checker.status, violations[0], violations[1]]).toEqual(["violated", "y".repeat(300), "again"]);
    expect(violations.length).toBeLessThan(60);
  });

  it("that breaks in the middle gives what it yielded for earlier solutions, and its fault", async () => {
    const body = "if values['x'] == 3:\n    raise ValueError(3)\nif values['x'] == 2:\n    yield 'two'";
    const answer = await checked(says(body), { language: "minizinc", items: one, all_solutions: true });
    expect([answer.checker.status, answer.violations]).toEqual(["violated", ["solution 1: two"]]);
    expect(answer.checker.reason).toMatch(/ValueError: 3/);
  });

  it("that changes its values changes neither those of the next solution nor the answer", async () => {
    const body = "data.setdefault('seen', []).append(1)\nif len(data['seen']) > 1:\n    yield 'kept'\nvalues['x'] = 7";
    const answer = await models.call("solve", {
      ...{ language: "minizinc", items: one, all_solutions: true },
      checker: says(body),
    });
    expect(answer).toMatchObject({
      checker: { status: "passed", checked: 3 },
      solutions: [{ x: 1 }, { x: 2 }, { x: 3 }],
    });
  });

  it.each([
    ["imports os", "import os\ndef violations(values, data):\n    yield os.getcwd()", "invalid_argument"],
    ["imports os inside", says("import os\nyield os.getcwd()"), "forbidden"],
    ["opens a file", says("yield open('/etc/passwd').read()"), "forbidden"],
    ["is not Python", "def violations(values, data):\n    yield 'a' b", "syntax_error"],
    ["takes too much", "def violations(values, data, more):\n    yield 'a'", "input_rejected"],
    ["takes too little", "def violations(values):\n    yield 'a'", "input_rejected"],
    ["is none", "def check(values, data):\n    yield 'a'", "invalid_argument"],
  ])("that %s is refused", async (_, text, code) => {
    await expect(checked(text)).rejects.toMatchObject({ code });
  });
});

describe.skipIf(!has_python)("the checker of a model", () => {
  it("is an item that can be added, replaced and deleted, and keeps the numbers of the others", async () => {
    await models.call("clear_model", { language: "minizinc" });
    await models.call("add_item", { item: one[0] });
    const first = await models.call("add_item", { item: says("if values['x'] > 0:\n    yield 'positive'") });
    expect(first["index"]).toBe(1);
    await models.call("add_item", { item: "constraint x > 2;" });
    expect(await models.call("solve_model")).toMatchObject({ model: { x: 3 }, violations: ["positive"] });
    await expect(models.call("add_item", { item: passing })).rejects.toMatchObject({
      code: "input_rejected",
      position: { item: 3 },
    });
    await models.call("replace_item", { index: 1, new_item: `# From the text.\nimport math\n${passing}` });
    expect(await models.call("solve_model")).toMatchObject({ checker: { status: "passed" } });
    expect(await models.call("get_model")).toMatchObject({ item_count: 3 });
    await expect(models.call("add_item", { item: "constraint x > y;" })).rejects.toMatchObject({
      position: { item: 3 },
    });
    await models.call("delete_item", { index: 1 });
    expect(await models.call("solve_model")).not.toHaveProperty("checker");
  });

  it("sees the data of the call, and a table as a list of dicts", async () => {
    const text = says(
      "for row in data['staff']:\n    if row['hours'] > values['x']:\n        yield f\"{row['name']} has {row['hours']} h\"",
    );
    const staff = [
      { name: "Anna", hours: 2 },
      { name: "Ben", hours: 4 },
    ];
    const items = ["x = Int('x')\ns = Solver()\ns.add(x == 3)\ns.check()"];
    const answer = await models.call("solve", { language: "z3", items, checker: text, data: { staff } });
    expect(answer).toMatchObject({ violations: ["Ben has 4 h"], checker: { status: "violated" } });
  });

  it("sees exact numbers as the answer shows them", async () => {
    const text = says(
      "from fractions import Fraction\nyield str([Fraction(values['x']) * 3, int(values['n']) - 10 ** 20])",
    );
    const items = ["x, n = Real('x'), Int('n')\ns = Solver()\ns.add(3 * x == 1, n == 10 ** 20 + 1)\ns.check()"];
    expect(await models.call("solve", { language: "z3", items, checker: text })).toMatchObject({
      violations: ["[Fraction(1, 1), 1]"],
    });
  });

  it("is said in the first lines of the text, and an optimum that breaks it is not optimal", async () => {
    const items = ["var 1..3: x;", "solve maximize x;"];
    const tool = {
      language: "minizinc",
      items,
      checker: says("if values['x'] > 2:\n    yield 'x is at most 2, by 1'"),
    };
    const answer = await models.call("solve", tool);
    expect(answer).toMatchObject({ status: "sat", optimal: null, model: { x: 3 }, objective: 3 });
    expect(await models.call("get_solution", { name: "x" })).toMatchObject({
      value: 3,
      warnings: ["The values violate rules of the checker: x is at most 2, by 1"],
    });
    const [text] = renderSolve(solve_output.parse(answer));
    expect(text.split("\n").slice(0, 3)).toEqual([
      "sat, but the values violate rules of the checker",
      expect.stringContaining("The values violate rules of the checker, although the model allows it"),
      "violation: x is at most 2, by 1",
    ]);
  });

  it("fails on an answer that shows no values", async () => {
    const tool = { language: "cpmpy", items: ["m = cp.Model()\nx = cp.intvar(0, 3, name='x')"], checker: passing };
    expect(await models.call("solve", tool)).toMatchObject({
      status: "sat",
      checker: { status: "failed", checked: 0, reason: expect.stringContaining("shows no values") },
    });
  });

  it("is not asked without a solution, and a model of a checker alone is empty", async () => {
    const items = ["var 1..3: x;", "constraint x > 3;"];
    const answer = await models.call("solve", { language: "minizinc", items, checker: passing });
    expect(answer).toMatchObject({ status: "unsat" });
    expect(answer).not.toHaveProperty("checker");
    await models.call("clear_model", { language: "minizinc" });
    await models.call("add_item", { item: passing });
    await expect(models.call("solve_model")).rejects.toMatchObject({ code: "input_rejected" });
  });
});

describe.skipIf(!has_python)("a checker is tested on changed answers", () => {
  const items = ["x, y, z = Ints('x y z')\ns = Solver()", "s.add(x + y == 10, x == 4, z == 1)\ns.check()"];
  const test = async (body: string) => {
    const answer = await models.call("solve", { language: "z3", items, checker: says(body) });
    return { ...answer_shapes.parse(answer).checker.mutants, warnings: answer["warnings"] };
  };
  const answer_shapes = z.looseObject({
    checker: z.object({ mutants: z.object({ tried: z.int(), noticed: z.int() }) }),
  });

  it("and one that accepts them all may check nothing", async () => {
    const { tried, noticed, warnings } = await test("if values['x'] > 100:\n    yield 'large'");
    expect([tried > 5, noticed]).toEqual([true, 0]);
    expect(warnings).toEqual([expect.stringContaining(`accepts all ${tried} answers`)]);
  });

  it("and a value that it never looks at is named", async () => {
    const { tried, noticed, warnings } = await test("if values['x'] + values['y'] != 10:\n    yield 'the sum is 10'");
    expect(noticed).toBeGreaterThan(0);
    expect(noticed).toBeLessThan(tried);
    expect(warnings).toEqual([expect.stringContaining("never notices a change of: z.")]);
  });

  it("and a value that the model leaves free, too, is not", async () => {
    const middle = "solve :: int_search([z, x, y], input_order, indomain_median) satisfy;";
    const free = ["var 1..9: x; var 1..9: y; var -99..99: z;", "constraint x + y = 10;", middle];
    const checker = says("if values['x'] + values['y'] != 10:\n    yield 'the sum is 10'");
    const answer = await models.call("solve", { language: "minizinc", items: free, checker, solver: "gecode" });
    // The model itself is reported for it.
    expect(answer["warnings"]).toEqual([expect.stringMatching(/\bz\b/)]);
    expect(String(answer["warnings"])).not.toContain("never notices");
  });

  it("and what it raises of one is noticed, and not the end", async () => {
    const body =
      "if (values['x'], values['y'], values['z']) != (4, 6, 1):\n    raise KeyError('no such answer')\nyield from []";
    const { tried, noticed, warnings } = await test(body);
    expect([noticed, warnings]).toEqual([tried, []]);
  });
});

describe.skipIf(!has_python)("the checker of docs/checkers.md", () => {
  it("names each rule that is broken, and by how much", async () => {
    const [, text = ""] = /```python\n([\s\S]*?)```/.exec(readFileSync("docs/checkers.md", "utf8")) ?? [];
    const items = ["on_duty = {'Mon': ['Anna', 'Ben'], 'Tue': ['Anna']}\ns = Solver()\ns.add(Bool('b'))\ns.check()"];
    const program = { language: "z3", items: [...items, "export_solution({'satisfiable': True, 'on_duty': on_duty})"] };
    const staff = [
      { name: "Anna", hours: 8 },
      { name: "Ben", hours: 8 },
    ];
    const answer = await models.call("solve", { ...program, checker: text, data: { staff } });
    expect(answer["violations"]).toEqual([
      "at least two people a day: Tue has 1",
      "hours of Anna: 16 h, by 8 too many",
    ]);
  });
});
