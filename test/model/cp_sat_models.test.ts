import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

/** Models of MiniZinc on CP-SAT, through the tools. */
describe.skipIf(!has_python)("minizinc with the solver cp-sat", () => {
  const models = fixture(shareModels);

  const solve = (text: string, options: Record<string, unknown> = {}) =>
    models.solve("minizinc", [text], 60_000, { solver: "cp-sat", ...options });

  it("proves the shortest plan, and names its workers", async () => {
    const answer =
      await solve(`include "globals.mzn"; array[1..4] of int: d = [3, 2, 4, 1]; array[1..4] of var 0..20: s; var 0..20: end;
constraint cumulative(s, d, [2, 1, 1, 2], 2); constraint forall(i in 1..4)(s[i] + d[i] <= end); solve minimize end;`);
    expect(answer).toMatchObject({ status: "sat", optimal: true, objective_value: 8 });
    expect(answer["engine"]).toMatch(/, cp-sat with (?:one worker|\d+ workers) /);
  });

  it("shows enums, records, optional values and text as every solver does", async () => {
    const text = `enum C = {red, green}; var C: c; var opt 1..3: o; record(var 0..4: a, var bool: b): r; set of int: k = {1, 3}; var set of 1..3: s;
constraint c = green /\\ absent(o) /\\ r.a = 3 /\\ r.b /\\ s = k; solve satisfy; output ["c is \\(c), s is \\(s)"];`;
    const [own, other] = [await solve(text), await solve(text, { solver: "gecode" })];
    expect(own).toMatchObject({ status: "sat", output: ["c is green, s is {1,3}"] });
    expect({ ...own.model }).toEqual({ ...other.model });
  });

  it("lists all solutions", async () => {
    const answer = await solve("var 1..4: x; var 1..4: y; constraint x + y = 5; solve satisfy;", {
      all_solutions: true,
    });
    expect(answer).toMatchObject({ status: "sat", solutions: { length: 4 } });
    expect(String(answer.warnings)).toContain("These are all solutions: 4.");
  });

  it.each([
    ["", "many in one run"],
    [
      "record(var 1..1: a, var bool: y): r; constraint a = [0, 1] /\\ s = {} /\\ c = red;",
      "one by one: a field has the name of a variable",
    ],
  ])("writes many solutions as every solver does: %s %s", async (more) => {
    const text = `${more} enum C = {red, green}; var C: c; var opt 1..2: o; array[1..2] of var 0..2: a; var set of {1, 3}: s;
var int: z = sum(i in 1..2)(a[i]); array[1..2] of int: y = [1, 2]; solve satisfy; output ["x: \\(c) \\(o) \\(s) \\(z) % \\(a)\\n%%%\\n"];`;
    const listed = async (solver: string) => {
      const { solutions, warnings } = await solve(text, { solver, max_solutions: 500, timeout_ms: 120_000 });
      expect(String(warnings)).toContain(`These are all solutions: ${more ? 6 : 216}.`);
      return Array.isArray(solutions) ? solutions : [];
    };
    const [own, other] = [await listed("cp-sat"), await listed("gecode")];
    expect(own).toEqual(expect.arrayContaining(other));
    expect(own).toHaveLength(other.length);
  });

  it("lists each solution once, also where a truth value is absent", async () => {
    const answer = await solve("var opt bool: a; var 1..2: k; solve satisfy;", { all_solutions: true });
    expect(answer).toMatchObject({ status: "sat", solutions: { length: 6 } });
    expect(String(answer.warnings)).toContain("These are all solutions: 6.");
  });

  it("answers where the order of sets of Gecode, which begins, gives false values", async () => {
    const model =
      "array[1..3] of var set of 1..3: s; constraint forall(i in 1..3)(card(s[i]) = 2); constraint forall(i in 1..2)(s[i] < s[i + 1]);";
    const answer = await models.solve("minizinc", [model], 60_000);
    // As lists of their elements.
    expect(answer).toMatchObject({
      status: "sat",
      model: {
        s: [
          [1, 2],
          [1, 3],
          [2, 3],
        ],
      },
    });
  });

  it("has one worker if the answer is to be the same each time", async () => {
    const answer = await solve("var 1..4: x; constraint x != 2; solve maximize x;", { reproducible: true });
    expect(answer).toMatchObject({ optimal: true, engine: expect.stringContaining("cp-sat with one worker") });
  });

  it("gives no unsat that rests on a bound which the model does not have", async () => {
    const answer = await solve("var int: x; constraint x > 2147483640 /\\ x * x > 9; solve minimize x;");
    expect(answer.status).not.toBe("unsat");
    expect(answer.optimal).not.toBe(true);
  });

  it("says that it has no reals, and what to use", async () => {
    const fault = await faultOf(solve("var 0.0..1.0: x; constraint x > 0.5; solve maximize x;"));
    expect(fault.error).toContain("cp-sat cannot handle real numbers");
    expect(fault.remedy).toContain("solver");
  });

  it("is given up when the call is cancelled or its time is over, with the best solution so far", async () => {
    const n = 40;
    const tour = `include "globals.mzn"; int: n = ${n}; array[1..n] of var 1..n: next; constraint circuit(next);
var int: total = sum(i in 1..n)((i * 7919 + next[i] * 104729 + i * next[i] * 31) mod 97); constraint total >= 0; solve minimize total;`;
    const answer = await models.solve("minizinc", [tour], 4_000, { solver: "cp-sat" });
    expect(["sat", "timeout"]).toContain(answer.status);
    if (answer.status === "sat") expect(Object(answer.model)["next"]).toHaveLength(n);
    if (answer.optimal !== true) expect(String(answer.warnings)).toMatch(/time limit was reached|Another solver/);
  });
});
