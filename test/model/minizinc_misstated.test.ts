import { expect, it } from "vitest";
import { parseFlatZinc } from "../../src/engines/minizinc/flatzinc/parse.ts";
import { DOUBT_REASONS } from "../../src/engines/minizinc/flatzinc/trust.ts";
import { packsBeyondBins } from "../../src/tools/model/languages/minizinc/misstated/bins.ts";
import { coversTwice } from "../../src/tools/model/languages/minizinc/misstated/covers.ts";
import { comparesLengths } from "../../src/tools/model/languages/minizinc/misstated/lengths.ts";
import { misstatedForValues } from "../../src/tools/model/languages/minizinc/misstated/negative.ts";
import { promisedValues } from "../../src/tools/model/languages/minizinc/misstated/promised.ts";
import { hasWrongInverse, wronglyReified } from "../../src/tools/model/languages/minizinc/misstated/reified.ts";
import { misstatedForSingles } from "../../src/tools/model/languages/minizinc/misstated/single.ts";
import { countsTimelessTasks } from "../../src/tools/model/languages/minizinc/misstated/timeless.ts";
import { doubtNote } from "../../src/tools/model/languages/minizinc/remarks.ts";
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
    // The only position is 1, and any is taken.
    [globals, "var 0..2: x; constraint arg_sort([5], [x]);"],
    [globals, "int: n = 1; array[1..n] of var 0..1: x; constraint circuit(x);"],
    // Here it takes an edge that leaves a node which is not in.
    [globals, "array[1..2] of var bool: n; array[1..1] of var bool: e; constraint dag([1], [2], n, e);"],
  ]),
)("%s %s", async (...items) => {
  const answer = await benchOf(quickest_minizinc).solveAtOnce(items, { all_solutions: true });
  expect(answer).toMatchObject({ status: "unknown" });
  expect(String(answer.warnings)).toContain("MiniZinc's library");
});

it.each(
  someCompiled([
    // All have a solution. Lists without elements are in any order, and no sum of theirs is too large.
    "array[1..0] of var 0..3: e; constraint strictly_increasing(e);",
    "array[1..0] of var 0..3: e; constraint sliding_sum(0, 1, 2, e);",
    // A node of a diagram without an edge to it is on no path.
    "array[1..2] of var 1..1: x; constraint cost_mdd(x, 3, [1, 2, 2], 3, [1, 2, 3], [{1}, {1}, {1}], [0, 0, 0], [2, 0, 0], 0);",
    // The value 1 is there twice, each time that it is asked for.
    "array[1..2] of var 1..1: x; constraint not not global_cardinality(x, [1, 1], [2, 2]);",
    // A task that takes no time needs nothing.
    "array[1..2] of var opt {0, 9000}: s; var 0..1: d; constraint cumulative(s, [d, 1], [3, 1], 2) /\\ d = 0 /\\ occurs(s[1]);",
    // The values 2 and 3 are chosen, and not those at the positions 2 and 3.
    "var set of 2..3: s; constraint {2, 3} subset s; constraint not not sum_set([3, 5, 2], [1, 4, 2], s, 3);",
    // This one has no solution: there is no second bin.
    "var opt 1..2: x; constraint bin_packing_capa([3], [x], [1]) /\\ occurs(x) /\\ deopt(x) = 2;",
  ]),
)("no verdict rests on the library of 2.10 where it is wrong: %s", async (model) => {
  const answer = await benchOf("wasm").solveAtOnce([globals, model]);
  expect(answer).toMatchObject({ status: "unknown" });
  expect(String(answer.warnings)).toContain("MiniZinc's library");
});

it.each([
  ["array[1..2] of var opt 1..2: f; constraint inverse(f, f);", "2.6.4", true],
  ["array[1..2] of var opt 1..2: f; constraint inverse(f, f);", "2.10.0", false],
  ["array[1..2] of var 1..2: f; constraint inverse(f, f);", "2.6.4", false],
])("whether the library misreads absent values of an inverse: %s in %s", (source, version, is_wrong) => {
  expect(hasWrongInverse(statementsOf([source]), version)).toBe(is_wrong);
});

it.each([
  ["constraint b <-> not strictly_increasing([x, x]);", "2.6.4", ["strictly_increasing"]],
  ["constraint b <-> not strictly_increasing([x, x]);", "2.10.0", []],
  ["constraint strictly_decreasing(x);", "2.6.4", []],
])("what the library states wrongly where it can be false: %s in %s", (source, version, names) => {
  expect(wronglyReified(statementsOf([source]), version)).toEqual(names);
});

it.each([
  ["constraint arg_val(x, 2) = 1 /\\ arg_val(x, 3) > 1;", []],
  ["constraint forall (v in 1..3) (arg_val(x, v) <= v);", []],
  ["array[1..2] of var 0..3: c = global_cardinality_closed(x, [1, 2]);", []],
  ["constraint b \\/ global_cardinality_closed(x, [1, 2], c);", []],
  ["solve minimize arg_val(x, 2);", []],
  ["constraint b \\/ arg_val(x, 2) = 1;", ["arg_val"]],
  ["var bool: r = p(arg_val(x, 2));", ["arg_val"]],
  ["constraint q(p(arg_val(x, 2)), b);", ["arg_val"]],
  ["constraint not (arg_val(x, 2) in S);", ["arg_val"]],
  ["constraint either(arg_val(x, 2) = 1, b);", ["arg_val"]],
  ["constraint [arg_val(x, 2) = 1, b][i];", ["arg_val"]],
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

it.each([
  ["global_cardinality(x, [1, 2], c)", false],
  ["not global_cardinality_closed(x, [1, 2, 1], c)", true],
  ["global_cardinality(x, twice, c)", true],
  ["global_cardinality(x, given, c)", true],
  ["global_cardinality(counts: c, cover: given, x: x)", true],
  ["global_cardinality(x, [v | v in S], c)", false],
])("whether a cover lists a value twice: %s", (text, has_twice) => {
  const statements = statementsOf(["array[1..2] of int: twice = [3, 3];", `constraint ${text};`]);
  expect(coversTwice(statements, ['{"given":[1,2,1]}'])).toBe(has_twice);
});

it.each([
  ["constraint cumulative(s, d, [1, 2], 2);", "var 0..9000", false],
  ["constraint cumulative(s, d, [1, 2], 2);", "var opt 0..9000", true],
  ["constraint cumulative(s, d, [1, 2], 2);", "var opt 0..90", false],
  ["constraint cumulative(s, e, [1, 2], 2);", "var opt 0..9000", false],
  ["constraint cumulative(s, given, [1, 2], 2);", "var opt 0..9000", false],
  ["constraint cumulative(s, [2, 1], [1, 2], 2);", "var opt 0..9000", false],
  ["constraint cumulative([s[i] | i in S], [e[i] | i in S], [1 | i in S], 2);", "var opt 0..9000", false],
  ["constraint cumulative([s[i] | i in S where b[i]], [d[i] | i in S], [1 | i in S], 2);", "var 0..9000", true],
  ["constraint b -> cumulative(s, d, [1, 2], 2);", "var 0..9000", true],
  ["constraint b -> cumulative(s, [0, 1], [1, 2], 2);", "var 0..9000", false],
  ["constraint b -> cumulative(s, [d[1], 1], [1, 2], 2);", "var 0..9000", true],
  ["constraint b -> cumulative(s, [given[e[i]] | i in S], [1, 2], 2);", "var 0..9000", true],
  ["constraint b -> cumulative(s, [e[i] - 1 | i in S], [1, 2], 2);", "var 0..9000", true],
  ["constraint b -> cumulative(s, [given[i] * 2 | i in S], [1, 2], 2);", "var 0..9000", false],
  ["constraint b -> cumulative(s, [f(1), 1], [1, 2], 2); function var int: f(int: i) = e[i] - 1;", "var 0..9000", true],
  ["constraint b /\\ cumulative(s, d, [1, 2], 2);", "var 0..9000", false],
])("whether tasks without time may count: %s %s", (text, start, may) => {
  const declared = ["array[1..2] of var 0..9: d;", "array[1..2] of var 1..9: e;", `array[1..2] of ${start}: s;`];
  expect(countsTimelessTasks(statementsOf([...declared, text]), ['{"given":[3,1]}'], () => true)).toBe(may);
});

it.each([
  ["array[1..1] of var 1..2: x; constraint circuit(x);", true],
  ["array[0..n] of var 0..2: x; constraint circuit(x); int: n = 0;", true],
  ["array[1..k] of var 1..2: x; constraint circuit(x);", true],
  ["array[T] of var T: x; constraint circuit(x); enum T = { Home };", true],
  ["array[T] of var T: x; constraint circuit(x); set of int: T = 1..k;", true],
  ["array[1..k] of var 1..2: x; constraint circuit([x[i] | i in 1..k]);", true],
  ["constraint arg_sort(array1d(0..0, [x]), [p]);", true],
  ["constraint arg_sort([x]) = [1];", false],
  ["constraint arg_sort([x, y], [p, q]);", false],
  ["array[1..k + 1] of var 1..2: x; constraint circuit(x);", false],
  ["array[T] of var T: x; constraint circuit(x); set of int: T = T;", false],
  ["array[1..n] of var 1..2: x; constraint circuit(x); int: n;", false],
  ["array[S] of var S: x; constraint circuit(x);", true],
  ["array[R] of var R: x; constraint circuit(x);", false],
  ["enum E; array[E] of var E: x; constraint circuit(x);", true],
])("whether a list has a single element: %s", (source, is_single) => {
  const data = ['{"k":1,"S":{"set":[[4,4]]},"R":{"set":[1,[3,4]]},"E":{"set":[{"e":"A"}]}}'];
  expect(misstatedForSingles(statementsOf([source]), data)).toHaveLength(is_single ? 1 : 0);
});

it.each([
  ["[a]", 1],
  ["[a,a]", 0],
])("a circuit of one node is recognised in the compiled model, too: %s", (list, count) => {
  const compiled = parseFlatZinc(`var 1..1: a;\nconstraint gecode_circuit(1,${list});\nsolve satisfy;\n`);
  const source = "array[1..card(S)] of var 1..1: x; constraint circuit(x);";
  expect(misstatedForSingles(statementsOf([source]), [], compiled)).toHaveLength(count);
  const [what = ""] = misstatedForSingles(statementsOf([source]), [], compiled);
  const note = doubtNote([{ reason: DOUBT_REASONS.misstated, what }], "gecode", []);
  expect(note.includes("x[1] = 1")).toBe(count === 1);
});

it("an optional task that takes no time is believed over a short horizon", async () => {
  const answer = await benchOf(quickest_minizinc).solveAtOnce([
    globals,
    "array[1..2] of var opt 1..90: s; var 0..1: d; constraint cumulative(s, [d, 1], [3, 1], 2) /\\ d = 0 /\\ occurs(s[1]); solve maximize bool2int(occurs(s[2]));",
  ]);
  expect(answer).toMatchObject({ status: "sat", objective_value: 1, optimal: true });
});

it.each([
  ["array[1..2] of var opt 1..2: x; constraint bin_packing_capa([3, 3], x, [1, 2]);", false],
  ["array[1..2] of var opt BIN: x; array[BIN] of int: c; constraint bin_packing_load(c, x, [1, 2]);", false],
  ["array[1..2] of var opt 0..2: x; constraint bin_packing_capa([3, 3], x, [1, 2]);", true],
  ["array[1..2] of var opt BIN: x; array[1..n] of int: c; constraint bin_packing_capa(c, bin: x, weight: w);", true],
  ["array[1..2] of var 0..2: x; constraint bin_packing_capa([3, 3], x, [1, 2]);", false],
])("whether an optional item may be in a bin that there is not: %s", (source, may) => {
  expect(packsBeyondBins(statementsOf([source]))).toBe(may);
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
