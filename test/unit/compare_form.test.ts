import { describe, expect, it } from "vitest";
import { canCompare, flat, formOf, keyOf, kindOf } from "../../src/tools/model/compare/form.ts";

const key = (value: unknown) => keyOf(formOf(value));

describe("the form of a value", () => {
  it.each([
    [true, 1],
    ["3", 3],
    ["-0", 0],
    ["12345678901234567890123", "12345678901234567890123"],
    ["1/2", 0.5],
    ["2/4", "0.50"],
    [1e3, 1000],
    [
      { 1: 5, 2: 6, 10: 7 },
      { 1: 5, 2: 6, 10: 7 },
    ],
    [{ 3: true, 1: false, 2: true }, [0, 1, 1]],
    [{ 0: [1, 2] }, [["1", "2"]]],
    ["Red", "Red"],
  ])("of %j is that of %j", (one, other) => {
    expect(key(one)).toBe(key(other));
  });

  it.each([
    [1, 2],
    ["1/2", "1/3"],
    [
      [1, 2],
      [2, 1],
    ],
    [[[1], [2]], [[1, 2]]],
    ["a", "b"],
    ["a,b", ["a", "b"]],
    [12, [1, 2]],
    ["1.41?", 1.41],
    [{ 1: 5, 3: 6 }, [5, 6]],
    [-1, 1],
  ])("of %j is not that of %j", (one, other) => {
    expect(key(one)).not.toBe(key(other));
  });

  it("says what can be compared", () => {
    const can = (one: unknown, other: unknown) => canCompare(kindOf(formOf(one)), kindOf(formOf(other)));
    expect(can([1, true], ["3"])).toBe(true);
    expect(can([], [[1]])).toBe(true);
    expect(can([1], [[1]])).toBe(false);
    expect(can("Red", 1)).toBe(false);
    expect(can("1.41?", "1.41?")).toBe(false);
    expect(keyOf(flat(formOf([[1], [2, 3]])))).toBe(key([1, 2, 3]));
  });
});
