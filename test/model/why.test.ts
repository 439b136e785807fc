import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { reportHtml } from "../../src/viewer/report.ts";
import { sourcesOf } from "../../src/viewer/sources.ts";
import { fixture } from "../support/fixture.ts";
import { compiles_quickly, someCompiled } from "../support/minizinc.ts";
import { shareModels } from "../support/models.ts";
import { whyIsRight } from "../support/random_why.ts";

const models = fixture(shareModels);

describe("why, against all subsets of random small models", () => {
  it.each([
    ["asp", 3],
    ["minizinc", 2],
    ["z3", 3],
    ["pysat", 3],
    ["cpmpy", 2],
    ["ortools", 2],
  ])("is right in %s", async (language, runs) => {
    expect(await whyIsRight(models, language, runs, 15)).toBeGreaterThan(0);
  });
});

/** The item numbers of an explanation. */
async function explained(language: string, items: readonly string[], options = {}): Promise<unknown> {
  const { why, warnings } = await models.solve(language, items, 60_000, { why: true, ...options });
  if (typeof why !== "object" || why === null) return warnings;
  const { core, drop, drop_complete, undecided } = z
    .object({ core: places, drop: z.array(z.object({ items: places, proved: z.string() })) })
    .loose()
    .parse(why);
  return { core, drop: drop.map(({ items: each, proved }) => [...each, proved]), drop_complete, undecided };
}

const places = z
  .array(z.object({ item: z.number(), line: z.number() }))
  .transform((all) => all.map(({ item, line }) => `${item}:${line}`));
const all_decided = { drop_complete: true, undecided: [] };

describe("the amounts of why in MiniZinc", () => {
  const cases = [
    {
      about: "bounds of one rule each",
      model:
        "var 0..100: x; var 0..100: y;\nconstraint x + y <= 50;\nconstraint x > 39; % at least\nconstraint y >= 30;",
      relaxed: [["2 by 20"], ["3 by 20"], ["4 by 20"]],
    },
    {
      about: "several rules together, and equations",
      model:
        "enum D = {mon, tue}; array[D] of var 0..3: a;\nconstraint forall(d in D)(a[d] <= 1);\nconstraint a[mon] = 3;\nconstraint sum(d in D)(a[d]) == 4;",
      relaxed: [["2 by 2 (d = mon)"], ["2 by 2 (d = tue)", "3 by 2"], ["3 by 2", "4 by 2"]],
    },
    {
      about: "single cases of a loop",
      model:
        "array[1..3] of int: need = [5, 9, 2]; array[1..3] of var 0..10: w;\nconstraint forall(i in 1..3)(w[i] >= need[i]);\nconstraint sum(w) <= 12;\nsolve minimize sum(w);",
      relaxed: [["2 by 4 (i = 1)"], ["2 by 4 (i = 2)"], ["3 by 4"]],
    },
    {
      about: "what keeps an optimum from being better",
      model: "var 0..10: x; var 0..10: y;\nconstraint x + 2 * y <= 10;\nconstraint x <= 4;\nsolve maximize x + y;",
      relaxed: [["2 by 2"], ["3 by 2"]],
    },
    {
      about: "nothing that has no whole amount: truth values, implications, floats",
      model:
        "var bool: b; var 0.0..9.0: f;\nconstraint b = true;\nconstraint b -> f > 5.0;\nconstraint f <= 3.0;\nsolve satisfy;",
      relaxed: [undefined, undefined, undefined],
    },
  ];
  it.each(someCompiled(cases, 2))("are right for $about", async ({ model, relaxed }) => {
    expect(await amountsOf("minizinc", model)).toEqual(relaxed);
  });
});

describe("the amounts of why in Python", () => {
  const cp_sat = "from ortools.sat.python import cp_model\nm = cp_model.CpModel()\n";
  const solved = "s = cp_model.CpSolver()\ns.solve(m)";
  it.each([
    {
      about: "bounds in Z3",
      language: "z3",
      model: "x, y = Ints('x y')\ns = Solver()\ns.add(x + y <= 50)\ns.add(x > 39)\ns.add(y == 30)\ns.check()",
      relaxed: [["3 by 20"], ["4 by 20"], ["5 by 20"]],
    },
    {
      about: "no amounts of reals and of disjunctions in Z3",
      language: "z3",
      model: "x = Real('x')\ny = Int('y')\ns = Solver()\ns.add(x > y, y >= 5)\ns.add(Or(x < 2, x < 3))\ns.check()",
      relaxed: [undefined, undefined],
    },
    {
      about: "single cases of a loop in OR-Tools",
      language: "ortools",
      model: `${cp_sat}w = [m.new_int_var(0, 10, f"w{i}") for i in range(3)]\nfor i, need in enumerate([5, 9, 2]):\n    m.add(w[i] >= need)\nm.add(sum(w) <= 12)\n${solved}`,
      relaxed: [["5 by 4 (i = 0, need = 5)"], ["5 by 4 (i = 1, need = 9)"], ["6 by 4"]],
    },
    {
      about: "what keeps an optimum of OR-Tools from being better",
      language: "ortools",
      model: `${cp_sat}x = m.new_int_var(0, 10, "x")\ny = m.new_int_var(0, 10, "y")\nm.add(x + 2 * y <= 10)\nm.add(x <= 4)\nm.maximize(x + y)\n${solved}`,
      relaxed: [["5 by 2"], ["6 by 2"]],
    },
    {
      about: "comparisons of CPMpy, and not truth values or implications",
      language: "cpmpy",
      model:
        "import cpmpy as cp\nx = cp.intvar(0, 10)\nb = cp.boolvar()\nm = cp.Model()\nm += b == 1\nm += b.implies(x > 5)\nm += x < 3\nm.solve()",
      relaxed: [undefined, undefined, ["7 by 4"]],
    },
  ])("are right for $about", async ({ language, model, relaxed }) => {
    expect(await amountsOf(language, model)).toEqual(relaxed);
  });
});

/** The least amounts of each set, each of which is proved. */
async function amountsOf(language: string, model: string): Promise<(string[] | undefined)[]> {
  const { why } = await models.solve(language, [model], 60_000, { why: true });
  const { drop } = z.object({ drop: z.array(Amounts) }).parse(why);
  expect(drop.every((set) => set.relaxed === undefined || set.relaxed_proved === true)).toBe(true);
  return drop.map((set) =>
    set.relaxed?.map(({ line, by, cases }) => `${line} by ${by}${cases ? ` (${cases.join("; ")})` : ""}`),
  );
}

const Amounts = z.object({
  relaxed: z.array(z.object({ line: z.number(), by: z.number(), cases: z.array(z.string()).optional() })).optional(),
  relaxed_proved: z.boolean().optional(),
});

describe("the page of an unsat", () => {
  it.each([
    ["z3", ["x = Int('x')\ns = Solver()", "s.add(x > 5)", "s.add(x != 9)", "s.add(x < 3)"]],
    [
      "pysat",
      [
        "from pysat.solvers import Solver\ns = Solver(name='g4')",
        "s.add_clause([1])",
        "s.add_clause([3])",
        "s.add_clause([-1])",
        "s.solve()",
      ],
    ],
    [
      "cpmpy",
      ["x = cp.intvar(0, 9, name='x')\nm = cp.Model()", "m += x > 5", "m += x != 9", "m += x < 3", "m.solve()"],
    ],
    [
      "ortools",
      [
        "m = cp_model.CpModel()\nx = m.new_int_var(0, 9, 'x')",
        ...["m.add(x > 5)", "m.add(x != 9)", "m.add(x < 3)", "cp_model.CpSolver().solve(m)"],
      ],
    ],
    ["asp", ["{ p; q }.", ":- not p.", ":- q.", ":- p."]],
    ["minizinc", ["var 0..9: x;", "constraint x > 5;", "constraint x != 9;", "constraint x < 3;"]],
  ] as const)("marks the lines that conflict, and no others (%s)", async (language, items) => {
    const answer = await models.solve(language, items, 60_000, { why: true });
    expect(answer.status).toBe("unsat");
    const page = reportHtml({ title: "", answer, sources: sourcesOf({ items }) });
    const marked = [...page.matchAll(/<mark>([^<]*)<\/mark>/g)].map(([, line]) => line);
    const [, first = "", , last = ""] = items;
    expect(marked).toEqual([first, last].map((line) => line.replace(">", "&gt;").replace("<", "&lt;")));
  });
});

describe("the parts that why leaves out", () => {
  it("are all lines that state the same constraint (z3)", async () => {
    expect(
      await explained("z3", ["x = Int('x')\ns = Solver()", "s.add(x > 5)", "s.add(x > 5)", "s.add(x < 3)"]),
    ).toMatchObject({
      ...all_decided,
      drop: [
        ["3:1", "smallest"],
        ["1:1", "2:1", "minimal"],
      ],
    });
  });

  it("are the lines of a SimpleSolver as they were added, of which two can't hold by themselves (z3)", async () => {
    const solver = "x = Int('x')\ns = SimpleSolver()";
    expect(await explained("z3", [solver, "s.add(Not(x == x))", "s.add(BoolVal(False))", "s.add(x > 1)"])).toEqual({
      ...all_decided,
      core: [expect.stringMatching(/^[12]:1$/)],
      drop: [["1:1", "2:1", "smallest"]],
    });
  });

  it("are those that still hold, if a scope stated the same and ended (z3)", async () => {
    const twice = "x = Int('x')\ns = Solver()\ns.add(x > 5)\ns.push()\ns.add(x > 5)\ns.pop()";
    expect(await explained("z3", [twice, "s.add(x < 3)"])).toEqual({
      ...all_decided,
      core: ["0:3", "1:1"],
      drop: [
        ["0:3", "smallest"],
        ["1:1", "smallest"],
      ],
    });
  });

  it("are compared in the order of the objectives, and strictly for reals (z3)", async () => {
    const items = [
      "x, y = Reals('x y')\no = Optimize()\no.add(x >= 0, y >= 0)",
      "o.add(3 * x <= 1)",
      "o.add(x + y <= 2)",
      "o.maximize(x)\no.maximize(y)",
    ];
    // Without the bound of x it is larger; without that of the sum y is.
    expect(await explained("z3", items)).toEqual({
      ...all_decided,
      core: ["1:1", "2:1"],
      drop: [
        ["1:1", "smallest"],
        ["2:1", "smallest"],
      ],
    });
  });

  if (compiles_quickly)
    it("keep their lines if the solve item is before them in one text, with data (minizinc)", async () => {
      const text =
        "int: n;\nvar 0..20: x; var 0..20: y;\nsolve maximize x + y; % the sum\nconstraint x <= n;\nconstraint y <= 3; constraint x != 2;";
      expect(await explained("minizinc", [text], { data: { n: 4 } })).toEqual({
        ...all_decided,
        core: ["0:4", "0:5"],
        drop: [
          ["0:4", "smallest"],
          ["0:5", "smallest"],
        ],
      });
    });

  if (compiles_quickly)
    it("have the objective among them where it has no value (minizinc)", async () => {
      const items = ["var 0..3: x; constraint x = 0;", "constraint x < 2;", "solve minimize\n 3 div x;"];
      expect(await explained("minizinc", items)).toEqual({
        ...all_decided,
        core: ["0:1", "2:1"],
        drop: [
          ["0:1", "smallest"],
          ["2:1", "smallest"],
        ],
      });
      expect(await explained("minizinc", ["var 1..3: x; constraint x < 3;", "solve maximize x mod 0;"])).toEqual({
        ...all_decided,
        core: ["1:1"],
        drop: [["1:1", "smallest"]],
      });
    });

  it("are rules where a program has no answer set without its constraints (asp)", async () => {
    expect(await explained("asp", ["p :- not p.", ":- r.", "{q}."])).toEqual({
      ...all_decided,
      core: ["0:1"],
      drop: [["0:1", "smallest"]],
    });
  });

  it("are compared level by level (asp)", async () => {
    const items = ["{a; b}.", ":- not a, not b.", ":- a, b.", "#minimize{ 1@2 : a; 1@1 : b }."];
    expect(await explained("asp", items)).toEqual({
      ...all_decided,
      core: ["1:1"],
      drop: [["1:1", "smallest"]],
    });
  });

  it("are soft clauses, too, where an engine looked for a conflict among them (pysat)", async () => {
    const items = [
      "from pysat.formula import WCNF\nfrom pysat.examples.musx import MUSX\nf = WCNF()",
      "f.append([1])",
      "f.append([-1, 2], weight=1)",
      "f.extend([[-2], [3]], weights=[1, 1])",
      "core = MUSX(f, verbosity=0).compute()\nexport_solution({'satisfiable': core is None, 'unsat_core': core})",
    ];
    expect(await explained("pysat", items)).toEqual({
      ...all_decided,
      core: ["1:1", "2:1", "3:1"],
      drop: [
        ["1:1", "smallest"],
        ["2:1", "smallest"],
        ["3:1", "smallest"],
      ],
    });
  });

  it("are not said to be nothing where the lines of clauses are not known (pysat)", async () => {
    const items = ["clauses = [[1], [-1]]", "export_solution({'satisfiable': count_models(clauses) > 0})"];
    expect(await explained("pysat", items)).toEqual([
      "why: nothing is explained: the lines of its clauses are not known.",
    ]);
  });

  it("are nothing where nothing was proved or there is no objective: a note says what to ask instead", async () => {
    expect(await explained("asp", ["{a}."])).toEqual([expect.stringContaining("backbone")]);
  });
});
