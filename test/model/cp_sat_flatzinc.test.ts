import { describe, expect, it } from "vitest";
import { faultOf, openCpSat } from "../support/cp_sat.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { type Condition, type Declared, type RandomModel, solved } from "../support/random_minizinc.ts";

/**
 * MiniZinc's compiler with the library for CP-SAT, and the translation into CP-SAT: each kind of constraint against brute
 * force, all solutions. At random in test/long/cp_sat_random.test.ts.
 */

const domain = (low: number, high: number) => Array.from({ length: high - low + 1 }, (_, i) => low + i);
const declared: readonly Declared[] = [
  { name: "x", text: "var -2..3: x;", values: domain(-2, 3) },
  { name: "y", text: "var {-3, 1, 2, 4}: y;", values: [-3, 1, 2, 4] },
  { name: "z", text: "var 0..3: z;", values: domain(0, 3) },
  { name: "b", text: "var bool: b;", values: [0, 1] },
];

type Holds = (x: number, y: number, z: number, b: boolean) => boolean;
const differ = (...xs: number[]) => new Set(xs).size === xs.length;
const overlap = (a: number, length: number, c: number, other: number) => a < c + other && c < a + length;
const isPermutation = (...xs: number[]) => differ(...xs) && xs.every((each) => each >= 1 && each <= xs.length);
const isPaired = (xs: number[], base: number) => xs.every((each, at) => xs[each - base] === at + base);
const isCircuit = (...xs: number[]) => {
  const walk = [1];
  while (walk.length < xs.length) walk.push(xs[(walk.at(-1) ?? 0) - 1] ?? 0);
  return differ(...walk) && xs[(walk.at(-1) ?? 0) - 1] === 1;
};

const constraints: readonly (readonly [string, Holds])[] = [
  ["2 * x - 3 * y + z = 1", (x, y, z) => 2 * x - 3 * y + z === 1],
  ["2 * x - 3 * y + z != 1", (x, y, z) => 2 * x - 3 * y + z !== 1],
  ["b <-> 3000000000 * x + y <= 6000000000", (x, y, _, b) => b === 3e9 * x + y <= 6e9],
  ["b -> x + y = z", (x, y, z, b) => !b || x + y === z],
  ["b xor (x = z) xor (y > x)", (x, y, z, b) => (b !== (x === z)) !== y > x],
  ["x * y = z", (x, y, z) => x * y === z],
  ["x div y = z - 1", (x, y, z) => Math.trunc(x / y) + 0 === z - 1],
  ["x mod y = z - 1", (x, y, z) => (x % y) + 0 === z - 1],
  ["z div x = 1", (x, _, z) => x !== 0 && Math.trunc(z / x) === 1],
  ["pow(x, z) = y", (x, y, z) => x ** z === y],
  ["pow(x, y) = z", (x, y, z) => (x !== 0 || y >= 0) && Math.trunc(x ** y) + 0 === z],
  ["abs(x) = max(y, z) - bool2int(b)", (x, y, z, b) => Math.abs(x) === Math.max(y, z) - Number(b)],
  ["min([x, y, z]) = -2 \\/ max([x, y]) = 1", (x, y, z) => Math.min(x, y, z) === -2 || Math.max(x, y) === 1],
  ["[5, 1, 4, 2][z + 1] = y", (_, y, z) => [5, 1, 4, 2][z] === y],
  ["[x, 1, y][z] = 1", (x, y, z) => [x, 1, y][z - 1] === 1],
  ["[b, x = 1, true][z]", (x, _, z, b) => [b, x === 1, true][z - 1] ?? false],
  ["x in {-2, 0, 1} <-> b", (x, _, __, b) => [-2, 0, 1].includes(x) === b],
  ["b -> y in {-3, 4}", (_, y, __, b) => !b || [-3, 4].includes(y)],
  ["all_different([x, y, z])", (x, y, z) => differ(x, y, z)],
  ["b -> all_different([x, y, z])", (x, y, z, b) => !b || differ(x, y, z)],
  ["b <-> all_different([x, y, z])", (x, y, z, b) => b === differ(x, y, z)],
  ["circuit([x, y, z])", (x, y, z) => isCircuit(x, y, z)],
  ["b <-> circuit([x, y, z])", (x, y, z, b) => b === isCircuit(x, y, z)],
  // Each permutation of three nodes has one circuit at most.
  ["subcircuit([x, y, z])", (x, y, z) => isPermutation(x, y, z)],
  ["inverse([x, 2, 1], [z, y, 1])", (x, y, z) => x === 3 && y === 2 && z === 3],
  ["inverse([x, y, z], [x, y, z])", (x, y, z) => isPaired([x, y, z], 1)],
  ["inverse([z, y, 3], [z, y, 3])", (_, y, z) => isPaired([z, y, 3], 1)],
  ["inverse(array1d(0..2, [x, z, 2]), array1d(0..2, [x, z, 2]))", (x, _, z) => isPaired([x, z, 2], 0)],
  ["b -> inverse([x, y, z], [x, y, z])", (x, y, z, b) => !b || isPaired([x, y, z], 1)],
  ["table([x, y, z], [| 1, 2, 3 | -2, 4, 0 | 1, 3, 1 |])", (x, y, z) => ["1,2,3", "-2,4,0"].includes(`${[x, y, z]}`)],
  ["b <-> table([x, y], [| 1, 2 | -2, 4 |])", (x, y, _, b) => b === ["1,2", "-2,4"].includes(`${[x, y]}`)],
  ["b -> table([x, y], [| 1, 2 | -2, 4 |])", (x, y, _, b) => !b || ["1,2", "-2,4"].includes(`${[x, y]}`)],
  ["regular([x, z, x], 2, 2, [| 1, 2 | 2, 0 |], 1, {2})", (x, _, z) => /^1*21*$/.test([x, z, x].join(""))],
  ["regular_nfa([x, z], 2, 2, [| {1, 2}, {} | {}, {1} |], 1, {1})", (x, _, z) => ["11", "12"].includes(`${x}${z}`)],
  [
    "cumulative([x, z, 1], [2, 1, 2], [1, 2, 1], 2)",
    (x, _, z) =>
      domain(-2, 5).every((t) => Number(x <= t && t < x + 2) + 2 * Number(t === z) + Number(t === 1 || t === 2) <= 2),
  ],
  // Durations and amounts that are chosen from a few.
  ["cumulative([x, 0], [z, 2], [z, 1], 2)", (x, _, z) => z === 0 || (z <= 2 && (z < 2 || !overlap(x, z, 0, 2)))],
  ["b -> circuit([x, y, z])", (x, y, z, b) => !b || isCircuit(x, y, z)],
  ["not regular_nfa([x, z], 1, 2, [| {1}, {} |], 1, {1})", (x, _, z) => x !== 1 || z !== 1],
  ["not maximum(z, [x, y])", (x, y, z) => Math.max(x, y) !== z],
  ["b <-> value_precede(1, 2, [x, y])", (x, y, _, b) => b === (x !== 2 && (y !== 2 || x === 1))],
  ["disjunctive([x, z], [2, z])", (x, _, z) => z === 0 || !overlap(x, 2, z, z)],
  ["disjunctive_strict([x, z], [2, z])", (x, _, z) => x + 2 <= z || z + z <= x],
  ["disjunctive_strict([if b then z else <> endif, 5], [x, 1])", (x, _, z, b) => x >= 0 && (!b || z + x <= 5)],
  ["b -> disjunctive_strict([0, z], [-2 * x, 1])", (x, _, z, b) => !b || (x <= 0 && z >= -2 * x)],
  ["b -> disjunctive([x, z], [2, 1])", (x, _, z, b) => !b || !overlap(x, 2, z, 1)],
  ["diffn([x, z], [y, 1], [2, 1], [1, 2])", (x, y, z) => !overlap(x, 2, z, 1) || !overlap(y, 1, 1, 2)],
  ["diffn([x, z], [y, 1], [2, 0], [1, 2])", (x, y, z) => x + 2 <= z || z <= x || y + 1 <= 1 || 3 <= y],
  [
    "global_cardinality([x, y, z], [1, 2], [z, 1])",
    (x, y, z) => [x, y, z].filter((v) => v === 1).length === z && [x, y, z].filter((v) => v === 2).length === 1,
  ],
  ["count([x, y, z], 1) >= 2", (x, y, z) => [x, y, z].filter((v) => v === 1).length >= 2],
  [
    "bin_packing(3, [x, y, z], [1, 2, 2])",
    (x, y, z) => [x, y, z].every((bin) => Number(x === bin) + 2 * Number(y === bin) + 2 * Number(z === bin) <= 3),
  ],
  ["lex_less([x, y], [z, 2])", (x, y, z) => x < z || (x === z && y < 2)],
  ["increasing([x, y, z])", (x, y, z) => x <= y && y <= z],
  ["card({x, y} union {z}) = 2", (x, y, z) => new Set([x, y, z]).size === 2],
  ["(if b then x else y endif) = z", (x, y, z, b) => (b ? x : y) === z],
  ["sum([b, x > 0, y > 0]) = z", (x, y, z, b) => Number(b) + Number(x > 0) + Number(y > 0) === z],
];

function modelOf([text, holds]: readonly [string, Holds], goal: RandomModel["goal"] = "satisfy"): RandomModel {
  const of: Condition["of"] = ({ x = 0, y = 0, z = 0, b }) => holds(x, y, z, b === 1);
  const objectiveOf = ({ x = 0, y = 0, z = 0 }) => 3 * x - 2 * y + z;
  return solved({ declared, conditions: [{ text, of }], goal, objective: "3*x - 2*y + z", objectiveOf });
}

describe.skipIf(!has_python)("MiniZinc on CP-SAT", () => {
  const bench = fixture(openCpSat);

  it.each(["satisfy", "maximize"] as const)("means what brute force finds: %s", async (goal) => {
    const models = constraints.map((each) => modelOf(each, goal));
    const outcomes = await bench.solveAll(models, goal === "satisfy" ? 1 : 2);
    expect(outcomes.map((outcome) => outcome?.end.status)).toEqual(
      models.map(() => (goal === "satisfy" ? "all" : "optimal")),
    );
    expect(models.flatMap((model, i) => (outcomes[i] ? (faultOf(model, outcomes[i]) ?? []) : []))).toEqual([]);
  });

  it("knows at once that an odd number of elements can't be in pairs", async () => {
    const pairs = (n: number) =>
      `include "inverse.mzn"; array[1..${n}] of var 1..${n}: p; constraint inverse(p, p) /\\ forall(i in 1..${n})(p[i] != i); solve satisfy;`;
    const statusOf = async (n: number) => (await bench.solve((await bench.compile(pairs(n)))?.flatzinc ?? "")).status;
    expect([await statusOf(25), await statusOf(26)]).toEqual(["unsat", "sat"]);
  });

  it("prints arrays whose members are known before it begins", async () => {
    const compiled = await bench.compile(
      "array[1..2] of var 1..1: x; array[0..1] of var int: y; constraint y = array1d(0..1, [4, 5]);",
    );
    const end = await bench.solve(compiled?.flatzinc ?? "");
    expect(await bench.show(compiled?.output_model ?? "", end.solutions[0] ?? "")).toMatchObject({
      x: [1, 1],
      y: [4, 5],
    });
  });

  it("leaves out advice on the search that CP-SAT has no form for", async () => {
    const ann = [
      { id: "int_search", args: [["x"], { id: "mine", args: [3] }, "indomain_min", "complete"] },
      { id: "warm_start", args: [["s"], [{ set: [[1, 2]] }]] },
      { id: "warm_start", args: [["x"], [1e30]] },
    ];
    const solve = { method: "minimize", objective: "x", ann };
    const variables = { x: { type: "int", domain: [[1, 3]] } };
    const flatzinc = { variables, arrays: {}, constraints: [], output: ["x"], solve };
    expect(await bench.solve(JSON.stringify(flatzinc))).toMatchObject({ status: "optimal", objective: 1 });
  });

  it("prints what a solve of MiniZinc prints", async () => {
    const compiled = await bench.compile(`
      enum Day = {mon, tue, wed};
      array[Day] of var Day: next; array[1..2, Day] of var 0..1: grid; var set of 1..3: s; var opt 4..4: o;
      array[1..2] of var opt Day: off; var set of Day: days;
      constraint absent(off[1]) /\\ off[2] = wed /\\ card(days) = 2 /\\ not (wed in days);
      var record(int: n, bool: is_large): r; tuple(var 1..2, var bool): t; var int: far;
      constraint next = [tue, wed, mon] /\\ s = {1, 3} /\\ absent(o) /\\ r = (n: 7, is_large: true) /\\ t = (2, false);
      constraint forall(d in Day)(grid[2, d] = 1 -> d = tue) /\\ far = 4000000000 + sum(grid);
      solve maximize sum(grid) + 1;
      output ["\\(next[mon]) \\(next) \\(o) \\(s) \\(off) \\(off[2]) \\(days)\\n", show(next[tue])];
    `);
    const end = await bench.solve(compiled?.flatzinc ?? "");
    expect(end).toMatchObject({ status: "optimal", objective: 5 });
    expect(await bench.show(compiled?.output_model ?? "", end.solutions[0] ?? "")).toEqual({
      next: [{ e: "tue" }, { e: "wed" }, { e: "mon" }],
      off: [null, { e: "wed" }],
      days: { set: [{ e: "mon" }, { e: "tue" }] },
      ...{
        grid: [
          [1, 1, 1],
          [0, 1, 0],
        ],
        s: { set: [1, 3] },
        o: null,
        r: { n: 7, is_large: true },
        t: [2, false],
      },
      ...{ far: 4_000_000_004, _objective: 5, _output: "tue [tue, wed, mon] <> {1,3} [<>, wed] wed {mon, tue}\nwed" },
    });
  });
});
