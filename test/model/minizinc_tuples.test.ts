import { expect, it } from "vitest";
import { comparesStructures } from "../../src/tools/model/languages/minizinc/misstated/structures.ts";
import { statementsOf } from "../../src/tools/model/languages/minizinc/source/source.ts";
import { openMiniZincOnce } from "../support/minizinc.ts";

/** Tuples and records, which MiniZinc has since 2.7. */
const benchOf = openMiniZincOnce();

const declared = "tuple(var 1..2, var bool): t; tuple(var 1..2, var bool): u; var bool: c; var 1..2: x;";

it.each([
  // MiniZinc compiles `t = u`.
  ["tuple(var 1..1, var 1..1): t; constraint not (t = (1, 2));", "sat"],
  ["record(var 1..1: a, var 1..1: b): r; constraint not (r = (a: 1, b: 1));", "unsat"],
])("no verdict rests on a comparison of tuples that is compiled to its opposite: %s", async (model, truth) => {
  expect([truth, "unknown"]).toContain((await benchOf("wasm").solveAtOnce([model])).status);
});

it.each([
  ["constraint not (t = u);", true],
  ["constraint c -> not (t != (1, true));", true],
  ["constraint (t < u) <-> false;", true],
  ["constraint forall(i in 1..2)(not (a[i] = t));", true],
  ["constraint forall(p in a)(not (p = (x, true)));", true],
  ["any: z = t; constraint not (z = u);", true],
  ["type P = record(var 1..2: a, var bool: b); P: p; constraint not (p = (a: 1, b: c));", true],
  ["constraint not ((x, c) = (1, true));", true],
  ["constraint not (n.1 = n.2);", true],
  ["var bool: d = (t = u);", true],
  ["predicate same(tuple(var int, var bool): p, tuple(var int, var bool): q) = (p = q);", true],
  ["constraint t = u /\\ (t != (2, c));", false],
  ["constraint forall(i in 1..2)(a[i] != t);", false],
  ["constraint not (a[1].1 = x);", false],
  ["constraint not (x = 1 /\\ c);", false],
  ["tuple(var 1..2, var bool): z = (x, c);", false],
  ["constraint forall(p in [(1, 2), (2, 1)] where p != (1, 2))(x > p.1);", false],
])("where whole tuples or records may be unequal: %s", (constraint, may_differ) => {
  const nested = constraint.includes("n.") ? "tuple(tuple(var int, var int), tuple(var int, var int)): n;" : "";
  const source = `${declared} array[1..2] of tuple(var 1..2, var bool): a; ${nested} ${constraint}`;
  expect(comparesStructures(statementsOf([source]))).toBe(may_differ);
});

it("values of tuples and records are shown beside those of defined variables", async () => {
  const model =
    "type P = record(var 1..1: a); P: p; tuple(var 1..1, var bool): t; array[1..1] of P: q; var int: z = t.1 + p.a + q[1].a;";
  const { model: values, solutions } = await benchOf("wasm").solveAtOnce([model], { all_solutions: true });
  expect(values).toMatchObject({ p: { a: 1 }, t: [1, expect.any(Boolean)], q: [{ a: 1 }], z: 3 });
  expect(solutions).toHaveLength(2);
});
