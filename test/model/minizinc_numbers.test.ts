import { describe, expect, it } from "vitest";
import { isRefuted } from "../../src/evidence/flatzinc/claim.ts";
import { FlatZincError, parseFlatZinc, type Range } from "../../src/evidence/flatzinc/parse.ts";
import { toSmtlib } from "../../src/evidence/flatzinc/smtlib.ts";
import { ask } from "../../src/evidence/minizinc/question.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import {
  type Answer,
  compiles_quickly,
  minizinc_builds,
  openMiniZincOnce,
  quickest_minizinc,
  someCompiled,
  stand_in,
} from "../support/minizinc.ts";
import { heldAgainstBruteForce } from "../support/minizinc_random.ts";
import { integerModel, priceModel } from "../support/random_minizinc.ts";
import { runs_all, some } from "../support/runs_all.ts";

/** Models on which solvers say "unsatisfiable", "optimal" or "all" falsely: none of that may reach a client. */

function valueIn({ model }: Answer, name: string): number {
  return Number(Object(model)[name]);
}

function said({ warnings }: Answer): string {
  return String(warnings);
}

const makespan = [
  "array[1..3] of int: d = [3, 4, 2]; array[1..3] of var 0..20: st; var int: makespan;",
  "constraint forall(i in 1..3)(st[i] + d[i] <= makespan);",
  "constraint st[1] + d[1] <= st[2] /\\ st[2] + d[2] <= st[3];",
  "solve minimize makespan;",
];
const strict = "var 0.0..10.0: x; constraint x < 1.0; solve maximize x;";
const close = "var 0.0..10.0: x; var 0.0..10.0: y; constraint x < y; constraint y < x + 0.0000001;";
const plan =
  "var 0.0..100.0: x; var 0.0..100.0: y; constraint 2*x + y <= 100; constraint x + 3*y <= 90; solve maximize 40*x + 30*y;";

const benchOf = openMiniZincOnce();

describe.each(minizinc_builds)("numbers on the $name build", ({ name, minizinc }) => {
  const bench = benchOf(minizinc);
  const test = it;

  test("a root has values, whatever the solver lost", async () => {
    const answer = await bench.solveAtOnce(["var 0.0..10.0: x; constraint x*x = 2.0;"]);
    expect(answer.status).toBe("sat");
    expect(valueIn(answer, "x")).toBeCloseTo(Math.SQRT2, 9);
    expect(said(answer)).toMatch(/within a relative tolerance of \d+e-\d+, not exactly/);
  });

  // Its library has no file for this in Debian's MiniZinc.
  if (name === "wasm")
    test.each(
      some([
        ["best", 'predicate part() = x = 3; solve :: on_restart("part") :: restart_constant(9) maximize x;', "sat"],
        [
          "unsatisfiable",
          'predicate part() = x > 9; solve :: on_restart("part") :: restart_constant(9) satisfy;',
          "unknown",
        ],
      ]),
    )("nothing is %s in the whole model when only a part was searched", async (_, search, status) => {
      const answer = await bench.solveAtOnce([`include "experimental/on_restart.mzn"; var 0..9: x; ${search}`]);
      expect({ status: answer.status, optimal: answer.optimal ?? false }).toEqual({ status, optimal: false });
      expect(said(answer)).toContain("Remove on_restart");
    });

  test("decimal coefficients of whole numbers are exact", async () => {
    expect(await bench.solveAtOnce(["var 0..10: a; constraint 0.1*a = 0.3;"])).toMatchObject({ model: { a: 3 } });
    const best = await bench.solveAtOnce(["var 0..10: a; constraint 0.1*a <= 0.3; solve maximize a;"]);
    expect(best).toMatchObject({ model: { a: 3 }, optimal: true });
    expect(said(best)).toContain("exact arithmetic");
  });

  test("what a strict inequality excludes is neither reached nor called best", async () => {
    expect((await bench.solveAtOnce([close])).status).toBe("sat");
    const answer = await bench.solveAtOnce([strict]);
    expect(answer).toMatchObject({ status: "sat", optimal: false });
    expect(valueIn(answer, "x")).toBeLessThan(1);
  });

  const onWasm = name === "wasm" ? [name] : [];
  it.each(onWasm)("what is not linear over reals is decided by Z3 where linear solvers can't", async () => {
    const circles = "var float: x; var float: y; constraint x*x + y*y = 4.0; constraint (x-1.0)*(x-1.0) + y*y = 4.0;";
    const answer = await bench.solveAtOnce([circles]);
    expect(answer.status).toBe("sat");
    expect(valueIn(answer, "x")).toBeCloseTo(0.5, 9);
    const none = await bench.solveAtOnce(["var float: x; var float: y; constraint x*x + y*y < 2.0*x*y;"]);
    expect(none).toMatchObject({ status: "unsat", engine: expect.stringContaining("z3") });
  });

  // The suite shows it in minizinc_inability.test.ts.
  if (compiles_quickly)
    test("pow of a variable goes to a solver that has it", async () => {
      const answer = await bench.solveAtOnce(["var 1..20: n; constraint pow(2, n) = 1024;"]);
      expect(answer).toMatchObject({ model: { n: 10 } });
    });
});

/** What Verdict does by itself, whichever build solves. */
const builds_by_itself = runs_all
  ? minizinc_builds
  : minizinc_builds.filter((each) => each.minizinc === quickest_minizinc);

describe.each(builds_by_itself)("claims about numbers, on the $name build", ({ name, minizinc }) => {
  const bench = benchOf(minizinc);

  it("an exact total has values, and the answer says how exactly they hold", async () => {
    const answer = await bench.solveAtOnce([
      "var 0.0..100.0: tax; var 0.0..100.0: net; constraint tax = 0.19*net; constraint net + tax = 99.99;",
    ]);
    expect(answer.status).toBe("sat");
    expect(valueIn(answer, "net") + valueIn(answer, "tax")).toBeCloseTo(99.99, 9);
  });

  it("all solutions over floats are not called all", async () => {
    const roots = "var 1..9: n; var 0.0..9.0: x; constraint x*x = int2float(n); solve satisfy;";
    const answer = await bench.solveAtOnce([roots], { all_solutions: true });
    expect(answer.status).toBe("sat");
    expect(said(answer)).not.toContain("These are all");
  });

  it("a conflict of floats is unsat once exact arithmetic agrees, and names its constraints", async () => {
    const answer = await bench.solveAtOnce([
      "var 0.0..10.0: x; var 0..5: n;",
      "constraint x + n >= 9.5;",
      "constraint x <= 3.25;",
      "constraint 2*x <= 9.0 - n;",
      "solve satisfy;",
    ]);
    expect(answer).toMatchObject({ status: "unsat", unsat_items: [{ line: 2 }, { line: 4 }] });
  });

  it("a domain of floats that a constraint contradicts is unsat", async () => {
    const answer = await bench.solveAtOnce(["var 0.0..1.0: x;", "constraint x > 2.0;"]);
    expect(answer).toMatchObject({ status: "unsat", unsat_items: [{ line: 2 }] });
    if (!compiles_quickly) return;
    const array = "array[1..3] of var 0.0..0.3: x; constraint sum(x) >= 0.95;";
    expect((await bench.solveAtOnce([array])).status).toBe("unsat");
  });

  it.each(someCompiled([integerModel, priceModel]))(
    "random models are answered as by brute force: %o",
    async (generate) => {
      const seeds = Array.from({ length: name === "wasm" ? 1 : 2 }, (_, i) => 4_711 + i);
      await heldAgainstBruteForce(bench, generate, { timeout_ms: 10_000 }, seeds);
    },
    600_000,
  );

  it.each(
    some([
      ["int: n = 3; var 0..9: a; constraint 0.1*n = 0.3 \\/ a > 9; constraint a*a = 25;", { a: 5 }],
      ["int: n = 3; var 0..5: a; constraint 0.1 * n = 0.3; constraint a > 2; constraint a*a < 16;", { a: 3 }],
      ["var 0..3: x; constraint if 0.1 + 0.2 = 0.3 then x > 2 else x < 1 endif;", { x: 3 }],
    ]),
  )("decimals of parameters are compared exactly, whatever the compiler makes of them: %s", async (source, model) => {
    expect(await bench.solveAtOnce([source])).toMatchObject({ status: "sat", model });
  });

  it("an optimum or all solutions that rest on rounded parameters are not called so", async () => {
    const limited = "float: p; var 0..10: x; constraint if p*3 = 0.3 then x <= 10 else x <= 5 endif;";
    const best = await bench.solveAtOnce([limited, "solve maximize x;"], { data: { p: 0.1 } });
    expect(best.optimal === true ? best.objective_value : 10).toBe(10);
    if (!compiles_quickly) return;
    const all = await bench.solveAtOnce(["var 0..3: x; constraint 0.1 + 0.2 = 0.3 -> x > 1;"], { all_solutions: true });
    expect(said(all).includes("These are all") ? Object(all.solutions).length : 2).toBe(2);
  });

  it("decimal parameters leave claims that exact arithmetic bears out", async () => {
    const data = { price: [0.1, 0.2, 0.3], budget: 1.0 };
    const basket = [
      "array[0..2] of float: price; float: budget; array[0..2] of var 0..9: n; constraint sum(n) > 1;",
      "constraint sum(i in 0..2)(price[i]*n[i]) = budget; solve minimize sum(n);",
    ];
    expect(await bench.solveAtOnce(basket, { data })).toMatchObject({ objective_value: 4, optimal: true });
    if (!compiles_quickly) return;
    const none = await bench.solveAtOnce([...basket, "constraint sum(n) < 4;"], { data });
    expect(none.status).toBe("unsat");
  });

  it("decimal parameters that rounding can't change leave a solver its word on whole numbers", async () => {
    const answer = await bench.solveAtOnce([
      "array[1..3] of float: p = [0.1, 0.2, 0.1]; array[1..3] of var 0..10: x;",
      "constraint forall(i, j in 1..3 where i < j /\\ p[i] >= p[j])(x[i] > x[j]); solve maximize sum(x);",
    ]);
    expect(answer).toMatchObject({ objective_value: 29, optimal: true });
    expect(said(answer)).not.toContain("Confirmed by Z3");
  });

  it("what can't be compiled with its decimals left open is not a claim", async () => {
    const answer = await bench.solveAtOnce([
      "int: k = ceil(0.1*30); array[1..k] of var 0..1: x; constraint sum(x) >= 4;",
    ]);
    expect(answer.status).toBe("unknown");
    expect(said(answer)).toContain("Write integers");
  });

  it("a variable without bounds is accepted if they follow", async () => {
    expect(await bench.solveAtOnce(makespan)).toMatchObject({ status: "sat", objective_value: 9, optimal: true });
    if (!compiles_quickly) return;
    const square = await bench.solveAtOnce(["var int: s; constraint s*s = 50;"]);
    expect(square.status).toBe("unsat");
  });

  it("a solver's unsat about variables without bounds is held against exact arithmetic", async () => {
    const answer = await bench.solveAtOnce(["var int: x; constraint x > 2147483640 /\\ x * x > 9;"]);
    expect(answer.status).toBe("sat");
    expect(valueIn(answer, "x")).toBeGreaterThan(2147483640);
  });

  it("what MiniZinc's library states wrongly under a condition is mended", async () => {
    // 1 + 1 = 2 is between 2 and 3 in both windows, so that the model has no solution.
    const sums = "array[1..3] of var 1..1: x; constraint not sliding_sum(2, 3, 2, x);";
    expect(await bench.solveAtOnce([sums])).toMatchObject({ status: "unsat" });
  });
});

describe("numbers on the embedded build alone", () => {
  const bench = benchOf("wasm");

  it("a linear model with reals is solved, not walked through", async () => {
    const answer = await bench.solveAtOnce([plan]);
    expect(answer).toMatchObject({ status: "sat", objective_value: 2160, optimal: true });
    expect(said(answer)).toContain("exact arithmetic");
    expect(answer).not.toHaveProperty("objective_bound");
  });

  it.each(
    some([
      [
        "var -3..4: y; var -10..10: r; constraint r = (-4 - y) mod 5; solve minimize y;",
        { model: { y: -3 }, optimal: true },
      ],
      ["var -9..-1: y; constraint y mod 5 = -2;", { status: "sat", model: { y: -7 } }],
      ["var 1..20: y; constraint y mod (-7) = 3;", { status: "sat" }],
    ]),
  )("chuffed is not believed on remainders of negative numbers: %s", async (model, expected) => {
    const answer = await bench.solveAtOnce([model], { solver: "chuffed" });
    expect(answer).toMatchObject(expected);
  });

  it("chuffed refuses a division whose signs are open, and the fault says how to get a solver that has it", async () => {
    const fault = await bench.fault(["var -9..9: x; var -5..5: y; constraint x div y = 3;"], { solver: "chuffed" });
    expect(fault.remedy).toContain("remove it: Verdict then chooses one that supports the model");
  });

  it("gecode's float optimum is not accepted when it is named", async () => {
    const answer = await bench.solveAtOnce(["var 0..10: a; constraint 0.1*a <= 0.3; solve maximize a;"], {
      solver: "gecode",
    });
    expect(answer.optimal === true ? valueIn(answer, "a") : 3).toBe(3);
  });

  it.each(some(["highs", "coin-bc"]))("%s is not believed where its library loses a power", async (solver) => {
    const answer = await bench.solveAtOnce(["var 1..4: x; var 1..3: y; constraint pow(x - 2, y - 2) = 1;"], { solver });
    expect(answer.status).not.toBe("unsat");
  });

  it("whole numbers that only rounding allows are refuted", async () => {
    const model = parseFlatZinc(
      [
        "var 0..1: b :: output_var;",
        "var 0.0..1.0: x :: output_var;",
        "var 0.0..1.0: f;",
        "constraint int2float(b, f);",
        "constraint float_lin_le([1.0, -1000000.0], [x, f], 0.0);",
        "constraint float_le(0.000005, x);",
        "solve minimize f;",
      ].join("\n"),
    );
    const job = new Deadline(120_000);
    const isWrong = (b: number, objective: number) =>
      isRefuted(bench.engines.z3, model, { values: { b, x: 0.000005 }, objective, text: "" }, job);
    // A solver that works to 1e-5 treats x = 0.000005 as 0, so b can be 0.
    expect(await isWrong(0, 0)).toBe(true);
    expect(await isWrong(1, 0)).toBe(true);
    expect(await isWrong(1, 1)).toBe(false);
  });

  it("parameters, which older compilers leave in a model, are read with their values", () => {
    const model = parseFlatZinc(
      "int: n = 4;\nbool: p = true;\nset of int: s = 1..3;\nfloat: f = 0.5;\nvar 4..4: x;\nsolve minimize n;",
    );
    const fixed = ({ low, high }: Range) => [low.over / low.under, high.under];
    expect(model.variables.get("n")).toMatchObject({ type: "int" });
    expect(model.variables.get("n")?.domain?.map(fixed)).toEqual([[4n, 1n]]);
    expect(model.variables.get("f")?.domain?.map(fixed)).toEqual([[0n, 2n]]);
    expect(model.constraints.map(({ name }) => name)).toEqual(["bool_eq", "set_eq"]);
    expect(() => parseFlatZinc("integer: n = 4;")).toThrow(FlatZincError);
  });

  it("decimals past 2^53 count as computed, however few digits they have", () => {
    const model = parseFlatZinc("var 0.0..2e+16: x;\nconstraint float_lt(x, 1e+16);\nsolve satisfy;");
    expect(toSmtlib(model).opened).toBe(true);
  });

  it("chuffed is asked again in a process of its own", async () => {
    const { minizinc: engine } = bench.engines;
    const models = [
      ["var 1..9: x; var 1..9: y; constraint x + y = 9; constraint x * y = 20; solve minimize x;", 4],
      [
        'include "globals.mzn"; var -2..2: a; var -9..-4: b; var -5..1: c; constraint count([a, b, c], 0) <= 2; constraint c in {0}; constraint count([a, b, c], 1) = 1; solve maximize (2 - a);',
        1,
      ],
    ] as const;
    const job = new Deadline(200_000);
    const objectives = await engine.run(job, async (run, build) => {
      const all: unknown[] = [];
      for (const [source] of runs_all ? [...models, ...models] : models) {
        const { answer } = await ask(run, build, { source, data: [], solver: "chuffed", time_ms: 150_000 }, job);
        all.push(answer.solutions.at(-1)?.objective);
      }
      return all;
    });
    expect(objectives).toEqual(runs_all ? [4, 1, 4, 1] : [4, 1]);
  });

  // The suite shows the same of sliding_sum above, and finds all of them in the text below.
  if (runs_all)
    it("not regular is not unsat because of a value outside of its alphabet", async () => {
      const model =
        "array[1..2] of var 0..3: x; constraint x[1] = 3; constraint not regular(x, 2, 2, [| 1, 2 | 2, 0 |], 1, {2});";
      expect(await bench.solveAtOnce([model])).toMatchObject({ status: "unknown" });
    });

  it("an undefined value that is found while compiling makes its own comparison false, and not the one around it", async () => {
    // [2, y][3] is undefined, so that the negated comparison is true, and x = 1 is a solution.
    const model = "var 0..3: x; var 0..2: y; constraint (not (x = 1)) xor (not ([2, y][3] mod 2 >= x));";
    const answer = await bench.solveAtOnce([model]);
    expect(answer.status === "sat" ? valueIn(answer, "x") : 1).toBe(1);
    expect(answer.status).not.toBe("unsat");
  });

  it("cumulative is not accepted from Gecode, which loses solutions", async () => {
    const tasks = [
      "var 1..3: x; var 0..2: y; var 0..3: z;",
      "constraint cumulative([x, y, z], [1, 3, 1], [1, 3, 2], 3);",
    ];
    // The task y takes all there is: at 0 the others are at 3, at 2 x is at 1 and z at 0 or 1.
    const answer = await bench.solveAtOnce(tasks, { all_solutions: true });
    expect(answer.solutions).toHaveLength(3);
    if (!runs_all) return;
    expect((await bench.solveAtOnce([...tasks, "constraint y = 2 /\\ z = 0;"])).status).toBe("sat");
  });

  describe("membership in a constant set that the compiler leaves to the solver", () => {
    const disjunction = [
      "var -2..2: a; var {-9, -7}: b; var -1..2: c;",
      "constraint (6 div (-1 - abs(b)) <= b /\\ c + a < b) \\/ a in {1, -1, 6};",
    ];
    const sets = [
      "var 0..4: x1; var 1..3: x2; var 0..3: x3; var 1..3: x4; var set of 0..4: s;",
      "constraint ([x2, x3, 2][x1] = x4) \\/ x4 > 3;",
      "constraint forall(i in 0..4)(i in s <-> exists(x in [x1, x2, x3, x4])(x = i)) /\\ sum(i in s)(i) >= 2;",
    ];

    it("is not accepted from Gecode, which calls it unsatisfiable or ignores it", async () => {
      expect((await bench.solveAtOnce(disjunction, { solver: "gecode" })).status).not.toBe("unsat");
      if (runs_all)
        expect(await bench.solveAtOnce(disjunction)).toMatchObject({ status: "sat", model: { a: expect.any(Number) } });
      const best = [
        "var -4..-3: a; var -5..-4: b;",
        "constraint a in {2, 3} \\/ b in {4, 5, -2, -4};",
        "solve maximize a;",
      ];
      expect(await bench.solveAtOnce(best)).toMatchObject({ status: "sat", model: { a: -3, b: -4 }, optimal: true });
    });

    it("with a truth value is not accepted from Chuffed, which lists values that violate it", async () => {
      const truths = [
        "var -1..4: x; var bool: b; array[1..2] of var 0..4: y;",
        "constraint b <-> (x in {1, 3, 7, 11}); constraint (y[1] in {0, 4, 9}) -> (y[2] in {1, 2, 8});",
      ];
      const answer = await bench.solveAtOnce(truths, { all_solutions: true, solver: "chuffed" });
      // 6 values of x, and 3 * 5 + 2 * 2 pairs.
      expect(answer["solutions"]).toHaveLength(6 * 19);
      expect(answer.warnings).toContain("These are all solutions: 114.");
    });

    it("is compared in the search for the conflict, too", async () => {
      const answer = await bench.solveAtOnce([
        "var -4..-3: a; var -5..-3: b; var -5..-3: c;",
        "constraint a in {2, 3} \\/ b in {4, 5, -4, -3};",
        "constraint a in {2, 3} \\/ c in {4, 5, -4, -3};",
        "constraint b + c < -8;",
        "constraint a > -10;",
      ]);
      expect(answer).toMatchObject({ status: "unsat", unsat_items: [{ line: 2 }, { line: 3 }, { line: 4 }] });
    });

    it("does not make a part of the solutions all of them", async () => {
      const listed = await bench.solveAtOnce(sets, { all_solutions: true });
      const is_whole = Array.isArray(listed["solutions"]) && listed["solutions"].length === 31;
      if (!is_whole) expect(String(listed.warnings)).not.toContain("These are all solutions");
      if (!runs_all) return;
      const four = await bench.solveAtOnce(disjunction, { all_solutions: true });
      expect(four["solutions"]).toHaveLength(16);
    });
  });

  it.each(["gecode", "chuffed", "highs"])("%s has the subcircuits that MiniZinc's library loses", async (solver) => {
    // 1, 3, 2, … keeps 1 where it is.
    const model = "array[1..3] of var 1..3: x; constraint subcircuit(x); constraint x[1] = 1 /\\ x[2] = 3;";
    expect(await bench.solveAtOnce([model], { solver })).toMatchObject({ status: "sat", model: { x: [1, 3, 2] } });
  });

  it("a linear solver has no list of solutions, and says which have", async () => {
    const fault = await bench.fault(["var 1..3: x; solve satisfy;"], { solver: "highs", all_solutions: true });
    expect(fault).toMatchObject({ code: "invalid_argument" });
    expect(fault.remedy).toContain("gecode");
  });
});

it("values are held against the exact model where some constraints can't be evaluated", async () => {
  // -0.14 + 0.08 is -0.06, and the compiler says that it is not: a = 0, which makes x + 2.7 the same as -0.2, is not a solution.
  const model = `var -3..1: a; var -99.0..99.0: x; var -99.0..99.0: y;
constraint x = -0.4 * a - abs(0.0 + 2.9); constraint y = a;
constraint (x - (-2.7) = -0.2) <-> ((-0.14) - (-0.08) != -0.06);
solve maximize if max([0.0 + y, 0.0 + y]) = 0.010e-3 + y then 0.0 + x else 0.0 + 2.0 endif;`;
  const answer = await benchOf("wasm").solveAtOnce([model], { solver: "coin-bc" });
  expect(answer.model === null || valueIn(answer, "a") !== 0).toBe(true);
});

describe("numbers on a native build without a solver for reals", () => {
  const bench = benchOf(stand_in);

  it("where there is no solver for reals, the answer says what to do", async () => {
    const answer = await withEnoughTime(
      (timeout_ms) => bench.solveAtOnce([plan], { timeout_ms }),
      ({ status }) => status === "sat",
      1_500,
    );
    expect(answer).toMatchObject({ status: "sat", optimal: false });
    expect(said(answer)).toMatch(/Scale to integers.*z3/s);
  });
});
