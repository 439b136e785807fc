import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { equal, shareProver } from "../support/prover.ts";

const pair = (a: string, b: string, type = "int") =>
  `def f(n: int, k: ${type}${a}) -> ${type}:\n    return k\ndef g(n: int, k: ${type}${b}) -> ${type}:\n    return k\n`;

describe.skipIf(!has_python)("default values", () => {
  const bench = fixture(shareProver);

  it.each([
    ["-1", " = -1", " = -1", "int"],
    ["a float", " = -0.5", " = -0.5", "float"],
    ["the same text", " = 'a'", ' = "a"', "str"],
    ["the same computed number", " = 2 ** 4 - 6", " = 5 * 2", "int"],
  ])("that are the same are no obstacle: %s", async (_, a, b, type) => {
    expect(await bench.decide(pair(a, b, type), equal)).toMatchObject({ kind: "proven" });
  });

  it.each([
    ["another sign", " = -1", " = 1", "int"],
    ["another number", " = -1", " = -2", "int"],
    ["no default", " = -1", "", "int"],
    ["another type", " = -1", " = -1.0", "int"],
    ["another zero", " = -0.0", " = 0.0", "float"],
    ["two signs", " = -1", " = --1", "int"],
    ["a name", " = -1", " = -ONE", "int"],
    ["a negative truth", " = -True", " = -True", "int"],
    ["a text like a list of defaults", " = 'a'", " = 'a,str b'", "str"],
    ["another sum", " = 1 + 1", " = 1 + 2", "int"],
    ["a sum of floats", " = 1 + 1.0", " = 1 + 1.0", "int"],
    ["a sum of a truth", " = 1 + True", " = 1 + True", "int"],
    ["a sum with a name", " = 1 + ONE", " = 1 + ONE", "int"],
  ])("that differ, or are not known, prevent a proof: %s", async (_, a, b, type) => {
    expect((await bench.decide(`ONE = 1\n${pair(a, b, type)}`, equal)).kind).not.toBe("proven");
  });

  it("count where a call leaves the argument out", async () => {
    const code =
      "def h(n: int, k: int = -1) -> int:\n    return n * k\ndef f(n: int) -> int:\n    return h(n)\ndef g(n: int) -> int:\n    return -n\n";
    expect(await bench.decide(code, equal)).toMatchObject({ kind: "proven" });
    expect((await bench.decide(code.replace("= -1", "= 1"), equal)).kind).not.toBe("proven");
  });
});
