import { afterAll, describe, expect, it } from "vitest";
import {
  misstatesOptionalTruth,
  negatesWeakComparison,
  readsAbsentValue,
} from "../../src/tools/model/languages/minizinc/misstated/weak.ts";
import { statementsOf } from "../../src/tools/model/languages/minizinc/source/source.ts";
import { openMiniZinc } from "../support/minizinc.ts";

/** `o < 3` is true of an absent `o`; MiniZinc compiles its negation to `o >= 3`, which is true then, too. */
describe("comparisons of optional variables", () => {
  const bench = openMiniZinc("wasm");
  afterAll(() => bench.engines.close());

  const declared = "var opt 0..2: o; var bool: b; constraint absent(o);";

  it.each([
    // o <= 1 holds: b is true in each.
    [`${declared} constraint (o <= 1) -> b; constraint not b;`, "unsat"],
    [`${declared} constraint b <-> not (o <= 1); constraint not b;`, "sat"],
    [`${declared} constraint not (o <= 1);`, "unsat"],
    [`${declared} constraint b <-> (o <= 1); constraint not b;`, "unsat"],
    [`${declared} constraint forall(y in [o])(not (y <= 1));`, "unsat"],
  ])("no verdict rests on a negated one that is compiled wrongly: %s", async (model, truth) => {
    expect([truth, "unknown"]).toContain((await bench.solveAtOnce([model])).status);
  });

  it("HiGHS is not believed where the compiler lost what links a truth value to its number", async () => {
    const tasks = "var opt 0..1: s; var opt -1..1: t; var 1..2: d; var 0..2: e;";
    const model = `${tasks} var bool: b = disjunctive_strict([s, t], [d, e]);`;
    const answer = await bench.solveAtOnce([model], { solver: "highs" });
    // With an absent task nothing overlaps.
    for (const absent of ["s", "t"]) expect(answer).not.toMatchObject({ model: { [absent]: null, b: false } });
  });

  it("an answer stands where none is negated", async () => {
    const model = `${declared} constraint o <= 1 /\\ (b -> o >= 2) /\\ (absent(o) -> b);`;
    expect(await bench.solveAtOnce([model])).toMatchObject({ status: "sat", model: { o: null, b: true } });
  });

  it.each([
    ["constraint not (o <= 1);", true],
    ["constraint not (b /\\ o <= 1);", true],
    ["constraint (o + 1 <= x) -> b;", true],
    ["constraint (o <= 1) xor b;", true],
    ["constraint b <- s[1] < s[2];", true],
    ["constraint b != (o <= 1);", true],
    ["constraint (o <= 1) <= b;", true],
    ["constraint forall(i in 1..2 where s[i] > 0)(b);", true],
    ["constraint if o <= 1 then b else x > 2 endif;", true],
    ["constraint (if b then o else 2 endif) <= 1 -> b;", true],
    ["constraint clause([b], [o <= 1]);", true],
    ["constraint exists([not (o <= 1), b]);", true],
    ["predicate p(var opt int: y) = (y <= 1 -> b);", true],
    ["constraint not forall(i in 1..1)(s[i] <= s[i + 1]);", true],
    ["constraint max_weak(s) <= 1 -> b;", true],
    // Where b is known to be false, this is compiled to o > 1.
    ["constraint b <-> o <= 1;", true],
    ["constraint (o <= 1) = b;", true],
    ["var bool: z = o <= 1;", false],
    ["predicate p(var opt int: y) = y <= 1;", false],
    ["constraint forall(y in s)(not (y <= 1));", true],
    ["constraint exists(i, y in s where y <= 1)(b);", true],
    ["constraint forall(i in 1..2, y = s[i])(not (y <= 1));", true],
    ["any: y = s[1]; constraint not (y <= 1);", true],
    ["constraint not (<> <= x);", true],
    ["constraint not ([x | i in 1..2 where b][1] <= 1);", true],
    ["constraint forall(y in [x | i in 1..2 where b])(not (y <= 1));", true],
    ["constraint forall(y in [i | i in 1..2 where i > 1])(not (x <= y));", false],
    ["constraint forall(y in s)(y <= 1) /\\ (x = 1 -> not b);", false],
    ["constraint b -> o <= 1;", false],
    ["constraint b \\/ (x > 1 -> o <= 1);", false],
    ["constraint forall(i in 1..1 where i < 2)(s[i] <= s[i + 1]);", false],
    ["constraint absent(o) -> x > 2;", false],
    ["constraint deopt(o) <= 1 -> b;", false],
    ["constraint (o default 0) <= 1 -> b;", false],
    ["constraint not (o = 1) /\\ x <= 2;", false],
    ["constraint not b /\\ o <= 1;", false],
    ["constraint if b then o <= 1 else x > 2 endif;", false],
    ["constraint sum(i in 1..2)(bool2int(s[i] <= 1)) <= 1;", false],
    ["constraint cumulative(s, [1, 2], [1, 1], 1) /\\ (x > 1 -> b);", false],
  ])("which are negated: %s", (constraint, is_negated) => {
    const source = `var opt 0..2: o; array[1..2] of var opt 0..2: s; var bool: b; var 0..3: x; ${constraint}`;
    expect(negatesWeakComparison(statementsOf([source]))).toBe(is_negated);
  });

  it("an optional truth value is not believed under a negation, which is compiled wrongly", async () => {
    // An absent value counts as false in a disjunction, so that b = false is the solution.
    const model = "var opt bool: o; var bool: b; constraint absent(o); constraint not (o \\/ b); constraint not b;";
    expect(["sat", "unknown"]).toContain((await bench.solveAtOnce([model])).status);
  });

  it.each([
    ["var opt bool: o; var bool: b; constraint not (o \\/ b);", true],
    ["var bool: b; constraint o -> b; var opt bool: o;", true],
    ["var opt bool: o; var bool: b; constraint o \\/ b;", false],
    ["var opt 0..2: o; var bool: b; constraint occurs(o) -> b;", false],
    ["var opt bool: o; constraint forall([o]);", false],
  ])("which models may negate one: %s", (source, is_wrong) => {
    expect(misstatesOptionalTruth(statementsOf([source]))).toBe(is_wrong);
  });

  it("no verdict rests on the value of an absent variable, which is undefined and compiled as 0", async () => {
    const declared = "var opt 1..3: o; constraint absent(o);";
    const [false_sat, false_unsat] = ["constraint deopt(o) <= 3;", "constraint not (deopt(o) <= 3);"];
    for (const constraint of [false_sat, false_unsat])
      expect(await bench.solveAtOnce([`${declared} ${constraint}`])).toMatchObject({
        status: "unknown",
        warnings: expect.arrayContaining([expect.stringContaining("o default 0 for a bare deopt(o)")]),
      });
  });

  it.each([
    ["constraint deopt(o) <= 3;", true],
    ["var int: z = deopt(o) + x;", true],
    ["constraint occurs(o) -> deopt(o) <= 3;", false],
    ["constraint if absent(o) then x = 0 else x = deopt(o) endif;", false],
    ["constraint occurs(o); constraint deopt(o) <= 3;", false],
    ["constraint occurs(o) \\/ x > 0; constraint deopt(o) <= 3;", true],
    ["constraint (o default 0) <= 3;", false],
  ])("which models may read one: %s", (constraint, may_read) => {
    expect(readsAbsentValue(statementsOf([`var opt 1..3: o; var 0..3: x; ${constraint}`]))).toBe(may_read);
    expect(readsAbsentValue(statementsOf([`opt 1..3: o; var 0..3: x; ${constraint}`]))).toBe(false);
  });

  it.each(["constraint occurs(p); constraint deopt(o) <= 3;", "constraint occurs(p) -> deopt(o) <= 3;"])(
    "what is asked of another variable says nothing of this one: %s",
    (constraint) => {
      expect(readsAbsentValue(statementsOf([`var opt 1..3: o; var opt 1..3: p; ${constraint}`]))).toBe(true);
    },
  );

  it("variables that always have a value are compared as usual", () => {
    expect(negatesWeakComparison(statementsOf(["var 0..2: o; constraint not (o <= 1);"]))).toBe(false);
  });
});
