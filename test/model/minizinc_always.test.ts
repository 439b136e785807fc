import { describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { alwaysTrue } from "../../src/tools/model/languages/minizinc/explain/always.ts";
import { readModel } from "../../src/tools/model/languages/minizinc/model.ts";
import { openMiniZincOnce, quickest_minizinc } from "../support/minizinc.ts";

const benchOf = openMiniZincOnce();

describe("constraints in MiniZinc that exclude nothing", () => {
  const bench = benchOf(quickest_minizinc);

  /** The lines of the constraints of a model that its domains alone make true. */
  async function linesIn(text: string): Promise<(string | undefined)[]> {
    const model = readModel([text]);
    const found = await bench.engines.minizinc.run(new Deadline(200_000), (run) =>
      alwaysTrue({ run, model }, { source: model.source, data: [] }, new Deadline(100_000)),
    );
    return found === "expired" ? [found] : found.map((each) => /line (\d+)/.exec(each)?.[1]);
  }

  it.each([
    ["a sum below its bound", "constraint x[1] + x[2] <= 18;", true],
    ["a sum that can exceed it", "constraint x[1] + x[2] <= 17;", false],
    ["a strict comparison with data", "constraint forall(i in 1..n)(y < x[i] + 10 * n);", true],
    ["a case that can be false", "constraint forall(i in 1..n)(y < x[i] + 8 * i);", false],
    ["a value outside of all domains", "constraint forall(i in 1..n)(x[i] != 10);", true],
    ["a value inside a domain", "constraint forall(i in 1..n)(x[i] != 9);", false],
    [
      "a difference, from above and below",
      "constraint -9 <= y - x[1]; constraint 9 >= y - x[1]; constraint y - x[1] > -9;",
      2,
    ],
    ["a product", "constraint x[1] * y <= 81;", true],
    ["a sum over a loop", "constraint sum(i in 1..n)(x[i] * i) + y >= 0;", true],
    ["a defined variable", "var int: total = sum(x); constraint total + y <= 54;", true],
    [
      "bounds of one variable, which are harmless",
      "constraint forall(i in 1..n)(x[i] >= 0); constraint y <= 9;",
      false,
    ],
    ["a loop without cases", "constraint forall(i, j in 1..n where i > 10)(x[i] - x[j] <= 9);", false],
    ["a statement about data", "constraint n > 3;", false],
    ["a quotient, which can be undefined", "constraint x[1] div y - x[2] <= 9;", false],
    ["a list at an index that can be undefined", "constraint x[y] - y <= 9;", false],
    ["one part of a conjunction", "constraint x[1] + y <= 17 /\\ x[1] + x[2] <= 18 /\\ y <= 3;", true],
    ["a conjunction in an alternative", "constraint x[1] + y <= 18 /\\ y <= 3 \\/ x[1] + x[2] <= 18;", false],
    ["an implication", "constraint x[1] + y <= 18 -> y <= 3;", false],
    ["a comparison that is negated", "constraint not (x[1] + y <= 18);", false],
  ])("are read exactly: %s", async (_what, constraints, expected) => {
    const found = await linesIn(`int: n = 5; array[1..n] of var 0..9: x; var 0..9: y;\n${constraints}`);
    expect(found.length).toBe(Number(expected));
  });

  it("are among the findings of a solve, with their lines", async () => {
    const items = ["var 0..9: x; var 0..9: y;", "% a note\nconstraint x + y <= 18;"];
    const finding = "Item 1, line 2, column 1: the domains of the variables alone";
    // The time for findings is short, and a busy machine can need more.
    let answer = await bench.solve(items);
    for (let i = 0; i < 20 && !String(answer["warnings"]).includes(finding); i++) answer = await bench.solve(items);
    expect(String(answer["warnings"])).toContain(finding);
  });
});
