import { expect, it } from "vitest";
import { ordersSets } from "../../src/tools/model/languages/minizinc/misstated/sets.ts";
import { statementsOf } from "../../src/tools/model/languages/minizinc/source/source.ts";
import { minizinc_builds, openMiniZincOnce } from "../support/minizinc.ts";

/** What older builds of MiniZinc, or their Gecode, state wrongly, most of it about sets. */
const benchOf = openMiniZincOnce();
const native = minizinc_builds.find(({ name }) => name === "native")?.minizinc;

it.runIf(native).each([
  // An empty set has no least element, and an absent element is in no set.
  ["var -1..1: x; var set of 0..1: s; var bool: r = (min(s) > x);", { s: [], r: true }],
  ["var bool: b; var set of 1..1: t; constraint t = {i | i in 1..1 where b};", { b: false, t: [1] }],
  // The sum is 2.
  [
    "var bool: b; var bool: c; var 0..2: y; constraint (2 * bool2int(b) + 2 * c + (-4) * (y > 0) != 2) \\/ y = 1;",
    { b: true, c: false, y: 0 },
  ],
  ["var opt bool: p; constraint forall([p]);", { p: false }],
  // x > 0 and y > 0 hold.
  ["var 0..2: x; var -1..1: y; constraint not (let {constraint x > 0} in y > 0);", { x: 1, y: 1 }],
])("no false values of the native build: %s", async (model, none) => {
  const answer = await benchOf(native ?? "").solveAtOnce([model], { all_solutions: true });
  expect(answer["solutions"] ?? []).not.toContainEqual(expect.objectContaining(none));
});

it.runIf(native)("no false unsat of the native build for powers with negative exponents", async () => {
  const model = "var 0..2: x; var -2..-1: z; constraint pow(x, z) = 1;";
  expect(["sat", "unknown"]).toContain((await benchOf(native ?? "").solveAtOnce([model])).status);
});

it("no false values where Gecode's order of sets, which is another one, decides what is out of sight", async () => {
  const model =
    "var set of 1..2: s; var set of 1..2: t; constraint t = {i | i in s where s <= {1}}; constraint s = {2};";
  const answer = await benchOf("wasm").solveAtOnce([model], { solver: "gecode" });
  expect(answer.status === "sat" ? answer["model"] : { t: [] }).toMatchObject({ t: [] });
});

it.each([
  ["constraint b <-> {} <= {x};", true],
  ["constraint b -> s < t;", true],
  ["constraint not (l[1] > s);", true],
  ["predicate p(var set of int: u) = u <= s;", true],
  ["constraint exists(u in l)(u <= s);", true],
  ["constraint b \\/ s union t < {x};", true],
  ["constraint b <-> decreasing([{x}, {}, s]);", true],
  ["constraint lex_less([s], [t]);", true],
  ["constraint s <= t /\\ increasing(l);", false],
  ["constraint b <-> card(s) <= x;", false],
  ["constraint b -> x < 2 /\\ s = {1};", false],
  ["constraint forall(i in S where i < 3)(b -> x < i);", false],
  ["constraint b <-> (x in {1, 2}) /\\ min(s) > max([x | i in {1}]) /\\ lex_less([x], [i | i in S]);", false],
])("whether sets have an order that may be false: %s", (text, has_order) => {
  const declared =
    "set of int: S = 1..3; var set of 1..3: s; var set of 1..3: t; array[1..2] of var set of 1..3: l; var bool: b; var 1..3: x;";
  expect(ordersSets(statementsOf([declared, text]))).toBe(has_order);
});

it.each([
  "var 1..2: x; var bool: b; constraint b <-> {} <= {x};",
  "var 1..2: x; var set of 1..2: s; var bool: b; constraint b <-> decreasing([{x}, {}, s]);",
])("no false values of Chuffed, which gets another form of the order of sets: %s", async (model) => {
  const answer = await benchOf("wasm").solveAtOnce([model], { solver: "chuffed" });
  expect(answer.status).toBe("unknown");
  expect(String(answer["warnings"])).toContain("an order of sets that may be false");
});
