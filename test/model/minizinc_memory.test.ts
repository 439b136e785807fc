import { describe, expect, test } from "vitest";
import { limitMemory } from "../support/memory_limit.ts";
import { minizinc_builds, openMiniZinc } from "../support/minizinc.ts";

// The embedded build holds 240 MiB at rest.
const limit = limitMemory(330);

/** Compiles to 900 million variables, which is past the heap of the embedded build by itself. */
const bomb = ["array[1..30000, 1..30000] of var 0..1: x;", "solve satisfy;"];

describe.each(minizinc_builds)("a compilation that outgrows the memory, $name", ({ name, minizinc }) => {
  test.skipIf(process.platform === "win32")(
    "decides nothing and says what to do, and the next model is solved",
    async () => {
      const bench = openMiniZinc(minizinc);
      expect(await bench.solveAtOnce(bomb)).toMatchObject({
        status: "unknown",
        reason: "memory limit",
        satisfiable: null,
        // On a busy machine the embedded build adds how long it took.
        warnings: expect.arrayContaining([expect.stringContaining("make arrays, index sets and domains smaller")]),
      });
      // The embedded build asks for more than its heap at once, and ends before it has the memory of the limit.
      expect(limit.hasActed()).toBe(name !== "wasm");
      expect(await bench.solveAtOnce(["var 1..2: x;"])).toMatchObject({ status: "sat" });
      bench.engines.close();
    },
  );
});

/** Each solution on the way is a third of a megabyte of output, and there are 41 of them. */
const wordy = [
  "var 0..40: y; solve :: int_search([y], input_order, indomain_min) maximize y;",
  'output [join("", ["0123456789abcdefghijklmnopqrstuvwxyz" | i in 1..4000]), show(y)];',
];

describe.each(minizinc_builds)("solutions on the way, $name", ({ minizinc }) => {
  test("do not end a search when later ones take their place", async () => {
    const bench = openMiniZinc(minizinc);
    const answer = await bench.solveAtOnce(wordy, { solver: "gecode", timeout_ms: 120_000 });
    expect(answer).toMatchObject({ status: "sat", optimal: true, objective_value: 40 });
    bench.engines.close();
  });
});
