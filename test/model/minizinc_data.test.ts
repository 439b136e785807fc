import { describe, expect, it, test } from "vitest";
import { dataFiles } from "../../src/evidence/minizinc/data_files.ts";
import { dataFile } from "../../src/tools/model/languages/minizinc/source/data.ts";
import { minizinc_builds, openMiniZincOnce } from "../support/minizinc.ts";

/** MiniZinc reads integers of JSON with 32 bits: larger ones, and those below, become the largest and the smallest. */

describe("data beside the model", () => {
  test("stays JSON where MiniZinc reads it", () => {
    const text = '{"n":2147483647,"l":[-2147483648],"f":3000000000.0}';
    expect(dataFiles("int: n;", [text])).toEqual({ "data0.json": text });
    expect(dataFiles("int: n = 1;", ["{}"])).toEqual({});
  });

  const cases = [
    ["a number", "int: n;", '{"n":2147483648}', "n = 2147483648;\n"],
    ["a set", "set of int: s;", '{"s":{"set":[1,[-3000000000,4]]}}', "s = {1} union -3000000000..4;\n"],
    ["a list", "array[int] of opt int: l;", '{"l":[null,3000000000]}', "l = array1d(1..2, [<>, 3000000000]);\n"],
    ["a list from 0", "array[0..k] of int: l;", '{"l":[3000000000]}', "l = array1d(0..k, [3000000000]);\n"],
    [
      "a table",
      "array[E, int] of int: t;",
      '{"t":[[1,2,3],[4,5,6000000000]]}',
      "t = array2d(E, 1..3, [1, 2, 3, 4, 5, 6000000000]);\n",
    ],
    ["a table without columns", "array[E, S] of int: t;", '{"t":[[],[]]}', "t = array2d(E, S, []);\n"],
    [
      "tuples and records",
      "array[1..1] of tuple(int, record(int: a, string: b)): l;",
      '{"l":[[3000000000,{"a":1,"b":"x"}]]}',
      'l = array1d(1..1, [(3000000000, (a: 1,b: "x"),)]);\n',
    ],
    ["a float with an exponent", "tuple(float, E): t;", '{"t":[1e+21,{"e":"a b"}]}', "t = (1e+21, 'a b',);\n"],
  ] as const;
  test.each(cases)("is written in MiniZinc's syntax: %s", (_what, source, text, expected) => {
    expect(dataFiles(source, [text])).toEqual({ "data0.dzn": expected });
  });

  test("is refused where a number in a tuple may be rounded", () => {
    const tuple = { type: "tuple", set: false, optional: false, dim: 0, dims: [] };
    const parameters = { types: { t: tuple }, enums: new Set<string>(), places: new Map() };
    expect(dataFile({ t: [9_007_199_254_740_991, 0.5] }, parameters)).toBe('{"t":[9007199254740991,0.5]}');
    expect(() => dataFile({ t: [9_007_199_254_740_992] }, parameters)).toThrow("wrong form");
  });

  test("is split between both, with the digits of all numbers", () => {
    const files = dataFiles("int: n; float: f;", ['{"f":2.0,"n":9007199254740993,"s":"3000000000"}']);
    expect(files).toEqual({ "data0.json": '{"f":2.0,"s":"3000000000"}', "data0.dzn": "n = 9007199254740993;\n" });
  });
});

const benchOf = openMiniZincOnce();

describe.each(minizinc_builds)("data on the $name build", ({ minizinc }) => {
  const bench = benchOf(minizinc);

  it("has the values that the call gives", async () => {
    const model = [
      "int: n; array[0..1] of int: l; float: f; set of int: S; array[0..1, S] of int: t;",
      "var bool: is_wide = (n = 3000000000 /\\ l[1] = -1000000000000 /\\ f > 1e20 /\\ length(t) = 0);",
    ];
    const data = { n: 3_000_000_000, l: [0, "-1000000000000"], f: 1e21, S: [], t: [[], []] };
    expect(await bench.solveAtOnce(model, { data })).toMatchObject({ status: "sat", model: { is_wide: true } });
  });

  const shifts = [
    "enum P;",
    "array[P, 1..2] of var 0..1: w;",
    "constraint forall(d in 1..2)(sum(p in P)(w[p, d]) = 1);",
  ];
  const data = { P: ["Anna", "par"] };

  it("defines the members of an enum when a whole model is checked", async () => {
    const items = [...shifts, "constraint w[Anna, 2] = 0;"];
    const answer = await bench.call("solve", { items, language: "minizinc", data });
    expect(answer).toMatchObject({ status: "sat", values: { w: [expect.anything(), [expect.anything(), 1]] } });
    const fault = bench.call("solve", { items: [...items, "constraint w[Ana, 1] = 0;"], language: "minizinc", data });
    await expect(fault).rejects.toThrow("Item 4, line 1, column 14: type error: undefined identifier `Ana'");
  });

  it("of an earlier solve defines the members of an enum for the next items", async () => {
    await bench.call("solve", { items: shifts, language: "minizinc", data });
    expect(await bench.call("add_item", { item: "constraint w[Anna, 2] = 0;" })).toMatchObject({ status: "ok" });
    expect(await bench.call("solve_model", {})).toMatchObject({ status: "sat" });
    expect(await bench.call("replace_item", { index: 0, new_item: "enum P = {Anna, Ben};" })).toMatchObject({
      status: "ok",
    });
    expect(await bench.call("solve_model", {})).toMatchObject({ status: "sat" });
  });

  it("is named where a member of an enum is not known yet", async () => {
    const fault = JSON.stringify(await bench.fault([...shifts, "constraint w[Anna, 2] = 0;"], { data }));
    expect(fault).toContain("undefined identifier `Anna'");
    expect(fault).toContain("call solve_model with data for P first");
  });
});
