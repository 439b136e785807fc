import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { Reader } from "../../src/engines/minizinc/read.ts";
import { faultOf } from "../../src/tools/model/languages/minizinc/faults.ts";
import { additionsTo, readModel } from "../../src/tools/model/languages/minizinc/model.ts";
import { SourceLines } from "../../src/tools/model/languages/minizinc/source/source.ts";
import { minizinc_builds, openMiniZincOnce, quickest_minizinc } from "../support/minizinc.ts";
import { runs_all } from "../support/runs_all.ts";

/** What language models write in MiniZinc by habit of other languages, and the cure that each fault has to tell. */

const fixtures = "test/fixtures/minizinc";
const { head, slips }: { head: string; slips: { item: string; cure: string }[] } = JSON.parse(
  readFileSync(`${fixtures}/slips.json`, "utf8"),
);

/** The errors of a real build, by `node scripts/record_minizinc.mjs`. */
describe("slips in MiniZinc, as the embedded build says them", () => {
  const errors = readFileSync(`${fixtures}/wasm_slips.txt`, "utf8").trimEnd().split("\n").slice(1);

  it("has one error for each", () => expect(errors).toHaveLength(slips.length));

  it.each(slips.map(({ item, cure }, i) => ({ item, cure, said: errors[i] ?? "" })))(
    "$item has its cure as the first step",
    ({ item, cure, said }) => {
      const reader = new Reader(1);
      reader.take(said);
      const [error] = reader.answer().errors;
      if (!error) throw new Error("nothing was recorded");
      const { steps, message, position } = faultOf(error, new SourceLines([head, item]), ["mend the item"]);
      expect(steps[0]).toContain(cure);
      expect(steps).toHaveLength(2);
      expect(message).toMatch(/^Item 1, line \d+, column \d+: /);
      expect(position).toMatchObject({ item: 1 });
    },
  );
});

test.each([
  ["constraint x % 2 = 0\n;", true],
  ["constraint a[1] %2\n= 0;", true],
  ["constraint (x + 1) % y > z\n /\\ true;", true],
  ["array[1..2, 1..2] of int: d = [| 1, A_1 % B_1\n | 0, A_1 % HB_2\n |];", false],
  ["array[1..2, 1..2] of int: d = [| 1, 2 % 1\n | 3, 4 % 2\n |];", false],
  ["array[1..2] of int: d = [ % B_1 = 3\n 3, % A = 4, \n 4];", false],
  ["constraint x = % y + 1\n z;", false],
])("a comment within an item is reported if it looks like a remainder: %s", (item, is_slip) => {
  const model = readModel([item]);
  expect(additionsTo(0, [item], model).some((note) => note.startsWith("% begins a comment"))).toBe(is_slip);
});

it("a long text before an error is not searched", () => {
  const item = `constraint ${"x".repeat(2_000_000)} ${"< x ".repeat(3)};`;
  const places = [{ file: "model.mzn", line: 1, column: item.length - 4 }];
  const error = { what: "syntax error", message: "unexpected <", places };
  expect(faultOf(error, new SourceLines([item]), []).code).toBe("syntax_error");
});

const benchOf = openMiniZincOnce();

describe.each(minizinc_builds)("models as language models write them, on the $name build", ({ minizinc }) => {
  const bench = benchOf(minizinc);

  test("the % of a remainder is explained if the item ends with it", async () => {
    const fault = await bench.fault([head, "constraint x % 2 = 0;"]);
    expect(fault).toMatchObject({ code: "syntax_error", position: { item: 1, line: 1, column: 13 } });
    expect(fault.remedy).toContain("% begins a comment, so `% 2 = 0;` was not read: write `x mod 2`");
  });

  test("a line break or a comment between a bracket and its bar does not matter", async () => {
    const literal = "[ % by rows\n  | 1, 2\n  | 3, 4 |\n]";
    const answer = await bench.solveAtOnce([
      `array[1..2, 1..2] of int: a = ${literal}; var 1..2: x; constraint a[x, 1] = 3; output ["[ | ]"];`,
    ]);
    expect(answer).toMatchObject({ status: "sat", values: { x: 2 } });
  });

  test("adds the include that a global constraint needs, and says so", async () => {
    const answer = await bench.solveAtOnce([
      "array[1..3] of var 1..3: a; constraint all_different(a); solve maximize a[1];",
    ]);
    expect(answer).toMatchObject({
      status: "sat",
      objective_value: 3,
      warnings: [expect.stringContaining("all_different needs")],
    });
    const own = await bench.solveAtOnce([
      "predicate increasing(var int: i) = i > 2; var 1..3: x; constraint increasing(x); solve satisfy;",
    ]);
    expect(own).toMatchObject({
      status: "sat",
      model: { x: 3 },
      warnings: [expect.stringContaining("The model defines increasing itself")],
    });
  });

  test("takes files in folders of the library, and none outside of it", async () => {
    const fault = await bench.fault(['include "experimental/../../../etc/passwd.mzn";']);
    expect(fault).toMatchObject({ code: "forbidden" });
    expect(await bench.fault(['include "/tmp/x.mzn";'])).toMatchObject({ code: "forbidden" });
    const answer = await bench.solveAtOnce(['include "stdlib/stdlib_math.mzn"; var 1..3: x; solve maximize x;']);
    expect(answer).toMatchObject({ status: "sat", model: { x: 3 } });
  });

  test("shows variables whose value is on their right side", async () => {
    const answer = await bench.solveAtOnce([
      'array[1..2] of var 1..5: a; var int: total = a[1] + a[2]; array[1..2] of var int: twice = [2 * v | v in a];\nvar bool: p; p = (total > 3); set of int: S = 1..3; output ["done"]; solve maximize total;',
    ]);
    expect(answer).toMatchObject({ status: "sat", objective_value: 10, output: ["done"] });
    expect(answer["model"]).toEqual({ a: [5, 5], total: 10, twice: [10, 10], p: true });
  });

  test("counts columns in the item, behind what was put into it", async () => {
    const fault = await bench.fault([
      "int: n; var 0..9: größe_1 = 3;".replace("größe_1", "g"),
      'var 1..9: q = 3; var 1..n: w; constraint assert(q, "é");',
    ]);
    expect(fault).toMatchObject({ position: { item: 1, line: 1, column: 42 } });
  });

  // Verdict's own part is tested with one build here, and with each in the long tests.
  if (minizinc !== quickest_minizinc && !runs_all) return;

  test("a sign of another language in a text or a comment is none", async () => {
    const fault = await bench.fault([head, 'string: s = "x && y"; /* !b */ constraint zz > 3; % a ** b']);
    expect(fault.error).toContain("undefined identifier");
    expect(fault.remedy).toContain("declare zz first");
  });

  test("reads a last statement without a semicolon, and says so", async () => {
    const model_id = "ended";
    await bench.call("clear_model", { language: "minizinc", model_id });
    const first = await bench.call("add_item", {
      item: 'var 1..9: x; constraint x != 8; output ["\\(x)"]\n% the end',
      model_id,
    });
    expect(first["warnings"]).toEqual(["A semicolon was added after the last statement of the item."]);
    await bench.call("add_item", { item: "solve maximize x", model_id });
    expect(await bench.call("solve_model", { model_id })).toMatchObject({ model: { x: 9 }, warnings: [] });
  });

  test("says for each item of a whole model what was added to it", async () => {
    const items = ["var 1..9: x", "var 1..9: y;", "constraint alldifferent([x, y]);", "solve satisfy;"];
    const { warnings } = await bench.call("solve", { language: "minizinc", items });
    expect(warnings).toEqual([
      "A semicolon was added after the last statement of the item.",
      expect.stringContaining("globals.mzn"),
    ]);
  });

  test("explains a % that hides the rest of an expression", async () => {
    const model_id = "hidden";
    await bench.call("clear_model", { language: "minizinc", model_id });
    const { warnings } = await bench.call("add_item", { item: "int: n = 5; int: k = n % 2\n;", model_id });
    expect(warnings).toEqual([expect.stringContaining("write `x mod 2`")]);
  });

  test("leaves the choice of what is shown to a model that makes it", async () => {
    const answer = await bench.solveAtOnce(["var 1..5: x; var int: y :: add_to_output = x + 1; solve maximize x;"]);
    expect(answer).toMatchObject({ model: { y: 6 }, objective_value: 5 });
  });
});
