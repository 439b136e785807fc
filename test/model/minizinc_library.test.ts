import { expect, it } from "vitest";
import { openMiniZincOnce, someCompiled } from "../support/minizinc.ts";

/**
 * What MiniZinc's library states wrongly, and Verdict's own definitions state rightly; at length in
 * test/long/minizinc_library.test.ts.
 */
const benchOf = openMiniZincOnce();

const globals = 'include "globals.mzn";';
/** Only what the model calls: all of the library takes seconds to compile, for each solver. */
const included = (model: string) =>
  [...new Set(model.match(/\b[a-z]\w+(?=\()/g))]
    .filter((name) => !["deopt", "occurs"].includes(name))
    .map((name) => `include "${name}.mzn";`)
    .join("");
const tasks = "var opt 1..1: s; var 0..0: d; var opt 1..1: t;";
const sequence = "array[1..2] of var 0..3: x; var bool: b;";

it.each([
  // With the library of 2.10 each of these has other solutions, or none.
  ["var 3..3: x; constraint not (global_cardinality_closed([x], [1, 2])[1] = 1);", 1, globals],
  ["var 1..2: x; constraint not mdd_nondet([x], 1, [1], 1, [1], [{1}], [0]);", 1],
  ["array[1..2] of var -2..-1: x; constraint seq_precede_chain(x);", 4],
  // {} or {1}, then what may follow: {}, {1}; and {2}, {1, 2} after {1}.
  ["array[1..2] of var set of 1..2: x; constraint seq_precede_chain(x);", 6],
  [
    "array[1..2] of var 1..2: x; var -20..20: c; constraint cost_mdd(x, 2, [1, 2], 2, [1, 2], [{1, 2}, {1, 2}], [-5, -5], [2, 0], c);",
    4,
  ],
  [`${tasks} constraint not span(s, d, [t], [0]);`, 2],
  [`${tasks} constraint not alternative(s, d, [t], [0]);`, 2],
  ["var 0..2: x; constraint arg_sort([5], [x]);", 1],
  ["array[1..2] of var bool: n; array[1..1] of var bool: e; constraint dag([1], [2], n, e);", 5],
  // A node of a diagram without an edge to it is on no path.
  [
    "array[1..2] of var 1..1: x; constraint cost_mdd(x, 3, [1, 2, 2], 3, [1, 2, 3], [{1}, {1}, {1}], [0, 0, 0], [2, 0, 0], 0);",
    1,
  ],
  // The value 1 is there twice, each time that it is asked for.
  ["array[1..2] of var 1..1: x; constraint not not global_cardinality(x, [1, 1], [2, 2]);", 1],
  // A task that takes no time needs nothing.
  [
    "array[1..2] of var opt {0, 9000}: s; var 0..1: d; constraint cumulative(s, [d, 1], [3, 1], 2) /\\ d = 0 /\\ occurs(s[1]);",
    6,
    globals,
  ],
  // The values 2 and 3 are chosen, and not those at the positions 2 and 3.
  ["var set of 2..3: s; constraint {2, 3} subset s; constraint not not sum_set([3, 5, 2], [1, 4, 2], s, 3);", 1],
  // Which indices have a value of the set: of no numbers, of those that are known, of others.
  ["var 1..1: x; constraint roots([], {}, {}); constraint roots([1, 3, 1], {2}, {2, 3});", 1, globals],
  ["var set of 1..2: p; constraint not roots([1, 3], p, {2, 3});", 3],
  // There is no second bin.
  ["var opt 1..2: x; constraint bin_packing_capa([3], [x], [1]) /\\ occurs(x) /\\ deopt(x) = 2;", 0],
  // Each value of b with each x: a truth value has one value.
  [`${sequence} constraint b <-> sliding_sum(1, 2, 1, x);`, 16],
  [`${sequence} constraint b <-> sliding_among(1, 1, 2, x, {1, 3});`, 16],
  [`${sequence} constraint b <-> symmetric_all_different(x);`, 16],
  // The letter 3 is not in the alphabet.
  [`${sequence} constraint b <-> regular(x, 1, 2, [|1, 1|], 1, {1});`, 16],
  ["array[1..3] of var 1..3: x; constraint subcircuit(x);", 6],
  ["array[1..2] of var 0..3: x; constraint not subcircuit(x);", 14],
  // No x has the value 3 that is asked for: the second part has to hold.
  ["array[1..2] of var 1..2: x; var bool: b; constraint b \\/ arg_val(x, 3) = 1;", 4],
  ["array[1..2] of var 0..1: x; var 0..2: p; var bool: b; constraint b \\/ writes(x, [p], [7])[1] = 7;", 16],
])("%s has %d solutions", async (model: string, count: number, include = included(model)) => {
  const answer = await benchOf("wasm").solveAtOnce([include, model], { all_solutions: true });
  if (count === 0) expect(answer).toMatchObject({ status: "unsat" });
  else expect(answer.warnings).toContain(`These are all solutions: ${count}.`);
});

it.each(["strictly_increasing(e)", "sliding_sum(0, 1, 2, e)"])(
  "a list without elements is in any order: %s",
  async (call) => {
    const answer = await benchOf("wasm").solveAtOnce([
      included(call),
      `array[1..0] of var 0..3: e; constraint ${call};`,
    ]);
    expect(answer).toMatchObject({ status: "sat" });
  },
);

it("a model may have names that the library could have, too", async () => {
  const own =
    "predicate is_dag(array[int] of int: from, array[int] of int: to, array[int] of var bool: ns, array[int] of var bool: es) = ns[1];";
  const answer = await benchOf("wasm").solveAtOnce([
    globals,
    own,
    "var bool: n; constraint is_dag([1], [1], [n], [n]);",
  ]);
  expect(answer).toMatchObject({ status: "sat", model: { n: true } });
});

it("a circuit of one node is refused with a way on: solvers disagree about it", async () => {
  const model = "int: n = 1; array[1..n] of var 0..1: x; constraint circuit(x);";
  expect(JSON.stringify(await benchOf("wasm").fault([globals, model]))).toContain("state x[1] = 1 instead");
});

it.each(someCompiled([{}, { all_solutions: true }]))(
  "values of Chuffed that rest on a constraint on which it was not measured are checked with Gecode: %o",
  async (options) => {
    // No tree of this graph weighs 2, and Chuffed gives some that weigh less.
    const model =
      "array[1..3] of var bool: n; array[1..3] of var bool: e; var 2..3: x; constraint steiner(3, 3, [2, 3, 3], [3, 1, 2], [0, 0, 1], n, e, x);";
    const answer = await benchOf("wasm").solveAtOnce([globals, model], { solver: "chuffed", ...options });
    expect(answer).toMatchObject({ status: "unsat" });
    const light = model.replace("2..3: x", "0..0: x").replace("var bool: e;", "var bool: e; constraint n[1] /\\ n[2];");
    if (Object.keys(options).length > 0) return;
    expect(await benchOf("wasm").solveAtOnce([globals, light], { solver: "chuffed" })).toMatchObject({ status: "sat" });
  },
);

it.each(["highs", "coin-bc"])(
  "%s is not believed on tasks that may take no time, where it counts them",
  async (solver) => {
    const tasks = "array[1..3] of var 0..3000: s; var 0..1: d; constraint cumulative(s, [d, 1, 1], [3, 1, 1], 2);";
    const answer = await benchOf("wasm").solveAtOnce([globals, tasks, "solve minimize d;"], { solver });
    expect(answer).toMatchObject({ status: "sat", objective_value: 0 });
  },
);

it("a linear solver's claim about lists of different lengths is not accepted", async () => {
  // [y] is less than [y, 1], and the linear form says that it is not.
  const answer = await benchOf("wasm").solveAtOnce(
    [globals, "var 0..3: y; constraint lex_less([y], [y, 1]); solve minimize y;"],
    { solver: "coin-bc" },
  );
  expect(answer).toMatchObject({ status: "sat", objective_value: 0, optimal: true });
});
