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
