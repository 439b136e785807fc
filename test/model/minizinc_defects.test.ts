import { expect, it } from "vitest";
import type { Remark } from "../../src/engines/minizinc/read.ts";
import { defectsIn } from "../../src/evidence/minizinc/defects.ts";
import { openMiniZincOnce } from "../support/minizinc.ts";

/** What MiniZinc states wrongly, and nothing mends: an unsat, or an optimum, is not accepted there. */
const benchOf = openMiniZincOnce();

function found(source: string, solver: string, warnings: readonly Remark[] = []): string[] {
  const answer = { status: undefined, solutions: [], statistics: {}, warnings, errors: [], traces: [] };
  const question = { source, data: [], solver, time_ms: 1_000 };
  return defectsIn(question, answer).map(({ what }) => what);
}

const declared =
  "set of int: S = 1..3; var set of 1..3: s; var set of 1..3: t; array[1..2] of var set of 1..3: l; var bool: b; var 1..3: x;";
const of_sets = "a comparison of sets by order";
const of_long_conditions = "hundreds of connectives in a model with optional truth values";

it.each([
  ["constraint piecewise_linear(x, [0.0], [1.0]) > 1.0;", "gecode", ["piecewise_linear"]],
  ["constraint lex_less([x], [y, z]);", "highs", ["lex_less"]],
  ["constraint lex_less([x], [y, z]);", "chuffed", []],
  ["constraint let { var 0..3: l = x } in lex_less([l], [y, z]);", "chuffed", []],
  ["constraint cumulative(s, d, r, 2);", "coin-bc", ["cumulative"]],
  ["var opt bool: o; var bool: b; constraint o \\/ b;", "gecode", []],
  [`var opt bool: o; constraint ${"o \\/ ".repeat(600)} o;`, "gecode", [of_long_conditions]],
  [`var opt 0..2: o; var bool: b; constraint ${"b \\/ ".repeat(600)} not (o < 2);`, "gecode", []],
  ["var opt 0..2: o; var bool: b; constraint occurs(o) -> b;", "gecode", []],
  [`${declared} constraint b <-> {} <= {x};`, "chuffed", [of_sets]],
  [`${declared} constraint b <-> {} <= {x};`, "gecode", []],
  [`${declared} constraint not (l[1] > s);`, "chuffed", [of_sets]],
  [`${declared} constraint b \\/ s union t < {x};`, "highs", [of_sets]],
  [`${declared} constraint b <-> decreasing([{x}, {}, s]);`, "chuffed", [of_sets]],
  [`${declared} constraint lex_less([s], [t]);`, "chuffed", [of_sets]],
  [`${declared} constraint b <-> card(s) <= x;`, "chuffed", []],
  [`${declared} constraint forall(i in S where i < 3)(b -> x < i);`, "chuffed", []],
  ["constraint on_restart(p);", "gecode", ["the predicate of on_restart"]],
])("%s is known to be wrong, or not, in %s", (source, solver, whats) => {
  expect(found(source, solver)).toEqual(whats);
});

it.each([
  ["constraint not (3 div x = 1);", "model.mzn", "division by zero", ["undefined values under not, xor or <->"]],
  ["constraint 3 div x = 1;", "model.mzn", "division by zero", []],
  ["constraint f([]);", "f.mzn", "min of an empty set", ["a list without elements"]],
  ["constraint f([]);", "model.mzn", "min of an empty set", []],
])("what the compiler warns of: %s in %s", (source, file, message, whats) => {
  const warning = {
    what: "warning",
    message: `undefined result becomes false (${message})`,
    places: [{ file, line: 1, column: 1 }],
  };
  expect(found(source, "gecode", [warning])).toEqual(whats);
});

it("HiGHS is not accepted if the compiler lost what links a truth value to its number", async () => {
  const tasks = "var opt 0..1: s; var opt -1..1: t; var 1..2: d; var 0..2: e;";
  const model = `${tasks} var bool: b = disjunctive_strict([s, t], [d, e]);`;
  const answer = await benchOf("wasm").solveAtOnce([model], { solver: "highs" });
  // With an absent task nothing overlaps.
  for (const absent of ["s", "t"]) expect(answer).not.toMatchObject({ model: { [absent]: null, b: false } });
});

it("no false values where Gecode's order of sets, which is another one, decides what is out of sight", async () => {
  const model =
    "var set of 1..2: s; var set of 1..2: t; constraint t = {i | i in s where s <= {1}}; constraint s = {2};";
  const answer = await benchOf("wasm").solveAtOnce([model], { solver: "gecode" });
  expect(answer.status === "sat" ? answer["model"] : { t: [] }).toMatchObject({ t: [] });
});

it("values of tuples and records are shown beside those of defined variables", async () => {
  const model =
    "type P = record(var 1..1: a, var 1..1: e); P: p; tuple(var 1..1, var bool): t; array[1..1] of P: q; var int: z = t.1 + p.a + q[1].a;";
  const { model: values, solutions } = await benchOf("wasm").solveAtOnce([model], { all_solutions: true });
  expect(values).toMatchObject({ p: { a: 1, e: 1 }, t: [1, expect.any(Boolean)], q: [{ a: 1, e: 1 }], z: 3 });
  expect(solutions).toHaveLength(2);
});
