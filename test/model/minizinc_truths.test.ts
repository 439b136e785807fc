import { expect, it } from "vitest";
import { statementsOf } from "../../src/evidence/minizinc/statements.ts";
import { hasFreeVariables, truths } from "../../src/evidence/minizinc/truths.ts";
import { edited } from "../../src/kernel/text/edits.ts";
import { Chance } from "../support/chance.ts";
import { openMiniZincOnce } from "../support/minizinc.ts";
import { constraintsThatDiffer, truthsThatDiffer } from "../support/special_formulas.ts";

/**
 * Comparisons of optional values, tuples and records, which MiniZinc compiles wrongly where it negates them; at length in
 * test/long/minizinc_truths.test.ts.
 */
const benchOf = openMiniZincOnce();
const absent = "var opt 0..2: o; var bool: b; constraint absent(o);";

it.each([
  // o <= 1 holds: b is true in each.
  [`${absent} constraint (o <= 1) -> b; constraint not b;`, "unsat"],
  [`${absent} constraint b <-> not (o <= 1); constraint not b;`, "sat"],
  [`${absent} constraint not (o <= 1);`, "unsat"],
  [`${absent} constraint forall(y in [o])(not (y <= 1));`, "unsat"],
  ["tuple(var 1..1, var 1..1): t; constraint not (t = (1, 2));", "sat"],
  ["record(var 1..1: a, var 1..1: b): r; constraint not (r = (a: 1, b: 1));", "unsat"],
  // The value of an absent variable is undefined, which makes what asks for it false.
  ["var opt 1..3: o; constraint absent(o); constraint deopt(o) <= 3;", "unsat"],
  ["var opt 1..3: o; constraint absent(o); constraint not (deopt(o) <= 3);", "sat"],
  // An absent truth value is left out of a disjunction and of a list, and makes an implication true.
  ["var opt bool: o; var bool: b; constraint absent(o); constraint not (o \\/ b); constraint not b;", "sat"],
  ["var opt bool: o; var bool: b; constraint absent(o); constraint not (o -> b);", "unsat"],
  ["var opt bool: o; constraint forall([o, o]); constraint not (o default true);", "unsat"],
])("%s is %s", async (model, status) => {
  expect(await benchOf("wasm").solveAtOnce([model])).toMatchObject({ status });
});

it("random formulas have the truth values of their meaning, and the solutions of brute force", async () => {
  const bench = benchOf("wasm");
  const chance = new Chance(32);
  expect(await truthsThatDiffer(bench, chance)).toEqual([]);
  for (let run = 0; run < 4; run++) expect(await constraintsThatDiffer(bench, chance)).toEqual([]);
});

const declared = `var opt 0..2: o; array[1..2] of var opt 0..2: s; var bool: b; var 0..3: x; tuple(var 1..2, var bool): t;
type P = record(var 1..2: a); array[1..2] of P: ps;`;

it.each([
  ["constraint not (o <= 1);", "constraint not (T(o <= 1));"],
  ["constraint not (b /\\ o + 1 <= 1);", "constraint not (b /\\ T(o + 1 <= 1));"],
  ["constraint b <- s[1] < s[2];", "constraint b <- T(s[1] < s[2]);"],
  ["constraint (o <= 1) <= b;", "constraint T((T(o <= 1)) <= b);"],
  ["constraint if o <= 1 then b else x > 2 endif;", "constraint if T(o <= 1) then b else x > 2 endif;"],
  ["constraint (if b then o else 2 endif) <= 1 -> b;", "constraint T((if b then o else 2 endif) <= 1) -> b;"],
  ["constraint forall(y in s)(not (y <= 1));", "constraint forall(y in s)(not (T(y <= 1)));"],
  ["constraint forall(i in 1..2, y = s[i])(not (y <= 1));", "constraint forall(i in 1..2, y = s[i])(not (T(y <= 1)));"],
  ["any: y = s[1]; constraint not (y <= 1);", "any: y = s[1]; constraint not (T(y <= 1));"],
  ["constraint let { var bool: q = o < 1 } in not q;", "constraint let { var bool: q = T(o < 1) } in not q;"],
  ["constraint not (let { int: i = 1 } in s[i] < 1);", "constraint not (let { int: i = 1 } in T(s[i] < 1));"],
  ["constraint max_weak(s) <= 1 -> b;", "constraint T(max_weak(s) <= 1) -> b;"],
  ["constraint not ([x | i in 1..2 where b][1] <= 1);", "constraint not (T([x | i in 1..2 where b][1] <= 1));"],
  ["predicate p(var opt int: y) = y <= 1;", "predicate p(var opt int: y) = T(y <= 1);"],
  ["var bool: d = (t = (x, b));", "var bool: d = (T(t = (x, b)));"],
  ["constraint forall(p in ps)(not (p != (a: 1)));", "constraint forall(p in ps)(not (T(p != (a: 1))));"],
  ["constraint not (deopt(o) <= 1);", "constraint not (deopt_by_verdict(o) <= 1);"],
  ["constraint o <= 1;", "constraint o <= 1;"],
  ["constraint not ((o default 0) <= 1);", "constraint not ((o default 0) <= 1);"],
  ["constraint not (x <= 2) /\\ absent(o);", "constraint not (x <= 2) /\\ absent(o);"],
  ['output [if o <= 1 then "a" else "b" endif];', 'output [if o <= 1 then "a" else "b" endif];'],
])("what the compiler gets of %s", (text, written) => {
  const items = [declared, text];
  const [, item = ""] = edited(items, truths(statementsOf(items)));
  expect(item.replaceAll("truth_by_verdict", "T")).toBe(written);
});

it.each([
  ["not (q \\/ b /\\ x = 1)", "not (or_by_verdict(q , b /\\ x = 1))"],
  [
    "b \\/q\\/ r -> x = 1 /\\ q",
    "implies_by_verdict(or_by_verdict(or_by_verdict(b ,q), r) , and_by_verdict(x = 1 , q))",
  ],
  [
    "not b <-> occurs(q) xor not (q = b)",
    "iff_by_verdict(not b , xor_by_verdict(occurs(q) , not (truth_by_verdict(q = b))))",
  ],
  ["(let { int: i = 1 } in q \\/ r) /\\ b", "and_by_verdict((let { int: i = 1 } in or_by_verdict(q , r)) , b)"],
  ["b <- let { int: i = 1 } in q \\/ r", "implied_by_verdict(b , let { int: i = 1 } in or_by_verdict(q , r))"],
  ["forall([q, b]) /\\ exists(i in 1..2)(b)", "and_by_verdict(forall_by_verdict([q, b]) , exists(i in 1..2)(b))"],
])("what the compiler gets of a condition with optional truth values: %s", (text, written) => {
  const items = ["var opt bool: q; var opt bool: r; var bool: b; var 0..3: x;", `constraint ${text};`];
  expect(edited(items, truths(statementsOf(items)))[1]).toBe(`constraint ${written};`);
});

it("a model without such values is compiled as it is", () => {
  const model =
    "var 0..2: o; array[1..3] of var 0..2: s; constraint forall(i, j in 1..3 where i < j)(not (s[i] < s[j]));";
  expect(truths(statementsOf([model]))).toEqual([]);
});

it.each([
  ["constraint let { var 0..1: q; constraint q > 0 } in q < 2;", true],
  ["constraint let { var 0..1: q = 1; int: i = 2 } in q < i;", false],
])("a variable without a value has no place in an argument: %s", async (text, is_free) => {
  expect(hasFreeVariables(statementsOf([text]))).toBe(is_free);
  const answer = await benchOf("wasm").solveAtOnce([absent, text, "constraint not (o <= 1);"]);
  expect(answer).toMatchObject({ status: is_free ? "unknown" : "unsat" });
  if (is_free) expect(String(answer["warnings"])).toContain("together with a let variable that has no value");
});

it("long lists of names and long conjunctions are examined once", () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `x${i}`).join(", ");
  const equations = Array.from({ length: 50_000 }, (_, i) => `y = ${i}`).join(" \\/ ");
  const model = `var opt 1..9: o; array[int] of int: a = [${names}]; constraint (${equations}) \\/ not (o < 3);`;
  expect(truths(statementsOf([model])).map(({ text }) => text)).toEqual(["truth_by_verdict(", ")"]);
});

it("a condition with thousands of optional truth values is not rewritten", () => {
  const model = `var opt bool: o; constraint ${"o \\/ ".repeat(16_000)} o;`;
  expect(truths(statementsOf([model]))).toEqual([]);
});
