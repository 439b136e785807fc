import { describe, expect, it } from "vitest";
import { statementsOf } from "../../src/evidence/minizinc/statements.ts";
import { indexNames } from "../../src/tools/model/languages/minizinc/source/index_names.ts";
import { type SolveAnswer, solve_output, solveAnswer } from "../../src/tools/model/solution/solve_answer.ts";
import { renderSolve } from "../../src/tools/model/solution/solve_text.ts";
import { openMiniZincOnce, quickest_minizinc } from "../support/minizinc.ts";

const benchOf = openMiniZincOnce();

describe("the text of an answer with tables", () => {
  const textOf = (answer: SolveAnswer) => renderSolve(answer)[0].split("\n");
  const answerOf = (values: Record<string, unknown>) =>
    solveAnswer(
      {
        ...{ verdict: { kind: "sat", witness: { values } }, statistics: {}, output: [], warnings: [], engine: "e" },
      },
      1,
      1,
    );

  it("has the names of an enum that the data gives, and of ranges", async () => {
    const model = [
      "enum P; enum S = {E, 'L L'}; set of int: D = 0..1;",
      "array[P, D, S] of var 0..1: x; array[P] of var 0..9: load; array[1..2] of var 0..9: plain;",
      "constraint forall(d in D, s in S)(x[if d = 0 then Anna else Ben endif, d, s] = 1) /\\ sum(x) = 4;",
      "constraint load[Anna] = 3 /\\ load[Ben] = 0 /\\ plain = [4, 5];",
    ];
    const structured = await benchOf(quickest_minizinc).solveAtOnce(model, { data: { P: ["Anna", "Ben"] } });
    const answer = solve_output.parse({ ...structured, model_id: undefined });
    expect(textOf(answer)).toEqual([
      ...["sat", expect.stringMatching(/^Satisfiable/), "plain = [4,5]"],
      ...["x:", "        0       1", "  Anna  E, L L  .", "  Ben   .       E, L L", "load: Anna = 3, Ben = 0"],
    ]);
  });

  it("shows the first 50 lines", () => {
    const rows = Array.from({ length: 80 }, (_, i) => `p${i}`);
    const values = Object.fromEntries(rows.flatMap((p, i) => ["a", "b"].map((d) => [`x[${p},${d}]`, i < 60 ? 1 : 0])));
    const lines = textOf(answerOf(values));
    expect(lines.slice(2, 5)).toEqual(["x[*,*]:", "       a  b", "  p0   1  1"]);
    expect(lines.at(-1)).toBe('… not shown: 32 lines; get_solution with name "values" shows all');
    expect(lines).toHaveLength(2 + 50 + 1);
  });

  it("shows control characters of names", () => {
    const values = Object.fromEntries(
      ["a", "b\u0007", "c\u202e"].flatMap((p) => [`${p}_1`, `${p}_2`].map((n) => [n, 1])),
    );
    expect(textOf(answerOf(values)).slice(4)).toEqual(["  a   1  1", "  b\\u0007  1  1", "  c\\u202e  1  1"]);
  });
});

describe("the names of indices in a model", () => {
  const named = (text: string, values: Record<string, unknown>, data = {}) =>
    indexNames(statementsOf([text]), data, values);

  it.each([
    ["array[-1..1] of var int: x;", { x: [1, 2, 3] }, { x: [["-1", "0", "1"]] }],
    ["array[1..3] of var int: x;", { x: [1, 2, 3] }, {}],
    ["P = {A, B}; enum P; array[P] of var int: x;", { x: [1, 2] }, { x: [["A", "B"]] }],
    ["enum P = {A, B} ++ {C}; array[P] of var int: x;", { x: [1, 2, 3] }, {}],
    ["enum P = {A, B}; array[P] of var int: x;", { x: [1, 2, 3] }, {}],
    ["int: n = 4; array[n..5] of var int: x;", { x: [1, 2] }, {}],
    ["array[D] of var int: x; set of int: D = 0..1;", { x: [1, 2] }, { x: [["0", "1"]] }],
    ["array[0..1] of var 1..3: 'w';", { w: [1, 2] }, { w: [["0", "1"]] }],
    ["enum P = {A, B}; array[P] of tuple(int: n, var int): x;", { x: [1, 2] }, { x: [["A", "B"]] }],
    ['string: s = "array[P] of var int: x;"; enum P = {A, B};', { x: [1, 2] }, {}],
  ])("are read from %s", (text, values, names) => {
    expect(named(text, values)).toEqual(names);
  });
});
