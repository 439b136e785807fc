import { expect, it } from "vitest";
import { evaluated } from "../../src/evidence/minizinc/evaluation.ts";
import { fixedAt, isPlain } from "../../src/evidence/minizinc/fixed.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { readModel } from "../../src/tools/model/languages/minizinc/model.ts";
import { openMiniZincOnce } from "../support/minizinc.ts";

/** The values of a solution are evaluated in the model's own text, in which they are parameters. */
const benchOf = openMiniZincOnce();

/** What the text of a model says of values. */
async function said(model: string, values: Record<string, unknown>, objective?: unknown) {
  const { engines } = benchOf("wasm");
  const read = readModel([model]);
  const question = { source: read.source, data: [], solver: "gecode", time_ms: 60_000 };
  const deadline = new Deadline(100_000);
  return engines.minizinc.run(deadline, (run, build) =>
    evaluated({ run, build, model: read }, question, { values, objective, text: "" }, deadline),
  );
}

const all_types = `enum E = {A, B};
type P = record(var 1..2: a, var E: kind);
var 1..3: x; var opt 1..3: o; var E: e; var set of 1..3: s;
array[0..1] of var 1..3: xs; array[E, 1..2] of var bool: m;
P: p; tuple(var 1..2, var bool): t; array[1..2] of P: ps;
var int: y = x + 1;
array[int] of var int: ys = array1d(5..6, [x, y]);
array[0..1] of var int: zs = array1d(0..1, [x, y]);
var int: z;
z = x * 2;
any: w = x + y;
var set of 1..4: u = s union {4};
constraint x = 2 /\\ absent(o) /\\ e = B /\\ s = {1, 3};
constraint xs[0] = 3 /\\ p.a = 1 /\\ not t.2 /\\ m[A, 2] /\\ ps[1].kind = A;
solve maximize x + xs[0];`;
const E = (e: string) => ({ e });
const right = {
  ...{ x: 2, o: null, e: E("B"), s: { set: [1, 3] }, xs: [3, 1], y: 3, ys: [2, 3], zs: [2, 3], z: 4, w: 5 },
  ...{
    m: [
      [false, true],
      [false, false],
    ],
    p: { a: 1, kind: E("A") },
    t: [1, false],
    u: { set: [1, [3, 4]] },
  },
  ps: [
    { a: 1, kind: E("A") },
    { a: 2, kind: E("B") },
  ],
};

it("values of each type hold", async () => {
  expect(await said(all_types, right, 5)).toEqual({ verdict: "confirmed", by: [] });
});

it.each([
  [{ x: 3 }, 6],
  [{ o: 2 }, 13],
  [{ s: { set: [1] } }, 12],
  [{ xs: [3, 4] }, 4],
  [{ xs: [2, 1] }, 14],
  [{ t: [1, true] }, 14],
  [
    {
      ps: [
        { a: 1, kind: E("B") },
        { a: 2, kind: E("B") },
      ],
    },
    14,
  ],
  [{ zs: [2, 4] }, 8],
  [{ z: 5 }, 10],
])("a false value is found, with its line: %j", async (wrong, line) => {
  expect(await said(all_types, { ...right, ...wrong }, 5)).toMatchObject({
    verdict: "refuted",
    reason: expect.stringContaining(`item 0, line ${line}`),
  });
});

it("a false objective, and false elements of a list whose indices only its value has, are found", async () => {
  expect(await said(all_types, right, 6)).toMatchObject({
    verdict: "refuted",
    reason: expect.stringContaining("line 15"),
  });
  expect(await said(all_types, { ...right, ys: [2, 2] }, 5)).toMatchObject({ verdict: "refuted" });
});

it.each([
  // What a function leaves open, Gecode decides.
  ["var 1..9: x; constraint let { var 1..9: y } in y * y = x /\\ y > 1;", { x: 4 }, "confirmed"],
  ["var 1..9: x; constraint let { var 1..9: y } in y * y = x /\\ y > 2;", { x: 4 }, "refuted"],
  ["predicate p(var opt int: y) = not (y <= 1); var opt 0..2: o; constraint p(o);", { o: null }, "refuted"],
  ["array[1..2] of int: a = [1, 2]; var 1..3: x; constraint not (a[x] = 1);", { x: 3 }, "confirmed"],
  ["array[1..2] of int: a = [1, 2]; var 1..3: x; var int: y = a[x];", { x: 3, y: 1 }, "refuted"],
  ["var opt bool: o; var bool: b; constraint not (o \\/ b);", { o: null, b: false }, "confirmed"],
  ["var opt bool: o; var bool: b; constraint not (o -> b);", { o: null, b: false }, "refuted"],
  // Of parameters these would have other values.
  ["var 1..3: x; constraint x = ub(x) - 1;", { x: 2 }, "open"],
  ["array[1..2] of var bool: b; constraint length([i | i in 1..2 where b[i]]) = 2;", { b: [true, false] }, "open"],
  ["array[1..2] of var bool: b; constraint sum([i | i in 1..2 where b[i]]) = 1;", { b: [true, false] }, "confirmed"],
])("%s with the values %j is %s", async (model, values, verdict) => {
  expect(await said(model, values)).toMatchObject({ verdict });
});

it.each([
  // Checks of the compiled model can't find what the compiler made of these.
  [["var 1..2: x; var bool: b;", "constraint b <-> {} <= {x};"], "item 1, line 1", { solver: "chuffed" }],
])("values that violate the text are not shown, and the answer names the line: %j", async (items, place, options) => {
  const answer = await benchOf("wasm").solve(items, options);
  expect(answer).toMatchObject({ status: "unknown" });
  expect(String(answer["warnings"])).toContain(place);
});

it("values of a solver that is not accepted are shown if the text confirms them", async () => {
  const model = "array[1..2] of var opt bool: o; constraint o[1] \\/ not (2 > 3) \\/ o[2];";
  expect(await benchOf("wasm").solveAtOnce([model])).toMatchObject({ status: "sat" });
});

it("evaluates global constraints by their definitions, also those on which Gecode is not trusted", async () => {
  const tasks = "cumulative(s, [2, 1, 2], [1, 2, 1], 2)";
  const model = `include "cumulative.mzn"; array[1..3] of var 0..4: s; constraint ${tasks};`;
  expect(await said(model, { s: [0, 2, 0] })).toMatchObject({ verdict: "confirmed" });
  expect(await said(model, { s: [0, 1, 0] })).toMatchObject({ verdict: "refuted" });
});

it("the answer says where the text could not be evaluated", async () => {
  const answer = await benchOf("wasm").solveAtOnce(["var 1..3: x; constraint x = ub(x) - 1;"]);
  expect(String(answer["warnings"])).toContain("not in the model's own text: the model asks for domains");
});

it.each([
  [
    "set of int: S = 1..3; array[S] of var 0..4: x; constraint forall(i in S where i > 1)(x[i] mod 2 = 0 -> x[1] > 2);",
    true,
  ],
  ['var bool: b; output ["\\(b)", join("", [])];', true],
  ["var set of 1..3: s;", false],
  ["var opt 1..3: o;", false],
  ["var 1..3: x; constraint all_different([x]);", false],
  ["var 1..3: x; constraint let { int: y = x } in y > 1;", false],
])("a small model of numbers and truth values needs no evaluation: %s", (model, is_plain) => {
  expect(isPlain(model)).toBe(is_plain);
});

it("a conjunction with many list elements is read once", () => {
  const equations = Array.from({ length: 50_000 }, (_, i) => `xs[1] != ${i}`).join(" /\\ ");
  const source = `array[1..2] of var 1..3: xs; constraint ${equations};`;
  expect(fixedAt({ source, data: [] }, { values: { xs: [1, 2] }, objective: undefined })).toBeDefined();
});
