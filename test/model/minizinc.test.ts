import { describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import {
  type Answer,
  hadNoTime,
  type MiniZincBench,
  minizinc_builds,
  openMiniZincOnce,
  quickest_minizinc,
  someCompiled,
} from "../support/minizinc.ts";
import { heldAgainstBruteForce } from "../support/minizinc_random.ts";
import { linearModel } from "../support/random_minizinc.ts";
import { runs_all } from "../support/runs_all.ts";

const benchOf = openMiniZincOnce();

/** Facts about the language minizinc that a client relies on, on each build that is there. */

const tour = [
  'include "alldifferent.mzn";',
  "int: n = 9;",
  `array[1..n, 1..n] of int: dist = [|
    0, 65, 60, 184, 195, 319, 299, 478, 631 | 65, 0, 125, 119, 130, 254, 234, 413, 566 |
    60, 125, 0, 184, 157, 281, 261, 440, 593 | 184, 119, 184, 0, 208, 252, 136, 315, 468 |
    195, 130, 157, 208, 0, 136, 280, 459, 629 | 319, 254, 281, 252, 136, 0, 217, 391, 566 |
    299, 234, 261, 136, 280, 217, 0, 188, 343 | 478, 413, 440, 315, 459, 391, 188, 0, 157 |
    631, 566, 593, 468, 629, 566, 343, 157, 0 |];`,
  "array[1..n] of var 1..n: tour;",
  "constraint alldifferent(tour);",
  "constraint tour[1] = 1;",
  "var int: total_distance = sum(i in 1..n-1)(dist[tour[i], tour[i+1]]) + dist[tour[n], tour[1]];",
  "solve minimize total_distance;",
];

const zebra = [
  'include "alldifferent.mzn";',
  "enum Nation = {English, Spanish, Japanese, Ukrainian, Norwegian};",
  "array[Nation] of var 1..5: home;",
  "var 1..5: red; var 1..5: green; var 1..5: ivory; var 1..5: yellow; var 1..5: blue;",
  "var 1..5: dog; var 1..5: snail; var 1..5: fox; var 1..5: horse; var 1..5: zebra;",
  "var 1..5: coffee; var 1..5: tea; var 1..5: milk; var 1..5: juice; var 1..5: water;",
  "var 1..5: oldgold; var 1..5: kools; var 1..5: chester; var 1..5: lucky; var 1..5: parl;",
  `constraint alldifferent(home);
constraint alldifferent([red, green, ivory, yellow, blue]);
constraint alldifferent([dog, snail, fox, horse, zebra]);
constraint alldifferent([coffee, tea, milk, juice, water]);
constraint alldifferent([oldgold, kools, chester, lucky, parl]);`,
  `constraint home[English] = red /\\ home[Spanish] = dog /\\ coffee = green /\\ home[Ukrainian] = tea;
constraint green = ivory + 1 /\\ oldgold = snail /\\ kools = yellow /\\ milk = 3 /\\ home[Norwegian] = 1;
constraint abs(chester - fox) = 1 /\\ abs(kools - horse) = 1 /\\ lucky = juice;
constraint home[Japanese] = parl /\\ abs(home[Norwegian] - blue) = 1;`,
  "solve satisfy;",
];

const packing = [
  "int: n = 9; int: width = 8;",
  "array[1..n] of int: w = [3, 4, 2, 5, 3, 2, 4, 1, 3]; array[1..n] of int: h = [2, 3, 5, 2, 4, 3, 2, 6, 3];",
  "array[1..n] of var 0..7: x; array[1..n] of var 0..40: y; var 1..40: height;",
  "constraint forall(i in 1..n)(x[i] + w[i] <= width /\\ y[i] + h[i] <= height);",
  "constraint forall(i, j in 1..n where i < j)(x[i]+w[i] <= x[j] \\/ x[j]+w[j] <= x[i] \\/ y[i]+h[i] <= y[j] \\/ y[j]+h[j] <= y[i]);",
  "solve :: int_search(x ++ y, input_order, indomain_max) minimize height;",
];

function lengthOf(answer: Answer): number {
  const route = numbersIn(answer, "tour");
  const rows = (tour[2] ?? "")
    .replace(/^[^|]*\|/, "")
    .split("|")
    .slice(0, 9)
    .map((row) => row.split(",").map(Number));
  return route.reduce((sum, from, i) => sum + (rows[from - 1]?.[(route[(i + 1) % 9] ?? 1) - 1] ?? Number.NaN), 0);
}

function numbersIn({ model }: Answer, name: string): number[] {
  const value: unknown = Object.entries(Object(model)).find(([key]) => key === name)?.[1];
  return Array.isArray(value) ? value.map(Number) : [];
}

/** What it is called; items, options; the fault, and words of it. */
type Wrong = [string, string[], Record<string, unknown>, Record<string, unknown>, string];

async function isCorrected(bench: MiniZincBench, [items, options, expected, words]: Rest<Wrong>): Promise<void> {
  const fault = await bench.fault(items, options);
  expect(fault).toMatchObject(expected);
  expect(fault.error).toContain(words);
  expect(fault.remedy).toMatch(/^\(1\) .+\(2\) /s);
}

type Rest<All> = All extends [unknown, ...infer Others] ? Others : never;

describe.each(minizinc_builds)("minizinc on the $name build", ({ name, minizinc }) => {
  const bench = benchOf(minizinc);
  const test = it;
  /**
   * Whether Verdict's own part, and MiniZinc's part that is equal in both builds (minizinc_read.test.ts), is tested
   * here.
   */
  const here = runs_all || minizinc === quickest_minizinc;

  test("solves the tour of Austria", async () => {
    const answer = await bench.solveAtOnce(tour);
    expect(answer).toMatchObject({ status: "sat", objective_value: 1564, optimal: true });
    expect([...numbersIn(answer, "tour")].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(lengthOf(answer)).toBe(1564);
    expect(answer.engine).toContain(`(${name})`);
  });

  test("solves the zebra puzzle", async () => {
    const answer = await bench.solveAtOnce(zebra);
    expect(answer).toMatchObject({ status: "sat", model: { home: [3, 4, 5, 2, 1], zebra: 5, water: 1 } });
    expect(answer.statistics).toMatchObject({ nodes: expect.any(Number), failures: expect.any(Number) });
    expect(Object.keys(Object(answer.statistics)).length, "a reader pays for each").toBeLessThanOrEqual(7);
  });

  test("names the items of a timetable that conflict", async () => {
    const timetable = [
      "enum Class = {maths, music, art, sport}; array[Class] of var 1..3: hour;",
      "constraint hour[maths] != hour[music];",
      "constraint hour[maths] != hour[art];\nconstraint hour[music] != hour[art];",
      "constraint hour[sport] = 3;",
      "constraint hour[maths] < 3 /\\ hour[music] < 3;",
      "constraint hour[art] < 3;",
      "solve satisfy;",
    ];
    // The search for the conflict has the time of the call, which has to be enough on a busy machine, too.
    const answer = await withEnoughTime(
      (timeout_ms) => bench.solve(timetable, { timeout_ms }),
      (each) => each["status"] === "unsat" && !hadNoTime(each),
      37_500,
    );
    expect(answer).toMatchObject({ status: "unsat", satisfiable: false, model: null });
    const conflict = [
      { item: 1, line: 1 },
      { item: 2, line: 1 },
      { item: 2, line: 2, text: "constraint hour[music] != hour[art];" },
      { item: 4, line: 1 },
      { item: 5, line: 1 },
    ];
    expect(answer["unsat_items"]).toEqual(conflict.map((place) => expect.objectContaining(place)));
  });

  test("reports better and better solutions of a strip packing, and claims no more at the time limit", async () => {
    const solveWithin = async (timeout_ms: number) => {
      const onEvent: string[] = [];
      const answer = await bench.solve(
        [packing.join("\n")],
        { timeout_ms, solver: "gecode" },
        { onEvent: (text) => onEvent.push(text) },
      );
      return { answer, onEvent };
    };
    const { answer, onEvent } = await withEnoughTime(
      solveWithin,
      // On a busy machine the values could not be evaluated after the limit, which the answer says.
      (told) => told.onEvent.length > 1 && !String(told.answer.warnings).includes("own text"),
      name === "wasm" ? 4_000 : 1_500,
    );
    expect(answer).toMatchObject({ status: "sat", optimal: false });
    const others = [answer.warnings].flat().filter((each) => !String(each).includes("own text"));
    expect(others).toEqual([expect.stringContaining("time limit was reached")]);
    if (name === "wasm")
      expect(String(answer.warnings)).toMatch(/Another solver might do better: "(?:cp-sat|chuffed)"/);
    expect(onEvent.length).toBeGreaterThan(1);
    expect(onEvent[0]).toMatch(/^objective \d+ after \d+\.\d s$/);
    expect(onEvent.at(-1)).toContain(`objective ${String(answer.objective_value)} `);
  });

  test("accepts no answer that rests on numbers which the solver does not have", async () => {
    const never = await bench.solveAtOnce(["var int: x; constraint x > 2147483640 /\\ x * x > 9; solve minimize x;"]);
    // Gecode says unsatisfiable. Z3 may find values in the time; they are then not called the best.
    if (never.status === "sat") expect(Number(numbersOf(never.model))).toBeGreaterThan(2147483640);
    else expect(never).toMatchObject({ status: "unknown", reason: "numbers outside the solver's range" });
    expect(never.optimal).not.toBe(true);
    const fine = await bench.solveAtOnce(["var int: x; constraint x > 4; solve satisfy;"]);
    expect(fine.status === "sat" ? Number(numbersOf(fine.model)) > 4 : fine.status === "unknown").toBe(true);
  });

  test("answers random models as brute force does", async () => {
    const seeds = Array.from({ length: name === "wasm" ? 1 : 8 }, (_, i) => Date.now() + i);
    const tally = await heldAgainstBruteForce(bench, linearModel, { solver: "gecode" }, seeds);
    expect(tally.decided, `seed ${seeds[0]}`).toBe(seeds.length);
  });

  if (here) {
    test("takes data in all forms", async () => {
      const model = `enum C; enum D = {a, b}; int: n; float: f; bool: p; string: s; set of int: S; set of D: T;
array[1..2] of int: v; array[1..2, 1..2] of float: m; array[C] of set of int: q; opt int: o;
var 1..n: x; array[C] of var D: y; array[1..2, 1..2] of var 0..1: z;
constraint x in S /\\ y[C[1]] in T /\\ z[1, 2] = v[1] /\\ z[2, 1] = card(q[C[2]]) /\\ p /\\ f + m[2, 1] > 3.0;
constraint sum(z) = 2 /\\ forall(c in C)(y[c] = b);
solve maximize x; output [s];`
        .replaceAll("C[1]", "min(C)")
        .replaceAll("C[2]", "max(C)");
      const data = {
        C: ["r", "g"],
        n: 9,
        f: 2,
        p: true,
        s: "größe → 日本",
        S: [2, [4, 5]],
        T: { set: ["b"] },
        v: [1, 7],
      };
      const answer = await bench.solveAtOnce([model], {
        data: {
          ...data,
          m: [
            [0, 0],
            [1.5, 0],
          ],
          q: [[], [3]],
        },
      });
      expect(answer).toMatchObject({
        status: "sat",
        model: {
          x: 5,
          y: ["b", "b"],
          z: [
            [0, 1],
            [1, 0],
          ],
        },
        objective_value: 5,
        output: ["größe → 日本"],
      });
    });

    test("gives all solutions, or as many as are wanted, and says which", async () => {
      const model = ["var 1..4: x; var 1..4: y; constraint x + y = 5; solve satisfy;"];
      const all = await bench.solve(model, { all_solutions: true });
      expect(all).toMatchObject({ status: "sat", warnings: ["These are all solutions: 4."] });
      expect(all.solutions).toHaveLength(4);
      const two = await bench.solve(model, { max_solutions: 2 });
      expect(two).toMatchObject({ status: "sat", warnings: ["There may be more than these 2 solutions."] });
      expect(two.solutions).toHaveLength(2);
    });

    test("gives large integers as texts", async () => {
      const answer = await bench.solveAtOnce([
        "int: big :: add_to_output = 9007199254740993; var 1..2: x; solve maximize x;",
      ]);
      expect(answer).toMatchObject({ status: "sat", model: { big: "9007199254740993" } });
    });
  }

  describe("given what is wrong", () => {
    const cases: Wrong[] = [
      [
        "an undeclared identifier",
        ["var 1..3: x;", "constraint\n  zz > 2;"],
        {},
        { code: "syntax_error", position: { item: 1, line: 2, column: 3 } },
        "undefined identifier `zz'",
      ],
      [
        "a type error",
        ["var 1..3: x;", "constraint x /\\ true;"],
        {},
        { code: "syntax_error", position: { item: 1, line: 1, column: 12 } },
        "type error",
      ],
      [
        "a missing semicolon inside",
        ["var 1..3: x\nconstraint x > 1;"],
        {},
        { code: "syntax_error", position: { item: 0, line: 2, column: 1 } },
        "expecting",
      ],
      [
        "a string that is not closed",
        ['string: s = "a;'],
        {},
        { code: "syntax_error", position: { item: 0, line: 1, column: 13 } },
        "not closed",
      ],
      [
        "a set without bounds",
        ["var set of int: s;"],
        {},
        { code: "syntax_error", position: { item: 0, line: 1, column: 1 } },
        "not finite",
      ],
      [
        "a domain that the solver's integers can't hold",
        ["var 1..2: y;", "var 0..9000000000: x;", "constraint x > 5000000000;"],
        { solver: "gecode" },
        {
          code: "input_rejected",
          position: { item: 1, line: 1, column: 8 },
          remedy: expect.stringContaining("language z3"),
        },
        "9000000000 is too large",
      ],
      [
        "an include of a host file",
        ['include "/etc/passwd";'],
        {},
        { code: "forbidden", position: { item: 0, line: 1, column: 9 } },
        "/etc/passwd",
      ],
      ["an include through a folder", ['include "../x.mzn";'], {}, { code: "forbidden" }, "not allowed"],
      [
        "an include of nothing",
        ["var 1..2: x;", 'include "nosuch.mzn";'],
        {},
        { code: "input_rejected", position: { item: 1, line: 1, column: 1 } },
        "nosuch.mzn",
      ],
      [
        "two solve items",
        ["solve satisfy;", "solve satisfy;"],
        {},
        { code: "syntax_error", position: { item: 1, line: 1, column: 1 } },
        "Only one solve item",
      ],
      [
        "surplus data",
        ["int: n;"],
        { data: { n: 1, m: 2 } },
        { code: "input_rejected" },
        "names that are not parameters of the model, or have a value there: m",
      ],
      [
        "data of the wrong type",
        ["int: n;"],
        { data: { n: "x" } },
        { code: "input_rejected", position: { item: 0, line: 1, column: 6 } },
        'Expected: int. Given: "x"',
      ],
      [
        "an array of the wrong shape",
        ["array[1..2, 1..2] of int: a;"],
        { data: { a: [[1, 2], [3]] } },
        { code: "input_rejected", position: { item: 0, line: 1, column: 27 } },
        "Expected: 2-dimensional array of int. Given: [[1,2],[3]]",
      ],
      [
        "an unknown solver",
        ["var 1..2: x;"],
        { solver: "gecod" },
        { code: "invalid_argument" },
        'Did you mean "gecode"?',
      ],
    ];
    const of_build = cases.filter(([name]) => of_each_build.has(name));
    const others = cases.filter(([name]) => !of_each_build.has(name));
    const asked = here ? [...of_build, ...someCompiled(others, 6)] : of_build;
    test.each(asked)("%s: says what, where and how to correct it", async (_, ...wrong) => isCorrected(bench, wrong));

    // HiGHS comes with the embedded build; Debian's native one has none.
    if (name !== "native") highsTests(() => bench);
  });
});

/** Faults that rest on what a build has: its parser, its files, its numbers. */
const of_each_build: ReadonlySet<string> = new Set([
  "an undeclared identifier",
  "an include of nothing",
  "a domain that the solver's integers can't hold",
]);

function highsTests(bench: () => MiniZincBench): void {
  it("an infinite domain on a solver that can't: says what, where and how", async () => {
    const fault = await bench().fault(["var bool: b;", "var int: x;", "constraint b -> x > 5;", "solve maximize x;"], {
      solver: "highs",
    });
    expect(fault).toMatchObject({ code: "input_rejected", position: { item: 1, line: 1, column: 1 } });
    expect(fault.error).toContain("x needs finite bounds");
    expect(fault.remedy).toContain("give every variable bounds");
  });

  it("a product that the solver can't form: says what, where and how", async () => {
    const fault = await bench().fault(["var int: x; var int: y;", "constraint x * y = 12;"], { solver: "highs" });
    expect(fault).toMatchObject({ code: "input_rejected", position: { item: 0, line: 1, column: 10 } });
    expect(fault.remedy).toContain("if the call names a solver, remove it");
  });
}

/** MiniZinc compiles alike in both builds (minizinc_read.test.ts reads what both say), so one of them is enough. */
describe("minizinc given what is wrong once it is compiled", () => {
  const bench = benchOf(quickest_minizinc);

  const cases: Wrong[] = [
    [
      "a loop over a variable without bounds",
      ["var int: n;\narray[1..3] of var 0..1: x;", "constraint\n  forall(i in 1..n)(x[i] > 0);"],
      {},
      { code: "input_rejected", position: { item: 1, line: 2 } },
      "infinite set",
    ],
    [
      "an overflow in the parameters",
      ["int: n = 9223372036854775807;", "var 1..3: x;", "constraint\n  x > n + 1;"],
      {},
      { code: "input_rejected", position: { item: 2, line: 2 } },
      "integer overflow",
    ],
    [
      "a parameter that is divided by zero",
      ["int: n = 0;", "int: m =\n  5 div n;", "var 1..3: x;"],
      {},
      { code: "input_rejected", position: { item: 1, line: 2 } },
      "division by zero",
    ],
    [
      "missing data",
      ["var 1..2: x;", "int: n; array[1..n] of int: w;"],
      {},
      { code: "input_rejected", position: { item: 1, line: 1, column: 6 } },
      "n (int), w (list of int)",
    ],
    [
      "an array of the wrong length",
      ["array[1..3] of int: a; var 1..a[1]: x;"],
      { data: { a: [1, 2] } },
      { code: "input_rejected", position: { item: 0 } },
      "array",
    ],
    [
      "an assertion that fails",
      ["int: n = 0;", 'constraint assert(n > 0, "n must be positive");'],
      {},
      { code: "input_rejected", position: { item: 1, line: 1 } },
      "n must be positive",
    ],
  ];
  it.each(someCompiled(cases, 3))("%s: says what, where and how to correct it", async (_, ...wrong) =>
    isCorrected(bench, wrong),
  );

  it("answers a division by a zero parameter with a warning that says where", async () => {
    const answer = await bench.solveAtOnce(["int: n = 0;\nvar 1..3: x;", "constraint x = 5 div n;", "solve satisfy;"]);
    expect(answer.status).toBe("unsat");
    expect(String(answer.warnings)).toContain("Item 0, line 3");
    expect(String(answer.warnings)).toContain("division by zero");
  });

  it("says that the goals of goal_hierarchy are ignored", async () => {
    const goals = "solve :: goal_hierarchy([int_min_goal(x), int_max_goal(y)]) satisfy;";
    const answer = await bench.solveAtOnce(['include "experimental.mzn";', "var 1..3: x; var 1..3: y;", goals]);
    expect(answer).toMatchObject({ status: "sat", optimal: null });
    expect(String(answer.warnings)).toContain("goal_hierarchy is ignored");
  });
});

function numbersOf(model: unknown): unknown {
  return Object.values(Object(model))[0];
}

describe("a model that defines a name of MiniZinc", () => {
  it.each([
    "predicate int_lin_le(array[int] of int: a, array[int] of var int: b, int: c) = true; constraint x + y < 0;",
    "predicate bool_clause(array[int] of var bool: a, array[int] of var bool: b) = true;",
    "predicate forall(array[$T] of var bool: b) = true; constraint forall([x < 0, x > 5]);",
    "function var int: sum(array[int] of var int: a) = 1; constraint sum([x, y]) = 1 /\\ x + y > 3;",
    "function var bool: '<'(var int: a, var int: b) = true; constraint x < 0;",
  ])("is refused where the name is built in: %s", async (items) => {
    const fault = await benchOf(quickest_minizinc).fault(["var 1..9: x; var 1..9: y;", items]);
    expect(fault).toMatchObject({ code: "input_rejected", position: { item: 1, line: 1 } });
    expect(fault.error).toContain("is built into MiniZinc");
  });

  it("is warned that the global constraint of the library is not used", async () => {
    const own = "predicate all_different(array[int] of var int: a) = true; constraint all_different([x, y]);";
    const answer = await benchOf(quickest_minizinc).solveAtOnce(["var 1..9: x; var 1..9: y;", own]);
    expect(answer).toMatchObject({ status: "sat" });
    expect(String(answer["warnings"])).toContain("The model defines all_different itself");
  });
});
