import { expect, it } from "vitest";
import { raisesToNegative } from "../../src/tools/model/languages/minizinc/misstated/negative.ts";
import { negatesLocalConstraint } from "../../src/tools/model/languages/minizinc/misstated/reified.ts";
import { misreadSets, ordersSets } from "../../src/tools/model/languages/minizinc/misstated/sets.ts";
import { statementsOf } from "../../src/tools/model/languages/minizinc/source/source.ts";
import { minizinc_builds, openMiniZincOnce } from "../support/minizinc.ts";

/** What older builds of MiniZinc, or their Gecode, state wrongly, most of it about sets. */
const benchOf = openMiniZincOnce();
const native = minizinc_builds.find(({ name }) => name === "native")?.minizinc;

const extreme = "the least or greatest element of a set that may be empty";
const absent = "a set of elements that may be absent";

it.each([
  ["constraint max(s) > x;", []],
  ["constraint max([x, y]) > 1 \\/ b;", []],
  ["constraint x > 1 \\/ min(i in 1..2)(a[i]) > x;", []],
  ["constraint x > max(S) \\/ b;", []],
  ["var bool: r = (min(s) > x);", [extreme]],
  ["constraint b -> max(s union {1}) < x;", [extreme]],
  ["constraint forall(i in 1..2)(b \\/ min(l[i]) = x);", [extreme]],
  ["constraint x = 1 \\/ (let {any: t = s diff {1}} in max(t) = x);", [extreme]],
  ["function var int: least(var set of int: u) = min(u);", [extreme]],
  ["constraint s = {i | i in s where i > 1};", [absent]],
  ["constraint {i | i in 1..1 where b} subset s;", [absent]],
  ["constraint array2set([o]) = s;", [absent]],
  ["constraint array2set([i | i in s]) = s;", [absent]],
  ["constraint array2set([x, y]) = s;", []],
  ["constraint {x, y} = s /\\ {i | i in S where i > 1} subset s;", []],
])("what MiniZinc before 2.10 states wrongly of sets: %s", (text, names) => {
  const declared =
    "set of int: S = 1..3; var set of 1..3: s; array[1..2] of var set of 1..3: l; array[1..2] of var int: a; var opt 1..1: o; var bool: b; var 1..3: x; var 1..3: y;";
  expect(misreadSets(statementsOf([declared, text]), "2.6.4")).toEqual(names);
  expect(misreadSets(statementsOf([declared, text]), "2.10.0")).toEqual([]);
});

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

it.each([
  ["constraint pow(x, y) = 1;", true],
  ["constraint x ^ y = 1;", true],
  ["constraint x ^ (n - 2) = 1;", true],
  ["constraint x ^ a[1] = 1;", true],
  ["constraint pow(y, n) = 1 /\\ y ^ 2 > 1 /\\ x ^ n > 1 /\\ pow(x, -1) = 0;", false],
  ["predicate p(var int: n) = pow(x, n) = 1;", true],
])("whether an exponent may be negative: %s", (text, may) => {
  const declared = "var 0..2: x; var -1..1: y; var 0..3: n; array[1..1] of var 0..3: a;";
  expect(raisesToNegative(statementsOf([declared, text]), "2.6.4")).toBe(may);
  expect(raisesToNegative(statementsOf([declared, text]), "2.10.0")).toBe(false);
});

it.each([
  ["constraint not (let {constraint x > 1} in b);", true],
  ["constraint not forall(i in 1..2)(let {var int: k = x + i; constraint k > 1} in b);", true],
  ["constraint let {constraint x > 1} in not b;", false],
  ["constraint not b; constraint let {constraint x > 1} in b;", false],
])("whether a local constraint is negated: %s", (text, is_negated) => {
  expect(negatesLocalConstraint(statementsOf([text]), "2.6.4")).toBe(is_negated);
  expect(negatesLocalConstraint(statementsOf([text]), "2.10.0")).toBe(false);
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
