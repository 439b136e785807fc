import { expect, it } from "vitest";
import { comparesLengths } from "../../src/tools/model/languages/minizinc/source/lengths.ts";
import { misstatedForValues } from "../../src/tools/model/languages/minizinc/source/negative.ts";
import { promisedValues } from "../../src/tools/model/languages/minizinc/source/promised.ts";
import { statementsOf } from "../../src/tools/model/languages/minizinc/source/source.ts";
import { openMiniZincOnce, quickest_minizinc, someCompiled } from "../support/minizinc.ts";

/** What MiniZinc's library states wrongly: no solver's claim about it is accepted. */
const benchOf = openMiniZincOnce();

const globals = 'include "globals.mzn";';

it.each(
  someCompiled([
    // Each of these has a solution, and MiniZinc finds none.
    [globals, "var 3..3: x; constraint not (global_cardinality_closed([x], [1, 2])[1] = 1);"],
    [globals, "var 1..2: x; constraint not mdd_nondet([x], 1, [1], 1, [1], [{1}], [0]);"],
    [globals, "array[1..2] of var -2..-1: x; constraint seq_precede_chain(x);"],
    [globals, "array[1..2] of var set of 1..2: x; constraint seq_precede_chain(x);"],
    [
      globals,
      "array[1..2] of var 1..2: x; var -20..20: c; constraint cost_mdd(x, 2, [1, 2], 2, [1, 2], [{1, 2}, {1, 2}], [-5, -5], [2, 0], c);",
    ],
    // Here it takes tasks without a value for no span of each other.
    [globals, "var opt 1..1: s; var 0..0: d; var opt 1..1: t; constraint not span(s, d, [t], [0]);"],
    [globals, "var opt 1..1: s; var 0..0: d; var opt 1..1: t; constraint not alternative(s, d, [t], [0]);"],
    // Here it takes an edge that leaves a node which is not in.
    [globals, "array[1..2] of var bool: n; array[1..1] of var bool: e; constraint dag([1], [2], n, e);"],
  ]),
)("%s %s", async (...items) => {
  const answer = await benchOf(quickest_minizinc).solveAtOnce(items, { all_solutions: true });
  expect(answer).toMatchObject({ status: "unknown" });
  expect(String(answer.warnings)).toContain("MiniZinc's library");
});

it.each([
  ["constraint arg_val(x, 2) = 1 /\\ arg_val(x, 3) > 1;", []],
  ["constraint forall (v in 1..3) (arg_val(x, v) <= v);", []],
  ["array[1..2] of var 0..3: c = global_cardinality_closed(x, [1, 2]);", []],
  ["constraint b \\/ global_cardinality_closed(x, [1, 2], c);", []],
  ["solve minimize arg_val(x, 2);", []],
  ["constraint b \\/ arg_val(x, 2) = 1;", ["arg_val"]],
  ["constraint not (arg_val(x, 2) in S);", ["arg_val"]],
  ["constraint b = (writes(x, [p], [1])[1] = 1);", ["writes"]],
  ["constraint sum (v in 1..3) (arg_val(x, v) in {1, 2},) >= 2;", ["arg_val"]],
  ["var bool: b = (piecewise_linear(x, k, y) > 1.0);", ["piecewise_linear"]],
  ["function var int: f(var int: v) = arg_val(x, v);", ["arg_val"]],
])("where the library's promise of a value matters: %s", (source, names) => {
  expect(promisedValues(statementsOf([source]))).toEqual(names);
});

it.each([
  ["constraint seq_precede_chain(x); array[1..2] of var 1..3: x;", [], true, []],
  ["constraint seq_precede_chain(x); array[1..2] of var -3..-1: x;", [], false, []],
  [
    "constraint seq_precede_chain(x); array[1..2] of var -3..-1: x;",
    [],
    true,
    ["seq_precede_chain of negative numbers"],
  ],
  ["constraint seq_precede_chain(x); array[1..2] of var set of S: x;", [], false, ["seq_precede_chain of sets"]],
  ["constraint cost_mdd(x, 2, l, 2, f, s, [5, 5], t, c);", [], false, []],
  ["constraint cost_mdd(x, 2, l, 2, f, s, w, t, c);", ['{"w": [-5, 5]}'], false, ["cost_mdd with negative costs"]],
] as const)("what is wrong for some values: %s with %s", (source, data, is_found, names) => {
  expect(misstatedForValues(statementsOf([source]), data, is_found)).toEqual(names);
});

it("dag is believed beside subgraph", async () => {
  const graph = "array[1..2] of var bool: n; array[1..1] of var bool: e; constraint dag([1], [2], n, e);";
  const whole = [globals, graph, "constraint subgraph(2, 1, [1], [2], n, e);"];
  const answer = await benchOf(quickest_minizinc).solveAtOnce(whole, { all_solutions: true });
  expect(answer["solutions"]).toHaveLength(5);
  expect(answer.warnings).toContain("These are all solutions: 5.");
});

it.each(someCompiled([{}, { all_solutions: true }]))(
  "values of Chuffed that rest on a constraint on which it was not measured are checked with Gecode: %o",
  async (options) => {
    // No tree of this graph weighs 2, and Chuffed gives some that weigh less.
    const model =
      "array[1..3] of var bool: n; array[1..3] of var bool: e; var 2..3: x; constraint steiner(3, 3, [2, 3, 3], [3, 1, 2], [0, 0, 1], n, e, x);";
    const answer = await benchOf("wasm").solveAtOnce([globals, model], { solver: "chuffed", ...options });
    expect(answer).toMatchObject({ status: "unknown" });
    const light = model.replace("2..3: x", "0..0: x").replace("var bool: e;", "var bool: e; constraint n[1] /\\ n[2];");
    if (Object.keys(options).length > 0) return;
    expect(await benchOf("wasm").solveAtOnce([globals, light], { solver: "chuffed" })).toMatchObject({ status: "sat" });
  },
);

it.each([
  ["constraint lex_less([x, y], [y, 3]);", false],
  ["constraint lex_less(row(m, 1), row(m, 2)) /\\ lex_greater(m[1, ..], m[2, ..]);", false],
  ["constraint lex_less([m[1, j] | j in S], [m[2, j] | j in S]);", false],
  ["array[1..3] of var int: a; array[1..3] of var int: b; constraint lex_less(a, b);", false],
  ["constraint lex_lesseq([x], [y, 3]);", false],
  ["constraint lex_less([x], [x, 3]);", true],
  ["array[1..3] of var int: a; array[1..n] of var int: b; constraint lex_less(a, b);", true],
  ["constraint lex_greater(f(x), [1, 2]);", true],
])("whether a list may be compared with one of another length: %s", (source, may) => {
  expect(comparesLengths(statementsOf([source]))).toBe(may);
});

it("a linear solver's claim about lists of different lengths is not accepted", async () => {
  // [y] is less than [y, 1], and the linear form says that it is not.
  const answer = await benchOf("wasm").solveAtOnce(
    [globals, "var 0..3: y; constraint lex_less([y], [y, 1]); solve minimize y;"],
    { solver: "coin-bc" },
  );
  expect(answer).toMatchObject({ status: "sat", objective_value: 0, optimal: true });
});
