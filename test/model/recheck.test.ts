import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import type { RunProgram } from "../../src/engines/python/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { readClaim } from "../../src/tools/model/languages/python/claim.ts";
import { rechecked } from "../../src/tools/model/languages/python/confirm/recheck.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { pythonData } from "../support/python.ts";

/**
 * The report of a program's process is a claim: a second process, which never runs the program, decides the problem
 * again. These are honest claims of both languages, and forged ones.
 */

/** In Z3's Python, each with the answer that is confirmed. */
const honest = [
  ["numbers", "x = Int('x')\ny = Real('y')\ns = Solver()\ns.add(x > 5, x < 7, y * y == 2)", "sat"],
  ["a conflict", "x = Int('x')\ns = Solver()\ns.add(x > 5, x < 3, x != 0)", "unsat"],
  [
    "tracked constraints",
    "x = Int('x')\ns = Solver()\ns.assert_and_track(x > 5, 'a')\ns.assert_and_track(x < 5, 'b')",
    "unsat",
  ],
  [
    "functions and quantifiers",
    "f = Function('f', IntSort(), IntSort())\nx = Int('x')\ns = Solver()\ns.add(f(x) > f(f(x)), ForAll([x], f(x) >= 0))",
    "sat",
  ],
  [
    "sorts, arrays, odd names",
    "S = DeclareSort('S')\na, b = Consts('a b', S)\nA = Array('an array', IntSort(), IntSort())\ns = Solver()\ns.add(a != b, A[3] > A[4], Bool('include'))",
    "sat",
  ],
  ["floats that equal nothing", "f = FP('f', Float32())\ns = Solver()\ns.add(fpIsNaN(f))", "sat"],
  ["texts with quotes", "t = String('t')\ns = Solver()\ns.add(Length(t) == 3, Contains(t, StringVal('a\"b')))", "sat"],
  [
    "recursive functions",
    "f = RecFunction('f', IntSort(), IntSort())\nn = Int('n')\nRecAddDefinition(f, [n], If(n <= 0, 0, f(n - 1) + n))\ns = Solver()\ns.add(f(3) == n)",
    "sat",
  ],
  [
    "fractions under odd settings",
    "set_param('pp.decimal', True)\nr = Real('r')\ns = Solver()\ns.add(3 * r == 1)",
    "sat",
  ],
  [
    "best values in order",
    "o = Optimize()\nx, y = Ints('x y')\no.add(x + y <= 10, x >= 0, y >= 0)\no.maximize(x)\no.minimize(y)\no.add_soft(x < 3, 2)",
    "sat",
  ],
  ["a best value of bits", "o = Optimize()\nb = BitVec('b', 8)\no.add(ULT(b, 200))\no.maximize(b)", "sat"],
] as const;

const soft = "w = WCNF()\nw.append([1, 2])\nw.append([-1], weight=2)\nw.append([-2], weight=3)";

/** The same in PySAT. */
const honest_clauses = [
  [
    "a model",
    "s = Glucose3(bootstrap_with=[[1, 2], [-1]])\nexport_solution({'satisfiable': s.solve(), 'm': s.get_model()})",
    "sat",
  ],
  [
    "a conflict of a solver that is gone",
    "with Glucose3(bootstrap_with=[[1], [-1]]) as s:\n    found = s.solve()\nexport_solution({'satisfiable': found})",
    "unsat",
  ],
  [
    "a conflict under assumptions",
    "s = Glucose3(bootstrap_with=[[1, 2]])\nexport_solution({'satisfiable': s.solve(assumptions=[-1, -2])})",
    "unsat",
  ],
  [
    "cardinalities",
    "s = Glucose3(bootstrap_with=exactly_k(list(range(1, 30)), 7))\nexport_solution(s, variables={'a': 1})",
    "sat",
  ],
  ["the least cost", `${soft}\nr = RC2(w)\nr.compute()\nexport_solution({'satisfiable': True, 'cost': r.cost})`, "sat"],
  [
    "a minimal conflict",
    "from pysat.examples.musx import MUSX\nw = WCNF()\nw.append([1], weight=1)\nw.append([-1], weight=1)\nexport_solution({'satisfiable': False, 'core': MUSX(w).compute()})",
    "unsat",
  ],
] as const;

/** A solution of forty queens: the even rows, and then the odd ones. */
const queens_places = Array.from({ length: 40 }, (_, i) => (i < 20 ? 2 * i + 2 : 2 * i - 39));

/** Forty queens as evidence of an answer: too hard for Z3 in its share of the time, and nothing for CP-SAT. */
function queens(language: string, said: object): object {
  const all = [0, 1, -1].map((slope) => queens_places.map((_, i) => [i, slope * i] as const));
  const node = ([i, offset]: readonly [number, number]) =>
    offset === 0 ? ["v", i] : ["linear", [1], [["v", i]], offset];
  const text = ([i, offset]: readonly [number, number]) => `exprs { vars: ${i} coeffs: 1 offset: ${offset} }`;
  const proto = [
    ...queens_places.map(() => "variables { domain: 0 domain: 39 }"),
    ...all.map((each) => `constraints { all_diff { ${each.map(text).join(" ")} } }`),
    "objective { vars: 0 coeffs: 1 }",
  ].join("\n");
  const form = {
    domains: queens_places.map(() => [0, 39]),
    constraints: all.map((each) => ["all_different", each.map(node)]),
    ...{ objective: null, is_least: true, solutions: [], are_all: false, is_best: false, core: [], seconds: 0.1 },
    ...{ engine: "", scale: 1, leaves: [[["v", 0], false]], shape: { named: { first: 0 }, left_out: [] } },
    own: language === "ortools" ? deflateSync(proto).toString("base64") : "",
    ...said,
  };
  return { form: JSON.stringify(form) };
}

describe.skipIf(!has_python)("a verdict of a program", () => {
  const models = fixture(shareModels);

  it.each(honest)("about %s is confirmed", async (_what, item, status) => {
    const answer = await models.solve("z3", [item]);
    expect(answer).toMatchObject({ status, confirmed: true });
    expect(answer).not.toMatchObject({ optimal: false });
  });

  it.each(honest_clauses)("about %s in PySAT is confirmed", async (_what, item, status) => {
    expect(await models.solve("pysat", [item])).toMatchObject({ status, confirmed: true });
  });

  it.each([
    [
      "constraints other than clauses",
      "from pysat.solvers import Minicard\ns = Minicard(bootstrap_with=[[1], [2]])\ns.add_atmost([1, 2], 1)\nexport_solution({'satisfiable': s.solve()})",
      { status: "unknown", claimed: "unsat", satisfiable: null },
    ],
    [
      "clauses that an optimiser was given itself",
      `${soft}\nr = RC2(w)\nr.add_clause([2])\nr.compute()\nexport_solution({'satisfiable': True, 'cost': r.cost})`,
      { status: "sat", claimed: "optimal", optimal: false },
    ],
  ])("that rests on %s is not a verdict, and says why", async (what, item, found) => {
    const answer = await models.solve("pysat", [item]);
    expect(answer).toMatchObject({ ...found, confirmed: false });
    expect([answer.reason, ...answer.warnings].join()).toMatch(/not confirmed: .*(clauses)/);
    expect(what).toContain("clauses");
  });

  it("that is none is not confirmed either", async () => {
    const answer = await models.solve(
      "z3",
      ["x, y, z, n = Ints('x y z n')\nx**n + y**n == z**n\nn > 2\nx > 9\ny > 9\nz > 9"],
      1_500,
    );
    expect(["unknown", "timeout"]).toContain(answer.status);
    expect(answer).not.toHaveProperty("confirmed");
  });
});

describe.skipIf(!has_python)("a claim of a program that broke out", () => {
  const engines = fixture(
    async () => new Engines(readConfig({}, { ...process.env, VERDICT_DATA: await pythonData() })),
  );

  const signal = new AbortController().signal;
  const reported = { statistics: {}, warnings: [], unsat_core: ["a"], unsat_items: [{ item: 0, line: 1, text: "a" }] };
  const claim = { ...reported, model: { x: 6 }, objective_value: null, optimal: null };
  const best = { ...claim, objective_value: 7, optimal: true };

  async function judged(
    language: string,
    answer: Readonly<Record<string, unknown>>,
    evidence: unknown,
    left_ms = 120_000,
  ) {
    const use = (run: RunProgram) =>
      rechecked(run, language, readClaim({ ...answer, evidence }), new Deadline(left_ms, signal));
    const reply = await engines.python.turn(new Deadline(120_000, signal), () => {}, use, language);
    if (reply === "expired") throw new Error("no turn in time");
    return reply;
  }

  const smtlib = "(declare-fun x () Int)\n(assert (> x 5))\n(assert (< x 9))";
  const aim = "(declare-fun o () Int)\n(assert (= o x))";
  const stated = { smtlib, aims: 0, pins: 0, largest: [], objective: null };
  const clauses = {
    hard: [[1, 2], [-1]],
    soft: [],
    weights: [],
    assumptions: [],
    model: null,
    exported: [],
    cost: null,
    is_least: true,
  };

  it.each([
    ["unsat of what can hold", "z3", "unsat", stated],
    ["sat of what can't", "z3", "sat", { ...stated, smtlib: `${smtlib}(assert (< x 2))` }],
    ["values that do not satisfy", "z3", "sat", { ...stated, smtlib: `${smtlib}(assert (= x 3))`, pins: 1 }],
    [
      "two values for one constant",
      "z3",
      "sat",
      { ...stated, smtlib: `${smtlib}(assert (= x 6))(assert (= x 7))`, pins: 2 },
    ],
    [
      "values that refer to each other",
      "z3",
      "sat",
      {
        ...stated,
        smtlib:
          "(declare-fun x!val!0 () Int)(declare-fun y!val!0 () Int)(assert (= x!val!0 (+ y!val!0 1)))(assert (= y!val!0 x!val!0))",
        pins: 2,
      },
    ],
    [
      "a value that would be true under a binder of its name",
      "z3",
      "sat",
      { ...stated, smtlib: `${smtlib}(assert (exists ((x Int)) (= x 3)))(assert (< x 5))(assert (= x 6))`, pins: 1 },
    ],
    [
      "values with more in them than there are",
      "z3",
      "sat",
      { ...stated, smtlib: `${smtlib}(assert (< x 2))`, pins: 9 },
    ],
    ["values of a number below zero", "z3", "sat", { ...stated, smtlib: `${smtlib}(assert (< x 2))`, pins: -1 }],
    ["unsat of clauses that can hold", "pysat", "unsat", clauses],
    ["sat of clauses that can't", "pysat", "sat", { ...clauses, hard: [[1], [-1]] }],
    ["literals that do not satisfy", "pysat", "sat", { ...clauses, model: [-1, -2] }],
    ["a shown solution that does not satisfy", "pysat", "sat", { ...clauses, model: [-1, 2], exported: [[-1, -2]] }],
  ] as const)("is not a verdict: %s", async (_what, language, status, evidence) => {
    const result = await judged(language, { ...claim, status }, evidence);
    // Neither values nor what conflicts is left of it.
    const reason = expect.stringContaining(`the program's process reported ${status}`);
    expect(result.verdict).toEqual({ kind: "undecided", cause: "unconfirmed", reason });
    expect(result.confirmed).toBe(false);
  });

  it.each([
    [
      "a worse value",
      "z3",
      { ...stated, smtlib: `${smtlib}${aim}(assert (= x 7))`, aims: 1, pins: 1, largest: [true], objective: 7 },
    ],
    [
      "another value than the model's",
      "z3",
      { ...stated, smtlib: `${smtlib}${aim}(assert (= x 8))`, aims: 1, pins: 1, largest: [true], objective: 7 },
    ],
    [
      "a greater cost",
      "pysat",
      { ...clauses, soft: [[-1], [-2]], weights: ["3", "7"], model: [-1, 2], hard: [[1, 2]], cost: "7" },
    ],
    ["another cost than the model's", "pysat", { ...clauses, soft: [[-2]], weights: ["3"], model: [-1, 2], cost: "2" }],
    [
      "another cost than that of a shown solution",
      "pysat",
      {
        ...clauses,
        soft: [[-1], [-2]],
        weights: ["3", "7"],
        hard: [[1, 2]],
        model: [1, -2],
        exported: [[-1, 2]],
        cost: "3",
      },
    ],
  ] as const)("is not optimal: %s", async (_what, language, evidence) => {
    const result = await judged(language, { ...best, status: "sat" }, evidence);
    expect(result).toMatchObject({ verdict: { kind: "sat", best: { proved: false } }, confirmed: false });
    expect(result.warnings.join()).toMatch(
      /is wrong: (there is a better value|its values have a different|the least cost is 3)/,
    );
  });

  it.each([
    ["nothing", "z3", undefined],
    ["a text", "z3", "confirmed"],
    ["no SMT-LIB", "z3", { ...stated, smtlib: "(assert" }],
    [
      "commands that set options",
      "z3",
      { ...stated, smtlib: `(set-option :smt.arith.ignore_int true)${smtlib}(assert (< x 6))` },
    ],
    ["commands behind a comment", "z3", { ...stated, smtlib: `( ;\n set-option :smt.arith.ignore_int true)${smtlib}` }],
    ["commands in bars", "z3", { ...stated, smtlib: `(|set-option| :smt.arith.ignore_int true)${smtlib}` }],
    ["a problem that is not there", "pysat", { open: "the problem is too large for a second check" }],
    ["clauses of texts", "pysat", { ...clauses, hard: ["x"] }],
    ["endless numbers", "pysat", { ...clauses, hard: [[2 ** 40]] }],
  ])("is not confirmed by %s", async (_what, language, evidence) => {
    const result = await judged(language, { ...claim, status: "unsat" }, evidence);
    const reason = expect.stringMatching(/reported by the program's process and is not confirmed: /);
    expect(result.verdict).toMatchObject({
      kind: "undecided",
      reason,
      claimed: { kind: "unsat", core: { names: ["a"] } },
    });
    expect(result.confirmed).toBe(false);
  });

  it("is not optimal by a claim without objectives", async () => {
    const result = await judged("z3", { ...best, status: "sat" }, stated);
    expect(result).toMatchObject({ verdict: { best: { proved: false, is_claimed: true } }, confirmed: false });
    expect(result.warnings.join()).toContain("the program's process did not return its optimum");
  });

  it.each(["cpmpy", "ortools"])(
    "is refuted by the first engine once more where Z3 has no word: %s",
    async (language) => {
      await pythonData("cp");
      const engine = "CP-SAT";
      const unsat = await judged(language, { ...claim, status: "unsat", engine }, queens(language, {}));
      expect(unsat).toMatchObject({ verdict: { kind: "sat" }, confirmed: true });
      expect(unsat.warnings.join()).toContain("The program's process reported unsat, which is wrong");
      const values = queens_places.map((place) => place - 1);
      const evidence = queens(language, {
        solutions: [values],
        is_best: true,
        objective: ["linear", [1], [["v", 0]], 0],
      });
      const optimum = await judged(
        language,
        { ...claim, status: "sat", objective_value: 1, optimal: true, engine },
        evidence,
      );
      expect(optimum).toMatchObject({ verdict: { kind: "sat", best: { value: 0, proved: false } }, confirmed: false });
      expect(optimum.unconfirmed).toContain("CP-SAT, asked again, found values");
    },
  );

  it("is not confirmed when the time is over", async () => {
    const primes = "(declare-fun p () Int)\n(assert (and (> p 1) (< p 1000003) (= (mod (* p p p p p) 1000003) 777)))";
    const result = await judged("z3", { ...claim, status: "unsat" }, { ...stated, smtlib: primes }, 60);
    const reason = expect.stringContaining("the time ran out");
    expect(result).toMatchObject({
      verdict: { kind: "undecided", reason, claimed: { kind: "unsat" } },
      confirmed: false,
    });
  });
});
