import { describe, expect, test, vi } from "vitest";
import { minizinc_builds, openMiniZinc } from "../support/minizinc.ts";

/** The real limit of 4 GiB would take more memory than a small machine has; the embedded build holds 0.24 at rest. */
vi.mock("../../src/kernel/limits.ts", async (original) => {
  const { limits } = await original<typeof import("../../src/kernel/limits.ts")>();
  return { limits: { ...limits, solver_rss_bytes_max: 330 * 1024 ** 2 } };
});

/** Compiles to 900 million variables, which is past the heap of the embedded build by itself. */
const bomb = ["array[1..30000, 1..30000] of var 0..1: x;", "solve satisfy;"];

describe.each(minizinc_builds)("a compilation that outgrows the memory, $name", ({ minizinc }) => {
  test.skipIf(minizinc === undefined || process.platform === "win32")(
    "decides nothing and says what to do, and the next model is solved",
    async () => {
      const bench = openMiniZinc(minizinc ?? "");
      expect(await bench.solveAtOnce(bomb)).toMatchObject({
        status: "unknown",
        reason: "memory limit",
        satisfiable: null,
        warnings: [expect.stringContaining("make arrays, index sets and domains smaller")],
      });
      expect(await bench.solveAtOnce(["var 1..2: x;"])).toMatchObject({ status: "sat" });
      bench.engines.close();
    },
  );
});
